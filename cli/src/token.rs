//! `meadow token`: makes, lists and revokes the tokens of `--auth token`.

use crate::failure::Failure;
use crate::logs;
use crate::options::{self, Kept, Whose};
use crate::report::{line, print, print_json};
use crate::store::Stores;
use clap::{Args, Subcommand};
use meadow_access::{BadTokenId, Scopes, TokenId, UnknownScope};
use meadow_service::tokens::{Made, TokenError, Wanted};
use meadow_service::{Timestamp, TokenRecord, Tokens};
use serde::Serialize;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;
use tracing_subscriber::filter::LevelFilter;

/// Make, list and revoke access tokens for meadow serve --auth token
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Token {
    #[command(subcommand)]
    action: Action,
}

const EXAMPLES: &str = "\
Examples:
  meadow token new --name \"claude on my laptop\"
  meadow token new --name dashboard --workspace team-a --scopes model:read --expires 365d
  meadow token new --name dashboard --workspace team-a --scopes model:read --replaces k3vw5tbq2a --grace 24h
  meadow token list
  meadow token revoke k3vw5tbq2a

A token is kept in the store that --store names, as a hash: it is shown once, when it is made.";

#[derive(Debug, Subcommand)]
enum Action {
    New(New),
    List(List),
    Revoke(Revoke),
}

/// Make a token; it is shown once, alone on standard output
#[derive(Debug, Args)]
struct New {
    /// Who or what uses it
    #[arg(long)]
    name: String,

    /// What it allows, with spaces between: model:read, model:write, notes:read, notes:write, research
    #[arg(long, value_name = "SCOPES", default_value = "model:read model:write", value_parser = scopes)]
    scopes: Scopes,

    /// How long it lasts, such as 90d or 12h
    #[arg(long, value_name = "TIME", default_value = "90d", value_parser = humantime::parse_duration)]
    expires: Duration,

    /// Let it last until it is revoked
    #[arg(long, conflicts_with = "expires")]
    never: bool,

    /// Put it in the place of this token, which is revoked when the grace is over
    #[arg(long, value_name = "ID", value_parser = id)]
    replaces: Option<TokenId>,

    /// How long the replaced token is still taken
    #[arg(long, value_name = "TIME", default_value = "24h", value_parser = humantime::parse_duration, requires = "replaces")]
    grace: Duration,

    #[command(flatten)]
    kept: Kept,

    #[command(flatten)]
    whose: Whose,
}

/// List all tokens of the store, those that are over too
#[derive(Debug, Args)]
struct List {
    /// Write JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    kept: Kept,
}

/// Revoke a token; servers refuse it within a minute
#[derive(Debug, Args)]
struct Revoke {
    /// The token's id, as meadow token list shows it
    #[arg(value_parser = id)]
    id: TokenId,

    #[command(flatten)]
    kept: Kept,
}

fn scopes(text: &str) -> Result<Scopes, UnknownScope> {
    text.parse()
}

fn id(text: &str) -> Result<TokenId, BadTokenId> {
    text.parse()
}

impl Token {
    pub(crate) fn run(&self) -> Result<ExitCode, Failure> {
        let kept = match &self.action {
            Action::New(new) => &new.kept,
            Action::List(list) => &list.kept,
            Action::Revoke(revoke) => &revoke.kept,
        };
        logs::start(kept.log.as_ref(), LevelFilter::WARN);
        let place = kept.place()?;
        if !place.lasts() {
            return Err(Failure::Usage(format!(
                "--store {place}: a token would be gone when this command ends; name the store of the server, such as \
                 sqlite:PATH"
            )));
        }
        options::runtime()?.block_on(async {
            let tokens = Stores::open(&place).await?.tokens();
            match &self.action {
                Action::New(new) => new.run(&tokens).await,
                Action::List(list) => list.run(&tokens).await,
                Action::Revoke(revoke) => revoke.run(&tokens).await,
            }
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

impl New {
    async fn run(&self, tokens: &Tokens) -> Result<(), Failure> {
        let wanted = Wanted {
            name: self.name.clone(),
            workspace: self.whose.workspace.clone(),
            scopes: self.scopes,
            life: (!self.never).then_some(self.expires),
            replaces: self.replaces.map(|id| (id, self.grace)),
        };
        let made = tokens.create(wanted).await.map_err(failure)?;
        // Nobody is kept from the token by a closed stderr.
        let _ = io::stderr().write_all(told(&made).as_bytes());
        let mut stdout = io::stdout();
        writeln!(stdout, "{}", made.text.reveal())
            .and_then(|()| stdout.flush())
            .map_err(|error| {
                Failure::World(format!(
                    "the token could not be shown ({error}), and is not kept; revoke it: meadow token revoke {}",
                    made.record.id
                ))
            })
    }
}

/// What was made, for people.
fn told(made: &Made) -> String {
    let record = &made.record;
    let mut out = String::new();
    line(
        &mut out,
        format_args!(
            "Token {} ({}) for workspace {}: {}\n  {}",
            record.id,
            record.name,
            record.workspace,
            record.scopes,
            match record.expires {
                Some(at) => format!("expires {at}"),
                None => "lasts until it is revoked".to_owned(),
            }
        ),
    );
    if let Some((old, at)) = made.replaced.as_ref().and_then(|old| Some((old, old.revoked?))) {
        line(
            &mut out,
            format_args!(
                "  takes the place of {} ({}), which is taken until {at}",
                old.id, old.name
            ),
        );
    }
    line(
        &mut out,
        format_args!("It is shown this once; send it as Authorization: Bearer TOKEN"),
    );
    out
}

impl List {
    async fn run(&self, tokens: &Tokens) -> Result<(), Failure> {
        let now = tokens.now();
        let records = tokens.list().await.map_err(|error| Failure::World(error.to_string()))?;
        let rows: Vec<Row<'_>> = records.iter().map(|record| Row::of(record, now)).collect();
        if self.json {
            print_json(&serde_json::json!({"tokens": rows}))
        } else {
            print(&table(&rows))
        }
    }
}

/// A token in a list.
#[derive(Debug, Serialize)]
struct Row<'a> {
    id: &'a str,
    name: &'a str,
    workspace: &'a str,
    scopes: String,
    state: &'static str,
    created: Timestamp,
    expires: Option<Timestamp>,
    revoked: Option<Timestamp>,
}

impl<'a> Row<'a> {
    fn of(record: &'a TokenRecord, now: Timestamp) -> Self {
        let state = match () {
            () if record.is_revoked(now) => "revoked",
            () if record.is_expired(now) => "expired",
            () if record.revoked.is_some() => "replaced",
            () => "active",
        };
        Self {
            id: record.id.as_str(),
            name: &record.name,
            workspace: record.workspace.as_str(),
            scopes: record.scopes.to_string(),
            state,
            created: record.created,
            expires: record.expires,
            revoked: record.revoked,
        }
    }

    /// When it is or was no longer taken.
    fn ends(&self) -> String {
        let ends = self.expires.into_iter().chain(self.revoked).min();
        ends.map_or_else(|| "never".to_owned(), |at| at.to_string())
    }
}

fn table(rows: &[Row<'_>]) -> String {
    if rows.is_empty() {
        return "There are no tokens; make one with meadow token new --name NAME\n".to_owned();
    }
    let cells = rows.iter().map(|row| {
        [
            row.id.to_owned(),
            row.state.to_owned(),
            row.ends(),
            row.workspace.to_owned(),
            row.scopes.clone(),
            row.name.to_owned(),
        ]
    });
    let heading = ["id", "state", "ends", "workspace", "scopes", "name"].map(str::to_owned);
    let cells: Vec<[String; 6]> = std::iter::once(heading).chain(cells).collect();
    let width = |column: usize| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(width);
    let mut out = String::new();
    for row in &cells {
        let padded: Vec<String> = row
            .iter()
            .zip(widths)
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        line(&mut out, format_args!("{}", padded.join("  ").trim_end()));
    }
    out
}

impl Revoke {
    async fn run(&self, tokens: &Tokens) -> Result<(), Failure> {
        let record = tokens.revoke(self.id).await.map_err(failure)?;
        print(&format!(
            "Token {} ({}) is revoked; a server that took it a moment ago takes it for at most 60 s more\n",
            record.id, record.name
        ))
    }
}

fn failure(error: TokenError) -> Failure {
    match error {
        TokenError::Refused(_) | TokenError::NotFound(_) => Failure::Usage(error.to_string()),
        TokenError::Store(_) | TokenError::Randomness(_) => Failure::World(error.to_string()),
    }
}
