//! The binary `meadow`: a server for systems-thinking models on one machine.
//!
//! # Layout, in reading order
//! - [`serve`], [`stdio`], [`check`], [`simulate`], [`analyze`], [`import`], [`export`], [`search`],
//!   [`notes`], [`token`]: one file a command.
//! - [`mod@file`]: what a command reads; [`report`]: what it writes.
//! - [`postgres`]: the database of `export` and `import`.
//! - [`options`]: what several commands take; [`store`]: what `--store` names; [`literature`]: who is asked for papers.
//! - [`access`]: who may reach a server.
//! - [`connections`]: HTTP with limits, for `serve` and for `stdio --listen`; [`calls`]: how many calls run there.
//! - [`stop`]: signals; [`logs`]: JSON lines on stderr; [`debugger`]: `--wait-for-debugger`.
//! - [`failure`]: why a command could not do its work, and its exit code.

mod access;
mod analyze;
mod calls;
mod check;
mod connections;
mod debugger;
mod export;
mod failure;
mod file;
mod import;
mod literature;
mod logs;
mod notes;
mod options;
mod postgres;
mod report;
mod search;
mod serve;
mod simulate;
mod stdio;
mod stop;
mod store;
mod token;

use clap::builder::Resettable;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsStr;
use std::process::ExitCode;

/// Build, check and share systems-thinking models: an MCP server for agents, HTTP for everybody else.
#[derive(Debug, Parser)]
#[command(name = "meadow", version, arg_required_else_help = true, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Examples:
  meadow serve                      MCP at http://127.0.0.1:8787/mcp, models at /model
  meadow stdio                      MCP on standard input and output, for clients that start their servers
  meadow check model.json           what is missing in a model, and what contradicts itself
  meadow simulate model.xmile       what a model does over time
  meadow analyze model.json         its feedback loops
  meadow export --postgres URL      copies of all models for analysts, brought up to date
  meadow search graph networks      papers from arXiv and Semantic Scholar
  meadow notes search stocks        notes that have a word in them
  meadow token new --name laptop    a token for meadow serve --auth token

Exit codes: 0 done, 1 the document has faults, 2 wrong use, 3 the world failed.";

#[derive(Debug, Subcommand)]
enum Command {
    Serve(serve::Serve),
    Stdio(stdio::Stdio),
    Check(check::Check),
    Simulate(simulate::Simulate),
    Analyze(analyze::Analyze),
    Import(import::Import),
    Export(export::Export),
    Search(search::Search),
    Notes(notes::NotesCommand),
    Token(token::Token),
}

fn main() -> ExitCode {
    let cli = Cli::from_arg_matches(&command().get_matches()).unwrap_or_else(|error| error.exit());
    let done = match cli.command {
        Command::Serve(serve) => serve.run(),
        Command::Stdio(stdio) => stdio.run(),
        Command::Check(check) => check.run(),
        Command::Simulate(simulate) => simulate.run(),
        Command::Analyze(analyze) => analyze.run(),
        Command::Import(import) => import.run(),
        Command::Export(export) => export.run(),
        Command::Search(search) => search.run(),
        Command::Notes(notes) => notes.run(),
        Command::Token(token) => token.run(),
    };
    done.unwrap_or_else(|failure| failure.report())
}

/// All options. An environment variable that is empty is as if it were not set.
fn command() -> clap::Command {
    Cli::command().mut_subcommands(without_empty)
}

fn without_empty(command: clap::Command) -> clap::Command {
    let is_empty = |name: &OsStr| std::env::var_os(name).is_some_and(|value| value.is_empty());
    let command = command.mut_args(|option| match option.get_env() {
        Some(name) if is_empty(name) => option.env(Resettable::Reset),
        _ => option,
    });
    command.mut_subcommands(without_empty)
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::CommandFactory;

    #[test]
    fn options_are_consistent() {
        Cli::command().debug_assert();
    }
}
