//! The documents that pin the reading of the requirements (tests/documents), posted.

use super::Client;
use axum::body::Body;
use serde_json::Value;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/documents")
}

#[tokio::test]
async fn every_document_is_judged_as_expected() {
    let expected = std::fs::read(folder().join("expected.json")).expect("expected.json");
    let expected: Value = serde_json::from_slice(&expected).expect("JSON");
    let client = Client::new();
    let mut latest = None;
    let mut faults = Vec::new();
    let rows = expected.as_object().expect("rows");
    assert!(rows.len() >= 38, "{}", rows.len());
    for (name, row) in rows {
        let bytes = std::fs::read(folder().join(format!("{name}.json"))).expect("a document");
        let reply = client
            .send("POST", "/model", &[("content-type", "application/json")], bytes.clone())
            .await;
        // Which of the two a text that is JSON only in part gets is left open.
        let either = [
            "28-lone-surrogate",
            "31-1e400",
            "33-duplicate-keys",
            "36-deep-100000",
            "37-deep-200",
        ];
        let status_fits = u64::from(reply.status) == row["http"]
            || (either.contains(&name.as_str()) && [400, 422].contains(&reply.status));
        if !status_fits {
            faults.push(format!("{name}: {reply:?}"));
            continue;
        }
        if reply.status == 200 {
            let answer = reply.json();
            let missing = |v: &Value| {
                let mut paths: Vec<_> = v.as_array().expect("a list").iter().map(ToString::to_string).collect();
                paths.sort_unstable();
                paths
            };
            let warnings = answer["inconsistency_warnings"].as_array().map(Vec::len);
            if answer["complete"] != row["complete"]
                || missing(&answer["missing_fields"]) != missing(&row["missing_fields"])
                || warnings.map(|n| n as u64) != row["warnings"].as_u64()
            {
                faults.push(format!("{name}: {}", String::from_utf8_lossy(&reply.body)));
            }
            latest = Some(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes).to_vec());
        } else {
            let problem = reply.problem(reply.status);
            let pointers = problem["errors"].as_array().map_or(0, Vec::len);
            let wanted = row["faults"]
                .as_array()
                .map_or(usize::from(reply.status == 422), Vec::len);
            if pointers < wanted {
                faults.push(format!("{name}: {problem}"));
            }
        }
        let stored = client.send("GET", "/model", &[], Body::empty()).await;
        assert_eq!(
            latest.as_deref(),
            (stored.status == 200).then_some(&stored.body[..]),
            "{name}"
        );
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
