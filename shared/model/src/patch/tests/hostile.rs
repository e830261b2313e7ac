//! What is meant to break it.

use super::{becomes, patched, refused};
use crate::limits::MAX_DEPTH;
use crate::patch::{MAX_OPERATIONS, Patch, PatchError};

#[test]
fn what_is_no_patch_is_told_with_its_operation() {
    #[track_caller]
    fn check(operations: &str, operation: Option<usize>, part: &str) {
        match patched("{}", operations) {
            Err(PatchError::Malformed {
                operation: found,
                detail,
            }) => {
                assert_eq!(found, operation, "{detail}");
                assert!(detail.contains(part), "{detail}");
            }
            other => panic!("{operations}: {other:?}"),
        }
    }
    check("{}", None, "a patch is a list of operations");
    check("null", None, "a patch is a list of operations");
    check("[5]", Some(0), "found 5; an operation is an object");
    check("[{}]", Some(0), "`op` is missing: one of add, remove");
    check(r#"[{"op":5,"path":""}]"#, Some(0), "`op` is 5, expected a text");
    check(
        r#"[{"op":"Add","path":""}]"#,
        Some(0),
        "`op` is \"Add\", expected one of add, remove",
    );
    check(r#"[{"op":"remove"}]"#, Some(0), "`path` is missing, which remove needs");
    check(
        r#"[{"op":"test","path":"","value":{}},{"op":"add","path":"/a"}]"#,
        Some(1),
        "`value` is missing",
    );
    check(r#"[{"op":"move","path":"/a"}]"#, Some(0), "`from` is missing");
    check(r#"[{"op":"add","path":"/a~2","value":1}]"#, Some(0), "~ stands alone");
    check(r#"[{"op":"add","path":"/a~","value":1}]"#, Some(0), "~ stands alone");
    check(
        r#"[{"op":"add","path":"a","value":1}]"#,
        Some(0),
        "a path begins with /",
    );
    let long = format!(r#"[{{"op":"remove","path":"{}"}}]"#, "/a".repeat(100_000));
    check(&long, Some(0), "100000 segments");
    let many = |n| format!("[{}]", vec![r#"{"op":"test","path":"","value":{}}"#; n].join(","));
    check(&many(MAX_OPERATIONS + 1), None, "1001 operations, at most 1000");
    becomes("{}", &many(MAX_OPERATIONS), "{}");
    for no_json in [
        "",
        "[",
        "[{\"op\":\"add\",]",
        "[{\"op\":\"\\ud800\"}]",
        &"[".repeat(100_000),
    ] {
        assert!(
            matches!(Patch::operations(no_json), Err(PatchError::NotJson(_))),
            "{no_json}"
        );
        assert!(Patch::merge(no_json).is_err());
    }
    let fault = Patch::merge(r#"{"a":{"b":1,"b":2}}"#).unwrap_err().to_string();
    assert!(fault.contains("/a/b") && fault.contains("a second time"), "{fault}");
}

#[test]
fn nothing_moves_into_itself_and_the_root_stays() {
    let tree = r#"{"a":{"b":{"c":1}},"l":[{"id":"x","m":{}}]}"#;
    refused(
        tree,
        r#"[{"op":"move","from":"/a","path":"/a/b"}]"#,
        "cannot be moved into itself",
    );
    refused(
        tree,
        r#"[{"op":"move","from":"/a","path":"/a/b/new"}]"#,
        "cannot be moved into itself",
    );
    refused(
        tree,
        r#"[{"op":"move","from":"","path":"/a"}]"#,
        "operation 0: the document cannot be moved into itself",
    );
    refused(
        tree,
        r#"[{"op":"move","from":"/l/x","path":"/l/0/m/new"}]"#,
        "cannot be moved into itself",
    );
    refused(
        tree,
        r#"[{"op":"remove","path":""}]"#,
        "the whole document cannot be removed",
    );
    becomes(tree, r#"[{"op":"move","from":"","path":""}]"#, tree);
    becomes(
        tree,
        r#"[{"op":"move","from":"/a/b","path":"/a"}]"#,
        r#"{"a":{"c":1},"l":[{"id":"x","m":{}}]}"#,
    );
    becomes(
        r#"{"a":1}"#,
        r#"[{"op":"copy","from":"","path":"/b"}]"#,
        r#"{"a":1,"b":{"a":1}}"#,
    );
    becomes(tree, r#"[{"op":"replace","path":"","value":{"v":1}}]"#, r#"{"v":1}"#);
}

#[test]
fn names_that_mean_something_elsewhere_mean_nothing_here() {
    becomes(
        "{}",
        r#"[{"op":"add","path":"/__proto__","value":{"x":1}}]"#,
        r#"{"__proto__":{"x":1}}"#,
    );
    refused(
        "{}",
        r#"[{"op":"add","path":"/__proto__/x","value":1}]"#,
        "no member \"__proto__\"",
    );
    refused(
        "[]",
        r#"[{"op":"replace","path":"/length","value":1}]"#,
        "no item with the id \"length\"",
    );
    becomes(r#"{"":1}"#, r#"[{"op":"replace","path":"/","value":2}]"#, r#"{"":2}"#);
    becomes(
        r#"{"":{"":1}}"#,
        r#"[{"op":"replace","path":"//","value":2}]"#,
        r#"{"":{"":2}}"#,
    );
    becomes(
        r#"{"0":1}"#,
        r#"[{"op":"replace","path":"/0","value":2}]"#,
        r#"{"0":2}"#,
    );
    becomes(
        r#"{"-":1}"#,
        r#"[{"op":"replace","path":"/-","value":2}]"#,
        r#"{"-":2}"#,
    );
    becomes(
        r#"{"a\"b":1}"#,
        r#"[{"op":"add","path":"/c\"\n","value":2}]"#,
        r#"{"a\"b":1,"c\"\n":2}"#,
    );
    becomes(
        r#"{"x":"]},{\"["}"#,
        r#"[{"op":"add","path":"/y","value":"\\"}]"#,
        r#"{"x":"]},{\"[","y":"\\"}"#,
    );
}

#[test]
fn a_test_compares_by_worth() {
    let document = r#"{"a":1,"b":1e2,"c":[1,{"x":null}],"d":"1"}"#;
    for (path, value) in [("/a", "1.0"), ("/b", "100"), ("/c", r#"[1.00, {"x" :null}]"#)] {
        becomes(
            document,
            &format!(r#"[{{"op":"test","path":"{path}","value":{value}}}]"#),
            document,
        );
    }
    for (path, value) in [
        ("/a", "\"1\""),
        ("/d", "1"),
        ("/c/1", "{}"),
        ("/c", "[1]"),
        ("/x", "null"),
        ("/c/-", "1"),
    ] {
        let test =
            format!(r#"[{{"op":"replace","path":"/a","value":2}},{{"op":"test","path":"{path}","value":{value}}}]"#);
        let failed = refused(document, &test, "operation 1: the test of");
        assert!(matches!(failed, PatchError::TestFailed { operation: 1, .. }));
    }
}

#[test]
fn copies_and_moves_stay_within_bounds() {
    let doubled: Vec<_> = (0..30)
        .map(|n| format!(r#"{{"op":"copy","from":"","path":"/a{n}"}}"#))
        .collect();
    let doubled = doubled.join(",");
    refused(
        r#"{"x":"0123456789"}"#,
        &format!("[{doubled}]"),
        "the copies of this patch have more than",
    );
    // Each move makes it deeper; what was taken apart is followed by recursion.
    let mut moves = vec![r#"{"op":"add","path":"/t","value":{}}"#.to_owned()];
    for n in 0..990 {
        let to = if n % 2 == 0 { "u" } else { "t" };
        let from = if n % 2 == 0 { "t" } else { "u" };
        moves.push(format!(r#"{{"op":"add","path":"/{to}","value":{{}}}}"#));
        moves.push(format!(r#"{{"op":"move","from":"/{from}","path":"/{to}/x"}}"#));
        if moves.len() > 990 {
            break;
        }
    }
    refused(
        "{}",
        &format!("[{}]", moves.join(",")),
        "more than 100 nested objects and arrays",
    );
    let deep = format!("{}1{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH));
    becomes(
        "{}",
        &format!(r#"[{{"op":"replace","path":"","value":{deep}}}]"#),
        &deep,
    );
    let path = "/0".repeat(MAX_DEPTH);
    let bottom = format!(r#"[{{"op":"replace","path":"{path}","value":2}}]"#);
    becomes(&deep, &bottom, &deep.replace('1', "2"));
}

/// A walk over the whole for each operation would take minutes here.
#[test]
fn a_large_document_is_taken_apart_once() {
    let stocks: Vec<_> = (0..40_000)
        .map(|n| format!(r#"{{"id":"s{n}","unit":"l","description":"stock {n}"}}"#))
        .collect();
    let document = format!(r#"{{"stocks":[{}]}}"#, stocks.join(","));
    let put = |n: usize| {
        format!(
            r#"{{"op":"put","path":"/stocks/s{0}","value":{{"id":"s{0}"}}}}"#,
            n * 41
        )
    };
    let operations: Vec<_> = (0..1_000).map(put).collect();
    let patched = patched(&document, &format!("[{}]", operations.join(","))).unwrap();
    assert_eq!(patched.applied.len(), 1_000);
    assert_eq!(patched.text.matches("{\"id\":\"s41\"}").count(), 1);
    assert_eq!(patched.text.matches("\"id\"").count(), 40_000 + 1_000 - 976);
}
