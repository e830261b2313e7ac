//! `meadow serve`: MCP and HTTP on one address of this machine.

use crate::connections;
use crate::failure::Failure;
use crate::logs;
use crate::options::{self, Options};
use crate::stop::Stop;
use crate::store;
use axum::Router;
use clap::Args;
use meadow_service::{Caller, Service};
use std::io::{self, Write};
use std::net::SocketAddr;
use std::process::ExitCode;
use tracing::info;
use tracing_subscriber::filter::LevelFilter;

/// Serve MCP at /mcp and models at /model on this machine
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Serve {
    /// Address of this machine and port; port 0 takes a free one, which stands on standard output
    #[arg(long, env = "MEADOW_LISTEN", value_name = "ADDR", default_value = "127.0.0.1:8787", value_parser = options::loopback, hide_env_values = true)]
    listen: SocketAddr,

    #[command(flatten)]
    reach: Reach,

    #[command(flatten)]
    options: Options,
}

/// Who may send requests, beside programs of this machine that use its own names.
#[derive(Debug, Args)]
pub(crate) struct Reach {
    /// A further Host that requests may name, such as the one that a tunnel or proxy uses; repeat for more
    #[arg(long, value_name = "HOST", value_parser = meadow_http::read_host)]
    allow_host: Vec<String>,

    /// A further Origin whose pages may send requests, such as `https://app.example.org`; repeat for more
    #[arg(long, value_name = "ORIGIN", value_parser = meadow_http::read_origin)]
    allow_origin: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  meadow serve
  meadow serve --listen 127.0.0.1:0 --store memory:
  meadow serve --store sqlite:models.db --workspace team-a
  claude mcp add --transport http meadow http://127.0.0.1:8787/mcp";

impl Serve {
    pub(crate) fn run(&self) -> Result<ExitCode, Failure> {
        logs::start(self.options.kept.log.as_ref(), LevelFilter::INFO);
        options::runtime()?.block_on(async {
            let stop = Stop::on_signals()?;
            let listener = connections::bind(self.listen).await?;
            let place = self.options.kept.place()?;
            let service = store::open(&place)?;
            let url = connections::url(&listener)?;
            announce(&url, &format!("{place}, workspace {}", self.options.caller().workspace));
            let router = self.reach.router(service, self.options.caller(), url);
            connections::serve(listener, router, stop).await;
            info!("ended");
            Ok(ExitCode::SUCCESS)
        })
    }
}

impl Reach {
    /// Everything that is served over HTTP at `url`.
    pub(crate) fn router(&self, service: Service, caller: Caller, url: String) -> Router {
        let mut config = meadow_http::Config {
            caller,
            ..meadow_http::Config::default()
        };
        config.hosts.extend_from_slice(&self.allow_host);
        config.origins.extend_from_slice(&self.allow_origin);
        let mcp = meadow_mcp::Config {
            base_url: Some(url),
            ..meadow_mcp::Config::default()
        };
        let routes = meadow_http::routes(service.clone()).merge(meadow_mcp::route(service, mcp));
        meadow_http::layers(routes, config)
    }
}

/// Says where and how to connect: to people on stderr, to programs as the one line of stdout.
fn announce(url: &str, store: &str) {
    // A closed stream keeps nobody from connecting.
    let _ = writeln!(io::stdout(), "{url}");
    let _ = writeln!(
        io::stderr(),
        "Meadow {} listens on {url}\n  \
         agents  {url}/mcp    such as: claude mcp add --transport http meadow {url}/mcp\n  \
         models  {url}/model\n  \
         store   {store}\n\
         Ctrl-C ends it.",
        env!("CARGO_PKG_VERSION")
    );
}
