//! The origin of a journal: its directory and machine. A journal that came with a tree, by `git
//! clone` or from an archive, belongs to the user who unpacked it, but its steps are those of its
//! author.

use std::fs::{self, Metadata};
use std::io::{self, Read};
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::values::{Text, Time};
use crate::error::JournalOrigin;

/// The directory and machine that a journal belongs to. A copy of the directory is another one.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Origin {
    /// Absolute, without symbolic links.
    path: Text,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    device: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inode: Option<u64>,
    /// The creation time of the directory, in nanoseconds, which cannot be set or guessed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    birth: Option<Time>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    machine: Option<String>,
}

impl Origin {
    /// The origin of a new journal for the directory at a path without symbolic links.
    pub(super) fn here(path: &Path) -> io::Result<Self> {
        let metadata = fs::symlink_metadata(path)?;
        let (device, inode) = identity(&metadata);
        Ok(Self {
            path: Text::of_path(path),
            device,
            inode,
            birth: metadata.created().ok().and_then(Time::new),
            machine: machine(),
        })
    }

    /// The difference between the origin of a journal and this one, if any.
    pub(super) fn compare(journal: Option<&Self>, here: &Self) -> Option<JournalOrigin> {
        let Some(journal) = journal else {
            return Some(JournalOrigin::Unknown);
        };
        if journal.machine != here.machine {
            return Some(JournalOrigin::OtherMachine);
        }
        if journal.path != here.path {
            let path = journal.path.path();
            return Some(path.map_or(JournalOrigin::Unknown, JournalOrigin::OtherPath));
        }
        // A device number may change when the system starts. The creation time is more reliable, if
        // available.
        let is_same = journal.inode == here.inode
            && journal.birth == here.birth
            && (here.birth.is_some() || journal.device == here.device);
        (!is_same).then_some(JournalOrigin::OtherDirectory)
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> (Option<u64>, Option<u64>) {
    use std::os::unix::fs::MetadataExt;
    (Some(metadata.dev()), Some(metadata.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> (Option<u64>, Option<u64>) {
    (None, None)
}

/// A hash of the machine id, so that the id itself is not disclosed. `None` if the machine has no
/// id.
fn machine() -> Option<String> {
    const FILES: [&str; 3] = ["/etc/machine-id", "/var/lib/dbus/machine-id", "/etc/hostid"];
    FILES.iter().find_map(|path| {
        let mut text = String::new();
        let file = fs::File::open(path).ok()?;
        file.take(256).read_to_string(&mut text).ok()?;
        let text = text.trim();
        (!text.is_empty()).then(|| format!("{:016x}", xxh3_64(text.as_bytes())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_is_accepted_only_where_it_was_written() {
        let here = Origin {
            path: Text(b"/a/b".to_vec()),
            device: Some(1),
            inode: Some(2),
            birth: Some(Time::new(std::time::UNIX_EPOCH).unwrap()),
            machine: Some("m".into()),
        };
        let compare = |it: &Origin| Origin::compare(Some(it), &here);
        assert_eq!(compare(&here), None);
        assert_eq!(Origin::compare(None, &here), Some(JournalOrigin::Unknown));
        let machine = None;
        let other = Origin { machine, ..here.clone() };
        assert_eq!(compare(&other), Some(JournalOrigin::OtherMachine));
        let path = Text(b"/a/c".to_vec());
        let other = Origin { path, ..here.clone() };
        let path = "/a/c".into();
        assert_eq!(compare(&other), Some(JournalOrigin::OtherPath(path)));
        for other in [
            Origin { inode: Some(3), ..here.clone() },
            Origin { inode: None, ..here.clone() },
            Origin { birth: None, ..here.clone() },
        ] {
            assert_eq!(compare(&other), Some(JournalOrigin::OtherDirectory));
        }
        // Mounted again, the same directory may have another device number.
        let device = Some(9);
        let mounted = Origin { device, ..here.clone() };
        assert_eq!(compare(&mounted), None);
        let old = Origin { birth: None, ..here.clone() };
        let mounted = Origin { device, ..old.clone() };
        let compared = Origin::compare(Some(&mounted), &old);
        assert_eq!(compared, Some(JournalOrigin::OtherDirectory));
    }
}
