//! The captures that become files, and the files of URLs.

use std::collections::HashSet;
use std::hash::BuildHasher;

use foldhash::quality::RandomState;
use indexmap::IndexSet;

use super::answer::{Answer, answer};
use super::choice::{Outcome, outcomes};
use super::index::{Captures, Stored, StoredRevisit};
use super::joined::{JoinedBodies, Piece};
use super::redirects::{End, Redirect, ends};
use super::{
    CaptureChoice, FileType, Lack, LocalPath, MAX_URL, RecordPosition, RevisitRecord, url_key,
};
use crate::source::CaptureDate;
use crate::uri::Parts;

/// The number of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UrlId(u32);

/// The file of a URL, or the reason why it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found<'c> {
    /// The file of this URL. The fragment is that of the URL, otherwise that of a redirect.
    File {
        /// The URL of the file, after all redirects.
        url: UrlId,
        /// The fragment, without `#`.
        fragment: Option<&'c str>,
        /// True if only the URL with the other one of `http` and `https` was captured.
        has_other_scheme: bool,
    },
    /// This URL has no file, after all redirects.
    Lacks(&'c str, Lack),
}

/// A capture that becomes a file.
#[derive(Clone, Copy, Debug)]
pub struct ChosenFile<'c> {
    /// The URL.
    pub url: &'c str,
    /// The record of the capture.
    pub position: RecordPosition,
    /// The record with the body: another one for a revisit. Of a body that is joined, that with the
    /// first piece.
    pub body: RecordPosition,
    /// The URL of that record.
    pub body_url: &'c str,
    /// The status of the capture.
    pub status: Option<u16>,
    /// The media type in the head of a revisit.
    pub content_type: Option<&'c str>,
    /// True if a part of the body is missing.
    pub is_truncated: bool,
    /// The pieces of a body that is joined, in order. Empty for the body of one record.
    pub pieces: &'c [Piece],
    /// True if the body is said to be a page, and does not begin as pages do.
    pub may_be_script: bool,
    /// The record of the capture, if it is a revisit.
    pub revisit: Option<&'c RevisitRecord>,
}

/// The chosen captures of a run.
#[derive(Debug)]
pub struct Chosen {
    urls: IndexSet<Box<str>, RandomState>,
    stored: Vec<Stored>,
    locations: Vec<Box<str>>,
    revisits: Vec<StoredRevisit>,
    outcomes: Vec<Outcome>,
    joined: JoinedBodies,
    ends: Vec<Option<End>>,
    /// The URLs whose paths need a hash: see [`LocalPath::of_twin`].
    twins: HashSet<u32>,
    /// The hashes of the hosts that have a file.
    hosts: HashSet<Box<str>>,
}

impl Chosen {
    /// Chooses a capture for each URL, and follows the redirects.
    pub fn new(captures: Captures, choice: &CaptureChoice) -> Self {
        let mut outcomes = outcomes(&captures, choice);
        let ends = ends(&captures, &mut outcomes);
        let mut chosen = Self {
            urls: captures.urls,
            stored: captures.stored,
            locations: captures.locations,
            revisits: captures.revisits,
            outcomes: outcomes.of_urls,
            joined: outcomes.joined,
            ends,
            twins: HashSet::new(),
            hosts: HashSet::new(),
        };
        chosen.twins = chosen.twins();
        let hosts = chosen.urls.iter().zip(&chosen.outcomes);
        let hosts = hosts.filter(|(_, outcome)| outcome.is_ok());
        chosen.hosts = hosts.filter_map(|(url, _)| Some(host(url)?.into())).collect();
        chosen
    }

    /// The URLs whose paths differ only in case or normal form from those of others. Of these, the
    /// file of a directory is left out, otherwise the first by bytes.
    fn twins(&self) -> HashSet<u32> {
        let hasher = RandomState::default();
        let mut folded: Vec<(u64, u32)> = self
            .files()
            .map(|UrlId(url)| (hasher.hash_one(self.path(UrlId(url)).folded()), url))
            .collect();
        folded.sort_unstable();
        let mut twins = HashSet::new();
        for same in folded.chunk_by(|a, b| a.0 == b.0).filter(|it| it.len() > 1) {
            let mut paths: Vec<_> = same
                .iter()
                .map(|&(_, url)| {
                    let id = UrlId(url);
                    (!is_directory(self.url(id)), self.path(id), url)
                })
                .collect();
            paths.sort_unstable();
            twins.extend(paths[1..].iter().map(|(_, _, url)| *url));
        }
        twins
    }

    /// The URLs that have files, in the order in which the archives name them first.
    pub fn files(&self) -> impl Iterator<Item = UrlId> {
        let numbered = (0_u32..).zip(&self.outcomes);
        let files = numbered.filter(|(_, outcome)| {
            let capture = outcome.map(|(capture, _)| &self.stored[capture as usize]);
            capture.is_ok_and(|it| it.redirect.is_none())
        });
        files.map(|(url, _)| UrlId(url))
    }

    /// The file of a URL. `None` if the URL has no file.
    pub fn file(&self, url: UrlId) -> Option<ChosenFile<'_>> {
        let (capture, body) = self.outcomes.get(url.0 as usize)?.ok()?;
        let joined = self.joined.get(body);
        let [capture, body] = [capture, body].map(|it| &self.stored[it as usize]);
        let revisit = capture.revisit.map(|it| &self.revisits[it as usize]);
        Some(ChosenFile {
            url: self.url(url),
            position: capture.position,
            body: body.position,
            body_url: self.url(UrlId(body.url)),
            status: capture.status_with(body),
            content_type: revisit.and_then(|it| it.content_type.as_deref()),
            is_truncated: joined.map_or(body.is_truncated, |it| !it.is_whole),
            pieces: joined.map(|it| &*it.pieces).filter(|it| it.len() > 1).unwrap_or_default(),
            may_be_script: body.may_be_script && self.file_type(url).is_page(),
            revisit: revisit.and_then(|it| it.own.as_deref()),
        })
    }

    /// The type of the file of a URL.
    fn file_type(&self, url: UrlId) -> FileType {
        let outcome = self.outcomes.get(url.0 as usize).copied();
        let file_type = outcome.and_then(Result::ok).and_then(|(capture, body)| {
            let [capture, body] = [capture, body].map(|it| self.stored[it as usize].file_type);
            capture.or(body)
        });
        file_type.unwrap_or(FileType::OTHER)
    }

    /// The path of the file of a URL.
    pub fn path(&self, url: UrlId) -> LocalPath {
        let file_type = self.file_type(url);
        match self.twins.contains(&url.0) {
            true => LocalPath::of_twin(self.url(url), file_type),
            false => LocalPath::new(self.url(url), file_type),
        }
    }

    /// The page to open first: the first page of `entry_points`. Without one, it is on the host of the
    /// first page that the archives name, also by a redirect. Of the pages of that host it is the one
    /// in the fewest directories, without a query if possible, and the first of these.
    pub fn start(&self, entry_points: impl IntoIterator<Item = String>) -> Option<UrlId> {
        let is_page = |url: &UrlId| self.file_type(*url).is_page();
        let page = |url: String| match self.find(&url_key(&url)?) {
            Found::File { url, .. } => Some(url).filter(is_page),
            Found::Lacks(..) => None,
        };
        let entry_points = entry_points.into_iter().filter(|it| it.len() <= MAX_URL);
        if let Some(entry) = { entry_points }.find_map(page) {
            return Some(entry);
        }
        let mut named = self.urls.iter().filter_map(|url| match self.find(url) {
            Found::File { url, .. } => Some(url),
            Found::Lacks(..) => None,
        });
        let first = named.find(is_page)?;
        let first = host(self.url(first));
        let pages = self.files().filter(is_page);
        let pages = pages.filter(|page| host(self.url(*page)) == first);
        pages.min_by_key(|page| {
            let parts = Parts::split(self.url(*page));
            let directories = parts.path.matches('/').count();
            (directories, parts.query.is_some(), !parts.path.ends_with('/'))
        })
    }

    /// The reasons why URLs have no file, although the archives have captures of them.
    pub fn lacks(&self) -> impl Iterator<Item = Lack> {
        let lacks = self.outcomes.iter().filter_map(|it| it.err());
        lacks.filter(|it| *it != Lack::NotCaptured)
    }

    /// A URL by its number.
    pub fn url(&self, url: UrlId) -> &str {
        self.urls.get_index(url.0 as usize).map_or("", |url| url)
    }

    /// Finds the file of a URL with or without a fragment, as the URL Standard spells it.
    pub fn find<'c>(&'c self, url: &'c str) -> Found<'c> {
        let (url, own_fragment) = match url.split_once('#') {
            Some((url, fragment)) => (url, Some(fragment)),
            None => (url, None),
        };
        let Answer { url: number, has_other_scheme } = match answer(&self.urls, &self.outcomes, url)
        {
            Ok(answer) => answer,
            Err(lack) => return Found::Lacks(url, lack),
        };
        match self.ends[number as usize] {
            None => Found::File { url: UrlId(number), fragment: own_fragment, has_other_scheme },
            Some(End::File { url, fragment }) => {
                let location = fragment.map(|it| &self.locations[it as usize]);
                let fragment = location.and_then(|it| Some(it.split_once('#')?.1));
                let fragment = own_fragment.or(fragment);
                Found::File { url: UrlId(url), fragment, has_other_scheme }
            }
            Some(End::Ring) => Found::Lacks(url, Lack::Ring),
            Some(End::Missing { redirect }) => {
                let location = &self.locations[redirect as usize];
                let url = location.split('#').next().unwrap_or_default();
                let number = self.urls.get_index_of(url);
                let lack = number.and_then(|it| self.outcomes[it].err());
                Found::Lacks(url, lack.unwrap_or(Lack::NotCaptured))
            }
        }
    }

    /// The chosen redirects, in the order in which the archives name their URLs first.
    pub fn redirects(&self) -> impl Iterator<Item = Redirect<'_>> {
        let numbered = (0_u32..).zip(&self.outcomes);
        numbered.filter_map(|(number, outcome)| {
            let capture = &self.stored[outcome.ok()?.0 as usize];
            let to = &*self.locations[capture.redirect? as usize];
            let url = self.url(UrlId(number));
            let lack = match self.find(url) {
                Found::File { .. } => None,
                Found::Lacks(_, lack) => Some(lack),
            };
            Some(Redirect { url, to, status: capture.status, lack })
        })
    }

    /// Returns true if some URL of the same host has a capture that was chosen.
    pub fn has_host_of(&self, url: &str) -> bool {
        host(url).is_some_and(|host| self.hosts.contains(host))
    }

    /// The date of the chosen capture of a URL.
    pub fn date(&self, url: UrlId) -> CaptureDate {
        let outcome = self.outcomes.get(url.0 as usize).copied();
        let capture = outcome.and_then(Result::ok);
        capture.map_or_else(CaptureDate::default, |(it, _)| self.stored[it as usize].date)
    }
}

/// Returns true for the URL of a directory, whose file is `index`.
fn is_directory(url: &str) -> bool {
    Parts::split(url).path.ends_with('/')
}

/// The host of a URL, with its port. The same host answers by http and https, but not by ftp.
fn host(url: &str) -> Option<&str> {
    let authority = Parts::split(url).authority?;
    match url.starts_with("ftp://") {
        true => url.get(.."ftp://".len() + authority.len()),
        false => authority.rsplit('@').next(),
    }
}

#[cfg(test)]
mod tests;
