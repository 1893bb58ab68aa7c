//! Detection of HTML by content.

use std::path::Path;

use crate::format::called_text::CalledText;
use crate::format::language::Sniff;

/// The start tags that begin HTML (MIME Sniffing standard, section 7.1).
const TAGS: [&str; 16] = [
    "!DOCTYPE HTML", "HTML", "HEAD", "SCRIPT", "IFRAME", "H1", "DIV", "FONT", "TABLE", "A",
    "STYLE", "TITLE", "B", "BODY", "BR", "P",
];

/// The names of all other elements of HTML, with those of earlier versions. They do not occur in
/// these patterns, since servers send few pages that begin with them. A part of a page often does.
const ELEMENTS: [&str; 120] = [
    "abbr", "acronym", "address", "applet", "area", "article", "aside", "audio", "base",
    "basefont", "bdi", "bdo", "bgsound", "big", "blink", "blockquote", "button", "canvas",
    "caption", "center", "cite", "code", "col", "colgroup", "data", "datalist", "dd", "del",
    "details", "dfn", "dialog", "dir", "dl", "dt", "em", "embed", "fieldset", "figcaption",
    "figure", "footer", "form", "frame", "frameset", "h2", "h3", "h4", "h5", "h6", "header",
    "hgroup", "hr", "i", "img", "input", "ins", "kbd", "label", "legend", "li", "link", "main",
    "map", "mark", "marquee", "menu", "menuitem", "meta", "meter", "nav", "nobr", "noembed",
    "noframes", "noscript", "object", "ol", "optgroup", "option", "output", "param", "picture",
    "plaintext", "pre", "progress", "q", "rb", "rp", "rt", "rtc", "ruby", "s", "samp", "search",
    "section", "select", "slot", "small", "source", "span", "strike", "strong", "sub", "summary",
    "sup", "tbody", "td", "template", "textarea", "tfoot", "th", "thead", "time", "tr", "track",
    "tt", "u", "ul", "var", "video", "wbr", "xmp",
];

/// Returns true if a document that begins like this is HTML.
pub(super) fn begins(beginning: &Sniff<'_>) -> bool {
    let ascii = &*beginning.ascii;
    if ascii.starts_with(b"<?xml") {
        return begins_as_xhtml(ascii);
    }
    ascii.starts_with(b"<!--") || beginning.is_tag_of(&TAGS) || begins_as_part(beginning)
}

/// Returns true if a document without the name of another format begins as a part of a page. An
/// element in a namespace is one of another vocabulary, such as DocBook.
fn begins_as_part(beginning: &Sniff<'_>) -> bool {
    let tag = &beginning.ascii[..memchr::memchr(b'>', &beginning.ascii).unwrap_or_default()];
    beginning.called == CalledText::No
        && beginning.is_tag_of(&ELEMENTS)
        && memchr::memmem::find(tag, b"xmlns").is_none()
}

/// Returns true if an `html` element follows an XML declaration: XHTML served as HTML.
fn begins_as_xhtml(ascii: &[u8]) -> bool {
    let after = &ascii[1..];
    let tags = memchr::memchr_iter(b'<', after).map(|at| &after[at + 1..]);
    let mut roots = tags.filter(|it| it.first().is_some_and(u8::is_ascii_alphabetic));
    roots.next().is_some_and(|root| root.starts_with(b"html"))
}

/// Returns true if a document with NUL characters is not binary.
pub(super) fn may_have_nuls(bytes: &[u8]) -> bool {
    begins(&Sniff::new(Path::new(""), bytes)) || !is_of_other_program(bytes)
}

/// The number of bytes that [`is_of_other_program`] looks at.
const HEAD: usize = 8 << 10;

/// Returns true if a file with the name of a page and NULs has no markup at its beginning, or as
/// many controls as files of programs have. HTML parsers ignore NULs, or read them as U+FFFD (HTML
/// standard, section 13.2.5).
fn is_of_other_program(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD)];
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let has_markup = head.windows(2).any(|it| {
        it[0] == b'<' && (it[1].is_ascii_alphabetic() || matches!(it[1], b'!' | b'?' | b'/'))
    });
    let is_text = head.first().is_some_and(|it| it.is_ascii());
    let is_control = |byte: &&u8| matches!(**byte, 1..=8 | 14..=26 | 28..=31 | 127);
    let controls = head.iter().filter(is_control).count();
    let nuls = memchr::memchr_iter(0, head).count();
    !has_markup
        || !is_text
        || head.starts_with(b"%PDF-")
        || controls * 50 > head.len()
        || nuls * 4 > head.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nul_does_not_make_a_page_binary() {
        for page in [
            "\0<html>\0</html>",
            "<!doctype html>\0",
            "a\0<a href=b>c</a> and more words",
            "<p>\0\0\0\0\0\0",
        ] {
            assert!(may_have_nuls(page.as_bytes()), "{page:?}");
        }
        for other in [
            &b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR <p>"[..],
            b"%PDF-1.4\n<</Type /Catalog>>\0",
            b"PK\x03\x04\0\0<a",
            b"<\0h\0t\0m\0l\0>\0",
            b"words \0",
            b"",
        ] {
            assert!(!may_have_nuls(other), "{other:?}");
        }
    }
}
