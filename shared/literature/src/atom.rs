//! arXiv's Atom feeds as papers, in the layout of today and in that before 2025. Read event by event: there is no
//! document type, and no entity but XML's own five and numbers.

use meadow_papers::text::one_line;
use meadow_papers::{Author, Date, Paper, PaperId, SourceKind, withdrawn};
use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};

/// What a feed says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Feed {
    /// How many papers there are in all.
    pub total: Option<u64>,
    /// What arXiv found wrong with the question: an error is an entry of its feed.
    pub error: Option<String>,
    /// Papers.
    pub papers: Vec<Paper>,
}

/// Bytes of a feed, at most.
pub const MAX_FEED: usize = 8 << 20;

/// Elements within elements, at most: arXiv has four.
const MAX_DEPTH: usize = 32;

/// An entry before it is a paper.
#[derive(Debug, Default)]
struct Entry {
    id: String,
    links: Vec<Link>,
    paper: Paper,
}

#[derive(Debug, Default)]
struct Link {
    href: String,
    rel: String,
    kind: String,
    title: String,
}

/// Reads a feed.
///
/// # Errors
/// Why it is none.
pub fn read(bytes: &[u8]) -> Result<Feed, String> {
    if bytes.len() > MAX_FEED {
        return Err(format!("it has {} bytes, at most {MAX_FEED} are read", bytes.len()));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "it is no UTF-8".to_owned())?;
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
    let mut feed = Feed::default();
    let mut path: Vec<String> = Vec::new();
    let mut entry = Entry::default();
    let mut content = String::new();
    let mut ended = false;
    loop {
        let event = reader.read_event().map_err(|error| one_line(&error.to_string()))?;
        match event {
            Event::Start(start) => {
                let name = name_of(&start);
                if path.is_empty() && name != "feed" {
                    return Err(format!("its root is <{}>", meadow_papers::text::cut(&name, 40)));
                }
                if path.len() >= MAX_DEPTH {
                    return Err("its elements are nested too deep".to_owned());
                }
                open(&name, &start, &path, &mut entry)?;
                path.push(name);
                content.clear();
            }
            Event::Empty(start) => {
                let name = name_of(&start);
                if path.is_empty() {
                    return Err("it is empty".to_owned());
                }
                open(&name, &start, &path, &mut entry)?;
            }
            Event::Text(text) => content.push_str(&text),
            Event::CData(data) => content.push_str(&data),
            Event::GeneralRef(reference) => content.push_str(&resolved(&reference)?),
            Event::End(_) => {
                let Some(name) = path.pop() else {
                    return Err("an element ends that did not begin".to_owned());
                };
                close(&name, &path, &content, &mut entry, &mut feed);
                content.clear();
                ended |= path.is_empty();
            }
            Event::DocType(_) => return Err("it has a document type".to_owned()),
            Event::Decl(_) | Event::Comment(_) | Event::PI(_) => {}
            Event::Eof => break,
        }
    }
    if ended && path.is_empty() {
        Ok(feed)
    } else {
        Err("it breaks off".to_owned())
    }
}

/// A name without its prefix: arXiv's are the same everywhere, and no two elements differ in it alone.
fn name_of(start: &BytesStart<'_>) -> String {
    start.local_name().into_inner().to_owned()
}

/// What `&lt;` or `&#945;` stands for.
fn resolved(reference: &BytesRef<'_>) -> Result<String, String> {
    if let Some(c) = reference
        .resolve_char_ref()
        .map_err(|error| one_line(&error.to_string()))?
    {
        return Ok(c.to_string());
    }
    let name: &str = reference;
    let known = resolve_xml_entity(name).map(str::to_owned);
    known.ok_or_else(|| format!("it has the entity &{};", meadow_papers::text::cut(&one_line(name), 40)))
}

/// An attribute, with its entities resolved.
fn attribute(start: &BytesStart<'_>, name: &str) -> Result<String, String> {
    let found = start
        .try_get_attribute(name)
        .map_err(|error| one_line(&error.to_string()))?;
    let Some(found) = found else {
        return Ok(String::new());
    };
    let value = quick_xml::escape::unescape(&found.value).map_err(|error| one_line(&error.to_string()))?;
    Ok(one_line(&value))
}

/// An element begins.
fn open(name: &str, start: &BytesStart<'_>, path: &[String], entry: &mut Entry) -> Result<(), String> {
    match name {
        "entry" if path.len() == 1 => *entry = Entry::default(),
        "link" if path.len() == 2 => entry.links.push(Link {
            href: attribute(start, "href")?,
            rel: attribute(start, "rel")?,
            kind: attribute(start, "type")?,
            title: attribute(start, "title")?,
        }),
        "category" if path.len() == 2 => {
            let term = attribute(start, "term")?;
            if !term.is_empty() && !entry.paper.categories.contains(&term) {
                entry.paper.categories.push(term);
            }
        }
        "primary_category" if path.len() == 2 => {
            entry.paper.primary_category = some(attribute(start, "term")?);
        }
        "author" if path.len() == 2 => entry.paper.authors.push(Author::default()),
        _ => {}
    }
    Ok(())
}

/// An element ends; `path` is what it stood in.
fn close(name: &str, path: &[String], content: &str, entry: &mut Entry, feed: &mut Feed) {
    let text = || one_line(content);
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    match path.as_slice() {
        ["feed"] => match name {
            "totalResults" => feed.total = content.trim().parse().ok(),
            "entry" => take(std::mem::take(entry), feed),
            _ => {}
        },
        ["feed", "entry"] => {
            let paper = &mut entry.paper;
            match name {
                "id" => entry.id = text(),
                "title" => paper.title = text(),
                "summary" => paper.summary = some(text()),
                "published" => paper.published = Date::of_stamp(content),
                "updated" => paper.updated = Date::of_stamp(content),
                "comment" => paper.comment = some(text()),
                "journal_ref" => paper.journal_ref = some(text()),
                "doi" => paper.doi = some(text()),
                // One without a name is nobody.
                "author" if paper.authors.last().is_some_and(|author| author.name.is_empty()) => {
                    paper.authors.pop();
                }
                _ => {}
            }
        }
        ["feed", "entry", "author"] => {
            if let Some(author) = entry.paper.authors.last_mut() {
                match name {
                    "name" => author.name = text(),
                    "affiliation" => author.affiliations.extend(some(text())),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

fn some(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

/// An entry becomes a paper, or the error that it is.
fn take(entry: Entry, feed: &mut Feed) {
    let Entry { id, links, mut paper } = entry;
    if id.contains("/api/errors") {
        feed.error = some(paper.summary.unwrap_or(paper.title)).or_else(|| Some("no reason is given".to_owned()));
        return;
    }
    let link = |wanted: fn(&Link) -> bool| links.iter().find(|link| wanted(link)).map(|link| link.href.clone());
    let page = link(|link| link.rel == "alternate");
    // Feeds of old have the version in the link alone.
    for text in [Some(&id), page.as_ref()].into_iter().flatten() {
        if let Ok(PaperId::Arxiv { base, version }) = text.parse() {
            paper.arxiv_id.get_or_insert(base);
            paper.arxiv_version = paper.arxiv_version.or(version);
        }
    }
    if paper.arxiv_id.is_none() {
        tracing::debug!("literature.entry_without_id");
        return;
    }
    paper.url = page;
    paper.pdf = link(|link| link.title == "pdf" || link.kind == "application/pdf");
    let doi = paper.doi.take().or_else(|| link(|link| link.title == "doi"));
    // Some papers have two, separated by a space.
    let doi = doi.and_then(|doi| doi.split_whitespace().next().map(str::to_owned));
    if let Some(Ok(PaperId::Doi(doi))) = doi.map(|doi| doi.parse()) {
        paper.doi = Some(doi);
    }
    paper.year = paper.published.map(Date::year);
    paper.withdrawn = withdrawn::likely(paper.comment.as_deref(), paper.summary.as_deref());
    paper.sources = vec![SourceKind::Arxiv];
    feed.papers.push(paper);
}

#[cfg(test)]
mod tests;
