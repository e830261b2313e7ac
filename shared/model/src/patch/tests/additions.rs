//! Ids in paths, and `put`.

use super::{becomes, patched, refused};
use crate::patch::Patch;

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
    assert_eq!(applied, ["replace /stocks/0/unit (id tub)"]);
}

/// Meadows's points in their order, so that each number is the index of one and the id of another.
fn levers() -> String {
    let levers: Vec<_> = (1..=12).map(|n| format!(r#"{{"id":{n},"label":"L{n}"}}"#)).collect();
    format!(r#"{{"leverage_points":[{}]}}"#, levers.join(","))
}

#[test]
fn a_number_is_an_index_and_refused_where_it_may_be_an_id() {
    let levers = levers();
    let label = |n: usize| levers.replace(&format!("\"L{n}\""), "\"m3\"");
    let unmistakable =
        |document: &str, operations: &str| Patch::operations(operations).unwrap().unmistakable().apply(document);
    // RFC 6902.
    becomes(&levers, &replace("/leverage_points/5/label"), &label(6));
    let applied = patched(&levers, &replace("/leverage_points/5/label")).unwrap().applied;
    assert_eq!(applied, ["replace /leverage_points/5/label (id 6)"]);
    for operations in [
        replace("/leverage_points/5/label"),
        r#"[{"op":"remove","path":"/leverage_points/5"}]"#.to_owned(),
        r#"[{"op":"add","path":"/leverage_points/5","value":{"id":5}}]"#.to_owned(),
        r#"[{"op":"copy","from":"/leverage_points/5","path":"/x"}]"#.to_owned(),
        r#"[{"op":"move","from":"/leverage_points/0","path":"/leverage_points/5"}]"#.to_owned(),
    ] {
        let error = unmistakable(&levers, &operations).unwrap_err().to_string();
        assert!(
            error.contains(
                "5 can be read in two ways in /leverage_points: the index 5 is an item with the id 6, and the item with the id 5 \
                 has the index 4; write id=5 or index=5 instead"
            ),
            "{error}"
        );
    }
    // The end of the list is an index, too.
    let end = r#"[{"op":"add","path":"/leverage_points/12","value":{"id":12}}]"#;
    let error = unmistakable(&levers, end).unwrap_err().to_string();
    assert!(error.contains("the index 12 is the end of the list"), "{error}");
    for (path, n) in [("id=5", 5), ("index=5", 6), ("id=12", 12), ("index=0", 1), ("0", 1)] {
        let operations = replace(&format!("/leverage_points/{path}/label"));
        let done = unmistakable(&levers, &operations).unwrap();
        assert_eq!(done.text, label(n), "{path}");
        let at = n - 1;
        assert_eq!(done.applied, [format!("replace /leverage_points/{at}/label (id {n})")]);
        becomes(&levers, &operations, &label(n));
    }
    refused(
        &levers,
        &replace("/leverage_points/12/label"),
        "is number 11: write id=12",
    );
    refused(
        &levers,
        &replace("/leverage_points/id=13/label"),
        "no item with the id \"13\"",
    );
    refused(&levers, &replace("/leverage_points/index=13/label"), "has 12 items");
    refused(
        &levers,
        &replace("/leverage_points/index=05/label"),
        "no item with the id \"index=05\"",
    );
    // Where both are the same item, where no other has the number, and where an id is text.
    let own = r#"{"l":[{"id":2},{"id":1}],"m":[{"id":"7"},{"id":"0"},{}],"n":[{"id":"id=1"},{"id":"1"}]}"#;
    for (path, part) in [("/l/1", r#"{"id":1}"#), ("/m/2", "{}"), ("/n/id=1", r#"{"id":"id=1"}"#)] {
        assert_eq!(
            unmistakable(own, &replace(path)).unwrap().text,
            own.replacen(part, "\"m3\"", 1),
            "{path}"
        );
    }
    let error = unmistakable(own, &replace("/m/0")).unwrap_err().to_string();
    assert!(error.contains("the index 0 is an item with the id 7"), "{error}");
    assert_eq!(
        unmistakable(own, &replace("/m/id=0")).unwrap().text,
        own.replace(r#"{"id":"0"}"#, "\"m3\"")
    );
}

#[test]
fn put_knows_an_id_however_it_is_written() {
    let levers = levers();
    for id in ["5", "5.0", "\"5\""] {
        let value = format!(r#"{{"id":{id},"label":"new"}}"#);
        for path in ["/leverage_points", "/leverage_points/-"] {
            becomes(
                &levers,
                &put(path, &value),
                &levers.replace(r#"{"id":5,"label":"L5"}"#, &value),
            );
        }
    }
    let value = r#"{"id":5,"label":"new"}"#;
    let expected = levers.replace(r#"{"id":5,"label":"L5"}"#, value);
    for path in ["/leverage_points/5", "/leverage_points/id=5"] {
        becomes(&levers, &put(path, value), &expected);
        let done = Patch::operations(&put(path, value))
            .unwrap()
            .unmistakable()
            .apply(&levers);
        let done = done.unwrap();
        assert_eq!(
            (&*done.text, &*done.applied),
            (&*expected, &["put /leverage_points/4 (id 5)".to_owned()][..])
        );
    }
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
fn put_makes_the_list_that_is_not_there_yet() {
    let new = r#"{"id":"new"}"#;
    for document in ["{}", r#"{"variables":null}"#, r#"{"variables":[]}"#] {
        for path in ["/variables", "/variables/-", "/variables/new", "/variables/id=new"] {
            becomes(document, &put(path, new), &format!(r#"{{"variables":[{new}]}}"#));
        }
    }
    for document in [
        "{}",
        r#"{"loops":null}"#,
        r#"{"loops":{}}"#,
        r#"{"loops":{"balancing":null}}"#,
    ] {
        for path in ["/loops/balancing", "/loops/balancing/-", "/loops/balancing/new"] {
            becomes(
                document,
                &put(path, new),
                &format!(r#"{{"loops":{{"balancing":[{new}]}}}}"#),
            );
        }
    }
    let applied = patched("{}", &put("/loops/balancing", new)).unwrap().applied;
    assert_eq!(applied, ["put /loops/balancing/0 (id new)"]);
}

#[test]
fn put_replaces_no_object_and_nothing_that_is_no_item() {
    let loops = r#"{"system_name":"x","boundary":{"purpose":"p"},"loops":{"balancing":[{"id":"B"}],"reinforcing":[{"id":"R"}]},"x-mine":{"a":[],"b":{},"note":"n"},"elements":["e"]}"#;
    let item = r#"{"id":"N","description":"a -> b"}"#;
    for (path, value, part) in [
        (
            "/loops",
            item,
            "/loops is an object, and put inserts into a list: write /loops/balancing or /loops/reinforcing",
        ),
        ("/loops", "{}", "write /loops/balancing or /loops/reinforcing"),
        ("/loops/N", item, "write /loops/balancing or /loops/reinforcing"),
        ("/loops/-", item, "write /loops/balancing or /loops/reinforcing"),
        (
            "",
            item,
            "the document is an object, and put inserts into a list: write /stocks or /flows or /variables or /loops/balancing or \
             /loops/reinforcing or /leverage_points, then - or the item's id",
        ),
        ("", "{}", "the document is an object"),
        ("/N", item, "the document is an object"),
        (
            "/boundary",
            item,
            "it has no list whose items have ids; to set the object or its members use add or replace",
        ),
        (
            "/boundary",
            r#"{"purpose":"q"}"#,
            "to set the object or its members use add or replace",
        ),
        ("/simulation", item, "/simulation is an object"),
        ("/x-mine", item, "write /x-mine/a, then - or the item's id"),
        ("/x-mine/b", item, "/x-mine/b is an object"),
        ("/x-mine/note", item, "/x-mine/note is no list"),
        ("/loops/balancing", r#"{"description":"x"}"#, "the value has no id"),
        ("/elements", "\"f\"", "use add with /elements/- to append one"),
    ] {
        refused(loops, &put(path, value), part);
    }
    for path in ["/loops", "/loops/N", "/loops/-"] {
        refused("{}", &put(path, item), "write /loops/balancing or /loops/reinforcing");
    }
    // Values that are no items are set, as add does.
    becomes(r#"{"elements":["e"]}"#, &put("/elements", "[]"), r#"{"elements":[]}"#);
    becomes(
        "{}",
        &put("/simulation", r#"{"stop":1}"#),
        r#"{"simulation":{"stop":1}}"#,
    );
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
