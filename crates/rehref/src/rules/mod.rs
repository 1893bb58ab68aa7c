//! Rules for documents in a tree of files: on a documentation site, in a mirror, or moved.
//!
//! The rules of one document are in the package `rehref-document`. Here are their answers for
//! references that name pages of a site or files of a mirror ([`DocumentRules`]), and the rule that
//! updates references after moves ([`Relocation`]).
//!
//! # Inside
//!
//! - **All moves happen at once** (`Moves`): from the current tree to the new tree, so names can be
//!   exchanged. Anything in the way in the new tree is an error, also after folding case and normal
//!   forms. A tree without a URL gets a private one, under the host `tree.invalid`, so that one
//!   algorithm serves both.
//! - **A reference keeps its form** (`style`, `respell` in `rewrite`): absolute, root-relative, or
//!   a relative path with its `./`, slashes and unnecessary climbing. So moving back restores the
//!   bytes. A URI of a directory follows its index file.
//! - **Only the changed names are written** (`Relocation::new_uri`). Other segments keep their
//!   spelling: empty ones, those with an encoded `/` or NUL, and escapes and character references
//!   in the document (`rewrite/unchanged`). A reference that still resolves to its target is
//!   unchanged; if document and target move together, it only has to name the same file
//!   (`..//a/./x`). Each new reference is resolved and compared with the path of its target, or the
//!   link is skipped.
//! - **No path climbs above the root of the tree unnecessarily**, since it would name the directory
//!   that contains the tree. A path that climbs above the root of a host stays below it (RFC 3986,
//!   section 5.2.4). In a tree without a URL it leaves the tree, as in a file system, and is not
//!   rewritten.
//! - **BASE is rewritten like a link.** All other links are written for the new BASE. If it cannot
//!   be written, the plan is made again for the old one (`rewrite::Plan`).
//! - **Files moved by hand** (`--moved`) are moved back in the listing, and then handled like
//!   others.

mod document;
mod relocation;
mod site_page;

pub use document::DocumentRules;
pub use relocation::{DocumentRelocation, LinkOrigin, Relocation, Unmappable};
pub use site_page::SiteDocument;
