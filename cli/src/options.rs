//! Options that several commands take. Each has an environment variable.

use crate::failure::Failure;
use crate::logs;
use crate::store::{Place, Stores};
use clap::Args;
use etcetera::BaseStrategy;
use meadow_service::{Caller, Service, Workspace};
use meadow_vault::Vault;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::runtime::Runtime;
use tracing_subscriber::filter::Targets;

/// Worker threads, at most: a write is a few milliseconds of CPU, and each thread keeps memory of its own.
const WORKERS: usize = 4;

/// Where models are kept, and what is logged: for every command that opens a store.
#[derive(Debug, Args)]
pub(crate) struct Kept {
    /// Where models are kept: sqlite:PATH, memory:, or dynamodb:TABLE[?endpoint=URL] [default: sqlite:meadow.db in the data folder]
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

/// For a command that is about one workspace.
#[derive(Debug, Args)]
pub(crate) struct Whose {
    /// Whose models: workspaces see nothing of each other
    #[arg(long, env = "MEADOW_WORKSPACE", value_name = "NAME", default_value_t, value_parser = Workspace::new, hide_env_values = true)]
    pub(crate) workspace: Workspace,
}

impl Whose {
    /// Who asks: on one machine everybody is the user who started Meadow.
    pub(crate) fn caller(&self) -> Caller {
        Caller::local(self.workspace.clone())
    }
}

/// All of it, and the notes, for a command that serves one workspace.
#[derive(Debug, Args)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) kept: Kept,

    #[command(flatten)]
    whose: Whose,

    /// The folder with the notes, such as an Obsidian vault [default: notes in the data folder, made at the first save]
    #[arg(long, env = "MEADOW_VAULT", value_name = "DIR", hide_env_values = true)]
    vault: Option<PathBuf>,
}

impl Options {
    /// Who asks.
    pub(crate) fn caller(&self) -> Caller {
        self.whose.caller()
    }

    /// The folder with the notes. What is kept in memory has none unless one is named, so that a trial leaves nothing
    /// behind.
    pub(crate) fn vault(&self) -> Result<Option<Vault>, Failure> {
        let folder = match &self.vault {
            Some(folder) => folder.clone(),
            None if self.kept.data.is_none() && !self.kept.place()?.lasts() => return Ok(None),
            None => self.kept.data_folder()?.join("notes"),
        };
        Ok(Some(Vault::new(&folder, self.whose.workspace.clone())))
    }

    /// The use cases over what is kept there, with the notes.
    pub(crate) fn service(&self, stores: &Stores) -> Result<Service, Failure> {
        let service = stores.service()?;
        Ok(match self.vault()? {
            Some(vault) => service.with_notes(Arc::new(vault)),
            None => service,
        })
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

/// An address to listen on.
pub(crate) fn address(text: &str) -> Result<SocketAddr, String> {
    let numeric = text.replacen("localhost:", "127.0.0.1:", 1);
    numeric.parse().map_err(|_| {
        "use an address and a port, such as 127.0.0.1:8787, [::1]:8787, or 127.0.0.1:0 for a free port".to_owned()
    })
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
    fn check(text: &str, expected: Option<&str>) {
        let read = address(text).map(|address| address.to_string());
        match expected {
            Some(wanted) => assert_eq!(read.as_deref(), Ok(wanted)),
            None => assert!(read.is_err_and(|said| said.contains("an address and a port")), "{text}"),
        }
    }

    #[test]
    fn addresses_are_numbers_with_a_port() {
        check("127.0.0.1:8787", Some("127.0.0.1:8787"));
        check("localhost:0", Some("127.0.0.1:0"));
        check("[::1]:80", Some("[::1]:80"));
        check("0.0.0.0:8787", Some("0.0.0.0:8787"));
        for no_address in ["8787", ":8787", "127.0.0.1", "example.org:80", "127.0.0.1:99999", ""] {
            check(no_address, None);
        }
    }
}
