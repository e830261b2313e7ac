//! Signatures, held against those that AWS publishes and those of another implementation.

use crate::client::{Client, Setup};
use crate::place::{Place, setup};
use crate::{Credentials, Region};
use aws_smithy_async::time::{SharedTimeSource, StaticTimeSource};
use aws_smithy_runtime_api::client::http::{
    HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

/// The credentials of AWS's examples.
const ID: &str = "AKIAIOSFODNN7EXAMPLE";
const SECRET: &str = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";

/// Keeps requests and sends none.
#[derive(Debug, Clone, Default)]
struct Tape(Arc<Mutex<Vec<HttpRequest>>>);

impl HttpConnector for Tape {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        self.0.lock().expect("no panic").push(request);
        let page = "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>";
        let status = StatusCode::try_from(200).map_err(|error| ConnectorError::other(error.into(), None));
        HttpConnectorFuture::ready(status.map(|status| HttpResponse::new(status, SdkBody::from(page))))
    }
}

impl HttpClient for Tape {
    fn http_connector(&self, _: &HttpConnectorSettings, _: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

/// A client at a time that stands still, in seconds since 1970.
fn client(mut setup: Setup, at: u64) -> (Client, Tape) {
    let tape = Tape::default();
    setup.components.set_http_client(Some(tape.clone()));
    let at = StaticTimeSource::new(UNIX_EPOCH + Duration::from_secs(at));
    setup.components.set_time_source(Some(SharedTimeSource::new(at)));
    (Client::new(&setup), tape)
}

/// The one request that was sent since: its method and URL, and what it was signed with.
fn sent(tape: &Tape) -> (String, String) {
    let requests = std::mem::take(&mut *tape.0.lock().expect("no panic"));
    let [request] = requests.as_slice() else {
        panic!("one request, not {requests:?}");
    };
    let said = request.headers().get("authorization").expect("it is signed");
    (format!("{} {}", request.method(), request.uri()), said.to_owned())
}

/// An `Authorization` as it should be.
fn signed(scope: &str, names: &str, signature: &str) -> String {
    format!("AWS4-HMAC-SHA256 Credential={ID}/{scope}/s3/aws4_request, SignedHeaders={names}, Signature={signature}")
}

/// Those of "Authenticating Requests (AWS Signature Version 4)" in the reference of S3's API that the vault could send.
#[tokio::test]
async fn the_examples_of_aws() {
    const SCOPE: &str = "20130524/us-east-1";
    let place = "s3:examplebucket".parse::<Place>().expect("a place");
    let credentials = Credentials::new(ID, SECRET, None, None, "example");
    let mut setup = setup(&place, Region::from_static("us-east-1"), credentials);
    setup.address = "https://examplebucket.s3.amazonaws.com".to_owned();
    let (client, tape) = client(setup, 1_369_353_600);

    client.get_object_range("test.txt", ..=9).await.expect("an answer");
    let (request, said) = sent(&tape);
    assert_eq!(request, "GET https://examplebucket.s3.amazonaws.com/test.txt");
    let names = "host;range;x-amz-content-sha256;x-amz-date";
    let signature = "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41";
    assert_eq!(said, signed(SCOPE, names, signature));

    let headers = [
        ("date", "Fri, 24 May 2013 00:00:00 GMT".to_owned()),
        ("x-amz-storage-class", "REDUCED_REDUNDANCY".to_owned()),
    ];
    let put = client.put_object("test$file.text", &headers, b"Welcome to Amazon S3.");
    put.await.expect("an answer");
    let (request, said) = sent(&tape);
    assert_eq!(request, "PUT https://examplebucket.s3.amazonaws.com/test%24file.text");
    let names = "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class";
    let signature = "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd";
    assert_eq!(said, signed(SCOPE, names, signature));
}

/// What botocore 1.43.106 makes of the same requests at the same time: names that are not ASCII, a session, conditions.
#[tokio::test]
async fn the_signatures_of_botocore() {
    const KEY: &str = "team/notes/default/文献/量子 计算 (a+b) 100%~'é'.md";
    const URL: &str = "https://notes.s3.cn-north-1.amazonaws.com.cn/team/notes/default/%E6%96%87%E7%8C%AE/%E9%87%8F%E5%AD%90%20%E8%AE%A1%E7%AE%97%20%28a%2Bb%29%20100%25~%27%C3%A9%27.md";
    const LIST: &str = "https://notes.s3.cn-north-1.amazonaws.com.cn/?list-type=2&encoding-type=url&prefix=team%2Fnotes%2F%E9%BB%98%E8%AE%A4%2F&continuation-token=1%2Fw%3D%3D%26x%20%2B";
    const SCOPE: &str = "20251130/cn-north-1";
    let place = "s3:notes/team/notes".parse::<Place>().expect("a place");
    let token = Some("session/token+of=examples".to_owned());
    let credentials = Credentials::new(ID, SECRET, token, None, "example");
    let setup = setup(&place, Region::from_static("cn-north-1"), credentials);
    let (client, tape) = client(setup, 1_764_500_000);

    let headers = [
        ("content-type", "text/markdown; charset=utf-8".to_owned()),
        ("x-amz-meta-mtime", "1764500000.123".to_owned()),
        ("x-amz-meta-ctime", "1764500000.123".to_owned()),
        ("x-amz-meta-meadow-write", "0123456789abcdef0123456789abcdef".to_owned()),
        ("if-none-match", "*".to_owned()),
    ];
    let put = client.put_object(KEY, &headers, "# 文\n".as_bytes());
    put.await.expect("an answer");
    let (request, said) = sent(&tape);
    assert_eq!(request, format!("PUT {URL}"));
    let names = "content-type;host;if-none-match;x-amz-content-sha256;x-amz-date;x-amz-meta-ctime;\
                 x-amz-meta-meadow-write;x-amz-meta-mtime;x-amz-security-token";
    let signature = "a3ef06c57cbc320b5ee244be96823ea452cefe3aedaa2ea6e020a0a351e09b63";
    assert_eq!(said, signed(SCOPE, names, signature));

    let names = "host;x-amz-content-sha256;x-amz-date;x-amz-security-token";
    client.head_object(KEY).await.expect("an answer");
    let (request, said) = sent(&tape);
    assert_eq!(request, format!("HEAD {URL}"));
    let signature = "5a7f11919c309e28678371bfeb86765383d2aec1ad87285638eb6946f93401b6";
    assert_eq!(said, signed(SCOPE, names, signature));

    let list = client.list_objects_v2("team/notes/默认/", Some("1/w==&x +"));
    list.await.expect("an answer");
    let (request, said) = sent(&tape);
    assert_eq!(request, format!("GET {LIST}"));
    let signature = "9b037d66f269b4f38ef9f05f2193f5ea079768e0681c3a568a799cb46cd64395";
    assert_eq!(said, signed(SCOPE, names, signature));
}
