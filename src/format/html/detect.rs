//! Detection of HTML by content.

use crate::format::language::{Beginning, Language};

/// The detection of HTML, without a reader.
pub(crate) const RECOGNIZED: Language = Language {
    extensions: &["html", "htm", "shtml", "shtm"],
    media_types: &["text/html", "text/x-amp-html"],
    begins,
    is_page: true,
    ..Language::with_feature("html", "html")
};

/// The start tags that begin HTML (MIME Sniffing standard, section 7.1).
const TAGS: [&str; 16] = [
    "!DOCTYPE HTML",
    "HTML",
    "HEAD",
    "SCRIPT",
    "IFRAME",
    "H1",
    "DIV",
    "FONT",
    "TABLE",
    "A",
    "STYLE",
    "TITLE",
    "B",
    "BODY",
    "BR",
    "P",
];

/// Returns true if a document that begins like this is HTML.
fn begins(beginning: &Beginning<'_>) -> bool {
    let ascii = &*beginning.ascii;
    if ascii.starts_with(b"<?xml") {
        return begins_as_xhtml(ascii);
    }
    ascii.starts_with(b"<!--") || beginning.is_tag_of(&TAGS)
}

/// Returns true if an `html` element follows an XML declaration: XHTML served as HTML.
fn begins_as_xhtml(ascii: &[u8]) -> bool {
    let after = &ascii[1..];
    let tags = memchr::memchr_iter(b'<', after).map(|at| &after[at + 1..]);
    let mut roots = tags.filter(|it| it.first().is_some_and(u8::is_ascii_alphabetic));
    roots.next().is_some_and(|root| root.starts_with(b"html"))
}
