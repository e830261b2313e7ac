//! Recorded answers of arXiv and Semantic Scholar, to what they must become.

use crate::{atom, s2_json};
use meadow_papers::merge::merge;
use meadow_papers::{Paper, PaperId};
use std::path::PathBuf;

/// A recorded answer; none where they are not here, which is said.
fn fixture(name: &str) -> Option<Vec<u8>> {
    let Some(shared) = std::env::var_os("MEADOW_SHARED") else {
        println!("left out: {name} is in the shared folder, which MEADOW_SHARED does not name");
        return None;
    };
    let path = PathBuf::from(shared).join("fixtures").join(name);
    Some(std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// A paper in one line: id, version, DOI, dates, first category, number of categories, of authors, title's beginning.
fn line(paper: &Paper) -> String {
    let day = |date: Option<meadow_papers::Date>| date.map_or_else(|| "-".to_owned(), |date| date.to_string());
    format!(
        "{} v{} {} {} {} {} {} {} {}{}",
        paper.arxiv_id.as_deref().unwrap_or("-"),
        paper.arxiv_version.unwrap_or(0),
        paper.doi.as_deref().unwrap_or("-"),
        day(paper.published),
        day(paper.updated),
        paper.primary_category.as_deref().unwrap_or("-"),
        paper.categories.len(),
        paper.authors.len(),
        paper.title.chars().take(24).collect::<String>().trim(),
        if paper.withdrawn { " WITHDRAWN" } else { "" }
    )
}

#[track_caller]
fn check_feed(name: &str, total: u64, error: Option<&str>, expected: &[&str]) -> Vec<Paper> {
    let Some(bytes) = fixture(name) else { return Vec::new() };
    let feed = atom::read(&bytes).expect("a feed");
    assert_eq!((feed.total, feed.error.as_deref()), (Some(total), error));
    let lines: Vec<_> = feed.papers.iter().map(line).collect();
    assert_eq!(lines, expected, "{name}");
    for paper in &feed.papers {
        assert!(!paper.title.contains('\n') && !paper.title.contains("  "));
        assert!(paper.pdf.as_deref().is_some_and(|pdf| pdf.contains("/pdf/")), "{paper:?}");
        assert!(paper.summary.as_deref().is_some_and(|text| !text.starts_with(' ')));
    }
    feed.papers
}

#[test]
fn feeds_become_papers() {
    check_feed("arxiv-01-normal-page.xml", 214_881, None, &FEED_01);
    check_feed("arxiv-02-empty-unknown-id.xml", 0, None, &[]);
    check_feed("arxiv-03-error-feed-bad-id.xml", 1, Some("incorrect id format for abc"), &[]);
    let gould = check_feed("arxiv-04-oldstyle-id-affiliation.xml", 1, None, &FEED_04);
    if let Some(paper) = gould.first() {
        assert_eq!(paper.authors[0].affiliations, ["Ohio State"]);
        assert_eq!(paper.journal_ref.as_deref(), Some("ActaAstron.56:1-50,2006"));
        let summary = paper.summary.as_deref().unwrap_or_default();
        assert!(summary.contains("Gould & Morgan (2003)") && summary.contains("V_max<17.5"));
    }
    let many = check_feed("arxiv-05-many-authors.xml", 1, None, &FEED_05);
    assert!(many.is_empty() || !many[0].authors.iter().any(|author| author.name.is_empty()));
    let old = check_feed("arxiv-06-latex-oldstyle-nonascii.xml", 214_881, None, &FEED_06);
    if let Some(paper) = old.first() {
        assert_eq!(paper.title, "$ω$Test: WebView-Oriented Testing for Android Applications");
    }
    let legacy = check_feed("arxiv-11-legacy-wire-format-manual-sample.xml", 1_000, None, &FEED_11);
    if let Some(paper) = legacy.first() {
        assert_eq!(paper.title, "Multi-Electron Production at High Transverse Momenta in ep Collisions at HERA");
        assert_eq!(paper.comment.as_deref(), Some("23 pages, 8 figures and 4 tables"));
    }
    check_feed("arxiv-12-legacy-error-feed.xml", 1, Some("incorrect id format for 1234.12345"), &[]);
    check_feed("arxiv-13-withdrawn-derived.xml", 3, None, &FEED_13);
}

const FEED_01: [&str; 10] = [
    "2202.12139 v1 10.1109/icstw55395.2022.00035 2022-02-24 2022-02-24 cs.SE 2 3 Testing Deep Learning Mo",
    "2405.13786 v1 10.1109/icstw58534.2023.00023 2024-05-22 2024-05-22 cs.SE 2 4 Towards Explainable Test",
    "2005.14124 v2 10.1145/3395363.3397376 2020-05-28 2020-07-16 cs.SE 3 5 Active Fuzzing for Testi",
    "2204.08348 v3 10.1145/3533767.3534401 2022-04-18 2022-07-06 cs.SE 1 4 Automated Test Generatio",
    "2302.03287 v3 10.1109/icstw58534.2023.00078 2023-02-07 2023-03-11 cs.SE 2 5 ChatGPT and Software Tes",
    "1202.4527 v1 - 2012-02-21 2012-02-21 cs.SE 1 2 Study Paper on Test Case",
    "2503.05378 v2 - 2025-03-07 2025-08-12 cs.SE 1 4 A Survey on Web Testing:",
    "1205.1866 v1 10.5121/vlsic.2012.3205 2012-05-09 2012-05-09 cs.AR 1 2 Microcontroller Based Te",
    "2502.07719 v2 - 2025-02-11 2025-02-12 cs.SE 1 4 OpenCat: Improving Inter",
    "1812.11470 v1 - 2018-12-30 2018-12-30 cs.SE 1 2 A Systematic Literature",
];

const FEED_04: [&str; 1] = [
    "astro-ph/0601001 v1 - 2006-01-02 2006-01-02 astro-ph 1 4 Frequency of Hot Jupiter",
];

const FEED_05: [&str; 1] = [
    "1707.08567 v1 - 2017-07-27 2017-07-27 cs.IT 1 34 Proceedings of Workshop",
];

const FEED_06: [&str; 6] = [
    "2306.03845 v1 10.1145/3597926.3598112 2023-06-06 2023-06-06 cs.SE 1 4 $ω$Test: WebView-Oriente",
    "2405.13786 v1 10.1109/icstw58534.2023.00023 2024-05-22 2024-05-22 cs.SE 2 4 Towards Explainable Test",
    "cs/0503050 v1 - 2005-03-21 2005-03-21 cs.SE 1 3 Systematic Method for Pa",
    "gr-qc/0103067 v1 10.1007/3-540-40988-2_10 2001-03-17 2001-03-17 gr-qc 1 2 Principles of Equivalenc",
    "2409.05654 v9 - 2024-09-09 2025-05-08 math.ST 1 1 Continuous Testing: Unif",
    "2602.15552 v1 - 2026-02-17 2026-02-17 cs.SE 2 3 Latent Regularization in",
];

const FEED_11: [&str; 1] = [
    "hep-ex/0307015 v1 - 2003-07-07 2003-07-07 hep-ex 1 1 Multi-Electron Productio",
];

const FEED_13: [&str; 3] = [
    "0704.0156 v2 - 2007-04-02 2008-03-05 astro-ph 1 2 Nonlinear force-free cor WITHDRAWN",
    "0704.0480 v2 - 2007-04-04 2008-04-04 cond-mat.mes-hall 1 3 Enhanced quantum Zeno ef WITHDRAWN",
    "2101.10016 v8 - 2021-01-25 2023-01-17 math.QA 5 3 Weak quasi-Hopf algebras WITHDRAWN",
];

/// A record of Semantic Scholar in one line.
fn s2_line(paper: &Paper) -> String {
    format!(
        "{} {} {} {} {} {} {}",
        paper.s2_id.as_deref().map_or("-", |id| &id[..6]),
        paper.arxiv_id.as_deref().unwrap_or("-"),
        paper.doi.as_deref().unwrap_or("-"),
        paper.year.unwrap_or(0),
        paper.citation_count.map_or_else(|| "-".to_owned(), |count| count.to_string()),
        paper.venue.as_deref().unwrap_or("-"),
        paper.title.chars().take(24).collect::<String>().trim()
    )
}

#[test]
fn records_become_papers() {
    if let Some(bytes) = fixture("s2-01-search-titles.json") {
        let (total, papers) = s2_json::search(&bytes).expect("a page");
        assert_eq!((total, papers.len()), (70_499, 12));
        assert_eq!(papers[4].title, "Neural Turing Machines");
        // Titles alone join nothing.
        assert_eq!(merge(vec![papers.clone(), papers]).len(), 12);
    }
    if let Some(bytes) = fixture("s2-02-search-empty.json") {
        assert_eq!(s2_json::search(&bytes), Ok((0, Vec::new())));
    }
    if let Some(bytes) = fixture("s2-03-batch-full-with-null.json") {
        let papers = s2_json::batch(&bytes).expect("a batch");
        assert!(papers[0].is_none());
        let lines: Vec<_> = papers.iter().flatten().map(s2_line).collect();
        assert_eq!(lines, BATCH_03);
    }
    for (name, said) in [
        ("s2-04-not-found.json", "Paper with id 0 not found"),
        ("s2-05-bad-fields.json", "Unrecognized or unsupported fields: [unknown]"),
    ] {
        if let Some(bytes) = fixture(name) {
            assert_eq!(s2_json::complaint(&bytes).as_deref(), Some(said));
            assert_eq!(s2_json::search(&bytes), Err(said.to_owned()));
        }
    }
    if let Some(bytes) = fixture("s2-08-paper-full-refs.json") {
        let turing = s2_json::one(&bytes).expect("JSON").expect("a paper");
        assert_eq!(s2_line(&turing), "2d5673 - 10.1093/mind/lix.236.433 1950 10059 The Philosophy of Artificial Intelligence Computing Machinery and");
        assert!(turing.tldr.is_some() && turing.corpus_id == Some(14_636_783));
    }
}

const BATCH_03: [&str; 3] = [
    "c31c87 - 10.2139/ssrn.288970 2001 10670 Experimental & Empirical Studies eJournal How Much Should We Trust",
    "cb1ebd - 10.2139/ssrn.2250500 2013 2185 ERN: Credit Risk (Topic) The Miracle of Microfina",
    "0f40b1 - 10.1257/rct.1355 2023 0 - Improving Third-Party Au",
];

const CITED_08: [&str; 11] = [
    "505c7b 2405.08007 - 2024 0 - People cannot distinguis",
    "ceb800 2404.13957 - 2024 1 arXiv.org How Well Can LLMs Echo U",
    "b4d041 2404.04750 10.1145/3637866 2024 0 Communications of the ACM Now, Later, and Lasting:",
    "088542 2402.00030 10.2139/ssrn.4684136 2024 0 Social Science Research Network Evolution-Bootstrapped S",
    "bf4be3 2306.06159 10.1016/j.physletb.2024.138504 2023 12 Physics Letters B New Calabi–Yau Manifolds",
    "57e849 2302.13971 - 2023 5708 arXiv.org LLaMA: Open and Efficien",
    "db77e2 - 10.26599/gjms.2024.9330006 2024 0 全球传媒学刊 Communicating with Machi",
    "348f43 - 10.2307/3610576 1951 112 - Calculating Instruments",
    "55ddf1 - 10.1136/bmj.1.4616.1105 1949 97 British medical journal The Mind of Mechanical M",
    "91cdf5 - 10.2307/2268801 1937 22 Journal of Symbolic Logic General Recursive Functi",
    "c3f7ad - 10.1007/s00605-006-0423-7 1931 2281 Monatshefte für Mathematik Über formal unentscheidb",
];

/// The citations and references of the full record.
fn cited() -> Option<Vec<Paper>> {
    let whole: serde_json::Value = serde_json::from_slice(&fixture("s2-08-paper-full-refs.json")?).expect("JSON");
    let lists = ["citations", "references"].map(|key| serde_json::to_vec(&whole[key]).expect("a list"));
    let papers = lists.map(|list| s2_json::batch(&list).expect("a batch"));
    Some(papers.into_iter().flatten().flatten().collect())
}

#[test]
fn records_are_joined_with_those_of_arxiv() {
    let Some(records) = cited() else { return };
    let lines: Vec<_> = records.iter().map(s2_line).collect();
    assert_eq!(lines, CITED_08);
    // Each record beside one as arXiv would have it: joined by the arXiv id (absent, arXiv's and a publisher's DOI).
    for record in records.iter().filter(|record| record.arxiv_id.is_some()) {
        let preprint = Paper {
            title: "What arXiv calls it".into(),
            arxiv_id: record.arxiv_id.clone(),
            sources: vec![meadow_papers::SourceKind::Arxiv],
            ..Paper::default()
        };
        let one = merge(vec![vec![preprint.clone()], records.clone()]);
        assert_eq!(one.len(), records.len(), "{record:?}");
        assert!(one.iter().any(|paper| paper.title == preprint.title && paper.s2_id == record.s2_id && paper.doi == record.doi));
    }
    // By the DOI, in whatever case.
    for record in records.iter().filter(|record| record.doi.is_some()) {
        let upper = record.doi.as_deref().map(str::to_uppercase);
        let other = Paper { doi: upper, title: "Another".into(), ..Paper::default() };
        assert_eq!(merge(vec![vec![other], records.clone()]).len(), records.len(), "{record:?}");
    }
    // By the title, with an author or the time; parts of a work stay apart.
    for record in records.iter().filter(|record| record.title.split_whitespace().count() >= 4 && record.year.is_some()) {
        let bare = Paper { title: record.title.to_uppercase(), year: record.year, ..Paper::default() };
        assert_eq!(merge(vec![vec![bare.clone()], records.clone()]).len(), records.len(), "{record:?}");
        let part = Paper { title: format!("{} II", record.title), ..bare };
        assert_eq!(merge(vec![vec![part], records.clone()]).len(), records.len() + 1, "{record:?}");
    }
    // Among themselves they are as many as there are; none says it is another.
    assert_eq!(merge(vec![records.clone()]).len(), records.len());
    for id in records.iter().flat_map(Paper::ids) {
        assert_eq!(id.to_string().parse::<PaperId>(), Ok(id));
    }
}
