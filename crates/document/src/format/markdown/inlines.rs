//! The inlines that determine links: code spans, autolinks, raw HTML, brackets and URLs
//! (CommonMark, section 6).
//!
//! Emphasis is not read: it never determines a link.

use std::collections::HashMap;

use memchr::memchr;

use super::destination::{
    Destination, destination, end_of_label, end_of_title, is_short, normalized_label, skip_space,
};
use super::line::{is_blank, trim_blanks};
use super::literal::{self, Literal};
use super::mdx::{self, Fuel};
use super::raw_html::{Unclosed, end_of_inline};
use crate::bytes::Span;
use crate::format::options::Dialect;
use crate::format::options::MarkdownOptions;
use crate::link::Delimiter;

/// The inlines that may be or contain a link, in the order of the text.
#[derive(Clone, Copy, Debug)]
pub(super) enum Inline {
    /// The destination of a link or an image.
    Destination { destination: Destination, brackets: Brackets },
    /// A URL or an address, in `<` and `>` or without.
    Url { literal: Literal, is_bracketed: bool },
    /// A use of the definition with this number.
    Reference { label: Span, definition: usize, brackets: Brackets },
    /// A use of a footnote, with its brackets.
    Footnote(Span),
    /// A code span, and the text between its backquotes.
    Code { span: Span, content: Span },
    /// A piece of HTML.
    Html(Span),
    /// A tag or an expression of MDX.
    Mdx(Span),
    /// A wiki-link: the target with its fragment.
    Wiki { target: Span, is_embed: bool },
}

/// The brackets of a link or an image.
#[derive(Clone, Copy, Debug)]
pub(super) struct Brackets {
    pub(super) is_image: bool,
    /// The text between the first `[` and its `]`.
    pub(super) text: Span,
    /// The offset after the destination or the label that follows.
    pub(super) end: usize,
}

/// The labels that a document defines.
#[derive(Debug, Default)]
pub(super) struct Labels {
    /// The numbers of the first definitions of link labels.
    pub(super) links: HashMap<Box<str>, usize>,
    /// The labels of footnotes.
    pub(super) footnotes: HashMap<Box<str>, ()>,
}

impl Labels {
    fn link(&self, label: &str) -> Option<usize> {
        if self.links.is_empty() {
            return None;
        }
        self.links.get(&*normalized_label(label)?).copied()
    }

    fn is_footnote(&self, label: &str) -> bool {
        !self.footnotes.is_empty()
            && label
                .strip_prefix('^')
                .and_then(normalized_label)
                .is_some_and(|label| self.footnotes.contains_key(&label))
    }
}

/// An opening bracket.
#[derive(Clone, Copy, Debug)]
struct Bracket {
    at: usize,
    is_image: bool,
    /// True if another one followed. Its text is not a label then.
    has_bracket: bool,
}

/// The bytes that may begin an inline.
const SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let bytes = b"\\`<[]:@wW{";
    let mut at = 0;
    while at < bytes.len() {
        special[bytes[at] as usize] = true;
        at += 1;
    }
    special
};

/// The inlines that are enabled in addition to those of GitHub.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Syntax {
    pub(super) wiki: bool,
    pub(super) dialect: Dialect,
}

impl Syntax {
    pub(super) fn of(options: &MarkdownOptions) -> Self {
        Self { wiki: options.wiki, dialect: options.dialect }
    }
}

/// Reads the inlines of a text.
pub(super) struct Inlines<'t, 'l> {
    text: &'t str,
    labels: &'l Labels,
    syntax: Syntax,
    at: usize,
    /// The offset after the last escape, URL, tag or code span.
    floor: usize,
    brackets: Vec<Bracket>,
    /// The number of brackets at the bottom of the stack that can begin only images, since a link
    /// cannot hold a link.
    inactive: usize,
    unclosed: Unclosed,
    fuel: Fuel,
    backquotes: Option<Backquotes>,
    /// The offset before which no URL without a scheme begins.
    no_www: usize,
}

impl<'t, 'l> Inlines<'t, 'l> {
    pub(super) fn new(text: &'t str, labels: &'l Labels, syntax: Syntax) -> Self {
        Self {
            text,
            labels,
            syntax,
            fuel: Fuel::of(text.len()),
            at: 0,
            floor: 0,
            brackets: Vec::new(),
            inactive: 0,
            unclosed: Unclosed::default(),
            backquotes: None,
            no_www: 0,
        }
    }

    /// Calls `found` with the inlines, in the order of the text.
    pub(super) fn read(mut self, mut found: impl FnMut(Inline)) {
        let bytes = self.text.as_bytes();
        while let Some(len) = bytes[self.at..].iter().position(|&byte| SPECIAL[usize::from(byte)]) {
            let at = self.at + len;
            self.at = at + 1;
            match bytes[at] {
                b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => {
                    self.passed(at + 2);
                }
                b'`' => {
                    if let Some(inline) = self.code_span(at) {
                        found(inline);
                    }
                }
                b'{' => {
                    if let Some(inline) = self.mdx(at) {
                        found(inline);
                    }
                }
                b'<' => {
                    if let Some(inline) = self.mdx(at).or_else(|| self.angle(at)) {
                        found(inline);
                    }
                }
                b'[' => {
                    if let Some(inline) = self.open(at) {
                        found(inline);
                    }
                }
                b']' => {
                    if let Some(inline) = self.close(at) {
                        found(inline);
                    }
                }
                // No URL is in brackets that may begin a link.
                byte if self.brackets.is_empty() => {
                    let literal = match byte {
                        b':' => literal::url(self.text, self.floor, at),
                        b'@' => literal::email(self.text, self.floor, at),
                        b'w' | b'W' => literal::www(self.text, at, &mut self.no_www),
                        _ => None,
                    };
                    if let Some(literal) = literal {
                        self.passed(literal.span.end);
                        found(Inline::Url { literal, is_bracketed: false });
                    }
                }
                _ => {}
            }
        }
    }

    fn passed(&mut self, to: usize) {
        self.at = to;
        self.floor = to;
    }

    /// The code span that begins at `at`. If the backquotes begin no code span, only they are
    /// skipped.
    fn code_span(&mut self, at: usize) -> Option<Inline> {
        let bytes = self.text.as_bytes();
        let len = run_len(bytes, at);
        let after = at + len;
        let end = match &self.backquotes {
            Some(backquotes) => backquotes.next(after, len),
            None => {
                let end = next_run(bytes, after, len);
                if end.is_none() {
                    self.backquotes = Some(Backquotes::of(bytes, at));
                }
                end
            }
        };
        self.passed(end.map_or(after, |end| end + len));
        end.map(|end| Inline::Code {
            span: Span::new(at, end + len),
            content: Span::new(after, end),
        })
    }

    /// The tag or the expression of MDX that begins at `at`.
    fn mdx(&mut self, at: usize) -> Option<Inline> {
        if self.syntax.dialect != Dialect::Mdx {
            return None;
        }
        let end = mdx::end_of_piece(self.text.as_bytes(), at, &mut self.fuel)?;
        self.passed(end);
        Some(Inline::Mdx(Span::new(at, end)))
    }

    /// The autolink or the HTML that begins with the `<` at `at`.
    fn angle(&mut self, at: usize) -> Option<Inline> {
        let bytes = self.text.as_bytes();
        if let Some((end, delimiter)) = autolink(bytes, at) {
            self.passed(end + 1);
            return Some(Inline::Url {
                literal: Literal { span: Span::new(at + 1, end), delimiter },
                is_bracketed: true,
            });
        }
        let end = end_of_inline(bytes, at, &mut self.unclosed)?;
        self.passed(end);
        Some(Inline::Html(Span::new(at, end)))
    }

    /// Reads the bracket at `at`, or the wiki-link that begins with it.
    fn open(&mut self, at: usize) -> Option<Inline> {
        let bytes = self.text.as_bytes();
        let is_image = at > self.floor && bytes[at - 1] == b'!';
        if self.syntax.wiki
            && bytes.get(at + 1) == Some(&b'[')
            && let Some((target, end)) = wiki_target(bytes, at + 2, self.syntax.dialect)
        {
            self.passed(end);
            return Some(Inline::Wiki { target, is_embed: is_image });
        }
        if let Some(last) = self.brackets.last_mut() {
            last.has_bracket = true;
        }
        self.brackets.push(Bracket { at, is_image, has_bracket: false });
        None
    }

    /// The link or image that ends its text with the `]` at `at`.
    fn close(&mut self, at: usize) -> Option<Inline> {
        let bytes = self.text.as_bytes();
        let bracket = self.brackets.pop()?;
        let Bracket { is_image, .. } = bracket;
        let is_inactive = self.brackets.len() < self.inactive;
        self.inactive = self.inactive.min(self.brackets.len());
        if is_inactive && !is_image {
            return None;
        }
        let own = Span::new(bracket.at + 1, at);
        if bytes.get(at + 1) == Some(&b'(')
            && let Some((destination, end)) = resource(bytes, at + 2)
        {
            let brackets = Brackets { is_image, text: own, end };
            self.pass_link(brackets);
            return Some(Inline::Destination { destination, brackets });
        }
        let label = match bytes.get(at + 1) {
            Some(b'[') => end_of_label(bytes, at + 2).map(|end| Span::new(at + 2, end)),
            _ => None,
        };
        let is_label = !bracket.has_bracket && is_short(&bytes[own.range()]);
        let (label, end) = match label {
            Some(label) if !label.is_empty() => (label, label.end + 1),
            _ if !is_label => return None,
            Some(label) => (own, label.end + 1),
            None => (own, at + 1),
        };
        let Some(definition) = self.labels.link(&self.text[label.range()]) else {
            let is_footnote = is_label && self.labels.is_footnote(&self.text[own.range()]);
            return is_footnote.then(|| {
                self.floor = at + 1;
                Inline::Footnote(Span::new(bracket.at, at + 1))
            });
        };
        let brackets = Brackets { is_image, text: own, end };
        self.pass_link(brackets);
        Some(Inline::Reference { label, definition, brackets })
    }

    /// Passes a link or an image. After a link, the open brackets can begin only images.
    fn pass_link(&mut self, brackets: Brackets) {
        self.passed(brackets.end);
        if !brackets.is_image {
            self.inactive = self.brackets.len();
        }
    }
}

/// The length of the run of backquotes at `at`.
fn run_len(text: &[u8], at: usize) -> usize {
    text[at..].iter().take_while(|&&byte| byte == b'`').count()
}

/// The offset of the next run of `len` backquotes.
fn next_run(text: &[u8], mut at: usize, len: usize) -> Option<usize> {
    loop {
        at += memchr(b'`', &text[at..])?;
        let found = run_len(text, at);
        if found == len {
            return Some(at);
        }
        at += found;
    }
}

/// The offsets of the runs of backquotes of a text, by their length. They are collected once, where
/// a code span does not end, so that time is linear.
struct Backquotes(HashMap<usize, Vec<usize>>);

impl Backquotes {
    fn of(text: &[u8], from: usize) -> Self {
        let mut runs: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut at = from;
        while let Some(found) = memchr(b'`', &text[at..]) {
            let start = at + found;
            let len = run_len(text, start);
            runs.entry(len).or_default().push(start);
            at = start + len;
        }
        Self(runs)
    }

    /// The first run of `len` backquotes that begins at `from` or later.
    fn next(&self, from: usize, len: usize) -> Option<usize> {
        let runs = self.0.get(&len)?;
        let at = runs.partition_point(|&start| start < from);
        runs.get(at).copied()
    }
}

/// The destination in the parentheses of a link, and the offset after them. `at` is the offset
/// after the first one.
fn resource(text: &[u8], at: usize) -> Option<(Destination, usize)> {
    let start = skip_space(text, at);
    if text.get(start) == Some(&b')') {
        let empty = Destination { span: Span::new(at, at), is_bracketed: false, end: at };
        return Some((empty, start + 1));
    }
    let destination = destination(text, start)?;
    let mut end = skip_space(text, destination.end);
    if end > destination.end
        && let Some(after) = end_of_title(text, end)
    {
        end = skip_space(text, after);
    }
    (text.get(end) == Some(&b')')).then_some((destination, end + 1))
}

/// Returns true if `text` in `<` and `>` is an autolink.
pub(super) fn is_autolink(text: &str) -> bool {
    let bracketed = format!("<{text}>");
    autolink(bracketed.as_bytes(), 0).is_some_and(|(end, _)| end == text.len() + 1)
}

/// The offset of the `>` of the autolink that begins with the `<` at `at` (CommonMark, section
/// 6.5).
fn autolink(text: &[u8], at: usize) -> Option<(usize, Delimiter)> {
    let start = at + 1;
    let first = text.get(start)?;
    let rest = &text[start..];
    if first.is_ascii_alphabetic() {
        let is_scheme =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-');
        let len = rest.iter().take(33).take_while(|it| is_scheme(it)).count();
        if (2..=32).contains(&len) && rest.get(len) == Some(&b':') {
            let end = rest.iter().position(|&byte| match byte {
                // It reads as U+FFFD.
                b'\0' => false,
                byte => byte <= b' ' || matches!(byte, 0x7F | b'<' | b'>'),
            })?;
            return (rest[end] == b'>').then_some((start + end, Delimiter::Angle));
        }
    }
    let is_local =
        |byte: &u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(byte);
    let local = rest.iter().take_while(|it| is_local(it)).count();
    if local == 0 || rest.get(local) != Some(&b'@') {
        return None;
    }
    let host = &rest[local + 1..];
    let len = host
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'))
        .count();
    let is_label = |label: &[u8]| {
        matches!(label.len(), 1..=63) && !label.starts_with(b"-") && !label.ends_with(b"-")
    };
    let is_host = host[..len].split(|&byte| byte == b'.').all(is_label);
    (is_host && host.get(len) == Some(&b'>')).then_some((start + local + 1 + len, Delimiter::Email))
}

/// Returns true for the name of an image, which options may follow in a wiki.
fn is_image(name: &[u8]) -> bool {
    let extension = name.rsplit(|it| *it == b'.').next().unwrap_or_default();
    let known: [&[u8]; 6] = [b"png", b"jpg", b"jpeg", b"gif", b"svg", b"webp"];
    known.iter().any(|it| it.eq_ignore_ascii_case(trim_blanks(extension)))
}

/// The target of the wiki-link whose content begins at `at`, and the offset after the link.
fn wiki_target(text: &[u8], at: usize, dialect: Dialect) -> Option<(Span, usize)> {
    let rest = &text[at..];
    let len = rest.iter().position(|byte| matches!(byte, b'[' | b']' | b'\n' | b'\r'))?;
    if !rest[len..].starts_with(b"]]") {
        return None;
    }
    let content = &rest[..len];
    let (before, target) = match memchr(b'|', content) {
        Some(bar) if dialect == Dialect::Wiki && !is_image(&content[..bar]) => {
            content.split_at(bar + 1)
        }
        Some(bar) => content[..bar].split_at(0),
        None => content.split_at(0),
    };
    // The table of contents of GitLab.
    if dialect == Dialect::Wiki && content == b"_TOC_" {
        return None;
    }
    let blanks = target.iter().take_while(|&&byte| is_blank(byte)).count();
    let trimmed = trim_blanks(target);
    let start = at + before.len() + blanks;
    let span = Span::new(start, start + trimmed.len());
    (!trimmed.is_empty()).then_some((span, at + len + 2))
}
