//! The header and the trailer of a gzip member.

use memchr::memchr;

/// The length of the header of a member (RFC 1952, section 2.3). `None` if it is incomplete.
///
/// The first three bytes and the reserved flags are ignored.
pub(super) fn header_len(member: &[u8]) -> Option<usize> {
    let flags = *member.get(3)?;
    let [has_checksum, has_extra, has_name, has_comment] =
        [2, 4, 8, 16].map(|bit| flags & bit != 0);
    let mut len = 10;
    if has_extra {
        let extra = member.get(len..)?.first_chunk::<2>()?;
        len += 2 + usize::from(u16::from_le_bytes(*extra));
    }
    for _ in 0..usize::from(has_name) + usize::from(has_comment) {
        len += memchr(0, member.get(len..)?)? + 1;
    }
    len += 2 * usize::from(has_checksum);
    (len <= member.len()).then_some(len)
}

/// The length of the trailer of a member.
pub(super) const TRAILER: usize = 8;

/// The trailer of a member: the checksum and the length, modulo 2^32, of its inflated bytes.
pub(super) fn trailer(checksum: u32, len: u32) -> [u8; TRAILER] {
    let [c0, c1, c2, c3] = checksum.to_le_bytes();
    let [l0, l1, l2, l3] = len.to_le_bytes();
    [c0, c1, c2, c3, l0, l1, l2, l3]
}
