//! The header of a gzip member.

use memchr::memchr;

/// The length of the header of a member (RFC 1952, section 2.3). `None` if it is incomplete.
///
/// The first three bytes are not looked at, nor are the reserved flags.
pub(super) fn len(member: &[u8]) -> Option<usize> {
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
