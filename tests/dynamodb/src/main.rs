//! A DynamoDB server for tests: in memory, on a free port of 127.0.0.1.
//!
//! Prints its URL as the one line of standard output and ends when standard input does, so that it never outlives the
//! script that started it.

use dynoxide::Database;
use dynoxide::server::serve_with_shutdown;
use std::error::Error;
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    let input_ended = async {
        let mut ignored = Vec::new();
        let _ = tokio::io::stdin().read_to_end(&mut ignored).await;
    };
    serve_with_shutdown(listener, Database::memory()?, input_ended).await?;
    Ok(())
}
