//! Names of schemes before `://`.

/// The longest scheme looked for, in bytes; IANA's longest has 36.
pub(super) const LOOK_BACK: usize = 64;

/// The schemes people write most before `://`, of two that end alike the longer first. A word ends in one of
/// these, not in a scheme of its own, where the writer forgot the blank: `forhttp://a/`.
pub(super) const COMMON: [&[u8]; 6] = [b"https", b"http", b"sftp", b"ftps", b"ftp", b"file"];

/// Schemes that end in one of those.
pub(super) const ALSO_KNOWN: [&[u8]; 5] = [b"tftp", b"hftp", b"hsftp", b"gsiftp", b"shttp"];

/// Hierarchical schemes whose URLs name a host always; others may have `///path`.
pub(super) const WITH_HOST: [&str; 10] = [
    "http", "https", "ftp", "gopher", "nntp", "telnet", "wais", "prospero", "ws", "wss",
];
