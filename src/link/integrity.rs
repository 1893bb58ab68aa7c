//! `integrity` attributes: hashes of link targets.

/// An `integrity` attribute: the hash of a link's target (W3C Subresource Integrity). A browser refuses a target with
/// another hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Integrity {
    /// The number of the link: the `src` of a `script`, or the `href` of a `link`.
    pub link: usize,
    /// The bytes to delete to remove the attribute: the attribute and the white space before it. None if the tag has
    /// a second `integrity`, which would take effect instead.
    pub removal: Option<crate::bytes::Span>,
}

impl Integrity {
    /// The name of the rule that removes such an attribute.
    pub const RULE: &'static str = "integrity";
}
