//! The names of targets, which all references to a file have in common.

use std::path::is_separator;

use super::CheckOptions;
use super::fragment::with_fragment;
use super::presence::path_above;
use crate::link::{ParsedLink, Target};
use crate::site::Site;
use crate::uri::Parts;

/// The names of the targets of links: paths, or URLs in a tree with a URL.
#[derive(Clone, Copy)]
pub(super) struct TargetNames<'n> {
    pub(super) site: &'n Site,
    pub(super) options: &'n CheckOptions,
}

impl TargetNames<'_> {
    /// The name of the target of a link, without a fragment; the reference if it has no path.
    pub(super) fn of_link(self, link: &ParsedLink<'_>, target: &Target<'_>) -> String {
        let base = target.base.map(|(base, _)| base.as_str());
        match target.uri.filter(|_| link.place.path_form().is_none()) {
            None => link.reference.to_string(),
            Some(_) if self.options.confined && self.site.is_above(&link.reference, base) => {
                let mut path = path_above(self.site, &link.reference, base);
                if Parts::split(&link.reference).path.ends_with('/') {
                    path.push(b'/');
                }
                self.of_path(&path)
            }
            Some(uri) => self.of_uri(uri),
        }
    }

    /// The name of the target at a URI, without a fragment.
    pub(super) fn of_uri(self, uri: &str) -> String {
        match self.site.path_of(uri) {
            Some(path) if self.options.confined => self.of_path(&path),
            // A NUL is before what no file can have in its name.
            Some(path) if !path.contains(&0) => self.site.uri_of(&path),
            _ => uri[..uri.find('#').unwrap_or(uri.len())].to_owned(),
        }
    }

    /// The name of an anchor in the file with this name.
    pub(super) fn of_anchor(self, file: &str, anchor: &str) -> String {
        match self.options.confined {
            true => format!("{file}#{anchor}"),
            false => with_fragment(file, anchor, true),
        }
    }

    /// The name of the target at a path relative to the root, which may begin with `..`.
    fn of_path(self, path: &[u8]) -> String {
        let (mut prefix, mut path) = (&*self.options.prefix, &*String::from_utf8_lossy(path));
        while let Some(above) = path.strip_prefix("../") {
            let directory = prefix.trim_end_matches(is_separator);
            let start = directory.rfind(is_separator).map_or(0, |at| at + 1);
            if matches!(&directory[start..], "" | "." | "..") {
                break;
            }
            (prefix, path) = (&prefix[..start], above);
        }
        format!("{prefix}{path}")
    }
}
