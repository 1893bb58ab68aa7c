//! Attribute values with several URLs, or with a URL among other text.

use crate::bytes::Span;

/// The content of a value, and the syntax of its URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// One URL.
    Url,
    /// URLs separated by white space.
    SpaceList,
    /// URLs separated by white space or commas.
    CommaList,
    /// Image candidates.
    Srcset,
    /// A number of seconds and a URL.
    Refresh,
    /// CSS declarations.
    Css,
    /// A page.
    Page,
}

/// The URLs of a value.
pub(crate) enum Items<'v> {
    One(Option<Span>),
    Many(Box<dyn Iterator<Item = Span> + 'v>),
}

impl<'v> Items<'v> {
    /// See [`list`].
    pub(crate) fn list(value: &'v str, commas: bool) -> Self {
        Self::Many(Box::new(list(value, commas)))
    }

    /// See [`srcset`].
    pub(crate) fn srcset(value: &'v str) -> Self {
        Self::Many(Box::new(srcset(value)))
    }
}

impl Iterator for Items<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        match self {
            Self::One(item) => item.take(),
            Self::Many(items) => items.next(),
        }
    }
}

/// The URLs of a list separated by white space, and by commas if `commas` is set.
pub(crate) fn list(value: &str, commas: bool) -> impl Iterator<Item = Span> {
    let separates = move |byte: u8| is_space(byte) || commas && byte == b',';
    let bytes = value.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + bytes[at..].iter().position(|&byte| !separates(byte))?;
        let len = bytes[start..].iter().position(|&byte| separates(byte));
        at = len.map_or(bytes.len(), |len| start + len);
        Some(Span::new(start, at))
    })
}

/// The URLs of image candidates, with any descriptors (HTML standard, section 4.8.4.3.12, "parse a
/// srcset attribute").
pub(crate) fn srcset(value: &str) -> impl Iterator<Item = Span> {
    let bytes = value.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let skip = bytes[at..].iter().position(|&byte| !is_space(byte) && byte != b',')?;
        let start = at + skip;
        let len = bytes[start..].iter().position(|&byte| is_space(byte));
        let end = len.map_or(bytes.len(), |len| start + len);
        let commas = bytes[start..end].iter().rev().take_while(|&&byte| byte == b',').count();
        at = if commas > 0 { end } else { descriptors_end(bytes, end) };
        Some(Span::new(start, end - commas))
    })
}

/// The offset of the comma that ends the descriptors of a candidate. Commas in parentheses do not.
fn descriptors_end(bytes: &[u8], from: usize) -> usize {
    let mut in_parentheses = false;
    for (at, &byte) in bytes.iter().enumerate().skip(from) {
        match byte {
            b'(' => in_parentheses = true,
            b')' => in_parentheses = false,
            b',' if !in_parentheses => return at,
            _ => {}
        }
    }
    bytes.len()
}

/// The URL of a `meta` refresh, and its quote (HTML standard, section 4.2.5.3, "shared declarative
/// refresh steps").
pub(crate) fn refresh(value: &str) -> Option<(Span, Option<u8>)> {
    let bytes = value.as_bytes();
    let skip_space = |at: usize| at + count(&bytes[at..], is_space);
    let time = skip_space(0);
    let digits = count(&bytes[time..], |byte| byte.is_ascii_digit());
    let at = time + count(&bytes[time..], |byte| byte.is_ascii_digit() || byte == b'.');
    if digits == 0 && bytes.get(time) != Some(&b'.') {
        return None;
    }
    let separator = *bytes.get(at)?;
    if !is_space(separator) && separator != b';' && separator != b',' {
        return None;
    }
    let at = skip_space(at);
    let at = if matches!(bytes.get(at)?, b';' | b',') { skip_space(at + 1) } else { at };
    bytes.get(at)?;
    let mut start = at;
    if bytes[at].eq_ignore_ascii_case(&b'u') {
        // Text that only resembles `url=` is the URL itself.
        let whole = Some((Span::new(at, bytes.len()), None));
        if !bytes[at..].get(..3).is_some_and(|it| it.eq_ignore_ascii_case(b"url")) {
            return whole;
        }
        let equals = skip_space(at + 3);
        if bytes.get(equals) != Some(&b'=') {
            return whole;
        }
        start = skip_space(equals + 1);
    }
    let quote = bytes.get(start).copied().filter(|byte| matches!(byte, b'"' | b'\''));
    start += usize::from(quote.is_some());
    let end = quote.and_then(|quote| memchr::memchr(quote, &bytes[start..]));
    Some((Span::new(start, end.map_or(bytes.len(), |end| start + end)), quote))
}

fn count(bytes: &[u8], is: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|&&byte| is(byte)).count()
}

fn is_space(byte: u8) -> bool {
    super::chars::is_space(byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(value: &str, spans: impl Iterator<Item = Span>) -> Vec<&str> {
        spans.map(|span| &value[span.range()]).collect()
    }

    #[test]
    fn lists() {
        let at = |value, commas| texts(value, list(value, commas));
        assert_eq!(at(" a\tb ", false), ["a", "b"]);
        assert_eq!(at("a, b,c", true), ["a", "b", "c"]);
        assert_eq!(at("a,b", false), ["a,b"]);
        assert!(at("  ", false).is_empty());
    }

    #[test]
    fn image_candidates() {
        let cases: &[(&str, &[&str])] = &[
            ("a 1x, b 2x", &["a", "b"]),
            ("a, b", &["a", "b"]),
            ("a,b 2x", &["a,b"]),
            (",, a ,,", &["a"]),
            ("data:,a (, ) 1x, b", &["data:,a", "b"]),
            ("a 1x (x, b", &["a"]),
            ("a,,, b", &["a", "b"]),
            ("", &[]),
        ];
        for (value, expected) in cases {
            assert_eq!(texts(value, srcset(value)), *expected, "{value}");
        }
    }

    #[test]
    fn refreshes() {
        let cases = [
            ("1; url=foo", Some("foo")),
            ("0;URL = 'a b' c", Some("a b")),
            ("0,\"a", Some("a")),
            ("0 foo", Some("foo")),
            (".; foo", Some("foo")),
            ("1.5; foo", Some("foo")),
            ("0; uri", Some("uri")),
            ("0; url", Some("url")),
            ("0; urlx=y", Some("urlx=y")),
            ("1", None),
            ("1;", None),
            ("x; url=a", None),
            ("1x; url=a", None),
            ("; url=a", None),
            ("", None),
        ];
        for (value, expected) in cases {
            let found = refresh(value).map(|(span, _)| &value[span.range()]);
            assert_eq!(found, expected, "{value}");
        }
    }
}
