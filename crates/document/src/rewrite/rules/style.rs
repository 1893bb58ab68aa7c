//! The four forms of a reference.

use std::borrow::Cow;

use crate::link::{Form, ParsedLink};
use crate::uri::{Base, Outcome, Parts, Profile};

/// The four forms of a reference (RFC 3986, section 4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// With a scheme.
    Absolute,
    /// From `//`.
    NetworkPath,
    /// From `/`.
    AbsolutePath,
    /// All others, also an empty one.
    RelativePath,
}

impl Style {
    /// The form of a reference, as the profile reads it.
    pub fn of(reference: &str, profile: Profile) -> Self {
        let reference = readable(reference, profile);
        let parts = Parts::split(&reference);
        if parts.scheme.is_some() {
            Self::Absolute
        } else if parts.authority.is_some() {
            Self::NetworkPath
        } else if parts.path.starts_with('/') {
            Self::AbsolutePath
        } else {
            Self::RelativePath
        }
    }
}

/// The reference in the profile's syntax: browsers read a backslash in a path as a slash, and
/// ignore tabs and line breaks (URL Standard, 4.4).
pub fn readable(reference: &str, profile: Profile) -> Cow<'_, str> {
    if profile != Profile::Whatwg || !reference.contains(['\\', '\t', '\n', '\r']) {
        return reference.into();
    }
    let mut readable = reference.replace(['\t', '\n', '\r'], "");
    let end = readable.find(['?', '#']).unwrap_or(readable.len());
    let scheme = Parts::split(&readable).scheme;
    let is_special = scheme.is_none_or(|scheme| {
        ["http", "https", "ws", "wss", "ftp", "file"]
            .iter()
            .any(|it| it.eq_ignore_ascii_case(scheme))
    });
    if is_special {
        let suffix = readable.split_off(end);
        readable = readable.replace('\\', "/") + &suffix;
    }
    readable.into()
}

/// The relative path to `uri` for a link. Never empty, and a fragment alone only in hyperlinks and
/// forms.
pub fn relative_path(link: &ParsedLink<'_>, base: &Base, uri: &str) -> Option<String> {
    let is_in_json = link.place.markup().is_some_and(|it| it.form == Form::Json);
    let suits = |reference: &str| match reference.as_bytes().first() {
        None => false,
        Some(b'#') => link.role.follows_fragment(),
        // Browsers would read it as a slash.
        Some(b'\\') => false,
        // A bare name is not a module path (HTML standard, section 8.1.6.2).
        Some(_) if is_in_json => ["./", "../"].iter().any(|it| reference.starts_with(it)),
        Some(_) => true,
    };
    let shortest = base.relative_path_reference(uri)?;
    if suits(&shortest) {
        return Some(shortest);
    }
    let parts = Parts::split(uri);
    let name = &parts.path[parts.path.rfind('/').map_or(0, |at| at + 1)..];
    let own = Parts { scheme: None, authority: None, path: name, ..parts }.to_string();
    let candidates = [own.clone(), format!("./{own}"), format!("./{shortest}")];
    candidates.into_iter().find(|reference| suits(reference) && leads_to(base, reference, uri))
}

/// The path from the root to `uri`, if it resolves to `uri`.
pub fn absolute_path(base: &Base, uri: &str) -> Option<String> {
    if !is_same_site(base, uri) {
        return None;
    }
    let parts = Parts { scheme: None, authority: None, ..Parts::split(uri) };
    let mut reference = parts.to_string();
    // Text after two slashes would be an authority.
    if reference.starts_with("//") {
        reference.insert_str(0, "/.");
    }
    let is_path = reference.starts_with('/') && !reference.starts_with("/\\");
    (is_path && leads_to(base, &reference, uri)).then_some(reference)
}

/// Returns true if a reference resolves to exactly `uri`.
pub fn leads_to(base: &Base, reference: &str, uri: &str) -> bool {
    let mut out = String::new();
    base.resolve_into(reference, &mut out) == Ok(Outcome::Target) && out == uri
}

/// Returns true if a URI has the scheme and the authority of the base.
pub fn is_same_site(base: &Base, uri: &str) -> bool {
    let (base, uri) = (base.parts(), Parts::split(uri));
    base.scheme == uri.scheme && base.authority == uri.authority
}
