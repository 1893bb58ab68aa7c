//! The folders of `--mirror`.

use std::collections::HashMap;
use std::collections::hash_map::Entry as MapEntry;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use rehref::format::{Format, begins_as_page, is_binary_name};
use rehref::fs::{BaseMapping, Item, RealFolder, bytes_of_path, list, path_of_bytes};
use rehref::site::{Entry, Listing, LocalNames, Mirror, MirrorFile, Site};

use super::logs::{Log, Logs};
use super::marked::{Marks, marked_trees};
use crate::args::{MirrorChoice, RewriteArgs};
use crate::render::terminal::warn;

/// How many files without an ending of HTML are looked at to find a page.
const MOST_PLAIN: usize = 1000;

/// The first page whose name has no ending of HTML.
fn plain_page(folder: &Path, listing: &Listing) -> Option<Vec<u8>> {
    let may_be_page = |path: &[u8]| {
        let path = path_of_bytes(path);
        let by_name = Format::from_extension(&path);
        matches!(by_name, None | Some(Format::Text)) && !is_binary_name(&path)
    };
    let files = listing
        .iter()
        .filter(|(_, path, entry)| *entry == Entry::File && may_be_page(path));
    let mut files = files.take(MOST_PLAIN).map(|(_, path, _)| path);
    let found = files.find(|path| {
        let file = Item::Path(folder.join(path_of_bytes(path)));
        file.head_of_file(1024).is_ok_and(|it| begins_as_page(&it))
    });
    found.map(<[u8]>::to_vec)
}

/// All that a folder holds. What is not seen would be taken for what is not there.
fn listed(folder: &Path) -> anyhow::Result<Listing> {
    let mut failed = 0;
    let listing = list(folder, |error| {
        warn(error);
        failed += 1;
    });
    if failed > 0 {
        bail!("--mirror: {} could not be listed", folder.display());
    }
    Ok(listing)
}

/// Folders that hold copies of sites.
pub(super) struct Trees {
    /// Each URL and its folder.
    trees: Vec<(String, RealFolder)>,
    /// The deepest folder that holds them all.
    common: Option<RealFolder>,
    logs: Logs,
    marks: Marks,
}

impl Trees {
    pub(super) fn new(args: &RewriteArgs) -> anyhow::Result<Self> {
        let mut trees = Vec::new();
        let mut logs = Logs::new(&args.input.paths, &args.mirror_log)?;
        let mut marks = Marks::default();
        for argument in &args.mirror {
            match argument {
                MirrorChoice::Site(BaseMapping::Tree { url, folder }) => {
                    trees.push((url.clone(), folder.clone()));
                }
                MirrorChoice::Site(BaseMapping::Uri(uri)) => {
                    bail!("--mirror {uri}: URL=DIR says where the copy is")
                }
                MirrorChoice::Auto if args.mirror.len() > 1 => {
                    bail!("--mirror auto cannot be combined with another --mirror")
                }
                MirrorChoice::Auto if !args.input.files_from.is_empty() => {
                    bail!("--mirror auto reads the pages of PATH: --files-from cannot name them")
                }
                MirrorChoice::Auto => {
                    trees = marked_trees(&args.input.paths, &mut marks, &mut logs)?;
                }
            }
        }
        let mut common = trees
            .first()
            .map_or_else(PathBuf::new, |(_, it)| it.path().to_owned());
        for (_, folder) in &trees {
            while !folder.path().starts_with(&common) && common.pop() {}
        }
        let common = match trees.is_empty() {
            true => None,
            false => Some(RealFolder::new(&common)?),
        };
        Ok(Self {
            trees,
            common,
            logs,
            marks,
        })
    }

    /// What the folders hold, by their URLs.
    pub(super) fn mirror(&mut self, args: &RewriteArgs) -> anyhow::Result<Mirror> {
        let (logs, names) = self.logs_and_names(args);
        // Trees of one folder share its listing.
        let mut listings: HashMap<&Path, Arc<Listing>> = HashMap::new();
        // The first tree of each folder.
        let mut firsts = Vec::new();
        let mut sites = Vec::new();
        for (number, (url, folder)) in self.trees.iter().enumerate() {
            let folder = folder.path();
            let common = self.common.as_ref();
            let place = common.and_then(|it| folder.strip_prefix(it.path()).ok());
            let place = bytes_of_path(place.unwrap_or(Path::new(""))).into_owned();
            let listing = match listings.entry(folder) {
                MapEntry::Occupied(entry) => entry.into_mut(),
                MapEntry::Vacant(entry) => {
                    firsts.push((number, folder));
                    entry.insert(listed(folder)?.into())
                }
            };
            let site = Site::new(url, listing.clone(), args.index.clone());
            sites.push((site, place));
        }
        let mirror = Mirror::new(sites, names);
        let mut marked = Vec::new();
        let mut plain = Vec::new();
        for (number, folder) in firsts {
            let listing = &listings[folder];
            match names {
                LocalNames::Raw => {}
                LocalNames::Wget => {
                    plain.extend(plain_page(folder, listing).map(|path| mirror.file(number, &path)))
                }
                LocalNames::Httrack => {
                    let files = listing.iter().filter(|it| it.2 == Entry::File);
                    marked.extend(files.filter_map(|(_, path, _)| {
                        let mark = self.marks.of(&folder.join(path_of_bytes(path)))?;
                        Some((mirror.file(number, path), mark.to_owned()))
                    }));
                }
            }
        }
        let mut mirror = mirror.with_marks(marked).with_plain_pages(plain);
        for log in &logs {
            match log.check(&mirror, &self.trees) {
                Ok(()) => {
                    if args.mirror_log.is_empty() {
                        warn(format_args!("--mirror: reads the log {}", log.name()));
                    }
                    mirror = mirror.with_log(&log.log);
                }
                Err(error) if args.mirror_log.is_empty() => {
                    warn(format_args!("{error:#}; log ignored"));
                }
                Err(error) => bail!("--mirror-log {error:#}"),
            }
        }
        Ok(mirror)
    }

    /// The logs that the command line names, or that of HTTrack's cache, and how files are named.
    fn logs_and_names(&mut self, args: &RewriteArgs) -> (Vec<Arc<Log>>, LocalNames) {
        let mut logs = self.logs.given();
        let names = args
            .local_name
            .or_else(|| logs.first().map(|it| it.log.names))
            .unwrap_or(match args.mirror[..] {
                [MirrorChoice::Auto] => LocalNames::Httrack,
                _ => LocalNames::default(),
            });
        if names == LocalNames::Httrack && logs.is_empty() {
            let common = self.common.as_ref().map(RealFolder::path);
            logs.extend(common.and_then(|it| self.logs.of_cache(it)));
        }
        (logs, names)
    }

    /// The file of the mirror that an item is; none if it lies in no folder of it.
    pub(super) fn file(&self, mirror: &Mirror, item: &Item) -> Option<MirrorFile> {
        let path = self.common.as_ref()?.path_below(item)?;
        mirror.file_in_common(&bytes_of_path(&path))
    }

    /// Refuses to write a new tree that would not have all of the mirror in the same places: references would lead
    /// nowhere.
    pub(super) fn refuse_pieces(&self, items: &[Item]) -> anyhow::Result<()> {
        let Some(common) = self.common.as_ref().map(RealFolder::path) else {
            return Ok(());
        };
        let holds_all = |item: &Item| {
            let path = item.file().and_then(|path| path.canonicalize().ok());
            path.is_some_and(|path| common.starts_with(&path))
        };
        if items.iter().any(holds_all) {
            return Ok(());
        }
        let common = common.display();
        bail!(
            "--mirror: a new tree has to be made of a folder that holds all of it, such as {common}"
        )
    }
}
