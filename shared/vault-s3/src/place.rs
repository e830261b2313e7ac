//! How the bucket is reached.

use crate::client::Setup;
use crate::{Credentials, Region, S3Vault, keys};
use aws_config::{BehaviorVersion, SdkConfig};
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_types::service_config::ServiceConfigKey;
use std::fmt;
use std::str::FromStr;

/// The longest prefix, in bytes: paths of notes need the rest of a key.
const MAX_PREFIX: usize = 200;

/// How regions begin whose hosts are not below amazonaws.com.
const DOMAINS: [(&str, &str); 6] = [
    ("cn-", "amazonaws.com.cn"),
    ("eusc-", "amazonaws.eu"),
    ("us-iso-", "c2s.ic.gov"),
    ("us-isob-", "sc2s.sgov.gov"),
    ("us-isof-", "csp.hci.ic.gov"),
    ("eu-isoe-", "cloud.adc-e.uk"),
];

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
        if bucket.ends_with("--x-s3") {
            return Err(format!(
                "{bucket:?} is a directory bucket, which is opened in another way; use a general purpose one"
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
    let mut loader = aws_config::defaults(BehaviorVersion::latest());
    if place.endpoint.as_deref().is_some_and(is_local) {
        let given = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        if !given("AWS_ACCESS_KEY_ID") {
            loader = loader.credentials_provider(Credentials::new("emulator", "emulator", None, None, "emulator"));
        }
        if !given("AWS_REGION") {
            loader = loader.region(Region::from_static("us-east-1"));
        }
    }
    let config = loader.load().await;
    let region = config.region().cloned().filter(is_region);
    let host = Host {
        fips: config.use_fips().unwrap_or_default(),
        dual_stack: config.use_dual_stack().unwrap_or_default(),
        region: region.as_ref().map_or("us-east-1", Region::as_ref),
    };
    let endpoint = place.endpoint.clone().or_else(|| endpoint(&config));
    let address = host.address(&place.bucket, endpoint.as_deref());
    S3Vault::new(&Setup::new(address, region, config.credentials_provider()), place)
}

/// The vault at a place, with this region and these credentials and without looking for any, so that a program which has
/// them needs none of the code that does. No request is made yet.
#[must_use]
pub fn connect_with(place: &Place, region: Region, credentials: Credentials) -> S3Vault {
    S3Vault::new(&setup(place, region, credentials), place)
}

/// How the client of a place behaves.
pub(crate) fn setup(place: &Place, region: Region, credentials: Credentials) -> Setup {
    let host = Host {
        fips: false,
        dual_stack: false,
        region: region.as_ref(),
    };
    let address = host.address(&place.bucket, place.endpoint.as_deref());
    let region = Some(region).filter(is_region);
    Setup::new(address, region, Some(SharedCredentialsProvider::new(credentials)))
}

/// The endpoint that the environment or the profile names.
fn endpoint(config: &SdkConfig) -> Option<String> {
    let of_s3 = ServiceConfigKey::builder()
        .service_id("S3")
        .env("AWS_ENDPOINT_URL")
        .profile("endpoint_url");
    let of_s3 = config.service_config().zip(of_s3.build().ok());
    of_s3
        .and_then(|(settings, key)| settings.load_config(key))
        .or_else(|| config.endpoint_url().map(str::to_owned))
}

/// Whether a region can be a part of a host's name.
fn is_region(region: &Region) -> bool {
    let letter = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
    !region.as_ref().is_empty() && region.as_ref().bytes().all(letter)
}

/// Which of AWS's hosts is asked.
struct Host<'a> {
    fips: bool,
    dual_stack: bool,
    region: &'a str,
}

impl Host<'_> {
    /// What the keys of a bucket are put behind. Other services have no host for each bucket, and the certificate of AWS is
    /// for none with a dot in its name: these stand in the path.
    fn address(&self, bucket: &str, endpoint: Option<&str>) -> String {
        match endpoint {
            Some(endpoint) => format!("{}/{bucket}", endpoint.trim_end_matches('/')),
            None if bucket.contains('.') => format!("https://{self}/{bucket}"),
            None => format!("https://{bucket}.{self}"),
        }
    }
}

impl fmt::Display for Host<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fips = if self.fips { "-fips" } else { "" };
        let dual_stack = if self.dual_stack { ".dualstack" } else { "" };
        let region = self.region;
        let own = DOMAINS.iter().find(|(begin, _)| region.starts_with(begin));
        let domain = own.map_or("amazonaws.com", |(_, domain)| domain);
        write!(f, "s3{fips}{dual_stack}.{region}.{domain}")
    }
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
            ("s3:notes--use1-az4--x-s3", "is a directory bucket"),
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

    #[test]
    fn addresses_of_buckets() {
        let place = |text: &str| text.parse::<Place>().expect("a place");
        let address = |place: &Place, region: &'static str| {
            let credentials = Credentials::new("id", "secret", None, None, "test");
            setup(place, Region::from_static(region), credentials).address
        };
        for (text, region, url) in [
            (
                "s3:notes",
                "eu-central-1",
                "https://notes.s3.eu-central-1.amazonaws.com",
            ),
            ("s3:notes", "us-east-1", "https://notes.s3.us-east-1.amazonaws.com"),
            (
                "s3:notes",
                "us-gov-west-1",
                "https://notes.s3.us-gov-west-1.amazonaws.com",
            ),
            ("s3:notes", "cn-north-1", "https://notes.s3.cn-north-1.amazonaws.com.cn"),
            (
                "s3:notes.example",
                "eu-west-1",
                "https://s3.eu-west-1.amazonaws.com/notes.example",
            ),
            (
                "s3:notes/a?endpoint=http://127.0.0.1:9000",
                "eu-west-1",
                "http://127.0.0.1:9000/notes",
            ),
            (
                "s3:notes?endpoint=https://s3.example/x/",
                "eu-west-1",
                "https://s3.example/x/notes",
            ),
        ] {
            assert_eq!(address(&place(text), region), url);
        }
        let host = Host {
            fips: true,
            dual_stack: true,
            region: "us-west-2",
        };
        assert_eq!(
            host.address("notes", None),
            "https://notes.s3-fips.dualstack.us-west-2.amazonaws.com"
        );
        for region in ["", "eu west", "eu.example/", "x@example"] {
            assert!(!is_region(&Region::from_static(region)), "{region}");
        }
    }
}
