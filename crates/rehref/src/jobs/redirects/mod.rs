//! Redirects from old to new addresses after moves: rules for web servers, pages, or what the
//! programs of documentation sites read.

mod entries;
mod files;
mod kind;
mod pages;
mod rules;
mod site;

pub(in crate::jobs) use files::{RedirectFile, RedirectFiles, redirect_files};
pub use kind::Redirects;
