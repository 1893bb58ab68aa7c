//! Declaring the character encoding of a page.

use encoding_rs::Encoding;

use super::charset::{declared, end_of_comment};
use crate::bytes::Span;
use crate::format::markup::declared_encoding::byte_order_mark;
use crate::source::Charset;

/// A byte order mark, or a `meta` element before any other in the head.
pub(super) fn declare(bytes: &[u8], encoding: &'static Encoding) -> Option<(Span, Vec<u8>)> {
    let head = &bytes[..bytes.len().min(Charset::PRESCAN)];
    if Encoding::for_bom(bytes).is_some() || declared(head) == Some(encoding) {
        return None;
    }
    if let Some(mark) = byte_order_mark(encoding) {
        return Some((Span::new(0, 0), mark.to_vec()));
    }
    let meta = format!("<meta charset=\"{}\">", encoding.name().to_ascii_lowercase());
    let at = place(head, Charset::PRESCAN - meta.len());
    Some((Span::new(at, at), meta.into_bytes()))
}

/// The offset after the document type and the start tags of `html` and `head` at the beginning of a
/// page, and at most `limit`: a browser does not search the declaration further behind.
fn place(head: &[u8], limit: usize) -> usize {
    let (mut at, mut place) = (0, 0);
    loop {
        let rest = &head[at..];
        let blank = rest.len() - rest.trim_ascii_start().len();
        let rest = &rest[blank..];
        let (end, is_tag) = if rest.starts_with(b"<!--") {
            (end_of_comment(&rest[2..]).map(|end| 2 + end), false)
        } else if begins(rest, b"<!doctype") {
            (memchr::memchr(b'>', rest).map(|end| end + 1), true)
        } else if begins(rest, b"<?") || begins(rest, b"<!") {
            (memchr::memchr(b'>', rest).map(|end| end + 1), false)
        } else if is_start_tag(rest, b"<html") || is_start_tag(rest, b"<head") {
            (end_of_tag(rest), true)
        } else {
            return place;
        };
        let Some(end) = end else {
            return place;
        };
        at += blank + end;
        if at > limit {
            return place;
        }
        if is_tag {
            place = at;
        }
    }
}

fn begins(rest: &[u8], with: &[u8]) -> bool {
    let begin = rest.get(..with.len());
    begin.is_some_and(|it| it.eq_ignore_ascii_case(with))
}

fn is_start_tag(rest: &[u8], tag: &[u8]) -> bool {
    let next = rest.get(tag.len());
    begins(rest, tag)
        && next.is_some_and(|it| it.is_ascii_whitespace() || matches!(it, b'/' | b'>'))
}

/// The end of a tag, whose attributes may have `>` in quotes.
fn end_of_tag(tag: &[u8]) -> Option<usize> {
    let mut quote = None;
    let mut is_value = false;
    for (at, &byte) in tag.iter().enumerate() {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') if is_value => quote = Some(byte),
            (None, b'>') => return Some(at + 1),
            (None, _) => {}
        }
        is_value = byte == b'=' || is_value && byte.is_ascii_whitespace();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{KOI8_R, UTF_8, UTF_16LE};

    fn with_meta(page: &str) -> Option<String> {
        let (span, new) = declare(page.as_bytes(), KOI8_R)?;
        let (before, after) = page.split_at(span.start);
        Some(format!("{before}{}{after}", String::from_utf8_lossy(&new)))
    }

    #[test]
    fn a_meta_element_is_the_first_in_the_head() {
        let meta = "<meta charset=\"koi8-r\">";
        for (before, after) in [
            ("", "a"),
            ("", "<p>a"),
            ("<!DOCTYPE html>", "\n<title>a</title>"),
            ("<!doctype html><html lang='>'>", "<title>a</title>"),
            ("<!-- a --><!DOCTYPE html>\n<HTML><!-- b --><HEAD id=x>", "\n<title>a</title>"),
            ("<!-- <head> --><html a=b\"c>", "<header>"),
            ("<html><head>", "<meta charset=utf-8>"),
            ("<!DOCTYPE html>", "<!-- unclosed"),
            ("", "<html "),
        ] {
            let page = format!("{before}{after}");
            let expected = format!("{before}{meta}{after}");
            assert_eq!(with_meta(&page), Some(expected.clone()));
            assert_eq!(with_meta(&expected), None, "{expected}");
        }
        let late = format!("<!DOCTYPE html><!--{}--><html>", "x".repeat(990));
        let expected = late.replacen('>', &format!(">{meta}"), 1);
        assert_eq!(with_meta(&late), Some(expected.clone()));
        assert_eq!(with_meta(&expected), None);
    }

    #[test]
    fn unicode_is_declared_by_a_byte_order_mark() {
        let declared = |page: &[u8], encoding| declare(page, encoding).map(|(_, new)| new);
        assert_eq!(declared(b"<p>a", UTF_8), Some(b"\xEF\xBB\xBF".to_vec()));
        assert_eq!(declared(b"<\0p\0>\0", UTF_16LE), Some(b"\xFF\xFE".to_vec()));
        assert_eq!(declared(b"<meta charset=utf-8>", UTF_8), None);
        assert_eq!(declared(b"\xEF\xBB\xBF<p>a", UTF_8), None);
        let other = declared(b"<meta charset=koi8-r>", UTF_8);
        assert_eq!(other, Some(b"\xEF\xBB\xBF".to_vec()));
    }
}
