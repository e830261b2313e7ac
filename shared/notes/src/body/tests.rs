use super::*;
use proptest::prelude::*;

const NOTE: &str = "---\ntitle: x\nup: \"[[Home]]\"\n---\n# One\ntext #a `#b` #123 x#y\n```sh\n# no heading\n[[no link]]\n```\n\
## Sub ##\nsee [[x|y]], ![[folder/z#Part]] and [t](../w%20v.md#h)\n\nTwo\n===\n## Sub\n- item\n---\n#tag/below，#水 (#c)\n\
`[[code]]` ``[[a]`b]]`` [web](https://e.org/x.md) [pic](p.png) [t](<a b.md>) note:///q%20r.md.\n";

#[test]
fn headings_and_sections() {
    let found: Vec<_> = headings(NOTE).into_iter().map(|h| (h.level, h.text, h.line)).collect();
    let expected = [(1, "One", 5), (2, "Sub", 11), (1, "Two", 14), (2, "Sub", 16)];
    assert_eq!(
        found,
        expected.map(|(level, text, line)| (level, text.to_owned(), line))
    );
    let of = |name: &str| section(NOTE, name).map(|heading| &NOTE[heading.section]);
    assert!(of("one").unwrap().starts_with("# One\n") && of("one").unwrap().ends_with("w%20v.md#h)\n\n"));
    assert!(of("## Sub").unwrap().starts_with("## Sub ##"));
    assert!(of("Two/Sub").unwrap().starts_with("## Sub\n- item"));
    assert_eq!(of("Two#sub"), of("Two/Sub"));
    assert_eq!(
        section(NOTE, "Three").unwrap_err().headings,
        ["One", "Sub", "Two", "Sub"]
    );
    assert!(section(NOTE, "").is_err() && section(NOTE, "/").is_err());
    let crlf = NOTE.replace('\n', "\r\n");
    assert_eq!(headings(&crlf).len(), 4);
    assert_eq!(headings("a\n-\n#no\n#\n    # code\n~~~\n# in\n").len(), 2);
    assert_eq!(
        headings("# C#\n# a #").into_iter().map(|h| h.text).collect::<Vec<_>>(),
        ["C#", "a"]
    );
}

#[test]
fn links_and_tags() {
    let found: Vec<_> = links(NOTE)
        .into_iter()
        .map(|l| (l.target, l.heading, l.wiki, l.line))
        .collect();
    let expected = [
        ("Home", None, true, 3),
        ("x", None, true, 12),
        ("folder/z", Some("Part"), true, 12),
        ("../w v.md", Some("h"), false, 12),
        ("a b.md", None, false, 20),
        ("note:///q%20r.md", None, false, 20),
    ];
    assert_eq!(
        found,
        expected.map(|(t, h, w, l)| (t.to_owned(), h.map(str::to_owned), w, l))
    );
    assert_eq!(tags(NOTE), ["a", "tag/below", "水", "c"]);
    assert_eq!(links("[[x\\|y]] [[]] [[#own]] [[a\n]]").len(), 1);
}

#[test]
fn lines_are_counted_from_one() {
    let text = "a\nb\r\nc";
    assert_eq!(
        (lines(text, 1, 1), lines(text, 2, 3), lines(text, 0, 9)),
        ("a\n", "b\r\nc", text)
    );
    assert_eq!((lines(text, 4, 9), lines(text, 3, 2), lines("", 1, 1)), ("", "", ""));
}

proptest! {
    #[test]
    fn anything_can_be_read(text in "([#=`~\\[\\]()|!>< \r\n\ta水-]|note:///|---\n|```\n|\\]\\(|\\[\\[){0,40}", from in 0_usize..9, to in 0_usize..9) {
        for heading in headings(&text) {
            prop_assert!(text.get(heading.section.clone()).is_some(), "{heading:?}");
            prop_assert!(section(&text, &heading.text).is_ok() || heading.text.is_empty() || heading.text.starts_with('#'), "{heading:?}");
        }
        let _ = (links(&text), tags(&text), lines(&text, from, to));
    }
}
