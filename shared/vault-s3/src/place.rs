//! How the bucket is reached.

use crate::{S3Vault, WHOLE, keys};
use aws_config::BehaviorVersion;
use aws_sdk_s3::Client;
use aws_sdk_s3::config::retry::RetryConfig;
use aws_sdk_s3::config::timeout::TimeoutConfig;
use aws_sdk_s3::config::{Builder, Credentials, Region, RequestChecksumCalculation, ResponseChecksumValidation};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// An attempt that takes longer than this was lost.
const ATTEMPT: Duration = Duration::from_secs(5);
const CONNECT: Duration = Duration::from_secs(2);

/// The longest prefix, in bytes: paths of notes need the rest of a key.
const MAX_PREFIX: usize = 200;

/// Where a vault is: `s3:BUCKET`, `s3:BUCKET/PREFIX` or either with `?endpoint=URL`.
///
/// The endpoint is for other services that speak S3; without one it is that of the region in the environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Name of the bucket.
    pub bucket: String,
    /// What keys begin with, without slashes at its ends; empty: nothing.
    pub prefix: String,
    /// URL of the S3 to use. Buckets are named in its paths.
    pub endpoint: Option<String>,
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rest = text.strip_prefix("s3:").unwrap_or(text);
        let rest = rest.strip_prefix("//").unwrap_or(rest);
        let (rest, query) = rest
            .split_once('?')
            .map_or((rest, None), |(rest, query)| (rest, Some(query)));
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-.".contains(&b);
        if !(3..=63).contains(&bucket.len()) || !bucket.bytes().all(plain) || !ends(bucket) {
            return Err(format!(
                "{bucket:?} is no name of a bucket: use 3 to 63 lower-case ASCII letters, digits, '-' or '.'"
            ));
        }
        let prefix = prefix.strip_suffix('/').unwrap_or(prefix);
        if let Some(fault) = Some(prefix).filter(|prefix| !prefix.is_empty()).and_then(keys::fault) {
            return Err(format!(
                "the prefix {prefix:?} {fault}; use one such as notes or team/notes"
            ));
        }
        if prefix.len() > MAX_PREFIX {
            return Err(format!(
                "the prefix has {} bytes; at most {MAX_PREFIX} are possible",
                prefix.len()
            ));
        }
        let endpoint = match query.map(|query| query.split_once('=').unwrap_or((query, ""))) {
            None => None,
            Some(("endpoint", url)) if url.starts_with("http://") || url.starts_with("https://") => {
                Some(url.to_owned())
            }
            Some(("endpoint", url)) => {
                return Err(format!(
                    "{url:?} is no endpoint: use a URL such as http://127.0.0.1:9000"
                ));
            }
            Some((other, _)) => {
                return Err(format!(
                    "{other:?} is unknown here: use s3:BUCKET/PREFIX or s3:BUCKET/PREFIX?endpoint=URL"
                ));
            }
        };
        Ok(Self {
            bucket: bucket.to_owned(),
            prefix: prefix.to_owned(),
            endpoint,
        })
    }
}

/// Whether a bucket's name begins and ends as it must.
fn ends(bucket: &str) -> bool {
    let letter = |b: Option<&u8>| b.is_some_and(u8::is_ascii_alphanumeric);
    letter(bucket.as_bytes().first()) && letter(bucket.as_bytes().last()) && !bucket.contains("..")
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s3:{}", self.bucket)?;
        if !self.prefix.is_empty() {
            write!(f, "/{}", self.prefix)?;
        }
        match &self.endpoint {
            Some(endpoint) => write!(f, "?endpoint={endpoint}"),
            None => Ok(()),
        }
    }
}

/// The vault at a place, with the region and the credentials of the environment (variables, profile, container or
/// machine). No request is made yet.
///
/// An endpoint on this machine is an emulator's: where the environment has no credentials or region, any will do.
pub async fn connect(place: &Place) -> S3Vault {
    let mut loader = aws_config::defaults(BehaviorVersion::latest())
        .retry_config(retries())
        .timeout_config(timeouts());
    if place.endpoint.as_deref().is_some_and(is_local) {
        let given = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        if !given("AWS_ACCESS_KEY_ID") {
            loader = loader.credentials_provider(Credentials::new("emulator", "emulator", None, None, "emulator"));
        }
        if !given("AWS_REGION") {
            loader = loader.region(Region::from_static("us-east-1"));
        }
    }
    let config = Builder::from(&loader.load().await);
    S3Vault::new(Client::from_conf(at(config, place).build()), place)
}

/// The vault at a place, with this region and these credentials and without looking for any, so that a program which has
/// them needs none of the code that does. No request is made yet.
#[must_use]
pub fn connect_with(place: &Place, region: Region, credentials: Credentials) -> S3Vault {
    S3Vault::new(Client::from_conf(config(place, region, credentials).build()), place)
}

/// How the client of a place behaves.
pub(crate) fn config(place: &Place, region: Region, credentials: Credentials) -> Builder {
    let config = Builder::new()
        .behavior_version(BehaviorVersion::latest())
        .region(region)
        .credentials_provider(credentials)
        .retry_config(retries())
        .timeout_config(timeouts());
    at(config, place)
}

fn at(mut config: Builder, place: &Place) -> Builder {
    if let Some(endpoint) = &place.endpoint {
        // Other services have no host for each bucket, and not all of them know checksums.
        config = config
            .endpoint_url(endpoint)
            .force_path_style(true)
            .request_checksum_calculation(RequestChecksumCalculation::WhenRequired)
            .response_checksum_validation(ResponseChecksumValidation::WhenRequired);
    }
    config
}

fn retries() -> RetryConfig {
    RetryConfig::standard().with_max_attempts(3)
}

fn timeouts() -> TimeoutConfig {
    TimeoutConfig::builder()
        .connect_timeout(CONNECT)
        .operation_attempt_timeout(ATTEMPT)
        .operation_timeout(WHOLE)
        .build()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let read = |text: &str| text.parse::<Place>();
        for text in [
            "s3:notes",
            "s3:team-notes/vaults",
            "s3:notes.example/a/论文",
            "s3:notes/a?endpoint=http://127.0.0.1:9000",
            "s3:notes?endpoint=https://s3.example/",
        ] {
            assert_eq!(read(text).expect("a place").to_string(), text);
        }
        for (text, same) in [
            ("notes/a/", "s3:notes/a"),
            ("s3://notes/a", "s3:notes/a"),
            ("s3:notes/", "s3:notes"),
        ] {
            assert_eq!(read(text).expect("a place").to_string(), same);
        }
        for (text, said) in [
            ("", "is no name"),
            ("s3:ab", "3 to 63"),
            ("s3:Notes", "lower-case"),
            ("s3:-notes", "is no name"),
            ("s3:no..tes", "is no name"),
            ("s3:notes/../x", "leads elsewhere"),
            ("s3:notes//x", "empty segment"),
            ("s3:notes/.x", "is hidden"),
            ("s3:notes/a\u{1}", "control character"),
            ("s3:notes/a?endpoint=127.0.0.1", "is no endpoint"),
            ("s3:notes?region=x", "unknown here"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(said), "{text}: {error}");
        }
        assert!(read(&format!("s3:notes/{}", "p".repeat(201))).is_err());
    }

    #[test]
    fn addresses_of_this_machine() {
        for url in ["http://127.0.0.1:8000", "http://localhost:1/", "https://[::1]:2"] {
            assert!(is_local(url), "{url}");
        }
        for url in [
            "https://s3.eu-central-1.amazonaws.com",
            "http://10.0.0.1:8000",
            "http://localhost.example:1",
        ] {
            assert!(!is_local(url), "{url}");
        }
    }
}
