use super::*;
use crate::search::Asked;

fn search(query: &str) -> Search {
    Search::new(Asked {
        query: query.to_owned(),
        ..Asked::default()
    })
    .expect("a search")
}

#[track_caller]
fn check(query: &str, expected: &[&str]) {
    let found: Vec<_> = ladder(&search(query)).steps.into_iter().map(|step| step.text).collect();
    assert_eq!(found, expected, "{query}");
}

#[test]
fn words_are_joined_with_and_first() {
    check(
        "quantum computing",
        &[
            r#"(all:"quantum computing" OR (all:quantum AND all:computing))"#,
            "(all:quantum OR all:computing)",
        ],
    );
    check(
        "the effect of caffeine on sleep",
        &[
            r#"(all:"the effect of caffeine on sleep" OR (all:the AND all:effect AND all:of AND all:caffeine AND all:on AND all:sleep))"#,
            "(all:effect AND all:caffeine AND all:sleep)",
            "(all:effect OR all:caffeine OR all:sleep)",
        ],
    );
    check("transformers", &["(all:transformers)"]);
    check("the", &["(all:the)"]);
}

#[test]
fn phrases_stay_together() {
    check(
        r#""graph neural networks" attention"#,
        &[
            r#"(all:"graph neural networks" AND all:attention)"#,
            r#"(all:"graph neural networks" OR all:attention)"#,
        ],
    );
    check("“deep learning”", &[r#"(all:"deep learning")"#]);
    check(
        r#""deep" learning"#,
        &[
            r#"(all:"deep learning" OR (all:deep AND all:learning))"#,
            "(all:deep OR all:learning)",
        ],
    );
    check(
        r#"deep "learning"#,
        &[
            r#"(all:"deep learning" OR (all:deep AND all:learning))"#,
            "(all:deep OR all:learning)",
        ],
    );
}

#[test]
fn what_means_something_to_arxiv_is_taken_out() {
    for query in [
        "graph (neural",
        "graph] {neural}",
        r"graph \neural",
        "graph: neural:",
        "-graph, +neural!",
        "graph/ ?neural?",
    ] {
        let text = &ladder(&search(query)).steps[0].text;
        assert_eq!(text, r#"(all:"graph neural" OR (all:graph AND all:neural))"#, "{query}");
    }
    check(
        "large language model AND agents",
        &[
            r#"(all:"large language model and agents" OR (all:large AND all:language AND all:model AND all:agents))"#,
            "(all:large OR all:language OR all:model OR all:agents)",
        ],
    );
    check(
        "GPT-4 C++",
        &[
            r#"(all:"GPT-4 C++" OR (all:GPT-4 AND all:C++))"#,
            "(all:GPT-4 OR all:C++)",
        ],
    );
    check("AND OR", &["(all:AND)"]);
}

#[test]
fn a_query_of_arxivs_own_means_what_it_says() {
    for (query, expected) in [
        ("ti:attention", "(ti:attention)"),
        ("ti:attention AND au:vaswani", "(ti:attention AND au:vaswani)"),
        ("ti:graph au:kipf", "(ti:graph AND au:kipf)"),
        ("ti:graph neural networks", "(ti:graph AND all:neural AND all:networks)"),
        ("ti:a AND ti:b OR ti:c", "((ti:a AND ti:b) OR ti:c)"),
        ("ti:a AND (ti:b OR ti:c)", "(ti:a AND (ti:b OR ti:c))"),
        ("ti:a ANDNOT ti:b AND ti:c", "((ti:a ANDNOT ti:b) AND ti:c)"),
        ("ti:a AND NOT ti:b", "(ti:a ANDNOT ti:b)"),
        ("au:del_maestro", r#"(au:"del maestro")"#),
        (
            r#"au:"del maestro" AND TI:"check  board""#,
            r#"(au:"del maestro" AND ti:"check board")"#,
        ),
        ("cat:cs.* AND all:electron", "(cat:cs.* AND all:electron)"),
        (
            "cat:cs.AI AND submittedDate:[20230101 TO 20231231]",
            "(cat:cs.AI AND submittedDate:[20230101 TO 20231231])",
        ),
        ("id:2301.00010", "(id:2301.00010)"),
        ("doi:10.1093/mind", "(doi:10.1093/mind)"),
    ] {
        let ladder = ladder(&search(query));
        assert_eq!(ladder.steps.len(), 1, "{query}: {ladder:?}");
        assert_eq!(
            ladder.steps[0],
            Step {
                level: Level::Fielded,
                text: expected.to_owned()
            },
            "{query}"
        );
        assert!(ladder.notes.is_empty());
    }
}

#[test]
fn a_query_that_does_not_balance_is_searched_by_its_words() {
    for query in [
        "(ti:graph AND ti:neural",
        "ti:graph) ti:neural",
        r#"ti:graph "neural"#,
        "AND ti:graph neural",
        "ti:graph neural OR",
        "ti:graph AND AND neural",
        "NOT ti:graph neural",
        r#"ti:graph\" neural"#,
        "ti:(graph neural)",
        "ti:graph submittedDate:[* TO 2023] neural",
        "ti:graph () neural",
        "ti:graph abs:[neural]",
    ] {
        let ladder = ladder(&search(query));
        assert_eq!(ladder.notes.len(), 1, "{query}: {ladder:?}");
        assert_eq!(ladder.steps[0].level, Level::AllWords, "{query}");
        let text = &ladder.steps[0].text;
        assert!(
            text.contains("all:graph AND") && text.contains("all:neural") && !text.contains("ti:"),
            "{query}: {text}"
        );
    }
    let deep = format!("{}ti:x{}", "(".repeat(60), ")".repeat(60));
    assert!(ladder(&search(&deep)).notes[0].contains("more than 20"));
}

#[test]
fn words_with_a_colon_are_no_fields() {
    for query in ["GPT-4: a report", "attention: is it all", "anti:matter", "ti: x"] {
        assert!(ladder(&search(query)).steps[0].level == Level::AllWords, "{query}");
    }
}

#[test]
fn chinese_words_are_left_out_and_said() {
    let mixed = ladder(&search("量子计算 quantum computing 的现状"));
    assert_eq!(
        mixed.steps[0].text,
        r#"(all:"quantum computing" OR (all:quantum AND all:computing))"#
    );
    assert!(mixed.notes[0].contains("English key words"));
    let all = ladder(&search("中国开源人才的现状分析"));
    assert!(all.steps.is_empty() && all.notes.len() == 1);
    assert_eq!(plain_words(&search("中国开源人才：现状")), "中国开源人才 现状");
    assert_eq!(ladder(&search("ＳＷＯＴ")).steps[0].text, "(all:SWOT)");
}

#[test]
fn filters_follow_the_words() {
    let search = Search::new(Asked {
        query: "graph".into(),
        categories: vec!["cs.LG,cs".into()],
        date_from: Some("2023".into()),
        date_to: Some("2023-02".into()),
        ..Asked::default()
    })
    .expect("a search");
    assert_eq!(
        ladder(&search).steps[0].text,
        "(all:graph) AND (cat:cs.* OR cat:cs.LG) AND submittedDate:[202301010000 TO 202302282359]"
    );
    let open = Search::new(Asked {
        query: "graph".into(),
        date_from: Some("2023-05-06".into()),
        ..Asked::default()
    });
    assert!(
        ladder(&open.expect("a search")).steps[0]
            .text
            .ends_with("[202305060000 TO 299912312359]")
    );
}

#[test]
fn semantic_scholar_gets_plain_words() {
    for (query, expected) in [
        ("ti:\"graph neural\" AND au:kipf", "graph neural kipf"),
        ("state-of-the-art (NLP) models", "state of the art NLP models"),
        ("ti:x submittedDate:[20230101 TO 20231231]", "x"),
        ("C++ and \"R\"", "C++ and R"),
    ] {
        assert_eq!(plain_words(&search(query)), expected);
    }
}

#[test]
fn long_queries_are_cut() {
    let query: Vec<_> = (0..40).map(|n| format!("word{n}")).collect();
    let ladder = ladder(&search(&query.join(" ")));
    assert!(ladder.notes[0].contains("first 24"), "{:?}", ladder.notes);
    assert_eq!(ladder.steps[0].text.matches("all:word").count(), 24);
}

proptest::proptest! {
    #[test]
    fn whatever_is_asked_is_well_formed(query in "[a-z\"()\\\\:\\[\\]{}量 AORNDT*-]{1,60}") {
        let Ok(search) = Search::new(Asked { query, ..Asked::default() }) else { return Ok(()) };
        for step in ladder(&search).steps {
            let open = step.text.matches('(').count();
            proptest::prop_assert_eq!(open, step.text.matches(')').count());
            proptest::prop_assert!(step.text.matches('"').count() % 2 == 0 && !step.text.contains('\\'), "{}", step.text);
            proptest::prop_assert!(!step.text.contains("()") && !step.text.contains("AND AND"), "{}", step.text);
        }
    }
}
