//! What the log of a crawl says about a mirror.

use std::collections::BTreeMap;

use super::{Mirror, MirrorFile, divided, normal};
use crate::site::crawl_log::MOST_REDIRECTS;
use crate::site::{CrawlLog, Entry};

/// How much of a log is about a mirror: see [`Mirror::fit`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogFit {
    /// The number of URLs in the log.
    pub urls: usize,
    /// How many of them are URLs of the mirror.
    pub own_urls: usize,
    /// The first URL of another site.
    pub first_other: Option<String>,
    /// How many of the mirror's URLs were saved.
    pub saved: usize,
    /// How many of these have a file in the mirror.
    pub found: usize,
    /// The first that has none: its path in the log, or its URL in a log without paths.
    pub first_lost: Option<Vec<u8>>,
}

/// How many bytes of paths are looked up to find the directories that are left out: these, and more for each byte of
/// the paths in the log.
const LOOK_UPS: usize = 1 << 20;
const LOOK_UPS_OF_BYTE: usize = 32;

/// A path without its first directories, for each number of them, with that number.
fn below(path: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let path = path.strip_prefix(b"./").unwrap_or(path);
    let starts = memchr::memchr_iter(b'/', path).map(|at| at + 1);
    let rests = std::iter::once(0).chain(starts).map(|at| &path[at..]);
    rests.enumerate()
}

/// Where servers usually redirect a URL in normal form: to another scheme, to the directory of that name, to a page
/// without its ending.
fn usual_targets(url: &str) -> Vec<String> {
    let (page, query) = divided(url);
    let name = page.strip_suffix(".html");
    let index = page.strip_suffix("index.html");
    let targets = [
        page.strip_prefix("http://")
            .map(|rest| format!("https://{rest}")),
        Some(format!("{page}/")),
        index.map(str::to_owned),
        name.map(str::to_owned),
        name.map(|it| format!("{it}/")),
        page.strip_suffix('/').map(str::to_owned),
        Some(format!("{page}.html")),
    ];
    targets.into_iter().flatten().map(|it| it + query).collect()
}

impl Mirror {
    /// The same mirror, with what the log of the program that made it says: it goes before marks and names.
    ///
    /// The paths in a log begin where the program ran. Of each, as many leading directories are left out as lead most of
    /// the paths to a file of the tree. What the log calls saved and is not there counts as missing, so a log of another
    /// copy does harm: see [`Mirror::fit`]. The cost is linear in the log.
    #[must_use]
    pub fn with_log(mut self, log: &CrawlLog) -> Self {
        let saved = self.files_of(log);
        for (url, _, file) in saved {
            let url_in_form = normal(url);
            match file {
                Some(file) => {
                    let marks = &mut self.marks;
                    marks.missing.remove(&url_in_form);
                    marks.by_path.insert(file.path.clone(), url_in_form.clone());
                    marks.logged.insert(file.path.clone(), url.to_owned());
                    if log.is_converted {
                        marks.converted.insert(file.path.clone());
                    }
                    marks.by_url.insert(url_in_form, file);
                }
                // The crawler or the user has removed it.
                None => self.say_missing(url_in_form),
            }
        }
        for url in &log.retrieved {
            if let Some(copy) = self.copy_of(url)
                && !self.marks.logged.contains_key(&copy.file.path)
            {
                let marks = &mut self.marks;
                marks.by_path.insert(copy.file.path.clone(), normal(url));
                marks.logged.insert(copy.file.path.clone(), url.clone());
                marks.by_url.insert(normal(url), copy.file);
            }
        }
        for url in &log.missing {
            self.say_missing(normal(url));
        }
        self.follow(&log.redirects);
        self
    }

    /// How much of a log is about this mirror, before [`with_log`](Self::with_log) reads it. The cost is linear in the log.
    pub fn fit(&self, log: &CrawlLog) -> LogFit {
        let mut fit = LogFit::default();
        let saved = log.saved.iter().map(|(url, _)| url);
        let redirects = log.redirects.iter().map(|(url, _)| url);
        let urls = saved.chain(&log.retrieved).chain(&log.missing);
        for url in urls.chain(redirects) {
            fit.urls += 1;
            if self.has_url(url) {
                fit.own_urls += 1;
            } else if fit.first_other.is_none() {
                fit.first_other = Some(url.clone());
            }
        }
        let mut count = |is_there: bool, name: &[u8]| {
            fit.saved += 1;
            fit.found += usize::from(is_there);
            if !is_there && fit.first_lost.is_none() {
                fit.first_lost = Some(name.to_vec());
            }
        };
        // A URL may be below those of several trees, and its file in one of them.
        let mut saved: BTreeMap<(&str, &[u8]), bool> = BTreeMap::new();
        for (url, path, file) in self.files_of(log) {
            *saved.entry((url, path)).or_default() |= file.is_some();
        }
        for ((_, path), is_there) in saved {
            count(is_there, path);
        }
        for url in log.retrieved.iter().filter(|url| self.has_url(url)) {
            count(self.copy_of(url).is_some(), url.as_bytes());
        }
        fit
    }

    /// Whether a URL is below that of a tree.
    fn has_url(&self, url: &str) -> bool {
        let trees = self.places.of_url(&normal(url)).iter();
        trees
            .copied()
            .any(|tree| self.trees[tree].site.rest_of(url).is_some())
    }

    /// Gives URLs that were redirected the files of their targets.
    fn follow(&mut self, redirects: &[(String, Option<String>)]) {
        // From the last one back: a log in the order of time has the end of a chain behind its begin.
        let redirects = redirects.iter().rev().map(|(url, target)| {
            let url = normal(url);
            let targets = match target {
                Some(target) => vec![normal(target)],
                None => usual_targets(&url),
            };
            (url, targets)
        });
        let mut redirects: Vec<(String, Vec<String>)> = redirects.collect();
        // In another order, such as that of URLs, each round follows one more redirect of a chain. The redirects of a
        // loop are left over.
        for _ in 0..MOST_REDIRECTS {
            let count = redirects.len();
            let marks = &mut self.marks;
            redirects.retain(|(url, targets)| {
                if marks.by_url.contains_key(url) {
                    return false;
                }
                let file = targets.iter().find_map(|it| marks.by_url.get(it));
                let Some(file) = file.cloned() else {
                    return true;
                };
                marks.missing.remove(url);
                marks.by_url.insert(url.clone(), file);
                false
            });
            if redirects.len() == count {
                break;
            }
        }
    }

    /// Says that a URL in normal form has no copy, unless a file is known to be that.
    fn say_missing(&mut self, url: String) {
        if !self.marks.by_url.contains_key(&url) {
            self.marks.missing.insert(url);
        }
    }

    /// The URLs of the trees that a log has saved, their paths in the log, and their files, where they are there.
    fn files_of<'l>(&self, log: &'l CrawlLog) -> Vec<(&'l str, &'l [u8], Option<MirrorFile>)> {
        let mut found = Vec::new();
        let mut by_tree: BTreeMap<usize, Vec<&(String, Vec<u8>)>> = BTreeMap::new();
        for saved in &log.saved {
            for &number in self.places.of_url(&normal(&saved.0)) {
                if self.trees[number].site.rest_of(&saved.0).is_some() {
                    by_tree.entry(number).or_default().push(saved);
                }
            }
        }
        for (number, saved) in by_tree {
            let tree = &self.trees[number];
            let file = |path: &[u8]| match tree.site.listing.resolved(path)? {
                (_, Entry::File) => Some(self.file(number, path)),
                _ => None,
            };
            let bytes: usize = saved.iter().map(|(_, path)| path.len()).sum();
            let mut look_ups = LOOK_UPS.saturating_add(bytes.saturating_mul(LOOK_UPS_OF_BYTE));
            let mut votes: BTreeMap<usize, usize> = BTreeMap::new();
            for (left_out, rest) in saved.iter().flat_map(|(_, path)| below(path)) {
                let Some(left) = look_ups.checked_sub(rest.len()) else {
                    break;
                };
                look_ups = left;
                if file(rest).is_some() {
                    *votes.entry(left_out).or_default() += 1;
                }
            }
            // Of equals, the fewest.
            let most = votes.into_iter().rev().max_by_key(|&(_, count)| count);
            let left_out = most.map_or(0, |(left_out, _)| left_out);
            let file = |path| below(path).nth(left_out).and_then(|(_, rest)| file(rest));
            let files = saved.iter();
            found.extend(files.map(|(url, path)| (&**url, &**path, file(path))));
        }
        found
    }

    /// The URL of a file as the log has it.
    pub fn logged_url(&self, file: &MirrorFile) -> Option<&str> {
        self.marks.logged.get(&file.path).map(String::as_str)
    }

    /// Whether there is a log.
    pub(crate) fn has_log(&self) -> bool {
        !self.marks.logged.is_empty() || !self.marks.missing.is_empty()
    }

    /// Whether the program that saved a file has rewritten its links, as the log says.
    pub fn is_converted(&self, file: &MirrorFile) -> bool {
        self.marks.converted.contains(&file.path)
    }

    /// Whether a file at which a relative reference to `uri` points is meant by it, though a log says another URL of that
    /// file: then the reference was rewritten for files. A URL that the log has nothing for was never one of a page.
    pub fn is_rewritten(&self, file: &MirrorFile, uri: &str) -> bool {
        self.marks.logged.contains_key(&file.path) && !self.marks.missing.contains(&normal(uri))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{Listing, LocalNames, Site};

    fn site(url: &str, files: &[&str]) -> Site {
        Site::new(url, Listing::of_files(files), vec!["index.html".into()])
    }

    #[test]
    fn a_log_goes_before_names() {
        let files = ["theme.html", "about.html", "d.html", "d/index.html"];
        let log = CrawlLog {
            saved: [
                ("http://a/about", "copies/a/about.html"),
                ("http://a/d", "copies/a/d.html"),
                ("http://a/gone", "copies/a/gone.html"),
                ("http://a/theme.html", "copies/a/theme.html"),
                ("http://b/", "copies/b/index.html"),
            ]
            .map(|(url, path)| (url.to_owned(), path.as_bytes().to_vec()))
            .to_vec(),
            redirects: vec![("http://a/about.html".to_owned(), None)],
            missing: vec!["http://a/theme/".to_owned()],
            ..CrawlLog::default()
        };
        let mirror = Mirror::new([(site("http://a/", &files), Vec::new())], LocalNames::Wget);
        let mirror = mirror.with_log(&log);
        for (uri, copy) in [
            ("theme.html", Some("theme.html")),
            ("theme", None),
            ("theme/", None),
            ("about", Some("about.html")),
            ("about.html#f", Some("about.html")),
            ("d", Some("d.html")),
            ("d/", Some("d/index.html")),
            ("gone", None),
        ] {
            let found = mirror.copy_of(&format!("http://a/{uri}"));
            let found = found.map(|it| String::from_utf8(it.file.path).unwrap());
            assert_eq!(found.as_deref(), copy, "{uri}");
        }
        let about = mirror.file(0, b"about.html");
        assert_eq!(mirror.logged_url(&about), Some("http://a/about"));
    }

    #[test]
    fn paths_of_a_log_may_be_deep() {
        let deep = "a/".repeat(100);
        let saved = |count: usize, path: &str| CrawlLog {
            saved: vec![("http://a/x".to_owned(), path.as_bytes().to_vec()); count],
            ..CrawlLog::default()
        };
        let mirror = || {
            Mirror::new(
                [(site("http://a/", &["d/y.html", "a/y.html"]), Vec::new())],
                LocalNames::Wget,
            )
        };
        let copy = |log: &CrawlLog| {
            let copy = mirror().with_log(log).copy_of("http://a/x");
            copy.map(|it| String::from_utf8(it.file.path).unwrap())
        };
        assert_eq!(
            copy(&saved(1, &format!("{deep}d/y.html"))).as_deref(),
            Some("d/y.html")
        );
        // Of two that fit, the one with more of the path.
        assert_eq!(copy(&saved(1, "a/y.html")).as_deref(), Some("a/y.html"));
        // Takes minutes if each path is looked up from each of its directories.
        let long = "a/".repeat(2000) + "d/y.html";
        assert_eq!(copy(&saved(500, &long)).as_deref(), Some("d/y.html"));
    }

    #[test]
    fn a_log_of_another_copy_does_not_fit() {
        let mirror = Mirror::new(
            [(site("http://a/", &["x.html"]), Vec::new())],
            LocalNames::Wget,
        );
        let log = CrawlLog {
            saved: [
                ("http://a/", "m/index.html"),
                ("http://a/x", "m/x.html"),
                ("https://a/y", "m/y.html"),
            ]
            .map(|(url, path)| (url.to_owned(), path.as_bytes().to_vec()))
            .to_vec(),
            missing: vec!["http://a/z".to_owned()],
            ..CrawlLog::default()
        };
        let fit = LogFit {
            urls: 4,
            own_urls: 3,
            first_other: Some("https://a/y".to_owned()),
            saved: 2,
            found: 1,
            first_lost: Some(b"m/index.html".to_vec()),
        };
        assert_eq!(mirror.fit(&log), fit);
        let log = CrawlLog {
            retrieved: ["http://a/x", "http://a/y"].map(str::to_owned).to_vec(),
            ..CrawlLog::default()
        };
        let fit = mirror.fit(&log);
        assert_eq!((fit.saved, fit.found), (2, 1));
        assert_eq!(fit.first_lost.as_deref(), Some(&b"http://a/y"[..]));
    }

    #[test]
    fn a_file_of_a_log_is_counted_once() {
        let trees = [
            (site("http://a/", &["index.html"]), b"a".to_vec()),
            (site("http://a/d/", &["x.html"]), b"d".to_vec()),
        ];
        let log = CrawlLog {
            saved: [
                ("http://a/", "a/index.html"),
                ("http://a/d/x.html", "a/d/x.html"),
            ]
            .map(|(url, path)| (url.to_owned(), path.as_bytes().to_vec()))
            .to_vec(),
            ..CrawlLog::default()
        };
        let fit = Mirror::new(trees, LocalNames::Wget).fit(&log);
        assert_eq!((fit.saved, fit.found), (2, 2));
    }

    #[test]
    fn redirects_are_followed_in_any_order() {
        let url = |path: &str| format!("http://a{path}");
        let redirect = |from, to| (url(from), Some(url(to)));
        let mut redirects = vec![
            redirect("/loop", "/loop2"),
            redirect("/loop2", "/loop"),
            redirect("/mid", "/zz"),
            redirect("/old", "/mid"),
        ];
        for _ in 0..2 {
            let log = CrawlLog {
                retrieved: vec!["http://a/zz".to_owned()],
                redirects: redirects.clone(),
                ..CrawlLog::default()
            };
            let trees = [(site("http://a/", &["zz.html"]), Vec::new())];
            let mirror = Mirror::new(trees, LocalNames::Wget).with_log(&log);
            let copy = |uri| mirror.copy_of(uri).map(|it| it.file.path);
            let file = Some(b"zz.html".to_vec());
            assert_eq!(copy("http://a/old"), file);
            assert_eq!(copy("http://a/mid"), file);
            assert_eq!(copy("http://a/loop"), None);
            redirects.reverse();
        }
    }
}
