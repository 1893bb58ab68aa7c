//! Marks of pages with their URLs, and the sites that they show.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::event::{MirrorEvent, SchemeOrigin};
use super::logs::{Logs, SCHEMES};
use crate::format::Format;
use crate::fs::{Item, RealDirectory, bytes_of_path, directory_of, list, path_of_bytes};
use crate::jobs::error::{JobError, MirrorError};
use crate::listing::Entry;
use crate::mirror::{MARK_REACH, mark_roots, saved_from};

/// The URLs that pages were saved from, by their marks. Each page is read once.
#[derive(Default)]
pub(super) struct Marks {
    by_file: HashMap<PathBuf, Option<String>>,
    /// For hosts whose marks have no scheme, as those of HTTrack: the number of pages that have the
    /// host with each of [`SCHEMES`].
    schemes: HashMap<String, [usize; 2]>,
}

/// Returns the host of a mark without a scheme.
fn host(mark: &str) -> &str {
    &mark[..mark.find(['/', '?', '#']).unwrap_or(mark.len())]
}

impl Marks {
    /// Returns the mark of the page at a real path.
    pub(super) fn of(
        &mut self,
        file: &Path,
        event: &mut dyn FnMut(MirrorEvent<'_>),
    ) -> Option<&str> {
        if !Format::from_extension(file).is_some_and(Format::is_page) {
            return None;
        }
        if !self.by_file.contains_key(file) {
            let mark = self.read(file, event);
            self.by_file.insert(file.to_owned(), mark);
        }
        self.by_file.get(file)?.as_deref()
    }

    fn read(&mut self, file: &Path, event: &mut dyn FnMut(MirrorEvent<'_>)) -> Option<String> {
        let head = match Item::Path(file.to_owned()).head_of_file(MARK_REACH) {
            Ok(head) => head,
            Err(error) => {
                event(MirrorEvent::Error(&JobError::File(error)));
                return None;
            }
        };
        let mark = saved_from(&head)?;
        if !mark.contains("://") {
            let host = host(&mark);
            let seen = self.schemes.entry(host.to_owned()).or_default();
            let text = String::from_utf8_lossy(&head);
            for (scheme, count) in SCHEMES.iter().zip(seen) {
                *count += usize::from(text.contains(&format!("{scheme}://{host}/")));
            }
        }
        Some(mark)
    }
}

/// The pages of a directory with marks.
type Pages = Vec<(PathBuf, String)>;

/// The most sites reported.
const MAX_REPORTED: usize = 10;

/// Returns the URLs of sites and their directories, from the marks of the pages at these paths.
pub(super) fn marked_trees(
    paths: &[OsString],
    marks: &mut Marks,
    logs: &mut Logs,
    event: &mut dyn FnMut(MirrorEvent<'_>),
) -> Result<Vec<(String, RealDirectory)>, JobError> {
    let mut trees = Vec::new();
    let mut seen = HashSet::new();
    for (root, pages) in groups(paths, marks, event) {
        let named: Vec<_> = pages.iter().map(|(path, mark)| (bytes_of_path(path), mark)).collect();
        // Whole paths: the directory of a site may be above the input.
        let named = named.iter().map(|(path, mark)| (&**path, mark.as_str()));
        for (site, below) in mark_roots(named) {
            let found = directory(&root, &below);
            let (url, origin) = match site.contains("://") {
                true => (site.clone(), SchemeOrigin::Mark),
                false => {
                    let directories = [&*found, &*root];
                    let (scheme, origin) = scheme_of(&site, &directories, marks, logs, event);
                    (format!("{scheme}://{site}"), origin)
                }
            };
            if !seen.insert((url.clone(), found.clone())) {
                continue;
            }
            if trees.len() < MAX_REPORTED {
                let is_of_site = |mark: &str| {
                    let rest = mark.strip_prefix(site.strip_suffix('/').unwrap_or(&site));
                    rest.is_some_and(|it| it.is_empty() || it.starts_with(['/', '?', '#']))
                };
                let page = pages.iter().find(|(_, mark)| is_of_site(mark));
                event(MirrorEvent::Site {
                    url: &url,
                    directory: &found,
                    page: page.map_or(&*found, |(page, _)| page),
                    scheme: &origin,
                });
            }
            let real = RealDirectory::new(&found).map_err(JobError::system(&found))?;
            trees.push((url, real));
        }
    }
    if trees.is_empty() {
        return Err(MirrorError::NoMarks.into());
    }
    let more = trees.len().saturating_sub(MAX_REPORTED);
    if more > 0 {
        event(MirrorEvent::MoreSites(more));
    }
    Ok(trees)
}

/// Returns the marked pages of each directory. Input files of one directory form one group.
fn groups(
    paths: &[OsString],
    marks: &mut Marks,
    event: &mut dyn FnMut(MirrorEvent<'_>),
) -> Vec<(PathBuf, Pages)> {
    let mut marked = |page: PathBuf, event: &mut dyn FnMut(MirrorEvent<'_>)| {
        let mark = marks.of(&page, event)?.to_owned();
        Some((page, mark))
    };
    let mut groups: Vec<(PathBuf, Pages)> = Vec::new();
    let mut files: BTreeMap<PathBuf, Pages> = BTreeMap::new();
    for path in paths {
        let item = Item::from_argument(path);
        let Some(path) = item.file() else { continue };
        // A missing path is an error of its own.
        if path.is_dir() {
            let Ok(root) = path.canonicalize() else {
                continue;
            };
            let listing = list(&root, |error| {
                event(MirrorEvent::Error(&JobError::File(error)));
            });
            let names = listing.iter().filter(|it| it.2 == Entry::File);
            let pages = names.map(|(_, name, _)| root.join(path_of_bytes(name)));
            let pages = pages.filter_map(|page| marked(page, event)).collect();
            groups.push((root, pages));
        } else if let (Some(name), true) = (path.file_name(), path.is_file()) {
            let Ok(root) = directory_of(path).canonicalize() else {
                continue;
            };
            let page = marked(root.join(name), event);
            files.entry(root).or_default().extend(page);
        }
    }
    groups.extend(files);
    groups
}

/// Returns the directory of this name, which contains `root` or is in it.
fn directory(root: &Path, name: &[u8]) -> PathBuf {
    let bytes = |path: &Path| {
        let bytes = bytes_of_path(path);
        bytes.strip_suffix(b"/").unwrap_or(&bytes).to_vec()
    };
    match name.strip_prefix(&*bytes(root)) {
        Some([b'/', below @ ..]) => root.join(path_of_bytes(below)),
        _ => {
            let mut above = root.ancestors();
            above.find(|it| bytes(it) == name).unwrap_or(root).into()
        }
    }
}

/// Returns the scheme of a site whose marks have none, and its origin. Logs go before links.
fn scheme_of(
    url: &str,
    directories: &[&Path],
    marks: &Marks,
    logs: &mut Logs,
    event: &mut dyn FnMut(MirrorEvent<'_>),
) -> (&'static str, SchemeOrigin) {
    let host = host(url);
    if let Some((number, log)) = logs.scheme_of(host, directories, event) {
        return (SCHEMES[number], SchemeOrigin::Log(log.name().to_owned()));
    }
    match marks.schemes.get(host).copied().unwrap_or_default() {
        [0, 0] => ("https", SchemeOrigin::Guess),
        [http, https] if http > https => ("http", SchemeOrigin::Links),
        _ => ("https", SchemeOrigin::Links),
    }
}
