//! The two kinds of XML that S3 answers with: a page of a list, and an error.

use aws_smithy_types::date_time::{DateTime, Format};
use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::Event;

/// Elements within elements, at most: S3 has four.
const MAX_DEPTH: usize = 16;

/// A page of a list.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) objects: Vec<Listed>,
    /// Where the next page begins; none after the last one.
    pub(crate) next: Option<String>,
}

/// What a list says of an object.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Listed {
    /// As it is encoded in an answer.
    pub(crate) key: String,
    pub(crate) size: Option<u64>,
    /// In seconds.
    pub(crate) modified: Option<i64>,
    pub(crate) etag: Option<String>,
}

/// Reads a page. Else says why it is none, without a word of it.
pub(crate) fn page(bytes: &[u8]) -> Result<Page, &'static str> {
    let mut page = Page::default();
    let mut object = Listed::default();
    let mut goes_on = false;
    let mut next = None;
    walk(bytes, "ListBucketResult", &mut |element, text| match element {
        "Contents/Key" => object.key = text,
        "Contents/Size" => object.size = text.parse().ok(),
        "Contents/ETag" => object.etag = Some(text),
        "Contents/LastModified" => {
            let at = DateTime::from_str(&text, Format::DateTimeWithOffset).ok();
            object.modified = at.map(|at| at.secs());
        }
        "Contents" => page.objects.push(std::mem::take(&mut object)),
        "IsTruncated" => goes_on = text == "true",
        "NextContinuationToken" => next = Some(text),
        _ => {}
    })?;
    if goes_on {
        page.next = Some(next.ok_or("it goes on and does not say where")?);
    }
    Ok(page)
}

/// The code of an error. What looks like none is not passed on: it would be shown.
pub(crate) fn code(bytes: &[u8]) -> Option<String> {
    let mut code = None;
    walk(bytes, "Error", &mut |element, text| {
        if element == "Code" {
            code = Some(text);
        }
    })
    .ok()?;
    code.filter(|code| (1..=64).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_alphanumeric()))
}

/// Calls back at the end of each element below the root with its path and its text.
fn walk(bytes: &[u8], root: &str, ended: &mut dyn FnMut(&str, String)) -> Result<(), &'static str> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is no UTF-8")?;
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
    let mut path: Vec<String> = Vec::new();
    let mut content = String::new();
    let mut is_whole = false;
    loop {
        match reader.read_event().map_err(|_| "it is no XML")? {
            Event::Start(start) => {
                let name = start.local_name().into_inner();
                if path.is_empty() && (name != root || is_whole) {
                    return Err("it is of another kind");
                }
                if path.len() == MAX_DEPTH {
                    return Err("its elements are nested too deep");
                }
                path.push(name.to_owned());
                content.clear();
            }
            Event::End(_) => {
                let element = path.get(1..).unwrap_or_default().join("/");
                path.pop();
                is_whole = path.is_empty();
                ended(&element, std::mem::take(&mut content));
            }
            Event::Text(text) => content.push_str(&text),
            Event::CData(data) => content.push_str(&data),
            Event::GeneralRef(reference) => match reference.resolve_char_ref() {
                Ok(Some(c)) => content.push(c),
                Ok(None) => content.push_str(resolve_xml_entity(&reference).ok_or("it has an unknown entity")?),
                Err(_) => return Err("it is no XML"),
            },
            Event::DocType(_) => return Err("it has a document type"),
            Event::Empty(_) | Event::Decl(_) | Event::Comment(_) | Event::PI(_) => {}
            Event::Eof if is_whole => return Ok(()),
            Event::Eof => return Err("it breaks off"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_as_s3_sends_it() {
        let text = r#"<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name><Prefix>a%2F</Prefix>
  <NextContinuationToken>1/w==&amp;x</NextContinuationToken><KeyCount>2</KeyCount><IsTruncated>true</IsTruncated>
  <Contents><Key>a/%E6%96%87+1.md</Key><LastModified>2025-11-30T10:53:20.123Z</LastModified>
    <ETag>&quot;d41d8&#x63;d9&quot;</ETag><Size>7</Size><Owner><ID>me</ID><Key>no</Key></Owner></Contents>
  <Contents><Key>a/b</Key><Size>x</Size><LastModified>never</LastModified></Contents>
  <CommonPrefixes><Prefix>c</Prefix></CommonPrefixes><Delimiter/>
</ListBucketResult>"#;
        let first = Listed {
            key: "a/%E6%96%87+1.md".to_owned(),
            size: Some(7),
            modified: Some(1_764_500_000),
            etag: Some("\"d41d8cd9\"".to_owned()),
        };
        let second = Listed {
            key: "a/b".to_owned(),
            ..Listed::default()
        };
        let read = Page {
            objects: vec![first, second],
            next: Some("1/w==&x".to_owned()),
        };
        assert_eq!(page(text.as_bytes()), Ok(read));
        let last = text.replace("<IsTruncated>true", "<IsTruncated>false");
        assert_eq!(page(last.as_bytes()).expect("a page").next, None);
        for end in 0..text.len() - 1 {
            assert!(page(&text.as_bytes()[..end]).is_err(), "broken off at {end}");
        }
    }

    #[test]
    fn what_is_no_page() {
        let deep = format!("<ListBucketResult>{}", "<a>".repeat(100_000));
        for text in [
            "",
            "busy",
            "<html><body>sign in</body></html>",
            "<Error><Code>SlowDown</Code></Error>",
            "<ListBucketResult></Other>",
            "<ListBucketResult/>",
            "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
            "<ListBucketResult></ListBucketResult><ListBucketResult></ListBucketResult>",
            "<!DOCTYPE x [<!ENTITY a \"b\">]><ListBucketResult></ListBucketResult>",
            "<ListBucketResult><Contents><Key>&a;</Key></Contents></ListBucketResult>",
            &deep,
        ] {
            assert!(page(text.as_bytes()).is_err(), "{}", &text[..text.len().min(80)]);
        }
        assert!(page(b"<ListBucketResult>\xff</ListBucketResult>").is_err());
    }

    #[test]
    fn codes_of_errors() {
        let of = |text: &str| code(text.as_bytes());
        let said = of("<?xml version=\"1.0\"?>\n<Error><Code>NoSuchKey</Code><Key>a</Key></Error>");
        assert_eq!(said.as_deref(), Some("NoSuchKey"));
        for none in [
            "",
            "<Error></Error>",
            "<Error><Code>the words of a note</Code></Error>",
            "<Error><Resource><Code>Deep</Code></Resource></Error>",
            "<html><Code>Other</Code></html>",
        ] {
            assert_eq!(of(none), None, "{none}");
        }
    }
}
