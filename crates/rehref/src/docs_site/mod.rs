//! Link rules of documentation generators: the source file that the address of a page refers to.
//!
//! A program that makes a site of Markdown files gives each page a separate address, and links may
//! be written for the files or for the addresses. A [`SiteKind`] has the rules of a program. A
//! `DocsSite` is one site in a tree:
//!
//! - **Mounts** are the directories whose files are on the site, each with its path on it: `docs`
//!   at `/docs`, `static` at `/`. A document belongs to the layout with the innermost mount that
//!   contains it. Other documents are plain.
//! - **A link to an existing file always refers to that file**, relative to the document. If the
//!   file does not exist, the path is resolved against the address of the document's page, and
//!   looked up among the addresses of pages. A path from the root is looked up on the site first.
//!   So rules never change the target of a link that a plain look-up finds, except for paths from
//!   the root.
//! - **Addresses are computed from names** (`address`), for all files at once, when the first link
//!   needs them. Front matter may give a page another address: `front_matter` reads it for the
//!   programs that have these keys.
//! - **A target has a form** (`Form`): the start of its path, and the shape of its end, such as
//!   `guide/` or `guide.html`. The inverse writes a path of the same form to the new place of a
//!   file. The reference is then looked up again in the new tree. If it has another target, the
//!   other shapes follow, and the plain path last.
//! - **Pages without a file** (`generated`), such as lists of tags, are identified by their path
//!   alone. Links to them from the root of the site are neither broken nor followed. The same
//!   applies to links to a part of the site that is outside of the tree.

mod address;
mod config;
mod config_names;
mod config_values;
mod detect;
mod directives;
mod docs_sites;
mod docusaurus;
mod excluded;
mod form;
mod front_matter;
mod generated;
mod hugo;
mod hugo_directories;
mod jekyll;
mod kind;
mod lookup;
mod mkdocs;
mod named_pages;
mod names;
mod nextra;
mod page_index;
mod paths;
mod programs;
mod published;
mod remotes;
mod routes;
mod spell;
mod starlight;
mod vitepress;
mod written;

pub use config::ConfigFiles;
pub(crate) use config_names::MovedNames;
pub use detect::detect;
pub(crate) use directives::{named_by, outside, respelled_above, respelled_path};
pub use docs_sites::DocsSites;
pub use kind::{SiteChoice, SiteKind, UnknownSiteKind};
pub(crate) use lookup::{PageLookup, PageTarget, SitePages};
pub(crate) use page_index::PageIndex;
pub(crate) use published::PublishedPage;
pub(crate) use spell::{Old, respelled};
pub(crate) use written::{Reach, SitePlace};
