//! URLs in plain text.
