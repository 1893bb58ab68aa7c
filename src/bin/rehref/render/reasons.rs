//! Messages of runs, with the options that help.

use anyhow::anyhow;
use rehref::error::ErrorKind;
use rehref::jobs::{EditEvent, JobError, MirrorError, MirrorEvent, PathReason};
use rehref::rewrite::SkipReason;

use super::terminal::warn;

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
        JobError::NoRun(_) | JobError::NotInterrupted(_) => {
            format!("{error} (name the directory of the run if it is another one)")
        }
        JobError::OutputExists { .. } => format!("{error} (--force replaces them)"),
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
        JobError::Mirror(MirrorError::OtherUrls { .. } | MirrorError::OtherFiles { .. }) => {
            error.to_string()
        }
        JobError::Mirror(_) => format!("--mirror: {error}"),
        _ => error.to_string(),
    }
}

/// Returns the option that helps where links are skipped for a reason, in parentheses.
pub(crate) fn hint_of(reason: SkipReason) -> &'static str {
    match reason {
        SkipReason::NoBase => " (use --base URL=DIR)",
        SkipReason::ForeignBase => " (use --base-element strip)",
        SkipReason::Absolute => " (use --map)",
        SkipReason::Canonical => " (use --canonical)",
        SkipReason::Backslash => " (use --profile whatwg)",
        _ => "",
    }
}

/// Returns the message of an event, with the option that helps.
pub(crate) fn message_of(event: &EditEvent<'_>) -> Option<String> {
    if let EditEvent::WouldRefuse(error) = event {
        return Some(format!("-w would refuse: {}", reason_of(error)));
    }
    let hint = match event {
        EditEvent::Skipped(_, reason) => hint_of(*reason),
        EditEvent::StaleIntegrity { .. } => " (use --integrity drop)",
        EditEvent::NoRedirect(_) => " (use --redirects html)",
        EditEvent::MatchesAgain(_) => " (--map-re)",
        EditEvent::UnsupportedFormat => " (--media reads it as one of them)",
        EditEvent::TextWithoutRule => " (--media html reads it as HTML)",
        _ => "",
    };
    event.message().map(|text| text + hint)
}

/// The error of a command.
pub(crate) fn explained(error: JobError) -> anyhow::Error {
    anyhow!("{}", reason_of(&error))
}

/// Prints a message about a mirror.
pub(crate) fn print_mirror_event(event: &MirrorEvent<'_>) {
    match event {
        MirrorEvent::Site { .. } | MirrorEvent::MoreSites(_) => {
            warn(format_args!("--mirror auto: {event}"));
        }
        MirrorEvent::Log(_) => warn(format_args!("--mirror: {event}")),
        MirrorEvent::LogIgnored(error) => warn(format_args!("{}; log ignored", reason_of(error))),
        _ => warn(event),
    }
}
