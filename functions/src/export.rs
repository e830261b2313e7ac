//! The scheduled function: copies what changed since the last run into PostgreSQL, then takes away what crashed writers
//! left in the table. The schedule's event says nothing; a run that fails is an error of the function, which its
//! destination and its alarm hear of.

use crate::config::{self, Aws, BadConfig};
use crate::telemetry::{self, Logged};
use aws_sdk_secretsmanager::config::BehaviorVersion;
use lambda_http::lambda_runtime::{self, Diagnostic, LambdaEvent, service_fn};
use meadow_dynamodb::{DynamoStore, Place};
use meadow_postgres::PostgresTarget;
use meadow_service::export::{ExportError, ExportOptions, ExportRun, STOP_BEFORE, export};
use meadow_service::{Clock, StoreError, SystemClock, Timestamp};
use serde::Serialize;
use serde::de::IgnoredAny;
use std::path::PathBuf;
use std::process::ExitCode;
use tracing::info;
use tracing_subscriber::filter::LevelFilter;

/// What the function is told.
#[derive(Debug, Clone)]
pub struct Config {
    /// How AWS is reached.
    pub aws: Aws,
    /// `AWS_ENDPOINT_URL`: other services than those of the region, for tests.
    pub endpoint: Option<String>,
    /// Where models are kept.
    pub place: Place,
    /// `MEADOW_POSTGRES_SECRET`: the secret of AWS Secrets Manager that holds user and password, and where the database
    /// is unless `url` says so.
    pub secret: Option<String>,
    /// `MEADOW_POSTGRES`: where the database is.
    pub url: Option<String>,
    /// `MEADOW_POSTGRES_CA`: the certificate authorities that its certificate is held against.
    pub authorities: Option<PathBuf>,
    /// `MEADOW_LOG`: what is logged.
    pub log: LevelFilter,
}

impl Config {
    /// Reads the environment, of which `variable` gives one.
    ///
    /// # Errors
    /// The first setting that is missing or wrong, with its repair.
    pub fn read(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, BadConfig> {
        config::started_by_lambda(variable)?;
        let secret = config::given(variable, "MEADOW_POSTGRES_SECRET");
        let url = config::given(variable, "MEADOW_POSTGRES");
        if secret.is_none() && url.is_none() {
            return Err(BadConfig::new(
                "MEADOW_POSTGRES_SECRET",
                "is not set, nor is MEADOW_POSTGRES",
                "give the ARN of the secret that names the database, or its URL",
            ));
        }
        Ok(Self {
            aws: Aws::read(variable)?,
            endpoint: config::given(variable, "AWS_ENDPOINT_URL"),
            place: config::place(variable)?,
            secret,
            url,
            authorities: config::given(variable, "MEADOW_POSTGRES_CA").map(PathBuf::from),
            log: telemetry::read(variable)?,
        })
    }
}

impl Logged for Config {
    fn log(&self) -> LevelFilter {
        self.log
    }
}

/// Why a run failed, as Lambda reports it.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The store or the database failed, or the time was too short.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The models were copied, but what crashed writers left could not be taken away.
    #[error("the models were exported, but the table could not be swept: {0}")]
    Sweep(#[from] StoreError),
    /// The secret cannot be had.
    #[error("the secret {name} cannot be read: {reason}; check MEADOW_POSTGRES_SECRET and the function's role")]
    Secret {
        /// Which secret.
        name: String,
        /// What Secrets Manager says.
        reason: String,
    },
    /// The secret or the URL names no database.
    #[error(transparent)]
    Database(#[from] meadow_postgres::BadConfig),
}

impl From<Failure> for Diagnostic {
    fn from(failure: Failure) -> Self {
        let error_type = match failure {
            Failure::Export(ExportError::NoProgress) => "NoProgress",
            Failure::Export(ExportError::Store(_)) => "StoreFailed",
            Failure::Export(ExportError::Target(_)) => "DatabaseFailed",
            Failure::Sweep(_) => "SweepFailed",
            Failure::Secret { .. } => "SecretUnavailable",
            Failure::Database(_) => "DatabaseNotNamed",
        };
        Self {
            error_type: error_type.to_owned(),
            error_message: failure.to_string(),
        }
    }
}

/// What a run did, as whoever started it by hand is told.
#[derive(Debug, Serialize)]
struct Done {
    walked: u64,
    written: u64,
    deleted: u64,
    present: u64,
    /// False where the deadline came first; the next run goes on.
    finished: bool,
    without_document: u64,
    ahead: u64,
    unreadable: u64,
    swept: u64,
}

/// Runs the function until Lambda ends it.
pub fn serve() -> ExitCode {
    crate::start(Config::read, async |config| {
        let store = config::store(&config.place, &config.aws);
        let (config, store) = (&config, &store);
        lambda_runtime::run(service_fn(async move |event: LambdaEvent<IgnoredAny>| {
            run(config, store, Timestamp(event.context.deadline)).await
        }))
        .await
    })
}

/// One run, which ends in time before `deadline`.
async fn run(config: &Config, store: &DynamoStore, deadline: Timestamp) -> Result<Done, Failure> {
    // Read anew each night: passwords are rotated.
    let target = PostgresTarget::new(database(config).await?);
    let options = ExportOptions {
        deadline: Some(deadline),
        all: false,
    };
    let mut progress = |run: &ExportRun| info!(walked = run.walked, written = run.written, "export goes on");
    let run = export(store, &target, &SystemClock, &options, &mut progress).await?;
    for (what, named) in [
        ("without document", &run.without_document),
        ("ahead", &run.ahead),
        ("unreadable", &run.unreadable),
    ] {
        if named.count > 0 {
            tracing::warn!(what, count = named.count, models = ?named.first, "not everything could be copied as it stands");
        }
    }
    let swept = sweep(store, deadline).await?;
    let done = Done {
        walked: run.walked,
        written: run.written,
        deleted: run.tombstones,
        present: run.present,
        finished: run.finished,
        without_document: run.without_document.count,
        ahead: run.ahead.count,
        unreadable: run.unreadable.count,
        swept,
    };
    info!(?done, "export ended");
    Ok(done)
}

/// Takes away what crashed writers left in the table, as far as the time allows; how many items that were.
async fn sweep(store: &DynamoStore, deadline: Timestamp) -> Result<u64, StoreError> {
    let before = u64::try_from(STOP_BEFORE.as_millis()).unwrap_or(u64::MAX);
    let stop = Timestamp(deadline.0.saturating_sub(before));
    let swept = store.sweep(SystemClock.now(), || SystemClock.now() >= stop).await?;
    Ok(swept.removed)
}

/// Where the database is, with its password.
async fn database(config: &Config) -> Result<meadow_postgres::Config, Failure> {
    let authorities = config.authorities.as_deref();
    let Some(name) = &config.secret else {
        let url = config.url.as_deref().unwrap_or_default();
        return Ok(meadow_postgres::Config::from_url(url, authorities)?);
    };
    let secret = secret(config, name).await.map_err(|reason| Failure::Secret {
        name: name.clone(),
        reason,
    })?;
    Ok(meadow_postgres::Config::from_secret_json(
        &secret,
        config.url.as_deref(),
        authorities,
    )?)
}

/// The text of a secret.
async fn secret(config: &Config, name: &str) -> Result<String, String> {
    let mut client = aws_sdk_secretsmanager::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(config.aws.region.clone())
        .credentials_provider(config.aws.credentials.clone());
    client.set_endpoint_url(config.endpoint.clone());
    let client = aws_sdk_secretsmanager::Client::from_conf(client.build());
    let answer = client.get_secret_value().secret_id(name).send().await;
    let answer = answer.map_err(|error| {
        let said = error.as_service_error().map(ToString::to_string);
        said.unwrap_or_else(|| aws_sdk_secretsmanager::error::DisplayErrorContext(&error).to_string())
    })?;
    answer
        .secret_string
        .ok_or_else(|| "it is binary; make one of JSON text".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_database_is_named_by_a_secret_or_a_url() {
        let read = |given: &[(&str, &str)]| {
            let lambda = [
                "RUNTIME_API",
                "FUNCTION_NAME",
                "FUNCTION_VERSION",
                "FUNCTION_MEMORY_SIZE",
            ];
            Config::read(&|name| match name.strip_prefix("AWS_LAMBDA_") {
                Some(rest) => lambda.contains(&rest).then(|| "1".to_owned()),
                None if name.starts_with("AWS_") => (name != "AWS_ENDPOINT_URL").then(|| "x".to_owned()),
                None => given
                    .iter()
                    .find(|(given, _)| *given == name)
                    .map(|(_, value)| (*value).to_owned()),
            })
        };
        let table = ("MEADOW_TABLE", "meadow");
        let url = read(&[table, ("MEADOW_POSTGRES", "postgres://db.example/models")]).expect("sound");
        assert_eq!(
            (url.secret, url.url.as_deref()),
            (None, Some("postgres://db.example/models"))
        );
        let secret = read(&[
            table,
            ("MEADOW_POSTGRES_SECRET", "arn:x"),
            ("MEADOW_POSTGRES_CA", "/opt/ca.pem"),
        ])
        .expect("sound");
        assert_eq!(
            (secret.secret.as_deref(), secret.authorities),
            (Some("arn:x"), Some(PathBuf::from("/opt/ca.pem")))
        );
        let none = read(&[table]).expect_err("no database").to_string();
        assert!(
            none.contains("MEADOW_POSTGRES_SECRET") && none.contains("or its URL"),
            "{none}"
        );
        let no_table = read(&[("MEADOW_POSTGRES", "postgres://db.example/models")])
            .expect_err("no table")
            .to_string();
        assert!(no_table.contains("MEADOW_TABLE"), "{no_table}");
    }

    #[test]
    fn a_failure_has_a_type_and_no_password() {
        let bad =
            meadow_postgres::Config::from_secret_json("{\"password\": \"hunter2\"}", None, None).expect_err("no user");
        let diagnostic = Diagnostic::from(Failure::from(bad));
        assert_eq!(diagnostic.error_type, "DatabaseNotNamed");
        assert!(!diagnostic.error_message.contains("hunter2"), "{diagnostic:?}");
        assert_eq!(
            Diagnostic::from(Failure::from(ExportError::NoProgress)).error_type,
            "NoProgress"
        );
        let secret = Failure::Secret {
            name: "arn:x".to_owned(),
            reason: "denied".to_owned(),
        };
        assert_eq!(Diagnostic::from(secret).error_type, "SecretUnavailable");
    }
}
