//! Command lines that look right and would lose data, break links or hide a failure: each has a message or does what its
//! user expects.

#[cfg(unix)]
mod extract;
mod rules;
mod writing;
