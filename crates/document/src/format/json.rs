//! The strings of a JSON text, with their spans.

use std::borrow::Cow;

use crate::bytes::Span;

/// The greatest nesting depth; deeper text is skipped.
const MOST_DEEP: usize = 64;

/// A string.
#[derive(Debug)]
pub(in crate::format) struct JsonString<'t> {
    /// The bytes between its quotes.
    pub(in crate::format) span: Span,
    /// The decoded text.
    pub(in crate::format) value: Cow<'t, str>,
    /// True if it is the name of an object member.
    pub(in crate::format) is_name: bool,
}

/// Calls `found` with each string of `text`, the names of the members that contain it, the
/// outermost first, and the offsets of the objects that contain it. Items of a list have the names
/// of the list. Of invalid JSON, the valid strings are read.
///
/// Cost: linear in the text.
pub(in crate::format) fn strings<'t>(
    text: &'t str,
    mut found: impl FnMut(JsonString<'t>, &[Cow<'t, str>], &[usize]),
) {
    /// An open object or list.
    enum Open {
        Object { names: bool },
        List,
    }
    let bytes = text.as_bytes();
    let mut open: Vec<Open> = Vec::new();
    let mut path: Vec<Cow<'t, str>> = Vec::new();
    let mut objects: Vec<usize> = Vec::new();
    // The number of open objects and lists that are too deep.
    let mut deeper = 0_usize;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'{' | b'[' if open.len() >= MOST_DEEP => deeper += 1,
            b'}' | b']' if deeper > 0 => deeper -= 1,
            b'{' => {
                open.push(Open::Object { names: true });
                objects.push(at);
            }
            b'[' => open.push(Open::List),
            b'}' | b']' => {
                if let Some(Open::Object { names }) = open.pop() {
                    objects.pop();
                    if !names {
                        path.pop();
                    }
                }
            }
            b',' if deeper == 0 => {
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
                if deeper > 0 {
                    continue;
                }
                let value = unescaped(raw);
                let is_name = matches!(open.last(), Some(Open::Object { names: true }));
                let string = JsonString {
                    span: Span::new(start, start + raw.len()),
                    value: value.clone(),
                    is_name,
                };
                found(string, &path, &objects);
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
pub(in crate::format) fn unescaped(raw: &str) -> Cow<'_, str> {
    match raw.contains('\\') {
        true => characters(raw).map(|(character, _)| character).collect(),
        false => Cow::Borrowed(raw),
    }
}

/// The characters of a string, each with the bytes that spell it.
pub(in crate::format) fn characters(raw: &str) -> impl Iterator<Item = (char, &str)> {
    let mut rest = raw;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let (character, len) = match (first, rest.as_bytes().get(1)) {
            ('\\', Some(b'n')) => ('\n', 2),
            ('\\', Some(b't')) => ('\t', 2),
            ('\\', Some(b'r')) => ('\r', 2),
            ('\\', Some(b'b')) => ('\x08', 2),
            ('\\', Some(b'f')) => ('\x0C', 2),
            ('\\', Some(&byte @ (b'"' | b'\\' | b'/'))) => (char::from(byte), 2),
            ('\\', Some(b'u')) => unicode_escape(rest),
            _ => (first, first.len_utf8()),
        };
        let (spelled, after) = rest.split_at(len);
        rest = after;
        Some((character, spelled))
    })
}

/// The character of `\u0041`, or of two such escapes for a surrogate pair, and the length of the
/// escape.
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

/// The content of a string that spells `new`. The parts that are also in the old content `raw` keep
/// their escapes.
pub(in crate::format) fn spelled_between(raw: &str, new: &str) -> String {
    let old: Vec<(char, &str)> = characters(raw).collect();
    let lead = old.iter().zip(new.chars()).take_while(|((old, _), new)| old == new).count();
    let rest: &str = &new[old[..lead].iter().map(|(it, _)| it.len_utf8()).sum()..];
    let tail = old[lead..]
        .iter()
        .rev()
        .zip(rest.chars().rev())
        .take_while(|((old, _), new)| old == new)
        .count();
    let (kept, end) = (&old[..lead], &old[old.len() - tail..]);
    let middle = &rest[..rest.len() - end.iter().map(|(it, _)| it.len_utf8()).sum::<usize>()];
    let mut out: String = kept.iter().map(|(_, spelled)| *spelled).collect();
    for character in middle.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\0'..='\x1F' => out += &format!("\\u{:04x}", u32::from(character)),
            _ => out.push(character),
        }
    }
    out.extend(end.iter().map(|(_, spelled)| *spelled));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        strings(text, |it, path, _| {
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
            ["/a:", "a/b:", "a/b/c", "a/d:", "a/d/e", "a/d/f:", "a/d/g:", "a/d/g/h", "/i:", "i/j"]
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

    #[test]
    fn deep_objects_and_lists_are_skipped() {
        let deep = format!(
            r#"{{"a": {}"b", {{"c": "d"}}, []{}, "e": "f"}}"#,
            "[".repeat(70),
            "]".repeat(70)
        );
        assert_eq!(found(&deep), ["/a:", "/e:", "e/f"]);
    }

    #[test]
    fn unchanged_characters_keep_their_escapes() {
        for (raw, new, expected) in [
            (r"a\/b.md", "c/a/b.md", r"c/a\/b.md"),
            (r"\u00e4/b.md", "ä/c.md", r"\u00e4/c.md"),
            (r#"a\"b"#, r#"c"\b"#, r#"c\"\\b"#),
            ("aa", "aaa", "aaa"),
            ("", "ä", "ä"),
            (r"\\", "", ""),
        ] {
            assert_eq!(spelled_between(raw, new), expected);
        }
    }
}
