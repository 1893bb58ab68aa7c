//! Finding the links of a document, each with the exact bytes that spell it.

pub mod text;
