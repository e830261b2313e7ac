//! The scheduled function that copies models into PostgreSQL.

use std::process::ExitCode;

fn main() -> ExitCode {
    meadow_functions::export::serve()
}
