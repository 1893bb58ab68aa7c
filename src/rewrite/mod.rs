//! Rewriting: rules decide about links, a plan has the edits and the reasons for all other links.
//!
//! # Decisions
//!
//! - **What edits bring is kept together** (`Edits`), and looked at as `Edit`: an allocation for each took a tenth of
//!   the time of rewriting.
//! - **Diffs come from the edits**, not from comparing texts: linear, and exact for any bytes.
//! - **A reference that is absolute keeps its spelling** under the RFC profiles. RFC 3986 would remove
//!   its dot segments; a link checker or a rewriter wants what is written.
//! - **`--absolute` also rewrites `#fragment` where one navigates**, so that the page can be read
//!   elsewhere. Where a fragment names a part of the page, such as a symbol that is drawn, it stays: with
//!   a path before it, it would have to be fetched. Empty references stay: HTML gives them a meaning of
//!   their own in each place.
//! - **`--relative` leaves relative paths as they are**, even if shorter ones exist.
//! - **A reference that begins with a backslash is kept**: browsers read it as a slash, the RFCs do not,
//!   and no absolute form means the same to both. Under the profile `whatwg` a backslash in a path is a slash.
//! - **References are written for the base of the output** (`OutputBases`), which a mapper names where it is not the
//!   document's: for a document that moves, or whose BASE changes. Bases that are nested in it (`xml:base`,
//!   `codebase`, a `srcdoc`'s BASE) are rewritten as any link is when BASE changes, so that what they hold need not
//!   be.
//! - **A change of BASE is all or nothing**: the plan is made for the new base, and if a link that it keeps would
//!   lead elsewhere it is made again for the old one, with the reason `NeededBase`. Names are apart from that:
//!   `usemap`, fragments of links that are not navigated to, and empty references but for those of hyperlinks and forms.
//! - **Where BASE goes, so does its element**, if it says nothing else, with an end tag that follows at once; else
//!   the attribute, in one piece. To verify, the document is read without its BASE, and compared from there.
//! - **Relative references become absolute where no base is known**, once BASE is gone.
//! - **What others know a page by stays absolute** (`Form::Canonical`) under `--relative` and `--root-relative`: a
//!   copy of the page that names itself as canonical would say nothing.
//! - **The URL of a page is chosen by its links** (`rewrite::MirrorPage`), where its name allows several: the file `page.html`
//!   of wget may be `/page.html`, `/page` or, after a redirect, `/page/`, and so may `page`. In doubt a URL in the directory of the file wins,
//!   so a tree that has been rewritten is read as it stands.
//! - **`--mirror auto` finds the directories of sites by their pages** (`site::mark_roots`): HTTrack keeps the directories of a
//!   URL, so what path and URL have in common at their ends is left out, and most pages decide. The real path counts, since
//!   PATH may be a part of the copy. Which tree has a path or a URL, maps tell (`site::places`). The scheme, which HTTrack does
//!   not say, is that of the log, of the links in the heads of the pages, or `https`. A relative link of such a page to an
//!   existing file stays. `hts-cache` counts at or below PATH; above PATH, only in the directory of the copy and the one above,
//!   and only if it belongs to the owner of the copy.
//! - **The log of the crawl goes before marks and names** (`site::CrawlLog`, `Mirror::with_log`). Its paths begin where the
//!   program ran, so leading directories are left out until most of them are files of the tree. It says the URL of a page,
//!   whatever its links say. A reference to a file whose
//!   logged URL is another one was rewritten before, unless the log calls its URL missing.
//! - **The name itself comes first** among the names that a URL's file may have, wherever the URL has no query: so what was
//!   written for a file links to that file again, and a second run has nothing to do. With a log that holds only where the log
//!   does not say otherwise. Where the URL of what is written would be another one by the log (`/d.html` is missing, and the
//!   file `d.html` is the copy of `/d`), the reference begins with `././`, which says that it is about files. The same bytes
//!   could be those of an original page, so nothing but the spelling can say it. A log that says that links were converted
//!   (`wget -k`, HTTrack) makes each relative reference to an existing file one about files.
//! - **Under `raw` a query stays behind the name of the file**, which the query did not choose; under `wget` and
//!   `httrack` it is part of the name, so another query is another file, and without it there is none.
//! - **Prefixes are compared normalised, and what follows keeps its spelling**: both have the same delimiters, so
//!   the place is counted. Only dot segments break that; then the path goes on as it is normalised. A URI is looked
//!   up at its boundaries by hashes that go on from one to the next (`rewrite/rules/prefix`), and not at all where no prefix is
//!   as long.
//! - **A pattern is matched with the URI as it is resolved**, not normalised: who writes one has seen the URIs.
//! - **A character that the charset lacks is percent-encoded** where a rule brings it in; where the page
//!   spells it by a character reference, or the sheet by an escape, it goes on doing so.
//! - **A URL of text is replaced in one piece**, from its first byte to its last, with the line end and the
//!   marks between its pieces. Where a page break or a second line end stands there the link is kept, for
//!   that is not ours to delete.
//! - **In text only maps change links**, and only in plain text: a URL there is absolute already, and
//!   nothing follows it when a page is moved. The text of HTML, XML and mail has encodings and escapes that
//!   the search does not know.
//! - **A link is kept if an edit near it changes how it is read**, even where it still says the same: by
//!   another cue it could be edited otherwise the next time.
//! - **All edits are planned before the first is made**, so documents are read twice, and a run needs room for its
//!   changes under its root: about what the edits change, and some 200 bytes a file. What comes of it is that a run
//!   can be taken back, byte by byte, as long as no other has taken its place.
//! - **Where files are written, the writing goes on** when nobody reads the report, and ends between two
//!   files after SIGINT or SIGTERM; then the run can be resumed. A new tree is written through no symbolic link.
//! - **A hash goes only where its file is changed by the same run**: for that it has to be known which files change
//!   before the first page is read. Where links lead in the file system is told by `--base URL=DIR`, else by the path
//!   that a relative reference is. Where an attribute goes the plan has an edit of the link that it stands beside, which
//!   says nothing of the link itself.

mod action;
mod diff;
mod document_plan;
mod edits;
mod mapper;
mod output;
mod output_bases;
mod plan;
mod rules;
mod skip_reason;
mod verify;

pub use action::Action;
pub use diff::{DiffNames, appended_diff, quoted_name, unified_diff};
pub use document_plan::DocumentPlan;
pub use edits::{Edit, Edits};
pub use mapper::{Decision, Mapper};
pub use output_bases::{BaseElements, OutputBases};
pub use plan::Plan;
pub(crate) use rules::is_apart_from_base;
pub use rules::{
    DocumentRelocation, DocumentRules, Evidence, MirrorPage, PatternMap, PatternMapError,
    PrefixMap, PrefixMapError, Relocation, Rule, Rules, Unmappable,
};
pub use skip_reason::SkipReason;
pub use verify::{Mismatch, verify};
