//! Checking the local links of files and directory trees, without the network.
//!
//! Every document is read once for a survey: numbers of links, names of anchors. Documents with
//! broken links are read a second time to report them. So memory does not grow with the links of
//! the tree.

mod anchor_cache;
mod baseline;
mod copies;
mod documents;
mod event;
mod options;
mod package;
mod package_cache;
mod paths;
mod root;
mod run;
mod surveying;
mod trees;

pub use baseline::{Baseline, BaselineError};
pub use event::{CheckEvent, Surveyed};
pub use options::Check;
pub use root::CheckRootError;
