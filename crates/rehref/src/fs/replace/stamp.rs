//! The metadata of files and directories.

/// The kind of a directory entry. Symbolic links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fs) enum Kind {
    File,
    Directory,
    Link,
    Other,
}

/// The metadata of a file or directory, read without opening it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fs) struct Stamp {
    pub(in crate::fs) kind: Kind,
    /// The device and inode number, if available.
    pub(in crate::fs) identity: Option<(u64, u64)>,
    pub(in crate::fs) owner: u32,
    pub(in crate::fs) mode: u32,
    pub(in crate::fs) len: u64,
    /// The time of modification.
    pub(super) time: (i64, i64),
}

impl Stamp {
    /// Returns true if the file most likely has the same content as before.
    pub(in crate::fs) fn is_same_content(&self, other: &Self) -> bool {
        (self.kind, self.identity, self.len, self.time)
            == (other.kind, other.identity, other.len, other.time)
    }
}

/// The mode of opening a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fs) enum Access {
    Read,
    ReadWrite,
    /// Read and write; created with access for its owner only, if it does not exist.
    Create,
}
