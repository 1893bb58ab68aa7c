//! Runs that write in place, so that they can be finished or undone.
//!
//! A plan is written down first: what changes in each file, and which files are moved and created. From
//! then on, whatever happens to the process or the machine, the run can be finished or taken back:
//!
//! ```
//! # #[cfg(feature = "serde")] {
//! use rehref::fs::journal::{ApplyOptions, Edit, PlanWriter, Root, Run, RunState};
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
mod applied;
#[cfg(feature = "serde")]
mod edits;
#[cfg(feature = "serde")]
mod journal_file;
#[cfg(feature = "serde")]
mod line;
#[cfg(feature = "serde")]
mod order;
#[cfg(feature = "serde")]
mod origin;
#[cfg(feature = "serde")]
mod plan;
#[cfg(feature = "serde")]
mod planned;
#[cfg(feature = "serde")]
mod preflight;
#[cfg(feature = "serde")]
mod root;
#[cfg(feature = "serde")]
mod run;
#[cfg(feature = "serde")]
mod state;
#[cfg(feature = "serde")]
mod steps;
#[cfg(feature = "serde")]
mod values;

#[cfg(feature = "serde")]
pub use applied::{Applied, ApplyOptions, Rename, RunState};
#[cfg(feature = "serde")]
pub use line::Counts;
#[cfg(feature = "serde")]
pub use plan::{Edit, PlanWriter};
#[cfg(feature = "serde")]
pub use planned::PlannedStep;
#[cfg(feature = "serde")]
pub use root::{Root, is_tool_state, rename_noreplace};
#[cfg(feature = "serde")]
pub use run::Run;
