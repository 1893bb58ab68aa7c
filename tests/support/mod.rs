//! Helpers of both test binaries.

/// An array of strings without commas. rustfmt writes each element of an array on a line of its own
/// if one is long; it leaves these as they are.
macro_rules! strings {
    ($($string:literal)*) => {
        [$($string),*]
    };
}

pub(crate) mod charsets;
pub(crate) mod compressed;
pub(crate) mod dom_oracle;
pub(crate) mod files;
pub(crate) mod linked_tree;
pub(crate) mod links;
pub(crate) mod mail;
pub(crate) mod packages;
pub(crate) mod planned;
pub(crate) mod stopwatch;
pub(crate) mod tree;
pub(crate) mod unlinked_dom;
