//! How the table looks, and how it is reached.

use crate::DynamoStore;
use crate::failure::Doing;
use crate::keys::{INDEX, PK, SHARD, SK, SORT};
use aws_config::{BehaviorVersion, Region};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
use aws_sdk_dynamodb::config::{Builder, Credentials};
use aws_sdk_dynamodb::error::BuildError;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection, ProjectionType,
    ScalarAttributeType, TableStatus,
};
use meadow_service::StoreError;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A request and its retries together stay below the 18 s of a tool, so that what went wrong can still be said.
const OPERATION: Duration = Duration::from_secs(8);
/// An attempt that takes longer than this was lost: DynamoDB answers within milliseconds.
const ATTEMPT: Duration = Duration::from_secs(3);
const CONNECT: Duration = Duration::from_secs(2);

/// Where a store is: `TABLE` or `TABLE?endpoint=URL`.
///
/// The endpoint is for emulators and private networks; without one it is that of the region in the environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Name of the table.
    pub table: String,
    /// URL of the DynamoDB to use.
    pub endpoint: Option<String>,
}

impl Place {
    /// Whether the endpoint is on this machine, and so an emulator's.
    #[must_use]
    pub fn is_emulator(&self) -> bool {
        self.endpoint.as_deref().is_some_and(is_local)
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (table, query) = text
            .split_once('?')
            .map_or((text, None), |(table, query)| (table, Some(query)));
        let plain = table.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
        if !plain || !(3..=255).contains(&table.len()) {
            return Err(format!(
                "{table:?} is no name of a DynamoDB table: use 3 to 255 ASCII letters, digits, '-', '_' or '.'"
            ));
        }
        let endpoint = match query.map(|query| query.split_once('=').unwrap_or((query, ""))) {
            None => None,
            Some(("endpoint", url)) if url.starts_with("http://") || url.starts_with("https://") => {
                Some(url.to_owned())
            }
            Some(("endpoint", url)) => {
                return Err(format!(
                    "{url:?} is no endpoint: use a URL such as http://127.0.0.1:8000"
                ));
            }
            Some((other, _)) => return Err(format!("{other:?} is unknown here: use TABLE or TABLE?endpoint=URL")),
        };
        Ok(Self {
            table: table.to_owned(),
            endpoint,
        })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.table)?;
        match &self.endpoint {
            Some(endpoint) => write!(f, "?endpoint={endpoint}"),
            None => Ok(()),
        }
    }
}

/// The store at a place, with the region and the credentials of the environment (variables, profile, container or
/// machine). No request is made yet.
///
/// An endpoint on this machine is an emulator's: where the environment has no credentials or region, any will do.
pub async fn connect(place: &Place) -> DynamoStore {
    DynamoStore::new(Client::from_conf(config(place).await.build()), &place.table)
}

/// The store at a place, with this region and these credentials and without looking for any, so that a program which has
/// them needs none of the code that does. No request is made yet.
#[must_use]
pub fn connect_with(place: &Place, region: Region, credentials: Credentials) -> DynamoStore {
    let mut config = Builder::new()
        .behavior_version(BehaviorVersion::latest())
        .region(region)
        .credentials_provider(credentials)
        .retry_config(retries())
        .timeout_config(timeouts());
    config.set_endpoint_url(place.endpoint.clone());
    DynamoStore::new(Client::from_conf(config.build()), &place.table)
}

fn retries() -> RetryConfig {
    RetryConfig::standard().with_max_attempts(3)
}

fn timeouts() -> TimeoutConfig {
    TimeoutConfig::builder()
        .connect_timeout(CONNECT)
        .operation_attempt_timeout(ATTEMPT)
        .operation_timeout(OPERATION)
        .build()
}

/// How the client of a place behaves.
pub(crate) async fn config(place: &Place) -> Builder {
    let mut loader = aws_config::defaults(BehaviorVersion::latest())
        .retry_config(retries())
        .timeout_config(timeouts());
    if place.is_emulator() {
        let given = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        if !given("AWS_ACCESS_KEY_ID") {
            loader = loader.credentials_provider(Credentials::new("emulator", "emulator", None, None, "emulator"));
        }
        if !given("AWS_REGION") {
            loader = loader.region(Region::from_static("us-east-1"));
        }
    }
    let mut config = Builder::from(&loader.load().await);
    config.set_endpoint_url(place.endpoint.clone());
    config
}

/// Whether a URL names this machine.
fn is_local(url: &str) -> bool {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = host.split(['/', '?']).next().unwrap_or_default();
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
    host == "localhost"
        || host == "[::1]"
        || host
            .parse::<std::net::Ipv4Addr>()
            .is_ok_and(|address| address.is_loopback())
}

/// Makes the table of a store where there is none, as infra/template.yaml describes it, for emulators and trials: without
/// backups and protection, which the template has.
///
/// # Errors
/// [`StoreError::Unavailable`] where DynamoDB refuses or cannot be reached.
pub async fn create_table(store: &DynamoStore) -> Result<(), StoreError> {
    let described = |error: BuildError| StoreError::Unavailable(error.to_string());
    let attribute = |name| {
        AttributeDefinition::builder()
            .attribute_name(name)
            .attribute_type(ScalarAttributeType::S)
            .build()
    };
    let keys = |hash, range| -> Result<Vec<KeySchemaElement>, BuildError> {
        let key = |name, kind| KeySchemaElement::builder().attribute_name(name).key_type(kind).build();
        Ok(vec![key(hash, KeyType::Hash)?, key(range, KeyType::Range)?])
    };
    let index = GlobalSecondaryIndex::builder()
        .index_name(INDEX)
        .set_key_schema(Some(keys(SHARD, SORT).map_err(described)?))
        .projection(Projection::builder().projection_type(ProjectionType::KeysOnly).build())
        .build()
        .map_err(described)?;
    let mut create = store
        .client
        .create_table()
        .table_name(&store.table)
        .set_key_schema(Some(keys(PK, SK).map_err(described)?))
        .global_secondary_indexes(index)
        .billing_mode(BillingMode::PayPerRequest);
    for name in [PK, SK, SHARD, SORT] {
        create = create.attribute_definitions(attribute(name).map_err(described)?);
    }
    match create.send().await {
        Err(error)
            if error
                .as_service_error()
                .is_some_and(|error| error.is_resource_in_use_exception()) => {}
        // That the table may be there all the same harms nobody.
        Err(error) => return Err(store.failed(Doing::Reading, error)),
        Ok(_) => {}
    }
    loop {
        let answer = store.client.describe_table().table_name(&store.table).send().await;
        let answer = answer.map_err(|error| store.failed(Doing::Reading, error))?;
        if answer.table.and_then(|table| table.table_status) != Some(TableStatus::Creating) {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// A number of items as DynamoDB takes it.
pub(crate) fn at_most(limit: usize) -> i32 {
    i32::try_from(limit).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let read = |text: &str| text.parse::<Place>();
        for text in [
            "meadow",
            "meadow?endpoint=http://127.0.0.1:8000",
            "a.b-c_1?endpoint=https://ddb.example/",
        ] {
            assert_eq!(read(text).expect("a place").to_string(), text);
        }
        for (text, said) in [
            ("", "is no name"),
            ("ab", "3 to 255"),
            ("a b c", "is no name"),
            ("meadow?endpoint=127.0.0.1", "is no endpoint"),
            ("meadow?region=x", "unknown here"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn addresses_of_this_machine() {
        for url in [
            "http://127.0.0.1:8000",
            "http://localhost:1/",
            "https://[::1]:2",
            "http://127.0.0.1",
        ] {
            assert!(is_local(url), "{url}");
        }
        for url in [
            "https://dynamodb.eu-central-1.amazonaws.com",
            "http://10.0.0.1:8000",
            "http://localhost.example:1",
        ] {
            assert!(!is_local(url), "{url}");
        }
    }
}
