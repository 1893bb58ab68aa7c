//! Logs of the crawl that made a mirror.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::event::MirrorEvent;
use crate::fs::{Item, RealDirectory, bytes_of_list, is_same_owner};
use crate::jobs::error::{JobError, MirrorError};
use crate::mirror::{CrawlLog, Mirror};

/// A log, and its bytes.
pub(super) struct Log {
    pub(super) log: CrawlLog,
    file: PathBuf,
    bytes: Vec<u8>,
}

impl Log {
    pub(super) fn read(
        file: PathBuf,
        event: &mut dyn FnMut(MirrorEvent<'_>),
    ) -> Result<Self, JobError> {
        let bytes = bytes_of_list(file.as_os_str())?;
        let log = CrawlLog::parse(&bytes).map_err(|error| JobError::Malformed {
            file: file.clone(),
            line: error.line().map(|line| line as u64),
            message: error.to_string(),
        })?;
        if let Some(line) = log.cut_line {
            event(MirrorEvent::IncompleteRow(&file, line));
        }
        Ok(Self { log, file, bytes })
    }

    /// Returns the name of the file.
    pub(super) fn name(&self) -> &Path {
        &self.file
    }

    /// Returns the first line that has this text, from 1.
    fn line_of(&self, text: &[u8]) -> Option<u64> {
        // HTTrack leaves out the scheme.
        let short = text.strip_prefix(b"http://").unwrap_or(text);
        let at = memchr::memmem::find(&self.bytes, short)?;
        Some(memchr::memchr_iter(b'\n', &self.bytes[..at]).count() as u64 + 1)
    }

    /// Refuses the log of another mirror. Reports a log with mostly other URLs or files.
    pub(super) fn check(
        &self,
        mirror: &Mirror,
        trees: &[(String, RealDirectory)],
        event: &mut dyn FnMut(MirrorEvent<'_>),
    ) -> Result<(), JobError> {
        let fit = mirror.fit(&self.log);
        let (site, directory) = match trees {
            [(url, directory)] => (Some(url.as_str()), Some(directory.path())),
            _ => (None, None),
        };
        let file = self.name();
        if let Some(url) = &fit.first_other
            && fit.own_urls * 2 < fit.urls
        {
            let line = self.line_of(url.as_bytes());
            if fit.own_urls == 0 {
                return Err(JobError::Mirror(MirrorError::OtherUrls {
                    file: file.to_owned(),
                    line,
                    site: site.map(str::to_owned),
                    first: url.clone(),
                }));
            }
            event(MirrorEvent::OtherUrls {
                file,
                line,
                count: fit.urls - fit.own_urls,
                total: fit.urls,
                site,
                first: url,
            });
        }
        if let Some(name) = &fit.first_lost
            && fit.found * 2 < fit.saved
        {
            let line = self.line_of(name);
            let name = String::from_utf8_lossy(name);
            if fit.found == 0 {
                return Err(JobError::Mirror(MirrorError::OtherFiles {
                    file: file.to_owned(),
                    line,
                    directory: directory.map(Path::to_owned),
                    first: name.into_owned(),
                }));
            }
            event(MirrorEvent::OtherFiles {
                file,
                line,
                count: fit.saved - fit.found,
                total: fit.saved,
                directory,
                first: &name,
            });
        }
        Ok(())
    }
}

/// The given logs, and the lists of files in caches of HTTrack, each read once.
pub(super) struct Logs {
    given: Vec<LogWithHosts>,
    /// The real paths of the inputs.
    paths: HashSet<PathBuf>,
    /// `None` if it cannot be read.
    caches: HashMap<PathBuf, Option<LogWithHosts>>,
}

struct LogWithHosts {
    log: Arc<Log>,
    /// The hosts of its URLs, by each of [`SCHEMES`].
    hosts: [HashSet<String>; 2],
}

pub(super) const SCHEMES: [&str; 2] = ["http", "https"];

/// The number of directories, from that of a copy upward, that may hold HTTrack's cache.
const CACHE_DEPTH: usize = 3;

impl LogWithHosts {
    fn read(file: &Path, event: &mut dyn FnMut(MirrorEvent<'_>)) -> Result<Self, JobError> {
        let log = Log::read(file.to_owned(), event)?;
        let hosts = SCHEMES.map(|scheme| {
            let urls = log.log.saved.iter().map(|(url, _)| url);
            let urls = urls.chain(&log.log.retrieved);
            let rests = urls.filter_map(|url| url.strip_prefix(scheme)?.strip_prefix("://"));
            let hosts = rests.filter_map(|rest| Some(rest.split_once('/')?.0.to_owned()));
            hosts.collect()
        });
        let log = Arc::new(log);
        Ok(Self { log, hosts })
    }
}

impl Logs {
    pub(super) fn new(
        paths: &[OsString],
        logs: &[PathBuf],
        event: &mut dyn FnMut(MirrorEvent<'_>),
    ) -> Result<Self, JobError> {
        let files = paths.iter().filter_map(|path| {
            let item = Item::from_argument(path);
            item.file()?.canonicalize().ok()
        });
        let mut read = |file: &PathBuf| {
            let log = LogWithHosts::read(file, event);
            log.map_err(|error| MirrorError::Log(Box::new(error)))
        };
        Ok(Self {
            given: logs.iter().map(&mut read).collect::<Result<_, _>>()?,
            paths: files.collect(),
            caches: HashMap::new(),
        })
    }

    /// Returns the given logs.
    pub(super) fn given(&self) -> Vec<Arc<Log>> {
        self.given.iter().map(|it| it.log.clone()).collect()
    }

    /// Returns the file of the list for the copy in a directory. HTTrack puts it next to the
    /// directories of sites. Above the inputs it counts only there, and if it has the owner of the
    /// copy: any user can make this directory in `/tmp`.
    fn cache_of(&self, directory: &Path) -> Option<PathBuf> {
        let above = directory.ancestors().take(CACHE_DEPTH).enumerate();
        let mut files = above.filter_map(|(height, above)| {
            let file = above.join("hts-cache").join("new.txt");
            let is_named = || above.ancestors().any(|it| self.paths.contains(it));
            let is_own = |path: &Path| is_same_owner(path, directory);
            let is_near = || height <= 1 && is_own(&above.join("hts-cache")) && is_own(&file);
            (file.is_file() && (is_named() || is_near())).then_some(file)
        });
        files.next()
    }

    /// Returns the list of HTTrack's cache for the copy in a directory.
    pub(super) fn of_cache(
        &mut self,
        directory: &Path,
        event: &mut dyn FnMut(MirrorEvent<'_>),
    ) -> Option<Arc<Log>> {
        let file = self.cache_of(directory)?;
        self.cache(file, event).map(|it| it.log.clone())
    }

    /// Returns the index in [`SCHEMES`] of the scheme that a log has for a host, and the log: a
    /// given one, or the cache for the first of the directories that has one.
    pub(super) fn scheme_of(
        &mut self,
        host: &str,
        directories: &[&Path],
        event: &mut dyn FnMut(MirrorEvent<'_>),
    ) -> Option<(usize, &Log)> {
        let cache = directories.iter().find_map(|it| self.cache_of(it));
        if let Some(file) = cache.clone() {
            self.cache(file, event);
        }
        let cache = cache.and_then(|file| self.caches.get(&file)?.as_ref());
        self.given.iter().chain(cache).find_map(|it| {
            let number = it.hosts.iter().position(|hosts| hosts.contains(host))?;
            Some((number, &*it.log))
        })
    }

    fn cache(
        &mut self,
        file: PathBuf,
        event: &mut dyn FnMut(MirrorEvent<'_>),
    ) -> Option<&LogWithHosts> {
        let read = |file: &PathBuf| match LogWithHosts::read(file, event) {
            Ok(log) => Some(log),
            Err(error) => {
                event(MirrorEvent::Error(&error));
                None
            }
        };
        self.caches.entry(file).or_insert_with_key(read).as_ref()
    }
}
