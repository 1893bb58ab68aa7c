//! Mirrors: downloaded copies of sites, with their logs and the marks of their pages.

mod event;
mod host_directory;
mod logs;
mod marks;
mod options;
mod trees;

pub use event::{MirrorEvent, SchemeOrigin};
pub use host_directory::HostDirectory;
pub use options::{MirrorOptions, MirrorSites};
pub use trees::MirrorTrees;
