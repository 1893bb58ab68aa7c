//! The URLs of a style sheet.

use std::borrow::Cow;

use encoding_rs::Encoding;

use super::lexer::{self, Value};
use crate::bytes::Span;
use crate::format::markup::value::Value as DecodedValue;
use crate::link::{CssForm, Notes};

/// A URL of a style sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CssUrl<'t> {
    /// The bytes that spell the URL, without `url()`, quotes, and white space inside
    /// them.
    pub(super) span: Span,
    /// The URL, with escapes decoded.
    pub(super) reference: Cow<'t, str>,
    /// The form in which it is written.
    pub(super) form: CssForm,
    /// True for the URL of an `@import`.
    pub(super) import: bool,
    /// The notes on its bytes.
    pub(super) notes: Notes,
}

/// Finds the URLs of a style sheet, or of a list of declarations as in a `style` attribute, in
/// order. ASCII bytes are characters in the encoding. Linear in the bytes.
pub(super) fn scan<'t>(
    bytes: &'t [u8],
    encoding: &'static Encoding,
    found: impl FnMut(CssUrl<'t>),
) {
    // Every URL needs one of these, and neither can be escaped.
    if memchr::memchr2(b'(', b'@', bytes).is_none() {
        return;
    }
    let scanner = Scanner { bytes, encoding, at: 0, open: Vec::new(), found };
    scanner.run();
}

/// The kind of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Function {
    Url,
    ImageSet,
    Other,
}

/// The purpose of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Embed,
    Import,
    /// A name.
    Namespace,
}

struct Scanner<'t, F> {
    bytes: &'t [u8],
    encoding: &'static Encoding,
    /// The start of the next token, or of text without a meaning. Names are read backward to here.
    at: usize,
    /// The parentheses that are open since the outermost `image-set(`. True for those of an
    /// `image-set(`.
    open: Vec<bool>,
    found: F,
}

impl<'t, F: FnMut(CssUrl<'t>)> Scanner<'t, F> {
    fn run(mut self) {
        while let Some((at, byte)) = self.next() {
            match byte {
                b'"' | b'\'' if self.open.last() == Some(&true) => {
                    self.string(at, Purpose::Embed);
                }
                b'"' | b'\'' => self.at = lexer::string(self.bytes, at).end,
                b'/' if self.bytes.get(at + 1) == Some(&b'*') => {
                    self.at = lexer::comment_end(self.bytes, at);
                }
                b'@' => self.at_keyword(at + 1),
                b'\\' if lexer::is_escape(self.bytes, at) => self.escaped_name(at),
                b'(' => {
                    let start = self.name_start(at);
                    let function = match self.is_hash(start) {
                        true => Function::Other,
                        false => function(&self.bytes[start..at]),
                    };
                    self.open(function, at + 1);
                }
                b')' => {
                    self.open.pop();
                    self.at = at + 1;
                }
                b';' | b'{' | b'}' | b'[' | b']' => {
                    // None of these can occur in an `image-set()`: it is not closed.
                    self.open.clear();
                    self.at = at + 1;
                }
                _ => self.at = at + 1,
            }
        }
    }

    /// The next byte that may belong to a URL.
    fn next(&self) -> Option<(usize, u8)> {
        let begins = |byte: u8| {
            (byte == b'"')
                | (byte == b'\'')
                | (byte == b'(')
                | (byte == b'/')
                | (byte == b'@')
                | (byte == b'\\')
        };
        let at = match self.open.is_empty() {
            true => lexer::find(self.bytes, self.at, begins),
            false => lexer::find(self.bytes, self.at, |byte| {
                begins(byte) || matches!(byte, b')' | b';' | b'{' | b'}' | b'[' | b']')
            }),
        };
        Some((at, *self.bytes.get(at)?))
    }

    /// The start of the name that ends at `end` and has no escape.
    fn name_start(&self, end: usize) -> usize {
        let before = &self.bytes[self.at..end];
        let len = before.iter().rev().take_while(|&&it| lexer::is_name(it));
        let start = end - len.count();
        // The dashes of `<!--` belong to that token.
        let is_open = self.bytes[self.at..start].ends_with(b"<!")
            && self.bytes[start..end].starts_with(b"--");
        if is_open { start + 2 } else { start }
    }

    /// Returns true if the name that begins at `start` is that of a hash: `#url(` opens no URL.
    fn is_hash(&self, start: usize) -> bool {
        self.bytes[self.at..start].ends_with(b"#")
    }

    /// Reads a name with an escape at `at`.
    fn escaped_name(&mut self, at: usize) {
        let start = self.name_start(at);
        let end = lexer::name_end(self.bytes, at);
        let begun = &self.bytes[start..at];
        let begun = begun.strip_prefix(b"-").unwrap_or(begun);
        let is_unit = begun.first().is_some_and(u8::is_ascii_digit);
        if self.bytes.get(end) == Some(&b'(') && !is_unit && !self.is_hash(start) {
            self.open(function(&self.bytes[start..end]), end + 1);
        } else {
            self.at = end;
        }
    }

    /// Reads the text after the parenthesis of a function before `at`.
    fn open(&mut self, function: Function, at: usize) {
        self.at = at;
        match function {
            Function::Url => self.url(at, Purpose::Embed),
            Function::ImageSet => self.open.push(true),
            Function::Other => self.open_other(),
        }
    }

    fn open_other(&mut self) {
        if !self.open.is_empty() {
            self.open.push(false);
        }
    }

    /// Reads the content of a `url()`.
    fn url(&mut self, at: usize, purpose: Purpose) {
        let start = lexer::skip_space(self.bytes, at);
        if matches!(self.bytes.get(start), Some(b'"' | b'\'')) {
            // More may follow before the parenthesis closes.
            self.open_other();
            self.string(start, purpose);
        } else {
            let value = lexer::url(self.bytes, start);
            self.take(value, CssForm::Url, purpose);
        }
    }

    fn string(&mut self, at: usize, purpose: Purpose) {
        let value = lexer::string(self.bytes, at);
        let quote = self.bytes[at];
        self.take(value, CssForm::String { quote }, purpose);
    }

    fn take(&mut self, value: Value, form: CssForm, purpose: Purpose) {
        self.at = value.end;
        if value.is_bad || purpose == Purpose::Namespace {
            return;
        }
        let value = DecodedValue::of_bytes(self.bytes, value.content, self.encoding);
        let whole = Span::new(0, value.text.len());
        let is_string = form != CssForm::Url;
        let (span, reference) = match &value.text {
            Cow::Borrowed(text) => lexer::decode(text, whole, is_string),
            Cow::Owned(text) => {
                let (span, reference) = lexer::decode(text, whole, is_string);
                (span, Cow::Owned(reference.into_owned()))
            }
        };
        if !reference.is_empty() {
            (self.found)(CssUrl {
                span: value.to_source(span),
                reference,
                form,
                import: purpose == Purpose::Import,
                notes: value.notes(span),
            });
        }
    }

    /// Reads the text after an `@`.
    fn at_keyword(&mut self, at: usize) {
        self.at = at;
        if !lexer::starts_name(self.bytes, at) {
            return;
        }
        self.at = lexer::name_end(self.bytes, at);
        let name = &self.bytes[at..self.at];
        if lexer::name_is(name, "import") {
            self.at = lexer::skip_blank(self.bytes, self.at);
            self.string_or_url(Purpose::Import);
        } else if lexer::name_is(name, "namespace") {
            self.at = lexer::skip_blank(self.bytes, self.at);
            let is_prefix =
                !self.string_or_url(Purpose::Namespace) && lexer::starts_name(self.bytes, self.at);
            let end = match is_prefix {
                true => lexer::name_end(self.bytes, self.at),
                false => return,
            };
            if self.bytes.get(end) != Some(&b'(') {
                self.at = lexer::skip_blank(self.bytes, end);
                self.string_or_url(Purpose::Namespace);
            }
        }
    }

    /// Reads a string or `url()`, if it is next. Returns true if it was.
    fn string_or_url(&mut self, purpose: Purpose) -> bool {
        if matches!(self.bytes.get(self.at), Some(b'"' | b'\'')) {
            self.string(self.at, purpose);
            return true;
        }
        if !lexer::starts_name(self.bytes, self.at) {
            return false;
        }
        let end = lexer::name_end(self.bytes, self.at);
        let is_url = self.bytes.get(end) == Some(&b'(')
            && function(&self.bytes[self.at..end]) == Function::Url;
        if is_url {
            self.url(end + 1, purpose);
        }
        is_url
    }
}

/// The function with this name.
fn function(name: &[u8]) -> Function {
    if lexer::name_is(name, "url") {
        Function::Url
    } else if ["image-set", "-webkit-image-set"].iter().any(|set| lexer::name_is(name, set)) {
        Function::ImageSet
    } else {
        Function::Other
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::UTF_8;

    use super::*;

    /// The URLs of `text`, with `@` before those of imports.
    fn urls(text: &str) -> Vec<String> {
        let mut urls = Vec::new();
        scan(text.as_bytes(), UTF_8, |url| {
            let mark = if url.import { "@" } else { "" };
            urls.push(format!("{mark}{}", url.reference));
        });
        urls
    }

    #[test]
    fn every_form_is_found() {
        let text = "a{b:url(u1) URL( u2 ) url( 'u3' ) Url(\"u4\"foo) url(u5";
        assert_eq!(urls(text), ["u1", "u2", "u3", "u4", "u5"]);
        let mut forms = Vec::new();
        scan(text.as_bytes(), UTF_8, |url| forms.push((&text[url.span.range()], url.form)));
        let string = |quote| CssForm::String { quote };
        assert_eq!(
            forms[1..4],
            [("u2", CssForm::Url), ("u3", string(b'\'')), ("u4", string(b'"'))]
        );
    }

    #[test]
    fn imports_count_anywhere() {
        assert_eq!(
            urls("@import 'a'; @IMPORT/**/\"b\" screen; c{@import url(d)} @import url('e"),
            ["@a", "@b", "@d", "@e"]
        );
        assert_eq!(urls("@import \"/a\" .b {c: url(d)}"), ["@/a", "d"]);
        assert_eq!(urls("@import a 'b'; @imports 'c'; @importurl(d)").len(), 0);
        assert_eq!(urls("@import x url(a)"), ["a"]);
        assert_eq!(urls("@\\69mport 'a'; @im\\70 ort u\\72l(b)"), ["@a", "@b"]);
        assert_eq!(urls("\\@import 'a'; @import\\ 'b'").len(), 0);
    }

    #[test]
    fn namespace_is_not_a_link() {
        let none =
            "@namespace 'a'; @namespace b 'c'; @NameSpace url(d); @namespace/**/e/**/url('f');";
        assert_eq!(urls(none).len(), 0);
        assert_eq!(urls("@namespace url(a) url(b)"), ["b"]);
        assert_eq!(urls("@namespace a b url(c)"), ["c"]);
        assert_eq!(urls("@namespace a(url(b))"), ["b"]);
    }

    #[test]
    fn strings_of_image_sets_are_links() {
        let set = "image-set('a' 1x type('t'), url(b) 2x, url('c' 'n') 3x, ('n') 'd')'n'";
        assert_eq!(urls(set), ["a", "b", "c", "d"]);
        assert_eq!(urls("-WEBKIT-image-set(\"a\" 1x, x-image-set('n'))"), ["a"]);
        assert_eq!(urls("image-set(image-set('a') 'b'"), ["a", "b"]);
        assert_eq!(urls("a{b:image-set('a' 1x} c::after{content:'n'}"), ["a"]);
        assert_eq!(urls("content: 'n' attr('n')").len(), 0);
    }

    #[test]
    fn function_names_are_read_backward() {
        for name in [
            "url", "u\\72l", "\\75 rl", "U\\000052L", "1.url", "%url", "1%url", "<!--url", "\\url",
            "u\\r\\l", "/**/url", "'s'url", ")url", "1e+url", "a:url", "\\\nurl",
        ] {
            assert_eq!(urls(&format!("{name}(a)")), ["a"], "{name}");
        }
        for name in [
            "#url", "#u\\72l", "#\\75rl", "@url", "@u\\72l", "1url", ".5url", "1e3url", "1e-3url",
            "1u\\72l", "-1\\75rl", "-url", "--url", "éurl", "\\#url", "url ", "<!---url", "src",
            "url/**/", "\\<!--url",
        ] {
            assert_eq!(urls(&format!("{name}(a)")).len(), 0, "{name}");
        }
        assert_eq!(urls("#<!--url(a)"), ["a"]);
    }

    #[test]
    fn strings_and_comments_hide_urls() {
        assert_eq!(urls("/* url(n) @import 'n' */ url(a)"), ["a"]);
        assert_eq!(urls("'url(n)' \"@import 'n'\" url(a)"), ["a"]);
        assert_eq!(urls("'\\'url(n)' url(a)"), ["a"]);
        assert_eq!(urls("'\\\n url(n)' url(a)"), ["a"]);
        // A line break ends a string, which then has no value.
        assert_eq!(urls("@import 'n\n; url(a) ' url(n)"), ["a"]);
        assert_eq!(urls("url(n url(n)) url(a)"), ["a"]);
        assert_eq!(urls("url(/**/'n') url(a)"), ["a"]);
        assert_eq!(urls("url() url( ) url('') url(' ') @import ''; url(a)"), ["a"]);
        assert_eq!(urls("image-set(url(n(n) 'a') 'n'"), ["a"]);
    }
}
