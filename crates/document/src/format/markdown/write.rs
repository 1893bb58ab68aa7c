//! Writing destinations and URLs into Markdown.

use std::borrow::Cow;

use super::destination::{MOST_PARENTHESES, units};
use super::inlines::is_autolink;
use super::write_path::{is_other_type, is_printable, write_path};
use crate::bytes::percent;
use crate::format::Options;
use crate::format::markup::charref::complete_reference_at;
use crate::format::markup::write::write as write_in_markup;
use crate::format::options::Dialect;
use crate::format::written::{CannotWrite, Written, replaceable};
use crate::link::{Delimiter, MarkdownForm, MarkdownPlace, ParsedLink, Place};
use crate::source::Source;

/// Writes `reference` into the place of a link. The form of the link does not change: bare, or in
/// `<` and `>`. The common parts of the old and the new reference keep their bytes.
pub(in crate::format) fn write<'r>(
    source: &Source,
    link: &ParsedLink<'_>,
    reference: &'r str,
    options: &Options,
) -> Result<Written<'r>, CannotWrite> {
    let Place::Markdown(place) = link.place else {
        return write_in_html(source, link, reference, options);
    };
    let span = replaceable(source, link)?;
    let old = source.decode(span);
    let missing = source.charset.percent_encode_missing(reference, &link.reference);
    let (new, spelled) = match place.form {
        MarkdownForm::Inline | MarkdownForm::Definition => {
            let reference = allowed_in_destination(&with_blanks(&missing, &old, place), place);
            let kept = Spelling::between(&old, &reference, place).written();
            let plain = Spelling::anew(&reference, place).written();
            let written = Written::escaped(span, source.charset.encode(&kept), &reference);
            return Ok(match kept == plain {
                true => written,
                false => written.or_plainly(source.charset.encode(&plain)),
            });
        }
        MarkdownForm::Url(_) => {
            let reference = allowed_in_url(&missing, place);
            // Completing would encode the escapes of an address again.
            let completes =
                matches!(place.form.delimiter(), Some(Delimiter::Abbreviated | Delimiter::Email));
            // Other text in brackets could be read as HTML, and then as the links after it.
            let is_url = !place.is_bracketed || is_autolink(&reference);
            if completes && reference != *missing || !is_url {
                return Err(CannotWrite::Unwritable);
            }
            let spelled = match place.is_in_table {
                true => reference.replace('|', "\\|"),
                false => reference.clone(),
            };
            (spelled, reference)
        }
        MarkdownForm::Wiki => {
            if reference.contains(['[', ']', '|']) || !is_printable(reference) {
                return Err(CannotWrite::Unwritable);
            }
            (missing.clone().into_owned(), missing.into_owned())
        }
        MarkdownForm::Directive(directive) if directive.is_path() => {
            let dialect = options.markdown.dialect;
            return write_path(source, link, span, directive, dialect, reference);
        }
        // MyST does not decode the path of a figure, and removes its spaces.
        MarkdownForm::Directive(_)
            if options.markdown.dialect == Dialect::Myst
                && (missing.contains(['%', ' ', '\\']) || !is_printable(&missing)) =>
        {
            return Err(CannotWrite::Unwritable);
        }
        MarkdownForm::Directive(_) => {
            // Quotes of Hugo, MyST and scripts.
            let ends =
                |it: char| it.is_ascii_control() || matches!(it, ' ' | '"' | '`' | '\'' | '\\');
            let reference = encoded(&missing, ends);
            (reference.clone(), reference)
        }
        MarkdownForm::FrontMatter => {
            // Quotes, and characters that begin a comment or end an item of a list.
            let ends = |it: char| it.is_ascii_control() || matches!(it, ' ' | '"' | '\'' | ',');
            let reference = encoded(&missing, ends);
            // YAML would read a number or another type.
            if is_other_type(&reference) {
                return Err(CannotWrite::Unwritable);
            }
            (reference.clone(), reference)
        }
        MarkdownForm::Reference => return Err(CannotWrite::NotRewritten),
    };
    Ok(Written::escaped(span, source.charset.encode(&new), &spelled))
}

/// Writes a link of HTML within Markdown. In a table a pipe would end the cell.
fn write_in_html<'r>(
    source: &Source,
    link: &ParsedLink<'_>,
    reference: &'r str,
    options: &Options,
) -> Result<Written<'r>, CannotWrite> {
    let written = write_in_markup(source, link, reference, options)?;
    // It must also be a tag to Markdown.
    Ok(Written { is_certain: false, ..written })
}

/// The reference with blanks in its path, if the old destination has some between `<` and `>`.
fn with_blanks<'r>(reference: &'r str, old: &str, place: MarkdownPlace) -> Cow<'r, str> {
    let end = reference.find(['?', '#']).unwrap_or(reference.len());
    let (path, suffix) = reference.split_at(end);
    let has_blanks = place.is_bracketed && old.contains(' ') && !old.contains("%20");
    // Blanks at the ends are no part of a URL.
    let is_inner = !path.starts_with("%20") && !path.ends_with("%20");
    match has_blanks && is_inner && path.contains("%20") {
        true => Cow::Owned(path.replace("%20", " ") + suffix),
        false => Cow::Borrowed(reference),
    }
}

/// The reference with the characters percent-encoded that a destination cannot hold.
fn allowed_in_destination(reference: &str, place: MarkdownPlace) -> String {
    let mut out = String::with_capacity(reference.len());
    for (at, character) in reference.char_indices() {
        let is_excluded = match character {
            '\n' | '\r' | '\0' => true,
            _ if place.is_bracketed => false,
            // It would begin a destination in brackets.
            '<' => at == 0,
            _ => character.is_ascii_control() || character == ' ',
        };
        push_encoded(character, is_excluded, &mut out);
    }
    out
}

/// The URL with the characters percent-encoded that end it.
fn allowed_in_url(reference: &str, place: MarkdownPlace) -> String {
    encoded(reference, |it| {
        it.is_ascii_control() || matches!(it, ' ' | '<') || it == '>' && place.is_bracketed
    })
}

/// The reference with these ASCII characters percent-encoded.
fn encoded(reference: &str, is_encoded: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(reference.len());
    for character in reference.chars() {
        push_encoded(character, is_encoded(character), &mut out);
    }
    out
}

fn push_encoded(character: char, is_encoded: bool, out: &mut String) {
    match u8::try_from(character) {
        Ok(byte) if is_encoded => percent::encode_byte(byte, out),
        _ => out.push(character),
    }
}

/// A character of a destination to write.
struct Piece<'s> {
    character: char,
    /// The bytes of the source that spell it, with those that follow it in the same unit.
    kept: Option<&'s str>,
}

/// The spelling of a destination.
struct Spelling<'s> {
    pieces: Vec<Piece<'s>>,
    place: MarkdownPlace,
}

impl<'s> Spelling<'s> {
    /// Spells `reference` without the source.
    fn anew(reference: &str, place: MarkdownPlace) -> Self {
        let pieces = reference.chars().map(|character| Piece { character, kept: None });
        Self { pieces: pieces.collect(), place }
    }

    /// Spells `reference` with the bytes of the source where it begins and ends with the same
    /// characters.
    fn between(source: &'s str, reference: &str, place: MarkdownPlace) -> Self {
        let mut spelled: Vec<Piece<'s>> = Vec::new();
        let mut rest = reference;
        // The escaped pipe of a table is also an escape of the destination.
        let units: Vec<_> = units(source).collect();
        let mut lead = 0;
        for unit in &units {
            let Some(after) = rest.strip_prefix(unit.first) else {
                break;
            };
            let Some(after) = unit.second.map_or(Some(after), |it| after.strip_prefix(it)) else {
                break;
            };
            spelled.push(Piece { character: unit.first, kept: Some(unit.source) });
            rest = after;
            lead += 1;
        }
        let mut tail = Vec::new();
        for unit in units[lead..].iter().rev() {
            let before = unit.second.map_or(Some(rest), |it| rest.strip_suffix(it));
            let Some(before) = before.and_then(|it| it.strip_suffix(unit.first)) else {
                break;
            };
            tail.push(Piece { character: unit.first, kept: Some(unit.source) });
            rest = before;
        }
        spelled.extend(rest.chars().map(|character| Piece { character, kept: None }));
        spelled.extend(tail.into_iter().rev());
        Self { pieces: spelled, place }
    }

    /// The destination, with escapes for characters that would end it or be read as an escape.
    fn written(&self) -> String {
        if self.pieces.is_empty() && !self.place.is_bracketed {
            return "<>".to_owned();
        }
        let unbalanced = match self.place.is_bracketed {
            true => Vec::new(),
            false => self.unbalanced(),
        };
        let mut unbalanced = unbalanced.into_iter().peekable();
        let mut out = String::new();
        for (at, piece) in self.pieces.iter().enumerate() {
            let is_unbalanced = unbalanced.next_if_eq(&at).is_some();
            match piece.kept {
                Some(source) if !is_unbalanced => out.push_str(source),
                _ => self.push_escaped(at, is_unbalanced, &mut out),
            }
        }
        out
    }

    fn push_escaped(&self, at: usize, is_unbalanced: bool, out: &mut String) {
        let character = self.pieces[at].character;
        match character {
            '\\' if self.next_begins_with_punctuation(at) => out.push_str("\\\\"),
            '&' if self.begins_reference(at) => out.push_str("&amp;"),
            '<' | '>' if self.place.is_bracketed => out.extend(['\\', character]),
            '|' if self.place.is_in_table => out.push_str("\\|"),
            _ if is_unbalanced => out.extend(['\\', character]),
            _ => out.push(character),
        }
    }

    fn next_begins_with_punctuation(&self, at: usize) -> bool {
        let next = self.pieces.get(at + 1);
        // A parenthesis or a bracket may follow.
        next.is_none_or(|next| {
            let first = next.kept.and_then(|it| it.chars().next());
            first.unwrap_or(next.character).is_ascii_punctuation()
        })
    }

    /// Returns true if the `&` at `at` would begin a character reference.
    fn begins_reference(&self, at: usize) -> bool {
        let rest = &self.pieces[at..];
        let text: String = rest.iter().take(40).map(|it| it.character).collect();
        complete_reference_at(&text).is_some()
    }

    /// The parentheses that would end the destination, or are too deep, by their numbers.
    fn unbalanced(&self) -> Vec<usize> {
        let (mut open, mut unbalanced) = (Vec::new(), Vec::new());
        for (at, piece) in self.pieces.iter().enumerate() {
            let is_escaped = piece.kept.is_some_and(|source| source.len() > 1);
            match piece.character {
                _ if is_escaped => {}
                '(' if open.len() == MOST_PARENTHESES => unbalanced.push(at),
                '(' => open.push(at),
                ')' if open.pop().is_none() => unbalanced.push(at),
                _ => {}
            }
        }
        unbalanced.extend(open);
        unbalanced.sort_unstable();
        unbalanced
    }
}
