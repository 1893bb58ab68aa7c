//! Putting bytes into files, so that each file is wholly old or wholly new at every moment. This is
//! the only place that writes files.
//!
//! [`replace`] does so for one file, and [`NewTree`] beside the old tree. Where many files are written in
//! place, a plan is written down first: what changes in each file, and which files are moved and created. From
//! then on, whatever happens to the process or the machine, the run can be finished or taken back:
//!
//! ```
//! # #[cfg(feature = "serde")] {
//! use rehref::commit::{ApplyOptions, Edit, PlanWriter, Root, Run, RunState};
//! # let folder = tempfile::tempdir()?;
//! # std::fs::write(folder.path().join("a.html"), "<a href=b>")?;
//!
//! let root = Root::new(folder.path())?;
//! let mut plan = PlanWriter::begin(&root)?;
//! let change = (8..9, &b"http://h/b"[..]);
//! plan.edit(Edit::new(&root, "a.html".as_ref(), b"<a href=b>", [change], None)?)?;
//! plan.make_folder("new".as_ref())?;
//! plan.rename("a.html".as_ref(), "new/a.html".as_ref())?;
//! if let Some(run) = plan.finish()? {
//!     let applied = run.apply(&ApplyOptions::default())?;
//!     assert_eq!(applied.state, RunState::Finished);
//! }
//! assert_eq!(std::fs::read(folder.path().join("new/a.html"))?, b"<a href=http://h/b>");
//!
//! if let Some(run) = Run::open(&root)? {
//!     run.undo(&ApplyOptions::default())?;
//! }
//! assert_eq!(std::fs::read(folder.path().join("a.html"))?, b"<a href=b>");
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "serde")]
mod apply;
mod attributes;
// What is done in directories but writing new trees and replacing files is for journals.
#[cfg_attr(not(feature = "serde"), allow(dead_code, unused_imports))]
mod dir;
#[cfg(feature = "serde")]
mod edits;
#[cfg(feature = "serde")]
mod journal;
#[cfg(feature = "serde")]
mod line;
mod new_tree;
#[cfg(feature = "serde")]
mod origin;
#[cfg(feature = "serde")]
mod plan;
#[cfg(feature = "serde")]
mod planned;
#[cfg(feature = "serde")]
mod preflight;
mod replace;
#[cfg(feature = "serde")]
mod root;
#[cfg(feature = "serde")]
mod state;
#[cfg(feature = "serde")]
mod steps;
mod temporary;

#[cfg(feature = "serde")]
pub use apply::{Applied, ApplyOptions, Rename, Run, RunState};
#[cfg(feature = "serde")]
pub use line::Counts;
pub use new_tree::NewTree;
#[cfg(feature = "serde")]
pub use plan::{Edit, PlanWriter};
#[cfg(feature = "serde")]
pub use planned::PlannedStep;
pub use replace::{Replaced, back_up, replace};
#[cfg(feature = "serde")]
pub use root::{Root, is_tool_state, rename_new};
