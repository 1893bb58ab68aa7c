//! Rewriting: rules decide about links, and a plan contains the edits and a skip reason for every
//! other link.
//!
//! [`Links::rewrite`](crate::Links::rewrite) makes a [`Plan`] from [`Rules`], or from a function
//! that returns an [`Action`] for each link. To rewrite files, use the job
//! [`Rewrite`](crate::jobs::Rewrite). The module needs the feature `html`.
//!
//! # Inside
//!
//! - **Most documents are rewritten in one pass** (`one_pass`) where only the bytes and the counts
//!   are needed. A plan is made where its links or edits are shown, kept or verified, and where
//!   something after a link decides about it.
//! - **Edits share their buffers** (`Edits`) and are viewed as `Edit`. One allocation for each took
//!   a tenth of the time of rewriting.
//! - **Diffs come from the edits**, not from comparing texts: this is linear, and exact for any
//!   bytes.
//! - **An absolute reference keeps its spelling** under the RFC profiles. RFC 3986 would remove its
//!   dot segments, but link checkers and rewriters need the text as written.
//! - **`--absolute` also rewrites `#fragment` in hyperlinks and forms**, so that the page works
//!   elsewhere. A fragment that names a part of the page, such as a symbol to draw, stays: with a
//!   path, it would be fetched. Other empty references stay: HTML gives them a special meaning in
//!   each place.
//! - **`--relative` keeps relative paths**, even if shorter ones exist.
//! - **A reference that begins with a backslash is skipped**: browsers read it as a slash and the
//!   RFCs do not, so no absolute form means the same to both. Under the profile `whatwg`, a
//!   backslash in a path is a slash.
//! - **References are written for the base of the output** (`OutputBases`). A mapper provides it if
//!   it differs from the document's: when the document moves or its BASE changes. Nested bases
//!   (`xml:base`, `codebase`, a `srcdoc`'s BASE) are rewritten like links when BASE changes, so
//!   that the references inside them need no change.
//! - **A change of BASE is all or nothing**: the plan is made for the new base. If a skipped link
//!   would change its target, the plan is made again for the old base, with the reason
//!   `NeededBase`. Names are exempt: `usemap`, fragments outside hyperlinks and forms, and empty
//!   references outside hyperlinks and forms.
//! - **Removing BASE removes the element** with a directly following end tag if it has no other
//!   attribute; otherwise the attribute, if it is one piece. Verification compares from the
//!   document without its BASE.
//! - **Relative references become absolute if no base is known** after BASE is removed.
//! - **Public URLs of a page stay absolute** (`Absoluteness::Recommended`) under `--relative` and
//!   `--root-relative`: a copy of the page that names itself as canonical would be useless.
//! - **The URL of a page is chosen by its links** (`rewrite::MirrorPage`) if its name allows
//!   several: wget's `page.html` may be `/page.html`, `/page` or, after a redirect, `/page/`, and
//!   so may `page`. In doubt, a URL in the directory of the file wins, so a rewritten tree is read
//!   by its files.
//! - **`--mirror auto` finds the directories of sites by their pages** (`site::mark_roots`).
//!   HTTrack keeps the directories of a URL, so the common end of path and URL is removed, and the
//!   majority of pages decides. The real path is used, since PATH may be inside the copy. Maps find
//!   the tree of a path or URL (`site::places`). HTTrack does not record the scheme; it comes from
//!   the log, from links in the heads of the pages, or is `https`. A relative link of such a page
//!   to an existing file stays. `hts-cache` counts at or below PATH. Above PATH, it counts only in
//!   the directory of the copy and its parent, and only if it has the same owner as the copy.
//! - **The crawl log takes precedence over marks and names** (`site::CrawlLog`,
//!   `Mirror::with_log`). Its paths begin in the crawler's working directory, so leading
//!   directories are removed until most paths are files of the tree. It gives the URL of a page,
//!   whatever its links suggest. A reference to a file that the log assigns to another URL was
//!   rewritten before, unless the log reports its URL as missing.
//! - **The unchanged name comes first** among the candidate files of a URL without a query. A link
//!   written for a file then resolves to that file again, and a second run changes nothing. A log
//!   may override this. If the log gives the written reference another URL (`/d.html` is missing,
//!   and the file `d.html` is the copy of `/d`), the reference begins with `././`, which marks it
//!   as a file reference. Only the spelling can mark it, since an original page may contain the
//!   same bytes. If the log says that links were converted (`wget -k`, HTTrack), each relative
//!   reference to an existing file is a file reference.
//! - **Under `raw` a query stays after the file name**, since it did not choose the file. Under
//!   `wget` and `httrack` it is part of the name: another query is another file, and no query is a
//!   file without it.
//! - **Prefixes are compared normalized, and the rest keeps its spelling**: both forms have the
//!   same delimiters, so the position is counted in delimiters. Dot segments break this; then the
//!   rest of the path is normalized. A URI is looked up at its boundaries by incremental hashes
//!   (`rewrite/rules/prefix`), and only at lengths that prefixes have.
//! - **A pattern is matched against the resolved URI**, not the normalized one: users write
//!   patterns for the URIs that they see.
//! - **A character that the charset lacks is percent-encoded** if a rule adds it. One that the page
//!   spells as a character reference, or the style sheet as an escape, keeps that spelling.
//! - **A URL of text is replaced in one piece**, from its first byte to its last, with the line
//!   breaks and marks between its pieces. If a page break or a second line break is between them,
//!   the link is skipped, since these must stay.
//! - **In text only maps change links**, and only in plain text: URLs there are absolute, and a
//!   moved page does not affect them. The text of HTML, XML and mail has encodings and escapes that
//!   the text scanner does not decode.
//! - **A link is skipped if a nearby edit changes how it is read**, even if its reference stays the
//!   same: with another delimiter, the next run could edit it differently.
//! - **All edits are planned before the first is written**. Documents are read twice, and a run
//!   needs space for its changes under its root: about the size of the edits and some 200 bytes for
//!   each file. In return, a run can be undone byte by byte until another run replaces it.
//! - **Writing files continues** after the reader of the report closes its pipe. After SIGINT or
//!   SIGTERM it stops between two files, and the run can be resumed. A new tree is never written
//!   through a symbolic link.
//! - **A hash is removed only if the same run changes its file**, so the changed files are
//!   determined before the first page is read. A link is mapped to a file by `--base URL=DIR`, or
//!   by the path of a relative reference. The plan then has an edit of the link that removes the
//!   attribute and leaves the link itself unchanged.

mod action;
mod diff;
mod edits;
mod linkify;
mod mapper;
mod one_pass;
mod output_bases;
mod plan;
mod rewritten;
mod rules;
mod skip_reason;
mod verify;

pub use action::Action;
pub use diff::quoted_name;
pub use edits::{Edit, Edits};
pub use linkify::{Anchor, AnchorChoice, Linkified, Linkify, LinkifyError};
pub use output_bases::{BaseElements, BaseElementsError};
pub use plan::Plan;
pub use rewritten::Rewritten;
pub use rules::{
    Evidence, MirrorPage, PatternMap, PatternMapError, PrefixMap, PrefixMapError, Rule, Rules,
};
pub use skip_reason::SkipReason;
pub use verify::Mismatch;

pub(crate) use one_pass::{Output, Watcher, rewrite_in_one_pass, rewrite_into_content};
// Used by the tests, benchmarks and fuzz targets of the repository. Not part of the API.
#[doc(hidden)]
pub use self::{
    diff::{DiffNames, appended_diff, unified_diff},
    mapper::{Decision, Mapper},
    output_bases::OutputBases,
    rules::{DocumentRelocation, DocumentRules, LinkOrigin, Relocation, SiteDocument, Unmappable},
};
#[doc(hidden)]
pub use rules::{FindFile, OfflineBytes, OfflineContent};
