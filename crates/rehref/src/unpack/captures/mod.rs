//! Captures of web archives: the selection of those that become files, the names of the files, and
//! the files of URLs.
//!
//! A run adds all captures of its archives to [`Captures`], in any order. [`Chosen`] has one
//! capture for each URL, with the redirects between them. Memory grows with the number of captures,
//! not with their bodies, and URLs have a maximum length.

mod answer;
mod choice;
mod chosen;
mod file_type;
mod index;
mod joined;
mod lack;
mod names;
mod redirects;

pub use choice::CaptureChoice;
pub use chosen::{Chosen, ChosenFile, Found, UrlId};
pub use file_type::FileType;
pub use index::{
    Capture, CapturePart, Captures, MAX_URL, RecordPosition, Revisit, RevisitRecord, is_of_web,
    url_key,
};
pub use joined::Piece;
pub use lack::Lack;
pub use names::{LocalPath, reference_between};
pub use redirects::Redirect;
