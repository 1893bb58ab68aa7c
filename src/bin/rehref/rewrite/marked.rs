//! The directories of `--mirror auto`.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::Path;

use anyhow::bail;
use rehref::document::Media;
use rehref::site::{CrawlLog, Entry, MARK_REACH, mark_roots, saved_from};
use rehref::source::{Item, RealFolder, list, path_of_bytes};

use super::mirror::HttrackLogs;
use crate::terminal::complain;

/// The sites whose pages say where they were saved from, with their directories.
pub(super) fn marked_trees(
    paths: &[OsString],
    logs: &mut HttrackLogs,
) -> anyhow::Result<Vec<(String, RealFolder)>> {
    let mut trees = Vec::new();
    for path in paths {
        let item = Item::from_argument(path);
        let Some(path) = item.file() else { continue };
        let folder = match path.is_dir() {
            true => path,
            false => match path.parent() {
                Some(parent) if parent != Path::new("") => parent,
                _ => Path::new("."),
            },
        };
        // A path that is not there is an error of its own.
        let Ok(folder) = RealFolder::new(folder) else {
            continue;
        };
        let root = folder.path();
        let mut pages = Vec::new();
        let mut schemes = Schemes::default();
        for (_, name, entry) in list(root, complain).iter() {
            let is_page = Media::from_extension(&path_of_bytes(name)) == Some(Media::Html);
            if entry != Entry::File || !is_page {
                continue;
            }
            let file = Item::Path(root.join(path_of_bytes(name)));
            let Ok(head) = file.head_of_file(MARK_REACH) else {
                continue;
            };
            if let Some(mark) = saved_from(&head) {
                schemes.count(&head, &mark);
                pages.push((name.to_vec(), mark));
            }
        }
        let log = logs.above(root);
        let pages = pages.iter().map(|(name, mark)| (&**name, &**mark));
        for (url, below) in mark_roots(pages) {
            let url = match url.contains("://") {
                true => url,
                false => format!("{}://{url}", schemes.of(&url, log)),
            };
            let folder = RealFolder::new(&root.join(path_of_bytes(&below)))?;
            trees.push((url, folder));
        }
    }
    if trees.is_empty() {
        bail!(
            "--mirror auto: no page says where it was saved from; --mirror URL=DIR names the site"
        );
    }
    Ok(trees)
}

/// The schemes by which pages refer to the sites that they are of: HTTrack does not say it.
#[derive(Default)]
struct Schemes {
    /// For each host, the pages that name it with `http`, and those with `https`.
    seen: HashMap<String, [usize; 2]>,
}

const SCHEMES: [&str; 2] = ["http", "https"];

impl Schemes {
    fn count(&mut self, head: &[u8], mark: &str) {
        let end = mark.find(['/', '?', '#']).unwrap_or(mark.len());
        let seen = self.seen.entry(mark[..end].to_owned()).or_default();
        let text = String::from_utf8_lossy(head);
        for (scheme, count) in SCHEMES.iter().zip(seen) {
            *count += usize::from(text.contains(&format!("{scheme}://{}/", &mark[..end])));
        }
    }

    /// The scheme of a site, whose URL has none. What the log says goes before what most pages write.
    fn of(&self, url: &str, log: Option<&CrawlLog>) -> &'static str {
        let is_of = |scheme: &&str| {
            let begin = format!("{scheme}://{url}");
            log.is_some_and(|log| log.saved.iter().any(|(url, _)| url.starts_with(&begin)))
        };
        let host = url.trim_end_matches('/');
        let [http, https] = self.seen.get(host).copied().unwrap_or_default();
        match SCHEMES.into_iter().find(is_of) {
            Some(scheme) => scheme,
            None if http > https => "http",
            None => "https",
        }
    }
}
