//! Why a command could not do its work.

use std::io::{self, Write};
use std::process::ExitCode;

/// The reason, as a sentence that names the repair.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The file is no model: exit code 1.
    #[error("{0}")]
    Fault(String),
    /// The command was used wrongly: exit code 2, as clap's own.
    #[error("{0}")]
    Usage(String),
    /// A file, a port, a store or the system did not do its part: exit code 3.
    #[error("{0}")]
    World(String),
}

impl Failure {
    /// Says so on stderr and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        // Nobody is left to tell when stderr is closed.
        let _ = writeln!(io::stderr(), "meadow: {self}");
        let code = match self {
            Self::Fault(_) => 1,
            Self::Usage(_) => 2,
            Self::World(_) => 3,
        };
        ExitCode::from(code)
    }
}
