//! Redirects between captures.

use super::Lack;
use super::choice::Outcome;
use super::index::Captures;

/// A redirect that was chosen for its URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Redirect<'c> {
    /// Its URL.
    pub url: &'c str,
    /// The URL that it names, with its fragment.
    pub to: &'c str,
    /// Its status.
    pub status: Option<u16>,
    /// Why following it ends at no file. `None` if it ends at one.
    pub lack: Option<Lack>,
}

/// The end of following the redirects from a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The URL of a file, and the redirect with the last fragment on the way.
    File { url: u32, fragment: Option<u32> },
    /// A URL without a file, in the index or not, and the redirect that names it.
    Missing { redirect: u32 },
    /// A ring.
    Ring,
}

/// Follows all redirects. The outcomes are those of the URLs. Each is followed once, so the time is linear.
pub(super) fn ends(captures: &Captures, outcomes: &[Outcome]) -> Vec<Option<End>> {
    let mut ends: Vec<Option<End>> = vec![None; outcomes.len()];
    // The numbers of the walks that have visited a URL, from 1.
    let mut visited = vec![0_u32; outcomes.len()];
    let redirect_of = |url: u32| {
        let (capture, _) = outcomes[url as usize].ok()?;
        captures.stored[capture as usize].redirect
    };
    let mut walk = Vec::new();
    for start in 0..outcomes.len() as u32 {
        walk.clear();
        let mut at = start;
        let mut end = loop {
            if let Some(end) = ends[at as usize] {
                break end;
            }
            let Some(redirect) = redirect_of(at) else {
                break End::File {
                    url: at,
                    fragment: None,
                };
            };
            if visited[at as usize] == start + 1 {
                break End::Ring;
            }
            visited[at as usize] = start + 1;
            walk.push((at, redirect));
            let location = &*captures.locations[redirect as usize];
            let next = &location[..location.find('#').unwrap_or(location.len())];
            match captures.urls.get_index_of(next) {
                Some(next) if outcomes[next].is_ok() => at = next as u32,
                _ => break End::Missing { redirect },
            }
        };
        while let Some((url, redirect)) = walk.pop() {
            if let End::File { fragment, .. } = &mut end
                && fragment.is_none()
                && captures.locations[redirect as usize].contains('#')
            {
                *fragment = Some(redirect);
            }
            ends[url as usize] = Some(end);
        }
    }
    ends
}
