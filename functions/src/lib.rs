//! What the AWS Lambda functions share. Each function is a short main under `bin`.
//!
//! # Layout, in reading order
//! - [`serve`]: from the environment to a function that answers; every HTTP function is one call of it.
//! - [`config`]: what the environment says, checked once.
//! - [`routes`]: what each function answers.
//! - [`gateway`]: events of API Gateway as requests to the same router that `meadow serve` has, and back.
//! - [`telemetry`]: JSON lines for CloudWatch.
//! - [`export`]: the scheduled function, which has no HTTP.
//!
//! This crate knows Lambda and API Gateway; it holds no use case and no handler.

pub mod config;
pub mod export;
pub mod gateway;
pub mod routes;
pub mod telemetry;

pub use config::{BadConfig, Config};

use axum::Router;
use lambda_http::lambda_runtime;
use meadow_http::Access;
use meadow_service::{Cache, Clock, ModelStore, Service, Slots, SystemClock, TokenStore, Tokens};
use std::process::ExitCode;
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};
use tracing::error;

/// Runs one function of the HTTP API until Lambda ends it.
///
/// Without a sound environment it does not start: it says why in the log, and exits with 1.
pub fn serve(routes: Routes) -> ExitCode {
    start(Config::read, async |config| {
        let store = Arc::new(config::store(&config.place, &config.aws));
        let stores = Stores {
            models: store.clone(),
            tokens: store.clone(),
            cache: store.clone(),
            slots: store,
        };
        let router = router(routes, &config, stores, Arc::new(SystemClock))?;
        lambda_http::run(gateway::Gateway::new(router)).await
    })
}

/// What a function answers, made of the use cases; or which setting keeps it from that.
pub type Routes = fn(Service, &Config) -> Result<Router, BadConfig>;

/// Where a function keeps things.
#[derive(Debug, Clone)]
pub struct Stores {
    /// Models.
    pub models: Arc<dyn ModelStore>,
    /// Access tokens.
    pub tokens: Arc<dyn TokenStore>,
    /// What may be forgotten.
    pub cache: Arc<dyn Cache>,
    /// Turns at asking others.
    pub slots: Arc<dyn Slots>,
}

/// The routes of one function over its stores, in the same layers as on one machine.
///
/// # Errors
/// A setting that only these routes need, and that is wrong.
pub fn router(routes: Routes, config: &Config, stores: Stores, clock: Arc<dyn Clock>) -> Result<Router, BadConfig> {
    let access = Access::Tokens(Arc::new(Tokens::new(stores.tokens, Arc::clone(&clock))));
    let service = Service::new(stores.models, clock).with_literature(Vec::new(), stores.cache, stores.slots);
    Ok(meadow_http::layers(routes(service, config)?, config.http(access)))
}

/// Reads the environment, begins to log and runs `work` until it ends or Lambda asks it to.
fn start<C>(
    read: impl FnOnce(&dyn Fn(&str) -> Option<String>) -> Result<C, BadConfig>,
    work: impl AsyncFnOnce(C) -> Result<(), lambda_runtime::Error>,
) -> ExitCode
where
    C: telemetry::Logged,
{
    let config = match read(&|name| std::env::var(name).ok()) {
        Ok(config) => config,
        Err(bad) => {
            telemetry::start(telemetry::DEFAULT);
            error!(reason = %bad, "the function does not start");
            return ExitCode::FAILURE;
        }
    };
    telemetry::start(config.log());
    match runtime().map(|runtime| runtime.block_on(until_asked(work(config)))) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(reason)) => {
            error!(%reason, "the function ends");
            ExitCode::FAILURE
        }
        Err(reason) => {
            error!(%reason, "the function does not start");
            ExitCode::FAILURE
        }
    }
}

/// One thread: Lambda sends one event at a time, and threads cost time at the start. What computes for long has
/// threads of its own.
fn runtime() -> std::io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// Runs `work` until it ends or the process is asked to.
async fn until_asked(
    work: impl Future<Output = Result<(), lambda_runtime::Error>>,
) -> Result<(), lambda_runtime::Error> {
    let mut asked = signal(SignalKind::terminate())?;
    tokio::select! {
        done = work => done,
        _ = asked.recv() => Ok(()),
    }
}
