//! The codings that the fields of a response declare.

use smallvec::SmallVec;

use crate::format::http::{FieldKind, Head};

/// A coding of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// RFC 9112, section 7.1.
    Chunked,
    Compressed(Compression),
    /// Not read.
    Unknown,
}

/// A coding that compresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    /// RFC 1952.
    Gzip,
    /// RFC 1950, or RFC 1951 alone.
    Deflate,
    /// RFC 7932.
    Brotli,
    /// RFC 8878.
    Zstd,
}

impl Coding {
    /// The coding with this name, in any case. `None` if it changes nothing.
    fn named(name: &str) -> Option<Self> {
        let is = |names: &[&str]| names.iter().any(|it| name.eq_ignore_ascii_case(it));
        if is(&["", "identity"]) {
            None
        } else if is(&["chunked"]) {
            Some(Self::Chunked)
        } else if is(&["gzip", "x-gzip"]) {
            Some(Self::Compressed(Compression::Gzip))
        } else if is(&["deflate"]) {
            Some(Self::Compressed(Compression::Deflate))
        } else if is(&["br"]) {
            Some(Self::Compressed(Compression::Brotli))
        } else if is(&["zstd"]) {
            Some(Self::Compressed(Compression::Zstd))
        } else {
            Some(Self::Unknown)
        }
    }
}

/// The maximum number of codings that are undone: those that were applied last.
const MOST: usize = 8;

/// The codings of a body, in the order in which they were applied: content codings before transfer
/// codings.
pub(super) fn codings_of(head: &Head, block: &[u8]) -> SmallVec<[Coding; 2]> {
    let mut codings = SmallVec::new();
    for kind in [FieldKind::ContentEncoding, FieldKind::TransferEncoding] {
        for value in head.values(kind, block) {
            for item in value.split(',') {
                let name = item.split(';').next().unwrap_or_default();
                codings.extend(Coding::named(name.trim()));
            }
        }
    }
    if codings.len() > MOST {
        codings.drain(..codings.len() - MOST);
    }
    codings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codings_are_in_lists_and_several_fields() {
        use Coding::{Chunked, Compressed, Unknown};
        use Compression::{Brotli, Deflate, Gzip, Zstd};
        let of = |fields: &str| {
            let block = format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n");
            let head = Head::read(block.as_bytes()).unwrap();
            codings_of(&head, block.as_bytes()).to_vec()
        };
        assert_eq!(of("Content-Encoding: GZIP"), [Compressed(Gzip)]);
        assert_eq!(of("Content-Encoding: identity"), []);
        assert_eq!(of("Content-Encoding:"), []);
        assert_eq!(of("Content-Encoding: UTF-8"), [Unknown]);
        let list = "transfer-encoding: x-gzip;q=1,\r\n chunked\r\nContent-Encoding: deflate , br\r\ncontent-encoding: zstd";
        let expected =
            [Compressed(Deflate), Compressed(Brotli), Compressed(Zstd), Compressed(Gzip), Chunked];
        assert_eq!(of(list), expected);
        let many = of(&format!("Content-Encoding: {}br", "gzip,".repeat(1000)));
        assert_eq!(many.len(), MOST);
        assert_eq!(many.last(), Some(&Compressed(Brotli)));
    }
}
