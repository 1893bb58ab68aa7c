//! `rehref check`

use std::path::PathBuf;

use anyhow::{Context, bail};
use rehref::format::Options;
use rehref::fs::{BaseMapping, folder_url};
use rehref::jobs::{Check, threads};

use crate::args::{CheckArgs, CheckFormat, the_base};
use crate::exit::Exit;
use crate::render::broken::{BrokenFormat, BrokenWriter};
use crate::render::check::{Printer, Renderer};
use crate::signals::Interrupt;

pub(crate) fn run(args: CheckArgs) -> anyhow::Result<Exit> {
    Interrupt::listen()?;
    let CheckRoot {
        root,
        start,
        url,
        is_of_base,
    } = CheckRoot::new(&args)?;
    let mut check = Check::new(root).options(Options {
        resolver: args.resolving.resolver(),
        scripting: args.html.scripting,
        extra: args.html.extra(),
        anchors: args.anchors,
        ..Options::default()
    });
    check.start = start;
    check.url = url;
    check.walk = args.walk.tree()?;
    check.read.format = args.reading.media.0;
    check.read.charset.clone_from(&args.reading.charset);
    check.needs_index = args.index.is_some();
    if let Some(index) = &args.index {
        check.index.clone_from(index);
    }
    check.case = args.case;
    check.orphans = args.orphans;
    check.strips_dot = args.folder.is_none() && !is_of_base;
    check.threads = threads(args.jobs.jobs);
    let renderer = Renderer {
        writer: BrokenWriter {
            format: match args.format {
                _ if args.json => BrokenFormat::Jsonl,
                CheckFormat::Text => BrokenFormat::Text,
                CheckFormat::Jsonl => BrokenFormat::Jsonl,
                CheckFormat::Github => BrokenFormat::Github,
                CheckFormat::Junit => BrokenFormat::Junit,
            },
            null: args.null,
        },
        has_url: check.url.is_some(),
    };
    let mut printer = Printer::new(renderer.writer);
    let summary = check.run(
        |event, piece| renderer.event(event, piece),
        |piece| printer.take(piece),
    );
    printer.end(&summary, args.orphans)
}

/// The directory to check, and its URL.
struct CheckRoot {
    /// The directory that has the URL.
    root: PathBuf,
    /// The directory whose documents are read: the root, or one below it.
    start: PathBuf,
    url: Option<String>,
    /// Whether `--base` names the directory.
    is_of_base: bool,
}

impl CheckRoot {
    fn new(args: &CheckArgs) -> anyhow::Result<Self> {
        let given = args.folder.clone();
        let folder = given.clone().unwrap_or_else(|| ".".into());
        let base = the_base(args.base.clone())?;
        let mapping = base.as_ref().map(BaseMapping::parse);
        let mapping = mapping.transpose().context("--base")?;
        let is_of_base = matches!(mapping, Some(BaseMapping::Tree { .. }));
        let (root, start, url) = match mapping {
            None => (folder.clone(), folder, None),
            Some(BaseMapping::Uri(url)) => {
                let url = folder_url(&url).context("--base")?;
                (folder.clone(), folder, Some(url))
            }
            Some(BaseMapping::Tree { url, folder: root }) => match given {
                None => {
                    // The path as written is part of the names of documents.
                    let written = base.as_deref().and_then(BaseMapping::written_folder);
                    let root = written.unwrap_or_else(|| root.path().to_owned());
                    (root.clone(), root, Some(url))
                }
                Some(start) => {
                    let real = start.canonicalize();
                    let real = real.with_context(|| start.display().to_string())?;
                    match real.strip_prefix(root.path()) {
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
