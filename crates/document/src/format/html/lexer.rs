//! Tags and attributes with their exact bytes.
//!
//! This is the tokenizer of the HTML standard (section 13.2.5), reduced to what links need: where
//! tags begin and end, and which bytes are attribute values. It reads the bytes of any
//! ASCII-compatible encoding without decoding: in these, the bytes of markup are never part of
//! another character.
//!
//! Cost: linear. Most tags take the [fast path](super::fast_path). The others are read byte by
//! byte; text, comments, raw text and quoted values are read at the speed of `memchr`.

use memchr::{memchr, memchr_iter, memchr2_iter};

use super::chars::{ends_attribute_name, ends_name, is_space};
use super::comment::read_comment;
use super::fast_path::read_attributes;
use super::guard::Guard;
use super::names::{Key, Wanted};
use super::plain_tags::PlainTags;
use super::simd::find;
use super::token::{Attribute, RawText, Tag, TextKind, Token};
use crate::bytes::Span;
use crate::link::Quoting;

pub(super) struct Lexer<'s> {
    pub(super) bytes: &'s [u8],
    /// The start of the next token.
    at: usize,
    /// The last start or end tag. It stays here, since returning it costs as much as reading it.
    pub(super) tag: Tag,
    /// The attributes of the last start or end tag, in source order, with duplicates.
    pub(super) attributes: Vec<Attribute>,
    /// The attributes and elements that are searched.
    wanted: Wanted,
    /// Those outside of a [guard](Self::set_guard).
    usual: &'static Wanted,
    /// True if an attribute of the last tag may be one of those [`wanted`](Self::wanted).
    pub(super) may_link: bool,
    raw: Option<(RawText, Span)>,
    /// True if `<![CDATA[` opens a section, as it does inside SVG and MathML.
    pub(super) cdata: bool,
    /// True if that is in doubt: then it is a token.
    pub(super) stops_at_cdata: bool,
    /// True if text with character references is skipped, as it is not needed for most pages.
    pub(super) skips_text: bool,
    /// True if tags may be skipped that have no [wanted](Wanted) attribute and no effect other than
    /// to open or close an element.
    pub(super) skips_tags: bool,
    /// True if self-closing tags may be skipped that have no wanted attribute and only create an
    /// element of SVG or MathML.
    pub(super) skips_childless: bool,
    /// True if comments are skipped where text is.
    pub(super) skips_comments: bool,
    plain_tags: PlainTags,
}

impl<'s> Lexer<'s> {
    pub(super) fn new(bytes: &'s [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            tag: Tag { start: 0, name: Span::new(0, 0), key: Key::LONG, self_closing: false },
            attributes: Vec::with_capacity(8),
            wanted: Wanted::LINKS,
            usual: &Wanted::LINKS,
            may_link: false,
            raw: None,
            cdata: false,
            stops_at_cdata: false,
            skips_text: false,
            skips_tags: false,
            skips_childless: false,
            skips_comments: false,
            plain_tags: PlainTags::default(),
        }
    }

    /// A lexer for the tags and text from `start` on, where a token begins.
    pub(super) fn starting_at(bytes: &'s [u8], start: usize) -> Self {
        Self { at: start, ..Self::new(bytes) }
    }

    /// Searches these attributes and elements.
    pub(super) fn search(&mut self, wanted: &'static Wanted) {
        (self.usual, self.wanted) = (wanted, *wanted);
    }

    /// The offset after the last token.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Reads the text after the last start tag as raw text.
    pub(super) fn enter(&mut self, raw: RawText) {
        self.raw = Some((raw, self.tag.name));
    }

    /// Reads the text after the last start tag as text with tags.
    pub(super) fn leave(&mut self) {
        self.raw = None;
    }

    /// Returns tags in doubt from here on, in place of those of an earlier guard.
    pub(super) fn set_guard(&mut self, guard: Option<&Guard>) {
        self.wanted = guard.map_or(*self.usual, |guard| self.usual.guarded(guard));
        self.stops_at_cdata = guard.is_some();
        // Masks of the page are those of the last guard.
        self.plain_tags = PlainTags::default();
    }

    /// Returns true if raw text follows.
    pub(super) fn is_in_raw_text(&self) -> bool {
        self.raw.is_some()
    }

    /// The next token, or `None` at the end. An unfinished tag at the end is dropped, as in the
    /// standard.
    pub(super) fn next(&mut self) -> Option<Token> {
        if let Some((raw, name)) = self.raw.take() {
            let start = self.at;
            self.at = self.raw_text_end(raw, name);
            // Raw text may end inside of what looks like a tag in it.
            self.plain_tags = PlainTags::default();
            if self.at > start {
                let text = Span::new(start, self.at);
                return Some(Token::Text(text, TextKind::Raw(raw)));
            }
        }
        let skips_all = self.skips_text && self.skips_comments && self.skips_tags;
        loop {
            let start = self.at;
            let markup = match skips_all {
                true => {
                    let opening = self.plain_tags.pass(self.bytes, start, &self.wanted);
                    opening.map(|it| (it.start, Some(it.name_end)))
                }
                false => self.find_markup().map(|open| (open, None)),
            };
            let Some((open, name_end)) = markup else {
                return self.last_text();
            };
            self.at = open;
            if !self.skips_text && start < open {
                return Some(Token::Text(Span::new(start, open), TextKind::Data));
            }
            let token = match self.tag_by_fast_path(open, name_end) {
                Some(token) => token,
                None => self.next_by_rules()?,
            };
            if !self.may_skip(token) {
                return Some(token);
            }
        }
    }

    /// The text up to the end of the page.
    fn last_text(&mut self) -> Option<Token> {
        let text = Span::new(self.at, self.bytes.len());
        self.at = text.end;
        (!text.is_empty() && !self.skips_text).then_some(Token::Text(text, TextKind::Data))
    }

    /// Returns true if the last tag is skipped, unless an attribute is wanted.
    #[inline]
    pub(super) fn skips_plain(&self, is_end: bool) -> bool {
        let Tag { key, name, .. } = self.tag;
        self.skips_tags && !self.wanted.has_effect(key, is_end, &self.bytes[name.range()])
    }

    /// Returns true if the token, which was just read, is skipped.
    #[inline]
    fn may_skip(&self, token: Token) -> bool {
        match token {
            Token::Start => {
                !self.may_link
                    && (self.skips_plain(false)
                        || self.skips_childless
                            && self.tag.self_closing
                            && !Wanted::may_leave_foreign(self.tag.key))
            }
            Token::End => self.skips_plain(true),
            Token::Comment(_) => self.skips_text && self.skips_comments,
            Token::Text(..) | Token::Doctype(_) | Token::Section => false,
        }
    }

    /// The tag that begins at `open`, if the fast path can read it. `name_end` is where its name
    /// may end.
    #[inline]
    fn tag_by_fast_path(&mut self, open: usize, name_end: Option<usize>) -> Option<Token> {
        let bytes = self.bytes;
        let is_end = *bytes.get(open + 1)? == b'/';
        let name = open + 1 + usize::from(is_end);
        if !bytes.get(name)?.is_ascii_alphabetic() {
            return None;
        }
        let usual_end = name_end.filter(|&end| bytes.get(end).is_some_and(|&it| ends_name(it)));
        let (len, key) = match usual_end {
            Some(end) => (end - name, Key::of_part(bytes, name, end)?),
            None => Key::at(bytes, name)?,
        };
        let name = Span::new(name, name + len);
        self.attributes.clear();
        let (end, may_link, self_closing) = match bytes[name.end] {
            b'>' => (name.end + 1, false, false),
            _ if is_end => return None,
            _ => {
                let attributes = &mut self.attributes;
                let read = read_attributes(bytes, name.end, &self.wanted, attributes)?;
                (read.end, read.may_link, read.self_closing)
            }
        };
        self.at = end;
        self.may_link = may_link;
        self.tag = Tag { start: open, name, key, self_closing };
        Some(if is_end { Token::End } else { Token::Start })
    }

    /// The next token outside of raw text, in any form.
    pub(super) fn next_by_rules(&mut self) -> Option<Token> {
        loop {
            let start = self.at;
            let Some(tag) = self.find_markup() else {
                return self.last_text();
            };
            self.at = tag;
            if start < tag && !self.skips_text {
                return Some(Token::Text(Span::new(start, tag), TextKind::Data));
            }
            return match self.bytes[tag + 1] {
                b'/' => match self.bytes.get(tag + 2) {
                    Some(byte) if byte.is_ascii_alphabetic() => {
                        self.tag(tag, tag + 2).map(|()| Token::End)
                    }
                    // `</>` is ignored.
                    Some(b'>') => {
                        self.at = tag + 3;
                        continue;
                    }
                    _ => Some(self.bogus_comment(tag + 2)),
                },
                b'!' => Some(self.declaration(tag + 2)),
                b'?' => Some(self.bogus_comment(tag + 1)),
                _ => self.tag(tag, tag + 1).map(|()| Token::Start),
            };
        }
    }

    /// The next `<` that begins markup.
    #[inline]
    fn find_markup(&self) -> Option<usize> {
        let mut at = self.at;
        loop {
            at = find(b'<', self.bytes, at)?;
            match self.bytes.get(at + 1) {
                Some(byte) if byte.is_ascii_alphabetic() => return Some(at),
                Some(b'!' | b'?') => return Some(at),
                // `</` at the very end is text.
                Some(b'/') if at + 2 < self.bytes.len() => return Some(at),
                _ => at += 1,
            }
        }
    }

    /// A bogus comment whose text begins at `from`. It ends at the next `>`.
    fn bogus_comment(&mut self, from: usize) -> Token {
        let end = memchr(b'>', &self.bytes[from..]).map(|found| from + found);
        self.at = end.map_or(self.bytes.len(), |end| end + 1);
        Token::Comment(Span::new(from, end.unwrap_or(self.bytes.len())))
    }

    /// The markup after `<!`; `from` is after the `!`.
    fn declaration(&mut self, from: usize) -> Token {
        let rest = &self.bytes[from..];
        if rest.starts_with(b"--") {
            return self.comment(from + 2);
        }
        if self.stops_at_cdata && !self.cdata && rest.starts_with(b"[CDATA[") {
            return Token::Section;
        }
        if self.cdata && rest.starts_with(b"[CDATA[") {
            let start = from + 7;
            let end = memchr::memmem::find(&self.bytes[start..], b"]]>");
            let end = end.map(|end| start + end);
            self.at = end.map_or(self.bytes.len(), |end| end + 3);
            let text = Span::new(start, end.unwrap_or(self.bytes.len()));
            return match text.is_empty() {
                // An empty section is no character data. A comment here has no effect.
                true => Token::Comment(text),
                false => Token::Text(text, TextKind::Cdata),
            };
        }
        // A DOCTYPE ends at the first `>`, even inside quotes. So does any other declaration.
        let name = rest.get(..7).unwrap_or_default();
        let is_doctype = name.eq_ignore_ascii_case(b"doctype");
        match self.bogus_comment(from) {
            Token::Comment(text) if is_doctype => {
                Token::Doctype(Span::new(text.start + 7, text.end))
            }
            token => token,
        }
    }

    /// The comment whose text begins at `from`.
    fn comment(&mut self, from: usize) -> Token {
        if let Some((text, end)) = read_comment(self.bytes, from) {
            self.at = end;
            return Token::Comment(text);
        }
        self.at = self.bytes.len();
        // At the end of the page, the dashes are not part of the text.
        let text = &self.bytes[from..];
        let dashes = [&b"--!"[..], b"--", b"-"];
        let cut = dashes.iter().find(|it| text.ends_with(it));
        let len = text.len() - cut.map_or(0, |it| it.len());
        Token::Comment(Span::new(from, from + len))
    }

    /// Reads the tag that begins at `start` and whose name begins at `name`. `None` if the page
    /// ends inside it.
    #[inline]
    fn tag(&mut self, start: usize, name: usize) -> Option<()> {
        let bytes = self.bytes;
        self.attributes.clear();
        self.may_link = false;
        self.at = bytes.len();
        let mut at = name;
        while !ends_name(*bytes.get(at)?) {
            at += 1;
        }
        self.tag = Tag {
            start,
            name: Span::new(name, at),
            key: Key::of(&bytes[name..at]),
            self_closing: false,
        };
        loop {
            match *bytes.get(at)? {
                b'>' => {
                    self.at = at + 1;
                    return Some(());
                }
                b'/' if bytes.get(at + 1) == Some(&b'>') => {
                    self.at = at + 2;
                    self.tag.self_closing = true;
                    return Some(());
                }
                byte if byte == b'/' || is_space(byte) => at += 1,
                _ => at = self.attribute(at)?,
            }
        }
    }

    /// Reads the attribute whose name begins at `start`. Returns the offset after it.
    fn attribute(&mut self, start: usize) -> Option<usize> {
        let bytes = self.bytes;
        // A leading `=` is part of the name.
        let mut at = start + 1;
        while !ends_attribute_name(*bytes.get(at)?) {
            at += 1;
        }
        let name = Span::new(start, at);
        self.may_link |= self.wanted.may_have(bytes[start], name.len());
        let after_name = self.skip_space(at)?;
        if bytes[after_name] != b'=' {
            let value = Span::new(at, at);
            self.attributes.push(Attribute { name, value, quoting: Quoting::Absent });
            return Some(after_name);
        }
        let start = self.skip_space(after_name + 1)?;
        let (value, quoting, after) = match bytes[start] {
            quote @ (b'"' | b'\'') => {
                let end = find(quote, bytes, start + 1)?;
                let quoting = if quote == b'"' { Quoting::Double } else { Quoting::Single };
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
        self.attributes.push(Attribute { name, value, quoting });
        Some(after)
    }

    fn skip_space(&self, mut at: usize) -> Option<usize> {
        while is_space(*self.bytes.get(at)?) {
            at += 1;
        }
        Some(at)
    }

    /// The end of raw text that begins here: its end tag, or the end of the page.
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

/// The end of the content of a script: `</script`, except after both `<!--` and `<script` (HTML
/// standard, sections 13.2.5.15 to 13.2.5.31).
fn script_end(content: &[u8]) -> Option<usize> {
    #[derive(PartialEq)]
    enum State {
        Script,
        Escaped,
        DoublyEscaped,
    }
    let mut state = State::Script;
    // The start of the text after the last `<!`: dashes before it do not end the escape.
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

/// Returns true if `rest` begins with `prefix` and the tag name `name`, in any case.
fn is_named(rest: &[u8], prefix: &[u8], name: &[u8]) -> bool {
    let Some(rest) = rest.strip_prefix(prefix) else {
        return false;
    };
    rest.get(name.len()).is_some_and(|&byte| ends_name(byte))
        && rest[..name.len()].eq_ignore_ascii_case(name)
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
                Token::Start => {
                    let tag = lexer.tag;
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
                        "script" => lexer.enter(RawText::Script),
                        "style" => lexer.enter(RawText::Rawtext),
                        "title" => lexer.enter(RawText::Rcdata),
                        "plaintext" => lexer.enter(RawText::Plaintext),
                        _ => {}
                    }
                }
                Token::End => out.push_str(&format!("</{}>", text(lexer.tag.name))),
                Token::Text(
                    span,
                    TextKind::Data | TextKind::Raw(RawText::Rcdata | RawText::Plaintext),
                ) => {
                    out.push_str(&format!("{:?}", text(span)));
                }
                _ => {}
            }
        }
        out
    }

    #[test]
    fn attributes_are_read_in_every_quoting() {
        let cases = [
            ("<a href=\"x y\" b='c\"d' e=f>", "<a href={x y} b={c\"d} e={f}>"),
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
    fn some_markup_is_not_a_tag() {
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
    fn comments_end_in_all_their_ways() {
        for comment in [
            "<!-- a > b -->", "<!-->", "<!--->", "<!---->", "<!-- --!>", "<!-- - -- ---->",
            "<!--!-->", "<!-- <!-- -->", "<!-- --!-->", "<!x>", "<!>", "<![CDATA[x>",
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
            ("<script><!-- <script> </script> --></script><b>", "<script></script><b>"),
            ("<script><!-- <script> --></script><b>", "<script></script><b>"),
            ("<script><!-- <script> </script> </script><b>", "<script></script><b>"),
            ("<script><!-- <scripts> </script><b>", "<script></script><b>"),
            ("<script><!--><script></script><b>", "<script></script><b>"),
            ("<script><!-- <script> </script><b>", "<script>"),
            ("<plaintext></plaintext><b>", "<plaintext>\"</plaintext><b>\""),
        ];
        for (source, expected) in cases {
            assert_eq!(tokens(source), expected, "{source}");
        }
    }

    #[test]
    fn cdata_is_a_section_only_in_foreign_content() {
        let mut lexer = Lexer::new(b"<![CDATA[<a>]]><b>");
        lexer.cdata = true;
        let text = Token::Text(Span::new(9, 12), TextKind::Cdata);
        assert_eq!(lexer.next(), Some(text));
        assert_eq!(lexer.next(), Some(Token::Start));
    }
}
