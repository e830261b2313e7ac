//! What is not touched keeps its bytes.

use super::becomes;
use crate::patch::Patch;

#[test]
fn numbers_order_blanks_and_escapes_stay() {
    let document = "\u{20}{ \"z\" : 1.10 ,\n\t\"n\":123456789012345678901234567890, \"e\\u0301\":[ 1E+2,-0.0 , {\"b\":1,\"a\" :2}] }\n";
    becomes(
        document,
        r#"[{"op":"replace","path":"/e\u0301/2/a","value":3.00}]"#,
        &document.replace(":2}", ":3.00}"),
    );
    becomes(document, r#"[{"op":"test","path":"/z","value":1.1}]"#, document);
    becomes(document, "[]", document);
    becomes(document, r#"[{"op":"move","from":"/z","path":"/z"}]"#, document);
}

#[test]
fn what_is_inserted_looks_like_its_neighbours() {
    let add = |path: &str| format!(r#"[{{"op":"add","path":"{path}","value":{{"x": 9}}}}]"#);
    becomes(r#"{"a":1}"#, &add("/b"), r#"{"a":1,"b":{"x": 9}}"#);
    becomes(r#"{"a": 1}"#, &add("/b"), r#"{"a": 1, "b": {"x": 9}}"#);
    becomes(
        r#"{ "a" : 1, "c" : 2 }"#,
        &add("/b"),
        r#"{ "a" : 1, "c" : 2, "b" : {"x": 9} }"#,
    );
    becomes("{\n  \"a\": 1\n}", &add("/b"), "{\n  \"a\": 1,\n  \"b\": {\"x\": 9}\n}");
    becomes("{}", &add("/b"), r#"{"b":{"x": 9}}"#);
    becomes(r#"{"l":[]}"#, &add("/l/-"), r#"{"l":[{"x": 9}]}"#);
    becomes(r#"{"l":[1, 2]}"#, &add("/l/-"), r#"{"l":[1, 2, {"x": 9}]}"#);
    becomes(r#"{"l":[1, 2]}"#, &add("/l/0"), r#"{"l":[{"x": 9}, 1, 2]}"#);
    becomes(r#"{"l":[1, 2]}"#, &add("/l/1"), r#"{"l":[1, {"x": 9}, 2]}"#);
    becomes("[\n  1,\n  2\n]", &add("/-"), "[\n  1,\n  2,\n  {\"x\": 9}\n]");
    becomes("[\n  1\n]", &add("/0"), "[\n  {\"x\": 9},\n  1\n]");
}

#[test]
fn what_is_removed_leaves_no_gap() {
    let remove = |path: &str| format!(r#"[{{"op":"remove","path":"{path}"}}]"#);
    becomes(r#"{ "a":1, "b":2 }"#, &remove("/a"), r#"{ "b":2 }"#);
    becomes(r#"{ "a":1, "b":2 }"#, &remove("/b"), r#"{ "a":1 }"#);
    becomes(r#"{ "a":1 }"#, &remove("/a"), "{}");
    becomes("[ 1, 2, 3 ]", &remove("/0"), "[ 2, 3 ]");
    becomes("[ 1, 2, 3 ]", &remove("/1"), "[ 1, 3 ]");
    becomes("[ 1, 2, 3 ]", &remove("/2"), "[ 1, 2 ]");
    becomes("[ 1 ]", &remove("/0"), "[]");
    becomes(
        "{\n  \"a\": [\n    1,\n    2\n  ]\n}",
        &remove("/a/1"),
        "{\n  \"a\": [\n    1\n  ]\n}",
    );
}

#[test]
fn a_merge_keeps_bytes_too() {
    #[track_caller]
    fn check(document: &str, patch: &str, expected: &str) {
        assert_eq!(Patch::merge(patch).unwrap().apply(document).unwrap().text, expected);
    }
    let document = "{ \"a\" : 1.10, \"b\": { \"c\": 1, \"d\":[ 1 ] },\n \"e\":2 }";
    check(document, "{}", document);
    check(
        document,
        r#" {"b":{"c":2.50}} "#,
        &document.replace("\"c\": 1", "\"c\": 2.50"),
    );
    check(
        document,
        r#"{"a":null,"e":null}"#,
        "{ \"b\": { \"c\": 1, \"d\":[ 1 ] } }",
    );
    check(
        "{}",
        r#"{"a":{ "x":1, "y" : null, "z":[{"k":null}] }}"#,
        r#"{"a":{ "x":1, "z":[{"k":null}] }}"#,
    );
    // More names than are looked up one by one.
    let many: Vec<_> = (0..20).map(|n| format!("\"k{n}\":{n}")).collect();
    let gone: Vec<_> = (0..20)
        .filter(|n| n % 2 == 0)
        .map(|n| format!("\"k{n}\":null"))
        .collect();
    let left: Vec<_> = many.iter().skip(1).step_by(2).cloned().collect();
    let patch = format!("{{{},\"new\":1}}", gone.join(","));
    check(
        &format!("{{{}}}", many.join(",")),
        &patch,
        &format!("{{{},\"new\":1}}", left.join(",")),
    );
    check("{}", &patch, r#"{"new":1}"#);
}
