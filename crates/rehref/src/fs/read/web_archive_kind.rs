//! The kinds of web archives, where neither the format nor the compression decides.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use memchr::memmem;

use super::item::Item;
use crate::container::warc::{Wacz, begins_member};

/// The most places where a gzip member may begin that are tried.
const MAX_PROOFS: usize = 16;

/// The first bytes of a ZIP file.
const ZIP_MAGIC: &[u8] = b"PK\x03\x04";

/// Returns true if a record of a web archive begins in a gzip member after the first.
pub(super) fn has_record_member(head: &[u8]) -> bool {
    let magic = &[0x1F, 0x8B, 8];
    let mut members = memmem::find_iter(head, magic).skip(1).take(MAX_PROOFS);
    members.any(|at| begins_member(&head[at..]))
}

/// Returns true if a web archive is a WACZ: a ZIP file. Other bytes may come first in one with such
/// a name.
pub(super) fn is_wacz(item: &Item, head: &[u8]) -> bool {
    let is_zip = |path: &Path| {
        let extension = path.extension();
        extension.is_some_and(|it| it.eq_ignore_ascii_case("wacz"))
            && item.byte_len().is_some()
            && File::open(path).is_ok_and(|file| Wacz::read(BufReader::new(file)).is_ok())
    };
    head.starts_with(ZIP_MAGIC) || item.file().is_some_and(is_zip)
}

/// Returns true if standard input or a pipe begins with a WACZ: a ZIP file with names of a WACZ.
pub(super) fn is_wacz_in_pipe(item: &Item, head: &[u8]) -> bool {
    let has = |name: &str| memmem::find(head, name.as_bytes()).is_some();
    head.starts_with(ZIP_MAGIC)
        && item.byte_len().is_none()
        && (has("archive/") || has("datapackage.json"))
}
