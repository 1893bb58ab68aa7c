//! `integrity` attributes: the hash of what a link leads to.

/// An `integrity` attribute, beside the link whose target it is about (W3C Subresource Integrity): where that
/// changes, a browser refuses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integrity {
    /// The number of the link: the `src` of a `script`, or the `href` of a `link`.
    pub link: usize,
    /// The attribute with the white space before it: the bytes that go if it is to go. None where the tag has
    /// another of the name, which would take its place.
    pub removal: Option<crate::bytes::Span>,
}

impl Integrity {
    /// The name of the rule by which such an attribute goes.
    pub const RULE: &'static str = "integrity";
}
