//! `meadow serve`: MCP and HTTP on one address of this machine.

use crate::access::Reach;
use crate::connections;
use crate::failure::Failure;
use crate::logs;
use crate::options::{self, Options};
use crate::stop::Stop;
use crate::store::Stores;
use axum::Router;
use clap::Args;
use meadow_service::Service;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::process::ExitCode;
use tracing::info;
use tracing_subscriber::filter::LevelFilter;

/// Serve MCP at /mcp and models at /model
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Serve {
    /// Address of this machine and port, another machine's to reach with --auth token only; port 0 takes a free one, which stands on standard output
    #[arg(long, env = "MEADOW_LISTEN", value_name = "ADDR", default_value = "127.0.0.1:8787", value_parser = options::address, hide_env_values = true)]
    listen: SocketAddr,

    #[command(flatten)]
    reach: Reach,

    #[command(flatten)]
    options: Options,
}

const EXAMPLES: &str = "\
Examples:
  meadow serve
  meadow serve --listen 127.0.0.1:0 --store memory:
  meadow serve --store sqlite:models.db --workspace team-a
  meadow serve --auth token --listen 0.0.0.0:8787 --allow-host models.example.org
  claude mcp add --transport http meadow http://127.0.0.1:8787/mcp";

impl Serve {
    pub(crate) fn run(&self) -> Result<ExitCode, Failure> {
        logs::start(self.options.kept.log.as_ref(), LevelFilter::INFO);
        let place = self.options.kept.place()?;
        self.reach.check(self.listen, &place)?;
        options::runtime()?.block_on(async {
            let stop = Stop::on_signals()?;
            let listener = connections::bind(self.listen).await?;
            let stores = Stores::open(&place).await?;
            let url = connections::url(&listener)?;
            announce(
                &url,
                self.reach.by_token(),
                &format!("{place}, {}", self.reach.described(&self.options)),
            );
            // All addresses are none that a client could go to.
            let url = (!self.listen.ip().is_unspecified()).then_some(url);
            let router = router(
                self.options.service(&stores)?,
                self.reach.config(&stores, &self.options),
                url,
                &stop,
            );
            connections::serve(listener, router, stop).await;
            info!("ended");
            Ok(ExitCode::SUCCESS)
        })
    }
}

/// Everything that is served over HTTP; at `url`, where that can be told.
pub(crate) fn router(service: Service, config: meadow_http::Config, url: Option<String>, stop: &Stop) -> Router {
    let mcp = meadow_mcp::Config {
        base_url: url,
        ending: Some(stop.giving_up()),
        ..meadow_mcp::Config::default()
    };
    let routes = meadow_http::routes(service.clone()).merge(meadow_mcp::route(service, mcp));
    meadow_http::layers(routes, config)
}

/// Says where and how to connect: to people on stderr, to programs as the one line of stdout.
fn announce(url: &str, by_token: bool, store: &str) {
    let header = if by_token {
        " --header \"Authorization: Bearer TOKEN\""
    } else {
        ""
    };
    // A closed stream keeps nobody from connecting.
    let _ = writeln!(io::stdout(), "{url}");
    let _ = writeln!(
        io::stderr(),
        "Meadow {} listens on {url}\n  \
         agents  {url}/mcp    such as: claude mcp add --transport http meadow {url}/mcp{header}\n  \
         models  {url}/model\n  \
         store   {store}\n\
         Ctrl-C ends it.",
        env!("CARGO_PKG_VERSION")
    );
}
