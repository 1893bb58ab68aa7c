//! The directories of `--mirror auto`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::bail;
use rehref::format::Format;
use rehref::fs::{Item, RealFolder, bytes_of_path, list, path_of_bytes};
use rehref::site::{Entry, MARK_REACH, mark_roots, saved_from};

use super::logs::{Logs, SCHEMES};
use crate::render::terminal::warn;

/// Where pages say they were saved from. Each is read once.
#[derive(Default)]
pub(super) struct Marks {
    by_file: HashMap<PathBuf, Option<String>>,
    /// For each host whose pages do not say its scheme, as HTTrack's do not, how many of them name it with each of
    /// [`SCHEMES`].
    schemes: HashMap<String, [usize; 2]>,
}

/// The host at the beginning of a mark without a scheme.
fn host(mark: &str) -> &str {
    &mark[..mark.find(['/', '?', '#']).unwrap_or(mark.len())]
}

impl Marks {
    /// The mark of a file, which is named by its real path, if that is a page.
    pub(super) fn of(&mut self, file: &Path) -> Option<&str> {
        if Format::from_extension(file) != Some(Format::Html) {
            return None;
        }
        if !self.by_file.contains_key(file) {
            let mark = self.read(file);
            self.by_file.insert(file.to_owned(), mark);
        }
        self.by_file.get(file)?.as_deref()
    }

    fn read(&mut self, file: &Path) -> Option<String> {
        let head = Item::Path(file.to_owned()).head_of_file(MARK_REACH);
        let head = head.map_err(warn).ok()?;
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

/// The pages of a directory that say where they were saved from.
type Pages = Vec<(PathBuf, String)>;

/// How many sites are printed.
const MOST_PRINTED: usize = 10;

/// The URLs of sites and their directories, from the pages of these paths: of a directory all, and of a file only its
/// own mark. Prints them.
pub(super) fn marked_trees(
    paths: &[OsString],
    marks: &mut Marks,
    logs: &mut Logs,
) -> anyhow::Result<Vec<(String, RealFolder)>> {
    let mut trees = Vec::new();
    let mut seen = HashSet::new();
    for (root, pages) in groups(paths, marks) {
        let named: Vec<_> = pages
            .iter()
            .map(|(path, mark)| (bytes_of_path(path), mark))
            .collect();
        // The whole paths: the directory of a site may lie above the one that was given.
        let named = named.iter().map(|(path, mark)| (&**path, mark.as_str()));
        for (site, folder) in mark_roots(named) {
            let folder = directory(&root, &folder);
            let (url, origin) = match site.contains("://") {
                true => (site.clone(), String::new()),
                false => {
                    let (scheme, origin) = scheme_of(&site, &[&folder, &root], marks, logs);
                    (format!("{scheme}://{site}"), origin)
                }
            };
            if !seen.insert((url.clone(), folder.clone())) {
                continue;
            }
            if trees.len() < MOST_PRINTED {
                let is_of_site = |mark: &str| {
                    let rest = mark.strip_prefix(site.strip_suffix('/').unwrap_or(&site));
                    rest.is_some_and(|it| it.is_empty() || it.starts_with(['/', '?', '#']))
                };
                let page = pages.iter().find(|(_, mark)| is_of_site(mark));
                let page = page.map_or(&*folder, |(page, _)| page).display();
                let folder = folder.display();
                warn(format_args!(
                    "--mirror auto: {url}={folder} (mark in {page}{origin})"
                ));
            }
            trees.push((url, RealFolder::new(&folder)?));
        }
    }
    if trees.is_empty() {
        bail!(
            "--mirror auto: no page says where it was saved from; --mirror URL=DIR names the site"
        );
    }
    let more = trees.len().saturating_sub(MOST_PRINTED);
    if more > 0 {
        let plural = if more == 1 { "" } else { "s" };
        warn(format_args!("--mirror auto: {more} more site{plural}"));
    }
    Ok(trees)
}

/// The marked pages of each directory. Files of one directory decide together.
fn groups(paths: &[OsString], marks: &mut Marks) -> Vec<(PathBuf, Pages)> {
    let mut marked = |page: PathBuf| {
        let mark = marks.of(&page)?.to_owned();
        Some((page, mark))
    };
    let mut groups: Vec<(PathBuf, Pages)> = Vec::new();
    let mut files: BTreeMap<PathBuf, Pages> = BTreeMap::new();
    for path in paths {
        let item = Item::from_argument(path);
        let Some(path) = item.file() else { continue };
        // A path that is not there is an error of its own.
        if path.is_dir() {
            let Ok(root) = path.canonicalize() else {
                continue;
            };
            let listing = list(&root, warn);
            let names = listing.iter().filter(|it| it.2 == Entry::File);
            let pages = names.map(|(_, name, _)| root.join(path_of_bytes(name)));
            let pages = pages.filter_map(&mut marked).collect();
            groups.push((root, pages));
        } else if let (Some(name), true) = (path.file_name(), path.is_file()) {
            let parent = path.parent().filter(|it| *it != Path::new(""));
            let Ok(root) = parent.unwrap_or(Path::new(".")).canonicalize() else {
                continue;
            };
            let page = marked(root.join(name));
            files.entry(root).or_default().extend(page);
        }
    }
    groups.extend(files);
    groups
}

/// The directory of this name, which `root` holds or lies in.
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

/// The scheme of a site, whose URL has none, and where that is from. A log goes before what most pages write.
fn scheme_of(
    url: &str,
    directories: &[&Path],
    marks: &Marks,
    logs: &mut Logs,
) -> (&'static str, String) {
    let host = host(url);
    if let Some((number, log)) = logs.scheme_of(host, directories) {
        return (SCHEMES[number], format!("; scheme in {}", log.name()));
    }
    match marks.schemes.get(host).copied().unwrap_or_default() {
        [0, 0] => ("https", "; scheme guessed".to_owned()),
        [http, https] if http > https => ("http", "; scheme of its links".to_owned()),
        _ => ("https", "; scheme of its links".to_owned()),
    }
}
