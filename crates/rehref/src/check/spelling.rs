//! Missing files that exist under a similar name.

use super::{BrokenReason, CheckOptions};
use crate::link::Target;
use crate::listing::{Entry, Id, Near};
use crate::site::Site;

/// The file at a URI that does not exist, if case and normal forms of Unicode are ignored.
pub(super) fn folded(site: &Site, options: &CheckOptions, uri: &str) -> Option<Id> {
    if !options.folds {
        return None;
    }
    let path = site.path_of(uri)?;
    match site.near(&path)? {
        Near::Folded(id) if is_other_spelling(site.listing().name(id), &path) => Some(id),
        _ => None,
    }
}

/// The exact reason for a missing file, and a suggestion: a reference and its URI.
pub(super) fn near(
    site: &Site,
    options: &CheckOptions,
    reference: &str,
    target: &Target<'_>,
) -> (BrokenReason, Option<(String, String)>) {
    let base = target.base.map(|(base, _)| base.as_str());
    if options.confined && site.is_above(reference, base) {
        return (BrokenReason::Missing, None);
    }
    let Some((uri, path)) = target.uri.and_then(|uri| Some((uri, site.path_of(uri)?))) else {
        return (BrokenReason::Missing, None);
    };
    let listing = site.listing();
    // Browsers read a `\` as `/`.
    let near = path.contains(&b'\\').then(|| {
        let slash = |&byte: &u8| if byte == b'\\' { b'/' } else { byte };
        let path: Vec<u8> = path.iter().map(slash).collect();
        listing.id(&path).map(Near::Similar)
    });
    let Some(near) = near.flatten().or_else(|| site.near(&path)) else {
        return (BrokenReason::Missing, None);
    };
    let name = listing.name(near.id());
    let is_folded = matches!(near, Near::Folded(_)) && is_other_spelling(name, &path);
    let why = match is_folded && options.case {
        true => BrokenReason::Case,
        false => BrokenReason::Missing,
    };
    let mut to = site.uri_of(name);
    let is_directory = listing.entry(near.id()) == Entry::Directory;
    if is_directory && !name.is_empty() {
        to.push('/');
    }
    to.push_str(&uri[uri.find(['?', '#']).unwrap_or(uri.len())..]);
    let reference = target.base.and_then(|(base, _)| base.relative_path_reference(&to));
    (why, reference.map(|reference| (reference, to)))
}

/// Returns true if a path differs from a name in spelling, rather than in treating a file as a
/// directory.
fn is_other_spelling(name: &[u8], path: &[u8]) -> bool {
    path.strip_suffix(b"/").unwrap_or(path) != name
}
