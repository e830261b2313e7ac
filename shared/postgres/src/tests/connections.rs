//! Connections that fail, and what they say.

use super::*;
use meadow_service::export::TargetError;
use std::path::Path;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// Why an export into the database of this URL fails. No password is told.
async fn failure(url: &str, ca: Option<&Path>) -> TargetError {
    let target = PostgresTarget::new(Config::from_url(url, ca).unwrap());
    match exported(&MemoryStore::new(), &target).await {
        Err(ExportError::Target(error)) => {
            assert!(!error.to_string().contains("s3cret"), "{error}");
            error
        }
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn says(error: &TargetError, parts: &[&str]) {
    for part in parts {
        assert!(error.to_string().contains(part), "{part}: {error}");
    }
}

#[tokio::test]
async fn a_wrong_password_and_a_wrong_name_say_so() {
    let Some(database) = database().await else { return };
    let role = format!("{}_r", database.name);
    database
        .run(&format!("create role {role} login password 'right'"))
        .await;
    let wrong = failure(&database.url_of(&format!("{role}:s3cret")), None).await;
    says(&wrong, &["password authentication failed", &role, "PGPASSWORD"]);
    assert!(matches!(wrong, TargetError::Failed(_)));
    let none = failure(&database.url_of(&role), None).await;
    says(&none, &["asks for a password of user", &role, "PGPASSWORD"]);
    let nowhere = failure(&named(&database.server, "no_such_database"), None).await;
    says(&nowhere, &["no_such_database", "does not exist", "create the database"]);
    database.run(&format!("drop role {role}")).await;
}

#[tokio::test]
async fn a_role_that_may_not_create_is_told_what_an_operator_does() {
    let Some(database) = database().await else { return };
    let role = format!("{}_r", database.name);
    database
        .run(&format!("create role {role} login password 'right'"))
        .await;
    let url = database.url_of(&format!("{role}:right"));
    let refused = failure(&url, None).await;
    says(&refused, &["permission denied", "--print-schema", &role]);
    database.run(SCHEMA).await;
    let still = failure(&url, None).await;
    says(&still, &["permission denied", "usage on schema meadow"]);
    // The grants that the schema's own comment names.
    let grants = SCHEMA.lines().filter_map(|line| line.strip_prefix("--   "));
    let grants: String = grants.map(|grant| grant.replace("ROLE", &role)).collect();
    assert_eq!(grants.matches("grant").count(), 2);
    database.run(&grants).await;
    let run = exported(&store_of(2).await, &target(&url)).await.unwrap();
    assert_eq!(run.written, 2);
    database.run(&format!("drop owned by {role}; drop role {role}")).await;
}

#[tokio::test]
async fn tables_that_are_others_are_left_alone() {
    let Some(database) = database().await else { return };
    database
        .run("create schema meadow; create table meadow.models (id int); create table meadow.exports (id int)")
        .await;
    says(
        &failure(&database.url(), None).await,
        &["does not exist", "--print-schema"],
    );
}

#[tokio::test]
async fn a_database_that_cannot_hold_every_character_is_refused() {
    let Some(database) = made_as("encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'").await else {
        return;
    };
    says(&failure(&database.url(), None).await, &["SQL_ASCII", "encoding 'UTF8'"]);
}

#[tokio::test]
async fn a_server_that_is_away_says_so() {
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = closed.local_addr().unwrap();
    drop(closed);
    let away = failure(&format!("postgres://app:s3cret@{address}/x"), None).await;
    says(&away, &[&format!("{address}/x cannot be reached"), "refused"]);
    assert!(matches!(away, TargetError::Unavailable(_)));
}

#[tokio::test]
async fn a_server_that_says_nothing_is_given_up() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = silent.local_addr().unwrap();
    let url = format!("postgres://app:s3cret@{address}/x");
    let failing = tokio::spawn(async move { failure(&url, None).await });
    let (mut client, _) = silent.accept().await.unwrap();
    let mut begun = [0; 8];
    client.read_exact(&mut begun).await.unwrap();
    tokio::time::pause();
    says(&failing.await.unwrap(), &["did not answer within 25 s"]);
}

#[tokio::test]
async fn over_a_network_nothing_is_sent_to_a_server_without_encryption() {
    for mode in ["prefer", "allow", "require"] {
        let plain = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = plain.local_addr().unwrap().port();
        let url = format!("postgres://app:s3cret@db.example.org:{port}/x?hostaddr=127.0.0.1&sslmode={mode}");
        let failing = tokio::spawn(async move { failure(&url, None).await });
        let (mut client, _) = plain.accept().await.unwrap();
        let mut asked = [0; 8];
        client.read_exact(&mut asked).await.unwrap();
        assert_eq!(
            asked,
            [0, 0, 0, 8, 4, 210, 22, 47],
            "PostgreSQL's request for encryption"
        );
        client.write_all(b"N").await.unwrap();
        let mut rest = Vec::new();
        client.read_to_end(&mut rest).await.unwrap();
        assert_eq!(rest, b"", "nothing after the refusal");
        says(&failing.await.unwrap(), &["offers no encryption", "in the clear"]);
    }
}

/// The authority that issued the certificate of the server, where one was started so.
fn authority() -> Option<std::path::PathBuf> {
    let authority = std::env::var_os("MEADOW_TEST_POSTGRES_CA");
    if authority.is_none() {
        println!("left out: MEADOW_TEST_POSTGRES_CA names no authority");
    }
    authority.map(Into::into)
}

#[tokio::test]
async fn a_certificate_is_verified_in_full() {
    let (Some(ca), Some(database)) = (authority(), database().await) else {
        return;
    };
    let port = database
        .url()
        .rsplit_once(':')
        .unwrap()
        .1
        .split('/')
        .next()
        .unwrap()
        .to_owned();
    let url = |host: &str, mode: &str| format!("postgres://app@{host}:{port}/{}?sslmode={mode}", database.name);
    for mode in ["require", "verify-ca", "verify-full"] {
        // Issued for localhost by an authority that no platform trusts.
        let unknown = failure(&url("localhost", mode), None).await;
        says(&unknown, &["does not verify", "UnknownIssuer", "sslrootcert=FILE"]);
        assert!(matches!(unknown, TargetError::Failed(_)));
        let other_name = failure(&url("127.0.0.1", mode), Some(&ca)).await;
        says(&other_name, &["does not verify", "not valid for name", "127.0.0.1"]);
    }
    let elsewhere = format!(
        "postgres://app@db.example.org:{port}/{}?hostaddr=127.0.0.1",
        database.name
    );
    says(
        &failure(&elsewhere, Some(&ca)).await,
        &["does not verify", "db.example.org"],
    );

    let encoded = ca.to_str().unwrap().replace('/', "%2F");
    let right = target(&format!("{}&sslrootcert={encoded}", url("localhost", "verify-full")));
    let run = exported(&store_of(2).await, &right).await.unwrap();
    assert_eq!(run.written, 2);
    // It was really encrypted.
    let client = connect(&Config::from_url(&url("localhost", "verify-full"), Some(&ca)).unwrap())
        .await
        .unwrap();
    let encrypted = client
        .query_one("select ssl from pg_stat_ssl where pid = pg_backend_pid()", &[])
        .await;
    assert!(encrypted.unwrap().get::<_, bool>(0));
}

#[tokio::test]
async fn authorities_that_cannot_be_read_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let url = "postgres://app:s3cret@localhost/x?sslmode=verify-full";
    let missing = folder.path().join("missing.pem");
    says(
        &failure(url, Some(&missing)).await,
        &["missing.pem cannot be read", "MEADOW_POSTGRES_CA"],
    );
    let empty = folder.path().join("empty.pem");
    std::fs::write(&empty, "no certificate").unwrap();
    says(
        &failure(url, Some(&empty)).await,
        &["empty.pem cannot be read", "there is none"],
    );
}
