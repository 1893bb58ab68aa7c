//! Markdown.

mod options;
mod slugs;

pub use options::MarkdownOptions;
pub use slugs::Slugs;

// Used by the tests of the repository. Not part of the API.
#[doc(hidden)]
pub use slugs::{Heading, Rendering, ids};
