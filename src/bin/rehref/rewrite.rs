//! `rehref rewrite`

mod layout;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use rehref::commit;
use rehref::document::{Document, Media};
use rehref::edit::{DiffNames, Plan, unified_diff};
use rehref::error::Error;
use rehref::find::{FindOptions, Link, find};
use rehref::map::{Kept, PrefixMap, Rule, Rules};
use rehref::report::{EditRecord, write_json};
use rehref::source::{Content, FoundKind, Item, ReadOptions};

use self::layout::{Task, in_place, laid_out};
use crate::args::{RewriteArgs, RuleName};
use crate::input::{Input, Messages};
use crate::interrupt::{self, Interrupt};
use crate::terminal::{Output, complain};
use crate::{Exit, ordered};

pub(crate) fn run(args: RewriteArgs) -> anyhow::Result<Exit> {
    let rules = rules(&args)?;
    let (write, check, diff, output) = (args.write, args.check, args.diff, args.output);
    let (json, explain) = (args.json, args.explain);
    let resolver = rules.resolver;
    let Some(mut input) = Input::new(args.input, "rewrite")? else {
        return Ok(Exit::Trouble);
    };
    input.options.keep_compressed = true;
    let only_stdin = input.items == [Item::Stdin];
    let mode = match output {
        Some(folder) => Mode::NewTree(folder),
        None if write => Mode::InPlace,
        None if check => Mode::Check,
        None if only_stdin && !diff && !json => Mode::Filter,
        None => Mode::Diff,
    };
    if matches!(mode, Mode::InPlace | Mode::NewTree(_))
        && let Some(item) = input
            .items
            .iter()
            .find(|item| !matches!(item, Item::Path(_)))
    {
        bail!(
            "{}: only files and folders can be written",
            item.name().display()
        );
    }
    let find = FindOptions {
        resolver,
        html_text: false,
    };
    let rewrite = Rewrite {
        rules,
        find,
        mode,
        json,
        explain,
    };
    let interrupt = Interrupt::listen()?;
    let mut run = Run {
        rewrite: &rewrite,
        output: Output::new(),
        totals: Totals::default(),
        exit: Exit::Done,
    };
    let work = |task| rewrite.task(task, &input.options);
    let take = |done| {
        let flow = run.take(done);
        if interrupt.is_asked() {
            ControlFlow::Break(())
        } else {
            flow
        }
    };
    match &rewrite.mode {
        Mode::NewTree(folder) => {
            let tasks = laid_out(folder, &input.tree, input.items)?;
            ordered::for_each(tasks.into_iter(), input.jobs, work, take);
        }
        _ => {
            let tasks = input.tree.walk(input.items).map(in_place);
            ordered::for_each(tasks, input.jobs, work, take);
        }
    }
    let exit = run.end();
    if interrupt.is_asked() {
        std::process::exit(interrupt::EXIT_CODE);
    }
    exit
}

/// The rules in the order of the command line.
fn rules(args: &RewriteArgs) -> anyhow::Result<Rules> {
    let mut rules = Vec::new();
    for name in &args.rules {
        rules.push(match name {
            RuleName::Absolute => Rule::Absolute,
            RuleName::Relative => Rule::Relative,
            RuleName::Map => {
                let mut map = PrefixMap::default();
                for entry in &args.map {
                    map.insert_entry(entry)
                        .with_context(|| format!("--map {entry}"))?;
                }
                Rule::Map(map)
            }
        });
    }
    Ok(Rules {
        rules,
        resolver: args.input.resolving.resolver(),
    })
}

/// What becomes of the result.
enum Mode {
    /// A diff is printed.
    Diff,
    /// The changed document is printed.
    Filter,
    /// Nothing: the exit code tells.
    Check,
    /// The changed files are replaced.
    InPlace,
    /// All files are written to a folder.
    NewTree(PathBuf),
}

struct Rewrite {
    rules: Rules,
    find: FindOptions,
    mode: Mode,
    json: bool,
    explain: bool,
}

/// What came of one file.
#[derive(Default)]
struct Done {
    output: Vec<u8>,
    totals: Totals,
    messages: Messages,
}

#[derive(Default)]
struct Totals {
    /// HTML documents read.
    documents: usize,
    /// Other files.
    others: usize,
    /// Documents with edits.
    changed: usize,
    edits: usize,
    kept: BTreeMap<Kept, usize>,
}

impl Rewrite {
    fn task(&self, task: Result<Task, Error>, options: &ReadOptions) -> Done {
        let mut done = Done::default();
        let result = task.and_then(|task| self.file(&task, options, &mut done));
        if let Err(error) = result {
            done.messages.error(&error);
        }
        done
    }

    fn file(&self, task: &Task, options: &ReadOptions, done: &mut Done) -> Result<(), Error> {
        if task.kind == FoundKind::Link {
            return match (task.item.file(), &task.to) {
                (Some(from), Some(to)) => commit::copy_link(from, to),
                _ => Ok(()),
            };
        }
        if task.selected {
            match options.read(&task.item)? {
                Content::Document(document) if document.media == Media::Html => {
                    return self.document(&document, task, done);
                }
                Content::Document(Document { bytes, .. }) | Content::Binary(bytes) => {
                    if matches!(self.mode, Mode::Filter) {
                        done.output = bytes;
                    }
                }
            }
        }
        done.totals.others += 1;
        self.copy(task)
    }

    /// Puts the file into the new tree, if there is one.
    fn copy(&self, task: &Task) -> Result<(), Error> {
        match (task.item.file(), &task.to) {
            (Some(from), Some(to)) => commit::copy(from, to),
            _ => Ok(()),
        }
    }

    fn document(&self, document: &Document, task: &Task, done: &mut Done) -> Result<(), Error> {
        let findings = find(document, &self.find);
        let plan = Plan::new(document, &findings, &self.find, &self.rules);
        done.totals.documents += 1;
        done.totals.changed += usize::from(!plan.is_empty());
        done.totals.edits += plan.edits.len();
        for &(_, why) in &plan.kept {
            *done.totals.kept.entry(why).or_default() += 1;
        }
        if self.explain {
            explain(document, &findings.links, &plan, &mut done.messages);
        }
        if self.json {
            records(document, &findings.links, &plan, &mut done.output);
        }
        match &self.mode {
            Mode::Diff if !self.json => diff(document, &plan, &mut done.output),
            Mode::Filter => done.output = plan.apply(document).to_vec(),
            Mode::Diff | Mode::Check => {}
            Mode::InPlace if plan.is_empty() => {}
            Mode::InPlace => commit::replace(&document.name, plan.apply(document))?,
            Mode::NewTree(_) if plan.is_empty() => self.copy(task)?,
            Mode::NewTree(_) => {
                if let Some(to) = &task.to {
                    commit::write_like(to, plan.apply(document), &document.name)?;
                }
            }
        }
        Ok(())
    }
}

/// Says of each link that is kept why it is.
fn explain(document: &Document, links: &[Link<'_>], plan: &Plan, messages: &mut Messages) {
    let mut lines = document.lines();
    for &(number, why) in &plan.kept {
        let link = &links[number];
        let place = lines.position(link.extent().start);
        messages.note(format!(
            "{}:{}:{}: kept {:?}: {}",
            document.name.display(),
            place.line,
            place.column,
            link.reference,
            why.as_str()
        ));
    }
}

fn records(document: &Document, links: &[Link<'_>], plan: &Plan, out: &mut Vec<u8>) {
    let mut lines = document.lines();
    for edit in &plan.edits {
        let place = lines.position(edit.span.start);
        write_json(
            &EditRecord::new(document, &links[edit.link], edit, place),
            out,
        );
        out.push(b'\n');
    }
}

fn diff(document: &Document, plan: &Plan, out: &mut Vec<u8>) {
    let [old, new] = [&b"a/"[..], b"b/"].map(|side| diff_name(side, &document.name));
    let encoding = document.charset.encoding();
    if encoding == encoding_rs::UTF_16LE || encoding == encoding_rs::UTF_16BE {
        // A line feed there is not one byte, so a diff of bytes would be none that can be read.
        if !plan.is_empty() {
            let name = document.name.display();
            let text = format!("Binary files {name} and {name} (rewritten) differ\n");
            out.extend_from_slice(text.as_bytes());
        }
        return;
    }
    unified_diff(
        &document.bytes,
        &plan.edits,
        DiffNames {
            old: &old,
            new: &new,
        },
        out,
    );
}

/// The name as `patch -p1` and `git apply` take it; an absolute path stays one.
fn diff_name(side: &[u8], name: &Path) -> Vec<u8> {
    let name_bytes = name.as_os_str().as_encoded_bytes();
    if name.is_absolute() {
        return name_bytes.to_vec();
    }
    [side, name_bytes.strip_prefix(b"./").unwrap_or(name_bytes)].concat()
}

/// A run, file after file.
struct Run<'r> {
    rewrite: &'r Rewrite,
    output: Output,
    totals: Totals,
    exit: Exit,
}

impl Run<'_> {
    fn take(&mut self, done: Done) -> ControlFlow<()> {
        let Totals {
            documents,
            others,
            changed,
            edits,
            kept,
        } = done.totals;
        self.totals.documents += documents;
        self.totals.others += others;
        self.totals.changed += changed;
        self.totals.edits += edits;
        for (why, count) in kept {
            *self.totals.kept.entry(why).or_default() += count;
        }
        self.exit = self.exit.max(done.messages.say());
        self.output.write(&done.output)
    }

    fn end(self) -> anyhow::Result<Exit> {
        self.output.finish()?;
        if !matches!(self.rewrite.mode, Mode::Filter) {
            complain(self.totals.summary());
        }
        let would_change = matches!(self.rewrite.mode, Mode::Check) && self.totals.changed > 0;
        Ok(if would_change {
            self.exit.max(Exit::No)
        } else {
            self.exit
        })
    }
}

impl Totals {
    fn summary(&self) -> String {
        let Self {
            documents,
            others,
            changed,
            edits,
            kept,
        } = self;
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let mut text = format!(
            "{edits} edit{} in {changed} of {documents} HTML document{}",
            plural(*edits),
            plural(*documents)
        );
        if *others > 0 {
            let _ = write!(
                text,
                ", {others} other file{} left as they are",
                plural(*others)
            );
        }
        for (at, (why, count)) in kept.iter().enumerate() {
            let separator = if at == 0 { "; kept: " } else { ", " };
            let _ = write!(text, "{separator}{count} {}", why.as_str());
        }
        text
    }
}
