//! Messages about mirrors.

use std::path::Path;

use rehref::jobs::{MirrorEvent, SchemeOrigin};

use super::places::{ALL_DIRECTORIES, ALL_URLS, place};
use super::reasons::reason_of;
use super::terminal::warn;

/// Prints a message.
pub(crate) fn print(event: &MirrorEvent<'_>) {
    match event {
        MirrorEvent::Site {
            url,
            directory,
            page,
            scheme,
        } => {
            let (directory, page) = (directory.display(), page.display());
            let origin = match scheme {
                SchemeOrigin::Log(log) => format!("; scheme in {}", log.display()),
                SchemeOrigin::Links => "; scheme of its links".to_owned(),
                SchemeOrigin::Guess => "; scheme guessed".to_owned(),
                _ => String::new(),
            };
            warn(format_args!(
                "--mirror auto: {url}={directory} (mark in {page}{origin})"
            ));
        }
        MirrorEvent::MoreSites(count) => {
            let plural = if *count == 1 { "" } else { "s" };
            warn(format_args!("--mirror auto: {count} more site{plural}"));
        }
        MirrorEvent::Log(log) => {
            let log = log.display();
            warn(format_args!("--mirror: reads the log {log}"));
        }
        MirrorEvent::LogIgnored(error) => {
            warn(format_args!("{}; log ignored", reason_of(error)));
        }
        MirrorEvent::IncompleteRow(log, line) => {
            let log = log.display();
            warn(format_args!("{log}:{line}:1: incomplete last row skipped"));
        }
        MirrorEvent::OtherUrls {
            file,
            line,
            count,
            total,
            site,
            first,
        } => {
            let (place, site) = (place(file, *line), site.unwrap_or(ALL_URLS));
            warn(format_args!(
                "{place}: {count} of {total} URLs in the log are not below {site}, such as {first}"
            ));
        }
        MirrorEvent::OtherFiles {
            file,
            line,
            count,
            total,
            directory,
            first,
        } => {
            let place = place(file, *line);
            let directory = directory.unwrap_or(Path::new(ALL_DIRECTORIES)).display();
            warn(format_args!(
                "{place}: {count} of {total} files in the log are not in {directory}, such as {first}"
            ));
        }
        MirrorEvent::Error(error) => warn(error),
        _ => {}
    }
}
