//! Detection of HTML by content.

use crate::format::language::Beginning;

/// How many bytes [`begins_as_page`] reads.
const SNIFF: usize = 1024;

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
pub(super) fn begins(beginning: &Beginning<'_>) -> bool {
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

/// Returns true if the content begins with `<!DOCTYPE html` or `<html`, after white space and comments. Reads the first
/// 1,024 bytes.
pub fn begins_as_page(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(SNIFF)];
    let mut rest = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    loop {
        rest = rest.trim_ascii_start();
        let comment = rest.strip_prefix(b"<!--");
        match comment.map(|it| memchr::memmem::find(it, b"-->").map(|end| &it[end + 3..])) {
            None => break,
            Some(None) => return false,
            Some(Some(after)) => rest = after,
        }
    }
    let is_tag = |tag: &[u8]| {
        let name = rest.get(..tag.len());
        let end = rest.get(tag.len());
        name.is_some_and(|it| it.eq_ignore_ascii_case(tag))
            && end.is_some_and(|end| end.is_ascii_whitespace() || *end == b'>')
    };
    is_tag(b"<!DOCTYPE html") || is_tag(b"<html")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_begins_with_its_doctype_or_root() {
        for page in [
            "<!DOCTYPE html>",
            "\u{FEFF} <!-- x -->\n<HTML lang=en>",
            "<!doctype HTML PUBLIC>",
        ] {
            assert!(begins_as_page(page.as_bytes()), "{page}");
        }
        for other in [
            "",
            "<",
            "<htmlx>",
            "<!-- <html>",
            "# <html>",
            "<p>",
            "<?xml version='1.0'?>",
        ] {
            assert!(!begins_as_page(other.as_bytes()), "{other}");
        }
    }
}
