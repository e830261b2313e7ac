//! What `export` and `import` share: the database, and news on long work.

use crate::failure::Failure;
use clap::Args;
use meadow_postgres::{BadConfig, Config, PostgresTarget};
use meadow_service::export::{Named, TargetError};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Certificates, which the database's URL may name too.
#[derive(Debug, Args)]
pub(crate) struct Authorities {
    /// A PEM file of the certificate authorities that are trusted [default: the platform's], as sslrootcert in the URL
    #[arg(long, env = "MEADOW_POSTGRES_CA", value_name = "FILE", hide_env_values = true)]
    postgres_ca: Option<PathBuf>,
}

impl Authorities {
    /// The database at `url`; the password may come from `PGPASSWORD`.
    pub(crate) fn database(&self, url: &str) -> Result<PostgresTarget, Failure> {
        let config = Config::from_url(url, self.postgres_ca.as_deref());
        let mut config = config.map_err(|error: BadConfig| Failure::Usage(error.to_string()))?;
        if let Ok(password) = std::env::var("PGPASSWORD") {
            config = config.or_password(&password);
        }
        Ok(PostgresTarget::new(config))
    }
}

impl From<TargetError> for Failure {
    fn from(error: TargetError) -> Self {
        Self::World(error.to_string())
    }
}

/// Lines on stderr while there is work: one a second, or one for each thousand models.
#[derive(Debug)]
pub(crate) struct Progress {
    told: Instant,
    models: u64,
}

impl Progress {
    const EACH: (Duration, u64) = (Duration::from_secs(1), 1_000);

    pub(crate) fn new() -> Self {
        Self {
            told: Instant::now(),
            models: 0,
        }
    }

    /// Tells where the work stands, when it is time to.
    pub(crate) fn tell(&mut self, models: u64, done: &str) {
        if models - self.models >= Self::EACH.1 || self.told.elapsed() >= Self::EACH.0 {
            *self = Self {
                told: Instant::now(),
                models,
            };
            // Nobody is left to tell when stderr is closed.
            let _ = writeln!(io::stderr(), "meadow: {models} models, {done}");
        }
    }
}

/// What is named of many, and how many more there are.
pub(crate) fn lines(named: &Named) -> impl Iterator<Item = String> {
    let more = named.count - named.first.len() as u64;
    let more = (more > 0).then(|| format!("... and {more} more"));
    named.first.iter().cloned().chain(more)
}
