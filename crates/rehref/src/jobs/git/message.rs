//! Messages about git.

use std::fmt;
use std::io;

/// The reason why git cannot be used: the problem, and the way out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GitMessage {
    /// The problem.
    pub text: String,
    /// The way out, if there is one.
    pub help: Option<String>,
    /// The kind of problem.
    pub kind: GitProblem,
}

/// A kind of problem with git.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GitProblem {
    /// git cannot be run.
    CannotRun,
    /// git can read the repository, but programs that its settings name could run.
    Unsafe,
    /// git refused the command.
    Refused,
}

impl GitMessage {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), help: None, kind: GitProblem::Refused }
    }

    pub(super) fn cannot_run(error: io::Error) -> Self {
        let text = format!("git cannot be run: {error}");
        Self { kind: GitProblem::CannotRun, ..Self::new(text) }
    }

    pub(super) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    pub(super) fn of_unsafe(self) -> Self {
        Self { kind: GitProblem::Unsafe, ..self }
    }
}

impl fmt::Display for GitMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for GitMessage {}
