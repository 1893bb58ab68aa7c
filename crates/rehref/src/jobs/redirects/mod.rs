//! Redirects from old to new addresses after moves: rules for web servers, pages, or what the
//! programs of documentation sites read.

mod entries;
mod files;
mod kind;
mod pages;
mod redirect_file;
mod rules;
mod site;

pub(in crate::jobs) use files::redirect_files;
pub use kind::Redirects;
pub(in crate::jobs) use redirect_file::{AddedRedirects, RedirectFile, RedirectFiles};
