//! The commands that finish or undo a run with a journal.

use std::path::Path;

use super::escape::shell_path;
use super::message::Message;

/// A command whose runs have a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JournalCommand {
    /// `rehref rewrite`
    Rewrite,
    /// `rehref move`
    Move,
    /// `rehref move --git`
    MoveByGit,
}

impl JournalCommand {
    /// Returns the command line that undoes the run in a directory.
    pub(crate) fn undo(self, directory: &Path) -> String {
        self.line("--undo", directory)
    }

    /// Adds the command lines that finish or undo the interrupted run in a directory.
    pub(crate) fn with_recovery_help(self, message: Message, directory: &Path) -> Message {
        let (resume, undo) = (self.line("--resume", directory), self.undo(directory));
        message
            .with_help(format_args!("finish it with: {resume}"))
            .with_help(format_args!("undo it with: {undo}"))
    }

    fn line(self, option: &str, directory: &Path) -> String {
        let directory = shell_path(directory);
        match self {
            Self::Rewrite => format!("rehref rewrite {option} {directory}"),
            Self::Move => format!("rehref move {option} --root {directory}"),
            Self::MoveByGit => format!("rehref move --git {option} --root {directory}"),
        }
    }
}
