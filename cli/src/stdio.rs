//! `meadow stdio`: MCP on standard input and output, for clients that start their servers.
//!
//! Standard output carries JSON-RPC only: everything else goes to stderr.

use crate::access::Reach;
use crate::connections;
use crate::debugger;
use crate::failure::Failure;
use crate::logs;
use crate::options::{self, Options};
use crate::serve;
use crate::stop::{LAST_WORDS, Stop};
use crate::store::Stores;
use clap::Args;
use meadow_service::Service;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::process::ExitCode;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::task::JoinHandle;
use tracing::{info, warn};
use tracing_subscriber::filter::LevelFilter;

/// Serve MCP on standard input and output
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Stdio {
    /// Serve HTTP beside it, so that models can be looked at; a taken port is only a warning. The options below say who
    /// may reach that; standard input is whoever started the process
    #[arg(long, value_name = "ADDR", value_parser = options::address)]
    listen: Option<SocketAddr>,

    /// Read nothing before a debugger is attached (Linux); the process id goes to stderr
    #[arg(long)]
    wait_for_debugger: bool,

    #[command(flatten)]
    reach: Reach,

    #[command(flatten)]
    options: Options,
}

const EXAMPLES: &str = "\
Examples:
  claude mcp add meadow -- meadow stdio
  meadow stdio --listen 127.0.0.1:8787
  meadow stdio --log meadow_mcp=debug 2>meadow.log";

impl Stdio {
    pub(crate) fn run(&self) -> Result<ExitCode, Failure> {
        logs::start(self.options.kept.log.as_ref(), LevelFilter::WARN);
        let runtime = options::runtime()?;
        let done = runtime.block_on(self.serve());
        // A thread may be waiting for standard input, which nobody can interrupt.
        runtime.shutdown_background();
        done
    }

    async fn serve(&self) -> Result<ExitCode, Failure> {
        if self.wait_for_debugger {
            debugger::wait().await?;
        }
        let stop = Stop::on_signals()?;
        let place = self.options.kept.place()?;
        if let Some(address) = self.listen {
            self.reach.check(address, &place)?;
        }
        let stores = Stores::open(&place).await?;
        let service = self.options.service(&stores)?;
        let http = self.serve_http(&stores, &service, &stop).await;
        let url = http.as_ref().map(|http| http.url.clone());
        let served = self.serve_lines(service, url, &stop).await;
        stop.now();
        if let Some(http) = http {
            let ended = http.serving.await;
            ended.map_err(|error| Failure::World(format!("HTTP ended badly: {error}")))?;
        }
        served.map_err(|error| Failure::World(format!("standard input or output broke: {error}")))?;
        Ok(ExitCode::SUCCESS)
    }

    /// JSON-RPC until standard input ends or the process is asked to end; calls that run may finish, and those that do
    /// not are answered.
    async fn serve_lines(&self, service: Service, url: Option<String>, stop: &Stop) -> io::Result<()> {
        let input = UntilAsked::new(tokio::io::stdin(), stop.clone());
        let config = meadow_mcp::Config {
            base_url: url,
            ending: Some(stop.giving_up()),
            ..meadow_mcp::Config::default()
        };
        let served = meadow_mcp::stdio::serve(service, self.options.caller(), input, tokio::io::stdout(), config);
        tokio::select! {
            served = served => served,
            () = async {
                stop.overdue().await;
                tokio::time::sleep(LAST_WORDS).await;
            } => Ok(()),
        }
    }

    async fn serve_http(&self, stores: &Stores, service: &Service, stop: &Stop) -> Option<Http> {
        let listened = async |address| {
            let listener = connections::bind(address).await?;
            Ok::<_, Failure>((connections::url(&listener)?, listener))
        };
        match listened(self.listen?).await {
            Ok((url, listener)) => {
                info!(url, "listening");
                let config = self.reach.config(stores, &self.options);
                let router = serve::router(service.clone(), config, Some(url.clone()), stop);
                let serving = tokio::spawn(connections::serve(listener, router, stop.clone()));
                Some(Http { url, serving })
            }
            Err(failure) => {
                warn!("no HTTP beside stdio: {failure}");
                None
            }
        }
    }
}

/// The HTTP server beside stdio.
struct Http {
    url: String,
    serving: JoinHandle<()>,
}

/// A reader that ends when the process is asked to.
struct UntilAsked<R> {
    reader: R,
    asked: Pin<Box<dyn Future<Output = ()> + Send>>,
}

impl<R> UntilAsked<R> {
    fn new(reader: R, stop: Stop) -> Self {
        Self {
            reader,
            asked: Box::pin(async move { stop.asked().await }),
        }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for UntilAsked<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.asked.as_mut().poll(context).is_ready() {
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.reader).poll_read(context, buffer)
    }
}
