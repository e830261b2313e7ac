//! The function of `/mcp`.

use meadow_functions::{routes, serve};
use std::process::ExitCode;

fn main() -> ExitCode {
    serve(routes::mcp)
}
