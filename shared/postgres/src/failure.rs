//! What went wrong, in words that name the repair. Details of the server, which may quote a document, and passwords
//! are never shown.

use crate::config::Config;
use meadow_service::export::TargetError;
use std::error::Error as _;
use std::io;
use std::time::Duration;
use tokio_postgres::Error;
use tokio_postgres::error::{DbError, SqlState};

/// Why there is no connection.
pub(crate) fn of_connection(config: &Config, error: &Error) -> TargetError {
    if let Some(refusal) = error.as_db_error() {
        return refused(config, refusal);
    }
    let why = innermost(error);
    if let Some(rustls::Error::InvalidCertificate(_)) = certificate(error) {
        return TargetError::Failed(format!(
            "the certificate of PostgreSQL at {config} does not verify: {why}; name the authority that issued it with sslrootcert=FILE in the URL or MEADOW_POSTGRES_CA, and the host as the certificate does"
        ));
    }
    if why.contains("does not support TLS") {
        return TargetError::Failed(format!(
            "PostgreSQL at {config} offers no encryption, and nothing is sent in the clear; turn ssl on in the server, or reach it through a tunnel"
        ));
    }
    if why.contains("password missing") {
        return TargetError::Failed(format!(
            "PostgreSQL at {config} asks for a password of user {}; give it in the URL or in PGPASSWORD",
            config.user()
        ));
    }
    TargetError::Unavailable(format!(
        "PostgreSQL at {config} cannot be reached: {why}; does it run there, and do firewalls let this machine through?"
    ))
}

/// Why a call failed.
pub(crate) fn of_call(config: &Config, error: &Error) -> TargetError {
    match error.as_db_error() {
        Some(refusal) => refused(config, refusal),
        None => TargetError::Unavailable(format!(
            "the connection to PostgreSQL at {config} broke: {}; a next run goes on where this one got to",
            innermost(error)
        )),
    }
}

/// Nothing came in time.
pub(crate) fn no_answer(config: &Config, limit: Duration) -> TargetError {
    TargetError::Unavailable(format!(
        "PostgreSQL at {config} did not answer within {} s; is it busy, or does somebody hold a lock on meadow.models?",
        limit.as_secs()
    ))
}

/// What the server refused.
fn refused(config: &Config, refusal: &DbError) -> TargetError {
    let code = refusal.code();
    let said = refusal.message();
    let class = code.code().get(..2).unwrap_or_default();
    let user = config.user();
    let failed =
        |repair: &str| TargetError::Failed(format!("PostgreSQL at {config}: {said} ({}); {repair}", code.code()));
    match (code, class) {
        (code, _) if *code == SqlState::INSUFFICIENT_PRIVILEGE => failed(&format!(
            "an operator makes the tables with what meadow export --print-schema prints, and grants {user:?} usage on schema meadow and select, insert, update on its tables"
        )),
        (code, _) if *code == SqlState::INVALID_CATALOG_NAME => {
            failed("create the database, or name another in the URL")
        }
        (code, _) if *code == SqlState::READ_ONLY_SQL_TRANSACTION => {
            failed("name the primary server instead of a replica")
        }
        (code, _) if *code == SqlState::UNDEFINED_COLUMN || *code == SqlState::UNDEFINED_TABLE => failed(
            "its tables are not those that meadow export --print-schema prints; compare them, or rename the old ones",
        ),
        (_, "28") => failed(&format!(
            "is {user:?} the right user, and its password (in the URL or PGPASSWORD)?"
        )),
        // Connections, resources, an operator's shutdown, conflicts between transactions: may pass by themselves.
        (_, "08" | "40" | "53" | "55" | "57") => TargetError::Unavailable(format!(
            "PostgreSQL at {config}: {said} ({}); try again, a next run goes on where this one got to",
            code.code()
        )),
        _ => failed("see the server's log"),
    }
}

/// The words of the innermost cause.
fn innermost(error: &Error) -> String {
    let mut words = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        words = cause.to_string();
        next = cause.source();
    }
    words
}

/// The fault of a certificate, where that is the cause.
fn certificate(error: &Error) -> Option<&rustls::Error> {
    let mut next = error.source();
    while let Some(cause) = next {
        let within = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        let found = within.and_then(|inner| inner.downcast_ref());
        if let Some(found) = found.or_else(|| cause.downcast_ref()) {
            return Some(found);
        }
        next = cause.source();
    }
    None
}
