//! Where the database is, and how it is reached.
//!
//! Over a network the connection is always encrypted and the server's certificate verified, chain and name, whatever
//! `sslmode` asks for; what would weaken that is refused. On this machine (a loopback address or a Unix socket) it is
//! plain unless `sslmode` asks for more: certificates of such servers, where they have any, name something else.

use percent_encoding::percent_decode_str;
use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio_postgres::config::{Host, SslMode};

/// How long a connection may take to be made, where the URL does not say: DNS and one lost packet or two.
const CONNECT: Duration = Duration::from_secs(10);

/// When an idle connection is probed, how often, and how often in vain: a dead server is noticed within a minute.
const KEEPALIVE: (Duration, Duration, u32) = (Duration::from_secs(20), Duration::from_secs(10), 3);

/// How long sent data may stay unacknowledged.
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);

/// A name of a database that cannot be used, and why. Never holds a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadConfig(String);

/// Where the database is, and how it is reached. Debug output holds no password.
#[derive(Debug, Clone)]
pub struct Config {
    pub(crate) postgres: tokio_postgres::Config,
    /// Whose certificates are trusted, where the connection is encrypted.
    pub(crate) tls: Option<Trust>,
}

/// Whose certificates are trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Those that the platform trusts.
    Platform,
    /// Those of the authorities in this PEM file.
    File(PathBuf),
}

/// What `sslmode` may be, in the words of PostgreSQL's own clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Disable,
    /// `allow` and `prefer`: encrypted or not.
    Either,
    /// `require`, `verify-ca` and `verify-full`; all of them are verified in full.
    Encrypted,
}

impl Config {
    /// The database that a URL names: `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full&sslrootcert=CA`.
    ///
    /// `ca` is a PEM file of the authorities that are trusted instead of the platform's, where the URL has no
    /// `sslrootcert`.
    ///
    /// # Errors
    /// What is no such URL, or would send models in the clear over a network.
    pub fn from_url(url: &str, ca: Option<&Path>) -> Result<Self, BadConfig> {
        let Options { rest, mode, root } = Options::cut(url)?;
        let postgres = rest.parse::<tokio_postgres::Config>().map_err(|error| bad(&error))?;
        Self::new(postgres, mode, root.or_else(|| ca.map(Path::to_owned)))
    }

    /// The database that a secret of AWS Secrets Manager names: JSON with `username`, `password` and, unless `url`
    /// names them, `host`, `port`, `dbname`.
    ///
    /// # Errors
    /// What is no such secret; as [`Config::from_url`].
    pub fn from_secret_json(secret: &str, url: Option<&str>, ca: Option<&Path>) -> Result<Self, BadConfig> {
        // Neither the text nor serde's words about it are shown: they may hold the password.
        let secret: Secret = serde_json::from_str(secret).map_err(|error| {
            BadConfig(format!(
                "the database secret is not JSON with the texts username, password, host, dbname and the number port (line {}, column {})",
                error.line(),
                error.column()
            ))
        })?;
        let Options { rest, mode, root } = url.map(Options::cut).transpose()?.unwrap_or_default();
        let mut postgres = tokio_postgres::Config::new();
        if !rest.is_empty() {
            postgres = rest.parse().map_err(|error| bad(&error))?;
        } else {
            let Some(host) = &secret.host else {
                let say = "the database secret has no host; add one, or name the database by URL in MEADOW_POSTGRES";
                return Err(BadConfig(say.to_owned()));
            };
            postgres.host(host).port(secret.port.unwrap_or(5432));
        }
        if postgres.get_dbname().is_none()
            && let Some(name) = &secret.dbname
        {
            postgres.dbname(name);
        }
        postgres.user(&secret.username).password(&secret.password);
        Self::new(postgres, mode, root.or_else(|| ca.map(Path::to_owned)))
    }

    /// The same with this password, where it has none.
    #[must_use]
    pub fn or_password(mut self, password: &str) -> Self {
        if self.postgres.get_password().is_none() {
            self.postgres.password(password);
        }
        self
    }

    fn new(mut postgres: tokio_postgres::Config, mode: Option<Mode>, root: Option<PathBuf>) -> Result<Self, BadConfig> {
        if postgres.get_hosts().is_empty() && postgres.get_hostaddrs().is_empty() {
            let say = "the database URL names no host; write postgres://USER@HOST:PORT/DATABASE, or ?host=/var/run/postgresql for a Unix socket";
            return Err(BadConfig(say.to_owned()));
        }
        if postgres.get_hosts().iter().any(at_sign) {
            // The host is not shown: it begins with the rest of the password.
            let say = "the database URL has more than one @; write %40 for each in a password";
            return Err(BadConfig(say.to_owned()));
        }
        let remote = remote(&postgres);
        let encrypted = match (mode, &remote) {
            (Some(Mode::Disable), Some(host)) => {
                return Err(BadConfig(format!(
                    "sslmode=disable would send the password and the models to {host} in the clear; leave sslmode out, or reach the server through a tunnel"
                )));
            }
            (Some(Mode::Encrypted), _) | (_, Some(_)) => true,
            _ => false,
        };
        postgres.ssl_mode(if encrypted { SslMode::Require } else { SslMode::Disable });
        if postgres.get_connect_timeout().is_none() {
            postgres.connect_timeout(CONNECT);
        }
        postgres
            .keepalives_idle(KEEPALIVE.0)
            .keepalives_interval(KEEPALIVE.1)
            .keepalives_retries(KEEPALIVE.2)
            .tcp_user_timeout(UNACKNOWLEDGED);
        if postgres.get_application_name().is_none() {
            postgres.application_name("meadow");
        }
        let trust = root.map_or(Trust::Platform, Trust::File);
        Ok(Self {
            postgres,
            tls: encrypted.then_some(trust),
        })
    }

    /// Who the database knows us as.
    pub(crate) fn user(&self) -> &str {
        self.postgres.get_user().unwrap_or("the user of this process")
    }
}

/// `HOST:PORT/DATABASE`: enough to know which one, and no secret.
impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ports = self.postgres.get_ports();
        let mut hosts = String::new();
        for (place, host) in self.postgres.get_hosts().iter().enumerate() {
            let port = ports.get(place).or(ports.first()).unwrap_or(&5432);
            let comma = if place > 0 { "," } else { "" };
            match host {
                Host::Tcp(name) => write!(hosts, "{comma}{name}:{port}")?,
                #[cfg(unix)]
                Host::Unix(path) => write!(hosts, "{comma}{}:{port}", path.display())?,
            }
        }
        if hosts.is_empty() {
            for address in self.postgres.get_hostaddrs() {
                write!(hosts, "{address}:{}", ports.first().unwrap_or(&5432))?;
            }
        }
        match self.postgres.get_dbname() {
            Some(name) => write!(f, "{hosts}/{name}"),
            None => f.write_str(&hosts),
        }
    }
}

/// Whether a host has an @, as where one in a password was not written as %40.
fn at_sign(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => name.contains('@'),
        #[cfg(unix)]
        Host::Unix(path) => path.to_string_lossy().contains('@') && !path.is_absolute(),
    }
}

/// The first host that is not this machine.
fn remote(postgres: &tokio_postgres::Config) -> Option<String> {
    // Where both are given, the name is what a certificate is held against, the address what is connected to.
    let elsewhere = |name: &str| match name.parse::<std::net::IpAddr>() {
        Ok(address) => !address.is_loopback(),
        Err(_) => !name.eq_ignore_ascii_case("localhost"),
    };
    let hosts = postgres.get_hosts().iter().filter_map(|host| match host {
        Host::Tcp(name) => Some(name.clone()),
        #[cfg(unix)]
        Host::Unix(_) => None,
    });
    let addresses = postgres.get_hostaddrs().iter().map(ToString::to_string);
    hosts.chain(addresses).find(|host| elsewhere(host))
}

fn bad(error: &tokio_postgres::Error) -> BadConfig {
    use std::error::Error as _;
    let why = error.source().map(ToString::to_string).unwrap_or_default();
    BadConfig(format!(
        "the database URL cannot be read ({}); write postgres://USER@HOST:PORT/DATABASE, with %40 for @ in a password",
        if why.is_empty() { error.to_string() } else { why }
    ))
}

/// A URL without what we judge ourselves.
#[derive(Debug, Default)]
struct Options {
    rest: String,
    mode: Option<Mode>,
    root: Option<PathBuf>,
}

impl Options {
    fn cut(url: &str) -> Result<Self, BadConfig> {
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            // Not shown: it may hold a password all the same.
            let say = "the database URL does not begin with postgres://; write postgres://USER@HOST:PORT/DATABASE";
            return Err(BadConfig(say.to_owned()));
        }
        // A password may have a question mark.
        let credentials = url.find('@').unwrap_or_default();
        let Some(query) = url[credentials..].find('?').map(|place| place + credentials) else {
            return Ok(Self {
                rest: url.to_owned(),
                ..Self::default()
            });
        };
        let mut options = Self {
            rest: url[..query].to_owned(),
            ..Self::default()
        };
        let mut separator = '?';
        for option in url[query + 1..].split('&') {
            let value = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
            match option.split_once('=') {
                Some(("sslmode", mode)) => options.mode = Some(Mode::named(&value(mode))?),
                Some(("sslrootcert", path)) => {
                    options.root = Some(value(path)).filter(|p| p != "system").map(Into::into)
                }
                _ => {
                    options.rest.push(separator);
                    options.rest.push_str(option);
                    separator = '&';
                }
            }
        }
        Ok(options)
    }
}

impl Mode {
    fn named(name: &str) -> Result<Self, BadConfig> {
        Ok(match name {
            "disable" => Self::Disable,
            "allow" | "prefer" => Self::Either,
            "require" | "verify-ca" | "verify-full" => Self::Encrypted,
            _ => {
                return Err(BadConfig(format!(
                    "sslmode={name} is not known; use verify-full, or on this machine disable"
                )));
            }
        })
    }
}

/// What a secret holds. It has no Debug: nobody can print it by mistake.
#[derive(serde::Deserialize)]
struct Secret {
    username: String,
    password: String,
    host: Option<String>,
    #[serde(default, deserialize_with = "port")]
    port: Option<u16>,
    dbname: Option<String>,
}

/// A port as a number or, as some write it, a text.
fn port<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<u16>, D::Error> {
    #[derive(serde::Deserialize)]
    #[serde(untagged)]
    enum Port {
        Number(u16),
        Text(String),
    }
    match <Option<Port> as serde::Deserialize>::deserialize(deserializer)? {
        None => Ok(None),
        Some(Port::Number(port)) => Ok(Some(port)),
        Some(Port::Text(text)) => text.parse().map(Some).map_err(serde::de::Error::custom),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, encrypted: bool) {
        let config = Config::from_url(url, None).unwrap();
        assert_eq!(config.tls.is_some(), encrypted, "{url}");
        let mode = config.postgres.get_ssl_mode();
        assert_eq!(
            mode,
            if encrypted { SslMode::Require } else { SslMode::Disable },
            "{url}"
        );
    }

    #[test]
    fn only_this_machine_is_reached_in_the_clear() {
        for here in [
            "postgres://app@127.0.0.1/x",
            "postgres://app@127.9.9.9:5/x",
            "postgres://app@[::1]:5/x",
            "postgresql://app@LocalHost:5/x",
            "postgres://app@localhost,127.0.0.1/x",
            "postgres:///x?user=app&host=/var/run/postgresql",
            "postgres://app@%2Fvar%2Frun%2Fpostgresql/x",
        ] {
            check(here, false);
            let with = |mode| format!("{here}{}sslmode={mode}", if here.contains('?') { '&' } else { '?' });
            for plain in ["disable", "allow", "prefer"] {
                check(&with(plain), false);
            }
            for encrypted in ["require", "verify-ca", "verify-full"] {
                check(&with(encrypted), true);
            }
        }
        for elsewhere in [
            "postgres://app@db.example.org/x",
            "postgres://app@10.0.0.1:5/x",
            "postgres://app@localhost.example.org/x",
            "postgres://app@localhost,db.example.org/x",
            "postgres://app@localhost/x?hostaddr=10.0.0.1",
            "postgres://app@db.example.org/x?hostaddr=127.0.0.1",
            "postgres://app@0.0.0.0/x",
        ] {
            check(elsewhere, true);
            let with = |mode| {
                format!(
                    "{elsewhere}{}sslmode={mode}",
                    if elsewhere.contains('?') { '&' } else { '?' }
                )
            };
            for any in [
                "allow",
                "prefer",
                "require",
                "verify-ca",
                "verify-full",
                "verify%2Dfull",
            ] {
                check(&with(any), true);
            }
            let refused = Config::from_url(&with("disable"), None).unwrap_err().to_string();
            assert!(refused.contains("in the clear"), "{refused}");
        }
    }

    #[test]
    fn a_url_is_shown_without_its_secrets() {
        let url = "postgres://app:s3cr%40t?@db.example.org:6432/models?connect_timeout=3&sslrootcert=%2Fx%20y%2Fca.pem&sslmode=verify-full&application_name=me";
        let config = Config::from_url(url, Some(Path::new("other.pem"))).unwrap();
        assert_eq!(config.to_string(), "db.example.org:6432/models");
        assert_eq!(config.tls, Some(Trust::File("/x y/ca.pem".into())));
        assert_eq!(config.postgres.get_password(), Some("s3cr@t?".as_bytes()));
        assert_eq!(config.postgres.get_connect_timeout(), Some(&Duration::from_secs(3)));
        assert_eq!(config.postgres.get_application_name(), Some("me"));
        assert!(!format!("{config:?}").contains("s3cr"), "{config:?}");
        let kept = config.or_password("other");
        assert_eq!(kept.postgres.get_password(), Some("s3cr@t?".as_bytes()));
        let given = Config::from_url("postgres://app@h/x", None).unwrap().or_password("p");
        assert_eq!(given.postgres.get_password(), Some("p".as_bytes()));
    }

    #[test]
    fn authorities_come_from_the_url_or_beside_it() {
        let trust = |url: &str, ca: Option<&str>| Config::from_url(url, ca.map(Path::new)).unwrap().tls;
        let url = "postgres://app@db.example.org/x";
        assert_eq!(trust(url, None), Some(Trust::Platform));
        assert_eq!(trust(url, Some("ca.pem")), Some(Trust::File("ca.pem".into())));
        assert_eq!(trust(&format!("{url}?sslrootcert=system"), None), Some(Trust::Platform));
    }

    #[track_caller]
    fn refused(url: &str, part: &str) {
        let said = Config::from_url(url, None).unwrap_err().to_string();
        assert!(said.contains(part), "{url}: {said}");
        assert!(!said.contains("s3cret"), "{said}");
    }

    #[test]
    fn what_is_no_url_is_refused_without_its_secrets() {
        refused("", "postgres://");
        refused("mysql://app:s3cret@h/x", "postgres://");
        refused("host=h password=s3cret", "postgres://");
        refused("postgres://", "no host");
        refused("postgres:///x", "no host");
        refused("postgres://app:s3cret@h:port/x", "cannot be read");
        refused("postgres://app:p@s3cret@h/x", "%40");
        refused("postgres://app:p@s3cret@127.0.0.1,h/x", "%40");
        refused("postgres://app:s3cret@h/x?nonsense=1", "nonsense");
        refused("postgres://app:s3cret@h/x?sslmode=full", "sslmode=full");
        refused("postgres://app:s3cret@h/x?connect_timeout=s", "cannot be read");
    }

    #[test]
    fn a_secret_names_a_database() {
        let whole = r#"{"username":"app","password":"s3cret","engine":"postgres","host":"db.example.org","port":"6432","dbname":"models"}"#;
        let config = Config::from_secret_json(whole, None, None).unwrap();
        assert_eq!(config.to_string(), "db.example.org:6432/models");
        assert_eq!((config.user(), config.tls.is_some()), ("app", true));
        let part = r#"{"username":"app","password":"s3cret"}"#;
        let url = "postgres://other@db.example.org:7/models?sslrootcert=ca.pem";
        let config = Config::from_secret_json(part, Some(url), None).unwrap();
        assert_eq!(
            (config.to_string().as_str(), config.user()),
            ("db.example.org:7/models", "app")
        );
        assert_eq!(config.tls, Some(Trust::File("ca.pem".into())));
        for (secret, part) in [
            (part, "no host"),
            (r#"{"username":"app","password":["s3cret"]}"#, "not JSON with"),
            ("s3cret", "not JSON with"),
        ] {
            let said = Config::from_secret_json(secret, None, None).unwrap_err().to_string();
            assert!(said.contains(part) && !said.contains("s3cret"), "{said}");
        }
    }
}
