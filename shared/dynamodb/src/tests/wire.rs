//! What goes wrong between the store and DynamoDB, by request.

use aws_sdk_dynamodb::config::interceptors::BeforeSerializationInterceptorContextRef;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use aws_sdk_dynamodb::operation::batch_get_item::BatchGetItemInput;
use aws_sdk_dynamodb::operation::get_item::GetItemInput;
use aws_sdk_dynamodb::operation::query::QueryInput;
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::http::StatusCode;
use std::fmt;
use std::sync::{Arc, Mutex};

/// Refuses every read of the table that is not consistent: the server of the tests does not care.
#[derive(Debug)]
pub(super) struct ConsistentReads;

impl Intercept for ConsistentReads {
    fn name(&self) -> &'static str {
        "ConsistentReads"
    }

    fn read_before_execution(
        &self,
        context: &BeforeSerializationInterceptorContextRef<'_>,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let input = context.input();
        let get = input
            .downcast_ref::<GetItemInput>()
            .map(|get| get.consistent_read == Some(true));
        // An index cannot be read consistently; what it names is read from the table.
        let query = input
            .downcast_ref::<QueryInput>()
            .map(|query| query.index_name.is_some() || query.consistent_read == Some(true));
        let batch = input.downcast_ref::<BatchGetItemInput>().map(|batch| {
            let mut tables = batch.request_items.iter().flat_map(|items| items.values());
            tables.all(|keys| keys.consistent_read == Some(true))
        });
        match get.or(query).or(batch) {
            Some(false) => Err(format!("a read that is not consistent: {input:?}").into()),
            _ => Ok(()),
        }
    }
}

/// The first half of an answer.
const CUT: &str = r#"{"Item":{"name":{"S":"first"},"#;

/// What becomes of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is done and answered.
    Answered,
    /// It is done, and the answer is lost.
    ReplyLost,
    /// It is done, and [`CUT`] of the answer arrives.
    ReplyCut,
    /// It is not done: DynamoDB puts all that was asked for off.
    PutOff,
    /// It never arrives.
    Lost,
    /// It is not done: DynamoDB answers with this status and error.
    Refused(u16, &'static str),
}

type Decide = dyn FnMut(usize) -> Fate + Send;

/// A client whose requests, counted from 0, meet the fate that a function decides.
#[derive(Clone)]
pub(super) struct Wire {
    inner: SharedHttpClient,
    fate: Arc<Mutex<(usize, Box<Decide>)>>,
}

impl Wire {
    pub(super) fn new(decide: impl FnMut(usize) -> Fate + Send + 'static) -> Self {
        Self {
            inner: aws_smithy_http_client::Builder::new().build_http(),
            fate: Arc::new(Mutex::new((0, Box::new(decide)))),
        }
    }

    /// How many requests there were.
    pub(super) fn count(&self) -> usize {
        self.fate.lock().expect("no panic").0
    }

    fn next(&self) -> Fate {
        let mut fate = self.fate.lock().expect("no panic");
        let (count, decide) = &mut *fate;
        *count += 1;
        decide(*count - 1)
    }
}

impl fmt::Debug for Wire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Wire")
    }
}

impl HttpClient for Wire {
    fn http_connector(&self, settings: &HttpConnectorSettings, components: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(Line {
            wire: self.clone(),
            inner: self.inner.http_connector(settings, components),
        })
    }
}

#[derive(Debug)]
struct Line {
    wire: Wire,
    inner: SharedHttpConnector,
}

fn lost() -> ConnectorError {
    ConnectorError::io("the connection was reset".into())
}

impl HttpConnector for Line {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let fate = self.wire.next();
        let inner = self.inner.clone();
        HttpConnectorFuture::new(async move {
            match fate {
                Fate::Answered => inner.call(request).await,
                Fate::ReplyLost => {
                    inner.call(request).await?;
                    Err(lost())
                }
                Fate::ReplyCut => {
                    let answer = inner.call(request).await?;
                    Ok(HttpResponse::new(answer.status(), CUT.into()))
                }
                Fate::PutOff => {
                    let asked = request
                        .body()
                        .bytes()
                        .and_then(|body| serde_json::from_slice(body).ok());
                    let asked: serde_json::Value = asked.unwrap_or_default();
                    let answer = serde_json::json!({"Responses": {}, "UnprocessedKeys": asked["RequestItems"]});
                    Ok(HttpResponse::new(
                        StatusCode::try_from(200).expect("a status"),
                        answer.to_string().into(),
                    ))
                }
                Fate::Lost => Err(lost()),
                Fate::Refused(status, error) => {
                    let status = StatusCode::try_from(status).map_err(|e| ConnectorError::other(e.into(), None))?;
                    let body =
                        format!("{{\"__type\":\"com.amazonaws.dynamodb.v20120810#{error}\",\"message\":\"injected\"}}");
                    Ok(HttpResponse::new(status, body.into()))
                }
            }
        })
    }
}
