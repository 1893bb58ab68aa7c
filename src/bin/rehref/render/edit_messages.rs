//! The messages of runs that edit files.

use std::path::Path;

use rehref::Link;
use rehref::document::Document;
use rehref::jobs::EditEvent;
use rehref::rewrite::{MirrorPage, Mismatch};

use super::numbers::{counted, located};
use super::reasons::{reason_of, reason_of_skipped};

/// Returns the message of an event, if it has one.
pub(crate) fn text_of(event: &EditEvent<'_>) -> Option<String> {
    Some(match event {
        EditEvent::Changed {
            old,
            edits,
            is_utf16: true,
            ..
        } => {
            let (name, edits) = (old.display(), counted(edits.len(), "edit"));
            format!("{name}: the diff does not show {edits} of a UTF-16 file")
        }
        EditEvent::MovedSpecial {
            old,
            new,
            is_directory,
        } => {
            let what = match is_directory {
                true => "an empty directory",
                false => "a special file",
            };
            let (old, new) = (old.display(), new.display());
            format!("{old}: moves to {new}; the diff cannot show {what}")
        }
        EditEvent::Skipped(link, reason) => {
            let (place, reference) = (place_of(link), link.reference());
            let reason = reason_of_skipped(*reason);
            format!("{place}unchanged: {reference:?} {reason}")
        }
        EditEvent::Breaks(link) => {
            let (place, reference) = (place_of(link), link.reference());
            format!("{place}{reference:?} would lose its target")
        }
        EditEvent::BreaksUneditable {
            name,
            is_compressed,
            links,
        } => {
            let (name, links) = (name.display(), counted(*links, "link"));
            let kind = match is_compressed {
                true => "compressed",
                false => "binary",
            };
            format!("{name}: {kind} file not rewritten: {links} would break")
        }
        EditEvent::BreaksSymlink(path) => {
            format!(
                "{}: the symbolic link would lose its target",
                path.display()
            )
        }
        EditEvent::StaleIntegrity {
            document,
            position,
            reference,
            file,
        } => {
            let place = located(document, *position);
            let file = file.file_name().map_or(*file, Path::new).display();
            format!(
                "{place}stale integrity hash of {reference:?}: {file} changes (use --integrity drop)"
            )
        }
        EditEvent::StaleCopy { copy, document } => {
            let (copy, document) = (copy.display(), document.display());
            format!("{copy}: stale compressed copy of {document}")
        }
        EditEvent::StaleRedirect(name, line) => {
            let name = name.display();
            format!("{name}:{line}:1: redirects from a path that exists after the move")
        }
        EditEvent::NoRedirect(address) => format!(
            "{address}: not redirected: no rule of this server can name the path (use --redirects html)"
        ),
        EditEvent::PageUrl(name, page) => format!("{}: {}", name.display(), page_url(page)?),
        EditEvent::MatchesAgain(url) => {
            format!("--map-re: {url} matches again: a second run would change it again")
        }
        EditEvent::SpecialFile(name) => format!("{}: special file not copied", name.display()),
        EditEvent::Mail(error) => error.to_string(),
        EditEvent::UnsupportedFormat => {
            "-: unchanged: not HTML, CSS, XML or plain text (--media reads it as one)".to_owned()
        }
        EditEvent::TextWithoutRule => {
            "-: unchanged: only maps rewrite plain text (--media html reads it as HTML)".to_owned()
        }
        EditEvent::WouldRefuse(error) => format!("-w would refuse: {}", reason_of(error)),
        EditEvent::HardLinks(name, 1) => {
            let name = name.display();
            format!("{name}: has another hard link, which keeps the old content")
        }
        EditEvent::HardLinks(name, links) => {
            let name = name.display();
            format!("{name}: has {links} other hard links, which keep the old content")
        }
        EditEvent::LostAttributes(name) => {
            let name = name.display();
            format!("{name}: not all of its extended attributes could be kept")
        }
        EditEvent::ReplacesRun => "the previous run can no longer be undone".to_owned(),
        _ => return None,
    })
}

/// Returns the place of a link, for the beginning of a message.
fn place_of(link: &Link<'_>) -> String {
    let name = link.document().path().display();
    format!("{name}:{}:{}: ", link.line(), link.column())
}

/// Returns the message about a document whose edits failed verification.
pub(crate) fn unverified(document: &Document, mismatch: &Mismatch) -> String {
    let place = match mismatch.at {
        Some(at) => located(document.path(), document.lines().position(at)),
        None => format!("{}: ", document.path().display()),
    };
    format!("{place}unchanged, since verification failed: {mismatch}")
}

/// The URL of a page of a mirror, if its links and not its name decided it.
fn page_url(page: &MirrorPage) -> Option<String> {
    let it = page.evidence.as_ref()?;
    Some(format!(
        "resolved links against {} ({} of {} relative links have a file; against {}: {})",
        page.url, it.found, it.links, it.named_url, it.named_found,
    ))
}
