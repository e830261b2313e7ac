//! Serves what the official conformance suite asks a server for by name, through the product's own endpoint and layers.
//!
//! Where Lambda's runtime API is named in the environment it is a function, configured as those under `src/bin`; else it
//! listens on a free port of this machine, prints its URL, and ends with its standard input.

mod answers;
mod handler;
mod inquiries;

use handler::Fixtures;
use std::io::{self, Write};
use std::process::ExitCode;
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

fn main() -> ExitCode {
    if std::env::var_os("AWS_LAMBDA_RUNTIME_API").is_some() {
        return meadow_functions::serve(|_, _| Ok(meadow_mcp::around(Fixtures)));
    }
    match local() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody is left to tell where this fails.
            let _ = writeln!(io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn local() -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        writeln!(io::stdout(), "http://{}", listener.local_addr()?)?;
        let router = meadow_http::layers(meadow_mcp::around(Fixtures), meadow_http::Config::default());
        tokio::select! {
            served = axum::serve(listener, router).into_future() => served,
            ended = until_end() => ended,
        }
    })
}

async fn until_end() -> io::Result<()> {
    tokio::io::stdin().read_to_end(&mut Vec::new()).await.map(drop)
}
