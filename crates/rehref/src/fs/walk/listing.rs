//! Listing the content of a directory as a [`Listing`].

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use crate::error::Error;
use crate::fs::paths::{bytes_of_path, path_below, path_of_bytes};
use crate::fs::{GitIgnore, WalkOptions};
use crate::listing::Presence;
use crate::listing::{Entry, Listing};

/// Lists all entries of a directory, sorted: hidden files too, but not directories with the state
/// of a tool. Symbolic links are listed with their targets, and not entered. Errors are passed to
/// `report_error`, and the rest is listed.
pub fn list(directory: &Path, report_error: impl FnMut(Error)) -> Listing {
    list_to_depth(directory, None, report_error)
}

/// Like [`list`], without the content of subdirectories at the maximum depth; 1 is the content of
/// the directory itself.
pub fn list_to_depth(
    directory: &Path,
    max_depth: Option<usize>,
    mut report_error: impl FnMut(Error),
) -> Listing {
    let everything = WalkOptions {
        whole: true,
        max_depth,
        gitignore: GitIgnore::off(),
        ..WalkOptions::default()
    };
    let mut listing = Listing::default();
    let mut links = Vec::new();
    for found in everything.entries(directory.to_owned()) {
        let entry = match found {
            Ok(entry) => entry,
            Err(error) => {
                report_error(error);
                continue;
            }
        };
        let Some(below) = path_below(entry.path(), directory) else {
            continue;
        };
        let below = bytes_of_path(below);
        let kind = entry.file_type();
        if below.is_empty() {
            continue;
        } else if kind.is_dir() {
            listing.insert(&below, Entry::Directory);
        } else if kind.is_symlink() {
            let id = listing.insert(&below, Entry::Nowhere);
            links.push((id, entry.into_path()));
        } else if kind.is_file() {
            listing.insert(&below, Entry::File);
        } else {
            // A pipe or a device, about which nothing is known.
            listing.insert(&below, Entry::Outside);
        }
    }
    // The targets of links are known only after everything is listed.
    let root = directory.canonicalize();
    for (id, path) in links {
        let entry = match (path.canonicalize(), &root) {
            (Ok(to), Ok(root)) => {
                let below = to.strip_prefix(root).ok().map(bytes_of_path);
                let there = below.and_then(|below| listing.id(&below));
                there.map_or(Entry::Outside, Entry::Link)
            }
            _ => Entry::Nowhere,
        };
        listing.set(id, entry);
    }
    listing
}

/// Looks up what is at a path, and follows symbolic links.
pub fn presence(path: &Path) -> Presence {
    use std::io::ErrorKind;
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Presence::Directory,
        Ok(_) => Presence::File,
        Err(error) => match error.kind() {
            ErrorKind::PermissionDenied
            | ErrorKind::TimedOut
            | ErrorKind::StaleNetworkFileHandle
            | ErrorKind::HostUnreachable => Presence::Unknown,
            _ => Presence::Missing,
        },
    }
}

/// The names in a directory, in no order. Unreadable entries are left out.
pub fn names_in(directory: &Path) -> impl Iterator<Item = OsString> {
    let directory = match directory.as_os_str().is_empty() {
        true => Path::new("."),
        false => directory,
    };
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name())
}

/// Returns true if the file system of a directory ignores the case of names: tries the first listed
/// file whose name has a letter.
pub fn ignores_case(directory: &Path, listing: &Listing) -> bool {
    let swap = |byte: &u8| match byte.is_ascii_lowercase() {
        true => byte.to_ascii_uppercase(),
        false => byte.to_ascii_lowercase(),
    };
    let others = listing.iter().filter_map(|(_, path, entry)| {
        let name = path.iter().rposition(|&byte| byte == b'/').map_or(0, |at| at + 1);
        let other: Vec<u8> = path[name..].iter().map(swap).collect();
        let other = [&path[..name], &other].concat();
        let is_probe = entry == Entry::File && other != path && listing.id(&other).is_none();
        is_probe.then_some(other)
    });
    let probe = { others }.next();
    probe.is_some_and(|other| directory.join(path_of_bytes(&other)).symlink_metadata().is_ok())
}

/// Returns true if the listing has all entries of the directory `below` the root, so that it
/// becomes empty if they are moved.
pub fn is_listed_whole(root: &Path, below: &[u8], listing: &Listing) -> bool {
    let Ok(entries) = fs::read_dir(root.join(path_of_bytes(below))) else {
        return false;
    };
    entries.into_iter().all(|entry| {
        entry.is_ok_and(|entry| {
            let name = entry.file_name();
            let path = [below, b"/", name.as_encoded_bytes()].concat();
            listing.id(&path).is_some()
        })
    })
}

/// Returns true if two files belong to the same user. Symbolic links are not followed. True on
/// systems without owners; false if one of the files cannot be examined.
pub fn is_same_owner(one: &Path, other: &Path) -> bool {
    let (Ok(one), Ok(other)) = (fs::symlink_metadata(one), fs::symlink_metadata(other)) else {
        return false;
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        one.uid() == other.uid()
    }
    #[cfg(not(unix))]
    {
        let _ = (one, other);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(unix)]
    use crate::files::Tree;

    #[cfg(unix)]
    #[test]
    fn same_owner_is_detected() {
        let tree = Tree::new(&[("x", "")]);
        let file = tree.at("x");
        assert!(is_same_owner(&file, tree.path()));
        assert!(!is_same_owner(&file, &tree.at("none")));
        // Only root may change the owner of a file.
        if std::os::unix::fs::chown(&file, Some(12345), None).is_ok() {
            assert!(!is_same_owner(&file, tree.path()));
            tree.symlink(&file, "link");
            assert!(is_same_owner(&tree.at("link"), tree.path()), "of the link itself");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_listed_with_their_targets() {
        let tree = Tree::new(&[("root/.git/config", ""), ("root/a/.hidden", ""), ("outside", "")]);
        tree.make("root/a/empty");
        for (to, link) in
            [("a", "in"), ("../outside", "out"), ("none", "broken"), ("in/.hidden", "file")]
        {
            tree.symlink(to, format!("root/{link}"));
        }
        let listing = list(&tree.at("root"), |error| panic!("{error}"));
        let resolved = |path: &str| listing.resolved(path.as_bytes()).map(|(_, entry)| entry);
        assert_eq!(resolved("a/empty"), Some(Entry::Directory));
        assert_eq!(resolved("in/.hidden"), Some(Entry::File));
        assert_eq!(resolved("file"), Some(Entry::File));
        assert_eq!(resolved("out"), Some(Entry::Outside));
        assert_eq!(resolved("broken"), Some(Entry::Nowhere));
        assert_eq!(resolved(".git/config"), None);
    }
}
