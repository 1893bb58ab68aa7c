//! Checking the local links of a directory tree, without the network.
//!
//! Every document is read once for a survey: numbers of links, names of anchors. Documents with broken links are read a
//! second time to report them. So memory does not grow with the links of the tree.

mod anchor_cache;
mod documents;
mod event;
mod options;
mod root;
mod run;

pub use event::{CheckEvent, Surveyed};
pub use options::Check;
pub use root::CheckRootError;
