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
    let found: Vec<_> = links(NOTE, 99)
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
    assert_eq!(tags(NOTE, 99), ["a", "tag/below", "水", "c"]);
    assert_eq!(links("[[x\\|y]] [[]] [[#own]] [[a\n]]", 99).len(), 1);
}

#[test]
fn lines_are_counted_from_one() {
    let text = "a\nb\r\nc";
    let of = |text: &'static str, from, to| &text[lines(text, from, to)];
    assert_eq!(
        (of(text, 1, 1), of(text, 2, 3), of(text, 0, 9)),
        ("a\n", "b\r\nc", text)
    );
    assert_eq!((of(text, 4, 9), of(text, 3, 2), of("", 1, 1)), ("", "", ""));
    assert_eq!((lines(text, 3, 2), lines(text, usize::MAX, 1)), (5..5, 6..6));
}

/// Each of these took minutes to hours when the rest of a line was looked through at every mark.
#[test]
fn long_lines_of_marks_are_read_once() {
    for (mark, count) in [("[[a]] ", 700_000), ("[a](b) ", 600_000)] {
        let text = mark.repeat(count);
        assert_eq!(links(&text, usize::MAX).len(), count, "{mark}");
        assert_eq!(links(&text, 7).len(), 7, "{mark}");
    }
    for mark in [
        "[[",
        "[a](",
        "[a](<",
        "[",
        "](",
        "](<",
        "[a]((",
        "[[note:///",
        "[[ ](< ](",
        "]( ",
        "` [[ ",
    ] {
        let text = mark.repeat((4 << 20) / mark.len());
        assert!(links(&text, usize::MAX).len() <= text.len() / 8, "{mark}");
    }
    let runs: String = (1..2800).map(|n| format!("{} ", "`".repeat(n))).collect();
    assert_eq!(links(&format!("{runs}[[a]]"), 9).len(), 1);
    let many: String = (0..300_000).map(|n| format!("#t{n} ")).collect();
    assert_eq!((tags(&many, usize::MAX).len(), tags(&many, 7).len()), (300_000, 7));
    let headings = "# a\n".repeat(500_000);
    assert!(section(&headings, "x/a").is_err());
}

#[test]
fn brackets_and_code_within_a_line() {
    let targets = |text: &str| links(text, 99).into_iter().map(|link| link.target).collect::<Vec<_>>();
    assert_eq!(targets("[a](b(c)d) ([x](y)) ) [z](w \"t\")"), ["b(c)d", "y", "w"]);
    assert_eq!(targets("[a](b [[c]] [d]( <e f> ) [g](h"), ["c", "e f"]);
    assert_eq!(targets("` [[a]] `` [[b]] ` [[c]] `` [[d]]"), ["c", "d"]);
    let nested = "# A\n## B\n### C\n# D\n## B\n### C\nlast";
    assert_eq!(section(nested, "D/C").map(|found| found.line), Ok(6));
    assert!(section(nested, "B/D/C").is_err() && section(nested, "D/B/C").is_ok());
}

proptest! {
    #[test]
    fn anything_can_be_read(text in "([#=`~\\[\\]()|!>< \r\n\ta水-]|note:///|---\n|```\n|\\]\\(|\\[\\[){0,40}", from in 0_usize..9, to in 0_usize..9) {
        for heading in headings(&text) {
            prop_assert!(text.get(heading.section.clone()).is_some(), "{heading:?}");
            prop_assert!(section(&text, &heading.text).is_ok() || heading.text.is_empty() || heading.text.starts_with('#'), "{heading:?}");
        }
        let _ = (links(&text, 99), tags(&text, 99), &text[lines(&text, from, to)]);
    }
}
