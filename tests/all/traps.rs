//! Command lines that look right and would lose data, break links or hide a failure: each has a
//! message or does what its user expects.

mod check;
#[cfg(unix)]
mod extract;
mod feeds;
mod messages;
mod named;
mod rules;
mod unread;
mod writing;
