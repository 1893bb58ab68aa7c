//! `rehref rewrite`

mod in_place;
mod layout;
mod logs;
mod marked;
mod mirror;
mod rules;
pub(crate) mod stale;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::bail;
use rehref::document::Document;
use rehref::error::{Error, ErrorKind, Warning};
use rehref::format::Format;
use rehref::format::{FoundLinks, Options};
use rehref::fs::NewTree;
use rehref::fs::journal::{Edit, PlanWriter, Root};
use rehref::fs::{BaseMapping, Compressed, Content, EntryKind, GZIP, Item, ReadOptions, list};
use rehref::rewrite::Plan;
use rehref::rewrite::{MirrorPage, Rule, Rules, SkipReason};
use rehref::site::{LocalNames, Site};
use rehref::source::{Base, BaseFrom};

use self::in_place::{InPlace, again};
use self::layout::{Task, in_place, laid_out, to_read};
use self::mirror::Trees;
use self::rules::rules;
use self::stale::{Copies, Dropping, Files, Hash, of_scripts, scripted};
use crate::applying::{Places, preview as in_preview, would_refuse};
use crate::args::{IntegrityChoice, RewriteArgs};
use crate::exit::Exit;
use crate::input::Input;
use crate::render::messages::Messages;
use crate::render::progress::{self, Progress};
use crate::render::terminal::{Output, warn};
use crate::show;
use crate::signals::Interrupt;
use rehref::jobs::ordered;
use rehref::jobs::ordered::WINDOW_OF_SMALL;
use rehref::jobs::turn;

pub(crate) fn run(args: RewriteArgs) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::listen()?;
    if args.in_place.undo || args.in_place.resume {
        return again(args, &interrupt);
    }
    let mut trees = Trees::new(&args)?;
    let rules = rules(&args, &mut trees)?;
    let mut find = Options {
        resolver: rules.resolver,
        html_text: false,
        scripting: args.input.html.scripting,
        extra: args.input.html.extra(),
        ..Options::default()
    };
    let RewriteArgs {
        write,
        output,
        check,
        diff,
        json,
        null,
        explain,
        verify,
        integrity,
        in_place: how,
        ..
    } = args;
    let Some(mut input) = Input::new(args.input, "rewrite")? else {
        return Ok(Exit::Trouble);
    };
    input.inputs.read.compressed = Compressed::Keep;
    if output.is_some() {
        trees.refuse_pieces(&input.inputs.items)?;
    }
    let previews = output.is_none() && !write && !check;
    let preview = match previews.then(|| InPlace::new(how.clone(), &input.inputs.items)) {
        Some(Ok(in_place)) => in_place.root,
        Some(Err(error)) => {
            warn(would_refuse(error));
            None
        }
        None => None,
    };
    let mode = match output {
        Some(folder) => Mode::NewTree(NewTree::new(folder)),
        None if write => Mode::InPlace(InPlace::new(how, &input.inputs.items)?),
        None if check => Mode::Check,
        None if input.inputs.items == [Item::Stdin] && !diff && !json => Mode::Filter,
        None => Mode::Diff,
    };
    if mode.writes() {
        refuse_what_is_no_path(&input.inputs.items)?;
    }
    find.scripted = !matches!(mode, Mode::Filter);
    let site = site(&rules, &input.inputs.read, &mut input.exit);
    let mut rewrite = Rewrite {
        site,
        rules,
        trees,
        find,
        files: Files::new(input.inputs.read.retrieval.as_ref()),
        copies: Copies::default(),
        preview,
        mode,
        json,
        null,
        explain,
        verify,
        is_format_given: input.inputs.read.format.is_some(),
    };
    if integrity == IntegrityChoice::Drop && !matches!(rewrite.mode, Mode::Filter) {
        rewrite.look_ahead(
            &input.inputs.walk,
            &input.inputs.items,
            &input.inputs.read,
            input.inputs.threads,
        );
    }
    let mut run = Run {
        rewrite: &rewrite,
        hashes: Vec::new(),
        changed: Vec::new(),
        output: match rewrite.mode {
            Mode::Diff if !rewrite.json => Output::of_diffs(),
            _ => Output::new(rewrite.json),
        },
        progress: Progress::new(None),
        totals: Totals::default(),
        exit: input.exit,
    };
    let work = |task| rewrite.task(task, &input.inputs.read);
    match &rewrite.mode {
        Mode::NewTree(tree) => {
            let layout = laid_out(tree.folder(), &input.inputs.walk, input.inputs.items)?;
            interrupt.defer();
            // Before any file, so that nobody looks into a private folder meanwhile.
            for (below, like) in &layout.folders {
                if let Err(error) = tree.make_folder(below, like) {
                    warn(error);
                    run.exit = Exit::Trouble;
                }
            }
            run.progress = Progress::new(Some(layout.tasks.len()));
            let take = |done| run.take_unless(&interrupt, done);
            let tasks = layout.tasks.into_iter();
            if rewrite.json || rewrite.explain {
                ordered::for_each(tasks, input.inputs.threads, work, take);
            } else {
                ordered::for_each_within(WINDOW_OF_SMALL, tasks, input.inputs.threads, work, take);
            }
            tree.finish(|error| {
                warn(error);
                run.exit = Exit::Trouble;
            });
        }
        Mode::InPlace(how) => {
            interrupt.defer();
            let tasks = in_place(
                &input.inputs.walk,
                input.inputs.items,
                how.backup.as_deref(),
            );
            match &how.root {
                Some(root) => {
                    let exit =
                        run.plan_and_apply(root, tasks, input.inputs.threads, work, &interrupt);
                    return ended(exit, &interrupt);
                }
                None => {
                    let take = |done| run.take_unless(&interrupt, done);
                    ordered::for_each(tasks, input.inputs.threads, work, take);
                }
            }
        }
        Mode::Diff | Mode::Filter | Mode::Check => {
            ordered::for_each(
                to_read(&input.inputs.walk, input.inputs.items),
                input.inputs.threads,
                work,
                |done| {
                    let flow = run.take(done);
                    if flow.is_break() {
                        // Nobody reads on: what others still wait for does not matter.
                        crate::exit::leave(run.end());
                    }
                    flow
                },
            );
        }
    }
    if let (Some((root, places)), 1..) = (&rewrite.preview, run.totals.changed)
        && let Err(error) = PlanWriter::dry_run(root)
    {
        warn(would_refuse(places.refusal(error)));
    }
    let exit = run.end();
    if interrupt.asked().is_some() {
        warn("interrupted: all other files are as they were");
    }
    ended(exit, &interrupt)
}

/// How a run ended, unless it was interrupted.
pub(crate) fn ended(exit: anyhow::Result<Exit>, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    match interrupt.asked() {
        Some(code) => {
            if let Err(error) = exit {
                warn(format_args!("{error:#}"));
            }
            std::process::exit(code)
        }
        None => exit,
    }
}

/// Whether a file is mail that is compressed, by its name.
fn is_compressed_mail(name: &Path, bytes: &[u8]) -> bool {
    bytes.starts_with(&GZIP) && Format::from_extension(name).is_some_and(Format::is_mail)
}

/// Whether links of this kind of document are rewritten.
pub(crate) fn is_rewritable(format: Format) -> bool {
    matches!(
        format,
        Format::Html | Format::Css | Format::Xml | Format::Text
    )
}

fn refuse_what_is_no_path(items: &[Item]) -> anyhow::Result<()> {
    // Reading a pipe once more, or renaming over it, would lose what is in it.
    let is_path = |item: &&Item| match item {
        Item::Path(path) => path.is_file() || path.is_dir() || !path.exists(),
        _ => false,
    };
    match items.iter().find(|item| !is_path(item)) {
        Some(item) => bail!(
            "{}: only files and folders can be written",
            item.name().display()
        ),
        None => Ok(()),
    }
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
    InPlace(InPlace),
    /// All files are written to another folder.
    NewTree(NewTree),
}

impl Mode {
    fn writes(&self) -> bool {
        matches!(self, Self::InPlace(..) | Self::NewTree(..))
    }
}

struct Rewrite {
    /// The tree in which links may break.
    site: Option<Site>,
    rules: Rules,
    /// The folders of the mirror.
    trees: Trees,
    find: Options,
    files: Files,
    copies: Copies,
    /// Where a run would be noted that made the edits which are only shown.
    preview: Option<(Root, Places)>,
    mode: Mode,
    json: bool,
    null: bool,
    explain: bool,
    verify: bool,
    /// Whether `--media` says the kind of all documents.
    is_format_given: bool,
}

/// What came of one file.
#[derive(Default)]
struct Done {
    output: Vec<u8>,
    /// What is to be done in place.
    edit: Option<Edit>,
    /// The hashes in it that stay.
    hashes: Vec<Hash>,
    /// The file, if it changes and hashes may be given of it.
    changed: Option<PathBuf>,
    totals: Totals,
    messages: Messages,
}

#[derive(Default)]
struct Totals {
    /// Documents read, of the kinds that are rewritten.
    documents: usize,
    /// Other files.
    others: usize,
    /// Documents with edits.
    changed: usize,
    edits: usize,
    /// Documents whose edits could not be verified.
    unverified: usize,
    /// Links that would lead nowhere any more.
    broken: usize,
    /// Links that scripts seem to build.
    scripted: usize,
    kept: BTreeMap<SkipReason, usize>,
    /// What a pattern made, if that is moved again by the same rules.
    moved_again: Option<String>,
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
        match task.kind {
            EntryKind::File => {}
            // Folders are made in advance.
            EntryKind::Folder => return Ok(()),
            EntryKind::Link => return self.copy(task),
            EntryKind::Special => {
                let name = task.item.name().display();
                done.messages
                    .note(format!("{name}: a special file: not copied"));
                return Ok(());
            }
        }
        if task.selected {
            let _turn = turn(&task.item, options);
            let content = match options.read(&task.item) {
                // It can still be copied.
                Err(error) if matches!(error.kind(), ErrorKind::TooLong { .. }) => {
                    done.totals.others += 1;
                    return self.copy(task).and(Err(error));
                }
                content => content?,
            };
            match content {
                Content::Document(document) if is_rewritable(document.format) => {
                    return self.document(document, task, done);
                }
                Content::Document(document) if document.format.is_mail() => {
                    done.totals.others += 1;
                    return self.mail(&document.name, &document.bytes, task, done);
                }
                Content::Binary(bytes) if is_compressed_mail(task.item.name(), &bytes) => {
                    done.totals.others += 1;
                    return self.mail(task.item.name(), &bytes, task, done);
                }
                other => {
                    let bytes = other.into_bytes();
                    if matches!(self.mode, Mode::Filter) {
                        done.output = bytes;
                        let note = "-: neither HTML, CSS, XML nor plain text, so left as it is; --media reads it as the kind it names";
                        done.messages.note(note.to_owned());
                    } else {
                        self.copy_read(task, &bytes)?;
                    }
                    done.totals.others += 1;
                    return Ok(());
                }
            }
        }
        done.totals.others += 1;
        self.copy(task)
    }

    /// Refuses mail; where it was found in a folder, that is no failure.
    fn mail(&self, name: &Path, bytes: &[u8], task: &Task, done: &mut Done) -> Result<(), Error> {
        if matches!(self.mode, Mode::Filter) {
            done.output = bytes.to_vec();
        } else {
            self.copy_read(task, bytes)?;
        }
        let refusal = Error::new(name, ErrorKind::Mail);
        if task.is_named {
            return Err(refusal);
        }
        done.messages.note(refusal.to_string());
        Ok(())
    }

    /// Puts the file, which holds these bytes, into the new tree if there is one.
    fn copy_read(&self, task: &Task, bytes: &[u8]) -> Result<(), Error> {
        match (&self.mode, &task.item, &task.below) {
            (Mode::NewTree(tree), Item::Path(from), Some(below)) => {
                tree.copy_read(below, bytes, from)
            }
            _ => Ok(()),
        }
    }

    /// Puts the file, or the link, into the new tree if there is one.
    fn copy(&self, task: &Task) -> Result<(), Error> {
        match (&self.mode, task.item.file(), &task.below) {
            (Mode::NewTree(tree), Some(from), Some(below)) if task.kind == EntryKind::Link => {
                tree.copy_link(below, from)
            }
            (Mode::NewTree(tree), Some(from), Some(below)) => tree.copy(below, from),
            _ => Ok(()),
        }
    }

    fn document(&self, document: Document, task: &Task, done: &mut Done) -> Result<(), Error> {
        let mut document = document;
        let mirror = self.rules.mirror();
        let file = mirror.and_then(|mirror| self.trees.file(mirror, &task.item));
        let is_served = mirror.is_some_and(|it| it.names() != LocalNames::Raw);
        if file.is_some() && is_served && !self.is_format_given {
            document = document.as_served();
        }
        let is_about_text = self.rules.rules.iter().any(Rule::is_about_text);
        if matches!(self.mode, Mode::Filter) && document.format == Format::Text && !is_about_text {
            let note = "-: plain text, which only maps change; --media html reads it as HTML";
            done.messages.note(note.to_owned());
        }
        let page = mirror.zip(file).map(|(mirror, file)| {
            let findings = document.links_with(&self.find);
            MirrorPage::new(mirror, file, &document, &findings, &self.find.resolver)
        });
        if let Some(page) = &page {
            show::evidence(&document.name, page, &mut done.messages);
            document.base = Some(Base {
                uri: page.url.clone(),
                from: BaseFrom::Option,
            });
        }
        let rules = self.rules.of_document(page);
        let findings = document.links_with(&self.find);
        if findings.guessed {
            done.messages
                .warning(&document.name, None, Warning::Nesting);
        }
        let mapper = Dropping {
            rules: &rules,
            files: &self.files,
            name: &document.name,
            has_base: !findings.base_elements.is_empty(),
        };
        let mut plan = Plan::new(&document, &findings, &self.find, &mapper);
        done.totals.documents += 1;
        if self.verify {
            let (plan, messages) = (&mut plan, &mut done.messages);
            let is_verified = show::is_verified(&document, &findings, plan, &self.find, messages);
            done.totals.unverified += usize::from(!is_verified);
        }
        if !matches!(self.mode, Mode::Filter) {
            done.hashes = self.hashes(&document, &findings, &plan);
            done.totals.scripted = scripted(&document, &findings);
            if !plan.is_empty() {
                self.copies.tell(&document, &mut done.messages);
                let is_page = document.format == Format::Html;
                done.changed = (!is_page).then(|| document.name.clone());
            }
        }
        for &(_, why) in &plan.kept {
            *done.totals.kept.entry(why).or_default() += 1;
        }
        self.tell_broken(&document, &findings, &plan, done);
        if self.explain {
            show::explain(&document, &findings.links, &plan, &mut done.messages);
        }
        if self.json {
            let end = if self.null { 0 } else { b'\n' };
            show::records(
                &document,
                &findings,
                &plan,
                &self.find,
                end,
                &mut done.output,
            );
        }
        if let (Some((root, _)), Item::Path(path), false) =
            (&self.preview, &task.item, plan.is_empty())
        {
            let checked = std::path::absolute(path)
                .map_err(|error| Error::new(path, ErrorKind::Read(error)))
                .and_then(|path| Edit::check(root, &path));
            in_preview(checked, &document.name, &mut done.messages);
        }
        // From here on the edits and the new document are enough.
        drop(findings);
        match &self.mode {
            Mode::Diff if !self.json => {
                show::diff(
                    &document,
                    &plan,
                    show::Names::same(&document.name),
                    &mut done.output,
                );
            }
            Mode::Diff | Mode::Check | Mode::Filter => {}
            Mode::InPlace(..) if plan.is_empty() => {}
            Mode::InPlace(how) => done.edit = how.write(&document, &plan, &mut done.messages)?,
            Mode::NewTree(..) if plan.is_empty() => self.copy_read(task, &document.bytes)?,
            Mode::NewTree(tree) => {
                if let Some(below) = &task.below {
                    tree.write(below, plan.apply(&document), &document.name)?;
                }
            }
        }
        // What could not be written does not count.
        done.totals.changed += usize::from(!plan.is_empty());
        done.totals.edits += plan.edits.len();
        let patterns = plan.edits.iter().filter(|edit| edit.rule == "map-re");
        let mut again = patterns.filter(|edit| self.rules.is_moved_again(edit.new_uri));
        done.totals.moved_again = again.next().map(|edit| edit.new_uri.to_owned());
        if matches!(self.mode, Mode::Filter) {
            done.output = plan.into_edited().unwrap_or_else(|| document.into_bytes());
        }
        Ok(())
    }
}

impl Rewrite {
    /// Tells of links that lead to a file of the tree now, and to none there once they are rewritten.
    fn tell_broken(
        &self,
        document: &Document,
        findings: &FoundLinks<'_>,
        plan: &Plan,
        done: &mut Done,
    ) {
        let Some(site) = &self.site else {
            return;
        };
        let mut resolving = findings.resolving(document, self.find.resolver).unchecked();
        let mut lines = document.lines();
        for edit in &plan.edits {
            let link = &findings.links[edit.link];
            let leads = resolving
                .target(link)
                .uri
                .is_some_and(|uri| site.locate(uri).is_there());
            if leads && site.locate(edit.new_uri).is_missing() {
                done.totals.broken += 1;
                show::breaks(document, link, &mut lines, &mut done.messages);
            }
        }
    }
}

/// The tree that documents are known to lie in, if rules may let links lead elsewhere in it.
fn site(rules: &Rules, options: &ReadOptions, exit: &mut Exit) -> Option<Site> {
    let Some(BaseMapping::Tree { url, folder }) = &options.retrieval else {
        return None;
    };
    rules.rules.iter().any(Rule::is_about_text).then(|| {
        let listing = list(folder.path(), |error| {
            warn(error);
            *exit = Exit::Trouble;
        });
        Site::new(url, listing, Vec::new())
    })
}

/// A run, file after file.
struct Run<'r> {
    rewrite: &'r Rewrite,
    output: Output,
    progress: Progress,
    totals: Totals,
    hashes: Vec<Hash>,
    changed: Vec<PathBuf>,
    exit: Exit,
}

impl Run<'_> {
    fn take(&mut self, done: Done) -> ControlFlow<()> {
        let Totals {
            documents,
            others,
            changed,
            edits,
            unverified,
            broken,
            scripted,
            kept,
            moved_again,
        } = done.totals;
        self.hashes.extend(done.hashes);
        self.changed.extend(done.changed);
        if self.totals.moved_again.is_none()
            && let Some(uri) = moved_again
        {
            warn(format_args!(
                "--map-re: {uri} is mapped again, so a second run goes on changing it"
            ));
            self.totals.moved_again = Some(uri);
        }
        self.totals.documents += documents;
        self.totals.others += others;
        self.totals.changed += changed;
        self.totals.edits += edits;
        self.totals.unverified += unverified;
        self.totals.broken += broken;
        self.totals.scripted += scripted;
        for (why, count) in kept {
            *self.totals.kept.entry(why).or_default() += count;
        }
        self.progress.step();
        self.exit = self.exit.max(done.messages.print());
        self.output.write(&done.output)
    }

    /// Takes a result where files are written: then it does not matter whether what is printed is
    /// read, and SIGINT ends the run between two files.
    fn take_unless(&mut self, interrupt: &Interrupt, done: Done) -> ControlFlow<()> {
        let _: ControlFlow<()> = self.take(done);
        if interrupt.asked().is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn end(&mut self) -> anyhow::Result<Exit> {
        let mode = &self.rewrite.mode;
        progress::clear();
        if self.output.reader_is_gone() && !mode.writes() {
            return Ok(Exit::Done);
        }
        if !matches!(mode, Mode::Filter) {
            stale::tell(&self.hashes, &self.changed);
            warn(self.totals.summary(mode));
        }
        self.output.finish()?;
        let would_change = matches!(self.rewrite.mode, Mode::Check) && self.totals.changed > 0;
        Ok(if would_change {
            self.exit.max(Exit::No)
        } else {
            self.exit
        })
    }
}

impl Totals {
    fn summary(&self, mode: &Mode) -> String {
        let Self {
            documents,
            others,
            changed,
            edits,
            unverified,
            broken,
            scripted,
            kept,
            ..
        } = self;
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let mut text = format!(
            "{edits} edit{} in {changed} of {documents} document{}",
            plural(*edits),
            plural(*documents)
        );
        if *others > 0 {
            let done = match mode {
                Mode::NewTree(..) => "copied",
                _ => "left alone",
            };
            let _ = write!(text, ", {others} other file{} {done}", plural(*others));
        }
        if *unverified > 0 {
            let _ = write!(text, ", {unverified} not verified");
        }
        if *broken > 0 {
            let _ = write!(text, ", {broken} link{} broken by it", plural(*broken));
        }
        text += &of_scripts(*scripted);
        for (at, (why, count)) in kept.iter().enumerate() {
            let separator = if at == 0 { "; kept: " } else { ", " };
            let _ = write!(text, "{separator}{count} {}", why.as_str());
        }
        text
    }
}
