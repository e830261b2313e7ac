//! What the environment of a function says. Read once, checked before the first event: a function that is set up wrong
//! must not answer.

use crate::telemetry::{self, Logged};
use aws_sdk_secretsmanager::config::{Credentials, Region};
use meadow_dynamodb::{DynamoStore, Place};
use meadow_http::Access;
use meadow_service::PaperSource;
use meadow_service::notes::{NoVault, NoteStore};
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tracing_subscriber::filter::LevelFilter;

/// How long a tool may work: under the guard, so that the agent learns which tool it was.
pub const TOOL_DEADLINE: Duration = Duration::from_secs(18);

/// How long a request may take: under the 25 s of the function and the 29 s of API Gateway, so that we answer, not they.
pub const REQUEST_DEADLINE: Duration = Duration::from_secs(20);

/// What allows a host or an origin that was refused.
const SETTINGS: meadow_http::Settings = meadow_http::Settings {
    hosts: "let MEADOW_ALLOWED_HOSTS (the template's DomainName) name",
    origins: "let MEADOW_ALLOWED_ORIGINS (the template's AllowedOrigins) name",
};

/// A setting that is missing or wrong.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{name} {fault}; {repair}")]
pub struct BadConfig {
    name: &'static str,
    fault: String,
    repair: String,
}

impl BadConfig {
    /// What is wrong with `name` and what to do.
    pub fn new(name: &'static str, fault: impl Into<String>, repair: impl Into<String>) -> Self {
        Self {
            name,
            fault: fault.into(),
            repair: repair.into(),
        }
    }
}

/// What Lambda gives a function to reach other services with.
#[derive(Debug, Clone)]
pub struct Aws {
    /// `AWS_REGION`.
    pub region: Region,
    /// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`: of the function's role, for as long as this
    /// process lives. Nothing else is looked for, since that takes time and code.
    pub credentials: Credentials,
}

impl Aws {
    pub(crate) fn read(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, BadConfig> {
        let needed = |name| {
            given(variable, name).ok_or_else(|| {
                BadConfig::new(
                    name,
                    "is not set",
                    "AWS Lambda sets it; where you start a function yourself, do so too",
                )
            })
        };
        let (id, secret) = (needed("AWS_ACCESS_KEY_ID")?, needed("AWS_SECRET_ACCESS_KEY")?);
        let token = given(variable, "AWS_SESSION_TOKEN");
        Ok(Self {
            region: Region::new(needed("AWS_REGION")?),
            credentials: Credentials::new(id, secret, token, None, "environment"),
        })
    }
}

/// What a function of the HTTP API is told.
#[derive(Debug, Clone)]
pub struct Config {
    /// How AWS is reached.
    pub aws: Aws,
    /// `MEADOW_TABLE`: the table of models and tokens; `MEADOW_DYNAMODB_ENDPOINT`: another DynamoDB than the region's, for
    /// tests.
    pub place: Place,
    /// `MEADOW_NOTES_BUCKET` and `MEADOW_NOTES_PREFIX`: where notes are kept; none where it is missing, as for functions
    /// that have none. `MEADOW_S3_ENDPOINT`: another S3 than the region's, for tests.
    pub notes: Option<meadow_vault_s3::Place>,
    /// Who is asked for papers: `MEADOW_CONTACT`, whom they may write to; `MEADOW_S2_KEY`, a key of Semantic Scholar;
    /// `MEADOW_ARXIV_URL` and `MEADOW_S2_URL`, others than the real ones, for tests.
    pub papers: meadow_literature::Config,
    /// `MEADOW_ALLOWED_HOSTS`: the names that clients may know the API by, separated by commas; `*` for all.
    pub hosts: Vec<String>,
    /// `MEADOW_ALLOWED_ORIGINS`: pages that may send requests and read the answers, separated by commas, each by name; none
    /// when it is missing.
    pub origins: Vec<String>,
    /// `MEADOW_PUBLIC_URL`: where the API is reached, for answers that point to it.
    pub public_url: Option<String>,
    /// `MEADOW_LOG`: what is logged.
    pub log: LevelFilter,
}

impl Config {
    /// Reads the environment, of which `variable` gives one.
    ///
    /// # Errors
    /// The first setting that is missing or wrong, with its repair.
    pub fn read(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, BadConfig> {
        let variable = &|name: &str| given(variable, name);
        started_by_lambda(variable)?;
        access(variable)?;
        let hosts = list(variable, "MEADOW_ALLOWED_HOSTS", meadow_http::read_host)?;
        if hosts.is_empty() {
            return Err(BadConfig::new(
                "MEADOW_ALLOWED_HOSTS",
                "is not set",
                "give the names that clients reach the API by, such as abc.execute-api.eu-west-1.amazonaws.com,models.example.org, or * for all",
            ));
        }
        Ok(Self {
            aws: Aws::read(variable)?,
            place: place(variable)?,
            notes: notes(variable)?,
            papers: papers(variable),
            hosts,
            origins: list(variable, "MEADOW_ALLOWED_ORIGINS", named_origin)?,
            public_url: public_url(variable)?,
            log: telemetry::read(variable)?,
        })
    }

    /// How its routes are surrounded.
    #[must_use]
    pub fn http(&self, access: Access) -> meadow_http::Config {
        meadow_http::Config {
            access,
            hosts: self.hosts.clone(),
            origins: self.origins.clone(),
            settings: SETTINGS,
            deadline: REQUEST_DEADLINE,
            ..meadow_http::Config::default()
        }
    }

    /// Where notes are kept. Nothing is asked of it yet. Only the function that has notes calls this: the others are
    /// smaller, and start sooner, without a client of S3.
    #[must_use]
    pub fn vault(&self) -> Arc<dyn NoteStore> {
        match &self.notes {
            None => Arc::new(NoVault),
            Some(place) => {
                let Aws { region, credentials } = self.aws.clone();
                Arc::new(meadow_vault_s3::connect_with(place, region, credentials))
            }
        }
    }

    /// Who is asked for papers. Nothing is opened yet. As with [`Config::vault`], only the function that needs it calls
    /// this.
    ///
    /// # Errors
    /// A setting that cannot be used.
    pub fn sources(&self) -> Result<Vec<Arc<dyn PaperSource>>, BadConfig> {
        meadow_literature::sources(&self.papers).map_err(|fault| {
            BadConfig::new(
                "MEADOW_CONTACT",
                "or MEADOW_S2_KEY, MEADOW_ARXIV_URL or MEADOW_S2_URL cannot be used",
                fault.to_string(),
            )
        })
    }

    /// How its tools behave.
    #[must_use]
    pub fn mcp(&self) -> meadow_mcp::Config {
        meadow_mcp::Config {
            base_url: self.public_url.clone(),
            deadline: TOOL_DEADLINE,
            ..meadow_mcp::Config::default()
        }
    }
}

impl Logged for Config {
    fn log(&self) -> LevelFilter {
        self.log
    }
}

/// The store of models and tokens. Nothing is asked of it yet.
pub(crate) fn store(place: &Place, aws: &Aws) -> DynamoStore {
    meadow_dynamodb::connect_with(place, aws.region.clone(), aws.credentials.clone())
}

/// Which table.
pub(crate) fn place(variable: &dyn Fn(&str) -> Option<String>) -> Result<Place, BadConfig> {
    const NAME: &str = "MEADOW_TABLE";
    let table = given(variable, NAME)
        .ok_or_else(|| BadConfig::new(NAME, "is not set", "give the name of the DynamoDB table"))?;
    let text = match given(variable, "MEADOW_DYNAMODB_ENDPOINT") {
        Some(endpoint) => format!("{table}?endpoint={endpoint}"),
        None => table,
    };
    text.parse()
        .map_err(|fault: String| BadConfig::new(NAME, "or MEADOW_DYNAMODB_ENDPOINT cannot be read", fault))
}

/// Which bucket of notes, and where in it.
fn notes(variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<meadow_vault_s3::Place>, BadConfig> {
    const NAME: &str = "MEADOW_NOTES_BUCKET";
    let Some(bucket) = given(variable, NAME) else {
        return Ok(None);
    };
    let prefix = given(variable, "MEADOW_NOTES_PREFIX").unwrap_or_default();
    let endpoint = given(variable, "MEADOW_S3_ENDPOINT").map_or_else(String::new, |url| format!("?endpoint={url}"));
    let place = format!("s3:{bucket}/{prefix}{endpoint}").parse::<meadow_vault_s3::Place>();
    place.map(Some).map_err(|fault: String| {
        BadConfig::new(
            NAME,
            "or MEADOW_NOTES_PREFIX or MEADOW_S3_ENDPOINT cannot be read",
            fault,
        )
    })
}

/// Where papers come from, and who asks.
fn papers(variable: &dyn Fn(&str) -> Option<String>) -> meadow_literature::Config {
    let usual = meadow_literature::Config::default();
    meadow_literature::Config {
        arxiv_url: given(variable, "MEADOW_ARXIV_URL").unwrap_or(usual.arxiv_url),
        s2_url: given(variable, "MEADOW_S2_URL").unwrap_or(usual.s2_url),
        s2_key: given(variable, "MEADOW_S2_KEY"),
        contact: given(variable, "MEADOW_CONTACT"),
    }
}

/// A variable that is empty is as if it were not set: templates cannot leave one out.
pub(crate) fn given(variable: &dyn Fn(&str) -> Option<String>, name: &str) -> Option<String> {
    variable(name).filter(|value| !value.is_empty())
}

/// Lambda's runtime API, without which there is nobody to answer.
pub(crate) fn started_by_lambda(variable: &dyn Fn(&str) -> Option<String>) -> Result<(), BadConfig> {
    const NAMES: [&str; 4] = [
        "AWS_LAMBDA_RUNTIME_API",
        "AWS_LAMBDA_FUNCTION_NAME",
        "AWS_LAMBDA_FUNCTION_VERSION",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
    ];
    match NAMES.into_iter().find(|name| given(variable, name).is_none()) {
        Some(name) => Err(BadConfig::new(
            name,
            "is not set",
            "this program is started by AWS Lambda; on one machine use `meadow serve`, or `cargo lambda watch` to try the functions",
        )),
        None => Ok(()),
    }
}

/// Who may ask. There is no default: a function that everybody may use must not come about by leaving something out.
fn access(variable: &dyn Fn(&str) -> Option<String>) -> Result<(), BadConfig> {
    const REPAIR: &str = "set it to token: requests then need a token that `meadow token new` made on the same table";
    match given(variable, "MEADOW_AUTH").as_deref() {
        Some("token") => Ok(()),
        Some("oidc") => Err(BadConfig::new(
            "MEADOW_AUTH",
            "is oidc, which comes with a later version",
            REPAIR,
        )),
        Some(other) => Err(BadConfig::new(
            "MEADOW_AUTH",
            format!("is {other:?}, which is no access mode"),
            REPAIR,
        )),
        None => Err(BadConfig::new(
            "MEADOW_AUTH",
            "is not set, and without an access mode nothing is served",
            REPAIR,
        )),
    }
}

fn list(
    variable: &dyn Fn(&str) -> Option<String>,
    name: &'static str,
    read: fn(&str) -> Result<String, String>,
) -> Result<Vec<String>, BadConfig> {
    let text = variable(name).unwrap_or_default();
    let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
    items
        .map(|item| read(item).map_err(|fault| BadConfig::new(name, "has an item that cannot be read", fault)))
        .collect()
}

/// An origin, but not all: requests bring tokens, which are not for every page that gets hold of one.
fn named_origin(text: &str) -> Result<String, String> {
    match text {
        "*" => Err("\"*\" is every page; name each, such as https://app.example.org".to_owned()),
        origin => meadow_http::read_origin(origin),
    }
}

/// An absolute URL without a slash at its end, to which paths are appended.
fn public_url(variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<String>, BadConfig> {
    const NAME: &str = "MEADOW_PUBLIC_URL";
    let Some(text) = variable(NAME) else { return Ok(None) };
    let url = text.trim_end_matches('/');
    let parsed = url.parse::<http::Uri>();
    let absolute = parsed.is_ok_and(|uri| {
        matches!(uri.scheme_str(), Some("https" | "http")) && uri.host().is_some() && uri.query().is_none()
    });
    if absolute {
        return Ok(Some(url.to_owned()));
    }
    Err(BadConfig::new(
        NAME,
        format!("is {text:?}, which is no URL"),
        "write it such as https://models.example.org",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: [(&str, &str); 10] = [
        ("AWS_REGION", "eu-west-1"),
        ("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE"),
        ("AWS_SECRET_ACCESS_KEY", "hunter2"),
        ("AWS_LAMBDA_RUNTIME_API", "127.0.0.1:9001"),
        ("AWS_LAMBDA_FUNCTION_NAME", "meadow-model"),
        ("AWS_LAMBDA_FUNCTION_VERSION", "1"),
        ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "256"),
        ("MEADOW_AUTH", "token"),
        ("MEADOW_TABLE", "meadow"),
        (
            "MEADOW_ALLOWED_HOSTS",
            "models.example.org, abc.execute-api.eu-west-1.amazonaws.com",
        ),
    ];

    /// The good environment with one variable changed.
    fn with(name: &str, value: Option<&str>) -> Result<Config, BadConfig> {
        Config::read(&|asked| {
            if asked == name {
                return value.map(str::to_owned);
            }
            GOOD.iter()
                .find(|(name, _)| *name == asked)
                .map(|(_, value)| (*value).to_owned())
        })
    }

    #[tokio::test]
    async fn a_sound_environment_is_read() {
        let config = with("MEADOW_PUBLIC_URL", Some("https://models.example.org/")).expect("sound");
        assert_eq!(config.place.to_string(), "meadow");
        let config = with("MEADOW_DYNAMODB_ENDPOINT", Some("http://127.0.0.1:8000")).expect("sound");
        assert_eq!(config.place.to_string(), "meadow?endpoint=http://127.0.0.1:8000");
        let config = with("MEADOW_PUBLIC_URL", Some("https://models.example.org/")).expect("sound");
        assert_eq!(
            config.hosts,
            ["models.example.org", "abc.execute-api.eu-west-1.amazonaws.com"]
        );
        assert_eq!(config.origins, [""; 0]);
        assert_eq!(config.public_url.as_deref(), Some("https://models.example.org"));
        assert_eq!(config.log, LevelFilter::INFO);
        assert!(!format!("{config:?}").contains("hunter2"), "{config:?}");
        assert_eq!(config.notes, None);
        let listed = config.vault().list(&meadow_service::Workspace::default()).await;
        assert!(listed.is_err_and(|error| error.to_string().contains("bucket for notes")));
        let config = with("MEADOW_NOTES_BUCKET", Some("team-notes")).expect("sound");
        assert_eq!(
            config.notes.as_ref().map(ToString::to_string).as_deref(),
            Some("s3:team-notes")
        );
        let config = with(
            "MEADOW_ALLOWED_ORIGINS",
            Some("https://app.example.org,http://localhost:*"),
        );
        assert_eq!(
            config.expect("sound").origins,
            ["https://app.example.org", "http://localhost:*"]
        );
    }

    #[test]
    fn what_is_missing_or_wrong_is_named_with_its_repair() {
        #[track_caller]
        fn check(name: &'static str, value: Option<&str>, part: &str) {
            let bad = with(name, value).expect_err("not sound");
            assert_eq!(bad.name, name, "{bad}");
            assert!(bad.to_string().contains(part), "{bad}");
        }
        for value in [None, Some("")] {
            check("MEADOW_AUTH", value, "set it to token");
            check("MEADOW_TABLE", value, "DynamoDB table");
            check("MEADOW_ALLOWED_HOSTS", value, "or * for all");
            check("AWS_LAMBDA_RUNTIME_API", value, "meadow serve");
            check("AWS_REGION", value, "AWS Lambda sets it");
            check("AWS_ACCESS_KEY_ID", value, "AWS Lambda sets it");
        }
        check("MEADOW_AUTH", Some("none"), "\"none\", which is no access mode");
        check("MEADOW_AUTH", Some("oidc"), "later version");
        check("MEADOW_ALLOWED_HOSTS", Some("https://a.example"), "no host");
        check("MEADOW_ALLOWED_ORIGINS", Some("a.example"), "no origin");
        check(
            "MEADOW_ALLOWED_ORIGINS",
            Some("https://a.example,*"),
            "every page; name each",
        );
        check("MEADOW_PUBLIC_URL", Some("models.example.org"), "no URL");
        check("MEADOW_TABLE", Some("a b"), "ASCII letters");
        check("MEADOW_TABLE", Some("meadow?region=x"), "unknown here");
        check("MEADOW_NOTES_BUCKET", Some("Team Notes"), "no name of a bucket");
        check("MEADOW_LOG", Some("loud"), "info");
    }

    #[test]
    fn each_deadline_is_under_the_next() {
        assert!(TOOL_DEADLINE < REQUEST_DEADLINE);
        assert!(
            REQUEST_DEADLINE < Duration::from_secs(25),
            "the function's timeout in infra/template.yaml"
        );
    }
}
