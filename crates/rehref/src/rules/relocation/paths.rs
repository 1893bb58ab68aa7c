//! The names in paths of files that move.

use crate::site::{Located, Site};

/// The name of the index file of the directory at a path.
pub(super) fn index_name<'s>(site: &'s Site, path: &[u8]) -> Option<&'s [u8]> {
    match site.locate_path(path) {
        Located::Directory { index: Some(index), .. } => {
            site.listing().name(index).rsplit(|&byte| byte == b'/').next()
        }
        _ => None,
    }
}

/// The path of a name in a directory.
pub(super) fn join(directory: &[u8], name: &[u8]) -> Vec<u8> {
    match directory {
        [] => name.to_vec(),
        _ => [directory, b"/", name].concat(),
    }
}

/// The names in a path.
pub(super) fn path_names(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.split(|&byte| byte == b'/').filter(|name| !name.is_empty())
}
