//! `rehref check`

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, bail};
use rehref::error::{Error, Warning};
use rehref::format::{Options, find};
use rehref::fs::{
    BaseMapping, Content, Item, ReadOptions, WalkEntry, bytes_of_path, folder_url, ignores_case,
    list, max_document, path_of_bytes,
};
use rehref::records::{
    BrokenFormat, BrokenReport, BrokenWriter, CheckSummary, WarningRecord, write_json,
};
use rehref::site::check::{AnchorNames, CheckOptions, Checker, Survey};
use rehref::site::{Entry, Id, Site};
use rehref::source::{Format, Source, is_binary_name};

use crate::args::{CheckArgs, CheckFormat, the_base};
use crate::input::{Messages, is_xhtml, jobs, turn};
use crate::interrupt::Interrupt;
use crate::ordered::WINDOW_OF_SMALL;
use crate::terminal::{Output, warn};
use crate::{Exit, ordered};

/// The names of index files, where nobody says others.
const INDEX: [&str; 2] = ["index.html", "index.htm"];

/// How many names of anchors are held, for those who look for near ones: some 40 bytes each.
const NAMES_HELD: usize = 500_000;

pub(crate) fn run(args: CheckArgs) -> anyhow::Result<Exit> {
    Interrupt::listen()?;
    let ground = Ground::new(&args)?;
    let mut exit = Exit::Done;
    let mut unlisted = HashSet::new();
    let listing = list(&ground.root, |error| {
        warn(&error);
        exit = Exit::Trouble;
        unlisted.insert(error.path().to_owned());
    });
    let folds = ignores_case(&ground.root, &listing);
    let is_public = ground.url.is_some();
    let index = args.index.clone();
    let index = index.unwrap_or_else(|| INDEX.map(str::to_owned).to_vec());
    let site = match &ground.url {
        Some(url) => Site::new(url, listing, index),
        None => Site::private(listing, index),
    };
    let options = CheckOptions {
        find: Options {
            resolver: args.resolving.resolver(),
            scripting: args.html.scripting,
            extra: args.html.extra(),
            anchors: args.anchors,
            ..Options::default()
        },
        index: args.index.is_some(),
        case: args.case,
        folds,
        confined: !is_public,
    };
    let format = match args.format {
        _ if args.json => BrokenFormat::Jsonl,
        CheckFormat::Text => BrokenFormat::Text,
        CheckFormat::Jsonl => BrokenFormat::Jsonl,
        CheckFormat::Github => BrokenFormat::Github,
        CheckFormat::Junit => BrokenFormat::Junit,
    };
    let check = Check {
        root: &ground.root,
        strips_dot: args.folder.is_none() && !ground.is_of_base,
        site: &site,
        find: options.find.clone(),
        checker: Checker::new(&site, options),
        read: ReadOptions {
            format: args.reading.media.0,
            charset: args.reading.charset.clone(),
            max_document: max_document(),
            ..ReadOptions::default()
        },
        // Plain text has no links but absolute ones, and nothing is under a URL that nobody knows.
        reads_text: is_public || args.reading.media.0.is_some(),
        with_uri: is_public,
        orphans: args.orphans,
        writer: BrokenWriter {
            format,
            null: args.null,
        },
        names: Mutex::default(),
    };
    let tree = args.walk.tree()?;
    let jobs = jobs(args.jobs);
    let mut documents = Vec::new();
    let mut messages = Messages::default();
    let walk = tree.walk(vec![Item::Path(ground.start.clone())]);
    // What could not be listed has been told.
    let walk = walk.filter(|found| {
        found
            .as_ref()
            .err()
            .is_none_or(|it| !unlisted.contains(it.path()))
    });
    ordered::for_each_within(
        WINDOW_OF_SMALL,
        walk,
        jobs,
        |found| check.survey(found),
        |surveyed| {
            match surveyed {
                Surveyed::Nothing => {}
                Surveyed::Failed(error) => messages.error(&error),
                Surveyed::Source(document) => documents.push(*document),
            }
            ControlFlow::Continue(())
        },
    );
    exit = exit.max(messages.say());
    let mut run = Run {
        check: &check,
        output: Output::new(format == BrokenFormat::Jsonl),
        summary: CheckSummary::default(),
        exit,
    };
    let _: ControlFlow<()> = run.report(&documents, jobs);
    run.end()
}

/// Which folder is checked, and where it lives.
struct Ground {
    /// The folder that has the URL.
    root: PathBuf,
    /// The folder below it, or itself, whose documents are read.
    start: PathBuf,
    url: Option<String>,
    /// Whether `--base` names the folder.
    is_of_base: bool,
}

impl Ground {
    fn new(args: &CheckArgs) -> anyhow::Result<Self> {
        let given = args.folder.clone();
        let folder = given.clone().unwrap_or_else(|| ".".into());
        let base = the_base(args.base.clone())?;
        let retrieval = base.as_ref().map(BaseMapping::parse);
        let retrieval = retrieval.transpose().context("--base")?;
        let is_of_base = matches!(retrieval, Some(BaseMapping::Tree { .. }));
        let (root, start, url) = match retrieval {
            None => (folder.clone(), folder, None),
            Some(BaseMapping::Uri(url)) => {
                let url = folder_url(&url).context("--base")?;
                (folder.clone(), folder, Some(url))
            }
            Some(BaseMapping::Tree { url, folder: root }) => match given {
                None => {
                    // As it was written, so that documents are named so.
                    let written = base.as_deref().and_then(BaseMapping::written_folder);
                    let root = written.unwrap_or_else(|| root.path().to_owned());
                    (root.clone(), root, Some(url))
                }
                Some(start) => {
                    let there = start.canonicalize();
                    let there = there.with_context(|| start.display().to_string())?;
                    match there.strip_prefix(root.path()) {
                        Ok(below) if below.as_os_str().is_empty() => {
                            (start.clone(), start, Some(url))
                        }
                        Ok(below) => (root.path().to_owned(), root.path().join(below), Some(url)),
                        Err(_) => bail!("{} is not in the folder of --base", start.display()),
                    }
                }
            },
        };
        if !start.is_dir() {
            bail!("{}: not a directory", start.display());
        }
        Ok(Self {
            root,
            start,
            url,
            is_of_base,
        })
    }
}

/// What is wanted.
struct Check<'c> {
    root: &'c Path,
    /// Whether documents are named without the `./` before them: nobody said it.
    strips_dot: bool,
    site: &'c Site,
    find: Options,
    checker: Checker<'c>,
    read: ReadOptions,
    /// Whether plain text is read.
    reads_text: bool,
    with_uri: bool,
    orphans: bool,
    writer: BrokenWriter,
    names: Mutex<NamesHeld>,
}

/// The names of anchors of the files that were last asked for.
#[derive(Default)]
struct NamesHeld {
    names: HashMap<Id, Arc<AnchorNames>>,
    order: VecDeque<Id>,
    /// How many there are.
    count: usize,
}

/// What came of showing a file to the checker.
enum Surveyed {
    /// It is no document.
    Nothing,
    Failed(Error),
    Source(Box<Seen>),
}

/// A document that has been seen.
struct Seen {
    item: Item,
    file: Id,
    survey: Survey,
    is_page: bool,
    /// What was wrong with it.
    damage: Option<Error>,
}

impl Check<'_> {
    fn survey(&self, found: Result<WalkEntry, Error>) -> Surveyed {
        let item = match found {
            Ok(found) => found.item,
            Err(error) => return Surveyed::Failed(error),
        };
        let Some((file, below)) = item.file().and_then(|path| self.file_at(path)) else {
            return Surveyed::Nothing;
        };
        if !self.may_have_links(item.name()) {
            return Surveyed::Nothing;
        }
        let _turn = turn(&item, &self.read);
        let (document, damage) = match self.document(&item, &below) {
            Ok(Some(read)) => read,
            Ok(None) => return Surveyed::Nothing,
            Err(error) => return Surveyed::Failed(error),
        };
        Surveyed::Source(Box::new(Seen {
            survey: self.checker.survey(file, &document),
            is_page: document.format == Format::Html || is_xhtml(item.name()),
            item,
            file,
            damage,
        }))
    }

    /// The file of the listing that is found at a path, and how the path is called below the root.
    fn file_at(&self, path: &Path) -> Option<(Id, Vec<u8>)> {
        let below = bytes_of_path(path.strip_prefix(self.root).ok()?).into_owned();
        match self.site.listing().resolved(&below)? {
            (file, Entry::File) => Some((file, below)),
            // What lies behind a link out of the tree is not ours to read.
            _ => None,
        }
    }

    fn may_have_links(&self, name: &Path) -> bool {
        let is_of_use = match Format::from_extension(name) {
            Some(Format::Html | Format::Xml | Format::Css) => true,
            Some(_) => self.reads_text,
            None => !is_binary_name(name),
        };
        self.read.format.is_some() || is_of_use
    }

    /// The document of an item that is called so below the root, and what is wrong with it; none if it is binary.
    fn document(
        &self,
        item: &Item,
        below: &[u8],
    ) -> Result<Option<(Source, Option<Error>)>, Error> {
        let (document, damage) = match self.read.read(item)? {
            Content::Binary(_) => return Ok(None),
            Content::Document(document) => (document, None),
            Content::Damaged(document, error) => (document, Some(error)),
        };
        let mut document = document.retrieved_from(self.site.uri_of(below));
        document.name = self.shown(&document.name).to_owned();
        Ok(Some((document, damage)))
    }

    /// How a document is named.
    fn shown<'p>(&self, name: &'p Path) -> &'p Path {
        match self.strips_dot {
            true => name.strip_prefix(".").unwrap_or(name),
            false => name,
        }
    }

    fn is_orphan(&self, seen: &Seen) -> bool {
        let name = self.site.listing().name(seen.file);
        let is_start = !name.contains(&b'/') && self.site.is_index(name);
        self.orphans && seen.is_page && !is_start && !self.checker.is_linked(seen.file)
    }

    /// What there is to tell of a document.
    fn told(&self, seen: &Seen) -> Told {
        let mut told = Told::default();
        let name = self.shown(seen.item.name());
        self.warn(seen, name, &mut told);
        if self.checker.is_broken(&seen.survey) {
            let _turn = turn(&seen.item, &self.read);
            let read = seen.item.file().and_then(|path| self.file_at(path));
            let read = read.map(|(_, below)| self.document(&seen.item, &below));
            match read {
                Some(Ok(Some((document, _)))) => self.broken(seen.file, &document, &mut told),
                Some(Err(error)) => told.messages.error(&error),
                // It is another file by now.
                Some(Ok(None)) | None => {}
            }
        }
        if self.is_orphan(seen) {
            told.orphan = true;
            self.writer.orphan(name, &mut told.records);
        }
        told
    }

    fn warn(&self, seen: &Seen, name: &Path, told: &mut Told) {
        let survey = &seen.survey;
        let warnings = [
            (survey.malformed.is_some(), Warning::Charset),
            (survey.base_is_too_long, Warning::Base),
            (survey.guessed, Warning::Nesting),
        ];
        for (_, warning) in warnings.into_iter().filter(|(is_so, _)| *is_so) {
            let place = survey.malformed.filter(|_| warning == Warning::Charset);
            told.messages.warning(name, place, warning);
            self.warning_record(&WarningRecord::new(name, warning), told);
        }
        if let Some(error) = &seen.damage {
            let text = error.to_string();
            self.warning_record(&WarningRecord::unreadable(error.path(), &text), told);
            told.messages.error(error);
        }
    }

    fn warning_record(&self, record: &WarningRecord<'_>, told: &mut Told) {
        told.warnings += 1;
        if self.writer.format == BrokenFormat::Jsonl {
            write_json(record, &mut told.records);
            self.writer.end_record(&mut told.records);
        }
    }

    fn broken(&self, file: Id, document: &Source, told: &mut Told) {
        let mut lines = document.lines();
        self.checker.broken(
            file,
            document,
            |file| self.names(file),
            |broken| {
                told.broken += 1;
                let report = BrokenReport {
                    document,
                    broken: &broken,
                    position: lines.position(broken.link.extent().start),
                    with_uri: self.with_uri,
                };
                self.writer.broken(&report, &mut told.records);
            },
        );
    }

    /// The names of the anchors of a file, read again.
    fn names(&self, file: Id) -> Option<Arc<AnchorNames>> {
        let held = || self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(names) = held().names.get(&file) {
            return Some(Arc::clone(names));
        }
        let below = self.site.listing().name(file);
        let item = Item::Path(self.root.join(path_of_bytes(below)));
        let (document, _) = self.document(&item, below).ok()??;
        let names = Arc::new(AnchorNames::new(&find(&document, &self.find).anchors));
        let mut held = held();
        if held.names.insert(file, Arc::clone(&names)).is_none() {
            held.order.push_back(file);
            held.count += names.len();
        }
        while held.count > NAMES_HELD
            && let Some(first) = held.order.pop_front()
        {
            let gone = held.names.remove(&first);
            held.count -= gone.map_or(0, |names| names.len());
        }
        Some(names)
    }
}

/// What is told of a document.
#[derive(Default)]
struct Told {
    records: Vec<u8>,
    broken: usize,
    orphan: bool,
    warnings: usize,
    messages: Messages,
}

/// A run, document after document.
struct Run<'r, 'c> {
    check: &'r Check<'c>,
    output: Output,
    summary: CheckSummary,
    exit: Exit,
}

impl Run<'_, '_> {
    fn report(&mut self, documents: &[Seen], jobs: std::num::NonZeroUsize) -> ControlFlow<()> {
        let Self { check, .. } = *self;
        let writer = check.writer;
        let is_junit = writer.format == BrokenFormat::Junit;
        for seen in documents {
            self.summary.docs += 1;
            self.summary.links += seen.survey.links;
            self.summary.local += seen.survey.local;
        }
        let mut out = Vec::new();
        if is_junit {
            let fails =
                |seen: &&Seen| check.checker.is_broken(&seen.survey) || check.is_orphan(seen);
            writer.begin(
                documents.len(),
                documents.iter().filter(fails).count(),
                &mut out,
            );
        }
        let mut flow = self.output.write(&out);
        let work = |seen| (seen, check.told(seen));
        ordered::for_each(
            documents.iter(),
            jobs,
            work,
            |(seen, told): (&Seen, Told)| {
                flow?;
                self.summary.broken += told.broken;
                self.summary.orphans += usize::from(told.orphan);
                self.summary.warnings += told.warnings;
                self.exit = self.exit.max(told.messages.say());
                out.clear();
                writer.document(check.shown(seen.item.name()), &told.records, &mut out);
                flow = self.output.write(&out);
                flow
            },
        );
        flow
    }

    fn end(&mut self) -> anyhow::Result<Exit> {
        let mut out = Vec::new();
        self.check.writer.end(&self.summary, &mut out);
        let _: ControlFlow<()> = self.output.write(&out);
        if self.output.reader_is_gone() {
            return Ok(Exit::Done);
        }
        let CheckSummary {
            docs,
            local,
            broken,
            orphans,
            ..
        } = self.summary;
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let orphans_told = match self.check.orphans {
            true => format!(", {orphans} orphan{}", plural(orphans)),
            false => String::new(),
        };
        warn(format_args!(
            "{docs} document{}, {local} local link{}, {broken} broken{orphans_told}",
            plural(docs),
            plural(local)
        ));
        self.output.finish()?;
        Ok(match broken + orphans {
            0 => self.exit,
            _ => self.exit.max(Exit::No),
        })
    }
}
