//! Links that are reported.

use super::BrokenReason;
use crate::document::Link;

/// A broken link.
#[derive(Clone, Debug)]
pub struct Broken<'b> {
    /// The link. In a tree without a URL its absolute URL is a private one, under
    /// `http://tree.invalid/`: use `url`.
    pub link: Link<'b>,
    /// The target URL. `None` in a tree without a URL, and if the reference cannot be resolved.
    pub url: Option<&'b str>,
    /// The reason.
    pub why: BrokenReason,
    /// A suggested reference: to the nearest existing file, with the query and fragment as written,
    /// or to the nearest anchor of the file if that exists. Never empty, and never the reference of
    /// the link itself.
    pub near: Option<String>,
    /// The target, which all references to it have in common: the path of the file after
    /// [`CheckOptions::prefix`](super::CheckOptions::prefix), or its URL in a tree with a URL; with
    /// the fragment if that is not found. The reference if it has no path.
    pub target: String,
    /// The suggestion in the form of `target`.
    pub near_target: Option<String>,
}

/// A link that is reported.
#[derive(Clone, Debug)]
pub enum Finding<'b> {
    /// It is broken.
    Broken(Broken<'b>),
    /// Its target could not be looked up.
    Unknown(Link<'b>),
}
