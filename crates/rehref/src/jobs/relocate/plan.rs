//! Plans that can be shown before they are applied.

use std::ops::ControlFlow;

use super::options::{MoveOutcome, Relocate};
use crate::error::Diagnostic;
use crate::jobs::edits::{DiffRoot, EditEvent, EditReport, MovedKind, append_move_diff};
use crate::jobs::error::JobError;
use crate::jobs::sink::no_piece;
use crate::records::{EditRecord, MoveRecord};

/// The plan of a [`Relocate`] run.
#[derive(Debug)]
#[non_exhaustive]
pub struct RelocatePlan {
    /// The edits.
    pub edits: Vec<EditRecord<'static>>,
    /// The moved files.
    pub moves: Vec<MoveRecord<'static>>,
    /// The numbers.
    pub report: EditReport,
    relocate: Relocate,
    diff: Vec<u8>,
}

/// The results of a document.
#[derive(Default)]
struct Piece {
    edits: Vec<EditRecord<'static>>,
    moves: Vec<MoveRecord<'static>>,
    diff: Vec<u8>,
}

impl Relocate {
    /// Plans the moves and edits in memory, and writes nothing. Linear in the documents of the
    /// tree.
    ///
    /// # Errors
    /// If a path cannot be moved.
    pub fn plan(self) -> Result<RelocatePlan, JobError> {
        let relocate = Self { outcome: MoveOutcome::DryRun, ..self };
        let mut all = Piece::default();
        let root = DiffRoot::of_paths([relocate.root.as_path()]);
        all.diff.extend(root.header().unwrap_or_default());
        let render = |event: EditEvent<'_>, out: &mut Piece| render(event, &root, out);
        let report = relocate.run(render, |piece: Piece| {
            all.edits.extend(piece.edits);
            all.moves.extend(piece.moves);
            all.diff.extend(piece.diff);
            ControlFlow::Continue(())
        })?;
        Ok(RelocatePlan { edits: all.edits, moves: all.moves, report, relocate, diff: all.diff })
    }
}

fn render(event: EditEvent<'_>, root: &DiffRoot, out: &mut Piece) {
    let _: Option<Diagnostic<'_>> = append_move_diff(&event, root, &mut out.diff);
    match event {
        EditEvent::Document(plan) => {
            EditRecord::for_each(plan, |record| out.edits.push(record.clone().into_owned()));
        }
        EditEvent::Moved { old, new, kind } => {
            let done = kind == MovedKind::Before;
            out.moves.push(MoveRecord::new(old, new, done).into_owned());
        }
        _ => {}
    }
}

impl RelocatePlan {
    /// Returns the moves and edits as a unified diff, as `git apply` reads it, with names relative
    /// to the current directory, or to the root if that is elsewhere: the first line then names it.
    /// Bytes that are not UTF-8 are replaced.
    pub fn diff(&self) -> String {
        String::from_utf8_lossy(&self.diff).into_owned()
    }

    /// Returns the bytes of the [diff](Self::diff).
    pub fn diff_bytes(&self) -> &[u8] {
        &self.diff
    }

    /// Moves and edits the files. Documents are read again, so the plan is that of their content
    /// now.
    ///
    /// # Errors
    /// If a file could not be read or written.
    pub fn apply(&self) -> Result<EditReport, JobError> {
        let apply = Relocate { outcome: MoveOutcome::Apply, ..self.relocate.clone() };
        apply.run(|_, ()| {}, no_piece)
    }
}
