//! The function of every route but `/mcp`.

use meadow_functions::{routes, serve};
use std::process::ExitCode;

fn main() -> ExitCode {
    serve(routes::model)
}
