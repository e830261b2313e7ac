//! Whatever text comes as a document: it is read, or told with its places; never a panic, and JSON is what `serde_json`
//! takes for JSON. What comes is made of real documents that were damaged.

use crate::limits::MAX_NAMED;
use crate::{Refusal, parse, text_of};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;

const DOCUMENTS: [&str; 3] = [
    include_str!("../../../models/01-bathtub.json"),
    include_str!("../../../models/09-sir-epidemic.json"),
    include_str!("../../../tests/documents/25-valid-cjk.json"),
];

/// Pieces that stand where others are expected.
const PIECES: [&str; 24] = [
    "null",
    "true",
    "-0",
    "1e400",
    "1e-400",
    "1.5",
    "123456789012345678901234567890",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\"\\ud83d\\ude00\"",
    "\"\u{feff}\"",
    "{}",
    "[]",
    "[[[[[[[[[[",
    "{\"a\":{\"a\":{\"a\":",
    "}",
    "]",
    "\"",
    "\\",
    ",",
    ":",
    "\u{1}",
    "水",
    "\"id\":\"x\",\"id\":\"y\",",
];

fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let damage = (any::<Index>(), 0_usize..30, select(&PIECES[..]), 0_usize..40);
    (select(&DOCUMENTS[..]), vec(damage, 0..6), any::<Option<Index>>()).prop_map(|(document, all, cut)| {
        let mut bytes = document.as_bytes().to_vec();
        for (at, size, piece, times) in all {
            let start = at.index(bytes.len().max(1)).min(bytes.len());
            let end = (start + size).min(bytes.len());
            let piece = if times > 30 {
                piece.repeat(times)
            } else {
                piece.to_owned()
            };
            drop(bytes.splice(start..end, piece.bytes()));
        }
        if let Some(cut) = cut.filter(|cut| cut.index(4) == 0) {
            bytes.truncate(cut.index(bytes.len().max(1)));
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(2_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_comes_as_a_document_is_read_or_told(bytes in prop_oneof![9 => damaged(), 1 => vec(any::<u8>(), 0..300)]) {
        let Ok(text) = text_of(&bytes) else {
            prop_assert!(std::str::from_utf8(&bytes).is_err());
            return Ok(());
        };
        let theirs = serde_json::from_str::<Value>(text);
        match parse(text) {
            Ok(_) => prop_assert!(theirs.is_ok_and(|value| value.is_object()), "{}", text),
            Err(Refusal::NotJson(at)) => {
                prop_assert!(theirs.is_err(), "{}: {}", at, text);
                prop_assert!((1..=text.lines().count() + 1).contains(&at.line), "{}: {}", at, text);
            }
            Err(Refusal::Schema(faults)) => {
                let named = faults.named();
                prop_assert!(!named.is_empty() && named.len() <= MAX_NAMED && named.len() <= faults.total());
                for fault in named {
                    prop_assert!(!fault.detail().is_empty());
                    let pointer = fault.pointer.as_str();
                    prop_assert!(pointer.is_empty() || pointer.starts_with('/'), "{}", pointer);
                }
            }
        }
    }
}
