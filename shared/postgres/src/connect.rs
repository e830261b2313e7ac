//! Connections, with an end to every wait.

use crate::config::Config;
use crate::failure;
use crate::tls;
use meadow_service::export::TargetError;
use std::future::Future;
use std::time::Duration;
use tokio_postgres::{Client, Error, NoTls};

/// How long TLS and the login may take beyond the connection itself.
const LOGIN: Duration = Duration::from_secs(15);

/// How long one answer may take: within [`meadow_service::export::STOP_BEFORE`], with time left to record the end.
const ANSWER: Duration = Duration::from_secs(40);

/// Connects and logs in.
pub(crate) async fn connect(config: &Config) -> Result<Client, TargetError> {
    let postgres = &config.postgres;
    let limit = postgres.get_connect_timeout().copied().unwrap_or_default() + LOGIN;
    let connected = match &config.tls {
        None => {
            let made = tokio::time::timeout(limit, postgres.connect(NoTls)).await;
            made.map(|made| made.map(|(client, connection)| (client, tokio::spawn(connection))))
        }
        Some(trust) => {
            let made = tokio::time::timeout(limit, postgres.connect(tls::connector(trust)?)).await;
            made.map(|made| made.map(|(client, connection)| (client, tokio::spawn(connection))))
        }
    };
    match connected {
        // The task ends with the client; how the connection ended is told by the client's next call.
        Ok(Ok((client, _))) => Ok(client),
        Ok(Err(error)) => Err(failure::of_connection(config, &error)),
        Err(_) => Err(failure::no_answer(config, limit)),
    }
}

/// The answer to a call, unless it takes too long.
pub(crate) async fn answer<T>(config: &Config, call: impl Future<Output = Result<T, Error>>) -> Result<T, TargetError> {
    match tokio::time::timeout(ANSWER, call).await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) => Err(failure::of_call(config, &error)),
        Err(_) => Err(failure::no_answer(config, ANSWER)),
    }
}
