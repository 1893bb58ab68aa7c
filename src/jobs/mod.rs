//! Whole runs for any front end: command lines, language bindings, editors, servers.
//!
//! A job reads its documents in parallel and reports typed events in the order of the documents. It prints nothing and
//! never ends the process. A [`Stop`] token ends a run early.
//!
//! Each job has two ways to receive events. A callback on one thread is the simple one. The other renders events in the
//! worker threads, into a piece of output for each document, and delivers the pieces in order: so rendering is parallel
//! too, and memory is bounded by what may wait.

#[cfg(feature = "serde")]
mod check;
mod extract;
mod inputs;
#[cfg(feature = "serde")]
mod names;
#[doc(hidden)]
pub mod ordered;
#[cfg(feature = "serde")]
#[doc(hidden)]
pub mod redirects;
mod stop;

#[cfg(feature = "serde")]
pub use check::{Check, CheckEvent, Surveyed};
pub use extract::{Extract, ExtractEvent, ExtractTotals, HostGlobError, LinkFilter};
#[doc(hidden)]
pub use inputs::turn;
pub use inputs::{Inputs, threads};
#[cfg(feature = "serde")]
pub use redirects::Redirects;
pub use stop::Stop;
