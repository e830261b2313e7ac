use super::*;
use crate::paper::Author;

fn paper(title: &str, author: &str, year: u16) -> Paper {
    Paper {
        title: title.to_owned(),
        authors: vec![Author {
            name: author.to_owned(),
            ..Author::default()
        }],
        year: Some(year),
        ..Paper::default()
    }
}

fn on_arxiv(id: &str) -> Paper {
    Paper {
        arxiv_id: Some(id.to_owned()),
        arxiv_version: Some(3),
        summary: Some("arXiv's abstract".to_owned()),
        sources: vec![SourceKind::Arxiv],
        ..paper("A title that arXiv has", "A. One", 2020)
    }
}

fn on_s2() -> Paper {
    Paper {
        summary: Some("another abstract".to_owned()),
        citation_count: Some(7),
        venue: Some("Mind".to_owned()),
        s2_id: Some("ab".repeat(20)),
        sources: vec![SourceKind::S2],
        ..paper("Some other title it has", "B. Two", 2001)
    }
}

#[track_caller]
fn check(a: Paper, b: Paper, count: usize) {
    let found = merge(vec![vec![a.clone()], vec![b.clone()]]);
    assert_eq!(found.len(), count, "{found:#?}");
    assert_eq!(merge(vec![vec![b], vec![a]]).len(), count);
}

#[test]
fn ids_join() {
    let mut s2 = on_s2();
    s2.arxiv_id = Some("2301.00010".into());
    check(on_arxiv("2301.00010"), s2.clone(), 1);
    check(on_arxiv("2301.00011"), s2, 2);
    let with = |doi: &str| Paper {
        doi: Some(doi.to_owned()),
        ..on_s2()
    };
    check(on_arxiv("2301.00010"), with("10.48550/arXiv.2301.00010"), 1);
    let mut a = on_arxiv("2301.00010");
    a.doi = Some("10.1093/mind/lix.236.433".into());
    check(a.clone(), with("10.1093/MIND/LIX.236.433"), 1);
    check(a, with("10.1093/MIND/LIX.236.434"), 2);
    let mut pdf = on_s2();
    pdf.pdf = Some("https://arxiv.org/pdf/2301.00010.pdf".into());
    check(on_arxiv("2301.00010"), pdf, 1);
}

#[test]
fn each_source_says_what_it_knows_best() {
    let mut s2 = on_s2();
    s2.arxiv_id = Some("2301.00010".into());
    for lists in [
        vec![vec![on_arxiv("2301.00010")], vec![s2.clone()]],
        vec![vec![s2.clone()], vec![on_arxiv("2301.00010")]],
    ] {
        let found = merge(lists);
        let one = &found[0];
        assert_eq!(one.title, "A title that arXiv has");
        assert_eq!(one.summary.as_deref(), Some("arXiv's abstract"));
        assert_eq!((one.arxiv_version, one.citation_count), (Some(3), Some(7)));
        assert_eq!(one.venue.as_deref(), Some("Mind"));
        assert_eq!(one.sources, [SourceKind::Arxiv, SourceKind::S2]);
    }
}

#[test]
fn titles_join_where_an_author_or_the_time_agrees() {
    let title = "On the Schrödinger equation in $\\mathbb{R}^2$";
    check(
        paper(title, "Jane Doe", 2001),
        paper("On the Schr\\\"odinger Equation in R^2.", "Doe, Jane", 2020),
        1,
    );
    check(paper(title, "Jane Doe", 2001), paper(title, "X. Other", 2003), 1);
    check(paper(title, "Jane Doe", 2001), paper(title, "X. Other", 2004), 2);
    check(
        paper("$\\omega$-limit sets of some maps", "A B", 2001),
        paper("ω-Limit sets of some maps", "A B", 2001),
        1,
    );
    check(
        paper("$\\alpha$ decay of heavy nuclei", "A B", 2001),
        paper("$\\beta$ decay of heavy nuclei", "A B", 2001),
        2,
    );
    check(
        paper("[PDF] Neural networks and analog computation", "A B", 2001),
        paper("Neural Networks and Analog Computation", "A B", 2001),
        1,
    );
    check(
        paper("中国开源人才的现状分析与发展", "王 伟", 2020),
        paper("中国开源人才的现状分析与发展", "李 强", 2021),
        1,
    );
}

#[test]
fn titles_that_say_little_or_differ_in_their_part_do_not_join() {
    for (a, b) in [
        ("Preface", "Preface"),
        ("0", "0"),
        ("Deep learning now", "Deep learning now"),
        ("开源人才", "开源人才"),
        ("Letter to the Editor", "Letter to the editor"),
        (
            "On some undecidable propositions I",
            "On some undecidable propositions II",
        ),
        ("A survey of web testing 2023", "A survey of web testing 2024"),
        ("A survey of web testing", "A survey of web testing, part 2"),
    ] {
        check(paper(a, "Jane Doe", 2001), paper(b, "Jane Doe", 2001), 2);
    }
}

#[test]
fn titles_never_join_two_arxiv_ids() {
    let title = "The same long title again";
    let with = |id: Option<&str>| Paper {
        arxiv_id: id.map(str::to_owned),
        ..paper(title, "Jane Doe", 2001)
    };
    check(with(Some("2301.00010")), with(Some("2301.00011")), 2);
    // Nor through a third that has none.
    let all = vec![
        vec![with(Some("2301.00010")), with(None)],
        vec![with(Some("2301.00011")), with(None)],
    ];
    assert_eq!(merge(all).len(), 2);
}

#[test]
fn what_both_judges_place_well_comes_first() {
    let list = |names: [&str; 3]| {
        names
            .map(|name| paper(&format!("A long title of {name}"), name, 2001))
            .to_vec()
    };
    let found = merge(vec![list(["a", "b", "c"]), list(["d", "b", "e"])]);
    let names: Vec<_> = found.iter().map(|paper| paper.authors[0].name.as_str()).collect();
    assert_eq!(names, ["b", "a", "d", "c", "e"]);
}

#[test]
fn the_newest_come_first_and_the_undated_last() {
    let mut papers = vec![Paper::default(), paper("a", "a", 1999), paper("b", "b", 2020)];
    papers.push(Paper {
        published: crate::Date::new(2020, 5, 1),
        ..paper("c", "c", 2020)
    });
    newest_first(&mut papers);
    let titles: Vec<_> = papers.iter().map(|paper| paper.title.as_str()).collect();
    assert_eq!(titles, ["c", "b", "a", ""]);
}
