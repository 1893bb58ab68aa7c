//! Mirrors: local copies of sites by wget, HTTrack and browsers, and the URL of each file.
//!
//! # Inside
//!
//! - **Mirrors** ([`Mirror`]) have local URLs while they are rewritten: the common directory gets
//!   the private URL, and references are written relative to that as the base of the output. So a
//!   BASE with the live URL is another base, under which no reference has a local file. Records and
//!   absolute references have the public URLs (`Mapper::public_url`).
//! - **The log of a crawl wins over marks, and marks over names** (`CrawlLog`, `saved_from`). A log
//!   gives the URL of a page, for any links in it. A mark gives a URL its copy, for any name of the
//!   file, and excludes others.
//! - **The option `-E` of wget is detected from the tree** (`Mirror::with_plain_pages`): a page
//!   such as `main.rs` excludes it, a name such as `x.cgi?25.html` proves it. With neither or both,
//!   `page.html` may be the copy of `/page/`.
//! - **The URL of a page is chosen by its links** (`MirrorPage`) if its name allows
//!   several: wget's `page.html` may be `/page.html`, `/page` or, after a redirect, `/page/`, and
//!   so may `page`. In doubt, a URL in the directory of the file wins, so a rewritten tree is read
//!   by its files.
//! - **`--mirror auto` finds the directories of sites by their pages** (`mark_roots`). HTTrack
//!   keeps the directories of a URL, so the common end of path and URL is removed, and the majority
//!   of pages decides. The real path is used, since PATH may be inside the copy. Maps find the tree
//!   of a path or URL (`places`). HTTrack does not record the scheme; it comes from the log, from
//!   links in the heads of the pages, or is `https`. In these pages, a relative link to an existing
//!   file is unchanged. `hts-cache` counts at or below PATH. Above PATH, it counts only in the
//!   directory of the copy and its parent, and only if it has the same owner as the copy.
//! - **The crawl log takes precedence over marks and names** (`CrawlLog`, `Mirror::with_log`). Its
//!   paths begin in the crawler's working directory, so leading directories are removed until most
//!   paths are files of the tree. It gives the URL of a page, even if its links suggest another. A
//!   reference to a file that the log assigns to another URL was rewritten before, unless the log
//!   reports its URL as missing.
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

mod copy;
mod crawl_log;
mod local_name;
mod mark_roots;
mod page;
mod places;
mod rule;
mod saved_from;

pub use copy::{LogFit, Mirror, MirrorCopy, MirrorFile};
pub use crawl_log::{CrawlLog, CrawlLogError};
pub use local_name::{LocalName, LocalNames};
pub use mark_roots::mark_roots;
pub use page::{Evidence, MirrorPage};
pub use rule::MirrorDocument;
pub use saved_from::{MARK_REACH, saved_from};
