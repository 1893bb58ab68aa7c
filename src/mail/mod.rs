//! Mail messages: how their bodies and header fields are encoded.

pub mod transfer;
pub mod words;
