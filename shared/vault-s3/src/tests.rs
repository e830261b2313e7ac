//! The vault against a real server that speaks S3: `MEADOW_MINISTACK` is its URL. `tests/run tests` starts one.

mod attacks;
mod encrypted;
mod faults;
mod layout;
mod signatures;
mod sockets;
mod wire;

use crate::client::Setup;
use crate::place::{self, Place};
use crate::{Credentials, Region, S3Vault};
use aws_config::BehaviorVersion;
use aws_sdk_s3::Client;
use aws_sdk_s3::primitives::ByteStream;
use aws_smithy_types::retry::RetryConfig;
use meadow_notes::NotePath;
use meadow_service::contract::notes::assert_keeps_the_contract;
use meadow_service::notes::{Expect, NoteHead, NoteStore, VaultError, WriteOutcome};
use meadow_service::{Timestamp, Workspace, WriteId};
use std::sync::Arc;
use std::time::Duration;

/// When a write happens whose time does not matter.
const NOON: Timestamp = Timestamp(1_764_500_000_123);

/// Bytes that a read takes where its limit does not matter.
const MOST: u64 = 1 << 20;

/// The server of the environment. Without one says that the test is left out.
fn server() -> Option<String> {
    let url = std::env::var("MEADOW_MINISTACK").ok().filter(|url| !url.is_empty());
    if url.is_none() {
        println!("left out: MEADOW_MINISTACK does not name a server that speaks S3; `tests/run tests` starts one");
    }
    url
}

/// A bucket of its own on the server, with vaults below `team/notes`.
#[derive(Debug, Clone)]
struct Bucket {
    place: Place,
    client: Client,
}

impl Bucket {
    async fn new(url: &str) -> Self {
        let WriteId(name) = WriteId::random().expect("randomness");
        let place = Place {
            bucket: format!("meadow-{name:032x}"),
            prefix: "team/notes".to_owned(),
            endpoint: Some(url.to_owned()),
        };
        let client = Client::from_conf(sdk(url));
        let made = client.create_bucket().bucket(&place.bucket).send().await;
        made.expect("the server makes a bucket");
        Self { place, client }
    }

    fn vault(&self) -> S3Vault {
        self.vault_with(|_| {})
    }

    /// The vault with a client that is changed.
    fn vault_with(&self, change: impl FnOnce(&mut Setup)) -> S3Vault {
        vault_with(&self.place, change)
    }

    /// Puts an object as another program would.
    async fn plant(&self, key: &str, bytes: &[u8]) {
        let put = self.client.put_object().bucket(&self.place.bucket).key(key);
        let put = put.body(ByteStream::from(bytes.to_vec())).send().await;
        put.unwrap_or_else(|error| panic!("{key:?} is not planted: {error:?}"));
    }

    /// All keys with their bytes, by key.
    async fn everything(&self) -> Vec<(String, Vec<u8>)> {
        let list = self.client.list_objects_v2().bucket(&self.place.bucket).send().await;
        let mut all = Vec::new();
        for object in list.expect("the server lists").contents() {
            let key = object.key().expect("a key").to_owned();
            let get = self.client.get_object().bucket(&self.place.bucket).key(&key).send();
            let body = get.await.expect("the server gives").body.collect().await;
            all.push((key, body.expect("all of it").to_vec()));
        }
        all
    }
}

/// A vault whose client is as everywhere, but that retries wait for nothing, and what is changed.
fn vault_with(place: &Place, change: impl FnOnce(&mut Setup)) -> S3Vault {
    let credentials = Credentials::new("test", "test", None, None, "test");
    let mut setup = place::setup(place, Region::from_static("us-east-1"), credentials);
    setup.retries = setup.retries.with_initial_backoff(Duration::from_millis(1));
    change(&mut setup);
    S3Vault::new(&setup, place)
}

/// Another program: AWS's own client.
fn sdk(url: &str) -> aws_sdk_s3::Config {
    aws_sdk_s3::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::from_static("us-east-1"))
        .credentials_provider(Credentials::new("test", "test", None, None, "test"))
        .retry_config(RetryConfig::standard().with_initial_backoff(Duration::from_millis(1)))
        .endpoint_url(url)
        .force_path_style(true)
        .build()
}

fn path(text: &str) -> NotePath {
    NotePath::parse(text).expect("a path of a note")
}

async fn write(vault: &S3Vault, name: &str, text: &str, expected: &Expect) -> Result<WriteOutcome, VaultError> {
    let workspace = Workspace::default();
    vault
        .write(&workspace, &path(name), text.as_bytes(), expected, NOON)
        .await
}

/// A write that must be done.
async fn written(vault: &S3Vault, name: &str, text: &str) -> NoteHead {
    match write(vault, name, text, &Expect::Any).await {
        Ok(WriteOutcome::Written(head)) => head,
        other => panic!("{name} is not written: {other:?}"),
    }
}

/// The text of a note; none where it is not there.
async fn text(vault: &S3Vault, name: &str) -> Option<String> {
    let read = vault.read(&Workspace::default(), &path(name), MOST).await;
    let note = read.expect("the vault reads")?;
    Some(String::from_utf8(note.bytes).expect("UTF-8"))
}

async fn listed(vault: &S3Vault) -> Vec<String> {
    let list = vault.list(&Workspace::default()).await.expect("the vault lists");
    list.into_iter().map(|head| head.path.to_string()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn keeps_the_contract() {
    let Some(url) = server() else {
        return;
    };
    let make = || {
        let made = async { Arc::new(Bucket::new(&url).await.vault()) as Arc<dyn NoteStore> };
        tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(made))
    };
    assert_keeps_the_contract(make, 8).await;
}
