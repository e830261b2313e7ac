//! The four requests that the vault sends to S3, and what their answers say.
//!
//! They are built here and sent by the runtime of AWS's SDK, which the client of DynamoDB brings along: it signs them,
//! keeps credentials until they expire, repeats what was lost and ends what takes too long. AWS's own client of S3 would
//! make a function a tenth larger (docs/decisions/0023-client-of-s3.md).

use crate::WHOLE;
use crate::xml::{self, Page};
use aws_config::BehaviorVersion;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_runtime::auth::sigv4::{SCHEME_ID, SigV4AuthScheme};
use aws_runtime::auth::{SigV4OperationSigningConfig, SigningOptions};
use aws_runtime::retries::classifiers::AwsErrorCodeClassifier;
use aws_runtime::service_clock_skew::{ServiceClockSkewClassifier, ServiceClockSkewInterceptor};
use aws_smithy_runtime::client::defaults::default_http_client_plugin_v2;
use aws_smithy_runtime::client::identity::IdentityCache;
use aws_smithy_runtime::client::orchestrator::operation::Operation;
use aws_smithy_runtime::client::retries::classifiers::{HttpStatusCodeClassifier, TransientErrorClassifier};
use aws_smithy_runtime_api::box_error::BoxError;
use aws_smithy_runtime_api::client::auth::AuthSchemeOptionResolverParams;
use aws_smithy_runtime_api::client::auth::static_resolver::StaticAuthSchemeOptionResolver;
use aws_smithy_runtime_api::client::interceptors::context::{Error, Output};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse, OrchestratorError, SensitiveOutput};
use aws_smithy_runtime_api::client::result::SdkError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponentsBuilder;
use aws_smithy_runtime_api::client::runtime_plugin::{SharedRuntimePlugin, StaticRuntimePlugin};
use aws_smithy_runtime_api::client::ser_de::DeserializeResponse;
use aws_smithy_runtime_api::http::Headers;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::byte_stream::ByteStream;
use aws_smithy_types::config_bag::{ConfigBag, Layer};
use aws_smithy_types::date_time::{DateTime, Format};
use aws_smithy_types::error::metadata::{ErrorMetadata, ProvideErrorMetadata};
use aws_smithy_types::retry::RetryConfig;
use aws_smithy_types::timeout::TimeoutConfig;
use aws_types::SigningName;
use aws_types::region::{Region, SigningRegion};
use http_body_util::Limited;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::fmt;
use std::ops::RangeToInclusive;
use std::time::Duration;

/// An attempt that takes longer than this was lost.
const ATTEMPT: Duration = Duration::from_secs(5);
const CONNECT: Duration = Duration::from_secs(2);

/// Statuses that pass. What S3 says without them, such as `SlowDown`, the SDK's list of codes has.
const PASSING: [u16; 5] = [429, 500, 502, 503, 504];

/// Bytes of an answer that is read whole, at most: a page of a thousand of the longest keys has half of them.
const MAX_ANSWER: usize = 8 << 20;

/// What a signature leaves as it is. S3, unlike all other services, encodes a key once.
const IN_QUERY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
const IN_PATH: &AsciiSet = &IN_QUERY.remove(b'/');

/// What went wrong with a request.
pub(crate) type Failure = SdkError<Refusal, HttpResponse>;

/// How a client reaches its bucket.
#[derive(Debug)]
pub(crate) struct Setup {
    /// What keys are put behind.
    pub(crate) address: String,
    /// Where requests are signed for; a bucket whose region is not known is asked nothing.
    pub(crate) region: Option<Region>,
    pub(crate) retries: RetryConfig,
    /// What of the SDK's is put in place of the usual: where credentials come from, and what tests change.
    pub(crate) components: RuntimeComponentsBuilder,
}

impl Setup {
    pub(crate) fn new(address: String, region: Option<Region>, credentials: Option<SharedCredentialsProvider>) -> Self {
        // Shared by all requests: credentials are asked for when they expire, and a clock is found wrong once.
        let mut components = RuntimeComponentsBuilder::new("bucket")
            .with_identity_cache(Some(IdentityCache::lazy().build()))
            .with_interceptor(ServiceClockSkewInterceptor::new());
        if let Some(credentials) = credentials {
            components.set_identity_resolver(SCHEME_ID, credentials);
        }
        Self {
            address,
            region,
            retries: RetryConfig::standard().with_max_attempts(3),
            components,
        }
    }
}

/// A client of one bucket. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Client {
    objects: Operation<Ask, Object, Refusal>,
    pages: Operation<Ask, Page, Refusal>,
}

impl Client {
    pub(crate) fn new(setup: &Setup) -> Self {
        // One client, so that they have their connections together.
        let https = default_http_client_plugin_v2(BehaviorVersion::latest());
        Self {
            objects: operation(setup, https.clone(), Objects),
            pages: operation(setup, https, Pages),
        }
    }

    pub(crate) async fn head_object(&self, key: &str) -> Result<Object, Failure> {
        self.objects.invoke(Ask::new("HEAD", key)).await
    }

    pub(crate) async fn get_object(&self, key: &str) -> Result<Object, Failure> {
        self.objects.invoke(Ask::new("GET", key)).await
    }

    /// The first bytes of an object.
    pub(crate) async fn get_object_range(&self, key: &str, range: RangeToInclusive<usize>) -> Result<Object, Failure> {
        let range = format!("bytes=0-{}", range.end);
        self.objects.invoke(Ask::new("GET", key).header("range", range)).await
    }

    pub(crate) async fn put_object(&self, key: &str, headers: Sent<'_>, body: &[u8]) -> Result<Object, Failure> {
        let mut ask = Ask::new("PUT", key);
        ask.headers = headers.to_vec();
        // Of an empty body nothing says the length by itself, and S3 refuses a write without one (411).
        if body.is_empty() {
            ask = ask.header("content-length", "0".to_owned());
        }
        ask.body = body.to_vec();
        self.objects.invoke(ask).await
    }

    /// A page of the objects whose keys begin with this.
    pub(crate) async fn list_objects_v2(&self, prefix: &str, from: Option<&str>) -> Result<Page, Failure> {
        // Encoded: a name may hold what XML cannot.
        let mut ask = Ask::new("GET", "")
            .query("list-type", "2")
            .query("encoding-type", "url");
        ask = ask.query("prefix", prefix);
        if let Some(from) = from {
            ask = ask.query("continuation-token", from);
        }
        self.pages.invoke(ask).await
    }
}

/// Headers of a request.
pub(crate) type Sent<'a> = &'a [(&'static str, String)];

/// A request.
#[derive(Debug)]
pub(crate) struct Ask {
    method: &'static str,
    /// With its query, behind the address of the bucket.
    path: String,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

impl Ask {
    fn new(method: &'static str, key: &str) -> Self {
        Self {
            method,
            path: format!("/{}", utf8_percent_encode(key, IN_PATH)),
            headers: Vec::new(),
            body: Vec::new(),
        }
    }

    fn query(mut self, name: &'static str, value: &str) -> Self {
        let mark = if self.path.contains('?') { '&' } else { '?' };
        self.path += &format!("{mark}{name}={}", utf8_percent_encode(value, IN_QUERY));
        self
    }

    fn header(mut self, name: &'static str, value: String) -> Self {
        self.headers.push((name, value));
        self
    }

    fn request(self) -> Result<HttpRequest, BoxError> {
        let mut request = HttpRequest::new(SdkBody::from(self.body));
        request.set_method(self.method)?;
        request.set_uri(self.path)?;
        let headers = request.headers_mut();
        headers.insert("user-agent", concat!("meadow/", env!("CARGO_PKG_VERSION")));
        for (name, value) in self.headers {
            headers.try_insert(name, value)?;
        }
        Ok(request)
    }
}

/// An object as S3 gives it, or says of it.
#[derive(Debug)]
pub(crate) struct Object {
    headers: Headers,
    body: SdkBody,
}

impl Object {
    /// How many bytes it has; none where S3 does not say.
    pub(crate) fn size(&self) -> Option<u64> {
        self.headers.get("content-length")?.parse().ok()
    }

    /// When it was written, in seconds.
    pub(crate) fn modified(&self) -> Option<i64> {
        let said = self.headers.get("last-modified")?;
        DateTime::from_str(said, Format::HttpDate).ok().map(|at| at.secs())
    }

    pub(crate) fn etag(&self) -> Option<&str> {
        self.headers.get("etag")
    }

    /// A piece of its metadata.
    pub(crate) fn metadata(&self, header: &str) -> Option<&str> {
        self.headers.get(header)
    }

    pub(crate) fn into_body(self) -> ByteStream {
        ByteStream::new(self.body)
    }
}

/// A status that is no success, with the code that S3 gives its errors.
#[derive(Debug)]
pub(crate) struct Refusal {
    said: ErrorMetadata,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.said.code().unwrap_or("no code"))
    }
}

impl std::error::Error for Refusal {}

impl ProvideErrorMetadata for Refusal {
    fn meta(&self) -> &ErrorMetadata {
        &self.said
    }
}

/// Gives an object when its answer begins.
#[derive(Debug)]
struct Objects;

impl DeserializeResponse for Objects {
    fn deserialize_streaming_with_config(
        &self,
        response: &mut HttpResponse,
        _: &ConfigBag,
    ) -> Option<Result<Output, OrchestratorError<Error>>> {
        if !response.status().is_success() {
            bound(response);
            return None;
        }
        Some(Ok(Output::erase(Object {
            headers: response.headers().clone(),
            body: response.take_body(),
        })))
    }

    fn deserialize_nonstreaming_with_config(
        &self,
        response: &HttpResponse,
        _: &ConfigBag,
    ) -> Result<Output, OrchestratorError<Error>> {
        Err(refusal(response))
    }
}

/// Gives a page when all of it is here.
#[derive(Debug)]
struct Pages;

impl DeserializeResponse for Pages {
    fn deserialize_streaming_with_config(
        &self,
        response: &mut HttpResponse,
        _: &ConfigBag,
    ) -> Option<Result<Output, OrchestratorError<Error>>> {
        bound(response);
        None
    }

    fn deserialize_nonstreaming_with_config(
        &self,
        response: &HttpResponse,
        _: &ConfigBag,
    ) -> Result<Output, OrchestratorError<Error>> {
        if !response.status().is_success() {
            return Err(refusal(response));
        }
        let page = xml::page(response.body().bytes().unwrap_or_default());
        page.map(Output::erase)
            .map_err(|why| OrchestratorError::response(why.into()))
    }
}

/// Lets no answer that is read whole be too long.
fn bound(response: &mut HttpResponse) {
    let body = Limited::new(response.take_body(), MAX_ANSWER);
    *response.body_mut() = SdkBody::from_body_1_x(body);
}

fn refusal(response: &HttpResponse) -> OrchestratorError<Error> {
    let mut said = ErrorMetadata::builder();
    if let Some(code) = response.body().bytes().and_then(xml::code) {
        said = said.code(code);
    }
    OrchestratorError::operation(Error::erase(Refusal { said: said.build() }))
}

/// How requests are signed, sent and repeated.
fn operation<O: fmt::Debug + Send + Sync + 'static>(
    setup: &Setup,
    https: Option<SharedRuntimePlugin>,
    answer: impl DeserializeResponse + 'static,
) -> Operation<Ask, O, Refusal> {
    let is_known = setup.region.is_some();
    let timeouts = TimeoutConfig::builder()
        .connect_timeout(CONNECT)
        .operation_attempt_timeout(ATTEMPT)
        .operation_timeout(WHOLE)
        .build();
    let mut operation = Operation::builder()
        .service_name("S3")
        .operation_name("S3")
        .behavior_version(BehaviorVersion::latest())
        .endpoint_url(&setup.address)
        .timeout_config(timeouts)
        .standard_retry(&setup.retries)
        .retry_classifier(TransientErrorClassifier::<Refusal>::new())
        .retry_classifier(HttpStatusCodeClassifier::new_from_codes(PASSING.as_slice()))
        .retry_classifier(AwsErrorCodeClassifier::<Refusal>::new())
        .retry_classifier(ServiceClockSkewClassifier::<Refusal>::new())
        .with_connection_poisoning();
    if let Some(https) = https {
        operation = operation.runtime_plugin(https);
    }
    operation
        .runtime_plugin(signed(setup))
        .serializer(move |ask: Ask| match is_known {
            true => ask.request(),
            false => Err("its region is not known: set AWS_REGION".into()),
        })
        .deserializer_impl(answer)
        .build()
}

/// AWS's signature, version 4, as S3 has it: the key encoded once and as it stands, and a hash of the body.
fn signed(setup: &Setup) -> StaticRuntimePlugin {
    let mut signing_options = SigningOptions::default();
    signing_options.double_uri_encode = false;
    signing_options.normalize_uri_path = false;
    signing_options.content_sha256_header = true;
    let mut layer = Layer::new("signed");
    layer.store_put(AuthSchemeOptionResolverParams::new(()));
    layer.store_put(SigV4OperationSigningConfig {
        region: setup.region.clone().map(SigningRegion::from),
        name: Some(SigningName::from_static("s3")),
        signing_options,
        ..SigV4OperationSigningConfig::default()
    });
    // Keeps what is read out of the most talkative logs.
    layer.store_put(SensitiveOutput);
    let components = setup
        .components
        .clone()
        .with_auth_scheme_option_resolver(Some(StaticAuthSchemeOptionResolver::new(vec![SCHEME_ID])))
        .with_auth_scheme(SigV4AuthScheme::new());
    StaticRuntimePlugin::new()
        .with_config(layer.freeze())
        .with_runtime_components(components)
}
