//! Find every URL in plain text and HTML, and rewrite links without touching any other byte.
#![deny(unsafe_code)]

pub mod commit;
pub mod document;
pub mod edit;
pub mod error;
pub mod find;
pub mod map;
pub mod report;
pub mod source;
pub mod span;
pub mod uri;
