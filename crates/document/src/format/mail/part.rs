//! The text of messages.

use super::proof::{self, HtmlVersion};
use crate::format::batch::{Batch, Take};
use crate::format::text::{self, Join};
use crate::format::{Options, ParsedLinks};
use crate::source::Source;

/// Finds the links of a message that is read as text.
pub(super) fn find<'d>(document: &'d Source, options: &Options) -> ParsedLinks<'d> {
    ParsedLinks::collected(|take| find_each(document, options, take))
}

/// Delivers the links of a part of a message, as text, as they are found. Lines are also joined by
/// guess. Returns the rest about the links.
pub(in crate::format) fn find_each<'d>(
    document: &'d Source,
    options: &Options,
    take: &mut Take<'_, 'd>,
) -> ParsedLinks<'d> {
    let Some(part) = &document.mail_part else {
        return text::find_each(document, options, Join::Guess, take);
    };
    let decoded = document.text();
    let mut batch = Batch::new(take);
    let joined = options.text_joining(Join::Guess);
    let version = HtmlVersion { pages: &part.html, options };
    text::find_in_decoded(
        &decoded,
        document.syntax,
        |text, found| proof::scan(text, &joined, version, found),
        |link| batch.push(link),
    );
    batch.deliver();
    ParsedLinks::of_links(Vec::new(), document.base.clone(), decoded.malformed)
}
