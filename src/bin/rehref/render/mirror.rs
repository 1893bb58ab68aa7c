//! Messages about mirrors.

use rehref::jobs::MirrorEvent;

use super::reasons::reason_of;
use super::terminal::warn;

/// Prints a message.
pub(crate) fn print(event: &MirrorEvent<'_>) {
    match event {
        MirrorEvent::Site { .. } | MirrorEvent::MoreSites(_) => {
            warn(format_args!("--mirror auto: {event}"));
        }
        MirrorEvent::Log(_) => warn(format_args!("--mirror: {event}")),
        MirrorEvent::LogIgnored(error) => warn(format_args!("{}; log ignored", reason_of(error))),
        _ => warn(event),
    }
}
