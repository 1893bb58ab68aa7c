//! The URLs of style sheets are those in the tokens of the crate cssparser, found by a separate
//! walk over the tokens.

use cssparser::{Parser, ParserInput, Token};
use proptest::prelude::*;
use rehref::document::Document;
use rehref::format::Options;
use rehref::link::Role;

use crate::document_corpus::{Fixture, fixtures};
use crate::support::charsets::in_charset;
use crate::support::links::stripped;
use crate::tier;

/// The tokens that matter to URLs.
#[derive(Debug, PartialEq)]
enum Kind {
    Blank,
    Ident,
    At(String),
    Str(String),
    Url(String),
    Function(String),
    Open,
    Close,
    /// A token that ends an `image-set()`.
    Break,
    Other,
}

/// The tokens in order, with the delimiters of blocks. A block that ends with the sheet gets an
/// extra closing token, which has no effect.
fn flatten(parser: &mut Parser<'_, '_>, out: &mut Vec<Kind>) {
    while let Ok(token) = parser.next_including_whitespace_and_comments() {
        let text = |text: &str| text.to_owned();
        let (kind, closes) = match token {
            Token::WhiteSpace(_) | Token::Comment(_) => (Kind::Blank, None),
            Token::Ident(_) => (Kind::Ident, None),
            Token::AtKeyword(name) => (Kind::At(name.to_ascii_lowercase()), None),
            Token::QuotedString(value) => (Kind::Str(text(value)), None),
            Token::UnquotedUrl(value) => (Kind::Url(text(value)), None),
            Token::Function(name) => (Kind::Function(name.to_ascii_lowercase()), Some(Kind::Close)),
            Token::ParenthesisBlock => (Kind::Open, Some(Kind::Close)),
            Token::CurlyBracketBlock | Token::SquareBracketBlock => {
                (Kind::Break, Some(Kind::Break))
            }
            Token::CloseParenthesis => (Kind::Close, None),
            Token::CloseCurlyBracket | Token::CloseSquareBracket | Token::Semicolon => {
                (Kind::Break, None)
            }
            _ => (Kind::Other, None),
        };
        out.push(kind);
        if let Some(closes) = closes {
            let nested = parser.parse_nested_block(|parser| {
                flatten(parser, out);
                Ok::<_, cssparser::ParseError<'_, ()>>(())
            });
            assert!(nested.is_ok());
            out.push(closes);
        }
    }
}

/// The URLs, each with true if it is that of an `@import`.
struct Walk<'t> {
    tokens: &'t [Kind],
    at: usize,
    open: Vec<bool>,
    urls: Vec<(bool, String)>,
}

impl Walk<'_> {
    fn run(&mut self) {
        while let Some(token) = self.tokens.get(self.at) {
            self.at += 1;
            match token {
                Kind::At(name) if name == "import" => {
                    self.blank();
                    if let Some(url) = self.url() {
                        self.urls.push((true, url));
                    }
                }
                Kind::At(name) if name == "namespace" => {
                    self.blank();
                    if self.url().is_none() && self.tokens.get(self.at) == Some(&Kind::Ident) {
                        self.at += 1;
                        self.blank();
                        let _: Option<String> = self.url();
                    }
                }
                Kind::Str(url) if self.open.last() == Some(&true) => {
                    self.urls.push((false, url.clone()));
                }
                Kind::Url(_) => self.embedded(),
                Kind::Function(name) if name == "url" => self.embedded(),
                Kind::Function(name) if name == "image-set" || name == "-webkit-image-set" => {
                    self.open.push(true);
                }
                Kind::Function(_) | Kind::Open if !self.open.is_empty() => self.open.push(false),
                Kind::Close => drop(self.open.pop()),
                Kind::Break => self.open.clear(),
                _ => {}
            }
        }
    }

    fn embedded(&mut self) {
        self.at -= 1;
        match self.url() {
            Some(url) => self.urls.push((false, url)),
            None => {
                self.at += 1;
                if !self.open.is_empty() {
                    self.open.push(false);
                }
            }
        }
    }

    fn blank(&mut self) {
        while self.tokens.get(self.at) == Some(&Kind::Blank) {
            self.at += 1;
        }
    }

    /// The next string or `url()`.
    fn url(&mut self) -> Option<String> {
        match self.tokens.get(self.at)? {
            Kind::Str(url) | Kind::Url(url) => {
                self.at += 1;
                Some(url.clone())
            }
            Kind::Function(name) if name == "url" => {
                let before = self.at;
                self.at += 1;
                self.blank();
                if let Some(Kind::Str(url)) = self.tokens.get(self.at) {
                    self.at += 1;
                    if !self.open.is_empty() {
                        self.open.push(false);
                    }
                    return Some(url.clone());
                }
                self.at = before;
                None
            }
            _ => None,
        }
    }
}

fn expected(css: &str) -> Vec<(bool, String)> {
    let mut tokens = Vec::new();
    flatten(&mut Parser::new(&mut ParserInput::new(css)), &mut tokens);
    let mut walk = Walk { tokens: &tokens, at: 0, open: Vec::new(), urls: Vec::new() };
    walk.run();
    let urls = walk.urls.into_iter();
    let urls = urls.map(|(import, url)| (import, stripped(&url)));
    urls.filter(|(_, url)| !url.is_empty()).collect()
}

fn found(css: &str) -> Vec<(bool, String)> {
    let sheet = in_charset(Document::new("a.css", css.into()), "utf-8");
    let links = sheet.found(&Options::default()).links.into_iter();
    links.map(|link| (link.role == Role::Style, link.reference.into_owned())).collect()
}

/// Pieces that begin, end and hide URLs.
const PIECES: [&str; 92] = [
    "url(", "URL(", "u\\72l(", "\\75 rl(", "u\\52\nL(", "url (", "-url(", "#url(", "1url(", "url",
    "src(", "image-set(", "-webkit-image-set(", "image-s\\65t(", "type(", "calc(", "(", ")", ")",
    ")", "{", "}", "[", "]", ";", ":", ",", "@import", "@import ", "@IMPORT\t", "@\\69mport",
    "@namespace ", "@namespace p ", "@charset ", "@media", "@", "'", "'", "\"", "\"", "\\", "\\\\",
    "\\'", "\\\"", "\\\n", "\\\r\n", "\\41", "\\41 ", "\\41\r\n", "\\0", "\\d800 ", "\\000041",
    "\\110000", "\\)", "\\(", "\n", "\r", "\r\n", "\x0C", " ", " ", "\t", "/*", "*/", "/", "*",
    "/**/", "/* url(x) */", "<!--", "-->", "-", "--", "#", "+", ".", "1", "5.", "e", "1e", "1e-",
    "%", "!", "a", "a.b", "f/é.png", "日", "\0", "\x01", "\x7F", "http://h/a?b#c", "&", "x 2x, ",
];

/// Generated sheets of few kinds of pieces, so that related pieces meet.
fn soup() -> impl Strategy<Value = String> {
    let some = prop::sample::subsequence(&PIECES[..], 3..12);
    let pieces =
        some.prop_flat_map(|some| prop::collection::vec(prop::sample::select(some), 0..30));
    let with_url = (any::<bool>(), pieces).prop_map(|(with_url, mut pieces)| {
        if with_url {
            pieces.insert(0, "url(");
            pieces.push(")url(z)");
        }
        pieces.concat()
    });
    with_url.prop_filter("cssparser differs", |css| !is_misread(css))
}

/// After white space in a URL, cssparser takes a backslash alone, not with the character that it
/// escapes (CSS Syntax Level 3, section 4.3.14).
fn is_misread(css: &str) -> bool {
    css.as_bytes().windows(3).any(
        |three| matches!(three, [space, b'\\', b')' | b'\\'] if b" \t\r\n\x0C".contains(space)),
    )
}

proptest! {
    #![proptest_config(tier::cases(20_000))]

    #[test]
    fn soup_has_the_urls_of_its_tokens(css in soup()) {
        prop_assert_eq!(found(&css), expected(&css), "{:?}", css);
    }
}

/// The sheets of the corpus that are UTF-8.
#[test]
fn corpus_has_the_urls_of_its_tokens() {
    let mut seen = 0;
    for Fixture { name, document, .. } in fixtures("css") {
        let Ok(css) = String::from_utf8(document.bytes().to_vec()) else {
            continue;
        };
        assert_eq!(found(&css), expected(&css), "{name}");
        seen += 1;
    }
    assert!(seen > 5, "only {seen} sheets");
}
