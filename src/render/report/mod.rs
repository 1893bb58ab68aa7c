//! The report: one self-contained page about links.
//!
//! - **The page makes no request.** Its policy allows only the style and script in it, by their
//!   hashes.
//! - **Texts of documents are escaped** in one place (`html`). Data for the script is JSON in an
//!   element that is not executed. The script puts it into the page as text only.
//! - **The page can be read without its script**, which only adds the filter, the list and the
//!   record of a link.
//! - **Its size is bounded**: a limited number of links, and excerpts of long documents and long
//!   lines. The page states the numbers that it leaves out.
//! - **Long documents are lists of 100 lines each**, which a browser lays out when they come into
//!   view.

mod changes;
mod collected;
mod html;
mod links;
mod page;
mod problem;
mod shown_link;
mod source;
mod tables;

pub(crate) use changes::PlanPiece;
pub(crate) use collected::{CheckPiece, Collected};
pub(crate) use links::Piece;
pub(crate) use page::{Page, is_report};
