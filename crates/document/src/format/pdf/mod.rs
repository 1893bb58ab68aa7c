//! URIs of actions in PDF files (ISO 32000-2, section 12.6.4.8). They are read and never rewritten.
//!
//! `file` finds the objects, also those in object streams, `object` what each says about links, and
//! `lexer` its tokens. The text of pages is not read: programs such as pdftotext do that.

mod file;
mod lexer;
mod object;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use memchr::memmem;

use crate::bytes::Spans;
use crate::format::language::{Fault, Language};
use crate::format::unread::UnreadKind;
use crate::format::value::strip;
use crate::format::{Options, ParsedLinks};
use crate::link::{FieldPlace, ParsedLink, Place, Role, effective_base};
use crate::source::Source;

pub(super) const LANGUAGE: Language = Language {
    extensions: &["pdf"],
    agrees: |beginning| beginning.bytes.is_empty() || has_header(beginning.bytes),
    begins: |beginning| begins_with_header(beginning.bytes),
    overrides: |beginning| begins_with_header(beginning.bytes),
    fault: Some(fault),
    shows_decoded: true,
    may_have_base: |_| true,
    may_have_nuls: |_| true,
    unread: |source| {
        let is_encrypted = file::read(&source.bytes).is_encrypted;
        Some(match is_encrypted {
            true => UnreadKind::Document("encrypted"),
            false => UnreadKind::PageText(NAME),
        })
    },
    ..Language::new(NAME, read)
};

const NAME: &str = "pdf";

const HEADER: &[u8] = b"%PDF-";

/// Returns true if the header is in the first 1,024 bytes, as programs accept it.
fn has_header(bytes: &[u8]) -> bool {
    memmem::find(&bytes[..bytes.len().min(1 << 10)], HEADER).is_some()
}

/// Returns true if bytes begin with a line that is the header: a text may begin with less of it.
fn begins_with_header(bytes: &[u8]) -> bool {
    let version = bytes.strip_prefix(HEADER);
    let is_version = |it: &[u8]| match it {
        [major, b'.', minor, end, ..] => {
            major.is_ascii_digit() && minor.is_ascii_digit() && end.is_ascii_whitespace()
        }
        _ => false,
    };
    version.is_some_and(is_version)
}

/// Finds the URIs of actions.
fn read<'d>(source: &'d Source, options: &Options) -> ParsedLinks<'d> {
    let pdf = file::read(&source.bytes);
    let links = pdf.links.into_iter().filter_map(|(uri, span)| {
        let reference = strip(Cow::Owned(uri));
        let place = Place::Field(FieldPlace { language: NAME, key: "URI".into() });
        let spans: Spans = span.into_iter().collect();
        let link = ParsedLink::new(spans, reference, place, Role::Navigate);
        (!link.reference.is_empty()).then_some(link)
    });
    let base = effective_base(pdf.base.as_deref(), source.base.as_ref(), &options.resolver);
    ParsedLinks::of_links(links.collect(), base, None)
}

/// Returns the reason why links of a file are missing.
fn fault(source: &Source) -> Option<Fault> {
    let problem = file::read(&source.bytes).problem?.to_owned();
    Some(Fault { at: 0, problem })
}
