//! Redirects between captures.

use super::Lack;
use super::answer::{Answer, answer};
use super::choice::Outcomes;
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
    /// The reason why following it ends at no file. `None` if it ends at one.
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

/// Follows all redirects. A URL with a page whose redirect ends at no file gets its page instead.
/// Of a ring, all URLs with pages get them. The time is linear: each URL is followed once, or twice
/// where a ring was broken.
pub(super) fn ends(captures: &Captures, outcomes: &mut Outcomes) -> Vec<Option<End>> {
    let Outcomes { of_urls, pages, .. } = outcomes;
    let mut ends: Vec<Option<End>> = vec![None; of_urls.len()];
    // The numbers of the walks that have visited a URL, from 1.
    let mut visited = vec![0_u32; of_urls.len()];
    let mut walk: Vec<(u32, u32)> = Vec::new();
    for start in 0..of_urls.len() as u32 {
        walk.clear();
        let mut at = start;
        let mut end = loop {
            if let Some(end) = ends[at as usize] {
                break end;
            }
            let capture = of_urls[at as usize].map(|(it, _)| &captures.stored[it as usize]);
            let Some(redirect) = capture.ok().and_then(|it| it.redirect) else {
                break End::file(at);
            };
            if visited[at as usize] == start + 1 {
                let ring = walk.iter().position(|(url, _)| *url == at);
                let mut is_broken = false;
                for (url, _) in &walk[ring.unwrap_or_default()..] {
                    if let Some(page) = pages.get(url) {
                        of_urls[*url as usize] = Ok(*page);
                        is_broken = true;
                    }
                }
                if !is_broken {
                    break End::Ring;
                }
                for (url, _) in walk.drain(..) {
                    visited[url as usize] = 0;
                }
                at = start;
                continue;
            }
            visited[at as usize] = start + 1;
            walk.push((at, redirect));
            let location = &*captures.locations[redirect as usize];
            let next = &location[..location.find('#').unwrap_or(location.len())];
            match answer(&captures.urls, of_urls, next) {
                Ok(Answer { url, .. }) if url != at => at = url,
                _ => break End::Missing { redirect },
            }
        };
        while let Some((url, redirect)) = walk.pop() {
            if let End::File { fragment, .. } = &mut end {
                let has_fragment = captures.locations[redirect as usize].contains('#');
                *fragment = fragment.or(has_fragment.then_some(redirect));
            } else if let Some(page) = pages.get(&url) {
                of_urls[url as usize] = Ok(*page);
                end = End::file(url);
                continue;
            }
            ends[url as usize] = Some(end);
        }
    }
    ends
}

impl End {
    fn file(url: u32) -> Self {
        Self::File { url, fragment: None }
    }
}
