//! `meadow export`: every model that changed since the last run into PostgreSQL.

use crate::failure::Failure;
use crate::logs;
use crate::options::{self, Kept};
use crate::postgres::{Authorities, Progress, lines};
use crate::report::{line, print, section};
use crate::store::Stores;
use clap::Args;
use meadow_postgres::{PostgresTarget, SCHEMA};
use meadow_service::export::{self, ExportError, ExportOptions, ExportRun, STOP_BEFORE};
use meadow_service::{Clock, SystemClock, Timestamp};
use std::process::ExitCode;
use std::time::Duration;
use tracing_subscriber::filter::LevelFilter;

/// Copy every model that changed since the last run into PostgreSQL, of all workspaces
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Export {
    /// The database: postgres://USER@HOST:PORT/DATABASE. The password comes in it or in PGPASSWORD. Elsewhere than on
    /// this machine the connection is always encrypted and the server's certificate verified
    #[arg(long, env = "MEADOW_POSTGRES", value_name = "URL", hide_env_values = true)]
    postgres: Option<String>,

    #[command(flatten)]
    authorities: Authorities,

    /// Print the tables as SQL, for an operator to make, and do nothing else
    #[arg(long)]
    print_schema: bool,

    /// How long it may take, such as 15m; it stops a minute before that, and the next run goes on
    #[arg(long, value_name = "TIME", value_parser = time_enough)]
    deadline: Option<Duration>,

    /// Walk all models, not only those that changed since the last run: after another store was exported there
    #[arg(long)]
    all: bool,

    #[command(flatten)]
    kept: Kept,
}

const EXAMPLES: &str = "\
Examples:
  meadow export --postgres postgres://meadow@127.0.0.1/analytics
  meadow export --postgres 'postgres://meadow@db.example.org/analytics?sslrootcert=ca.pem' --deadline 15m
  meadow export --print-schema | psql analytics

Exit codes: 0 done, 1 some models could not be copied as they stand, 2 wrong use, 3 the store or the database failed.";

/// Reads how long a run may take.
fn time_enough(text: &str) -> Result<Duration, String> {
    let time = humantime::parse_duration(text).map_err(|error| format!("{error}; use a time such as 15m or 1h 30m"))?;
    if time <= STOP_BEFORE {
        let before = STOP_BEFORE.as_secs();
        return Err(format!(
            "the run stops {before} s before its deadline; give it more than that"
        ));
    }
    Ok(time)
}

impl Export {
    pub(crate) fn run(&self) -> Result<ExitCode, Failure> {
        if self.print_schema {
            print(SCHEMA)?;
            return Ok(ExitCode::SUCCESS);
        }
        logs::start(self.kept.log.as_ref(), LevelFilter::WARN);
        let Some(url) = &self.postgres else {
            let say = "name the database: --postgres postgres://USER@HOST:PORT/DATABASE, or MEADOW_POSTGRES";
            return Err(Failure::Usage(say.to_owned()));
        };
        let database = self.authorities.database(url)?;
        let run = options::runtime()?.block_on(self.copy(&database))?;
        print(&as_text(&database, &run))?;
        Ok(ExitCode::from(u8::from(!run.is_whole())))
    }

    async fn copy(&self, database: &PostgresTarget) -> Result<ExportRun, Failure> {
        let store = Stores::open(&self.kept.place()?).await?.models;
        let after = |time: Duration| {
            let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
            Timestamp(SystemClock.now().0.saturating_add(millis))
        };
        let options = ExportOptions {
            deadline: self.deadline.map(after),
            all: self.all,
        };
        let mut progress = Progress::new();
        let mut tell = |run: &ExportRun| progress.tell(run.walked, &format!("{} of them written", run.written));
        let done = export::export(&*store, database, &SystemClock, &options, &mut tell).await;
        done.map_err(|error: ExportError| Failure::World(error.to_string()))
    }
}

fn as_text(database: &PostgresTarget, run: &ExportRun) -> String {
    let mut out = String::new();
    let since = match run.since {
        None => "all models".to_owned(),
        Some(since) => format!("changes since {since}"),
    };
    line(
        &mut out,
        format_args!(
            "{database}: {since}: {} walked, {} written ({} deleted), {} there already",
            run.walked, run.written, run.tombstones, run.present
        ),
    );
    if !run.finished {
        line(
            &mut out,
            format_args!("Stopped before the deadline; the next run goes on where this one got to."),
        );
    }
    section(&mut out, "Text there, but no document", lines(&run.without_document));
    section(
        &mut out,
        "Newer in the database than in the store, left as they are; was the store restored, or is it another one? Then export into a new database",
        lines(&run.ahead),
    );
    section(&mut out, "Damaged in the store", lines(&run.unreadable));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_leaves_time() {
        assert_eq!(time_enough("15m"), Ok(Duration::from_secs(900)));
        assert_eq!(time_enough("1h 30m"), Ok(Duration::from_secs(5_400)));
        for (text, part) in [
            ("60s", "more than that"),
            ("soon", "such as 15m"),
            ("-1m", "such as 15m"),
        ] {
            let said = time_enough(text).unwrap_err();
            assert!(said.contains(part), "{said}");
        }
    }
}
