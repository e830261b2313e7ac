//! Tests that need a process of their own: such a test starts this binary again with its own name, and a variable that
//! tells it to be the child.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const FOLDER: &str = "MEADOW_TEST_CHILD_FOLDER";

/// In a child, the folder it is to work in.
pub(super) fn folder() -> Option<PathBuf> {
    env::var_os(FOLDER).map(PathBuf::from)
}

/// The command line that runs the test `name` of `module` again as a child, behind a program where one is named.
pub(super) fn command(program: &[&str], module: &str, name: &str, folder: &Path) -> Command {
    let (_crate, module) = module.split_once("::").unwrap();
    let this = env::current_exe().unwrap();
    let mut command = match program {
        [] => Command::new(&this),
        [program, args @ ..] => {
            let mut command = Command::new(program);
            command.args(args).arg(&this);
            command
        }
    };
    command.args(["--exact", &format!("{module}::{name}"), "--nocapture"]);
    command.env(FOLDER, folder);
    command
}

/// A runtime for what a child does.
pub(super) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(4)
        .enable_all()
        .build()
        .unwrap()
}
