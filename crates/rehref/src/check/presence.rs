//! Paths that are looked up in the file system, since the listing of the tree does not have them.

use std::borrow::Cow;

use crate::bytes::percent;
use crate::listing::Presence;
use crate::site::Site;
use crate::uri::Parts;

/// Looks up a path relative to the root of the tree, with `/` between names. Above the root it
/// begins with `..`.
pub type Look<'s> = dyn Fn(&[u8]) -> Presence + Sync + 's;

/// The path of a relative reference above the root of a tree without a URL, relative to the root.
/// Only reading a document without a URL as a file gives such references a target.
pub(super) fn path_above(site: &Site, reference: &str, base: Option<&str>) -> Vec<u8> {
    let path = Parts::split(reference).path;
    let directory = match path.starts_with('/') {
        true => None,
        false => base.and_then(|base| site.path_of(base)),
    };
    let directory = directory.unwrap_or_default();
    let end = directory.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
    let below = directory[..end].split(|&byte| byte == b'/').map(Cow::Borrowed);
    let mut names: Vec<Cow<'_, [u8]>> = Vec::new();
    let mut levels = 0;
    for name in below.chain(path.split('/').map(percent::decode)) {
        match &*name {
            b"" | b"." => {}
            b".." => levels += usize::from(names.pop().is_none()),
            // No file has a name with a slash.
            other if other.contains(&b'/') => names.push(Cow::Borrowed(b"\0")),
            _ => names.push(name),
        }
    }
    let up = std::iter::repeat_n(Cow::Borrowed(&b".."[..]), levels);
    let names: Vec<_> = up.chain(names).collect();
    names.join(&b'/')
}

/// Returns true if a reference begins with a single `/`: its target depends on the root of the
/// site.
pub(super) fn is_root_relative(reference: &str) -> bool {
    reference.starts_with('/') && !reference.starts_with("//")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing::Listing;

    #[test]
    fn paths_above_the_root_are_relative_to_it() {
        let site = Site::private(Listing::of_files(["a/b/c.html"]), Vec::new());
        let base = site.uri_of(b"a/b/c.html");
        let of = |reference| {
            let path = path_above(&site, reference, Some(&base));
            String::from_utf8(path).expect("UTF-8")
        };
        for (reference, path) in [
            ("../../../x.html", "../x.html"),
            ("../../../../x/./y%20z.html?q#f", "../../x/y z.html"),
            ("../../../site/a", "../site/a"),
            ("/../x", "../x"),
            ("../../../x%2Fy", "../\0"),
            ("../../..", ".."),
        ] {
            assert_eq!(of(reference), path, "{reference}");
        }
    }
}
