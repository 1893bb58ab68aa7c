//! The directories of a mirror.

use std::collections::HashMap;
use std::collections::hash_map::Entry as MapEntry;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::event::MirrorEvent;
use super::logs::{Log, Logs};
use super::marks::{Marks, marked_trees};
use super::options::{MirrorOptions, MirrorSites};
use crate::format::{Format, begins_as_page, is_binary_name};
use crate::fs::{Item, RealDirectory, bytes_of_path, list, path_of_bytes};
use crate::jobs::error::{JobError, MirrorError};
use crate::listing::{Entry, Listing};
use crate::mirror::{LocalNames, Mirror};
use crate::site::Site;

/// The most files without an extension of HTML that are read to find a page.
const MAX_PLAIN: usize = 1000;

/// Returns the first page without an extension of HTML.
fn plain_page(directory: &Path, listing: &Listing) -> Option<Vec<u8>> {
    let may_be_page = |path: &[u8]| {
        let path = path_of_bytes(path);
        let by_name = Format::from_extension(&path);
        by_name.is_none_or(|it| it.is_text() && !it.is_mail()) && !is_binary_name(&path)
    };
    let files =
        listing.iter().filter(|(_, path, entry)| *entry == Entry::File && may_be_page(path));
    let mut files = files.take(MAX_PLAIN).map(|(_, path, _)| path);
    let found = files.find(|path| {
        let file = Item::Path(directory.join(path_of_bytes(path)));
        file.head_of_file(1024).is_ok_and(|it| begins_as_page(&it))
    });
    found.map(<[u8]>::to_vec)
}

/// Returns the files of a directory. Fails if some cannot be listed: they would count as missing.
fn listed(directory: &Path, event: &mut dyn FnMut(MirrorEvent<'_>)) -> Result<Listing, JobError> {
    let mut failed = 0;
    let listing = list(directory, |error| {
        event(MirrorEvent::Error(&JobError::File(error)));
        failed += 1;
    });
    if failed > 0 {
        return Err(MirrorError::Unlisted(directory.to_owned()).into());
    }
    Ok(listing)
}

/// Directories that hold copies of sites.
pub struct MirrorTrees {
    options: MirrorOptions,
    /// The URLs of sites with their directories.
    trees: Vec<(String, RealDirectory)>,
    /// The deepest directory that holds them all.
    common: Option<RealDirectory>,
    logs: Logs,
    marks: Marks,
}

impl MirrorTrees {
    /// Reads the logs, and the marks of pages if they name the sites.
    ///
    /// # Errors
    /// If a given log cannot be read, a directory cannot be resolved, or no page has a mark.
    pub fn new(
        options: MirrorOptions,
        event: &mut dyn FnMut(MirrorEvent<'_>),
    ) -> Result<Self, JobError> {
        let mut logs = Logs::new(&options.inputs, &options.logs, event)?;
        let mut marks = Marks::default();
        let trees = match &options.sites {
            MirrorSites::Named(trees) => trees.clone(),
            MirrorSites::Marked => marked_trees(&options.inputs, &mut marks, &mut logs, event)?,
        };
        let mut common = trees.first().map_or_else(PathBuf::new, |(_, it)| it.path().to_owned());
        for (_, directory) in &trees {
            while !directory.path().starts_with(&common) && common.pop() {}
        }
        let common = match trees.is_empty() {
            true => None,
            false => Some(RealDirectory::new(&common).map_err(JobError::system(&common))?),
        };
        Ok(Self { options, trees, common, logs, marks })
    }

    /// Returns the deepest directory that holds all of the mirror.
    pub fn root(&self) -> Option<&RealDirectory> {
        self.common.as_ref()
    }

    /// Reads the files of the directories.
    ///
    /// # Errors
    /// If a directory cannot be listed, or a given log is that of another mirror.
    pub fn mirror(&mut self, event: &mut dyn FnMut(MirrorEvent<'_>)) -> Result<Mirror, JobError> {
        let (logs, names) = self.logs_and_names(event);
        let has_given_logs = !self.options.logs.is_empty();
        // Sites in one directory share its listing.
        let mut listings: HashMap<&Path, Arc<Listing>> = HashMap::new();
        // The first site of each directory.
        let mut firsts = Vec::new();
        let mut sites = Vec::new();
        for (number, (url, directory)) in self.trees.iter().enumerate() {
            let directory = directory.path();
            let common = self.common.as_ref();
            let place = common.and_then(|it| directory.strip_prefix(it.path()).ok());
            let place = bytes_of_path(place.unwrap_or(Path::new(""))).into_owned();
            let listing = match listings.entry(directory) {
                MapEntry::Occupied(entry) => entry.into_mut(),
                MapEntry::Vacant(entry) => {
                    firsts.push((number, directory));
                    entry.insert(listed(directory, event)?.into())
                }
            };
            let site = Site::new(url, listing.clone(), self.options.index.clone());
            sites.push((site, place));
        }
        let mut mirror = Mirror::new(sites, names);
        if self.options.names.is_none() && logs.is_empty() {
            mirror = mirror.guessing_names();
        }
        let mut marked = Vec::new();
        let mut plain = Vec::new();
        for (number, directory) in firsts {
            let listing = &listings[directory];
            match names {
                LocalNames::Raw => {}
                LocalNames::Wget => plain
                    .extend(plain_page(directory, listing).map(|path| mirror.file(number, &path))),
                LocalNames::Httrack => {
                    let files = listing.iter().filter(|it| it.2 == Entry::File);
                    marked.extend(files.filter_map(|(_, path, _)| {
                        let mark = self.marks.of(&directory.join(path_of_bytes(path)), event)?;
                        Some((mirror.file(number, path), mark.to_owned()))
                    }));
                }
            }
        }
        let mut mirror = mirror.with_marks(marked).with_plain_pages(plain);
        for log in &logs {
            match log.check(&mirror, &self.trees, event) {
                Ok(()) => {
                    if !has_given_logs {
                        event(MirrorEvent::Log(log.name()));
                    }
                    mirror = mirror.with_log(&log.log);
                }
                Err(error) if !has_given_logs => event(MirrorEvent::LogIgnored(&error)),
                Err(error) => return Err(MirrorError::Log(Box::new(error)).into()),
            }
        }
        Ok(mirror)
    }

    /// Returns the given logs, or that of HTTrack's cache; and the form of file names.
    fn logs_and_names(
        &mut self,
        event: &mut dyn FnMut(MirrorEvent<'_>),
    ) -> (Vec<Arc<Log>>, LocalNames) {
        let mut logs = self.logs.given();
        let MirrorOptions { names, sites, .. } = &self.options;
        let names = names.or_else(|| logs.first().map(|it| it.log.names));
        let names = names.unwrap_or(match sites {
            MirrorSites::Marked => LocalNames::Httrack,
            MirrorSites::Named(_) => LocalNames::default(),
        });
        if names == LocalNames::Httrack && logs.is_empty() {
            let common = self.common.as_ref().map(RealDirectory::path);
            logs.extend(common.and_then(|it| self.logs.of_cache(it, event)));
        }
        (logs, names)
    }
}
