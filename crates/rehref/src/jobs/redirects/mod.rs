//! Redirects from old to new addresses after moves: rules for web servers, or pages.

mod files;
mod kind;
mod pages;
mod rules;

pub(in crate::jobs) use files::{RedirectFile, RedirectFiles, redirect_files};
pub use kind::Redirects;
