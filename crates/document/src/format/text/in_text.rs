//! The links of documents that are read as text.

use std::borrow::Cow;

use super::coding::Coding;
use super::scan::{Scan, scan};
use super::search::search;
use super::stream::TextStream;
use super::syntax::{Translation, needs_translation};
use super::text_link::{link_of_translated_url, link_of_url};
use super::text_url::TextUrl;
use super::window::AvailableBytes;
use crate::bytes::{Spans, join};
use crate::format::batch::{Batch, Take};
use crate::format::options::{Join, TextOptions};
use crate::format::{Options, ParsedLinks};
use crate::link::ParsedLink;
use crate::source::{Source, Text, TextSyntax};

/// Finds the links of a document.
pub(in crate::format) fn find<'d>(document: &'d Source, options: &Options) -> ParsedLinks<'d> {
    ParsedLinks::collected(|take| find_each_in_angles(document, options, take))
}

/// Delivers the links of a text as they are found. Returns everything except the links.
pub(super) fn find_each_in_angles<'d>(
    document: &'d Source,
    options: &Options,
    take: &mut Take<'_, 'd>,
) -> ParsedLinks<'d> {
    find_each(document, options, Join::Angle, take)
}

/// Delivers the links of a document as they are found. `join` is the default joining of lines.
pub(in crate::format) fn find_each<'d>(
    document: &'d Source,
    options: &Options,
    join: Join,
    take: &mut Take<'_, 'd>,
) -> ParsedLinks<'d> {
    let mut batch = Batch::new(take);
    let options = options.text_joining(join);
    let malformed = urls_of_text(document, options, |link| batch.push(link));
    batch.deliver();
    ParsedLinks::of_links(Vec::new(), document.base.clone(), malformed)
}

fn urls_of_text<'d>(
    document: &'d Source,
    options: TextOptions,
    mut each: impl FnMut(ParsedLink<'d>),
) -> Option<usize> {
    let coding = Coding::of(document.charset.encoding());
    if let Some(coding) = coding.filter(|_| document.syntax.is_none()) {
        return urls_of_bytes(document, &coding, options, each);
    }
    if document.syntax.is_some() || needs_translation(&document.bytes) {
        return urls_of_pieces(document, options, |link| each(link.into_owned()));
    }
    let decoded = document.text();
    let scan = |text: &str, found: &mut Found<'_>| {
        scan(text, &options, |url| found(url, text, 0));
    };
    find_in_decoded(&decoded, None, scan, each);
    decoded.malformed
}

/// Receives a URL, the piece of text in which it was found, and the offset of that piece. The spans
/// of the URL count from there.
pub(in crate::format) type Found<'f> = dyn FnMut(TextUrl, &str, usize) + 'f;

/// Calls `each` with the links that `scan` finds in a text without the characters that its syntax
/// adds.
pub(in crate::format) fn find_in_decoded<'d>(
    decoded: &Text<'d>,
    syntax: Option<TextSyntax>,
    scan: impl FnOnce(&str, &mut Found<'_>),
    mut each: impl FnMut(ParsedLink<'d>),
) {
    let translation = Translation::of(&decoded.text, syntax);
    let text = match &translation {
        Some(translation) => translation.text(),
        None => &decoded.text,
    };
    scan(text, &mut |url, piece, offset| {
        let spans: Spans = url.spans.iter().map(|it| it.shifted(offset)).collect();
        each(match &translation {
            Some(translation) => {
                let reference = url.unescaped(join(&Cow::Borrowed(text), &spans)).into_owned();
                let to_source = |span| decoded.to_source(span);
                let found = (&url, piece, &spans);
                link_of_translated_url(found, translation, reference.into(), &to_source)
            }
            None => {
                let in_document = spans.iter().map(|&span| decoded.to_source(span));
                let in_document = in_document.collect();
                link_of_url(&url, piece, in_document, url.unescaped(join(&decoded.text, &spans)))
            }
        });
    });
}

/// Finds the links of a text whose ASCII characters are ASCII bytes.
fn urls_of_bytes<'d>(
    document: &'d Source,
    coding: &Coding,
    options: TextOptions,
    mut each: impl FnMut(ParsedLink<'d>),
) -> Option<usize> {
    let bom_len = document.charset.bom_len();
    let bytes = &document.bytes[bom_len..];
    let available = AvailableBytes { bytes, coding, is_last: true };
    let mut scan = Scan::new(options);
    let plain_end = search(&mut scan, available, bytes.len(), &mut |url| {
        each(url.into_link(bytes, bom_len));
    });
    let malformed = coding.validity.malformed(&bytes[plain_end..])?;
    Some(bom_len + plain_end + malformed)
}

/// Finds the links of a text piece by piece: the map of a translation to the original text takes
/// many times the memory of the text.
fn urls_of_pieces(
    document: &Source,
    options: TextOptions,
    mut each: impl FnMut(ParsedLink<'_>),
) -> Option<usize> {
    let scan = Scan::new(options);
    let mut stream = TextStream::of_parts(document.charset, document.syntax, scan, false);
    stream.push(&document.bytes, |link, _| each(link));
    stream.finish(|link, _| each(link));
    stream.malformed_offset()
}
