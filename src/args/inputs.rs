//! The arguments that name the documents of a run.

use std::ffi::OsString;
use std::io::{self, BufRead};
use std::path::Path;

use rehref::fs::{BaseMapping, Item, directory_url, standard_input};
use rehref::jobs::Inputs;
use rehref::rewrite::PrefixMap;

use super::lists::add_list;
use super::project::ProjectArgs;
use super::reading::ReadingArgs;
use super::run::RunArgs;
use super::values::{base_mapping, name, the_base};
use crate::exit::Exit;
use crate::heading;
use crate::project::Project;
use crate::render::escape::shell_path;
use crate::render::message::Message;
use crate::render::terminal::{stdin_is_terminal, summarize, warn};

/// The arguments for reading documents.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = heading::INPUT)]
pub(crate) struct InputArgs {
    /// Files and directories; `-` is standard input
    ///
    /// `PATH#OFFSET,LENGTH` is a part of a file, in bytes.
    #[arg(value_name = "PATH", value_parser = name())]
    pub(super) paths: Vec<OsString>,
    /// Read more paths from the file LIST or `-`, one per line or each ended by NUL
    #[arg(long, value_name = "LIST", hide_short_help = true, value_parser = name())]
    pub(super) files_from: Vec<OsString>,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    project: ProjectArgs,
    /// Set the URL of the document, or the URL of a directory with URL=DIR
    ///
    /// Relative links are resolved against it. A base in the document wins, such as a BASE element.
    /// Everything after the last `=` is DIR, except in a query or fragment: there a `=` belongs to
    /// the URL. Write %3D for a `=` in the path of a URL. After a `;` in the path, DIR begins with
    /// /, ./ or ../.
    #[arg(long, value_name = "URI", help_heading = heading::BASE, value_parser = base_mapping())]
    base: Vec<BaseMapping>,
    #[command(flatten)]
    pub(super) run: RunArgs,
}

impl InputArgs {
    /// Returns true if no input is named, and standard input is a terminal.
    pub(crate) fn lack_inputs(&self) -> bool {
        self.are_empty() && stdin_is_terminal()
    }

    /// Warns if standard input is read since no input is named, and it is empty: often an option
    /// took the PATH. Waits for the first bytes.
    pub(crate) fn report_empty_stdin(&self) {
        // The run reads the bytes that are buffered by this.
        let is_empty = || Ok::<_, io::Error>(standard_input()?.lock().fill_buf()?.is_empty());
        if self.are_empty() && is_empty().unwrap_or(false) {
            let message = Message::new("standard input was empty");
            summarize(message.with_help("name a PATH, such as `.`, to read files"));
        }
    }

    /// Returns the first of several paths if it does not exist, and could be a host.
    pub(super) fn host_as_path(&self) -> Option<&str> {
        let [first, _, ..] = self.paths.as_slice() else {
            return None;
        };
        let first = first.to_str()?;
        let host = first.trim_start_matches("*.");
        // Names of files are not hosts for a map either.
        let is_host = PrefixMap::default().insert(host, "new.example").is_ok();
        (is_host && !first.contains(['/', ':']) && !Path::new(first).exists()).then_some(first)
    }

    /// Returns true if no input is named.
    pub(super) fn are_empty(&self) -> bool {
        self.paths.is_empty() && self.files_from.is_empty()
    }

    /// Returns true if several documents are possible: several paths, a directory, or a list.
    pub(super) fn are_several(&self) -> bool {
        let are_several = self.paths.len() > 1 || !self.files_from.is_empty();
        are_several || self.paths.iter().any(|it| Path::new(it).is_dir())
    }

    /// Sets the inputs of a job of this command, by default standard input. Returns the settings of
    /// the project, and [`Exit::Trouble`] if a list of paths could not be read.
    pub(crate) fn apply(
        &self,
        inputs: &mut Inputs,
        command: &str,
    ) -> anyhow::Result<(Project, Exit)> {
        self.apply_or(inputs, command, &[])
    }

    /// Sets the inputs of a job as [`apply`](Self::apply) does, by default these paths instead of
    /// standard input.
    pub(super) fn apply_or(
        &self,
        inputs: &mut Inputs,
        command: &str,
        default: &[OsString],
    ) -> anyhow::Result<(Project, Exit)> {
        let exit = self.add_paths(inputs);
        match (self.are_empty(), default) {
            (false, _) => {}
            (true, []) => inputs.add_argument("-"),
            (true, paths) => paths.iter().for_each(|path| inputs.add_argument(path)),
        }
        let project = self.project.project(command, &inputs.items)?;
        self.reading.apply(inputs, &project)?;
        inputs.threads = self.run.threads();
        inputs.read.retrieval = match self.base()? {
            Some(base) => Some(base),
            // Mirrors have the URLs of their sites.
            None if default.is_empty() => project.base.clone(),
            None => None,
        };
        Ok((project, exit))
    }

    /// Adds the paths, and those of lists. Returns [`Exit::Trouble`] if a list cannot be read.
    pub(super) fn add_paths(&self, inputs: &mut Inputs) -> Exit {
        let mut exit = Exit::Done;
        self.paths.iter().for_each(|path| inputs.add_argument(path));
        for list in &self.files_from {
            if let Err(error) = add_list(inputs, list) {
                warn(&error);
                exit = Exit::Trouble;
            }
        }
        exit
    }

    /// Warns if `--base` is the URL of one document, but several may be read, or if it is that of a
    /// directory without any of these inputs. Relative links would resolve to wrong URLs, or to
    /// none.
    pub(super) fn warn_of_base(inputs: &Inputs) {
        let items = &inputs.items;
        match &inputs.read.retrieval {
            None => {}
            Some(BaseMapping::Uri(uri)) => {
                let path = match items.as_slice() {
                    [only] => match only.file().filter(|path| path.is_dir()) {
                        None => return,
                        directory => directory,
                    },
                    _ => None,
                };
                let what = path.map_or("several are read".to_owned(), |path| {
                    format!("{} is a directory", path.display())
                });
                let text = format!("--base {uri} is the URL of one document, but {what}");
                let directory = path.map_or("DIR".to_owned(), shell_path);
                let url = directory_url(uri);
                let url = url.as_deref().unwrap_or("URL");
                let help = format!("use --base {url}={directory}");
                warn(Message::new(text).with_help(help));
            }
            Some(BaseMapping::Tree { url, directory }) => {
                let root = directory.path();
                let is_elsewhere = |item: &Item| match item.file().map(Path::canonicalize) {
                    Some(Ok(path)) => !path.starts_with(root) && !root.starts_with(&path),
                    // A path that cannot be read is reported later.
                    Some(Err(_)) => false,
                    None => true,
                };
                if !items.is_empty() && items.iter().all(is_elsewhere) {
                    let root = root.display();
                    let text = format!("--base {url}={root}: no document is in that directory");
                    warn(Message::new(text).with_help("name a PATH in it"));
                }
            }
        }
    }

    /// The URL of the documents.
    pub(super) fn base(&self) -> anyhow::Result<Option<BaseMapping>> {
        the_base(self.base.clone())
    }
}
