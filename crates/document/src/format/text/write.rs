//! Replacing URLs in plain text.

use std::borrow::Cow;

use super::chars::{Class, class_of, is_stop};
use super::string_escapes;
use crate::bytes::Span;
use crate::bytes::percent;
use crate::format::Options;
use crate::format::text::{Join, TextOptions};
use crate::format::written::{CannotWrite, Written, holds_escape_sequence};
use crate::link::{Delimiter, Note, ParsedLink, Place};
use crate::source::{Fields, Source, TextSyntax};

/// The quotes that may close a quoted URL.
const QUOTES: [char; 13] = ['"', '“', '”', '‘', '’', '«', '»', '‹', '›', '」', '』', '》', '〉'];

/// Writes `reference` into the place of a link, in one piece from its first byte to its last.
pub(in crate::format) fn write<'r>(
    source: &Source,
    link: &ParsedLink<'_>,
    reference: &'r str,
    options: &Options,
) -> Result<Written<'r>, CannotWrite> {
    let Place::Text(cue) = link.place else {
        return Err(CannotWrite::Unwritable);
    };
    if link.notes.contains(Note::Doubtful) {
        return Err(CannotWrite::Doubtful);
    }
    if link.notes.contains(Note::Undecodable) || is_undecodable(source, link) {
        return Err(CannotWrite::Undecodable);
    }
    if link.spans.windows(2).any(|pair| {
        let gap = source.decode(Span::new(pair[0].end, pair[1].start));
        parts_pages(&gap) || must_stay(source, &gap)
    }) {
        return Err(CannotWrite::Between);
    }
    let span = link.extent();
    if holds_escape_sequence(source, span)
        || new_apostrophe(source, span, reference, &link.reference)
    {
        return Err(CannotWrite::Unwritable);
    }
    let text = options.for_source(source).text_joining(Join::Angle);
    let written = escaped(reference, &link.reference, cue, &text);
    let written = source.charset.percent_encode_missing(&written, "").into_owned();
    // Completing would encode the escapes of an address again.
    if matches!(cue, Delimiter::Abbreviated | Delimiter::Email) && written != reference {
        return Err(CannotWrite::Unwritable);
    }
    let spelled = match source.syntax {
        Some(TextSyntax::Tex) => spelled_in_tex(source, span, &written),
        Some(TextSyntax::Code(_)) => spelled_in_code(source, span, &written),
        Some(TextSyntax::Fields(Fields::Directory)) => spelled_in_field(source, span, &written),
        None if link.notes.contains(Note::Unescaped) => {
            string_escapes::respelled(&source.decode(span), &written).into()
        }
        _ => Cow::Borrowed(&*written),
    };
    let new = source.charset.encode(&spelled);
    Ok(Written::escaped(span, new, &written))
}

/// Returns true if the text between two pieces of a link must be kept: it changes the font, size or
/// color, or joins string literals in different quotes.
fn must_stay(source: &Source, gap: &str) -> bool {
    let font = |escape: &str| gap.contains(escape);
    match source.syntax {
        _ if gap.contains('\u{1B}') => true,
        // A hunk has a number of lines, and the language of a line is unknown here.
        Some(TextSyntax::Diff) => true,
        Some(TextSyntax::Roff) => ["\\f", "\\F", "\\s", "\\m", "\\M"].into_iter().any(font),
        Some(TextSyntax::Code(_)) => {
            let is_quote = |c: &char| matches!(c, '"' | '\'');
            let quotes: Vec<char> = gap.chars().filter(is_quote).collect();
            let prefixed = |it: &str| it.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '@');
            let prefix = gap.trim_end_matches(['"', '\'']);
            quotes.first() != quotes.last() || !quotes.is_empty() && prefixed(prefix)
        }
        _ => false,
    }
}

/// `written` with the source code escapes for `/` and `.` of the URL at `span`: in a regular
/// expression these have a meaning.
fn spelled_in_code<'w>(source: &Source, span: Span, written: &'w str) -> Cow<'w, str> {
    let old = source.decode(span);
    let mut spelled = Cow::Borrowed(written);
    for (plain, escape) in [("/", "\\/"), (".", "\\.")] {
        if old.contains(escape) {
            spelled = spelled.replace(plain, escape).into();
        }
    }
    spelled
}

/// `written` with the escapes of a calendar or card, if the URL at `span` has one: the values of
/// some properties have none.
fn spelled_in_field<'w>(source: &Source, span: Span, written: &'w str) -> Cow<'w, str> {
    let old = source.decode(span);
    if !["\\,", "\\;"].into_iter().any(|escape| old.contains(escape)) {
        return Cow::Borrowed(written);
    }
    Cow::Owned(written.replace(',', "\\,").replace(';', "\\;"))
}

/// `written` with the escapes that TeX needs at `span`, in running text and in arguments of
/// commands. Commands that read URLs verbatim need none, nor does text that was read verbatim
/// before.
fn spelled_in_tex<'w>(source: &Source, span: Span, written: &'w str) -> Cow<'w, str> {
    const SPECIAL: [char; 6] = ['#', '%', '&', '_', '$', '~'];
    const AS_IT_STANDS: [&str; 4] = ["\\url{", "\\path{", "\\nolinkurl{", "\\href{"];
    let before = Span::new(span.start.saturating_sub(2 * "\\nolinkurl{".len()), span.start);
    let before = source.decode(before);
    let old = source.decode(span);
    let is_raw = AS_IT_STANDS.iter().any(|it| before.ends_with(it)) && !old.contains('\\');
    if is_raw || !written.contains(SPECIAL) {
        return Cow::Borrowed(written);
    }
    let mut spelled = String::with_capacity(written.len() + 8);
    for c in written.chars() {
        match c {
            '~' => spelled.push_str("\\~{}"),
            c => {
                spelled.extend(SPECIAL.contains(&c).then_some('\\'));
                spelled.push(c);
            }
        }
    }
    Cow::Owned(spelled)
}

/// Returns true if the link has bytes that are invalid in the charset. A text may also contain
/// U+FFFD itself.
fn is_undecodable(source: &Source, link: &ParsedLink<'_>) -> bool {
    let encoding = source.charset.encoding();
    let is_invalid = |span: &Span| {
        encoding
            .decode_without_bom_handling_and_without_replacement(&source.bytes[span.range()])
            .is_none()
    };
    link.reference.contains('\u{FFFD}') && link.spans.iter().any(is_invalid)
}

/// Returns true if the text between two pieces of a URL is more than a line break with surrounding
/// spaces and marks.
fn parts_pages(gap: &str) -> bool {
    let breaks = |c: &char| matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    let line_ends = gap.replace("\r\n", "\n").chars().filter(breaks).count();
    line_ends > 1 || gap.contains(['\u{B}', '\u{C}'])
}

/// Returns true if the new URL adds an apostrophe after an apostrophe: in source code it would end
/// the literal.
fn new_apostrophe(source: &Source, span: Span, reference: &str, old: &str) -> bool {
    let unit = if source.charset.is_utf16() { 2 } else { 1 };
    reference.contains('\'')
        && !old.contains('\'')
        && span
            .start
            .checked_sub(unit)
            .is_some_and(|before| source.decode(Span::new(before, span.start)) == "'")
}

/// Percent-encodes the characters that this place cannot hold. They are not allowed in URIs, and
/// mean the same encoded (RFC 3987, section 3.1).
fn escaped(reference: &str, old: &str, cue: Delimiter, options: &TextOptions) -> String {
    let delimited = matches!(cue, Delimiter::Quote | Delimiter::Abbreviated);
    let closes: Vec<char> =
        QUOTES.into_iter().filter(|quote| delimited && !old.contains(*quote)).collect();
    let mut out = String::with_capacity(reference.len() + 16);
    for c in reference.chars() {
        if ends_url(c, cue, options) || closes.contains(&c) {
            let mut utf8 = [0; 4];
            for byte in c.encode_utf8(&mut utf8).bytes() {
                percent::encode_byte(byte, &mut out);
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Returns true if `c` ends a URL with this delimiter, or makes it invalid, at any place. The
/// closing quote is not counted.
fn ends_url(c: char, delimiter: Delimiter, options: &TextOptions) -> bool {
    match delimiter {
        Delimiter::Angle => c.is_whitespace() || c.is_control() || matches!(c, '<' | '>'),
        Delimiter::Quote => is_stop(c) || c == '“',
        Delimiter::Prefix | Delimiter::Bare | Delimiter::Abbreviated | Delimiter::Email => {
            class_of(c, options.iri) == Class::Stop || options.strict && !c.is_ascii()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_breaks_and_second_line_breaks_separate_pages() {
        for gap in ["\n", "\r\n  ", " \n> > ", "-\n * ", " ", "\u{2028}"] {
            assert!(!parts_pages(gap), "{gap:?}");
        }
        for gap in ["\n \n", "\r\n\r\n", "\u{C}", "\nA [Page 2]\n\u{C}\nRFC 1\n", "\r\r"] {
            assert!(parts_pages(gap), "{gap:?}");
        }
    }
}
