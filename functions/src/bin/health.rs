//! The function of `/healthz`: what watches the API neither waits for nor wakes those at work.

use meadow_functions::{routes, serve};
use std::process::ExitCode;

fn main() -> ExitCode {
    serve(routes::health)
}
