//! Ids in paths, and `put`.

use super::{becomes, patched, refused};

const TUB: &str = r#"{"stocks":[{"id":"tub","unit":"l"},{"unit":"kg","id":"sea/salt"},{"id":"tw\u0069n"},{"id":"twin"}],"leverage_points":[{"id":12},{"id":3,"label":"goals"}],"interventions":[{"proposal":"x"}],"loops":{"balancing":[{"id":"Drain B"}]}}"#;

fn replace(path: &str) -> String {
    format!(r#"[{{"op":"replace","path":"{path}","value":"m3"}}]"#)
}

fn put(path: &str, value: &str) -> String {
    format!(r#"[{{"op":"put","path":"{path}","value":{value}}}]"#)
}

#[test]
fn an_id_names_an_item() {
    becomes(TUB, &replace("/stocks/tub/unit"), &TUB.replace("\"l\"", "\"m3\""));
    becomes(
        TUB,
        &replace("/stocks/sea~1salt/unit"),
        &TUB.replace("\"kg\"", "\"m3\""),
    );
    becomes(TUB, &replace("/stocks/0/unit"), &TUB.replace("\"l\"", "\"m3\""));
    becomes(
        TUB,
        &replace("/loops/balancing/Drain B"),
        &TUB.replace(r#"{"id":"Drain B"}"#, "\"m3\""),
    );
    // After a rename it goes by the new one.
    let renamed = r#"[{"op":"test","path":"/stocks/tub/unit","value":"l"},{"op":"replace","path":"/stocks/tub/id","value":"bath"},{"op":"remove","path":"/stocks/bath/unit"}]"#;
    becomes(
        TUB,
        renamed,
        &TUB.replace(r#"{"id":"tub","unit":"l"}"#, r#"{"id":"bath"}"#),
    );
    let removed = r#"[{"op":"remove","path":"/stocks/tub"},{"op":"remove","path":"/stocks/sea~1salt/unit"}]"#;
    let left = TUB.replace(r#"{"id":"tub","unit":"l"},{"unit":"kg","id""#, r#"{"id""#);
    becomes(TUB, removed, &left);
    let applied = patched(TUB, &replace("/stocks/tub/unit")).unwrap().applied;
    assert_eq!(applied, ["replace /stocks/0/unit"]);
}

#[test]
fn an_id_that_is_not_there_is_told_with_what_is_near() {
    refused(
        TUB,
        &replace("/stocks/tubb/unit"),
        "/stocks has no item with the id \"tubb\"; did you mean \"tub\"?",
    );
    refused(TUB, &replace("/stocks/Tub/unit"), "did you mean \"tub\"?");
    refused(
        TUB,
        &replace("/stocks/moon/unit"),
        "its ids are \"tub\", \"sea/salt\", \"twin\", \"twin\"",
    );
    refused(
        TUB,
        &replace("/stocks/twin/unit"),
        "2 items of /stocks have the id \"twin\", at 2, 3",
    );
    refused(TUB, &replace("/stocks/4/unit"), "/stocks has 4 items, counted from 0");
    refused(TUB, &replace("/stocks/-/unit"), "/stocks has 4 items");
    refused(TUB, &replace("/stocks/00/unit"), "no item with the id \"00\"");
    refused(
        TUB,
        &replace("/stock"),
        "the document has no member \"stock\"; did you mean \"stocks\"?",
    );
    refused(
        TUB,
        &replace("/stocks/tub/unti"),
        "/stocks/tub has no member \"unti\"; did you mean \"unit\"?",
    );
    refused(
        TUB,
        &replace("/stocks/tub/unit/x"),
        "/stocks/0/unit is \"l\", which has no parts",
    );
    refused(
        TUB,
        &replace("/interventions/x/proposal"),
        "its 1 items have no ids; name them by number",
    );
    // A number is an index: what has a number for its id is told where it is.
    refused(
        TUB,
        &replace("/leverage_points/12/label"),
        "the item with the id 12 is number 0",
    );
    refused(
        "{}",
        &replace("/stocks"),
        "the document has no member \"stocks\"; it is empty",
    );
    let add = r#"[{"op":"add","path":"/stocks/new","value":{"id":"new"}}]"#;
    refused(
        TUB,
        add,
        "end the path with -, to insert or replace one by its id use put",
    );
    refused(
        TUB,
        &add.replace("new", "tub"),
        "would insert another one before it; use put",
    );
    refused(
        TUB,
        "[{\"op\":\"add\",\"path\":\"stocks[0].unit\",\"value\":1}]",
        "a path begins with /; write \"/stocks/0/unit\"",
    );
}

#[test]
fn put_inserts_or_replaces_by_id() {
    let new = r#"{"id":"new","unit":"l"}"#;
    let appended = TUB.replace(r#"{"id":"twin"}],"lev"#, &format!(r#"{{"id":"twin"}},{new}],"lev"#));
    for path in ["/stocks/new", "/stocks/-", "/stocks"] {
        becomes(TUB, &put(path, new), &appended);
    }
    let tub = r#"{"id":"tub", "unit":"m3"}"#;
    for path in ["/stocks/tub", "/stocks/-", "/stocks"] {
        becomes(TUB, &put(path, tub), &TUB.replace(r#"{"id":"tub","unit":"l"}"#, tub));
    }
    let lever = r#"{"id":12,"label":"parameters"}"#;
    for path in ["/leverage_points/12", "/leverage_points/-"] {
        becomes(TUB, &put(path, lever), &TUB.replace(r#"{"id":12}"#, lever));
    }
    becomes("{}", &put("/stocks/new", new), &format!(r#"{{"stocks":[{new}]}}"#));
    becomes(
        r#"{ "stocks": null }"#,
        &put("/stocks/-", new),
        &format!(r#"{{ "stocks": [{new}] }}"#),
    );
    // On objects it is add.
    becomes("{}", &put("/version", "\"2\""), r#"{"version":"2"}"#);
    becomes(r#"{"a":1}"#, &put("/a", "2"), r#"{"a":2}"#);
    becomes(r#"{"a":1}"#, &put("", "{}"), "{}");
    refused(
        TUB,
        &put("/stocks/0", new),
        "the value's id is \"new\"; put goes by the id",
    );
    refused(
        TUB,
        &put("/stocks/new", r#"{"unit":"l"}"#),
        "the value has no id, by which put finds",
    );
    refused(TUB, &put("/stocks/new", "5"), "give it \"id\": \"new\"");
    refused(
        TUB,
        &put("/stocks/twin", r#"{"id":"twin"}"#),
        "2 items of /stocks have the id \"twin\"",
    );
    refused(
        TUB,
        &put("/interventions/0", "{}"),
        "use add with /interventions/- to append one",
    );
    refused(
        TUB,
        &put("/flows/a", r#"{"id":"b"}"#),
        "the document has no member \"flows\"",
    );
    refused(TUB, &put("/a/b/c", r#"{"id":"c"}"#), "the document has no member \"a\"");
}

#[test]
fn what_is_put_twice_is_there_once() {
    let twice = r#"[{"op":"put","path":"/stocks/a","value":{"id":"a","n":1}},{"op":"put","path":"/stocks/b","value":{"id":"b"}},
        {"op":"put","path":"/stocks/a","value":{"id":"a","n":2}}]"#;
    becomes("{}", twice, r#"{"stocks":[{"id":"a","n":2},{"id":"b"}]}"#);
}

#[test]
fn json_text_is_read_where_something_else_is_demanded() {
    #[track_caller]
    fn check(document: &str, expected: Option<&str>) {
        let Err(crate::Refusal::Schema(faults)) = crate::parse(document) else {
            panic!("{document}")
        };
        assert_eq!(
            crate::texts::taken_out(document, &faults, crate::texts::Within::Everything).as_deref(),
            expected
        );
    }
    check(
        r#"{"version":"5","stocks":["{\"id\": \"a\"}"],"leverage_points":[{"id":"3","is_applicable":"true"}]}"#,
        Some(r#"{"version":"5","stocks":[{"id": "a"}],"leverage_points":[{"id":3,"is_applicable":true}]}"#),
    );
    check(r#"{"flows":"[ ]"}"#, Some(r#"{"flows":[ ]}"#));
    check(r#"{"flows":"none","version":1}"#, None);
}
