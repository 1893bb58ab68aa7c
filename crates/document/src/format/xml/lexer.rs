//! Tags, text and sections of XML 1.0 with their exact bytes.
//!
//! It reads the bytes of any ASCII-compatible encoding without decoding: in these, the bytes of
//! markup are never part of another character.
//!
//! Malformed text is read leniently. A `<` that begins nothing is text, and one inside a tag ends
//! the tag. Stray quotes are skipped. An unclosed construct ends at the next `<` or `>`; only an
//! unclosed comment or CDATA section continues to the end of the document.
//!
//! Cost: one pass. Between tags and inside comments, sections and quoted values it runs at the
//! speed of `memchr`.

use memchr::{memchr, memchr_iter, memchr2, memmem};

use crate::bytes::Span;
use crate::link::Quoting;

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A start tag or an empty-element tag; its attributes are in [`Lexer::attributes`].
    Start(Tag),
    /// An end tag with this name.
    End(Span),
    /// Character data, never empty, with undecoded references.
    Text(Span),
    /// The content of a CDATA section.
    Cdata(Span),
    /// The processing instruction `xml-stylesheet`. Its pseudo-attributes are in
    /// [`Lexer::attributes`].
    Stylesheet(Span),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    /// The name with its prefix, as written.
    pub(super) name: Span,
    /// True if it is an empty-element tag.
    pub(super) is_empty: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attribute {
    /// The name with its prefix, as written.
    pub(super) name: Span,
    /// The bytes between the quotes, or those of the unquoted value.
    pub(super) value: Span,
    pub(super) quoting: Quoting,
}

/// The length of values that are searched byte by byte.
const SHORT: usize = 16;

pub(super) struct Lexer<'s> {
    bytes: &'s [u8],
    at: usize,
    /// The attributes of the last tag, in source order, with duplicates.
    pub(super) attributes: Vec<Attribute>,
    /// True if no `"`, no `'` and no `?>` are left: a failed search is not repeated.
    spent: [bool; 3],
    /// True if there was a DOCTYPE. A document has one at most, and only the first is searched for
    /// its end.
    doctype: bool,
}

impl<'s> Lexer<'s> {
    pub(super) fn new(bytes: &'s [u8]) -> Self {
        Self { bytes, at: 0, attributes: Vec::new(), spent: [false; 3], doctype: false }
    }

    /// The offset after the last token.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The next token, or `None` at the end. An unfinished tag at the end is dropped.
    pub(super) fn next(&mut self) -> Option<Token> {
        loop {
            let start = self.at;
            let Some(markup) = self.find_markup() else {
                self.at = self.bytes.len();
                return (start < self.at).then(|| Token::Text(Span::new(start, self.at)));
            };
            self.at = markup;
            if start < markup {
                return Some(Token::Text(Span::new(start, markup)));
            }
            let found = match self.bytes[markup + 1] {
                b'/' => self.end_tag(markup + 2),
                b'!' => self.declaration(markup + 2),
                b'?' => self.instruction(markup + 2),
                _ => return self.start_tag(markup + 1),
            };
            if found.is_some() {
                return found;
            }
        }
    }

    /// The next `<` that begins markup.
    fn find_markup(&self) -> Option<usize> {
        let begins = |byte: u8| begins_name(byte) || matches!(byte, b'/' | b'!' | b'?');
        let begins_at = |at: usize| self.bytes.get(at + 1).copied().is_some_and(begins);
        // Most tags follow one another.
        if self.bytes.get(self.at) == Some(&b'<') && begins_at(self.at) {
            return Some(self.at);
        }
        let mut all = memchr_iter(b'<', &self.bytes[self.at..]).map(|found| self.at + found);
        all.find(|&at| begins_at(at))
    }

    fn end_tag(&mut self, start: usize) -> Option<Token> {
        let name = self.name(start);
        self.at = self.next_angle(name.end);
        (!name.is_empty()).then_some(Token::End(name))
    }

    fn start_tag(&mut self, start: usize) -> Option<Token> {
        let name = self.name(start);
        match self.read_attributes(name.end) {
            Some(is_empty) => Some(Token::Start(Tag { name, is_empty })),
            None => {
                self.at = self.bytes.len();
                None
            }
        }
    }

    /// The name at `start`, up to a byte that cannot be part of one.
    fn name(&self, start: usize) -> Span {
        let ends = |byte: &u8| {
            is_space(*byte) || matches!(byte, b'/' | b'>' | b'<' | b'=' | b'"' | b'\'' | b'?')
        };
        let len = self.bytes[start..].iter().position(ends);
        Span::new(start, len.map_or(self.bytes.len(), |len| start + len))
    }

    /// The offset after the next `>`, or of an earlier `<`, or the end.
    fn next_angle(&self, from: usize) -> usize {
        if self.bytes.get(from) == Some(&b'>') {
            return from + 1;
        }
        match memchr2(b'<', b'>', &self.bytes[from..]) {
            Some(found) => from + found + usize::from(self.bytes[from + found] == b'>'),
            None => self.bytes.len(),
        }
    }

    /// Reads attributes from `at` to the end of the tag or instruction. Returns whether that is an
    /// empty-element tag, or `None` if the document ends before.
    fn read_attributes(&mut self, mut at: usize) -> Option<bool> {
        self.attributes.clear();
        loop {
            let next = self.bytes.get(at + 1);
            match *self.bytes.get(at)? {
                b'>' => {
                    self.at = at + 1;
                    return Some(false);
                }
                byte @ (b'/' | b'?') if next == Some(&b'>') => {
                    self.at = at + 2;
                    return Some(byte == b'/');
                }
                b'<' => {
                    self.at = at;
                    return Some(false);
                }
                byte if is_space(byte) || matches!(byte, b'/' | b'?' | b'=' | b'"' | b'\'') => {
                    at += 1;
                }
                _ => at = self.attribute(at)?,
            }
        }
    }

    /// Reads the attribute whose name begins at `start`. Returns the offset after it. A name
    /// without a value is skipped.
    fn attribute(&mut self, start: usize) -> Option<usize> {
        let bytes = self.bytes;
        let name = self.name(start);
        let at = self.skip_space(name.end)?;
        if bytes[at] != b'=' {
            return Some(at);
        }
        let start = self.skip_space(at + 1)?;
        let (value, quoting, after) = match bytes[start] {
            quote @ (b'"' | b'\'') => {
                let Some(end) = self.closing(quote, start + 1) else {
                    return memchr2(b'<', b'>', &bytes[start..]).map(|found| start + found);
                };
                let quoting = if quote == b'"' { Quoting::Double } else { Quoting::Single };
                (Span::new(start + 1, end), quoting, end + 1)
            }
            _ => {
                let mut end = start;
                while !matches!(*bytes.get(end)?, b'>' | b'<') && !is_space(bytes[end]) {
                    end += 1;
                }
                let closes = bytes[end] == b'>' && matches!(bytes[end - 1], b'/' | b'?');
                end -= usize::from(closes && end > start);
                (Span::new(start, end), Quoting::Unquoted, end)
            }
        };
        self.attributes.push(Attribute { name, value, quoting });
        Some(after)
    }

    /// The offset of the next `quote`.
    fn closing(&mut self, quote: u8, from: usize) -> Option<usize> {
        let spent = &mut self.spent[usize::from(quote == b'\'')];
        if *spent {
            return None;
        }
        let rest = &self.bytes[from..];
        // Most values are short: a call would take longer.
        let near = rest[..rest.len().min(SHORT)].iter().position(|&byte| byte == quote);
        let found = near.or_else(|| memchr(quote, rest));
        *spent = found.is_none();
        found.map(|found| from + found)
    }

    fn skip_space(&self, mut at: usize) -> Option<usize> {
        while is_space(*self.bytes.get(at)?) {
            at += 1;
        }
        Some(at)
    }

    /// Reads the text after `<?`. Returns only a style sheet.
    fn instruction(&mut self, from: usize) -> Option<Token> {
        let target = self.name(from);
        match &self.bytes[target.range()] {
            b"xml-stylesheet" => match self.read_attributes(target.end) {
                Some(_) => return Some(Token::Stylesheet(target)),
                None => self.at = self.bytes.len(),
            },
            // Its `?` is sometimes missing, and nothing in it contains a `>`.
            b"xml" => self.at = self.next_angle(target.end),
            _ => {
                self.at = match self.instruction_end(from) {
                    Some(end) => end,
                    None => self.next_angle(from),
                }
            }
        }
        None
    }

    /// The offset after the next `?>`.
    fn instruction_end(&mut self, from: usize) -> Option<usize> {
        if self.spent[2] {
            return None;
        }
        let found = memmem::find(&self.bytes[from..], b"?>");
        self.spent[2] = found.is_none();
        found.map(|found| from + found + 2)
    }

    /// Reads the text after `<!`. Returns only a CDATA section.
    fn declaration(&mut self, from: usize) -> Option<Token> {
        let rest = &self.bytes[from..];
        if let Some(text) = rest.strip_prefix(b"--") {
            let end = memmem::find(text, b"-->");
            self.at = end.map_or(self.bytes.len(), |end| from + 2 + end + 3);
            return None;
        }
        if let Some(content) = rest.strip_prefix(b"[CDATA[") {
            let start = from + b"[CDATA[".len();
            let end = memmem::find(content, b"]]>").map(|end| start + end);
            self.at = end.map_or(self.bytes.len(), |end| end + 3);
            return Some(Token::Cdata(Span::new(start, end.unwrap_or(self.bytes.len()))));
        }
        let is_doctype = rest.get(..7).is_some_and(|word| word.eq_ignore_ascii_case(b"DOCTYPE"));
        let is_first = is_doctype && !std::mem::replace(&mut self.doctype, true);
        let end = is_first.then(|| self.doctype_end(from)).flatten();
        self.at = end.unwrap_or_else(|| self.next_angle(from));
        None
    }

    /// The offset after a DOCTYPE and its internal subset (XML 1.0, section 2.8), in which a `>`
    /// may occur in quotes, in comments and at the end of each declaration.
    fn doctype_end(&mut self, from: usize) -> Option<usize> {
        let bytes = self.bytes;
        let mut in_subset = false;
        let mut at = from;
        loop {
            let matters = |byte: &u8| matches!(byte, b'"' | b'\'' | b'[' | b']' | b'<' | b'>');
            at += bytes[at..].iter().position(matters)?;
            at = match bytes[at] {
                quote @ (b'"' | b'\'') => self.closing(quote, at + 1).unwrap_or(at) + 1,
                b'>' if !in_subset => return Some(at + 1),
                b'<' if !in_subset => return Some(at),
                b'<' if bytes[at..].starts_with(b"<!--") => {
                    at + 4 + memmem::find(&bytes[at + 4..], b"-->")? + 3
                }
                b'<' if bytes[at..].starts_with(b"<?") => self.instruction_end(at + 2)?,
                byte => {
                    in_subset = byte == b'[' || in_subset && byte != b']';
                    at + 1
                }
            };
        }
    }
}

/// Returns true if a name may begin with this byte (XML 1.0, section 2.3).
fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':') || !byte.is_ascii()
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens as a line of text: `<name attr={value}>`, `</name>`, `"text"`, `[cdata]`.
    fn tokens(source: &str) -> String {
        let mut lexer = Lexer::new(source.as_bytes());
        let mut out = String::new();
        let text = |span: Span| &source[span.range()];
        while let Some(token) = lexer.next() {
            match token {
                Token::Start(Tag { name, .. }) => out.push_str(&format!("<{}", text(name))),
                Token::Stylesheet(name) => out.push_str(&format!("<?{}", text(name))),
                Token::End(name) => out.push_str(&format!("</{}>", text(name))),
                Token::Text(span) => out.push_str(&format!("{:?}", text(span))),
                Token::Cdata(span) => out.push_str(&format!("[{}]", text(span))),
            }
            let end = match token {
                Token::Start(tag) if tag.is_empty => "/>",
                Token::Start(_) => ">",
                Token::Stylesheet(_) => "?>",
                _ => continue,
            };
            for attribute in &lexer.attributes {
                let (name, value) = (text(attribute.name), text(attribute.value));
                out.push_str(&format!(" {name}={{{value}}}"));
            }
            out.push_str(end);
        }
        out
    }

    #[test]
    fn well_formed_documents_are_read() {
        let cases = [
            ("<a b=\"c'd>\" e = 'f\"'>g</a >", "<a b={c'd>} e={f\"}>\"g\"</a>"),
            ("<a/><b />", "<a/><b/>"),
            ("<x:a\nx:b='c'/>", "<x:a x:b={c}/>"),
            ("<é_/>", "<é_/>"),
            ("<!-- <a> - -- ><b> --><![CDATA[<a>]] >]>", "[<a>]] >]>]"),
            ("<![CDATA[<a>]]]><b/>", "[<a>]]<b/>"),
            (
                "<?xml version='1.0'?><?php '<a>' > ?><?xml-stylesheet href='a'?>",
                "<?xml-stylesheet href={a}?>",
            ),
        ];
        for (source, expected) in cases {
            assert_eq!(tokens(source), expected, "{source}");
        }
    }

    #[test]
    fn doctype_is_skipped_with_its_subset() {
        for doctype in [
            "<!DOCTYPE a>",
            "<!DOCTYPE a PUBLIC '-//X//\">' \"a>b\">",
            "<!DOCTYPE a [<!ELEMENT a (#PCDATA)> <!ENTITY b \"]>'<a/>\">\n]>",
            "<!DOCTYPE a [<!-- ' ]> --> <?x ' ]> ?> %pe; ] >",
            "<!DOCTYPE a []>",
            // Never closed: up to the first of its brackets.
            "<!DOCTYPE a [>",
            "<!DOCTYPE a '>",
        ] {
            assert_eq!(tokens(&format!("{doctype}<b/>")), "<b/>", "{doctype}");
        }
        assert_eq!(tokens("<!DOCTYPE a <b/>"), "<b/>");
        assert_eq!(tokens("<!DOCTYPE a><!DOCTYPE '>'><b/>"), "\"'>\"<b/>");
    }

    #[test]
    fn malformed_documents_are_read() {
        let cases = [
            ("a < b <1 <", "\"a < b <1 <\""),
            ("<a b=c d=/e/ f=g/>", "<a b={c} d={/e/} f={g}/>"),
            ("<a b=c/>", "<a b={c}/>"),
            ("<a b=>", "<a b={}>"),
            ("<a b c='d'>", "<a c={d}>"),
            ("<a b='c'd='e'\">", "<a b={c} d={e}>"),
            ("<a b='c' <d>", "<a b={c}><d>"),
            ("<a b='c>d</a><e/>", "<a>\"d\"</a><e/>"),
            ("</a <b>", "</a><b>"),
            ("</><b>", "<b>"),
            ("<a b='c", ""),
            ("<a b=c", ""),
            ("<a", ""),
            ("</a", "</a>"),
            ("<?xml version='1.0'><a/>", "<a/>"),
            ("<?x><a/>", "<a/>"),
            ("<!-- <a/>", ""),
            ("<![CDATA[<a/>", "[<a/>]"),
            ("<!ELEMENT a><b/>", "<b/>"),
        ];
        for (source, expected) in cases {
            assert_eq!(tokens(source), expected, "{source}");
        }
    }
}
