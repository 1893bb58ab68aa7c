//! The logs of `--mirror`.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{anyhow, bail};
use rehref::fs::{Item, RealFolder, bytes_of_list, is_same_owner};
use rehref::site::{CrawlLog, Mirror};

use crate::render::terminal::warn;

/// A log, and the bytes that it was read from.
pub(super) struct Log {
    pub(super) log: CrawlLog,
    file: PathBuf,
    bytes: Vec<u8>,
}

impl Log {
    pub(super) fn read(file: PathBuf) -> anyhow::Result<Self> {
        let bytes = bytes_of_list(file.as_os_str())?;
        let log = CrawlLog::parse(&bytes).map_err(|error| {
            let place = error
                .line()
                .map_or(String::new(), |line| format!(":{line}:1"));
            anyhow!("{}{place}: {error}", file.display())
        })?;
        if let Some(line) = log.cut_line {
            let name = file.display();
            warn(format_args!("{name}:{line}:1: incomplete last row skipped"));
        }
        Ok(Self { log, file, bytes })
    }

    /// The name of its file.
    pub(super) fn name(&self) -> impl std::fmt::Display {
        self.file.display()
    }

    /// The file, with the line that has this text.
    fn place_of(&self, text: &[u8]) -> String {
        // HTTrack leaves out the scheme.
        let short = text.strip_prefix(b"http://").unwrap_or(text);
        let name = self.file.display();
        match memchr::memmem::find(&self.bytes, short) {
            Some(at) => {
                let line = memchr::memchr_iter(b'\n', &self.bytes[..at]).count() + 1;
                format!("{name}:{line}:1")
            }
            None => name.to_string(),
        }
    }

    /// Refuses a log that is about another copy; says so if most of it is.
    pub(super) fn check(
        &self,
        mirror: &Mirror,
        trees: &[(String, RealFolder)],
    ) -> anyhow::Result<()> {
        let fit = mirror.fit(&self.log);
        let (site, folder) = match trees {
            [(url, folder)] => (url.as_str(), folder.path().display().to_string()),
            _ => (
                "the URLs of --mirror",
                "the directories of --mirror".to_owned(),
            ),
        };
        if let Some(url) = &fit.first_other
            && fit.own_urls * 2 < fit.urls
        {
            let place = self.place_of(url.as_bytes());
            if fit.own_urls == 0 {
                bail!("{place}: no URL of the log is below {site}; the first is {url}");
            }
            let (others, urls) = (fit.urls - fit.own_urls, fit.urls);
            warn(format_args!(
                "{place}: {others} of {urls} URLs in the log are not below {site}, such as {url}"
            ));
        }
        if let Some(name) = &fit.first_lost
            && fit.found * 2 < fit.saved
        {
            let place = self.place_of(name);
            let name = String::from_utf8_lossy(name);
            if fit.found == 0 {
                bail!("{place}: no file of the log is in {folder}; the first is {name}");
            }
            let (lost, saved) = (fit.saved - fit.found, fit.saved);
            warn(format_args!(
                "{place}: {lost} of {saved} files in the log are not in {folder}, such as {name}"
            ));
        }
        Ok(())
    }
}

/// The logs of `--mirror-log`, and the lists of files in HTTrack's caches, each read once.
pub(super) struct Logs {
    given: Vec<LogWithHosts>,
    /// The real paths that the command line names.
    paths: HashSet<PathBuf>,
    /// None if it cannot be read.
    caches: HashMap<PathBuf, Option<LogWithHosts>>,
}

struct LogWithHosts {
    log: Arc<Log>,
    /// The hosts of its URLs, by each of [`SCHEMES`].
    hosts: [HashSet<String>; 2],
}

pub(super) const SCHEMES: [&str; 2] = ["http", "https"];

/// How many directories, from that of a copy upward, may hold HTTrack's cache.
const CACHE_DEPTH: usize = 3;

impl LogWithHosts {
    fn read(file: &Path) -> anyhow::Result<Self> {
        let log = Log::read(file.to_owned())?;
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
    pub(super) fn new(paths: &[OsString], logs: &[PathBuf]) -> anyhow::Result<Self> {
        let files = paths.iter().filter_map(|path| {
            let item = Item::from_argument(path);
            item.file()?.canonicalize().ok()
        });
        let read = |file: &PathBuf| {
            LogWithHosts::read(file).map_err(|error| anyhow!("--mirror-log {error:#}"))
        };
        Ok(Self {
            given: logs.iter().map(read).collect::<anyhow::Result<_>>()?,
            paths: files.collect(),
            caches: HashMap::new(),
        })
    }

    /// Those of `--mirror-log`.
    pub(super) fn given(&self) -> Vec<Arc<Log>> {
        self.given.iter().map(|it| it.log.clone()).collect()
    }

    /// The file of the list for the copy in a directory. HTTrack puts it next to the directories of sites. Above the
    /// paths of the command line it counts only there, and if it belongs to the owner of the copy: anybody can make a
    /// directory of that name in one such as `/tmp`.
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

    /// The list of HTTrack's cache for the copy in a directory.
    pub(super) fn of_cache(&mut self, directory: &Path) -> Option<Arc<Log>> {
        let file = self.cache_of(directory)?;
        self.cache(file).map(|it| it.log.clone())
    }

    /// The number of the scheme in [`SCHEMES`] by which a log has URLs of a host, and the log: one of `--mirror-log`, or
    /// the cache for the first of the directories that has one.
    pub(super) fn scheme_of(&mut self, host: &str, directories: &[&Path]) -> Option<(usize, &Log)> {
        let cache = directories.iter().find_map(|it| self.cache_of(it));
        if let Some(file) = cache.clone() {
            self.cache(file);
        }
        let cache = cache.and_then(|file| self.caches.get(&file)?.as_ref());
        self.given.iter().chain(cache).find_map(|it| {
            let number = it.hosts.iter().position(|hosts| hosts.contains(host))?;
            Some((number, &*it.log))
        })
    }

    fn cache(&mut self, file: PathBuf) -> Option<&LogWithHosts> {
        let read = |file: &PathBuf| LogWithHosts::read(file).map_err(warn).ok();
        self.caches.entry(file).or_insert_with_key(read).as_ref()
    }
}
