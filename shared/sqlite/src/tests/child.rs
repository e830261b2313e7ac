//! Tests that need processes of their own: such a test starts this binary again with its own name, and a variable that
//! tells it to be the child.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const FILE: &str = "MEADOW_TEST_CHILD_FILE";
const ROLE: &str = "MEADOW_TEST_CHILD_ROLE";

/// In a child, what it is to do with which file.
pub(super) fn role() -> Option<(String, PathBuf)> {
    Some((env::var(ROLE).ok()?, env::var_os(FILE)?.into()))
}

/// The command line that runs the test `name` of `module` (its `module_path!()`) again as a child.
pub(super) fn command(module: &str, name: &str, role: &str, file: &Path) -> Command {
    behind(&[], module, name, role, file)
}

/// The same, run by another program such as `strace`.
pub(super) fn behind(program: &[&str], module: &str, name: &str, role: &str, file: &Path) -> Command {
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
    command.env(ROLE, role).env(FILE, file);
    command
}

/// Runs a command to its good end; gives what it printed. `package` is Debian's, which has the program.
#[track_caller]
pub(super) fn run(mut command: Command, package: &str) -> String {
    let output = command.output().unwrap_or_else(|error| {
        panic!(
            "{} cannot be run: {error}; install it: apt-get install {package}",
            command.get_program().display()
        )
    });
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{command:?} failed with {}:\n{printed}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    printed
}

/// Runs a child to its good end.
#[track_caller]
pub(super) fn run_child(command: Command, package: &str) {
    let printed = run(command, package);
    assert!(
        printed.contains("1 passed"),
        "the child ran another test, or none:\n{printed}"
    );
}

/// A runtime for what a child does, since a test that is parent or child is no async function.
pub(super) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(4)
        .enable_all()
        .build()
        .unwrap()
}
