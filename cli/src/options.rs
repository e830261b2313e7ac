//! Options that several commands take. Each has an environment variable.

use crate::failure::Failure;
use crate::logs;
use crate::store::Place;
use clap::Args;
use etcetera::BaseStrategy;
use meadow_service::{Caller, Workspace};
use std::net::SocketAddr;
use std::path::PathBuf;
use tokio::runtime::Runtime;
use tracing_subscriber::filter::Targets;

/// Worker threads, at most: a write is a few milliseconds of CPU, and each thread keeps memory of its own.
const WORKERS: usize = 4;

/// Where models are kept, and what is logged: for every command that opens a store.
#[derive(Debug, Args)]
pub(crate) struct Kept {
    /// Where models are kept: sqlite:PATH or memory: [default: sqlite:meadow.db in the data folder]
    #[arg(long, env = "MEADOW_STORE", hide_env_values = true)]
    store: Option<Place>,

    /// The data folder [default: the platform's, such as ~/.local/share/meadow]
    #[arg(long, env = "MEADOW_DATA", value_name = "DIR", hide_env_values = true)]
    data: Option<PathBuf>,

    /// What is logged, as JSON lines on stderr: off, error, warn, info, debug, trace, or by part as in
    /// `warn,meadow_http=debug` [default: info; warn on stdio]
    #[arg(long, env = "MEADOW_LOG", value_name = "FILTER", value_parser = logs::filter, hide_env_values = true)]
    pub(crate) log: Option<Targets>,
}

/// The same for a command that serves one workspace.
#[derive(Debug, Args)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) kept: Kept,

    /// Whose models: workspaces see nothing of each other
    #[arg(long, env = "MEADOW_WORKSPACE", value_name = "NAME", default_value_t, value_parser = Workspace::new, hide_env_values = true)]
    workspace: Workspace,
}

impl Options {
    /// Who asks: on one machine everybody is the user who started Meadow.
    pub(crate) fn caller(&self) -> Caller {
        Caller::local(self.workspace.clone())
    }
}

impl Kept {
    /// The store's place.
    pub(crate) fn place(&self) -> Result<Place, Failure> {
        match &self.store {
            Some(place) => Ok(place.clone()),
            None => Ok(Place::Sqlite(self.data_folder()?.join("meadow.db"))),
        }
    }

    fn data_folder(&self) -> Result<PathBuf, Failure> {
        if let Some(folder) = &self.data {
            return Ok(folder.clone());
        }
        let platform = etcetera::base_strategy::choose_native_strategy().map_err(|error| {
            Failure::World(format!(
                "the data folder is not known ({error}); name one with --data DIR"
            ))
        })?;
        Ok(platform.data_dir().join("meadow"))
    }
}

/// An address on this machine, the only kind that may be listened on.
pub(crate) fn loopback(text: &str) -> Result<SocketAddr, String> {
    let numeric = text.replacen("localhost:", "127.0.0.1:", 1);
    let address: SocketAddr = numeric.parse().map_err(|_| {
        "use an address and a port, such as 127.0.0.1:8787, [::1]:8787, or 127.0.0.1:0 for a free port".to_owned()
    })?;
    if address.ip().is_loopback() {
        return Ok(address);
    }
    Err(
        "only this machine's own addresses can be listened on, such as 127.0.0.1:8787: whoever reaches Meadow may read and \
         write every model. Access by token (--auth token) comes with a later version; until then reach it through a tunnel, \
         such as ssh -L 8787:127.0.0.1:8787 HOST"
            .to_owned(),
    )
}

/// The threads that do the work.
pub(crate) fn runtime() -> Result<Runtime, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cores.min(WORKERS))
        .enable_all()
        .build()
        .map_err(|error| Failure::World(format!("no threads could be started: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, &str>) {
        match (loopback(text), expected) {
            (Ok(address), Ok(wanted)) => assert_eq!(address.to_string(), wanted),
            (Err(said), Err(part)) => assert!(said.contains(part), "{said}"),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn only_this_machine_is_listened_on() {
        check("127.0.0.1:8787", Ok("127.0.0.1:8787"));
        check("127.9.9.9:1", Ok("127.9.9.9:1"));
        check("localhost:0", Ok("127.0.0.1:0"));
        check("[::1]:80", Ok("[::1]:80"));
        for elsewhere in ["0.0.0.0:8787", "[::]:8787", "192.168.1.2:80", "[::ffff:10.0.0.1]:80"] {
            check(elsewhere, Err("--auth token"));
        }
        for no_address in ["8787", ":8787", "127.0.0.1", "example.org:80", "127.0.0.1:99999", ""] {
            check(no_address, Err("an address and a port"));
        }
    }
}
