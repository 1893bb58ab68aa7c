//! Names of schemes before `://`.

/// The maximum length of a scheme that is read, in bytes. The longest registered one has 36.
pub(super) const LOOK_BACK: usize = 64;

/// The schemes most often written before `://`. Of two with the same ending the longer comes first.
/// A word may end in one of these where the writer forgot the space: `forhttp://a/`.
pub(super) const COMMON: [&[u8]; 6] = [b"https", b"http", b"sftp", b"ftps", b"ftp", b"file"];

/// Schemes that end in one of [`COMMON`].
pub(super) const ALSO_KNOWN: [&[u8]; 5] = [b"tftp", b"hftp", b"hsftp", b"gsiftp", b"shttp"];

/// Hierarchical schemes whose URLs always have a host. Others may have `///path`.
pub(super) const WITH_HOST: [&str; 10] =
    ["http", "https", "ftp", "gopher", "nntp", "telnet", "wais", "prospero", "ws", "wss"];
