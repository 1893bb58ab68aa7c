//! A field of a header, of a message or an HTTP response.

use std::ops::Range;

/// A field (RFC 5322, section 2.2; RFC 9112, section 5) of a kind `K`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field<K> {
    /// The kind of the field.
    pub kind: K,
    /// The bytes of its name.
    pub name: Range<usize>,
    /// The bytes of its value, possibly folded, without the last line break.
    pub value: Range<usize>,
}
