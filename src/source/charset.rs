//! The charset of a document.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

use super::Format;
use crate::bytes::percent;

/// The charset of a document and its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charset {
    encoding: &'static Encoding,
    from: CharsetFrom,
    bom_len: usize,
}

/// The source of a charset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CharsetFrom {
    /// The caller.
    Option,
    /// A byte order mark.
    Bom,
    /// The header of a mail part.
    Header,
    /// The document: a `meta` element, an XML declaration, an `@charset` rule.
    Declared,
    /// No declaration; the bytes are valid UTF-8.
    Valid,
    /// No declaration; the most likely legacy encoding.
    Guess,
}

/// An unknown label, by the Encoding standard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownCharset;

impl fmt::Display for UnknownCharset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a label of the Encoding standard")
    }
}

impl std::error::Error for UnknownCharset {}

impl Charset {
    /// The number of bytes searched for a declaration (HTML standard, section 13.2.3.2).
    pub(crate) const PRESCAN: usize = 1024;

    /// UTF-8, for bytes that are valid UTF-8.
    const VALID: Self = Self {
        encoding: UTF_8,
        from: CharsetFrom::Valid,
        bom_len: 0,
    };

    /// Detects the charset of `bytes`: by their byte order mark; else by a declaration of `format` within the
    /// first 1,024 bytes; else UTF-8 if they are valid; else the best guess.
    ///
    /// `complete` is false if `bytes` are only the beginning of a document. An incomplete character at the
    /// end then does not make them invalid.
    pub fn detect(bytes: &[u8], complete: bool, format: Format) -> Self {
        if let Some((encoding, bom_len)) = Encoding::for_bom(bytes) {
            return Self {
                encoding,
                from: CharsetFrom::Bom,
                bom_len,
            };
        }
        if let Some(encoding) = Self::declared_in(bytes, format) {
            return Self {
                encoding,
                from: CharsetFrom::Declared,
                bom_len: 0,
            };
        }
        // The second check also locates the error, and is slower.
        let valid = simdutf8::basic::from_utf8(bytes).is_ok()
            || !complete && std::str::from_utf8(bytes).is_err_and(|it| it.error_len().is_none());
        if valid {
            return Self::VALID;
        }
        Self::guess(bytes, complete)
    }

    /// The most likely legacy encoding.
    fn guess(bytes: &[u8], complete: bool) -> Self {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
        detector.feed(bytes, complete);
        Self {
            encoding: detector.guess(None, Utf8Detection::Deny),
            from: CharsetFrom::Guess,
            bom_len: 0,
        }
    }

    /// The charset of a mail part whose header has this label.
    ///
    /// The label is ignored if the bytes contradict it:
    /// - a byte order mark;
    /// - escape sequences of ISO-2022-JP under no label, or the label ASCII, Latin-1 or UTF-8;
    /// - valid non-ASCII UTF-8 under the label of a single-byte encoding, or of one that has errors in these
    ///   bytes;
    /// - more errors than non-ASCII characters under the label UTF-8;
    /// - a byte order of UTF-16 that the zero bytes of ASCII characters contradict.
    ///
    /// Without a known label the charset is [detected](Self::detect). Only non-ASCII lines are used for a
    /// guess: using all lines took a quarter of the time of reading old archives.
    pub fn labeled(label: Option<&str>, bytes: &[u8], format: Format) -> Self {
        let named = label.and_then(|label| Encoding::for_label_no_replacement(label.as_bytes()));
        if Encoding::for_bom(bytes).is_some() {
            return Self::detect(bytes, true, format);
        }
        let is_latin = named.is_none_or(|it| it == WINDOWS_1252 || it == UTF_8);
        if is_latin && has_japanese_escapes(bytes) {
            return Self::of_header(ISO_2022_JP, CharsetFrom::Guess);
        }
        let found = match named {
            Some(it) if it == UTF_16LE || it == UTF_16BE => order_of_utf16(bytes),
            Some(it) if bytes.is_ascii() => Some(it),
            Some(it) if it == UTF_8 => {
                let is_valid = simdutf8::basic::from_utf8(bytes).is_ok();
                (is_valid || is_nearly_utf8(bytes)).then_some(it)
            }
            Some(it) if simdutf8::basic::from_utf8(bytes).is_ok() => {
                let decoded = it.decode_without_bom_handling_and_without_replacement(bytes);
                (!it.is_single_byte() && decoded.is_some()).then_some(it)
            }
            named => named,
        };
        if let Some(encoding) = found {
            return Self::of_header(encoding, CharsetFrom::Header);
        }
        if Self::declared_in(bytes, format).is_some() {
            Self::detect(bytes, true, format)
        } else if simdutf8::basic::from_utf8(bytes).is_ok() {
            Self::VALID
        } else {
            Self::guess(&non_ascii_lines(bytes), true)
        }
    }

    fn of_header(encoding: &'static Encoding, from: CharsetFrom) -> Self {
        Self {
            encoding,
            from,
            bom_len: 0,
        }
    }

    /// The charset named by the caller, with any label of the Encoding standard. A byte order mark of the
    /// same encoding is skipped.
    pub fn named(label: &str, bytes: &[u8]) -> Result<Self, UnknownCharset> {
        let encoding = Encoding::for_label(label.as_bytes()).ok_or(UnknownCharset)?;
        let bom_len = match Encoding::for_bom(bytes) {
            Some((found, len)) if found == encoding => len,
            _ => 0,
        };
        Ok(Self {
            encoding,
            from: CharsetFrom::Option,
            bom_len,
        })
    }

    /// The encoding declared in `bytes`, by the rules of `format`.
    pub(crate) fn declared_in(bytes: &[u8], format: Format) -> Option<&'static Encoding> {
        let head = &bytes[..bytes.len().min(Self::PRESCAN)];
        match format {
            Format::Html => xml_declaration(head).or_else(|| meta(head)),
            Format::Xml => xml_declaration(head),
            Format::Css => at_charset(head),
            Format::Text | Format::Mail | Format::Mbox | Format::Mhtml | Format::Header => None,
        }
    }

    /// The encoding.
    pub fn encoding(self) -> &'static Encoding {
        self.encoding
    }

    /// The source of the charset.
    pub fn from(self) -> CharsetFrom {
        self.from
    }

    /// The length of the byte order mark, in bytes.
    pub fn bom_len(self) -> usize {
        self.bom_len
    }

    /// The name in records: that of the Encoding standard, in lower case.
    pub fn name(self) -> String {
        self.encoding.name().to_ascii_lowercase()
    }

    /// Returns true if ASCII bytes always encode ASCII characters, so that markup can be read from the raw
    /// bytes. False for UTF-16 and ISO-2022-JP.
    pub fn is_ascii_compatible(self) -> bool {
        self.encoding.is_ascii_compatible()
    }

    /// Percent-encodes, as UTF-8, each character of `reference` that this charset lacks (the URI of an IRI:
    /// RFC 3987, section 3.1). Characters in `keep` are unchanged.
    pub fn percent_encode_missing<'r>(self, reference: &'r str, keep: &str) -> Cow<'r, str> {
        // The meaning of bytes in ISO-2022-JP depends on earlier ones, so only ASCII can be inserted.
        let lacks = |text: &str| match self.encoding == ISO_2022_JP {
            true => !text.is_ascii(),
            false => self.encoding.encode(text).2,
        };
        if !lacks(reference) {
            return Cow::Borrowed(reference);
        }
        let mut out = String::with_capacity(reference.len() + 16);
        for character in reference.chars() {
            let mut utf8 = [0; 4];
            let text = character.encode_utf8(&mut utf8);
            if lacks(text) && !keep.contains(character) {
                text.bytes()
                    .for_each(|byte| percent::encode_byte(byte, &mut out));
            } else {
                out.push(character);
            }
        }
        Cow::Owned(out)
    }

    /// Returns true if the charset lacks a character, or the character cannot be inserted into a document.
    pub(crate) fn lacks(self, character: char) -> bool {
        let text = character.to_string();
        self.percent_encode_missing(&text, "") != text
    }

    /// Returns true for UTF-16, in which a line feed is two bytes.
    pub fn is_utf16(self) -> bool {
        self.encoding == UTF_16LE || self.encoding == UTF_16BE
    }

    /// Encodes `text`. Characters that the charset lacks, or that cannot be inserted, become HTML character
    /// references.
    pub fn encode(self, text: &str) -> Vec<u8> {
        if self.encoding == UTF_16LE {
            text.encode_utf16().flat_map(u16::to_le_bytes).collect()
        } else if self.encoding == UTF_16BE {
            text.encode_utf16().flat_map(u16::to_be_bytes).collect()
        } else if self.encoding == ISO_2022_JP {
            let reference = |it: char| match it.is_ascii() {
                true => it.to_string(),
                false => format!("&#{};", u32::from(it)),
            };
            text.chars().map(reference).collect::<String>().into_bytes()
        } else {
            self.encoding.encode(text).0.into_owned()
        }
    }
}

/// The lines with a non-ASCII byte or an escape.
fn non_ascii_lines(bytes: &[u8]) -> Vec<u8> {
    let is_relevant = |line: &&[u8]| !line.is_ascii() || memchr::memchr(0x1B, line).is_some();
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    lines.filter(is_relevant).flatten().copied().collect()
}

/// Returns true if the bytes are ASCII with escape sequences of ISO-2022-JP (RFC 1468) for Japanese.
fn has_japanese_escapes(bytes: &[u8]) -> bool {
    let begins = |at: usize| matches!(bytes.get(at + 1..at + 3), Some(b"$B" | b"$@" | b"(J"));
    memchr::memchr_iter(0x1B, bytes).any(begins) && bytes.is_ascii()
}

/// The byte order of UTF-16, by the zero bytes of ASCII characters. `None` if it cannot be determined.
fn order_of_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let zeros = |from: usize| {
        bytes
            .iter()
            .skip(from)
            .step_by(2)
            .filter(|byte| **byte == 0)
    };
    match zeros(0).count().cmp(&zeros(1).count()) {
        Ordering::Less => Some(UTF_16LE),
        Ordering::Equal => None,
        Ordering::Greater => Some(UTF_16BE),
    }
}

/// Returns true if `bytes`, read as UTF-8, have at least as many non-ASCII characters as errors.
fn is_nearly_utf8(bytes: &[u8]) -> bool {
    let (mut characters, mut errors) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        characters += chunk.valid().chars().filter(|it| !it.is_ascii()).count();
        errors += usize::from(!chunk.invalid().is_empty());
    }
    errors <= characters
}

/// `encoding="..."` of an XML declaration (XML 1.0, section 2.8).
fn xml_declaration(head: &[u8]) -> Option<&'static Encoding> {
    let head = head.strip_prefix(b"<?xml")?;
    let declaration = &head[..memchr::memmem::find(head, b"?>")?];
    let at = memchr::memmem::find(declaration, b"encoding")? + "encoding".len();
    let value = declaration[at..]
        .trim_ascii_start()
        .strip_prefix(b"=")?
        .trim_ascii_start();
    let quote = *value
        .first()
        .filter(|&&byte| byte == b'"' || byte == b'\'')?;
    let label = &value[1..];
    declared(&label[..memchr::memchr(quote, label)?])
}

/// `@charset "...";` at the very start of a style sheet (CSS Syntax, section 3.2).
fn at_charset(head: &[u8]) -> Option<&'static Encoding> {
    let label = head.strip_prefix(b"@charset \"")?;
    declared(&label[..memchr::memmem::find(label, b"\";")?])
}

/// The encoding of a declared label. A declaration that can be read as ASCII never means UTF-16 (HTML
/// standard, section 13.2.3.2).
fn declared(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    if encoding == UTF_16LE || encoding == UTF_16BE {
        Some(UTF_8)
    } else if encoding == X_USER_DEFINED {
        Some(WINDOWS_1252)
    } else {
        Some(encoding)
    }
}

/// The prescan for a `meta` element (HTML standard, section 13.2.3.2, "prescan a byte stream").
fn meta(head: &[u8]) -> Option<&'static Encoding> {
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &head[at..]) {
        at += found;
        let rest = &head[at..];
        if rest.starts_with(b"<!--") {
            // The dashes of the opening may also close the comment: `<!-->` is a whole comment.
            at += 2 + memchr::memmem::find(&rest[2..], b"-->")? + 3;
            continue;
        }
        let name = rest[1..].strip_prefix(b"/").unwrap_or(&rest[1..]);
        if name.first().is_some_and(u8::is_ascii_alphabetic) {
            let mut attributes = Prescan {
                head,
                at: head.len() - name.len(),
            };
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

/// Reads the attributes of one tag, by the simplified rules of the standard's prescan.
struct Prescan<'d> {
    head: &'d [u8],
    at: usize,
}

impl Prescan<'_> {
    fn skip_name(&mut self) {
        while self
            .peek()
            .is_some_and(|byte| !is_space(byte) && byte != b'>')
        {
            self.at += 1;
        }
    }

    /// The encoding declared by the attributes of a `meta` tag. The outer `None` is the end of the bytes.
    fn read(&mut self, is_meta: bool) -> Option<Option<&'static Encoding>> {
        let (mut pragma, mut from_content, mut charset) = (false, None, None);
        let mut seen: [bool; 3] = [false; 3];
        while let Some((name, value)) = self.attribute()? {
            if !is_meta {
                continue;
            }
            match name.as_slice() {
                b"http-equiv" if !std::mem::replace(&mut seen[0], true) => {
                    pragma = value == b"content-type";
                }
                b"content" if !std::mem::replace(&mut seen[1], true) => {
                    from_content = charset_of_content(&value).and_then(declared);
                }
                b"charset" if !std::mem::replace(&mut seen[2], true) => {
                    charset = declared(&value);
                }
                _ => {}
            }
        }
        Some(if seen[2] {
            charset
        } else {
            from_content.filter(|_| pragma)
        })
    }

    fn peek(&self) -> Option<u8> {
        self.head.get(self.at).copied()
    }

    /// The next attribute, with name and value in lower case. `Some(None)` at the end of the tag.
    fn attribute(&mut self) -> Option<Option<(Vec<u8>, Vec<u8>)>> {
        while is_space(self.peek()?) || self.peek()? == b'/' {
            self.at += 1;
        }
        if self.peek()? == b'>' {
            self.at += 1;
            return Some(None);
        }
        let mut name = Vec::new();
        while !matches!(self.peek()?, b'/' | b'>') && !is_space(self.peek()?) {
            if self.peek()? == b'=' && !name.is_empty() {
                break;
            }
            name.push(self.peek()?.to_ascii_lowercase());
            self.at += 1;
        }
        while is_space(self.peek()?) {
            self.at += 1;
        }
        let mut value = Vec::new();
        if self.peek()? != b'=' {
            return Some(Some((name, value)));
        }
        self.at += 1;
        while is_space(self.peek()?) {
            self.at += 1;
        }
        let quote = self.peek()?;
        if quote == b'"' || quote == b'\'' {
            let start = self.at + 1;
            let len = memchr::memchr(quote, &self.head[start..])?;
            value = self.head[start..start + len].to_ascii_lowercase();
            self.at = start + len + 1;
        } else {
            while !is_space(self.peek()?) && self.peek()? != b'>' {
                value.push(self.peek()?.to_ascii_lowercase());
                self.at += 1;
            }
        }
        Some(Some((name, value)))
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
        let end = value
            .iter()
            .position(|&byte| is_space(byte) || byte == b';');
        return Some(&value[..end.unwrap_or(value.len())]);
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{EUC_KR, SHIFT_JIS};

    fn html(bytes: &[u8]) -> (&'static Encoding, CharsetFrom) {
        let found = Charset::detect(bytes, true, Format::Html);
        (found.encoding(), found.from())
    }

    #[test]
    fn html_declarations_are_found() {
        use CharsetFrom::{Bom, Declared, Guess, Valid};
        let declared = [
            ("<meta charset=euc-kr>", EUC_KR),
            ("<META CHARSET='Shift_JIS'>", SHIFT_JIS),
            ("<meta charset=utf-16>", UTF_8),
            ("<meta charset=x-user-defined>", WINDOWS_1252),
            (
                "<meta http-equiv=content-type content='text/html; charset=euc-kr'>",
                EUC_KR,
            ),
            (
                "<meta content='text/html; charset = \"euc-kr\"' http-equiv=Content-Type>",
                EUC_KR,
            ),
            (
                "<!-- <meta charset=shift_jis> --><meta charset=euc-kr>",
                EUC_KR,
            ),
            ("<!--><meta charset=euc-kr>", EUC_KR),
            (
                "<a title='<meta charset=shift_jis>'><meta charset=euc-kr>",
                EUC_KR,
            ),
            ("<meta charset=nonsense><meta charset=euc-kr>", EUC_KR),
            ("<?xml version='1.0' encoding='euc-kr'?><html>", EUC_KR),
        ];
        for (source, encoding) in declared {
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
    fn a_prefix_may_end_inside_a_character() {
        let cut = &"é".as_bytes()[..1];
        assert_eq!(Charset::detect(cut, false, Format::Text).encoding(), UTF_8);
        assert_ne!(Charset::detect(cut, true, Format::Text).encoding(), UTF_8);
    }

    #[test]
    fn style_sheets_declare_at_the_very_start() {
        let css = |bytes: &[u8]| Charset::detect(bytes, true, Format::Css).encoding();
        assert_eq!(css(b"@charset \"euc-kr\"; a{}"), EUC_KR);
        assert_eq!(css(b" @charset \"euc-kr\";"), UTF_8);
    }

    #[test]
    fn missing_characters_are_percent_encoded() {
        let named = |label| Charset::named(label, b"").unwrap();
        assert_eq!(
            named("latin1").percent_encode_missing("é中日", "日"),
            "é%E4%B8%AD日"
        );
        assert_eq!(named("utf-8").percent_encode_missing("é中", ""), "é中");
        assert_eq!(named("utf-16le").percent_encode_missing("é中", ""), "é中");
        assert_eq!(named("latin1").encode("é"), b"\xE9");
        assert_eq!(named("utf-16be").encode("é"), [0, 0xE9]);
        assert_eq!(named("utf-16le").encode("𝄞"), [0x34, 0xD8, 0x1E, 0xDD]);
        assert_eq!(named("utf-8").encode("é"), "é".as_bytes());
        assert_eq!(
            named("iso-2022-jp").percent_encode_missing("日本", "本"),
            "%E6%97%A5本"
        );
        assert_eq!(named("iso-2022-jp").encode("日"), b"&#26085;");
        assert_eq!(Charset::named("klingon", b""), Err(UnknownCharset));
    }
}
