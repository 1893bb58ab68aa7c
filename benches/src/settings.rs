//! The arguments of a benchmark.

use std::path::{Path, PathBuf};

/// The settings of a run.
pub(crate) struct Settings {
    /// The number of rounds that count.
    pub(crate) rounds: usize,
    /// The sizes of generated inputs are divided by this.
    pub(crate) divisor: usize,
    /// The size of large files, in bytes.
    pub(crate) file: usize,
    /// Only try that everything runs and finds what it should.
    pub(crate) is_smoke: bool,
    pub(crate) pages: Vec<PathBuf>,
    pub(crate) texts: Vec<PathBuf>,
    pub(crate) markdown: Vec<PathBuf>,
    pub(crate) mail: Vec<PathBuf>,
    pub(crate) trees: Vec<PathBuf>,
    pub(crate) archives: Vec<PathBuf>,
}

/// The input of a task that a PATH without an option names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Pages,
    Texts,
    Markdown,
    Mail,
    Trees,
    Archives,
    /// All inputs are generated.
    None,
}

pub(crate) const USAGE: &str = "\
[--quick | --smoke] [--only TASK,...] [--pages DIR] [--texts PATH] [--markdown PATH] [--mail PATH] [--tree DIR]
    [--archive PATH] [PATH]...

  --quick   use files of 50 MB instead of 500 MB
  --smoke   run one round on tiny inputs, to see that everything works
  --only    run these tasks of all";

impl Settings {
    /// Reads the arguments. The second result has the tasks of `--only`.
    pub(crate) fn parse(
        arguments: impl Iterator<Item = String>,
        kind: Kind,
    ) -> Result<(Self, Option<String>), String> {
        let mut settings = Self {
            rounds: 9,
            divisor: 1,
            file: 500_000_000,
            is_smoke: false,
            pages: Vec::new(),
            texts: Vec::new(),
            markdown: Vec::new(),
            mail: Vec::new(),
            trees: Vec::new(),
            archives: Vec::new(),
        };
        let mut only = None;
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            let mut value = || {
                let missing = || format!("{argument} needs a value");
                arguments.next().ok_or_else(missing)
            };
            let kind = match argument.as_str() {
                // Cargo passes it.
                "--bench" => continue,
                "--quick" => {
                    settings.file = 50_000_000;
                    continue;
                }
                "--smoke" => {
                    settings.divisor = 1000;
                    settings.file = 500_000;
                    settings.rounds = 1;
                    settings.is_smoke = true;
                    continue;
                }
                "--only" => {
                    only = Some(value()?);
                    continue;
                }
                "--pages" => Kind::Pages,
                "--texts" => Kind::Texts,
                "--markdown" => Kind::Markdown,
                "--mail" => Kind::Mail,
                "--tree" => Kind::Trees,
                "--archive" => Kind::Archives,
                option if option.starts_with('-') => {
                    return Err(format!("unknown option {option}"));
                }
                _ => kind,
            };
            let path = if argument.starts_with('-') { value()? } else { argument };
            if !Path::new(&path).exists() {
                return Err(format!("{path}: no such file or directory"));
            }
            match kind {
                Kind::Pages => settings.pages.push(path.into()),
                Kind::Texts => settings.texts.push(path.into()),
                Kind::Markdown => settings.markdown.push(path.into()),
                Kind::Mail => settings.mail.push(path.into()),
                Kind::Trees => settings.trees.push(path.into()),
                Kind::Archives => settings.archives.push(path.into()),
                Kind::None => return Err(format!("{path}: name its kind, as in --pages {path}")),
            }
        }
        Ok((settings, only))
    }

    /// The size in bytes of a generated input whose full size is in MB.
    pub(crate) fn size(&self, megabytes: usize) -> usize {
        (megabytes * 1_000_000) / self.divisor
    }
}

/// A neutral name for an input given on the command line, such as `given pages 2`.
pub(crate) fn given(kind: &str, at: usize) -> String {
    format!("given {kind} {}", at + 1)
}
