//! The strings of a JSON text, with their spans.

use std::borrow::Cow;

use crate::bytes::Span;
use crate::uri::Parts;

/// The greatest nesting depth; deeper text is skipped.
const MOST_DEEP: usize = 64;

/// A string.
#[derive(Debug)]
pub(super) struct JsonString<'t> {
    /// The bytes between its quotes.
    pub(super) span: Span,
    /// The decoded text.
    pub(super) value: Cow<'t, str>,
    /// Whether it is the name of an object member.
    pub(super) is_name: bool,
}

/// Calls `found` with each string of `text` and the names of the members that contain it, the outermost first. Items of
/// a list have the names of the list. Of invalid JSON, the valid strings are read.
///
/// Cost: linear in the text.
pub(super) fn strings<'t>(text: &'t str, mut found: impl FnMut(JsonString<'t>, &[Cow<'t, str>])) {
    /// An open object or list.
    enum Open {
        Object { names: bool },
        List,
    }
    let bytes = text.as_bytes();
    let mut open: Vec<Open> = Vec::new();
    let mut path: Vec<Cow<'t, str>> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'{' | b'[' if open.len() >= MOST_DEEP => return,
            b'{' => open.push(Open::Object { names: true }),
            b'[' => open.push(Open::List),
            b'}' | b']' => {
                if let Some(Open::Object { names: false }) = open.pop() {
                    path.pop();
                }
            }
            b',' => {
                if let Some(Open::Object { names }) = open.last_mut()
                    && !std::mem::replace(names, true)
                {
                    path.pop();
                }
            }
            b'"' => {
                let start = at;
                while let Some(&byte) = bytes.get(at).filter(|&&byte| byte != b'"') {
                    at += if byte == b'\\' { 2 } else { 1 };
                }
                let Some(raw) = text.get(start..at).filter(|_| at < bytes.len()) else {
                    return;
                };
                at += 1;
                let value = unescaped(raw);
                let is_name = matches!(open.last(), Some(Open::Object { names: true }));
                let string = JsonString {
                    span: Span::new(start, start + raw.len()),
                    value: value.clone(),
                    is_name,
                };
                found(string, &path);
                if let Some(Open::Object { names }) = open.last_mut()
                    && std::mem::replace(names, false)
                {
                    path.push(value);
                }
            }
            _ => {}
        }
    }
}

/// The decoded text of a string (RFC 8259, section 7). An invalid escape is kept as it is.
fn unescaped(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escape = &rest[at..];
        let (character, len) = match escape.as_bytes().get(1) {
            Some(b'n') => ('\n', 2),
            Some(b't') => ('\t', 2),
            Some(b'r') => ('\r', 2),
            Some(b'b') => ('\x08', 2),
            Some(b'f') => ('\x0C', 2),
            Some(&byte @ (b'"' | b'\\' | b'/')) => (char::from(byte), 2),
            Some(b'u') => unicode_escape(escape),
            _ => ('\\', 1),
        };
        out.push(character);
        rest = &escape[len..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The character of `\u0041`, or of two such escapes for a surrogate pair, and the length of the escape.
fn unicode_escape(escape: &str) -> (char, usize) {
    let unit = |at: usize| -> Option<u16> {
        let digits = escape.get(at..at + 6)?.strip_prefix("\\u")?;
        let all = digits.bytes().all(|it| it.is_ascii_hexdigit());
        u16::from_str_radix(digits, 16).ok().filter(|_| all)
    };
    let Some(first) = unit(0) else {
        return ('\\', 1);
    };
    let units = [Some(first), unit(6)].into_iter().flatten();
    match char::decode_utf16(units).next() {
        Some(Ok(character)) => (character, 6 * character.len_utf16()),
        _ => ('\u{FFFD}', 6),
    }
}

/// Returns true if a string of an import map is a URL: an address, or the prefix of scripts in a scope or with an
/// integrity. A bare name is not a URL.
pub(super) fn is_in_import_map(string: &JsonString<'_>, path: &[Cow<'_, str>]) -> bool {
    let place = match (path, string.is_name) {
        ([top, _], false) => top == "imports",
        ([top, _, _], false) => top == "scopes",
        ([top], true) => top == "scopes" || top == "integrity",
        _ => false,
    };
    let begins = ["/", "./", "../"]
        .iter()
        .any(|it| string.value.starts_with(it));
    let is_absolute = || Parts::split(&string.value).scheme.is_some();
    // The prefix of a scope may be any reference.
    let is_scope = string.is_name && matches!(path, [top] if top == "scopes");
    place && (is_scope || begins || is_absolute())
}

/// Returns true if a string of JSON-LD is a link: an absolute URL that does not name a vocabulary.
pub(super) fn is_linked_data(string: &JsonString<'_>, path: &[Cow<'_, str>]) -> bool {
    let begins = |scheme: &str| {
        let start = string.value.get(..scheme.len());
        start.is_some_and(|it| it.eq_ignore_ascii_case(scheme))
    };
    let is_vocabulary = path.iter().any(|it| it == "@context" || it == "@type");
    !string.is_name && !is_vocabulary && (begins("http://") || begins("https://"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        strings(text, |it, path| {
            assert_eq!(&text[it.span.start - 1..it.span.start], "\"");
            let mark = if it.is_name { ":" } else { "" };
            out.push(format!("{}/{}{mark}", path.join("/"), it.value));
        });
        out
    }

    #[test]
    fn strings_have_the_names_of_their_members() {
        assert_eq!(
            found(r#"{"a": {"b": "c", "d": ["e", {"f": 1, "g": "h"}]}, "i": "j"}"#),
            [
                "/a:", "a/b:", "a/b/c", "a/d:", "a/d/e", "a/d/f:", "a/d/g:", "a/d/g/h", "/i:",
                "i/j"
            ]
        );
        assert_eq!(found(r#"["a", "b"]"#), ["/a", "/b"]);
    }

    #[test]
    fn escapes() {
        let cases = [
            (r"a\/b\n", "a/b\n"),
            (r"\u0041\uD834\uDD1Ez", "A\u{1D11E}z"),
            (r"\uD834x\uZZZZ\", "\u{FFFD}x\\uZZZZ\\"),
        ];
        for (raw, expected) in cases {
            assert_eq!(unescaped(raw), expected, "{raw}");
        }
    }

    #[test]
    fn invalid_json_ends_the_search() {
        assert_eq!(found(r#"{"a": "b"#), ["/a:"]);
        assert_eq!(found(r#"}]"a" "b""#), ["/a", "/b"]);
        assert!(found(&"[".repeat(1 << 20)).is_empty());
        assert_eq!(found("\"\\"), [""; 0]);
    }
}
