//! The links of a document in memory, as the laws compare them.

use proptest::prelude::*;
use rehref::Links;
use rehref::document::Document;
use rehref::format::Format;
use rehref::link::ParsedLink;

/// Panics unless the spans of the links are sorted, disjoint and within the document, no two links
/// begin at the same byte, and the id of each link finds it: law 2. Links in compressed objects of
/// PDF files have no spans, and come first.
#[track_caller]
pub(crate) fn assert_sorted(links: &Links<'_>) {
    let (mut last, mut end) = (None, 0);
    let is_pdf = links.document().format() == Format::Pdf;
    for link in links.iter().skip_while(|it| is_pdf && it.spans().is_empty()) {
        let id = link.id();
        assert!(last < Some(id), "{id:?} after {last:?}");
        assert_eq!(link.spans().first().map(|span| span.start), Some(id.offset()));
        let found = links.get(id).expect("the id is that of a link");
        assert_eq!(found.spans(), link.spans());
        last = Some(id);
        for span in link.spans() {
            assert!(end <= span.start && span.start <= span.end, "{span:?} before {end}");
            end = span.end;
        }
    }
    assert!(end <= links.document().bytes().len(), "{end} is beyond the end");
}

pub(crate) fn references(document: &Document) -> Vec<String> {
    document.links().iter().map(|link| link.reference().to_owned()).collect()
}

/// The targets of the links, including bases.
pub(crate) fn targets(document: &Document) -> Vec<Option<String>> {
    let links = document.links();
    let mut resolving = links.resolving();
    let links = links.found().links.iter();
    links.map(|link| resolving.target(link).uri.map(str::to_owned)).collect()
}

/// The URIs of IRIs: unmappable characters and those that would end the value are percent-encoded
/// when they are written, which changes the IRI but not its URI.
pub(crate) fn uris(
    iris: impl IntoIterator<Item = impl Into<Option<String>>>,
) -> Vec<Option<String>> {
    let encode = |iri: String| {
        let encode = |it: char| match it {
            '!'..='~' if !matches!(it, '"' | '\'') => it.to_string(),
            _ => it.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect(),
        };
        iri.chars().map(encode).collect()
    };
    iris.into_iter().map(|iri| iri.into().map(encode)).collect()
}

/// A reference without what the URL parser drops: blanks at both ends, tabs and line breaks.
pub(crate) fn stripped(value: &str) -> String {
    value.trim_matches(|it: char| it <= ' ').replace(['\t', '\n', '\r'], "")
}

/// Links that are delivered as they are found are those of the whole document: law 15.
pub(crate) fn are_delivered(document: &Document) -> Result<(), TestCaseError> {
    let links = document.links();
    let whole = links.found();
    let mut delivered = Vec::new();
    let rest = document.found_each(links.options(), &mut |found| {
        delivered.extend(found.drain(..).map(ParsedLink::into_owned));
    });
    prop_assert_eq!(&delivered, &whole.links);
    prop_assert_eq!((&rest.base, rest.malformed), (&whole.base, whole.malformed));
    Ok(())
}
