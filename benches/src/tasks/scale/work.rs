//! Work of the command: by the command, and in this process.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rehref::fs::{BaseMapping, Item};
use rehref::jobs::{
    Extract, ExtractEvent, JournalRun, Measured, Outcome, Rewrite, Unpack, measured,
};
use rehref::rewrite::Rules;
use sha2::{Digest, Sha256};

use crate::inputs::real;
use crate::programs::pass;
use crate::rounds::{Pass, Spread};

/// The most runs whose serial work is counted.
const COUNTED: usize = 3;

/// What is done with the paths.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Job {
    /// Their links are printed.
    Extract,
    /// A new tree is written.
    NewTree,
    /// Files are replaced.
    InPlace,
    /// Replaced files are restored.
    Undo,
    /// The pages of an archive are written.
    Unpack,
}

impl Job {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Extract => "extract",
            Self::NewTree => "rewrite -o",
            Self::InPlace => "rewrite -w",
            Self::Undo => "rewrite --undo",
            Self::Unpack => "unpack",
        }
    }
}

/// A job on one input.
pub(super) struct Work<'w> {
    pub(super) name: String,
    pub(super) job: Job,
    /// The size of the input in bytes.
    pub(super) size: u64,
    /// Files, or one archive or directory, which is the only one for other jobs than
    /// [`Job::Extract`].
    pub(super) paths: &'w [PathBuf],
}

/// The output of a work.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Output {
    pub(super) size: u64,
    /// The SHA-256 hash.
    hash: Vec<u8>,
}

impl Work<'_> {
    /// Runs the command, and clocks it.
    pub(super) fn pass(&self, rehref: &Path, threads: usize) -> Pass {
        self.prepared(|| pass(&mut self.command(rehref, threads), 0))
    }

    /// The output of the command.
    ///
    /// # Panics
    /// If it does not start, or an input cannot be read.
    pub(super) fn output(&self, rehref: &Path, threads: usize) -> Output {
        let mut output = (Sha256::new(), 0);
        let mut add = |bytes: &[u8]| {
            output.0.update(bytes);
            output.1 += bytes.len() as u64;
        };
        if self.job == Job::Extract {
            let mut command = self.command(rehref, threads);
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
            let mut running = command.spawn().expect("the command starts");
            let mut lines = running.stdout.take().expect("a pipe");
            let mut buffer = vec![0; 1 << 16];
            while let Ok(len @ 1..) = lines.read(&mut buffer) {
                add(&buffer[..len]);
            }
            running.wait().expect("the command ends");
        } else {
            let written = match self.job {
                Job::NewTree | Job::Unpack => self.new_tree(),
                _ => self.tree().into(),
            };
            self.prepared(|| {
                pass(&mut self.command(rehref, threads), 0);
                for file in real::files(&written) {
                    if file.extension().is_some_and(|it| it == "html") {
                        let name = file.strip_prefix(&written).expect("a file of the tree");
                        add(name.as_os_str().as_encoded_bytes());
                        add(&fs::read(&file).expect("a file of the tree"));
                    }
                }
            });
        }
        Output { size: output.1, hash: output.0.finalize().to_vec() }
    }

    /// The share of the processor time in which only one thread could work, in the median of some
    /// runs in this process. `None` if the processor time is not known.
    pub(super) fn serial_share(&self, rounds: usize, threads: usize) -> Option<f64> {
        let share = |_| {
            let Measured { total, serial } = self.prepared(|| measured(|| self.run(threads)).1);
            serial.as_secs_f64() / total.as_secs_f64()
        };
        let shares = Spread::of((0..rounds.min(COUNTED)).map(share));
        shares.median.is_finite().then_some(shares.median)
    }

    /// Runs the work between what it needs before and after it.
    fn prepared<R>(&self, work: impl FnOnce() -> R) -> R {
        if self.job == Job::Undo {
            self.rewrite(None).for_each(|_| {}).expect("a tree that can be written");
        }
        let result = work();
        match self.job {
            Job::InPlace => self.undo(None),
            Job::NewTree | Job::Unpack => {
                fs::remove_dir_all(self.new_tree()).expect("the new tree");
            }
            Job::Extract | Job::Undo => (),
        }
        result
    }

    fn command(&self, rehref: &Path, threads: usize) -> Command {
        let mut command = Command::new(rehref);
        let base = || format!("http://h/={}", self.tree().display());
        match self.job {
            Job::Extract => command.arg("extract"),
            Job::NewTree => {
                let out = self.new_tree();
                command.args(["rewrite", "--absolute", "--base", &base(), "-o"]).arg(out)
            }
            Job::InPlace => command.args(["rewrite", "--absolute", "--base", &base(), "-w"]),
            Job::Undo => command.args(["rewrite", "--undo"]),
            Job::Unpack => command.args(["unpack", "-o"]).arg(self.new_tree()),
        };
        command.args(["-j", &threads.to_string()]).args(self.paths);
        command
    }

    /// Does the same as the command in this process.
    fn run(&self, threads: usize) {
        let threads = NonZeroUsize::new(threads);
        match self.job {
            Job::Extract => self.extract(threads),
            Job::NewTree => {
                let mut rewrite = self.rewrite(threads);
                rewrite.outcome = Outcome::NewTree(self.new_tree());
                rewrite.run(|_, ()| (), |()| ControlFlow::Continue(())).expect("a new tree");
            }
            Job::InPlace => {
                let rewrite = self.rewrite(threads);
                rewrite.run(|_, ()| (), |()| ControlFlow::Continue(())).expect("a tree");
            }
            Job::Undo => self.undo(threads),
            Job::Unpack => self.unpack(threads),
        }
    }

    /// Prints the links as the command does.
    fn extract(&self, threads: Option<NonZeroUsize>) {
        let mut extract = Extract::new();
        self.paths.iter().for_each(|path| extract.inputs.add_path(path));
        extract.inputs.threads = rehref::jobs::threads(threads);
        (extract.positions, extract.diagnostics) = (false, false);
        let mut out = File::create("/dev/null").expect("a system that knows processor time has it");
        extract.run(
            |event, lines: &mut Vec<u8>| {
                if let ExtractEvent::Link(link, _) = event {
                    lines.extend_from_slice(link.url_or_reference().as_bytes());
                    lines.push(b'\n');
                }
            },
            |lines| {
                out.write_all(&lines).expect("all is taken");
                ControlFlow::Continue(())
            },
        );
    }

    /// The run in place of the command.
    fn rewrite(&self, threads: Option<NonZeroUsize>) -> Rewrite {
        let mut rewrite = Rewrite::new(Rules::new().absolute()).path(self.tree());
        let base = BaseMapping::parse(format!("http://h/={}", self.tree().display()));
        rewrite.inputs.read.retrieval = Some(base.expect("a directory"));
        rewrite.inputs.threads = rehref::jobs::threads(threads);
        rewrite.options.scripted = false;
        rewrite.has_large_results = false;
        rewrite.reports_plans = false;
        rewrite.outcome = Outcome::InPlace(Default::default());
        rewrite
    }

    fn undo(&self, threads: Option<NonZeroUsize>) {
        let mut journal = JournalRun::new(self.tree()).expect("a directory");
        journal.threads = rehref::jobs::threads(threads);
        journal.undo(|_| {}).expect("a run that can be undone");
    }

    fn unpack(&self, threads: Option<NonZeroUsize>) {
        let mut unpack = Unpack::new(self.new_tree());
        unpack.archives.extend(self.paths.iter().map(Item::from));
        unpack.threads = rehref::jobs::threads(threads);
        unpack.for_each(|_| {}).expect("a new directory");
    }

    /// The tree of pages, or the archive.
    fn tree(&self) -> &Path {
        &self.paths[0]
    }

    fn new_tree(&self) -> PathBuf {
        self.tree().with_file_name("new")
    }
}
