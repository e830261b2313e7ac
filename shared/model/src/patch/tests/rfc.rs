//! The examples of RFC 6902 (Appendix A) and RFC 7396 (Appendix A).

use super::{patched, refused, value};
use crate::patch::{Patch, PatchError};

/// Document, patch, result.
#[rustfmt::skip]
const APPENDIX_A: &[(&str, &str, &str, &str)] = &[
    ("A.1", r#"{"foo":"bar"}"#, r#"[{"op":"add","path":"/baz","value":"qux"}]"#, r#"{"baz":"qux","foo":"bar"}"#),
    ("A.2", r#"{"foo":["bar","baz"]}"#, r#"[{"op":"add","path":"/foo/1","value":"qux"}]"#, r#"{"foo":["bar","qux","baz"]}"#),
    ("A.3", r#"{"baz":"qux","foo":"bar"}"#, r#"[{"op":"remove","path":"/baz"}]"#, r#"{"foo":"bar"}"#),
    ("A.4", r#"{"foo":["bar","qux","baz"]}"#, r#"[{"op":"remove","path":"/foo/1"}]"#, r#"{"foo":["bar","baz"]}"#),
    ("A.5", r#"{"baz":"qux","foo":"bar"}"#, r#"[{"op":"replace","path":"/baz","value":"boo"}]"#, r#"{"baz":"boo","foo":"bar"}"#),
    ("A.6", r#"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#, r#"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#, r#"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#),
    ("A.7", r#"{"foo":["all","grass","cows","eat"]}"#, r#"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#, r#"{"foo":["all","cows","eat","grass"]}"#),
    ("A.8", r#"{"baz":"qux","foo":["a",2,"c"]}"#, r#"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#, r#"{"baz":"qux","foo":["a",2,"c"]}"#),
    ("A.10", r#"{"foo":"bar"}"#, r#"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#, r#"{"foo":"bar","child":{"grandchild":{}}}"#),
    ("A.11", r#"{"foo":"bar"}"#, r#"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#, r#"{"foo":"bar","baz":"qux"}"#),
    ("A.14", r#"{"/":9,"~1":10}"#, r#"[{"op":"test","path":"/~01","value":10}]"#, r#"{"/":9,"~1":10}"#),
    ("A.16", r#"{"foo":["bar"]}"#, r#"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#, r#"{"foo":["bar",["abc","def"]]}"#),
];

#[test]
fn the_examples_of_json_patch() {
    for (name, document, patch, expected) in APPENDIX_A {
        let found = patched(document, patch).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(value(&found.text), value(expected), "{name}");
    }
    // A.9, A.12, A.13 and A.15 are errors.
    let failed = refused(
        r#"{"baz":"qux"}"#,
        r#"[{"op":"test","path":"/baz","value":"bar"}]"#,
        "the test of \"/baz\" failed",
    );
    assert!(
        matches!(&failed, PatchError::TestFailed { operation: 0, found, expected, .. } if found == "\"qux\"" && expected == "\"bar\"")
    );
    refused(
        r#"{"foo":"bar"}"#,
        r#"[{"op":"add","path":"/baz/bat","value":"qux"}]"#,
        "the document has no member \"baz\"",
    );
    refused(
        r#"{"foo":"bar"}"#,
        r#"[{"op":"add","path":"/baz","value":"qux","op":"remove"}]"#,
        "operation 0: `op` stands there twice",
    );
    refused(
        r#"{"/":9,"~1":10}"#,
        r#"[{"op":"test","path":"/~01","value":"10"}]"#,
        "found 10, expected \"10\"",
    );
}

/// Original, patch, result.
#[rustfmt::skip]
const MERGES: &[(&str, &str, &str)] = &[
    (r#"{"a":"b"}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
    (r#"{"a":"b"}"#, r#"{"b":"c"}"#, r#"{"a":"b","b":"c"}"#),
    (r#"{"a":"b"}"#, r#"{"a":null}"#, r#"{}"#),
    (r#"{"a":"b","b":"c"}"#, r#"{"a":null}"#, r#"{"b":"c"}"#),
    (r#"{"a":["b"]}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
    (r#"{"a":"c"}"#, r#"{"a":["b"]}"#, r#"{"a":["b"]}"#),
    (r#"{"a":{"b":"c"}}"#, r#"{"a":{"b":"d","c":null}}"#, r#"{"a":{"b":"d"}}"#),
    (r#"{"a":[{"b":"c"}]}"#, r#"{"a":[1]}"#, r#"{"a":[1]}"#),
    (r#"["a","b"]"#, r#"["c","d"]"#, r#"["c","d"]"#),
    (r#"{"a":"b"}"#, r#"["c"]"#, r#"["c"]"#),
    (r#"{"a":"foo"}"#, "null", "null"),
    (r#"{"a":"foo"}"#, r#""bar""#, r#""bar""#),
    (r#"{"e":null}"#, r#"{"a":1}"#, r#"{"e":null,"a":1}"#),
    ("[1,2]", r#"{"a":"b","c":null}"#, r#"{"a":"b"}"#),
    ("{}", r#"{"a":{"bb":{"ccc":null}}}"#, r#"{"a":{"bb":{}}}"#),
];

#[test]
fn the_table_of_json_merge_patch() {
    for (document, patch, expected) in MERGES {
        let found = Patch::merge(patch).unwrap().apply(document).unwrap();
        assert_eq!(found.text, *expected, "{document} {patch}");
    }
    // Section 3.
    let document = r#"{"title":"Goodbye!","author":{"givenName":"John","familyName":"Doe"},"tags":["example","sample"],"content":"This will be unchanged"}"#;
    let patch =
        r#"{"title":"Hello!","phoneNumber":"+01-123-456-7890","author":{"familyName":null},"tags":["example"]}"#;
    let expected = r#"{"title":"Hello!","author":{"givenName":"John"},"tags":["example"],"content":"This will be unchanged","phoneNumber":"+01-123-456-7890"}"#;
    assert_eq!(Patch::merge(patch).unwrap().apply(document).unwrap().text, expected);
}
