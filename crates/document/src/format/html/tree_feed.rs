//! Feeds the tokens of the lexer to html5ever's tree builder.
//!
//! The builder implements the HTML standard's tree construction (section 13.2.6). It receives only
//! what the tree depends on, and no charset. It receives these attributes:
//!
//! - `type` of `input`; `color`, `face` and `size` of `font`; `encoding` of `annotation-xml`.
//! - One attribute in place of all attributes of a formatting element, since the builder only
//!   compares whether two elements have the same ones (section 13.2.4.3, the "Noah's Ark clause").
//!   An `a` needs none, since two are never open at once.
//!
//! Of text, the tree depends on a leading line feed, on whether it is white space, and on NULs.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use html5ever::interface::{QualName, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    Doctype, Tag as BuilderTag, TagKind, Token as BuilderToken, TokenSink, TokenSinkResult,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute as BuilderAttribute, LocalName, ns};

use super::lexer::Lexer;
use super::token::{Attribute, RawText, TextKind, Token};
use crate::bytes::Span;
use crate::format::markup::charref::{self, Within};

/// The largest number of elements that may be open, or waiting to be reopened, at a time. The
/// builder searches them for many tags, so a page of nothing but `<div>` would take quadratic time.
/// Browsers nest 512 deep.
pub(super) const MOST_OPEN: usize = 1024;

/// The largest number of elements that tags may create: on average per tag, and in total regardless
/// of that. Each `<p>` reopens all unclosed formatting elements.
const ELEMENTS_PER_TAG: usize = 16;

const ELEMENTS: usize = 4096;

/// The largest number of elements that `tags` tags may create.
pub(super) const fn most_elements(tags: usize) -> usize {
    ELEMENTS + tags * ELEMENTS_PER_TAG
}

/// The part of a page that the builder receives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// Everything that the tree depends on.
    Shape,
    /// As `Shape`, and each element except formatting elements has the number of its tag as an
    /// attribute.
    Numbers,
    /// Also all text and comments.
    Text,
}

/// The name of the attribute with the number of an element's start tag, from 0. No tag can have an
/// attribute of this name.
pub(super) const NUMBER: &str = "=number";

pub(super) struct Feed<S: TreeSink> {
    pub(super) builder: TreeBuilder<S::Handle, S>,
    pub(super) detail: Detail,
    encoding: &'static encoding_rs::Encoding,
    /// The number of start tags so far.
    pub(super) tags: usize,
    names: Names,
}

impl<S: TreeSink> Feed<S> {
    pub(super) fn new(
        sink: S,
        detail: Detail,
        scripting: bool,
        encoding: &'static encoding_rs::Encoding,
    ) -> Self {
        let options =
            TreeBuilderOpts { scripting_enabled: scripting, ..TreeBuilderOpts::default() };
        Self {
            builder: TreeBuilder::new(sink, options),
            detail,
            encoding,
            tags: 0,
            names: Names::default(),
        }
    }

    /// Feeds a token, and sets the state of the lexer for the next one.
    pub(super) fn token(&mut self, token: Token, lexer: &mut Lexer<'_>) {
        match token {
            Token::Start => self.start_tag(lexer),
            Token::End => {
                let name = self.name(lexer);
                self.feed(tag_token(TagKind::EndTag, name, false, Vec::new()));
            }
            Token::Text(span, kind) => self.text(span, kind, lexer.bytes),
            Token::Comment(span) => {
                let text = match self.detail {
                    Detail::Shape | Detail::Numbers => Cow::Borrowed(""),
                    Detail::Text => self.decode(&lexer.bytes[span.range()]),
                };
                self.comment(&text);
            }
            Token::Doctype(span) => {
                let text = self.decode(&lexer.bytes[span.range()]);
                self.feed(BuilderToken::DoctypeToken(doctype(&text)));
            }
            // Where the builder reads, it is decided.
            Token::Section => {}
        }
        lexer.cdata = self.expects_section();
    }

    /// Returns true if `<![CDATA[` opens a section.
    pub(super) fn expects_section(&self) -> bool {
        self.builder.adjusted_current_node_present_but_not_in_html_namespace()
    }

    /// The name of the lexer's last tag as a builder name.
    pub(super) fn name(&mut self, lexer: &Lexer<'_>) -> LocalName {
        self.names.of(&lexer.bytes[lexer.tag.name.range()])
    }

    /// Feeds the end of the page.
    pub(super) fn end(&mut self) {
        self.feed(BuilderToken::EOFToken);
        self.builder.end();
    }

    fn start_tag(&mut self, lexer: &mut Lexer<'_>) {
        let bytes = lexer.bytes;
        let name = self.name(lexer);
        let mut attributes = self.attributes(&name, &lexer.attributes, bytes);
        // A number would make equal formatting elements different.
        if self.detail != Detail::Shape && !is_counted_once(&name) {
            attributes.push(attribute(NUMBER, &self.tags.to_string()));
        }
        self.tags += 1;
        let token = tag_token(TagKind::StartTag, name, lexer.tag.self_closing, attributes);
        let raw = match self.builder.process_token(token, 1) {
            TokenSinkResult::RawData(RawKind::Rcdata) => RawText::Rcdata,
            TokenSinkResult::RawData(RawKind::Rawtext) => RawText::Rawtext,
            TokenSinkResult::RawData(_) => RawText::Script,
            TokenSinkResult::Plaintext => RawText::Plaintext,
            _ => return,
        };
        lexer.enter(raw);
    }

    fn attributes(
        &self,
        name: &str,
        attributes: &[Attribute],
        bytes: &[u8],
    ) -> Vec<BuilderAttribute> {
        let named = |wanted: &str| {
            attributes
                .iter()
                .find(|it| bytes[it.name.range()].eq_ignore_ascii_case(wanted.as_bytes()))
        };
        let given = |wanted: &'static str| {
            let value =
                charref::value(bytes, named(wanted)?.value, self.encoding, Within::Attribute);
            Some(attribute(wanted, &value.text))
        };
        if attributes.is_empty() {
            return Vec::new();
        }
        match name {
            "input" => given("type").into_iter().collect(),
            "annotation-xml" => given("encoding").into_iter().collect(),
            "font" => {
                let all = ["color", "face", "size"].into_iter().filter_map(given);
                all.chain(self.fingerprint(attributes, bytes)).collect()
            }
            name if is_counted_once(name) => {
                self.fingerprint(attributes, bytes).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// An attribute that two tags share if they have the same attributes, in any order.
    fn fingerprint(&self, attributes: &[Attribute], bytes: &[u8]) -> Option<BuilderAttribute> {
        let mut seen: Vec<Vec<u8>> = Vec::new();
        let mut sum = 0_u64;
        for it in attributes {
            let name = bytes[it.name.range()].to_ascii_lowercase();
            // Of duplicates, only the first counts. After that many attributes, one more makes
            // little difference.
            if seen.len() > MOST_ATTRIBUTES || seen.contains(&name) {
                continue;
            }
            let value = charref::value(bytes, it.value, self.encoding, Within::Attribute);
            let mut hasher = DefaultHasher::new();
            (&name, &*value.text).hash(&mut hasher);
            sum = sum.wrapping_add(hasher.finish());
            seen.push(name);
        }
        // A string holds up to eight bytes without an allocation.
        let text = format!("{:08x}", sum ^ sum >> 32);
        Some(attribute("all", &text[text.len() - 8..]))
    }

    fn text(&self, span: Span, kind: TextKind, bytes: &[u8]) {
        if matches!(kind, TextKind::Raw(_)) && self.detail != Detail::Text {
            // The text goes into its element, whatever it is.
            return;
        }
        let text = &bytes[span.range()];
        match kind {
            TextKind::Data => {
                let mut start = span.start;
                // NULs are separate tokens.
                for nul in memchr::memchr_iter(0, text).map(|at| span.start + at) {
                    self.references(Span::new(start, nul), bytes);
                    self.feed(BuilderToken::NullCharacterToken);
                    start = nul + 1;
                }
                self.references(Span::new(start, span.end), bytes);
            }
            TextKind::Raw(RawText::Rcdata) => self.references(span, bytes),
            TextKind::Raw(_) => self.characters(&self.decode(text)),
            TextKind::Cdata => {
                for (at, piece) in text.split(|&byte| byte == 0).enumerate() {
                    if at > 0 {
                        self.feed(BuilderToken::NullCharacterToken);
                    }
                    if !piece.is_empty() {
                        self.characters(&self.decode(piece));
                    }
                }
            }
        }
    }

    /// Feeds text with character references.
    fn references(&self, span: Span, bytes: &[u8]) {
        let text = charref::value(bytes, span, self.encoding, Within::Text).text;
        if !text.is_empty() {
            self.characters(&text);
        }
    }

    /// Feeds decoded text.
    pub(super) fn characters(&self, text: &str) {
        let text = match self.detail {
            Detail::Shape | Detail::Numbers => Cow::Borrowed(shape(text)),
            // The standard does this before the tokenizer.
            Detail::Text if text.contains('\r') => {
                text.replace("\r\n", "\n").replace('\r', "\n").into()
            }
            Detail::Text => text.into(),
        };
        self.feed(BuilderToken::CharacterTokens(text.as_ref().into()));
    }

    /// Feeds a comment.
    pub(super) fn comment(&self, text: &str) {
        self.feed(BuilderToken::CommentToken(text.into()));
    }

    fn decode<'b>(&self, bytes: &'b [u8]) -> Cow<'b, str> {
        self.encoding.decode_without_bom_handling(bytes).0
    }

    /// Feeds a token that is not a start tag: only a start tag changes the state of the lexer.
    fn feed(&self, token: BuilderToken) {
        let _ = self.builder.process_token(token, 1);
    }
}

/// Returns true for a formatting element if the builder keeps only a limited number of equal ones
/// open. An `a` is not included: only one is ever open.
fn is_counted_once(name: &str) -> bool {
    matches!(
        name,
        "b" | "big"
            | "code"
            | "em"
            | "font"
            | "i"
            | "nobr"
            | "s"
            | "small"
            | "strike"
            | "strong"
            | "tt"
            | "u"
    )
}

/// The largest number of attributes of a formatting element that are compared.
const MOST_ATTRIBUTES: usize = 64;

/// The shortest text with the same effect on the tree.
fn shape(text: &str) -> &'static str {
    let is_space = |it: char| matches!(it, '\t' | '\n' | '\x0C' | '\r' | ' ');
    let after = text.strip_prefix("\r\n").or(text.strip_prefix(['\r', '\n']));
    let rest = after.unwrap_or(text);
    let blank = rest.starts_with(is_space);
    let word = !rest.chars().all(is_space);
    match (after.is_some(), blank, word) {
        (false, false, _) => "x",
        (false, true, false) => " ",
        (false, true, true) => " x",
        (true, false, false) => "\n",
        (true, false, true) => "\nx",
        (true, true, false) => "\n ",
        (true, true, true) => "\n x",
    }
}

/// The parts of a DOCTYPE (HTML standard, section 13.2.5.53 and on).
fn doctype(text: &str) -> Doctype {
    let skip = |text: &str| -> usize {
        text.len() - text.trim_start_matches(['\t', '\n', '\x0C', '\r', ' ']).len()
    };
    let rest = &text[skip(text)..];
    let end = rest.find(['\t', '\n', '\x0C', '\r', ' ']).unwrap_or(rest.len());
    let name = &rest[..end];
    let mut found = Doctype {
        name: (!name.is_empty()).then(|| name.to_ascii_lowercase().as_str().into()),
        force_quirks: name.is_empty(),
        ..Doctype::default()
    };
    let rest = &rest[end..];
    let rest = &rest[skip(rest)..];
    let keyword = rest.get(..6).unwrap_or_default();
    let is_public = keyword.eq_ignore_ascii_case("public");
    if !is_public && !keyword.eq_ignore_ascii_case("system") {
        found.force_quirks |= !rest.is_empty();
        return found;
    }
    // The quoted string at the start of `rest`, which is advanced past it.
    let quoted = |rest: &mut &str| -> Option<StrTendril> {
        let text = &rest[skip(rest)..];
        let quote = text.chars().next().filter(|it| matches!(it, '"' | '\''))?;
        let text = &text[1..];
        let (value, after) = text.split_once(quote).unwrap_or((text, ""));
        *rest = after;
        Some(value.into())
    };
    let mut rest = &rest[6..];
    if is_public {
        found.public_id = quoted(&mut rest);
        found.system_id = found.public_id.is_some().then(|| quoted(&mut rest)).flatten();
    } else {
        found.system_id = quoted(&mut rest);
    }
    found.force_quirks |= found.public_id.is_none() && found.system_id.is_none();
    found
}

fn tag_token(
    kind: TagKind,
    name: LocalName,
    self_closing: bool,
    attrs: Vec<BuilderAttribute>,
) -> BuilderToken {
    BuilderToken::TagToken(BuilderTag {
        kind,
        name,
        self_closing,
        attrs,
        had_duplicate_attributes: false,
    })
}

fn attribute(name: &'static str, value: &str) -> BuilderAttribute {
    BuilderAttribute {
        name: QualName::new(None, ns!(), LocalName::from(name)),
        value: value.into(),
    }
}

/// A cache of recent names and their atoms: creating an atom takes a hash and a search.
struct Names([Option<(Box<[u8]>, LocalName)>; 64]);

impl Default for Names {
    fn default() -> Self {
        Self([const { None }; 64])
    }
}

impl Names {
    fn of(&mut self, name: &[u8]) -> LocalName {
        let mix = |sum: usize, &byte: &u8| sum.wrapping_mul(31).wrapping_add(usize::from(byte));
        let slot = &mut self.0[name.iter().take(16).fold(0, mix) % 64];
        match slot {
            Some((known, atom)) if **known == *name => atom.clone(),
            _ => {
                // The tokenizer's form of a name: in lower case, without NUL.
                let text = String::from_utf8_lossy(name).to_ascii_lowercase();
                let atom = LocalName::from(text.replace('\0', "\u{FFFD}"));
                *slot = Some((name.into(), atom.clone()));
                atom
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_of_text() {
        for (text, expected) in [
            ("abc d", "x"),
            (" \t", " "),
            (" a", " x"),
            ("\r\n", "\n"),
            ("\na", "\nx"),
            ("\n\n", "\n "),
            ("\r b", "\n x"),
            ("\u{A0}", "x"),
        ] {
            assert_eq!(shape(text), expected, "{text:?}");
        }
    }

    #[test]
    fn doctypes() {
        let parts = |text: &str| {
            let it = doctype(text);
            let own = |it: Option<StrTendril>| it.map(|it| it.to_string());
            (own(it.name), own(it.public_id), own(it.system_id), it.force_quirks)
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(parts(" HTML"), (some("html"), None, None, false));
        assert_eq!(
            parts(" html PUBLIC '-//W3C//DTD HTML 4.01//EN' \"http://w\" x"),
            (some("html"), some("-//W3C//DTD HTML 4.01//EN"), some("http://w"), false)
        );
        assert_eq!(
            parts(" html system \"about:legacy-compat\""),
            (some("html"), None, some("about:legacy-compat"), false)
        );
        assert_eq!(parts(""), (None, None, None, true));
        assert_eq!(parts(" html x"), (some("html"), None, None, true));
    }
}
