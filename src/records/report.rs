//! A link with everything that is reported of it.

use std::path::Path;

use crate::bytes::Position;
use crate::document::Document;
use crate::link::{Context, LinkData, Target};
use crate::uri::Parts;

/// A link with everything that is reported of it.
#[derive(Clone, Debug)]
pub struct Report<'r> {
    /// The document.
    pub document: &'r Document,
    /// The link.
    pub link: &'r LinkData<'r>,
    /// The target of the link.
    pub target: Target<'r>,
    /// The line and column of its first byte.
    pub position: Position,
    /// Its context, if contexts are reported: `Some(None)` for a link that is not in HTML.
    pub context: Option<Option<Context<'r>>>,
    /// The URL that a mail gateway replaced, if such URLs are reported: `Some(None)` for a link that is not a
    /// gateway's.
    pub unwrapped: Option<Option<&'r str>>,
}

impl<'r> Report<'r> {
    /// Returns the URL of the link if known, else the reference as written.
    pub fn value(&self) -> &str {
        self.target.uri.unwrap_or(&self.link.reference)
    }

    /// Returns the scheme of the URL if known.
    pub fn scheme(&self) -> Option<&str> {
        Parts::split(self.target.uri?).scheme
    }

    /// Returns the host of the URL if known.
    pub fn host(&self) -> Option<&str> {
        Parts::split(self.target.uri?).host()
    }

    /// Returns the name of the document.
    pub fn name(&self) -> &'r Path {
        &self.document.name
    }
}
