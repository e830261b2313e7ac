use super::*;
use proptest::prelude::*;

#[track_caller]
fn parts(text: &str, yaml: Option<&str>, body: &str) {
    let parts = split(text);
    let found = parts.front.as_ref().map(|front| &text[front.yaml.clone()]);
    assert_eq!((found, &text[parts.body]), (yaml, body), "{text:?}");
}

#[test]
fn front_matter_is_found_where_it_is() {
    parts("---\na: 1\n---\nb", Some("a: 1\n"), "b");
    parts("\u{feff}---\r\na: 1\r\n---\r\nb\r\n", Some("a: 1\r\n"), "b\r\n");
    parts("--- \t\na: 1\n...  \nb", Some("a: 1\n"), "b");
    parts("---\na: 1\n---", Some("a: 1\n"), "");
    parts("---\n---\n", Some(""), "");
    parts("---\n---", Some(""), "");
    parts("---\na: |\n  ---\n---\n", Some("a: |\n  ---\n"), "");
    for none in [
        "",
        "---",
        "---\n",
        "---\na: 1\n",
        " ---\na\n---\n",
        "----\na\n----\n",
        "a\n---\nb\n---\n",
        "---x\n---\n",
    ] {
        parts(none, None, none);
    }
    parts("\u{feff}text", None, "text");
}

#[test]
fn what_it_says() {
    let front = Front::of(
        "---\ntitle: \"A: b\"\naliases: [x, 'y z']\ntags:\n  - '#ml'\n  - arxiv/cs-AI\n  - ml\ntype: literature\n\
         arxiv_id: 2301.00010\ndoi: 10.1/x\nyear: 0123\ndone: no\nflag: true\nempty:\nauthors: [1.10, b]\nmap: {a: 1}\n---\n",
    );
    assert_eq!(front.error, None);
    assert_eq!(front.title.as_deref(), Some("A: b"));
    assert_eq!(front.aliases, ["x", "y z"]);
    assert_eq!(front.tags, ["ml", "arxiv/cs-AI"]);
    assert_eq!(
        (front.kind.as_deref(), front.doi.as_deref()),
        (Some("literature"), Some("10.1/x"))
    );
    assert_eq!(front.arxiv_id.as_deref(), Some("2301.00010"), "not 2301.0001");
    let field = |key: &str| {
        front
            .fields
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, values)| values.join(";"))
    };
    assert_eq!(field("year").as_deref(), Some("0123"));
    assert_eq!(field("done").as_deref(), Some("no"));
    assert_eq!(field("flag").as_deref(), Some("true"));
    assert_eq!(field("authors").as_deref(), Some("1.10;b"));
    assert_eq!((field("empty").as_deref(), field("map")), (Some(""), None));
    assert_eq!(Front::of("---\ntags: 'a, #b，c'\n---\n").tags, ["a", "b", "c"]);
    assert_eq!(Front::of("no front matter"), Front::default());
    assert_eq!(Front::of("---\n---\n"), Front::default());
}

#[test]
fn what_is_no_yaml_is_told_and_still_shown() {
    for (yaml, line) in [
        ("title: ADR-1: Files\ntags: [a, b]\n", "line 2"),
        ("title: ok\nby: @me\n", "line 3"),
        ("title: a\n\tb: c\n", "line"),
        ("title: a\ntitle: b\n", "line 3"),
        ("- a\n- b\n", "line 2"),
        ("just text\n", "line"),
        ("a: [1, 2\n", "line"),
    ] {
        let front = Front::read(yaml);
        let error = front.error.unwrap_or_else(|| panic!("{yaml:?}: {:?}", front.fields));
        assert!(error.contains(line), "{yaml:?}: {error}");
    }
    let front = Front::read("title: ADR-1: Files\ntags: [a, b]\n");
    assert_eq!(
        (front.title.as_deref(), front.tags),
        (Some("ADR-1: Files"), vec!["a".to_owned(), "b".to_owned()])
    );
}

#[test]
fn bombs_are_refused() {
    let mut bomb = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
    for n in 1..12 {
        let items = vec![format!("*a{}", n - 1); 9].join(",");
        bomb.push_str(&format!("a{n}: &a{n} [{items}]\n"));
    }
    assert!(Front::read(&bomb).error.is_some());
    assert!(Front::read(&"[".repeat(20_000)).error.is_some());
    assert!(Front::read(&format!("a: {}", "x".repeat(70_000))).error.is_some());
}

#[track_caller]
fn edited(text: &str, key: &str, value: &Value, expected: &str) {
    assert_eq!(set(text, key, value).as_deref(), Ok(expected), "{text:?}");
}

#[test]
fn one_key_is_set_and_the_rest_stays() {
    let text = |text: &str| Value::Text(text.to_owned());
    let list = |items: &[&str]| Value::List(items.iter().map(|item| (*item).to_owned()).collect());
    edited(
        "---\na: 1 # one\nb: 2\n---\nx",
        "a",
        &text("n"),
        "---\na: \"n\"\nb: 2\n---\nx",
    );
    edited(
        "---\r\na: 1\r\n---\r\nx",
        "b",
        &Value::Number(2),
        "---\r\na: 1\r\nb: 2\r\n---\r\nx",
    );
    edited(
        "\u{feff}x\r\n",
        "a",
        &text("\"\\\n"),
        "\u{feff}---\r\na: \"\\\"\\\\\\n\"\r\n---\r\nx\r\n",
    );
    edited(
        "---\n# c\ntags:\n- x\n- y\n\n# d\nb: 2\n---\n",
        "tags",
        &list(&["p", "1"]),
        "---\n# c\ntags:\n- \"p\"\n- \"1\"\n\n# d\nb: 2\n---\n",
    );
    edited(
        "---\ntags: [a,\n  b]\nb: |\n  t: 1\n---\n",
        "tags",
        &list(&["水", "no", "a b"]),
        "---\ntags: [水, \"no\", \"a b\"]\nb: |\n  t: 1\n---\n",
    );
    edited("---\n---", "a", &Value::Flag(true), "---\na: true\n---");
    edited(
        "---\na: b: c\nx: 1\n---\n",
        "x",
        &Value::Number(2),
        "---\na: b: c\nx: 2\n---\n",
    );
    assert_eq!(
        remove("---\na: 1\nb:\n  - x\nc: 3\n---\ny", "b").as_deref(),
        Ok("---\na: 1\nc: 3\n---\ny")
    );
    assert_eq!(remove("x", "b").as_deref(), Ok("x"));
    assert!(set("---\n{a: 1}\n---\n", "a", &text("x")).is_err());
    assert!(set("---\na: 1\na: 2\n---\n", "a", &text("x")).is_err());
    assert!(remove("---\na: &x 1\nb: *x\n---\n", "a").is_err());
}

/// A value as people write one, and garbage.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z 水]{0,8}",
        Just("\"q: #\"".to_owned()),
        Just("[a, b]".to_owned()),
        Just("\n  - a\n  - 'b'".to_owned()),
        Just("\n- a\n- b".to_owned()),
        Just("|\n  text: 1\n\n  more".to_owned()),
        Just("x # comment".to_owned()),
        Just("ADR: 1: broken".to_owned()),
        Just("@me".to_owned()),
    ]
}

fn note() -> impl Strategy<Value = (String, usize)> {
    let member = prop_oneof![5 => value().prop_map(Some), 1 => Just(None)];
    (
        any::<bool>(),
        any::<bool>(),
        prop::collection::vec(member, 1..6),
        "[-a-z\n]{0,12}",
        any::<bool>(),
    )
        .prop_map(|(bom, crlf, members, body, end)| {
            let mut text = String::from("---\n");
            for (n, member) in members.iter().enumerate() {
                match member {
                    Some(value) => text.push_str(&format!("k{n}: {value}\n")),
                    None => text.push_str("# a comment\n\n"),
                }
            }
            text.push_str("---");
            if end || !body.is_empty() {
                text.push('\n');
            }
            text.push_str(&body);
            let text = if crlf { text.replace('\n', "\r\n") } else { text };
            (if bom { format!("\u{feff}{text}") } else { text }, members.len())
        })
}

proptest! {
    #[test]
    fn parts_are_the_whole(bytes in prop::collection::vec(any::<u8>(), 0..200), lines in "(\u{feff})?(---[ \t]*\r?\n)?([a:#\\-. \r\n]|---\r?\n|\\.\\.\\.\r?\n){0,20}") {
        for text in [String::from_utf8_lossy(&bytes).into_owned(), lines] {
            let parts = split(&text);
            let mut whole = text[parts.bom].to_owned();
            if let Some(front) = parts.front {
                whole.push_str(&text[front.open]);
                whole.push_str(&text[front.yaml]);
                whole.push_str(&text[front.close]);
            }
            whole.push_str(&text[parts.body]);
            prop_assert_eq!(&whole, &text);
            let _ = Front::of(&text);
            let _ = set(&text, "k", &Value::Flag(true));
            let _ = remove(&text, "a");
        }
    }

    #[test]
    fn an_edit_changes_lines_of_its_key_alone((text, members) in note(), which in 0_usize..8, new in "[a-z\":#\n水]{0,8}") {
        let key = format!("k{which}");
        let lines = |text: &str| text.split_inclusive('\n').map(str::to_owned).collect::<Vec<_>>();
        if let Ok(after) = set(&text, &key, &Value::Text(new.clone())) {
            let written = format!("{key}: {}", quoted(&new));
            let rest: String = lines(&after).into_iter().filter(|line| line.trim_end() != written).collect();
            prop_assert_eq!(lines(&after).len() - lines(&rest).len(), 1, "{:?}", after);
            let without = remove(&text, &key);
            prop_assert_eq!(without.as_ref(), Ok(&rest), "set and remove touch the same lines");
            prop_assert_eq!(split(&after).bom, split(&text).bom);
            prop_assert_eq!(&after[split(&after).body], &text[split(&text).body]);
            prop_assert_eq!(after.contains('\r'), text.contains('\r'));
            if Front::of(&text).error.is_none() {
                let front = Front::of(&after);
                prop_assert_eq!(front.error, None);
                let found = front.fields.into_iter().find(|(name, _)| *name == key);
                prop_assert_eq!(found, Some((key, vec![new])));
            }
        } else {
            prop_assert!(false, "{} of {} in {:?}", key, members, text);
        }
    }

    #[test]
    fn what_is_quoted_is_read_back(text in "\\PC{0,20}|[\u{0}-\u{a0}\u{2028}\u{2029}\u{feff}\"\\\\]{0,20}", items in prop::collection::vec("\\PC{0,8}", 0..4)) {
        let note = compose(&[("title", Value::Text(text.clone())), ("list", Value::List(items.clone()))], "body");
        let front = Front::of(&note);
        prop_assert_eq!(front.error, None);
        prop_assert_eq!(&front.fields, &vec![("title".to_owned(), vec![text.clone()]), ("list".to_owned(), items.clone())]);
        let set = set(&set("x", "title", &Value::Text(text.clone())).unwrap(), "list", &Value::List(items.clone())).unwrap();
        prop_assert_eq!(Front::of(&set).fields, front.fields);
    }
}
