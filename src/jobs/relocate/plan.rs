//! Plans that can be shown before they are applied.

use std::ops::ControlFlow;

use super::options::{MoveOutcome, Relocate, RelocateReport};
use crate::jobs::edits::{
    DocumentNames, EditEvent, append_diff, append_head, append_moved, append_new_file,
};
use crate::jobs::error::JobError;
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
    pub report: RelocateReport,
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
    /// Plans the moves and edits in memory, and writes nothing. Linear in the documents of the tree.
    ///
    /// # Errors
    /// If a path cannot be moved.
    pub fn plan(self) -> Result<RelocatePlan, JobError> {
        let relocate = Self {
            outcome: MoveOutcome::DryRun,
            ..self
        };
        let mut all = Piece::default();
        let report = relocate.run(render, |piece: Piece| {
            all.edits.extend(piece.edits);
            all.moves.extend(piece.moves);
            all.diff.extend(piece.diff);
            ControlFlow::Continue(())
        })?;
        Ok(RelocatePlan {
            edits: all.edits,
            moves: all.moves,
            report,
            relocate,
            diff: all.diff,
        })
    }
}

fn render(event: EditEvent<'_>, out: &mut Piece) {
    match event {
        EditEvent::Document(edited) => {
            edited.for_each_record(|record| out.edits.push(record.clone().into_owned()));
        }
        EditEvent::Moved {
            old,
            new,
            is_unchanged,
        } => {
            out.moves.push(MoveRecord::new(old, new).into_owned());
            append_moved(DocumentNames { old, new }, is_unchanged, &mut out.diff);
        }
        EditEvent::MovedSpecial { old, new, .. } => {
            out.moves.push(MoveRecord::new(old, new).into_owned());
        }
        EditEvent::Changed {
            old,
            new,
            content,
            edits,
            appended,
            moves,
            is_utf16: false,
        } => {
            let names = DocumentNames { old, new };
            if !moves {
                append_head(names, &mut out.diff);
            }
            append_diff(content, edits, appended, names, &mut out.diff);
        }
        EditEvent::NewFile(name, content) => append_new_file(name, content, &mut out.diff),
        _ => {}
    }
}

impl RelocatePlan {
    /// Returns the moves and edits as a unified diff, as `git apply` reads it. Bytes that are not UTF-8 are replaced.
    pub fn diff(&self) -> String {
        String::from_utf8_lossy(&self.diff).into_owned()
    }

    /// Returns the bytes of the [diff](Self::diff).
    pub fn diff_bytes(&self) -> &[u8] {
        &self.diff
    }

    /// Moves and edits the files. Documents are read again, so the plan is that of their content now.
    ///
    /// # Errors
    /// If a file could not be read or written.
    pub fn apply(&self) -> Result<RelocateReport, JobError> {
        let apply = Relocate {
            outcome: MoveOutcome::Apply,
            ..self.relocate.clone()
        };
        apply.run(|_, (): &mut ()| {}, |()| ControlFlow::Continue(()))
    }
}
