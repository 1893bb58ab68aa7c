//! A cheap check of normal form.

use super::Parts;
use super::normalize::{ROOTED, default_port, has_dot_segments, is_unreserved};
use crate::bytes::percent;

/// Returns true if a URI is in normal form at `Scheme` by a cheap check without allocation. May
/// return false for a URI in normal form, but rarely does.
pub fn is_plainly_normal(uri: &str) -> bool {
    let parts = Parts::split(uri);
    let Some(scheme) = parts.scheme else {
        return false;
    };
    let is_lower = |text: &str| !text.bytes().any(|byte| byte.is_ascii_uppercase());
    let is_normal_there = match parts.authority {
        // The path may be an address with a domain.
        None => is_lower(parts.path),
        Some(authority) => {
            let port = authority.rsplit_once(':').map(|(_, port)| port);
            let stays = |port: &str| {
                let default = || default_port(scheme);
                !port.is_empty() && default().is_none_or(|it| port.parse() != Ok(it))
            };
            is_lower(authority)
                && !authority.contains('%')
                && port.is_none_or(stays)
                && !(parts.path.is_empty() && ROOTED.contains(&scheme))
                && !(authority == "localhost" && scheme == "file")
        }
    };
    is_normal_there && is_lower(scheme) && are_escapes_normal(uri) && !has_dot_segments(parts.path)
}

/// Returns true if each `%` begins an escape that no level changes.
fn are_escapes_normal(text: &str) -> bool {
    let mut places = memchr::memchr_iter(b'%', text.as_bytes());
    places.all(|at| {
        let escape = &text.as_bytes()[at..];
        let is_lower = escape.iter().take("%XX".len()).any(u8::is_ascii_lowercase);
        percent::escaped(escape).is_some_and(|byte| !is_lower && !is_unreserved(byte))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Equivalence, normalize};

    #[test]
    fn is_plainly_normal_implies_normal_form() {
        let normal = [
            "http://h/", "http://h/a%20b?%E9#x", "http://u:p@h:8080/.a/..b/", "foo://h", "foo:a/b",
            "http://[::1]/", "mailto:A@b", "file:///a", "http://h/\u{e9}", "http://h/?a/../b",
        ];
        for uri in normal {
            assert_eq!(normalize(uri, Equivalence::Scheme), uri);
            assert_eq!(is_plainly_normal(uri), uri != "mailto:A@b", "{uri}");
        }
        for uri in [
            "HTTP://h/", "http://H/", "http://h", "http://h?x", "http://h:80/", "http://h:/",
            "http://h/%7e", "http://h/%e9", "http://h/%41", "http://h/a/.", "http://h/../a",
            "http://h/%2E%2e/a", "http://h/.%2E?x", "file://localhost/a", "mailto:a@B", "foo:./a",
            "a",
        ] {
            assert!(!is_plainly_normal(uri), "{uri}");
        }
    }
}
