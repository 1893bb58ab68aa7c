//! The arguments of `check`.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context, bail};
use rehref::format::Options;
use rehref::fs::{BaseMapping, Item, folder_url};
use rehref::jobs::Check;

use super::reading::ReadingArgs;
use super::run::RunArgs;
use super::values::{path, the_base};
use super::walk::WalkArgs;
use crate::render::broken::{BrokenFormat, BrokenWriter};

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Directory to check [default: the current one, or that of --base]
    #[arg(value_name = "DIR", value_parser = path())]
    folder: Option<PathBuf>,
    /// Set the URL of the directory, or URL=DIR; absolute links below URL are local
    #[arg(long, value_name = "URL")]
    base: Vec<OsString>,
    /// Also check that fragments name existing elements
    #[arg(long)]
    anchors: bool,
    /// Report links that only work where file names ignore case or Unicode normalization
    #[arg(long)]
    case: bool,
    /// Also report pages without links from other documents
    #[arg(long)]
    orphans: bool,
    /// Require an index file with one of these names for links to directories
    #[arg(long, value_name = "NAMES", value_delimiter = ',', num_args = 0..,
        require_equals = true, default_missing_value = "index.html,index.htm")]
    index: Option<Vec<String>>,
    /// Print in this format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: BrokenFormat,
    /// Same as --format jsonl
    #[arg(long)]
    json: bool,
    /// End records with NUL
    #[arg(short = '0', long)]
    null: bool,
    #[command(flatten)]
    walk: WalkArgs,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    run: RunArgs,
}

impl CheckArgs {
    pub(crate) fn job(&self) -> anyhow::Result<Check> {
        let CheckRoot {
            root,
            start,
            url,
            is_of_base,
        } = CheckRoot::new(self)?;
        let mut check = Check::new(root);
        check.options = Options {
            anchors: self.anchors,
            ..self.run.options()
        };
        check.inputs.items = vec![Item::Path(start)];
        check.url = url;
        check.inputs.walk = self.walk.options()?;
        self.reading.apply(&mut check.inputs.read);
        check.needs_index = self.index.is_some();
        if let Some(index) = &self.index {
            check.index.clone_from(index);
        }
        check.case = self.case;
        check.orphans = self.orphans;
        check.strips_dot = self.folder.is_none() && !is_of_base;
        check.inputs.threads = self.run.threads();
        Ok(check)
    }

    pub(crate) fn writer(&self) -> BrokenWriter {
        BrokenWriter {
            format: match self.json {
                true => BrokenFormat::Jsonl,
                false => self.format,
            },
            null: self.null,
        }
    }
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
                        Err(_) => bail!("{} is not in the directory of --base", start.display()),
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
