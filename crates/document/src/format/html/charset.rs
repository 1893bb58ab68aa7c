//! The character encoding that a page declares.

use encoding_rs::Encoding;

use super::simd::Vector;
use crate::format::markup::declared_encoding::{declared_encoding, xml_declaration};

/// The character encoding that a page declares: in an XML declaration, or else in a `meta` element.
pub(super) fn declared(head: &[u8]) -> Option<&'static Encoding> {
    xml_declaration(head).or_else(|| match names_charset(head) {
        true => meta(head),
        false => None,
    })
}

/// Returns true if the word `charset` occurs, in any case of letters. A `meta` element declares an
/// encoding by no other attribute or parameter, and the prescan decodes no character references.
/// The prescan of a page without the word would take longer than rewriting the page.
fn names_charset(head: &[u8]) -> bool {
    const WORD: &[u8] = b"charset";
    let begins = |at: usize| {
        let word = head.get(at..at + WORD.len());
        word.is_some_and(|it| it.eq_ignore_ascii_case(WORD))
    };
    let mut at = 0;
    // The first and the last letter of several words at once.
    while let (Some(first), Some(last)) =
        (Vector::at(head, at), Vector::at(head, at + WORD.len() - 1))
    {
        let first = first.equal(b'c').or(first.equal(b'C')).bits();
        let mut both = first & last.equal(b't').or(last.equal(b'T')).bits();
        while both != 0 {
            if begins(at + both.trailing_zeros() as usize) {
                return true;
            }
            both &= both - 1;
        }
        at += Vector::LEN;
    }
    (at..head.len()).any(begins)
}

/// The prescan for a `meta` element (HTML standard, section 13.2.3.2, "prescan a byte stream").
fn meta(head: &[u8]) -> Option<&'static Encoding> {
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &head[at..]) {
        at += found;
        let rest = &head[at..];
        if rest.starts_with(b"<!--") {
            // The dashes of the opening may also close the comment: `<!-->` is a whole comment.
            at += 2 + end_of_comment(&rest[2..])?;
            continue;
        }
        let name = rest[1..].strip_prefix(b"/").unwrap_or(&rest[1..]);
        if name.first().is_some_and(u8::is_ascii_alphabetic) {
            let mut attributes = Prescan { head, at: head.len() - name.len() };
            attributes.skip_name();
            let is_meta = rest.len() > 5
                && rest[1..5].eq_ignore_ascii_case(b"meta")
                && matches!(rest[5], b'\t' | b'\n' | 0x0C | b'\r' | b' ' | b'/');
            if let Some(encoding) = attributes.read(is_meta)? {
                return Some(encoding);
            }
            at = attributes.at;
        } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
            at += memchr::memchr(b'>', rest)? + 1;
        } else {
            at += 1;
        }
    }
    None
}

/// The end of the first `-->`. Preparing a search for three bytes would take longer than most
/// comments.
pub(super) fn end_of_comment(bytes: &[u8]) -> Option<usize> {
    let mut ends = memchr::memchr_iter(b'>', bytes).map(|at| at + 1);
    ends.find(|&end| bytes[..end].ends_with(b"-->"))
}

/// Reads the attributes of one tag, by the simplified rules of the standard's prescan.
struct Prescan<'d> {
    head: &'d [u8],
    at: usize,
}

impl<'d> Prescan<'d> {
    fn skip_name(&mut self) {
        while self.peek().is_some_and(|byte| !is_space(byte) && byte != b'>') {
            self.at += 1;
        }
    }

    /// The encoding declared by the attributes of a `meta` tag. The outer `None` is the end of the
    /// bytes.
    fn read(&mut self, is_meta: bool) -> Option<Option<&'static Encoding>> {
        let (mut pragma, mut from_content, mut charset) = (false, None, None);
        let mut seen: [bool; 3] = [false; 3];
        while let Some((name, value)) = self.attribute()? {
            if !is_meta {
                continue;
            }
            let is = |expected: &str| name.eq_ignore_ascii_case(expected.as_bytes());
            if is("http-equiv") && !std::mem::replace(&mut seen[0], true) {
                pragma = value.eq_ignore_ascii_case(b"content-type");
            } else if is("content") && !std::mem::replace(&mut seen[1], true) {
                let content = value.to_ascii_lowercase();
                from_content = charset_of_content(&content).and_then(declared_encoding);
            } else if is("charset") && !std::mem::replace(&mut seen[2], true) {
                charset = declared_encoding(value);
            }
        }
        Some(if seen[2] { charset } else { from_content.filter(|_| pragma) })
    }

    fn peek(&self) -> Option<u8> {
        self.head.get(self.at).copied()
    }

    /// The name and value of the next attribute, as written. `Some(None)` at the end of the tag.
    fn attribute(&mut self) -> Option<Option<(&'d [u8], &'d [u8])>> {
        while is_space(self.peek()?) || self.peek()? == b'/' {
            self.at += 1;
        }
        if self.peek()? == b'>' {
            self.at += 1;
            return Some(None);
        }
        let start = self.at;
        while !matches!(self.peek()?, b'/' | b'>') && !is_space(self.peek()?) {
            if self.peek()? == b'=' && self.at > start {
                break;
            }
            self.at += 1;
        }
        let name = &self.head[start..self.at];
        while is_space(self.peek()?) {
            self.at += 1;
        }
        if self.peek()? != b'=' {
            return Some(Some((name, b"")));
        }
        self.at += 1;
        while is_space(self.peek()?) {
            self.at += 1;
        }
        let quote = self.peek()?;
        let start;
        if quote == b'"' || quote == b'\'' {
            start = self.at + 1;
            let len = memchr::memchr(quote, &self.head[start..])?;
            self.at = start + len + 1;
            return Some(Some((name, &self.head[start..start + len])));
        }
        start = self.at;
        while !is_space(self.peek()?) && self.peek()? != b'>' {
            self.at += 1;
        }
        Some(Some((name, &self.head[start..self.at])))
    }
}

/// The label in `text/html; charset=...` (HTML standard, "extracting a character encoding from a
/// meta element"); `content` is in lower case.
fn charset_of_content(content: &[u8]) -> Option<&[u8]> {
    let mut rest = content;
    loop {
        rest = &rest[memchr::memmem::find(rest, b"charset")? + "charset".len()..];
        let Some(value) = rest.trim_ascii_start().strip_prefix(b"=") else {
            continue;
        };
        let value = value.trim_ascii_start();
        let quote = *value.first()?;
        if quote == b'"' || quote == b'\'' {
            let label = &value[1..];
            return Some(&label[..memchr::memchr(quote, label)?]);
        }
        let end = value.iter().position(|&byte| is_space(byte) || byte == b';');
        return Some(&value[..end.unwrap_or(value.len())]);
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Charset, CharsetFrom};
    use proptest::prelude::*;

    use encoding_rs::{EUC_KR, SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1252};

    fn html(bytes: &[u8]) -> (&'static Encoding, CharsetFrom) {
        let found = Charset::detect(bytes, true, declared);
        (found.encoding(), found.from())
    }

    #[test]
    fn html_declarations_are_found() {
        use CharsetFrom::{Bom, Declared, Guess, Valid};
        let declaring = [
            ("<meta charset=euc-kr>", EUC_KR),
            ("<META CHARSET='Shift_JIS'>", SHIFT_JIS),
            ("<meta charset=utf-16>", UTF_8),
            ("<meta charset=x-user-defined>", WINDOWS_1252),
            ("<meta http-equiv=content-type content='text/html; charset=euc-kr'>", EUC_KR),
            ("<meta content='text/html; charset = \"euc-kr\"' http-equiv=Content-Type>", EUC_KR),
            ("<!-- <meta charset=shift_jis> --><meta charset=euc-kr>", EUC_KR),
            ("<!--><meta charset=euc-kr>", EUC_KR),
            ("<a title='<meta charset=shift_jis>'><meta charset=euc-kr>", EUC_KR),
            ("<meta charset=nonsense><meta charset=euc-kr>", EUC_KR),
            ("<?xml version='1.0' encoding='euc-kr'?><html>", EUC_KR),
        ];
        for (source, encoding) in declaring {
            assert_eq!(html(source.as_bytes()), (encoding, Declared), "{source}");
        }
        let without_declaration = [
            "<meta http-equiv=refresh content='text/html; charset=euc-kr'>",
            "<meta content='text/html; charset=euc-kr'>",
            "<meta http-equiv=content-type content='text/html; charset'>",
            "<metadata charset=euc-kr>",
            "<meta charset=euc-kr",
            "",
        ];
        for source in without_declaration {
            assert_eq!(html(source.as_bytes()), (UTF_8, Valid), "{source}");
        }
        let late = format!("{}<meta charset=euc-kr>", " ".repeat(Charset::PRESCAN));
        assert_eq!(html(late.as_bytes()), (UTF_8, Valid));
        assert_eq!(html(b"\xEF\xBB\xBF<meta charset=euc-kr>"), (UTF_8, Bom));
        assert_eq!(html(b"\xFF\xFE<\0"), (UTF_16LE, Bom));
        assert_eq!(html(b"caf\xE9 <b>").1, Guess);
    }

    #[test]
    fn the_word_is_found_at_any_place() {
        for len in 0..60 {
            let text = "c".repeat(len) + "t";
            assert!(!names_charset(text.as_bytes()), "{len}");
            assert!(names_charset((text.clone() + "ChArSeT").as_bytes()), "{len}");
            assert!(names_charset((text + "charset=charse").as_bytes()), "{len}");
        }
        assert!(!names_charset(b"charse"));
    }

    proptest! {
        #![proptest_config(crate::tier::cases(4000))]

        /// The prescan finds nothing in pages that lack the word.
        #[test]
        fn pages_without_the_word_declare_nothing(
            pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..12),
        ) {
            let page = pieces.concat();
            prop_assert_eq!(declared(page.as_bytes()), xml_declaration(page.as_bytes()).or_else(|| meta(page.as_bytes())));
        }
    }

    const PIECES: [&str; 26] = [
        "<meta", " ", "\n", "/", ">", "=", "'", "\"", "charset", "CHARSET", "char", "set",
        "&#99;harset", "utf-8", "euc-kr", "http-equiv", "content-type", "content", "text/html;",
        "<!--", "-->", "<a title=", "<?xml version='1.0'", " encoding=", "?>",
        "<meta charset=koi8-r>",
    ];
}
