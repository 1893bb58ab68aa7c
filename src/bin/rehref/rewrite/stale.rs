//! What a rewrite leaves stale: hashes of files that it changes, and compressed copies of them.

use std::collections::HashSet;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rehref::bytes::percent;
use rehref::document::Document;
use rehref::format::Format;
use rehref::format::FoundLinks;
use rehref::format::html::scripted_links;
use rehref::fs::{BaseMapping, Content, Item, ReadOptions, WalkOptions, names_in, path_of_bytes};
use rehref::link::{Integrity, LinkData, Target};
use rehref::rewrite::{Decision, DocumentRules, Mapper, OutputBases};
use rehref::rewrite::{Plan, verify};
use rehref::site::{Listing, Site};
use rehref::uri::{Base, Parts};

use super::Rewrite;
use super::layout::{Task, to_read};
use crate::render::messages::Messages;
use crate::render::terminal::warn;
use rehref::jobs::ordered;

/// How the names of style sheets and scripts end, which hashes are given of.
const HASHED: [&str; 5] = ["css", "js", "mjs", "cjs", "json"];

/// How the names of programs end.
const PROGRAMS: [&str; 3] = ["js", "mjs", "cjs"];

/// How the names of compressed copies end, which servers send in the place of a file.
const COMPRESSED: [&str; 3] = ["gz", "br", "zst"];

/// Which file a link leads to, and which of them the run changes.
#[derive(Default)]
pub(super) struct Files {
    /// The URIs of a tree, and its folder.
    tree: Option<(Site, PathBuf)>,
    /// The style sheets and scripts that are going to change, if their hashes are to go.
    changing: HashSet<PathBuf>,
}

/// A hash that stays, of a file that may change.
pub(super) struct Hash {
    /// What there is to say if it does.
    place: String,
    file: PathBuf,
}

impl Files {
    pub(super) fn new(retrieval: Option<&BaseMapping>) -> Self {
        let tree = match retrieval {
            Some(BaseMapping::Tree { url, folder }) => {
                let site = Site::new(url, Listing::default(), Vec::new());
                Some((site, folder.path().to_owned()))
            }
            Some(BaseMapping::Uri(_)) | None => None,
        };
        Self {
            tree,
            changing: HashSet::new(),
        }
    }

    /// The file that a link leads to: by its URI, or if no folder is known for that by the path that it is.
    fn file_of(
        &self,
        name: &Path,
        has_base: bool,
        link: &LinkData<'_>,
        uri: Option<&str>,
    ) -> Option<PathBuf> {
        let path = match (&self.tree, uri) {
            (Some((site, folder)), Some(uri)) => folder.join(path_of_bytes(&site.path_of(uri)?)),
            _ => {
                let parts = Parts::split(&link.reference);
                let is_relative = parts.scheme.is_none() && parts.authority.is_none();
                if has_base || !is_relative || parts.path.starts_with(['/', '\\']) {
                    return None;
                }
                let folder = name.parent().unwrap_or(Path::new(""));
                folder.join(path_of_bytes(&percent::decode(parts.path)))
            }
        };
        path.canonicalize().ok()
    }
}

/// The rules, and that hashes of what changes go.
pub(super) struct Dropping<'a> {
    pub(super) rules: &'a DocumentRules<'a>,
    pub(super) files: &'a Files,
    pub(super) name: &'a Path,
    pub(super) has_base: bool,
}

impl Mapper for Dropping<'_> {
    fn output_bases(&self, document: &Document, findings: &FoundLinks<'_>) -> Option<OutputBases> {
        self.rules.output_bases(document, findings)
    }

    fn map<'t>(
        &self,
        link: &LinkData<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
    ) -> Decision<'t> {
        self.rules.map(link, target, base)
    }

    fn public_url(&self, uri: String) -> String {
        self.rules.public_url(uri)
    }

    fn drops_integrity(&self, link: &LinkData<'_>, target: &Target<'_>) -> bool {
        if self.files.changing.is_empty() {
            return false;
        }
        let file = self
            .files
            .file_of(self.name, self.has_base, link, target.uri);
        file.is_some_and(|file| self.files.changing.contains(&file))
    }
}

impl Rewrite {
    /// Finds out which style sheets and scripts are going to change.
    pub(super) fn look_ahead(
        &mut self,
        tree: &WalkOptions,
        items: &[Item],
        options: &ReadOptions,
        jobs: NonZeroUsize,
    ) {
        let mut changing = HashSet::new();
        let tasks = to_read(tree, items.to_vec());
        let tasks = tasks.flatten().filter(|task| {
            let name = task.item.file();
            name.is_some_and(|name| ends_with(name, &HASHED))
        });
        let work = |task: Task| self.would_change(&task, options);
        ordered::for_each(tasks, jobs, work, |found| {
            changing.extend(found);
            ControlFlow::Continue(())
        });
        self.files.changing = changing;
    }

    /// The file of a task, if it is going to change. What cannot be read is told when its turn comes.
    fn would_change(&self, task: &Task, options: &ReadOptions) -> Option<PathBuf> {
        let Ok(Content::Document(document)) = options.read(&task.item) else {
            return None;
        };
        if !super::is_rewritable(document.format) {
            return None;
        }
        let findings = document.links_with(&self.find);
        let plan = Plan::new(&document, &findings, &self.find, &self.rules);
        if plan.is_empty() {
            return None;
        }
        let edited = plan.apply(&document);
        let is_meant =
            !self.verify || verify(&document, &findings, &plan.edits, edited, &self.find).is_ok();
        let file = task.item.file()?;
        is_meant.then(|| file.canonicalize().ok()).flatten()
    }

    /// The hashes that stay in a document, of files that may change.
    pub(super) fn hashes(
        &self,
        document: &Document,
        findings: &FoundLinks<'_>,
        plan: &Plan,
    ) -> Vec<Hash> {
        if findings.integrity.is_empty() {
            return Vec::new();
        }
        let gone = plan.edits.iter().filter(|it| it.rule == Integrity::RULE);
        let gone: HashSet<usize> = gone.map(|it| it.link).collect();
        let mut resolving = findings.resolving(document, self.find.resolver).unchecked();
        let mut lines = document.lines();
        let has_base = !findings.base_elements.is_empty();
        let mut hashes = Vec::new();
        for integrity in &findings.integrity {
            let link = &findings.links[integrity.link];
            let uri = resolving.target(link).uri;
            let file = self.files.file_of(&document.name, has_base, link, uri);
            let Some(file) = file.filter(|_| !gone.contains(&integrity.link)) else {
                continue;
            };
            let place = lines.position(link.extent().start);
            hashes.push(Hash {
                place: format!(
                    "{}:{}:{}: integrity of {:?} no longer holds",
                    document.name.display(),
                    place.line,
                    place.column,
                    link.reference
                ),
                file,
            });
        }
        hashes
    }
}

/// Tells of the hashes of files that have changed. Hashes are given of no pages.
pub(super) fn tell(hashes: &[Hash], changed: &[PathBuf]) {
    if hashes.is_empty() {
        return;
    }
    let changed: HashSet<PathBuf> = changed
        .iter()
        .filter_map(|file| file.canonicalize().ok())
        .collect();
    let stale = hashes.iter().filter(|hash| changed.contains(&hash.file));
    for Hash { place, file } in stale {
        warn(format_args!(
            "{place}: {} changes (--integrity drop)",
            file.file_name()
                .map_or(file.display(), |name| Path::new(name).display())
        ));
    }
}

/// The compressed copies of documents. Of the folder that was last asked for it is remembered which there are:
/// documents come folder by folder.
#[derive(Default)]
pub(crate) struct Copies {
    last: Mutex<Option<(PathBuf, HashSet<OsString>)>>,
}

impl Copies {
    /// Tells of those that lie beside a changed document.
    pub(crate) fn tell(&self, document: &Document, messages: &mut Messages) {
        let (Some(folder), Some(name)) = (document.name.parent(), document.name.file_name()) else {
            return;
        };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let there = match &mut *last {
            Some((last, there)) if last == folder => there,
            last => &mut last.insert((folder.to_owned(), compressed_in(folder))).1,
        };
        if there.is_empty() {
            return;
        }
        for ending in COMPRESSED {
            let mut copy = name.to_owned();
            copy.push(".");
            copy.push(ending);
            let path = document.name.with_file_name(&copy);
            if there.contains(&copy) && path.is_file() {
                let (copy, name) = (path.display(), document.name.display());
                messages.note(format!("{copy}: no longer what {name} is, compressed"));
            }
        }
    }
}

/// The names in a folder that end as those of compressed copies do.
fn compressed_in(folder: &Path) -> HashSet<OsString> {
    let is_of_copy = |name: &OsString| ends_with(Path::new(name), &COMPRESSED);
    names_in(folder).filter(is_of_copy).collect()
}

/// How many links scripts seem to build in a document.
pub(crate) fn scripted(document: &Document, findings: &FoundLinks<'_>) -> usize {
    match document.format {
        Format::Text if ends_with(&document.name, &PROGRAMS) => scripted_links(&document.bytes),
        _ => findings.scripted,
    }
}

/// What a summary says of the links that scripts seem to build.
pub(crate) fn of_scripts(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => ", 1 link built by scripts not seen".to_owned(),
        _ => format!(", {count} links built by scripts not seen"),
    }
}

fn ends_with(name: &Path, endings: &[&str]) -> bool {
    let ending = name.extension();
    ending.is_some_and(|ending| endings.iter().any(|it| ending.eq_ignore_ascii_case(it)))
}
