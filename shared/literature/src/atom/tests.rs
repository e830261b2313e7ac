use super::*;

const FEED: &str = r#"<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/x</id><title>arXiv Query</title>
  <opensearch:totalResults>42</opensearch:totalResults>
  <entry>
    <id>http://arxiv.org/abs/solv-int/9901001v3</id>
    <title>On   &lt;a&gt; &amp;
      $\alpha$ &#946;&#x3b3;</title>
    <updated>2001-02-03T00:00:00Z</updated>
    <link href="https://arxiv.org/abs/solv-int/9901001v3" rel="alternate" type="text/html"/>
    <link href="https://arxiv.org/pdf/solv-int/9901001v3?a=1&amp;b=2" rel="related" type="application/pdf" title="pdf"/>
    <summary>  One.
  Two <![CDATA[<three> & four]]>.</summary>
    <category term="nlin.SI"/><category term="solv-int"/><category term="nlin.SI"/>
    <published>1999-01-02T00:00:00Z</published>
    <arxiv:comment>9 pages</arxiv:comment>
    <arxiv:primary_category term="nlin.SI"/>
    <arxiv:journal_ref>J. Phys. A</arxiv:journal_ref>
    <author><name>J. M&#252;ller</name><arxiv:affiliation>Here</arxiv:affiliation><arxiv:affiliation>There</arxiv:affiliation></author>
    <author><name>  </name></author>
    <author><name>王 伟</name></author>
    <arxiv:doi>10.1000/ABC 10.1000/second</arxiv:doi>
  </entry>
</feed>"#;

#[test]
fn an_entry_is_a_paper() {
    let feed = read(FEED.as_bytes()).expect("a feed");
    assert_eq!((feed.total, feed.error, feed.papers.len()), (Some(42), None, 1));
    let paper = &feed.papers[0];
    assert_eq!(paper.title, "On <a> & $\\alpha$ βγ");
    assert_eq!(paper.summary.as_deref(), Some("One. Two <three> & four."));
    assert_eq!((paper.arxiv_id.as_deref(), paper.arxiv_version), (Some("solv-int/9901001"), Some(3)));
    let authors: Vec<_> = paper.authors.iter().map(|author| (author.name.as_str(), author.affiliations.len())).collect();
    assert_eq!(authors, [("J. Müller", 2), ("王 伟", 0)]);
    assert_eq!((paper.categories.join(" "), paper.primary_category.as_deref()), ("nlin.SI solv-int".into(), Some("nlin.SI")));
    assert_eq!((paper.doi.as_deref(), paper.year), (Some("10.1000/abc"), Some(1999)));
    assert_eq!(paper.pdf.as_deref(), Some("https://arxiv.org/pdf/solv-int/9901001v3?a=1&b=2"));
    assert_eq!((paper.comment.as_deref(), paper.journal_ref.as_deref()), (Some("9 pages"), Some("J. Phys. A")));
    assert_eq!(paper.updated.map(|date| date.to_string()).as_deref(), Some("2001-02-03"));
    assert!(!paper.withdrawn);
    let marked = format!("\u{feff}{FEED}");
    assert_eq!(read(marked.as_bytes()).expect("a feed").papers.len(), 1);
}

#[test]
fn an_error_is_never_a_paper() {
    for id in ["https://arxiv.org/api/errors#incorrect_id", "http://arxiv.org/api/errors#x"] {
        let feed = format!(
            "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>{id}</id><title>Error</title>\
             <summary>incorrect id format for abc</summary><author><name>arXiv api core</name></author></entry></feed>"
        );
        let feed = read(feed.as_bytes()).expect("a feed");
        assert_eq!((feed.papers.len(), feed.error.as_deref()), (0, Some("incorrect id format for abc")));
    }
}

#[test]
fn what_is_no_feed_is_refused() {
    let bomb = "<!DOCTYPE lolz [<!ENTITY lol \"lol\"><!ENTITY lol2 \"&lol;&lol;\">]><feed><title>&lol2;</title></feed>";
    let deep = format!("<feed>{}", "<a>".repeat(100_000));
    for (text, part) in [
        ("", "breaks off"),
        ("Rate exceeded.", "breaks off"),
        ("<html><body>Busy<br></body></html>", "its root is <html>"),
        ("<!DOCTYPE html><html></html>", "document type"),
        (bomb, "document type"),
        ("<feed><title>&nbsp;</title></feed>", "entity &nbsp;"),
        ("<feed><title>&#xD800;</title></feed>", ""),
        ("<feed><title>&lt</title></feed>", ""),
        (&FEED[..FEED.len() / 2], "breaks off"),
        (&FEED[..FEED.len() - 7], "breaks off"),
        ("<feed><a></b></feed>", ""),
        ("<feed/>", "empty"),
        (deep.as_str(), "too deep"),
        ("<feed><entry><link href=x/></entry></feed>", ""),
    ] {
        let said = read(text.as_bytes()).expect_err(text.get(..60).unwrap_or(text));
        assert!(said.contains(part), "{said}");
    }
    assert!(read(&[b'<', 0xff, 0xfe]).expect_err("no UTF-8").contains("UTF-8"));
    assert!(read(&vec![b' '; MAX_FEED + 1]).expect_err("large").contains("at most"));
}

#[test]
fn cut_anywhere_it_is_refused_or_whole_and_never_panics() {
    let bytes = FEED.as_bytes();
    for end in 0..bytes.len() - 6 {
        assert!(read(&bytes[..end]).is_err(), "{end}");
    }
    for at in (0..bytes.len()).step_by(7) {
        let mut changed = bytes.to_vec();
        changed[at] ^= 0x15;
        let _ = read(&changed);
    }
}
