//! The directories of `--mirror auto`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::bail;
use rehref::document::Media;
use rehref::site::{CrawlLog, Entry, MARK_REACH, mark_roots, saved_from};
use rehref::source::{Item, RealFolder, bytes_of_path, list, path_of_bytes};

use super::mirror::HttrackLogs;
use crate::terminal::complain;

/// What pages say where they were saved from.
#[derive(Default)]
pub(super) struct Marked {
    /// The URLs of their sites, with the directories.
    pub(super) trees: Vec<(String, RealFolder)>,
    /// The marks of the files that were read, which are named by their real paths.
    pub(super) marks: HashMap<PathBuf, Option<String>>,
}

/// The pages of a directory that say where they were saved from.
type Pages = Vec<(PathBuf, String)>;

impl Marked {
    /// What the pages of these paths say: of a directory all, and of a file only its own mark.
    pub(super) fn new(paths: &[OsString], logs: &mut HttrackLogs) -> anyhow::Result<Self> {
        let mut marked = Self::default();
        let mut schemes = Schemes::default();
        let mut groups: Vec<(PathBuf, Pages)> = Vec::new();
        // Files of one directory decide together.
        let mut files: BTreeMap<PathBuf, Pages> = BTreeMap::new();
        for path in paths {
            let item = Item::from_argument(path);
            let Some(path) = item.file() else { continue };
            // A path that is not there is an error of its own.
            if path.is_dir() {
                let Ok(root) = path.canonicalize() else {
                    continue;
                };
                let mut pages = Vec::new();
                for (_, name, entry) in list(&root, complain).iter() {
                    if entry == Entry::File {
                        let page = root.join(path_of_bytes(name));
                        pages.extend(marked.page(page, &mut schemes));
                    }
                }
                groups.push((root, pages));
            } else if let (Some(name), true) = (path.file_name(), path.is_file()) {
                let parent = path.parent().filter(|it| *it != Path::new(""));
                let Ok(root) = parent.unwrap_or(Path::new(".")).canonicalize() else {
                    continue;
                };
                let page = marked.page(root.join(name), &mut schemes);
                files.entry(root).or_default().extend(page);
            }
        }
        groups.extend(files);
        let mut seen = HashSet::new();
        for (root, pages) in &groups {
            let named = pages.iter().map(|(path, mark)| (bytes_of_path(path), mark));
            let named: Vec<_> = named.collect();
            // The whole paths: the directory of a site may lie above the one that was given.
            let pages = named.iter().map(|(path, mark)| (&**path, mark.as_str()));
            for (url, folder) in mark_roots(pages) {
                let folder = directory(root, &folder);
                let url = match url.contains("://") {
                    true => url,
                    false => format!("{}://{url}", schemes.of(&url, &[&folder, root], logs)),
                };
                if seen.insert((url.clone(), folder.clone())) {
                    marked.trees.push((url, RealFolder::new(&folder)?));
                }
            }
        }
        if marked.trees.is_empty() {
            bail!(
                "--mirror auto: no page says where it was saved from; --mirror URL=DIR names the site"
            );
        }
        Ok(marked)
    }

    /// Reads the mark of a page, if it has one, and notes it.
    fn page(&mut self, path: PathBuf, schemes: &mut Schemes) -> Option<(PathBuf, String)> {
        if Media::from_extension(&path) != Some(Media::Html) {
            return None;
        }
        let head = Item::Path(path.clone()).head_of_file(MARK_REACH).ok()?;
        let mark = saved_from(&head);
        self.marks.insert(path.clone(), mark.clone());
        let mark = mark?;
        if !mark.contains("://") {
            schemes.count(&head, &mark);
        }
        Some((path, mark))
    }
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

/// The schemes by which pages refer to the sites that they are of: HTTrack does not say it.
#[derive(Default)]
struct Schemes {
    /// For each host, the pages that name it with `http`, and those with `https`.
    seen: HashMap<String, [usize; 2]>,
    /// For each log that was read, the hosts of which it has URLs with `http`, and those with `https`.
    logs: HashMap<PathBuf, [HashSet<String>; 2]>,
}

const SCHEMES: [&str; 2] = ["http", "https"];

/// The hosts of which a log has URLs with each scheme.
fn logged_hosts(log: &CrawlLog) -> [HashSet<String>; 2] {
    SCHEMES.map(|scheme| {
        let hosts = log.saved.iter().filter_map(|(url, _)| {
            let rest = url.strip_prefix(scheme)?.strip_prefix("://")?;
            Some(rest.split_once('/')?.0.to_owned())
        });
        hosts.collect()
    })
}

impl Schemes {
    fn count(&mut self, head: &[u8], mark: &str) {
        let end = mark.find(['/', '?', '#']).unwrap_or(mark.len());
        let seen = self.seen.entry(mark[..end].to_owned()).or_default();
        let text = String::from_utf8_lossy(head);
        for (scheme, count) in SCHEMES.iter().zip(seen) {
            *count += usize::from(text.contains(&format!("{scheme}://{}/", &mark[..end])));
        }
    }

    /// The scheme of a site, whose URL has none. What the log of a directory says, the first that has one, goes before
    /// what most pages write.
    fn of(&mut self, url: &str, directories: &[&Path], logs: &mut HttrackLogs) -> &'static str {
        let host = url.trim_end_matches('/');
        let file = directories
            .iter()
            .find_map(|it| HttrackLogs::file_above(it));
        let logged = file.and_then(|file| {
            let read = |file: &PathBuf| {
                let log = logs.in_file(file.clone());
                log.map_or_else(Default::default, |it| logged_hosts(&it.log))
            };
            let hosts = self.logs.entry(file).or_insert_with_key(read);
            hosts.iter().position(|it| it.contains(host))
        });
        let [http, https] = self.seen.get(host).copied().unwrap_or_default();
        match logged {
            Some(number) => SCHEMES[number],
            None if http > https => "http",
            None => "https",
        }
    }
}
