//! The URLs without a whole file that documents refer to.

use std::collections::{BTreeMap, HashSet};
use std::hash::BuildHasher;

use foldhash::quality::RandomState;

use crate::unpack::captures::{FileType, Lack, UrlId};

/// The bytes of URLs that are held for each URL and, in addition, for all.
const OF_EACH: usize = 700;
const OF_ALL: usize = 8 << 20;

/// A URL without a whole file, and the links to it.
pub(super) struct Missing {
    /// The number of links that pages need.
    pub(super) count: usize,
    /// The first document with a link to it.
    pub(super) from: UrlId,
    pub(super) why: Lack,
    /// The type of the file that links refer to, if the URL does not say it.
    other: FileType,
}

/// The URLs without a whole file. Of very many long ones, the first are held in full, and the
/// others only counted: on average, a URL takes less than 1 KiB.
#[derive(Default)]
pub(super) struct MissingUrls {
    held: BTreeMap<Box<str>, Missing>,
    /// The bytes of the held ones.
    bytes: usize,
    /// The hashes of URLs that pages need and that are not held.
    others: HashSet<[u64; 2]>,
    hashers: [RandomState; 2],
}

impl MissingUrls {
    /// No URLs, to collect those of later documents.
    pub(super) fn new_like(&self) -> Self {
        Self { hashers: self.hashers.clone(), ..Self::default() }
    }

    /// Adds those of later documents.
    pub(super) fn add(&mut self, later: Self) {
        if self.held.is_empty() && self.others.is_empty() {
            *self = later;
            return;
        }
        self.others.extend(later.others);
        for (url, Missing { count, from, why, other }) in later.held {
            self.count_links(&url, from, why, other, count);
        }
    }

    /// Counts a link to a URL. Returns the type of the file for the first link.
    pub(super) fn count(
        &mut self,
        url: &str,
        from: UrlId,
        why: Lack,
        other: FileType,
        is_needed: bool,
    ) -> FileType {
        self.count_links(url, from, why, other, usize::from(is_needed))
    }

    /// Counts links to a URL that pages need. Returns the type of the file for the first link.
    fn count_links(
        &mut self,
        url: &str,
        from: UrlId,
        why: Lack,
        other: FileType,
        count: usize,
    ) -> FileType {
        if !self.held.contains_key(url) {
            let bytes = self.bytes + url.len();
            if bytes > OF_ALL + OF_EACH * (self.held.len() + 1) {
                if count > 0 {
                    let hash = [0, 1].map(|at| self.hashers[at].hash_one(url));
                    self.others.insert(hash);
                }
                return self.file_type(url);
            }
            self.bytes = bytes;
        }
        let missing = self.held.entry(url.into()).or_insert(Missing { count: 0, from, why, other });
        if missing.count == 0 && count > 0 {
            missing.from = from;
        }
        missing.count += count;
        missing.other
    }

    /// The type of the file that links to a URL refer to, if the URL does not say it.
    pub(super) fn file_type(&self, url: &str) -> FileType {
        self.held.get(url).map_or(FileType::HTML, |it| it.other)
    }

    /// The URLs that are held and that documents need, in the order of their bytes.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Missing)> {
        let missing = self.held.iter().filter(|(_, it)| it.count > 0);
        missing.map(|(url, missing)| (&**url, missing))
    }

    /// The number of URLs that documents need and that are not held.
    pub(super) fn others(&self) -> usize {
        self.others.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unpack::captures::{Capture, CaptureChoice, Captures, Chosen};

    #[test]
    fn many_long_urls_are_counted_and_not_held() {
        let mut captures = Captures::default();
        captures.add(&Capture { url: "http://h/", has_body: true, ..Capture::default() });
        let chosen = Chosen::new(captures, &CaptureChoice::default());
        let from = chosen.files().next().expect("a file");
        let mut urls = MissingUrls::default();
        let long = "x".repeat(60_000);
        for round in 0..2 {
            for number in 0..1000 {
                let url = format!("http://h/{number}/{long}");
                urls.count(&url, from, Lack::NotCaptured, FileType::CSS, true);
                let short = format!("http://h/{number}");
                urls.count(&short, from, Lack::NotCaptured, FileType::CSS, round == 0);
            }
        }
        let held: usize = urls.iter().map(|(url, _)| url.len()).sum();
        assert!(held < OF_ALL + 2000 * OF_EACH, "{held}");
        let all = urls.iter().count() + urls.others();
        assert_eq!(all, 2000);
        let short = urls.iter().filter(|(url, _)| url.len() < 20);
        assert_eq!(short.map(|(_, it)| it.count).sum::<usize>(), 1000);
    }
}
