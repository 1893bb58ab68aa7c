//! The capture that answers a link.

use foldhash::quality::RandomState;
use indexmap::IndexSet;

use super::Lack;
use super::choice::Outcome;

/// The URL whose capture answers a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    /// Its number.
    pub(super) url: u32,
    /// True if it has the other one of `http` and `https`.
    pub(super) has_other_scheme: bool,
}

/// The URL whose capture answers a link to a URL: itself, or else the same URL with the other one of
/// `http` and `https`. Browsers request images of a secure page by `https` (Mixed Content, section
/// 4.1), and all of a host that once asked for it (RFC 6797, section 8.3). A server that answered
/// with an error has answered.
pub(super) fn answer(
    urls: &IndexSet<Box<str>, RandomState>,
    outcomes: &[Outcome],
    url: &str,
) -> Result<Answer, Lack> {
    let number = |url: &str| urls.get_index_of(url).map(|it| it as u32);
    let lack = match number(url) {
        None => Lack::NotCaptured,
        Some(url) => match outcomes[url as usize] {
            Ok(_) => return Ok(Answer { url, has_other_scheme: false }),
            Err(Lack::Status) => return Err(Lack::Status),
            Err(lack) => lack,
        },
    };
    let other = with_other_scheme(url).and_then(|it| number(&it));
    match other.filter(|it| outcomes[*it as usize].is_ok()) {
        Some(url) => Ok(Answer { url, has_other_scheme: true }),
        None => Err(lack),
    }
}

/// The URL with `https` in place of `http`, or the reverse. `None` if it has a port, which differs by
/// scheme.
fn with_other_scheme(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?']).next()?;
    let has_port = host.rsplit([']', '@']).next().is_some_and(|it| it.contains(':'));
    match scheme {
        _ if has_port => None,
        "http" => Some(format!("https://{rest}")),
        "https" => Some(format!("http://{rest}")),
        _ => None,
    }
}
