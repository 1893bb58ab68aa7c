//! A scanner for JavaScript and JSX: finds the ends of tags and expressions, and the paths in them.
//!
//! It reads only the syntax needed to find the end: strings, templates, comments, braces and tags.
//! A regular expression is not distinguished from a division. The contexts are on a separate stack,
//! so that nesting takes no stack of the thread.

use memchr::{memchr, memchr2, memchr3, memmem};

use crate::bytes::Span;
use crate::format::markdown::line::{is_blank, is_space};
use crate::link::Directive;

/// The tags, attributes and paths found, in the order of their ends.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) tags: Vec<Tag>,
    pub(super) attributes: Vec<Attribute>,
    /// The paths of imports and `require`, as written in their quotes.
    pub(super) paths: Vec<(Span, Directive)>,
    /// The contexts of the next byte, outermost first.
    contexts: Vec<Context>,
}

impl Found {
    /// Removes all, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.tags.clear();
        self.attributes.clear();
        self.paths.clear();
    }
}

/// A start tag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag {
    /// From `<` to `>`. Empty if the tag has no end.
    pub(super) span: Span,
    pub(super) name: Span,
}

/// An attribute of a tag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attribute {
    /// The number of its tag.
    pub(super) tag: usize,
    pub(super) name: Span,
    /// The whole value, with its quotes or braces.
    pub(super) whole: Span,
    /// The text in the quotes; `None` for other expressions than a string.
    pub(super) text: Option<Span>,
    /// True if the string is an expression, without character references.
    pub(super) is_expression: bool,
}

#[derive(Clone, Copy, Debug)]
enum Context {
    /// Code in braces, which may be the value of the attribute with this number; or statements.
    Code { start: usize, attribute: Option<usize> },
    /// A template string.
    Template,
    /// The tag with this number.
    Tag(usize),
}

/// The words before a string that is a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Import,
    From,
    Call(Callee),
    Callee(Callee),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Callee {
    Import,
    Require,
    /// The function of Docusaurus that completes a path on the site.
    BaseUrl,
}

/// Reads one piece, or statements.
pub(super) struct Scanner<'t, 'f> {
    bytes: &'t [u8],
    at: usize,
    /// The number of quotes (`>`) that contain the piece.
    quotes: usize,
    word: Option<Word>,
    /// The offset before which no string in `"` and none in `'` ends.
    unclosed: [usize; 2],
    found: &'f mut Found,
}

impl<'t, 'f> Scanner<'t, 'f> {
    pub(super) fn new(bytes: &'t [u8], at: usize, quotes: usize, found: &'f mut Found) -> Self {
        found.contexts.clear();
        Self { bytes, at, quotes, word: None, unclosed: [0; 2], found }
    }

    /// The offset after the tag or the expression. The error is the offset of the byte that is not
    /// part of one.
    pub(super) fn piece(mut self) -> Result<usize, usize> {
        match self.bytes[self.at] {
            b'<' => self.open_tag(),
            _ => self.open_code(None),
        }
        while let Some(&context) = self.found.contexts.last() {
            let step = match context {
                Context::Code { .. } => self.code(),
                Context::Template => self.template(),
                Context::Tag(number) => self.tag(number),
            };
            step.ok_or(self.at)?;
        }
        Ok(self.at)
    }

    /// The offset of the line end before the first blank line; before the first one that is not in
    /// brackets if `over_blanks`. Without one, that of the first blank line, as an error with the
    /// number of bytes read.
    pub(super) fn statements(mut self, over_blanks: bool) -> Result<usize, (usize, usize)> {
        let start = self.at;
        let code = Context::Code { start, attribute: None };
        self.found.contexts.push(code);
        let mut first_blank = None;
        let mut brackets = 0_usize;
        loop {
            if self.found.contexts.is_empty() {
                self.found.contexts.push(code);
            }
            let is_outer = self.found.contexts.len() == 1;
            match self.bytes.get(self.at) {
                None if is_outer && brackets == 0 => return Ok(self.at),
                Some(b'\n' | b'\r') if self.is_before_blank_line() => {
                    first_blank.get_or_insert(self.at);
                    if !over_blanks || is_outer && brackets == 0 {
                        return Ok(self.at);
                    }
                }
                Some(b'(' | b'[') if is_outer => brackets += 1,
                Some(b')' | b']') if is_outer => brackets = brackets.saturating_sub(1),
                _ => {}
            }
            let step = match self.found.contexts.last() {
                Some(Context::Template) => self.template(),
                Some(&Context::Tag(number)) => self.tag(number),
                _ => self.code(),
            };
            if step.is_none() {
                return Err((first_blank.unwrap_or(self.bytes.len()), self.at - start));
            }
        }
    }

    /// Returns true if a blank line, or the end, follows the line end here.
    fn is_before_blank_line(&self) -> bool {
        let rest = &self.bytes[self.at..];
        let len = if rest.starts_with(b"\r\n") { 2 } else { 1 };
        let line = rest[len..].iter().find(|byte| !is_blank(**byte));
        matches!(line, None | Some(b'\n' | b'\r'))
    }

    fn open_code(&mut self, attribute: Option<usize>) {
        self.at += 1;
        self.word = None;
        self.found.contexts.push(Context::Code { start: self.at, attribute });
    }

    /// Opens the tag whose `<` is here.
    fn open_tag(&mut self) {
        let start = self.at;
        self.at += 1;
        if self.peek() == Some(b'/') {
            self.at += 1;
        }
        let name = self.name();
        self.found.contexts.push(Context::Tag(self.found.tags.len()));
        self.found.tags.push(Tag { span: Span::new(start, start), name });
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn next_is(&self, byte: u8) -> bool {
        self.bytes.get(self.at + 1) == Some(&byte)
    }

    /// Passes a name of an element or an attribute.
    fn name(&mut self) -> Span {
        let rest = &self.bytes[self.at..];
        let is_name = |byte: &u8| is_word(*byte) || matches!(byte, b'-' | b':' | b'.');
        let len = rest.iter().take_while(|it| is_name(it)).count();
        let name = Span::new(self.at, self.at + len);
        self.at = name.end;
        name
    }

    /// Passes white space of a tag, with the prefixes of quotes.
    fn space(&mut self) {
        while let Some(byte) = self.peek().filter(|it| is_space(*it)) {
            self.at += 1;
            if byte != b'\n' && byte != b'\r' {
                continue;
            }
            for _ in 0..self.quotes {
                let rest = &self.bytes[self.at..];
                let blanks = rest.iter().take_while(|it| is_blank(**it)).count();
                if rest.get(blanks) == Some(&b'>') {
                    self.at += blanks + 1;
                }
            }
        }
    }

    /// Skips the comment at the current position. Returns false without a comment, and `None` if it
    /// has no end.
    fn comment(&mut self) -> Option<bool> {
        let rest = &self.bytes[self.at..];
        let len = match rest {
            [b'/', b'*', rest @ ..] => memmem::find(rest, b"*/").map(|len| len + 4),
            [b'/', b'/', ..] => memchr2(b'\n', b'\r', rest).or(Some(rest.len())),
            _ => return Some(false),
        };
        match len {
            Some(len) => self.at += len,
            None => {
                self.at = self.bytes.len();
                return None;
            }
        }
        Some(true)
    }

    /// Continues in a tag. A tag in code may be a comparison.
    fn tag(&mut self, number: usize) -> Option<()> {
        let read = self.in_tag(number);
        if read.is_none() && self.found.contexts.len() > 1 && self.at < self.bytes.len() {
            self.found.contexts.pop();
            return Some(());
        }
        read
    }

    fn in_tag(&mut self, number: usize) -> Option<()> {
        self.space();
        match self.peek()? {
            b'>' => self.end_tag(number),
            b'/' => {
                if !self.comment()? {
                    self.at += 1;
                    self.space();
                    if self.peek()? != b'>' {
                        return None;
                    }
                    self.end_tag(number);
                }
            }
            b'{' => self.open_code(None),
            byte if is_word(byte) => self.attribute(number)?,
            _ => return None,
        }
        Some(())
    }

    fn end_tag(&mut self, number: usize) {
        self.at += 1;
        self.found.tags[number].span.end = self.at;
        self.found.contexts.pop();
        self.word = None;
    }

    fn attribute(&mut self, tag: usize) -> Option<()> {
        let name = self.name();
        let after = self.at;
        self.space();
        if self.peek() != Some(b'=') {
            self.at = after;
            return Some(());
        }
        self.at += 1;
        self.space();
        let start = self.at;
        let number = self.found.attributes.len();
        let mut attribute = Attribute {
            tag,
            name,
            whole: Span::new(start, start),
            text: None,
            is_expression: false,
        };
        match self.peek()? {
            quote @ (b'"' | b'\'') => {
                let Some(len) = memchr(quote, &self.bytes[start + 1..]) else {
                    self.at = self.bytes.len();
                    return None;
                };
                self.at = start + len + 2;
                attribute.whole.end = self.at;
                attribute.text = Some(Span::new(start + 1, start + 1 + len));
            }
            b'{' => {
                attribute.is_expression = true;
                self.open_code(Some(number));
            }
            _ => return None,
        }
        self.found.attributes.push(attribute);
        Some(())
    }

    /// Continues in a template string.
    fn template(&mut self) -> Option<()> {
        let rest = &self.bytes[self.at..];
        let Some(len) = memchr3(b'`', b'\\', b'$', rest) else {
            self.at = self.bytes.len();
            return None;
        };
        self.at += len + 1;
        match rest[len] {
            b'`' => {
                self.found.contexts.pop();
            }
            b'\\' => self.at = (self.at + 1).min(self.bytes.len()),
            _ if self.peek() == Some(b'{') => self.open_code(None),
            _ => {}
        }
        Some(())
    }

    /// Continues in code.
    fn code(&mut self) -> Option<()> {
        let at = self.at;
        let before = at.checked_sub(1).map(|before| self.bytes[before]);
        let follows_word = before.is_some_and(is_word);
        let word = match self.peek()? {
            byte if is_space(byte) => {
                self.at += 1;
                self.word
            }
            b'{' => {
                self.open_code(None);
                None
            }
            b'}' => {
                self.close_code();
                None
            }
            // An apostrophe in a text follows a letter.
            quote @ (b'"' | b'\'') => {
                if follows_word || !self.string(quote) {
                    self.at += 1;
                }
                None
            }
            b'`' => {
                self.at += 1;
                self.found.contexts.push(Context::Template);
                None
            }
            // The slashes of a URL in a text follow a colon.
            b'/' if before != Some(b':') => {
                if !self.comment()? {
                    self.at += 1;
                }
                None
            }
            b'<' if self.begins_tag(before) => {
                self.open_tag();
                None
            }
            b'(' => {
                self.at += 1;
                match self.word {
                    Some(Word::Callee(callee)) => Some(Word::Call(callee)),
                    Some(Word::Import) => Some(Word::Call(Callee::Import)),
                    _ => None,
                }
            }
            byte if is_word(byte) => {
                let rest = &self.bytes[at..];
                let len = rest.iter().take_while(|it| is_word(**it)).count();
                self.at += len;
                match &rest[..len] {
                    _ if before == Some(b'.') => None,
                    b"import" => Some(Word::Import),
                    b"from" => Some(Word::From),
                    b"require" => Some(Word::Callee(Callee::Require)),
                    b"useBaseUrl" => Some(Word::Callee(Callee::BaseUrl)),
                    _ => None,
                }
            }
            _ => {
                self.at += 1;
                None
            }
        };
        self.word = word;
        Some(())
    }

    /// Returns true if the `<` here is not a comparison.
    fn begins_tag(&self, before: Option<u8>) -> bool {
        let follows_value = before.is_some_and(|it| is_word(it) || matches!(it, b')' | b']'));
        let next = self.bytes.get(self.at + 1);
        !follows_value && next.is_some_and(u8::is_ascii_alphabetic) && !self.next_is(b'/')
    }

    /// Passes the string that begins here. Returns false if it does not end in its line.
    fn string(&mut self, quote: u8) -> bool {
        let start = self.at + 1;
        let unclosed = &mut self.unclosed[usize::from(quote == b'\'')];
        if start < *unclosed {
            return false;
        }
        let mut end = start;
        loop {
            match self.bytes.get(end) {
                Some(b'\\') => end += 2,
                Some(byte) if *byte == quote => break,
                None | Some(b'\n' | b'\r') => {
                    *unclosed = end;
                    return false;
                }
                Some(_) => end += 1,
            }
        }
        self.path(Span::new(start, end));
        self.at = end + 1;
        true
    }

    /// Adds a string that is a path.
    fn path(&mut self, text: Span) {
        match self.word {
            Some(Word::Import | Word::From | Word::Call(Callee::Import)) => {
                self.found.paths.push((text, Directive::Import));
            }
            Some(Word::Call(Callee::Require)) => {
                self.found.paths.push((text, Directive::Require));
            }
            Some(Word::Call(Callee::BaseUrl)) if self.bytes[text.start] == b'/' => {
                if let Some(&Context::Code { attribute: Some(number), .. }) =
                    self.found.contexts.last()
                {
                    self.found.attributes[number].text = Some(text);
                }
            }
            _ => {}
        }
    }

    /// Closes the braces here. If they have only a string, it is the value of the attribute.
    fn close_code(&mut self) {
        let Some(Context::Code { start, attribute }) = self.found.contexts.pop() else {
            return;
        };
        let end = self.at;
        self.at += 1;
        let Some(attribute) = attribute.and_then(|it| self.found.attributes.get_mut(it)) else {
            return;
        };
        attribute.whole.end = self.at;
        let code = &self.bytes[start..end];
        let content = code.trim_ascii();
        let start = start + code.len() - code.trim_ascii_start().len();
        if let [quote @ (b'"' | b'\'' | b'`'), text @ .., last] = content
            && quote == last
            && memchr(*quote, text).is_none()
        {
            attribute.text = Some(Span::new(start + 1, start + 1 + text.len()));
        }
    }
}

/// Returns true for a byte of a name.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}
