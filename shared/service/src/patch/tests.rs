//! Patches as use cases.

use super::*;
use crate::clock::SystemClock;
use crate::memory::MemoryStore;
use crate::service::LatestIs;
use meadow_model::patch::PatchError;

fn service() -> (Service, Caller) {
    (
        Service::new(Arc::new(MemoryStore::new()), Arc::new(SystemClock)),
        Caller::default(),
    )
}

const TUB: &str = r#"{ "system_name":"Tub", "stocks":[{"id":"water","unit":"l", "initial":1.50}] }"#;

fn unit(value: &str) -> Patch {
    Patch::operations(&format!(
        r#"[{{"op":"replace","path":"/stocks/water/unit","value":{value}}}]"#
    ))
    .unwrap()
}

async fn with_tub() -> (Service, Caller) {
    let (service, caller) = service();
    service.write_model(&caller, TUB, None, Expectation::Any).await.unwrap();
    (service, caller)
}

#[tokio::test]
async fn a_patch_is_a_write_like_any_other() {
    let (service, caller) = with_tub().await;
    let strict = Values::Strict;
    let changed = service
        .patch_model(&caller, None, unit("\"m3\""), strict, Expectation::Any)
        .await
        .unwrap();
    assert_eq!((changed.written.head.revision, changed.written.unchanged), (2, false));
    assert_eq!(&*changed.text, TUB.replace("\"l\"", "\"m3\""));
    assert_eq!(changed.applied, ["replace /stocks/0/unit (id water)"]);
    assert!(changed.written.report.missing_fields.contains(&"version".to_owned()));
    let latest = service.latest(&caller).await.unwrap();
    assert_eq!(latest.text, changed.text);
    let again = service
        .patch_model(&caller, Some("tub"), unit("\"m3\""), strict, Expectation::Any)
        .await
        .unwrap();
    assert!(again.written.unchanged);
    let error = service
        .patch_model(&caller, Some("moon"), unit("\"m3\""), strict, Expectation::Any)
        .await
        .unwrap_err();
    assert!(matches!(error, Error::NotFound(_)), "{error}");
}

#[tokio::test]
async fn what_is_refused_changes_nothing() {
    let (service, caller) = with_tub().await;
    let patch = async |patch: Patch, values| {
        service
            .patch_model(&caller, None, patch, values, Expectation::Any)
            .await
    };
    let refused = patch(unit("5"), Values::Strict).await.unwrap_err();
    let Error::Refused(Refusal::Schema(faults)) = refused else {
        panic!("{refused}")
    };
    assert_eq!(faults.named()[0].pointer.as_str(), "/stocks/0/unit");
    let test = Patch::operations(r#"[{"op":"test","path":"/version","value":"1"}]"#).unwrap();
    let failed = patch(test, Values::Strict).await.unwrap_err();
    assert!(
        matches!(failed, Error::Patch(PatchError::TestFailed { operation: 0, .. })),
        "{failed}"
    );
    // JSON text is read only where something else is demanded, and only when asked to.
    let stocks = || Patch::merge(r#"{"version":"5","stocks":"[{\"id\":\"b\",\"initial\":2.0}]"}"#).unwrap();
    assert!(patch(stocks(), Values::Strict).await.is_err());
    assert_eq!(&*service.latest(&caller).await.unwrap().text, TUB);
    let read = patch(stocks(), Values::Lenient).await.unwrap();
    assert_eq!(
        &*read.text,
        r#"{ "system_name":"Tub", "stocks":[{"id":"b","initial":2.0}], "version":"5" }"#
    );
    assert!(
        patch(Patch::merge(r#"{"stocks":"none"}"#).unwrap(), Values::Lenient)
            .await
            .is_err()
    );
}

#[tokio::test]
async fn expectations_hold_for_what_was_read() {
    let (service, caller) = with_tub().await;
    let patch = async |id: Option<&str>, expectation| {
        let patched = service.patch_model(&caller, id, unit("\"m3\""), Values::Strict, expectation);
        match patched.await {
            Ok(changed) => Ok(changed.written.head.revision),
            Err(Error::Conflict(head)) => Err(head.map(|head| head.revision)),
            Err(error) => panic!("{error}"),
        }
    };
    let tag = |revision| Expectation::Latest(LatestIs::OneOf(vec![(ModelId::new("tub").unwrap(), revision)]));
    assert_eq!(patch(Some("tub"), Expectation::OneOf(vec![7])).await, Err(Some(1)));
    assert_eq!(patch(Some("tub"), Expectation::OneOf(vec![7, 8])).await, Err(Some(1)));
    assert_eq!(patch(Some("tub"), Expectation::Absent).await, Err(Some(1)));
    assert_eq!(patch(None, tag(7)).await, Err(Some(1)));
    assert_eq!(patch(None, tag(1)).await, Ok(2));
    assert_eq!(patch(Some("tub"), Expectation::OneOf(vec![7, 2])).await, Ok(2));
    assert_eq!(patch(Some("tub"), Expectation::Present).await, Ok(2));
}

#[tokio::test]
async fn revisions_are_restored_and_compared() {
    let (service, caller) = with_tub().await;
    let patched = service.patch_model(&caller, None, unit("\"m3\""), Values::Strict, Expectation::Any);
    patched.await.unwrap();
    let (head, diff) = service.compare(&caller, None, 1, None).await.unwrap();
    assert_eq!(
        (head.revision, diff.changed),
        (2, vec![r#"/stocks/water/unit: "l" -> "m3""#.to_owned()])
    );
    let stale = service
        .restore_revision(&caller, None, 1, Expectation::OneOf(vec![1]))
        .await;
    assert!(matches!(stale, Err(Error::Conflict(Some(_)))));
    let restored = service
        .restore_revision(&caller, None, 1, Expectation::OneOf(vec![2]))
        .await
        .unwrap();
    assert_eq!((restored.written.head.revision, &*restored.text), (3, TUB));
    service.delete(&caller, "tub", Expectation::Any).await.unwrap();
    let back = service
        .restore_revision(&caller, Some("tub"), 2, Expectation::Any)
        .await
        .unwrap();
    assert_eq!(back.written.head.revision, 5);
    let none = service.restore_revision(&caller, None, 77, Expectation::Any).await;
    assert!(matches!(none, Err(Error::NotFound(_))));
}
