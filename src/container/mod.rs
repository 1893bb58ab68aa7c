//! Containers of documents: mailboxes and messages. Pure readers.

pub mod mail;
