//! The metadata of files and directories.

/// What there is under a name. Symbolic links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fs) enum Kind {
    File,
    Directory,
    Link,
    Other,
}

/// What is known of a file or a directory without opening it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fs) struct Stamp {
    pub(in crate::fs) kind: Kind,
    /// The device and the inode, where there are such.
    pub(in crate::fs) identity: Option<(u64, u64)>,
    pub(in crate::fs) owner: u32,
    pub(in crate::fs) mode: u32,
    pub(in crate::fs) len: u64,
    /// The time of modification.
    pub(super) time: (i64, i64),
}

impl Stamp {
    /// Whether the same file has most probably the same content.
    #[cfg(feature = "serde")]
    pub(in crate::fs) fn is_same_content(&self, other: &Self) -> bool {
        (self.kind, self.identity, self.len, self.time)
            == (other.kind, other.identity, other.len, other.time)
    }
}

/// How a file that is there is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fs) enum Access {
    Read,
    ReadWrite,
    /// It is created, for its owner alone, if it is not there.
    Create,
}
