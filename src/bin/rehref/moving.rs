//! `rehref move`

mod lost;
mod new_files;
mod paths;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use rehref::error::{Error, Warning};
use rehref::format::Options;
use rehref::fs::journal;
use rehref::fs::journal::{PlanWriter, Rename, Root, RunState, rename_noreplace};
use rehref::fs::{
    BaseMapping, Compressed, Content, Item, ReadOptions, bytes_of_path, folder_url,
    is_listed_whole, list, max_document, path_of_bytes,
};
use rehref::records::{MoveRecord, write_json};
use rehref::rewrite::Relocation;
use rehref::rewrite::{Edits, Plan};
use rehref::site::{Entry, Listing, Move, MoveError, Moves, Site};
use rehref::source::{Base, BaseFrom};

use self::new_files::{added_and_new, missing_rule};
use self::paths::Below;
use crate::applying::{Applying, Places, exit as exit_of, preview, would_refuse};
use crate::args::{MoveArgs, the_base};
use crate::exit::Exit;
use crate::render::messages::Messages;
use crate::render::progress::Progress;
use crate::render::terminal::{Output, warn};
use crate::rewrite::is_rewritable;
use crate::rewrite::stale::{Copies, of_scripts, scripted};
use crate::show;
use crate::show::Names;
use crate::signals::Interrupt;
use crate::table::{Place, rows_of_paths};
use rehref::jobs::ordered;
use rehref::jobs::redirects::{RedirectFile, Redirects, redirect_files};
use rehref::jobs::{threads, turn};

pub(crate) fn run(args: MoveArgs) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::listen()?;
    let root = args.root.clone();
    if args.undo || args.resume {
        let rename = args.git.then_some(&rename_by_git as &Rename<'_>);
        let typed = root;
        let root = Root::new(&typed)?;
        let applying = Applying {
            jobs: threads(args.jobs.jobs),
            rename,
            places: &Places::new(&root, &typed),
            interrupt: &interrupt,
        };
        let exit = match args.undo {
            true => applying.undo(&root, args.trust_journal),
            false => applying.resume(&root, args.trust_journal),
        };
        return crate::rewrite::ended(exit, &interrupt);
    }
    if args.git {
        let known = Command::new("git").arg("--version").output();
        known.context("--git: git cannot be run")?;
    }
    let moved = !args.moved.is_empty();
    let asked = asked_for(&args, &root)?;
    let placed = |error: MoveError| placed(error, &asked);
    let moves = || asked.iter().map(|it| it.moved.clone());
    let mut exit = Exit::Done;
    let now = list(&root, |error| {
        warn(error);
        exit = Exit::Trouble;
    });
    let (before, moves) = match moved {
        // The files are there already: the tree as it was is found by moving them back.
        true => {
            let back = moves().map(|it| Move {
                from: it.to,
                to: it.from,
            });
            let before = Moves::new(&now, back)?.applied_to(&now);
            let moves = Moves::new(&before, moves())?;
            (before, moves)
        }
        false => {
            let moves = Moves::new(&now, moves()).map_err(placed)?;
            (now, moves)
        }
    };
    let redirects = args.redirects.map(|it| it.kind());
    let moves = match redirects {
        // Pages stay behind in the old folders, so files move one by one.
        Some(Redirects::Html) if !moved => moves.expanded(&before)?,
        _ => moves,
    };
    let after = moves.applied_to(&before);
    let index = vec!["index.html".into(), "index.htm".into()];
    let before = match the_base(args.base.clone())? {
        None => Site::private(before, index),
        Some(base) => Site::new(&url_of_root(&base, &root)?, before, index),
    };
    let after = before.with_listing(after);
    let find = Options {
        resolver: args.resolving.resolver(),
        scripting: args.html.scripting,
        scripted: true,
        extra: args.html.extra(),
        ..Options::default()
    };
    let redirects = redirects
        .map(|kind| redirect_files(kind, &before, &after, &moves))
        .unwrap_or_default();
    for address in &redirects.without_rule {
        warn(missing_rule(address));
    }
    let (added, redirects) = added_and_new(redirects, &after)?;
    let moving = Moving {
        relocation: Relocation::new(&before, &after, &moves, find.resolver),
        before: &before,
        after: &after,
        moves: &moves,
        added,
        root: &root,
        already: moved,
        find,
        options: ReadOptions {
            compressed: Compressed::Keep,
            max_document: max_document(),
            ..ReadOptions::default()
        },
        copies: Copies::default(),
        json: args.json,
        explain: args.explain,
        verify: args.verify,
        mode: match (args.write, args.check) {
            (true, _) => Mode::Write,
            (_, true) => Mode::Check,
            _ => Mode::Diff,
        },
    };
    let exit = moving.run(&args, redirects, exit, &interrupt);
    crate::rewrite::ended(exit, &interrupt)
}

/// A move that somebody asked for.
struct Asked<'l> {
    moved: Move,
    /// Where it stands, if in a list.
    place: Option<Place<'l>>,
}

/// The moves that the command line names.
fn asked_for<'l>(args: &'l MoveArgs, root: &Path) -> anyhow::Result<Vec<Asked<'l>>> {
    let below = Below::new(root)?;
    let unplaced = |moved| Asked { moved, place: None };
    let mut asked = match args.paths.as_slice() {
        [] => Vec::new(),
        paths => below.of_arguments(paths)?,
    }
    .into_iter()
    .map(unplaced)
    .collect::<Vec<_>>();
    for list in &args.from_list {
        for row in rows_of_paths(list)? {
            let place = Place::of(list, &row);
            let moved = below.of_row(&row.old, &row.new);
            asked.push(Asked {
                moved: moved.with_context(|| place.to_string())?,
                place: Some(place),
            });
        }
    }
    for entry in &args.moved {
        asked.push(unplaced(below.of_moved(entry)?));
    }
    Ok(asked)
}

/// Why moves cannot be made, with the place of the one that cannot: of the same row twice, the second.
fn placed(error: MoveError, asked: &[Asked<'_>]) -> anyhow::Error {
    let found = asked.iter().rev().find(|it| it.moved == *error.moved());
    match found.and_then(|it| it.place) {
        Some(place) => anyhow::Error::from(error).context(place.to_string()),
        None => error.into(),
    }
}

/// The URL of the root, where that of a folder is known which it is or lies in.
fn url_of_root(base: &BaseMapping, root: &Path) -> anyhow::Result<String> {
    match base {
        BaseMapping::Uri(url) => folder_url(url).context("--base"),
        BaseMapping::Tree { url, folder } => {
            let real = root
                .canonicalize()
                .with_context(|| root.display().to_string())?;
            let Ok(below) = real.strip_prefix(folder.path()) else {
                let (root, folder) = (root.display(), folder.path().display());
                bail!("--base: {root} does not lie in {folder}");
            };
            let site = Site::new(url, Listing::default(), Vec::new());
            Ok(site.uri_of(&bytes_of_path(below)))
        }
    }
}

/// Moves one file, folder or link, and tells git if it knows the file.
fn rename_by_git(from: &Path, to: &Path) -> std::io::Result<()> {
    let folder = from.parent().unwrap_or(Path::new("."));
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(folder)
        .args(["mv", "--"])
        .arg(from)
        .arg(to);
    // What git does not know is moved all the same.
    match command.output()?.status.success() {
        true => Ok(()),
        false => rename_noreplace(from, to),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Diff,
    Check,
    Write,
}

struct Moving<'m> {
    relocation: Relocation<'m>,
    before: &'m Site,
    after: &'m Site,
    moves: &'m Moves,
    /// What comes to the end of a file that is there, to tell of moves; with its path once all has moved.
    added: Option<RedirectFile>,
    root: &'m Path,
    /// Whether the files are at their new places already.
    already: bool,
    find: Options,
    options: ReadOptions,
    copies: Copies,
    json: bool,
    explain: bool,
    verify: bool,
    mode: Mode,
}

/// What came of one document.
#[derive(Default)]
struct Done {
    output: Vec<u8>,
    messages: Messages,
    edit: Option<journal::Edit>,
    totals: Totals,
}

#[derive(Clone, Copy, Default)]
struct Totals {
    documents: usize,
    changed: usize,
    edits: usize,
    broken: usize,
    unverified: usize,
    /// Links that scripts seem to build.
    scripted: usize,
}

impl Moving<'_> {
    fn run(
        &self,
        args: &MoveArgs,
        redirects: Vec<RedirectFile>,
        exit: Exit,
        interrupt: &Interrupt,
    ) -> anyhow::Result<Exit> {
        let root = Root::new(self.root)?;
        let places = Places::new(&root, self.root);
        let refusal = |error| places.refusal(error);
        let mut writer = match self.mode {
            Mode::Write => Some(PlanWriter::begin(&root).map_err(refusal)?),
            Mode::Diff | Mode::Check => None,
        };
        if self.mode == Mode::Write {
            interrupt.defer();
        }
        let mut output = match self.mode {
            Mode::Diff if !self.json => Output::of_diffs(),
            _ => Output::new(self.json),
        };
        let (mut totals, mut exit) = (Totals::default(), exit);
        let listing = self.before.listing();
        let folder = |path: &[u8]| path.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
        let filled: HashSet<&[u8]> = listing.iter().map(|(_, it, _)| &it[..folder(it)]).collect();
        let entries: Vec<(&[u8], Entry)> = listing
            .iter()
            .map(|(_, path, entry)| (path, entry))
            .filter(|(path, entry)| *entry != Entry::Folder || !filled.contains(path))
            .collect();
        let work = |(path, entry)| match entry {
            Entry::File => self.document(path, &root),
            _ => self.other(path, entry),
        };
        let mut progress = Progress::new(Some(entries.len()));
        ordered::for_each(
            entries.into_iter(),
            threads(args.jobs.jobs),
            work,
            |mut done: Done| {
                progress.step();
                exit = exit.max(done.messages.print());
                totals.add(done.totals);
                if let (Some(writer), Some(edit)) = (&mut writer, done.edit.take())
                    && let Err(error) = writer.edit(edit)
                {
                    warn(places.name(error));
                    exit = Exit::Trouble;
                    if writer.is_broken() {
                        return ControlFlow::Break(());
                    }
                }
                if interrupt.asked().is_some() {
                    return ControlFlow::Break(());
                }
                let flow = output.write(&done.output);
                match self.mode {
                    Mode::Write => ControlFlow::Continue(()),
                    Mode::Diff | Mode::Check => flow,
                }
            },
        );
        drop(progress);
        self.tell_dangling();
        let told = redirects.len() + usize::from(self.added.is_some());
        let changes = self.moves.iter().count() + totals.changed + told;
        if let Some(mut writer) = writer {
            if interrupt.asked().is_some() {
                warn("interrupted: nothing has been changed");
                return Ok(exit);
            }
            if exit == Exit::Trouble {
                // What could not be read or edited may be what refers to a moved file.
                bail!("nothing has been moved, since references may not follow everywhere");
            }
            self.steps(&mut writer, &redirects)
                .map_err(|error| places.name(error))?;
            let rename = args.git.then_some(&rename_by_git as &Rename<'_>);
            let applying = Applying {
                jobs: threads(args.jobs.jobs),
                rename,
                places: &places,
                interrupt,
            };
            if let Some(applied) = applying.finish(writer)? {
                exit = exit.max(exit_of(&applied));
                if applied.state != RunState::Finished {
                    return Ok(exit);
                }
            }
        } else if self.mode == Mode::Diff {
            if !self.json {
                let _: ControlFlow<()> = output.write(&self.redirect_diff(&redirects));
            }
            if changes > 0 {
                self.dry_run(&root, &places, &redirects);
            }
        }
        if output.reader_is_gone() && self.mode != Mode::Write {
            return Ok(Exit::Done);
        }
        warn(totals.summary(self.moves));
        output.finish()?;
        let would_change = self.mode == Mode::Check && changes > 0;
        Ok(if would_change {
            exit.max(Exit::No)
        } else {
            exit
        })
    }

    /// Says in a preview what would be refused.
    fn dry_run(&self, root: &Root, places: &Places, redirects: &[RedirectFile]) {
        let refusal = match PlanWriter::dry_run(root) {
            Ok(mut plan) => {
                let steps = self.steps(&mut plan, redirects);
                steps.and_then(|()| plan.finish().map(drop))
            }
            Err(error) => Err(error),
        };
        if let Err(error) = refusal {
            warn(would_refuse(places.refusal(error)));
        }
    }

    /// Adds what is done besides edits.
    fn steps(&self, writer: &mut PlanWriter, redirects: &[RedirectFile]) -> Result<(), Error> {
        if !self.already {
            for folder in self.moves.missing_folders() {
                writer.make_folder(&path_of_bytes(folder))?;
            }
            for moved in self.moves.iter() {
                writer.rename(&path_of_bytes(&moved.from), &path_of_bytes(&moved.to))?;
            }
            let kept: HashSet<PathBuf> = redirects
                .iter()
                .flat_map(|it| {
                    path_of_bytes(&it.path)
                        .ancestors()
                        .map(Path::to_owned)
                        .collect::<Vec<_>>()
                })
                .collect();
            for folder in self.moves.emptied_folders() {
                // There may be what is not listed, such as a folder of git's.
                let path = path_of_bytes(folder);
                let listing = self.before.listing();
                if !kept.contains(&path) && is_listed_whole(self.root, folder, listing) {
                    writer.remove_folder(&path)?;
                }
            }
        }
        let listing = self.after.listing();
        let mut made = HashSet::new();
        for file in redirects {
            // Pages stay behind in folders that are gone already.
            let slashes = (0..file.path.len()).filter(|&at| file.path[at] == b'/');
            for folder in slashes.map(|at| &file.path[..at]) {
                if self.already && listing.id(folder).is_none() && made.insert(folder) {
                    writer.make_folder(&path_of_bytes(folder))?;
                }
            }
            writer.create(&path_of_bytes(&file.path), &file.text)?;
        }
        Ok(())
    }

    /// The new files that tell of moves, as a diff.
    fn redirect_diff(&self, redirects: &[RedirectFile]) -> Vec<u8> {
        let mut out = Vec::new();
        for file in redirects {
            let name = show::joined(self.root, &path_of_bytes(&file.path));
            show::created(&name, &file.text, &mut out);
        }
        out
    }

    /// What is no file, and has nothing in it: its move is all there is to tell.
    fn other(&self, path: &[u8], entry: Entry) -> Done {
        let mut done = Done::default();
        let new = self.moves.new_path(path);
        if *new == *path || self.already {
            return done;
        }
        let (old, new) = (path_of_bytes(path), path_of_bytes(&new));
        let is_link = entry != Entry::Folder && self.root.join(&old).is_symlink();
        if self.json || is_link {
            self.tell_move(&old, &new, true, &mut done);
        } else if self.mode == Mode::Diff {
            let [old, new] = [&old, &new].map(|it| show::joined(self.root, it));
            let what = match entry {
                Entry::Folder => "an empty folder",
                _ => "neither a file nor a link",
            };
            let (old, new) = (old.display(), new.display());
            done.messages.note(format!(
                "{old}: moves to {new}, which the diff cannot say: it is {what}"
            ));
        }
        done
    }

    fn document(&self, path: &[u8], root: &Root) -> Done {
        let mut done = Done::default();
        if let Err(error) = self.try_document(path, root, &mut done) {
            done.messages.error(&error);
        }
        done
    }

    fn try_document(&self, path: &[u8], root: &Root, done: &mut Done) -> Result<(), Error> {
        let new_path = self.moves.new_path(path);
        let lies_at = if self.already { &*new_path } else { path };
        let lies_at = path_of_bytes(lies_at);
        let file = show::joined(self.root, &lies_at);
        let item = Item::Path(file);
        let _turn = turn(&item, &self.options);
        let content = self.options.read(&item)?;
        let moves = *new_path != *path;
        let (old_name, new_name) = (path_of_bytes(path), path_of_bytes(&new_path));
        let mut document = match content {
            Content::Document(document) if is_rewritable(document.format) => document,
            other => {
                if let Content::Binary(bytes) = &other {
                    self.tell_not_rewritten(path, &lies_at, bytes, done)?;
                }
                if moves && !self.already {
                    self.tell_move(
                        &old_name,
                        &new_name,
                        self.added_to(&new_path).is_none(),
                        done,
                    );
                }
                let bytes = other.into_bytes();
                return self.change(root, path, &bytes, false, &Edits::default(), done);
            }
        };
        document.base = Some(self.base_of(path));
        let findings = document.links_with(&self.find);
        if findings.guessed {
            done.messages
                .warning(&document.name, None, Warning::Nesting);
        }
        done.totals.scripted = scripted(&document, &findings);
        let mapper = self.relocation.of_document(path);
        let mut plan = Plan::new(&document, &findings, &self.find, &mapper);
        done.totals.documents += 1;
        if self.verify {
            let (plan, messages) = (&mut plan, &mut done.messages);
            let is_verified = show::is_verified(&document, &findings, plan, &self.find, messages);
            done.totals.unverified += usize::from(!is_verified);
        }
        if self.explain {
            show::explain(&document, &findings.links, &plan, &mut done.messages);
        }
        self.tell_broken(&document, &findings, &plan, done);
        if moves && !self.already {
            let is_same = plan.is_empty() && self.added_to(&new_path).is_none();
            let is_all = is_same || document.charset.is_utf16();
            self.tell_move(&old_name, &new_name, is_all, done);
        }
        if self.json {
            show::records(
                &document,
                &findings,
                &plan,
                &self.find,
                b'\n',
                &mut done.output,
            );
        }
        let is_utf16 = document.charset.is_utf16();
        self.change(root, path, &document.bytes, is_utf16, &plan.edits, done)?;
        if !plan.is_empty() {
            self.copies.tell(&document, &mut done.messages);
        }
        done.totals.changed += usize::from(!plan.is_empty());
        done.totals.edits += plan.edits.len();
        Ok(())
    }

    /// Shows, or plans, the edits of a file and what comes to its end.
    fn change(
        &self,
        root: &Root,
        path: &[u8],
        bytes: &[u8],
        is_utf16: bool,
        edits: &Edits,
        done: &mut Done,
    ) -> Result<(), Error> {
        let new_path = self.moves.new_path(path);
        let file = self.added_to(&new_path);
        if edits.is_empty() && file.is_none() {
            return Ok(());
        }
        let lies_at = path_of_bytes(if self.already { &new_path } else { path });
        let name = show::joined(self.root, &lies_at);
        let mut added = Vec::new();
        if let Some(file) = file {
            added = file.appended_to(&name, bytes, is_utf16)?;
            for line in file.stale_lines(bytes) {
                let name = name.display();
                done.messages.note(format!(
                    "{name}:{line}:1: leads away from where something lies after the move"
                ));
            }
        }
        if self.mode == Mode::Write {
            let end = bytes.len()..bytes.len();
            let added = (!added.is_empty()).then_some((end, added.as_slice()));
            let changes = edits.iter().map(|edit| (edit.span.range(), edit.new));
            let edit = journal::Edit::new(root, &lies_at, bytes, changes.chain(added), None);
            done.edit = Some(edit.map_err(|error| error.about(&name))?);
        }
        if self.mode == Mode::Diff {
            if !self.json {
                let names = Names {
                    old: &name,
                    new: &show::joined(self.root, &path_of_bytes(&new_path)),
                };
                if is_utf16 {
                    let (name, count) = (name.display(), edits.len());
                    let plural = if count == 1 { "" } else { "s" };
                    done.messages.note(format!(
                        "{name}: UTF-16, so the diff lacks its {count} edit{plural}"
                    ));
                } else {
                    if *new_path == *path || self.already {
                        show::changed(names, &mut done.output);
                    }
                    show::appended(bytes, edits, &added, names, &mut done.output);
                }
            }
            let checked = journal::Edit::check(root, &lies_at);
            preview(checked, &name, &mut done.messages);
        }
        Ok(())
    }

    /// What comes to the end of the file that will lie there.
    fn added_to(&self, new_path: &[u8]) -> Option<&RedirectFile> {
        self.added.as_ref().filter(|it| it.path == new_path)
    }

    /// Where a document was before anything moved.
    fn base_of(&self, path: &[u8]) -> Base {
        Base {
            uri: self.before.uri_of(path),
            from: BaseFrom::Option,
        }
    }

    /// Tells that a file moves, and whether that is all that becomes of it.
    fn tell_move(&self, old: &Path, new: &Path, is_all: bool, done: &mut Done) {
        let [old, new] = [old, new].map(|it| show::joined(self.root, it));
        if self.json {
            write_json(&MoveRecord::new(&old, &new), &mut done.output);
            done.output.push(b'\n');
        } else if self.mode == Mode::Diff {
            show::moved(
                Names {
                    old: &old,
                    new: &new,
                },
                is_all,
                &mut done.output,
            );
        }
    }
}

impl Totals {
    fn add(&mut self, other: Self) {
        self.documents += other.documents;
        self.changed += other.changed;
        self.edits += other.edits;
        self.broken += other.broken;
        self.unverified += other.unverified;
        self.scripted += other.scripted;
    }

    fn summary(&self, moves: &Moves) -> String {
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let moved = moves.iter().count();
        let mut text = format!(
            "{moved} move{}, {} edit{} in {} of {} document{}",
            plural(moved),
            self.edits,
            plural(self.edits),
            self.changed,
            self.documents,
            plural(self.documents)
        );
        if self.unverified > 0 {
            text += &format!(", {} not verified", self.unverified);
        }
        text += &of_scripts(self.scripted);
        if self.broken > 0 {
            text += &format!(", {} link{} broken by it", self.broken, plural(self.broken));
        }
        text
    }
}
