//! Errors of runs, with the options that help.

use std::path::Path;

use anyhow::anyhow;
use rehref::error::ErrorKind;
use rehref::jobs::{JobError, MirrorError, PathReason};
use rehref::rewrite::SkipReason;

use super::places::{ALL_DIRECTORIES, ALL_URLS, place};

/// The message of an error, with the options that help.
pub(crate) fn reason_of(error: &JobError) -> String {
    match error {
        JobError::Refused(refused) if matches!(refused.kind(), ErrorKind::Interrupted) => {
            format!("{error}; --resume finishes it, --undo undoes it")
        }
        JobError::NotJournaled(error) => {
            format!("nothing was changed: {error} (--no-journal writes without a journal)")
        }
        JobError::ForeignJournal(it) => format!(
            "nothing was changed; if the directory was moved, copied or restored since you ran rehref there, and \
             you want these steps, use --trust-journal; otherwise remove {}",
            it.state.display()
        ),
        JobError::Path(path, PathReason::MissingDirectory) => {
            format!("{error} (use {}/ to create it)", path.display())
        }
        JobError::Path(_, PathReason::OutsideRoot(_)) => format!("{error} (--root)"),
        JobError::Path(_, PathReason::NotForRedirects) => format!("{error} (--redirects)"),
        JobError::Url(_) | JobError::NotBelow { .. } => format!("--base: {error}"),
        JobError::Row { list, line, error } => {
            format!("{}:{line}:1: {}", list.display(), reason_of(error))
        }
        JobError::Mirror(MirrorError::NoMarks) => {
            format!("--mirror auto: {error}; --mirror URL=DIR names the site")
        }
        JobError::Mirror(MirrorError::Log(error)) => format!("--mirror-log {}", reason_of(error)),
        JobError::Mirror(MirrorError::OtherUrls {
            file,
            line,
            site,
            first,
        }) => {
            let site = site.as_deref().unwrap_or(ALL_URLS);
            let place = place(file, *line);
            format!("{place}: no URL of the log is below {site}; the first is {first}")
        }
        JobError::Mirror(MirrorError::OtherFiles {
            file,
            line,
            directory,
            first,
        }) => {
            let directory = directory.as_deref().unwrap_or(Path::new(ALL_DIRECTORIES));
            let (place, directory) = (place(file, *line), directory.display());
            format!("{place}: no file of the log is in {directory}; the first is {first}")
        }
        JobError::Mirror(_) => format!("--mirror: {error}"),
        _ => error.to_string(),
    }
}

/// Returns the reason that a link was skipped, with the option that helps.
pub(crate) fn reason_of_skipped(reason: SkipReason) -> String {
    let hint = match reason {
        SkipReason::NoBase => " (use --base URL=DIR)",
        SkipReason::ForeignBase => " (use --base-element strip)",
        SkipReason::Absolute => " (use --map)",
        SkipReason::Canonical => " (use --canonical)",
        SkipReason::Backslash => " (use --profile whatwg)",
        _ => "",
    };
    format!("{}{hint}", reason.as_str())
}

/// The error of a command.
pub(crate) fn explained(error: JobError) -> anyhow::Error {
    anyhow!("{}", reason_of(&error))
}
