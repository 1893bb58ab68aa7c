//! The URLs of files, from marks in pages and from logs.

use std::collections::{HashMap, HashSet};

use crate::mirror::crawl_log::MAX_REDIRECTS;
use crate::uri::{Equivalence, normalize};

/// A file of a mirror.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MirrorFile {
    /// The number of the deepest tree that contains it.
    pub tree: usize,
    /// The path below the common directory.
    pub path: Vec<u8>,
}

/// The URLs of files from marks and logs, in normal form.
#[derive(Debug, Default)]
pub(super) struct Marks {
    pub(super) by_path: HashMap<Vec<u8>, String>,
    pub(super) by_url: HashMap<String, MirrorFile>,
    /// The URLs of files in a log, as written.
    pub(super) logged: HashMap<Vec<u8>, String>,
    /// URLs without a copy, according to a log.
    pub(super) missing: HashSet<String>,
    /// The logged files whose links the program has rewritten.
    pub(super) converted: HashSet<Vec<u8>>,
}

impl Marks {
    /// Returns false if a file has the mark of another URL than this one, in normal form. The page
    /// of a directory is also the copy of its URL without the slash, which servers redirect, and
    /// with the name of the page.
    pub(super) fn allow(&self, file: &MirrorFile, url: &str, index: &[String]) -> bool {
        let Some(mark) = self.by_path.get(&file.path) else {
            return true;
        };
        let (mark_path, mark_query) = divided(mark);
        let (path, query) = divided(url);
        let shows = |page: &str, directory: &str| {
            let is_index = |name: &String| page.strip_suffix(name.as_str()) == Some(directory);
            page == directory.strip_suffix('/').unwrap_or(directory)
                || directory.ends_with('/') && index.iter().any(is_index)
        };
        let is_same_page = shows(path, mark_path) || shows(mark_path, path) || path == mark_path;
        is_same_page && query == mark_query
    }

    /// Gives redirected URLs the files of their targets.
    pub(super) fn follow(&mut self, redirects: &[(String, Option<String>)]) {
        // In reverse order, since a chronological log has the end of a chain after its beginning.
        let redirects = redirects.iter().rev().map(|(url, target)| {
            let url = normal(url);
            let targets = match target {
                Some(target) => vec![normal(target)],
                None => usual_targets(&url),
            };
            (url, targets)
        });
        let mut redirects: Vec<(String, Vec<String>)> = redirects.collect();
        // In another order, such as that of URLs, each round follows one more redirect of a chain.
        // Redirects in a loop remain.
        for _ in 0..MAX_REDIRECTS {
            let count = redirects.len();
            let marks = &mut *self;
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

    /// Records that a URL in normal form has no copy, unless a file is recorded as one.
    pub(super) fn add_missing(&mut self, url: String) {
        if !self.by_url.contains_key(&url) {
            self.missing.insert(url);
        }
    }
}

/// Splits a URL without a fragment before its query.
pub(super) fn divided(url: &str) -> (&str, &str) {
    url.split_at(url.find('?').unwrap_or(url.len()))
}

/// The normal form of a URL without its fragment.
pub(super) fn normal(url: &str) -> String {
    let end = url.find('#').unwrap_or(url.len());
    normalize(&url[..end], Equivalence::Scheme)
}

/// The usual targets of redirects, for a URL in normal form: another scheme, the directory of that
/// name, a page without its extension.
fn usual_targets(url: &str) -> Vec<String> {
    let (page, query) = divided(url);
    let name = page.strip_suffix(".html");
    let index = page.strip_suffix("index.html");
    let targets = [
        page.strip_prefix("http://").map(|rest| format!("https://{rest}")),
        Some(format!("{page}/")),
        index.map(str::to_owned),
        name.map(str::to_owned),
        name.map(|it| format!("{it}/")),
        page.strip_suffix('/').map(str::to_owned),
        Some(format!("{page}.html")),
    ];
    targets.into_iter().flatten().map(|it| it + query).collect()
}
