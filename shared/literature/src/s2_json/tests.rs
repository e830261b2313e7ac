use super::*;

const RECORD: &str = r#"{"paperId":"2D5673caa9e6af3a7b82a43f19ee920992db07ad","externalIds":{"DOI":"10.1093/MIND/LIX.236.433",
"CorpusId":14636783,"MAG":"1"},"title":"Computing\n Machinery","abstract":null,"venue":"","journal":{"name":"Mind"},
"year":1950,"publicationDate":"1950-10-01","citationCount":10059,"openAccessPdf":null,"tldr":{"text":"Can machines think?"},
"authors":[{"authorId":null,"name":"A. Turing"},null,{"name":null}],"embedding":{"vector":[1.5]}}"#;

#[test]
fn a_record_is_a_paper() {
    let paper = one(RECORD.as_bytes()).expect("JSON").expect("a paper");
    assert_eq!(paper.title, "Computing Machinery");
    assert_eq!(paper.s2_id.as_deref(), Some("2d5673caa9e6af3a7b82a43f19ee920992db07ad"));
    assert_eq!((paper.doi.as_deref(), paper.corpus_id), (Some("10.1093/mind/lix.236.433"), Some(14_636_783)));
    assert_eq!((paper.venue.as_deref(), paper.summary.as_deref()), (Some("Mind"), None));
    assert_eq!((paper.year, paper.citation_count), (Some(1950), Some(10_059)));
    assert_eq!(paper.authors.len(), 1);
    assert_eq!(paper.tldr.as_deref(), Some("Can machines think?"));
}

#[track_caller]
fn arxiv(record: &str, expected: Option<&str>, doi: Option<&str>) {
    let paper = one(record.as_bytes()).expect("JSON").expect("a paper");
    assert_eq!((paper.arxiv_id.as_deref(), paper.doi.as_deref()), (expected, doi), "{record}");
}

#[test]
fn arxiv_ids_stand_in_three_places() {
    arxiv(r#"{"title":"x","externalIds":{"ArXiv":"2405.08007"}}"#, Some("2405.08007"), None);
    arxiv(r#"{"title":"x","externalIds":{"ArXiv":"math/0309136","DOI":"10.1145/X"}}"#, Some("math/0309136"), Some("10.1145/x"));
    arxiv(r#"{"title":"x","externalIds":{"DOI":"10.48550/arXiv.2302.13971"}}"#, Some("2302.13971"), None);
    arxiv(r#"{"title":"x","openAccessPdf":{"url":"https://arxiv.org/pdf/2302.13971v1"}}"#, Some("2302.13971"), None);
    arxiv(r#"{"title":"x","openAccessPdf":{"url":"https://x.org/a.pdf"},"externalIds":null}"#, None, None);
}

#[test]
fn pages_and_batches_have_their_shapes() {
    assert_eq!(search(br#"{"total":0,"offset":0}"#), Ok((0, Vec::new())));
    let page = format!(r#"{{"total":70499,"offset":0,"next":1,"data":[{RECORD},null,{{"paperId":null,"title":null}}]}}"#);
    let (total, papers) = search(page.as_bytes()).expect("a page");
    assert_eq!((total, papers.len()), (70_499, 1));
    let list = format!("[null,{RECORD}]");
    let papers = batch(list.as_bytes()).expect("a batch");
    assert!(papers[0].is_none() && papers[1].is_some());
    assert_eq!(complaint(br#"{"error":"Paper with id 0 not found"}"#).as_deref(), Some("Paper with id 0 not found"));
    assert_eq!(complaint(br#"{"message":"Forbidden"}"#).as_deref(), Some("Forbidden"));
    assert_eq!(complaint(b"<html>"), None);
    assert_eq!(search(br#"{"message":"Forbidden"}"#), Err("Forbidden".to_owned()));
    for bytes in [&b"<html>"[..], b"", b"[]x", b"{}", b"\xff\xfe", br#"{"total":1,"data":[{"title":5}]}"#] {
        assert!(search(bytes).is_err(), "{bytes:?}");
        assert!(batch(bytes).is_err(), "{bytes:?}");
    }
}
