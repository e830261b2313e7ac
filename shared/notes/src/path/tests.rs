use super::*;
use proptest::prelude::*;

#[track_caller]
fn good(text: &str, expected: &str) {
    assert_eq!(
        NotePath::parse(text).map(String::from),
        Ok(expected.to_owned()),
        "{text:?}"
    );
}

#[track_caller]
fn refused(text: &str, says: &str) {
    let error = NotePath::parse(text).expect_err(text).0;
    assert!(error.contains(says), "{text:?}: {error}");
}

#[test]
fn paths_that_are_some() {
    good("a.md", "a.md");
    good("a", "a.md");
    good("论文/量子计算.md", "论文/量子计算.md");
    good("2301.00010", "2301.00010.md");
    good("Dr. Smith", "Dr. Smith.md");
    good("X.MD", "X.MD");
    good("cafe\u{301}.md", "caf\u{e9}.md");
    good("What is C#? [draft].md", "What is C#? [draft].md");
    good("❤\u{fe0f}.md", "❤\u{fe0f}.md");
    good("👩\u{200d}💻.md", "👩\u{200d}💻.md");
    good("%2e%2e.md", "%2e%2e.md");
    good("console.md", "console.md");
    good("com10.md", "com10.md");
    good("a..b.md", "a..b.md");
    good(&format!("{}.md", "水".repeat(84)), &format!("{}.md", "水".repeat(84)));
}

#[test]
fn paths_that_are_none() {
    for (text, says) in [
        ("", "empty"),
        ("  ", "empty"),
        ("../a.md", "\"..\""),
        ("a/../b.md", "\"..\""),
        ("a/.. /b.md", "leads out"),
        ("a/...", "leads out"),
        ("/etc/passwd", "absolute"),
        ("~/a.md", "absolute"),
        ("C:/a.md", "drive letter"),
        ("c:a.md", "drive letter"),
        ("\\\\server\\share\\a.md", "absolute"),
        ("a\\b.md", "backslash"),
        ("..\\b.md", "\"..\""),
        ("a\0.md", "NUL"),
        ("a\n.md", "U+000A"),
        ("a\u{7f}.md", "U+007F"),
        ("a\u{85}.md", "U+0085"),
        ("a\u{202e}dm.exe", "U+202E"),
        ("a\u{2066}.md", "U+2066"),
        ("a\u{200e}.md", "U+200E"),
        ("a\u{feff}.md", "U+FEFF"),
        ("a\u{200b}.md", "U+200B"),
        ("量\u{200d}子.md", "U+200D"),
        ("a\u{2028}.md", "U+2028"),
        ("a//b.md", "empty segment"),
        ("a/", "empty segment"),
        ("./a.md", "\".\""),
        ("a /b.md", "blank"),
        ("a./b.md", "dot"),
        ("a.md ", "blank"),
        ("a.md.", "dot"),
        (".obsidian/app.md", "hidden"),
        ("a/.hidden.md", "hidden"),
        (".md", "hidden"),
        ("con.md", "CON"),
        ("CON", "CON"),
        ("aux.tar.md", "AUX"),
        ("nul .md", "NUL"),
        ("com¹.md", "COM¹"),
        ("LPT3/a.md", "LPT3"),
        ("a.txt", "\"a.txt.md\""),
        ("Node.js", "\"Node.js.md\""),
        (&format!("{}.md", "水".repeat(85)), "258 bytes"),
        (&format!("{}a", "水".repeat(84)), "256 bytes"),
        (&format!("{}b.md", "a/".repeat(500)), "1004 bytes"),
    ] {
        refused(text, says);
    }
}

#[test]
fn folders() {
    assert_eq!(NotePath::parse_folder("/"), Ok(None));
    assert_eq!(NotePath::parse_folder("论文/"), Ok(Some("论文".to_owned())));
    assert!(NotePath::parse_folder("a/../b").is_err());
    let path = NotePath::parse("a/b/c.md").unwrap();
    assert!(path.is_in("") && path.is_in("a") && path.is_in("a/b") && !path.is_in("a/b/c") && !path.is_in("b"));
    assert_eq!((path.folder(), path.name(), path.stem()), ("a/b", "c.md", "c"));
}

#[test]
fn names_that_are_made_fit() {
    for (text, expected) in [
        ("ADR-1: Files", "ADR-1- Files.md"),
        ("为什么?", "为什么.md"),
        ("a<b>|c*.md", "a-b--c.md"),
        ("#idea [x]^1.md", "idea -x--1.md"),
        ("con.md", "_con.md"),
        ("aux.tar", "_aux.tar.md"),
        ("a\tb\nc", "a b c.md"),
        ("x.txt", "x.txt.md"),
        ("plan.json", "plan.json.md"),
        ("a//b", "a/b.md"),
        ("./a.md", "a.md"),
        ("a\u{200b}b.md", "ab.md"),
        ("name .", "name.md"),
        ("???", "untitled.md"),
        ("论文/a:b/c", "论文/a-b/c.md"),
        ("papers\\x.md", "papers-x.md"),
        ("cafe\u{301}", "caf\u{e9}.md"),
    ] {
        let cleaned = NotePath::clean(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(cleaned.path.as_str(), expected, "{text:?}");
        let plain = NotePath::parse(text).is_ok_and(|path| path == cleaned.path);
        assert_eq!(cleaned.changes.is_empty(), plain, "{text:?}: {:?}", cleaned.changes);
    }
    let long = NotePath::clean(&format!("{}.md", "水".repeat(200))).unwrap();
    assert_eq!(long.path.as_str().len(), 255);
    assert!(long.changes[0].contains("cut to 255 bytes"), "{:?}", long.changes);
    for text in [
        "../x",
        "a/../x",
        "/x",
        "C:\\x",
        "a\0",
        "a\u{202e}",
        ".git/x",
        "..\\..\\x",
        "~/x",
        "",
    ] {
        assert!(NotePath::clean(text).is_err(), "{text:?}");
    }
    assert_eq!(clean_name("A/B testing: why?"), "A-B testing- why");
    assert_eq!(clean_name("..."), "untitled");
}

#[test]
fn uris() {
    let path = NotePath::parse("论文/a b%.md").unwrap();
    assert_eq!(path.uri(), "note:///%E8%AE%BA%E6%96%87/a%20b%25.md");
    assert_eq!(NotePath::from_uri(&path.uri()), Ok(path.clone()));
    assert_eq!(NotePath::from_uri("note:///论文/a b%25.md"), Ok(path));
    assert_eq!(
        NotePath::from_uri("note:///a%252e.md").map(String::from),
        Ok("a%2e.md".to_owned()),
        "decoded once"
    );
    for uri in [
        "note:///%2e%2e/a.md",
        "note:///a%2Fb.md",
        "note:///a%5cb.md",
        "note:///a%00.md",
        "note:///%zz.md",
        "note:///%",
        "note:///%ff.md",
        "note://host/a.md",
        "file:///a.md",
        "note:a.md",
        "note:////etc/passwd",
        "note:///a.md?x",
        "note:///a.md#x",
        "note:///",
    ] {
        assert!(NotePath::from_uri(uri).is_err(), "{uri}");
    }
    assert_eq!(file_uri("/home/甲/a b.md"), "file:///home/%E7%94%B2/a%20b.md");
    assert_eq!(file_uri("C:\\vault\\a.md"), "file:///C:/vault/a.md");
    assert_eq!(file_path("file:///C:/vault/a.md").as_deref(), Ok("C:/vault/a.md"));
    assert_eq!(file_path("file://localhost/a%20b.md").as_deref(), Ok("/a b.md"));
    for uri in [
        "file:///a/%2e%2e/b.md",
        "file:///a%2fb.md",
        "file://host/a.md",
        "file:///a/../b",
    ] {
        assert!(file_path(uri).is_err(), "{uri}");
    }
}

#[test]
fn twins_and_numbers() {
    let fold = |text: &str| NotePath::parse(text).unwrap().fold();
    assert_eq!(fold("Ünï/ÀB.md"), fold("ünï/àb.md"));
    assert_eq!(fold("cafe\u{301}.md"), fold("CAF\u{c9}.md"));
    assert_ne!(fold("ａ.md"), fold("a.md"), "full width is another name");
    let path = NotePath::parse("a/b.md").unwrap();
    assert_eq!(path.numbered(2).unwrap().as_str(), "a/b 2.md");
}

proptest! {
    #[test]
    fn a_path_is_safe_and_stays_itself(text in "\\PC{0,12}(/|\\\\|\\.|\\.\\.|:|\u{202e}|\0| ){0,3}\\PC{0,12}") {
        if let Ok(path) = NotePath::parse(&text) {
            prop_assert_eq!(NotePath::parse(path.as_str()), Ok(path.clone()));
            prop_assert_eq!(NotePath::from_uri(&path.uri()), Ok(path.clone()));
            for segment in path.as_str().split('/') {
                prop_assert!(!segment.is_empty() && !segment.starts_with('.') && !segment.contains('\\'));
            }
        }
        if let Ok(cleaned) = NotePath::clean(&text) {
            prop_assert_eq!(NotePath::parse(cleaned.path.as_str()), Ok(cleaned.path.clone()));
            prop_assert_eq!(NotePath::clean(cleaned.path.as_str()).map(|c| c.path), Ok(cleaned.path));
        }
        let name = clean_name(&text);
        prop_assert!(NotePath::parse(&format!("{name}.md")).is_ok(), "{:?}", name);
    }
}

#[test]
fn what_cannot_be_seen_is_not_visible() {
    assert_eq!(
        visible("a\u{1b}[31m\u{7}\u{9b}b\u{202e}\u{2066}\u{200b}\u{feff}\u{e0041}c\td\r\n水👩\u{200d}🚀"),
        "a[31mbc d  水👩\u{200d}🚀"
    );
}
