//! Tags and attributes with their exact bytes.
//!
//! This is the tokenizer of the HTML standard (section 13.2.5) reduced to what links need: where
//! tags begin and end, and which bytes are attribute values. It reads the bytes of any
//! ASCII-compatible encoding as they are: in all of those, the bytes that markup consists of never
//! are part of another character.
//!
//! Cost: one pass. Between tags and inside comments, raw text and quoted values it runs at
//! `memchr`'s speed.

use memchr::{memchr, memchr_iter, memchr2_iter};

use super::Quoting;
use crate::span::Span;

/// What the lexer met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A start tag; its attributes are in [`Lexer::attributes`].
    Start(Tag),
    /// An end tag.
    End(Tag),
    /// Character data, never empty; character references stand in it as written.
    Text(Span),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) name: Span,
    pub(super) self_closing: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Attribute {
    pub(super) name: Span,
    /// The bytes between the quotes, or those of the unquoted value.
    pub(super) value: Span,
    pub(super) quoting: Quoting,
}

/// Content in which tags are no tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RawText {
    /// Text of an element such as `title`: up to its end tag, and character references count.
    Rcdata,
    /// Content of an element such as `style`: up to its end tag.
    Rawtext,
    /// Content of `script`, in which `<!-- <script>` hides an end tag.
    Script,
    /// Everything that is left.
    Plaintext,
}

pub(super) struct Lexer<'s> {
    bytes: &'s [u8],
    at: usize,
    /// The attributes of the last start or end tag, duplicates included, in source order.
    pub(super) attributes: Vec<Attribute>,
    raw: Option<(RawText, Span)>,
    /// Whether `<![CDATA[` opens a section, as it does inside SVG and MathML.
    pub(super) cdata: bool,
}

impl<'s> Lexer<'s> {
    pub(super) fn new(bytes: &'s [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            attributes: Vec::new(),
            raw: None,
            cdata: false,
        }
    }

    /// Makes what follows raw text: to be called after the start tag named `name`.
    pub(super) fn enter(&mut self, raw: RawText, name: Span) {
        self.raw = Some((raw, name));
    }

    /// The next token, or `None` at the end; an unfinished tag there is dropped, as the standard
    /// says.
    pub(super) fn next(&mut self) -> Option<Token> {
        if let Some((raw, name)) = self.raw.take() {
            let start = self.at;
            self.at = self.raw_text_end(raw, name);
            let is_text = matches!(raw, RawText::Rcdata | RawText::Plaintext);
            if is_text && self.at > start {
                return Some(Token::Text(Span::new(start, self.at)));
            }
        }
        loop {
            let start = self.at;
            let Some(tag) = self.find_markup() else {
                self.at = self.bytes.len();
                return (start < self.at).then(|| Token::Text(Span::new(start, self.at)));
            };
            self.at = tag;
            if start < tag {
                return Some(Token::Text(Span::new(start, tag)));
            }
            match self.bytes[tag + 1] {
                b'/' => match self.bytes.get(tag + 2) {
                    Some(byte) if byte.is_ascii_alphabetic() => {
                        return self.tag(tag + 2).map(Token::End);
                    }
                    _ => self.at = self.after(tag + 2, b'>'),
                },
                b'!' => self.at = self.declaration_end(tag + 2),
                b'?' => self.at = self.after(tag + 2, b'>'),
                _ => return self.tag(tag + 1).map(Token::Start),
            }
        }
    }

    /// The next `<` that does not stand for itself.
    fn find_markup(&self) -> Option<usize> {
        memchr_iter(b'<', &self.bytes[self.at..])
            .map(|found| self.at + found)
            .find(|&at| {
                match self.bytes.get(at + 1) {
                    Some(b'!' | b'?') => true,
                    // `</` at the very end is text.
                    Some(b'/') => at + 2 < self.bytes.len(),
                    Some(byte) => byte.is_ascii_alphabetic(),
                    None => false,
                }
            })
    }

    /// The offset after the next `byte`, or the end.
    fn after(&self, from: usize, byte: u8) -> usize {
        memchr(byte, &self.bytes[from..]).map_or(self.bytes.len(), |found| from + found + 1)
    }

    /// Where `<!` and what it opens ends; `from` is after the `!`.
    fn declaration_end(&self, from: usize) -> usize {
        let rest = &self.bytes[from..];
        if rest.starts_with(b"--") {
            return self.comment_end(from + 2);
        }
        if self.cdata && rest.starts_with(b"[CDATA[") {
            let content = &rest[7..];
            let end = memchr::memmem::find(content, b"]]>");
            return end.map_or(self.bytes.len(), |end| from + 7 + end + 3);
        }
        // A DOCTYPE ends at the first `>` even inside its quotes, and so does anything else.
        self.after(from, b'>')
    }

    /// Where a comment ends whose text begins at `from`: `-->`, `--!>`, and at once for `<!-->` and
    /// `<!--->`.
    fn comment_end(&self, from: usize) -> usize {
        let text = &self.bytes[from..];
        if text.starts_with(b">") {
            return from + 1;
        }
        if text.starts_with(b"->") {
            return from + 2;
        }
        let end = memchr_iter(b'>', text)
            .find(|&at| text[..at].ends_with(b"--") || text[..at].ends_with(b"--!"));
        end.map_or(self.bytes.len(), |at| from + at + 1)
    }

    /// The tag whose name begins at `start`, or `None` where the bytes end inside it.
    fn tag(&mut self, start: usize) -> Option<Tag> {
        let bytes = self.bytes;
        self.attributes.clear();
        self.at = bytes.len();
        let mut at = start;
        while !ends_name(*bytes.get(at)?) {
            at += 1;
        }
        let name = Span::new(start, at);
        loop {
            match *bytes.get(at)? {
                b'>' => {
                    self.at = at + 1;
                    return Some(Tag {
                        name,
                        self_closing: false,
                    });
                }
                b'/' if bytes.get(at + 1) == Some(&b'>') => {
                    self.at = at + 2;
                    return Some(Tag {
                        name,
                        self_closing: true,
                    });
                }
                byte if byte == b'/' || is_space(byte) => at += 1,
                _ => at = self.attribute(at)?,
            }
        }
    }

    /// Reads the attribute whose name begins at `start` and gives the offset after it.
    fn attribute(&mut self, start: usize) -> Option<usize> {
        let bytes = self.bytes;
        // An `=` that comes first is part of the name.
        let mut at = start + 1;
        while *bytes.get(at)? != b'=' && !ends_name(bytes[at]) {
            at += 1;
        }
        let name = Span::new(start, at);
        let after_name = self.skip_space(at)?;
        if bytes[after_name] != b'=' {
            let value = Span::new(at, at);
            self.attributes.push(Attribute {
                name,
                value,
                quoting: Quoting::Absent,
            });
            return Some(after_name);
        }
        let start = self.skip_space(after_name + 1)?;
        let (value, quoting, after) = match bytes[start] {
            quote @ (b'"' | b'\'') => {
                let end = start + 1 + memchr(quote, &bytes[start + 1..])?;
                let quoting = if quote == b'"' {
                    Quoting::Double
                } else {
                    Quoting::Single
                };
                (Span::new(start + 1, end), quoting, end + 1)
            }
            _ => {
                let mut end = start;
                while *bytes.get(end)? != b'>' && !is_space(bytes[end]) {
                    end += 1;
                }
                (Span::new(start, end), Quoting::Unquoted, end)
            }
        };
        self.attributes.push(Attribute {
            name,
            value,
            quoting,
        });
        Some(after)
    }

    fn skip_space(&self, mut at: usize) -> Option<usize> {
        while is_space(*self.bytes.get(at)?) {
            at += 1;
        }
        Some(at)
    }

    /// Where raw text that begins here ends: at its end tag, or at the end of the bytes.
    fn raw_text_end(&self, raw: RawText, name: Span) -> usize {
        let (bytes, name) = (self.bytes, &self.bytes[name.range()]);
        let end = match raw {
            RawText::Plaintext => None,
            RawText::Script => script_end(&bytes[self.at..]),
            RawText::Rcdata | RawText::Rawtext => memchr_iter(b'<', &bytes[self.at..])
                .find(|&at| is_named(&bytes[self.at + at + 1..], b"/", name)),
        };
        end.map_or(bytes.len(), |end| self.at + end)
    }
}

/// Where the content of a script ends: at `</script`, but not where `<!--` and then `<script`
/// stand open (HTML standard, sections 13.2.5.15 to 13.2.5.31).
fn script_end(content: &[u8]) -> Option<usize> {
    #[derive(PartialEq)]
    enum State {
        Script,
        Escaped,
        DoublyEscaped,
    }
    let mut state = State::Script;
    // Where the text after the last `<!` begins: dashes before it do not end the escape.
    let mut escaped_from = 0;
    for at in memchr2_iter(b'<', b'>', content) {
        if content[at] == b'>' {
            if state != State::Script && content[escaped_from.min(at)..at].ends_with(b"--") {
                state = State::Script;
            }
            continue;
        }
        let rest = &content[at + 1..];
        match state {
            State::Script if rest.starts_with(b"!--") => {
                state = State::Escaped;
                escaped_from = at + 2;
            }
            State::Script | State::Escaped if is_named(rest, b"/", b"script") => return Some(at),
            State::Escaped if is_named(rest, b"", b"script") => state = State::DoublyEscaped,
            State::DoublyEscaped if is_named(rest, b"/", b"script") => state = State::Escaped,
            _ => {}
        }
    }
    None
}

/// Whether `rest` begins with `prefix` and a tag's name `name`, in any case.
fn is_named(rest: &[u8], prefix: &[u8], name: &[u8]) -> bool {
    let Some(rest) = rest.strip_prefix(prefix) else {
        return false;
    };
    rest.get(name.len()).is_some_and(|&byte| ends_name(byte))
        && rest[..name.len()].eq_ignore_ascii_case(name)
}

fn ends_name(byte: u8) -> bool {
    is_space(byte) || byte == b'/' || byte == b'>'
}

/// White space in tags. The standard turns CR into LF before it looks.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens as a line of text: `<name attr=value|attr>`, `</name>`, `"text"`.
    fn tokens(source: &str) -> String {
        let mut lexer = Lexer::new(source.as_bytes());
        let mut out = String::new();
        let text = |span: Span| &source[span.range()];
        while let Some(token) = lexer.next() {
            match token {
                Token::Start(tag) => {
                    out.push('<');
                    out.push_str(text(tag.name));
                    for attribute in &lexer.attributes {
                        out.push(' ');
                        out.push_str(text(attribute.name));
                        if attribute.quoting != Quoting::Absent {
                            out.push_str(&format!("={{{}}}", text(attribute.value)));
                        }
                    }
                    out.push_str(if tag.self_closing { "/>" } else { ">" });
                    match text(tag.name) {
                        "script" => lexer.enter(RawText::Script, tag.name),
                        "style" => lexer.enter(RawText::Rawtext, tag.name),
                        "title" => lexer.enter(RawText::Rcdata, tag.name),
                        "plaintext" => lexer.enter(RawText::Plaintext, tag.name),
                        _ => {}
                    }
                }
                Token::End(tag) => out.push_str(&format!("</{}>", text(tag.name))),
                Token::Text(span) => out.push_str(&format!("{:?}", text(span))),
            }
        }
        out
    }

    #[test]
    fn attributes_in_every_quoting() {
        let cases = [
            (
                "<a href=\"x y\" b='c\"d' e=f>",
                "<a href={x y} b={c\"d} e={f}>",
            ),
            ("<a href = x/>", "<a href={x/}>"),
            ("<a href=x />", "<a href={x}/>"),
            ("<a/href=x/>", "<a href={x/}>"),
            ("<a href>", "<a href>"),
            ("<a href=>", "<a href={}>"),
            ("<a href='a'title=b>", "<a href={a} title={b}>"),
            ("<a =x=y>", "<a =x={y}>"),
            ("<a \"b\"=c>", "<a \"b\"={c}>"),
            ("<a b=c=d'e>", "<a b={c=d'e}>"),
            ("<a\nhref\r\n=\r\n'x'\x0C>", "<a href={x}>"),
            ("<a b / c>", "<a b c>"),
            ("<a href='x", ""),
            ("<a href=x", ""),
            ("<a", ""),
            ("a<b", "\"a\""),
        ];
        for (source, expected) in cases {
            assert_eq!(tokens(source), expected, "{source}");
        }
    }

    #[test]
    fn what_is_no_tag() {
        let cases = [
            ("a < b <1 <", r#""a < b <1 <""#),
            ("</>x</ b>y", r#""x""y""#),
            ("x</", r#""x</""#),
            ("<?php a ?>x", r#""x""#),
            // A quote in a DOCTYPE does not hide its `>`.
            ("<!DOCTYPE html '>'>y", r#""'>y""#),
        ];
        for (source, expected) in cases {
            assert_eq!(tokens(source), expected, "{source}");
        }
    }

    #[test]
    fn comments_in_all_their_endings() {
        for comment in [
            "<!-- a > b -->",
            "<!-->",
            "<!--->",
            "<!---->",
            "<!-- --!>",
            "<!-- - -- ---->",
            "<!--!-->",
            "<!-- <!-- -->",
            "<!-- --!-->",
            "<!x>",
            "<!>",
            "<![CDATA[x>",
        ] {
            assert_eq!(tokens(&format!("{comment}<b>")), "<b>", "{comment}");
        }
        for open in ["<!--!><b>", "<!---!><b>", "<!-- -- ><b>", "<!-- - -><b>"] {
            assert_eq!(tokens(open), "", "{open}");
        }
    }

    #[test]
    fn raw_text_ends_at_its_own_end_tag() {
        let cases = [
            ("<style><a></style ><b>", "<style></style><b>"),
            ("<style></styles></STYLE/><b>", "<style></STYLE><b>"),
            ("<title>a<b></title>", "<title>\"a<b>\"</title>"),
            ("<title>a", "<title>\"a\""),
            ("<script>'<a>'</script><b>", "<script></script><b>"),
            (
                "<script><!-- <script> </script> --></script><b>",
                "<script></script><b>",
            ),
            (
                "<script><!-- <script> --></script><b>",
                "<script></script><b>",
            ),
            (
                "<script><!-- <script> </script> </script><b>",
                "<script></script><b>",
            ),
            (
                "<script><!-- <scripts> </script><b>",
                "<script></script><b>",
            ),
            ("<script><!--><script></script><b>", "<script></script><b>"),
            ("<script><!-- <script> </script><b>", "<script>"),
            (
                "<plaintext></plaintext><b>",
                "<plaintext>\"</plaintext><b>\"",
            ),
        ];
        for (source, expected) in cases {
            assert_eq!(tokens(source), expected, "{source}");
        }
    }

    #[test]
    fn cdata_is_a_section_only_where_it_may_be() {
        let mut lexer = Lexer::new(b"<![CDATA[<a>]]><b>");
        lexer.cdata = true;
        let Some(Token::Start(tag)) = lexer.next() else {
            panic!("a start tag")
        };
        assert_eq!(tag.name, Span::new(16, 17));
    }
}
