//! Helpers of both test binaries.

pub(crate) mod charsets;
pub(crate) mod compressed;
pub(crate) mod dom_oracle;
pub(crate) mod linked_tree;
pub(crate) mod links;
pub(crate) mod mail;
pub(crate) mod planned;
pub(crate) mod stopwatch;
pub(crate) mod tree;
pub(crate) mod unlinked_dom;
