//! Plain text after a page in a message, such as the footer that an archive of a mailing list adds.
//!
//! `<https://a.example/>` in it is a URL in brackets, not a tag.

use memchr::memchr;

use super::proof::pasted_html;
use crate::bytes::Span;
use crate::format::text::{self, Join};
use crate::format::{Options, ParsedLinks};
use crate::link::ParsedLink;
use crate::source::Source;

/// The end tags of a page.
const ENDS: [&[u8]; 2] = [b"</html", b"</body"];

/// Returns true if text with a URL in brackets follows a page. One search in the bytes.
pub(in crate::format) fn is_after_page(document: &Source) -> bool {
    document.mail_part.is_some() && footers(&document.bytes).next().is_some()
}

/// Replaces the links in the text after a page with those of plain text.
pub(in crate::format) fn add_links<'d>(
    document: &'d Source,
    options: &Options,
    found: &mut ParsedLinks<'d>,
) {
    let decoded = document.text();
    let footers: Vec<Span> = footers(decoded.text.as_bytes()).collect();
    let mut links = found.links.drain(..).peekable();
    let mut all = Vec::new();
    let joined = options.text_joining(Join::Guess);
    for footer in footers {
        let in_document = decoded.to_source(footer);
        let is_before = |end: usize| move |link: &ParsedLink<'_>| link.extent().start < end;
        all.extend(std::iter::from_fn(|| links.next_if(is_before(in_document.start))));
        while links.next_if(is_before(in_document.end)).is_some() {}
        let piece = &decoded.text[footer.range()];
        pasted_html::scan(piece, &joined, |url, text, at| {
            let to_source = |span: &Span| decoded.to_source(span.shifted(footer.start + at));
            let spans = url.spans.iter().map(to_source).collect();
            let reference = url.reference(text).into_owned().into();
            all.push(text::link_of_url(&url, text, spans, reference));
        });
    }
    all.extend(links);
    found.links = all;
}

/// The texts with a URL in brackets between an end tag of a page and the next tag. Linear.
fn footers(bytes: &[u8]) -> impl Iterator<Item = Span> {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let tag = from + find_end(&bytes[from..])?;
            let start = tag + memchr(b'>', &bytes[tag..])? + 1;
            let mut has_url = false;
            let mut end = start;
            loop {
                end += memchr(b'<', &bytes[end..]).unwrap_or(bytes.len() - end);
                if !begins_url(&bytes[end..]) {
                    break;
                }
                has_url = true;
                end += 1;
            }
            from = end;
            if has_url {
                return Some(Span::new(start, end));
            }
        }
    })
}

/// The first end tag of a page.
fn find_end(bytes: &[u8]) -> Option<usize> {
    memchr::memmem::find_iter(bytes, b"</").find(|&at| {
        let tag = bytes[at..].split_at_checked(ENDS[0].len());
        tag.is_some_and(|(tag, after)| {
            let is_whole = after.first().is_some_and(|it| *it == b'>' || it.is_ascii_whitespace());
            is_whole && ENDS.iter().any(|end| tag.eq_ignore_ascii_case(end))
        })
    })
}

/// Returns true if `bytes` begin with `<` and a URL or an address.
fn begins_url(bytes: &[u8]) -> bool {
    /// The maximum length of what is examined.
    const MOST: usize = 256;
    let Some(rest) = bytes.strip_prefix(b"<") else {
        return false;
    };
    let rest = &rest[..rest.len().min(MOST)];
    let rest = match rest.get(..4) {
        Some(prefix) if prefix.eq_ignore_ascii_case(b"url:") => &rest[4..],
        _ => rest,
    };
    let is_of_scheme = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let scheme = rest.iter().take_while(is_of_scheme).count();
    let (name, after) = rest.split_at(scheme);
    let is_url = after.starts_with(b":/") || name.eq_ignore_ascii_case(b"mailto");
    let is_of_address = |byte: &&u8| is_of_scheme(byte) || **byte == b'_';
    let local = rest.iter().take_while(is_of_address).count();
    scheme > 0 && is_url || local > 0 && rest.get(local) == Some(&b'@')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_after_a_page_ends_at_the_next_tag() {
        let found = |text: &'static str| {
            footers(text.as_bytes()).map(|it| &text[it.range()]).collect::<Vec<_>>()
        };
        assert_eq!(found("<html></HTML>\nURL: <http://a/>\n"), ["\nURL: <http://a/>\n"]);
        assert_eq!(
            found("<html></html > a <b@c.example> <html><i></html> <URL:mailto:d> <p>"),
            [" a <b@c.example> ", " <URL:mailto:d> "]
        );
        assert_eq!(
            found("<body>x</body>\n<http://a/></html> <http://b/>"),
            ["\n<http://a/>", " <http://b/>"]
        );
        for text in [
            "<html><http://a/>",
            "<html></html>",
            "<html></html> http://a/",
            "<html></html> <p> <http://a/>",
            "<html></html> <o:p> <http://a/>",
            "<html></htmlx> <http://a/>",
            "<html></html",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
