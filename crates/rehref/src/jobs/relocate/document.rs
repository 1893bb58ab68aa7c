//! Rewriting one file for a move, in a worker thread.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::broken::Trees;
use super::inner_roots::{InnerLinks, InnerRoots};
use super::larger::referred_above;
use super::options::{MoveOutcome, Relocate};
use super::renames::OldContent;
use super::requests::MadeMoves;
use super::since::origin_of_links;
use crate::bytes::{LineIndex, Span};
use crate::docs_site::MovedNames;
use crate::document::{Document, Links};
use crate::error::{Error, Warning};
use crate::format::Format;
use crate::fs::journal::{self, Root};
use crate::fs::{Content, Item, ReadOptions, path_of_bytes};
use crate::jobs::JobError;
use crate::jobs::edits::{
    CompressedCopies, EditEvent, EditTotals, MovedKind, Uneditable, count_scripted, is_script,
    report_breaks, report_skipped, verify,
};
use crate::jobs::names::joined;
use crate::jobs::redirects::AddedRedirects;
use crate::link::{LinkId, ParsedLink};
use crate::rewrite::{Edits, Mapper, OutputBases, Plan, SkipReason, changes_of};
use crate::rules::{DocumentRelocation, Relocation};
use crate::source::{Base, BaseFrom, Compression};

/// Rewrites the documents of a tree for its moves.
pub(super) struct Worker<'m> {
    pub(super) relocate: &'m Relocate,
    pub(super) relocation: Relocation<'m>,
    pub(super) trees: Trees<'m>,
    pub(super) inner_roots: InnerRoots,
    pub(super) named: OnceLock<MovedNames<'m>>,
    /// The redirects for existing files, by their paths after the moves.
    pub(super) added: AddedRedirects,
    /// The rest of moves that were made already. `None` if the run makes them.
    pub(super) made: Option<MadeMoves>,
    pub(super) copies: CompressedCopies,
    pub(super) root: Root,
}

/// The result of a file.
#[derive(Default)]
pub(super) struct Done {
    pub(super) edit: Option<journal::Edit>,
    pub(super) totals: EditTotals,
    /// The directory above the root to which it refers, if it moves.
    pub(super) referred_above: Option<PathBuf>,
    pub(super) inner_links: InnerLinks,
    /// True if the file could not be read or edited.
    pub(super) failed: bool,
}

pub(super) type Events<'e> = &'e mut dyn FnMut(EditEvent<'_>);

/// The paths of a document.
pub(super) struct Moving<'p> {
    /// The path before the moves.
    pub(super) path: &'p [u8],
    /// The path after them.
    pub(super) new_path: &'p [u8],
    /// The path now.
    pub(super) current_path: &'p Path,
}

/// The content of a file that changes.
#[derive(Clone, Copy)]
pub(super) struct Changed<'c> {
    /// The path before the moves.
    pub(super) path: &'c [u8],
    pub(super) bytes: &'c [u8],
    pub(super) is_utf16: bool,
    pub(super) edits: &'c Edits,
}

impl Worker<'_> {
    /// Returns the name of a path in events.
    pub(super) fn name(&self, path: &Path) -> PathBuf {
        joined(&self.relocate.root, path)
    }

    /// Rewrites a document.
    pub(super) fn document(
        &self,
        document: Document,
        moving: &Moving<'_>,
        done: &mut Done,
        event: Events<'_>,
    ) -> Result<(), Error> {
        let Moving { path, new_path, .. } = *moving;
        let document = document.with_base(Some(self.base_of(path)));
        let options = self.trees.before.layouts().options_of(path, &self.relocate.options);
        let links = document.links_with(&options);
        done.inner_links = self.inner_roots.count(&links, path, &self.trees);
        let plan = self.plan(&links, moving, done, event);
        done.totals.documents += 1;
        if is_script(&document) {
            let (name, kind) = (document.path(), Uneditable::Script);
            let links = self.trees.broken_imports(path, document.bytes());
            done.totals.broken += links;
            if links > 0 {
                event(EditEvent::BreaksUneditable { name, kind, links });
            }
        }
        let is_utf16 = document.charset().is_utf16();
        let is_unchanged = plan.is_empty() && !self.added.contains_key(new_path);
        self.moved(path, MovedKind::File { is_unchanged: is_unchanged || is_utf16 }, event);
        event(EditEvent::Document(&plan));
        let changed = Changed { path, bytes: document.bytes(), is_utf16, edits: plan.edits() };
        self.change(changed, done, event)?;
        if !plan.is_empty() {
            self.copies.report(&document, event);
            done.totals.changed += 1;
        }
        Ok(())
    }

    /// Plans the edits of a document, and reports and counts them. The path in `moving` may be that
    /// of a part of a package.
    pub(super) fn plan<'l>(
        &self,
        links: &'l Links<'l>,
        moving: &Moving<'_>,
        done: &mut Done,
        event: Events<'_>,
    ) -> Plan<'l> {
        let (document, path) = (links.document(), moving.path);
        if links.found().guessed {
            event(EditEvent::Warning(document.path(), None, Warning::Nesting));
        }
        done.totals.scripted += count_scripted(links);
        if self.relocate.reports_larger_tree && *moving.new_path != *path {
            let above = referred_above(links, self.trees.before, &self.root, moving.current_path);
            done.referred_above = done.referred_above.take().or(above);
        }
        // The value of a setting that names no file by the rules of its program may still name one.
        let names_file = |link: &&ParsedLink<'_>| match link.place.path_form() {
            Some(form) => self.trees.before.path_target(path, form, &link.reference).is_some(),
            None => true,
        };
        if document.package_part().is_none() {
            let spans = links.found().links.iter().filter(names_file).map(ParsedLink::extent);
            self.names(path, moving.current_path, document.bytes(), spans, event);
        }
        let mapper = self.mapper(path, links);
        let mut plan = Plan::new(links, &mapper);
        if self.relocate.verify && !verify(&mut plan, event) {
            done.totals.unverified += 1;
            done.failed = true;
        }
        if self.relocate.reports_skipped {
            // Other links keep their targets as they are: a move has no rule about them.
            let is_affected = |it| {
                !matches!(it, SkipReason::Unchanged | SkipReason::NoRule | SkipReason::Updated)
            };
            report_skipped(&plan, is_affected, event);
        }
        // These may name files that move.
        for &(_, reason) in plan.skip_reasons() {
            if matches!(
                reason,
                SkipReason::BarePage
                    | SkipReason::Exempt
                    | SkipReason::Filtered
                    | SkipReason::Template
                    | SkipReason::Unwritable
            ) {
                *done.totals.skipped.entry(reason).or_default() += 1;
            }
        }
        let mut breaks = self.trees.breaks(path, links, plan.edits(), plan.output_bases());
        breaks.retain(|&id| !links.found().link(id).is_some_and(|link| links.is_exempt(link)));
        if self.made.is_some() {
            let updated = self.count_updated(&plan, done);
            breaks.retain(|id| !updated.contains(id));
        }
        done.totals.broken += breaks.len();
        report_breaks(links, &breaks, event);
        done.totals.edits += plan.edits().len();
        plan
    }

    /// Reports a configuration file that names files which move, apart from the links in it.
    pub(super) fn names(
        &self,
        path: &[u8],
        current_path: &Path,
        bytes: &[u8],
        links: impl Iterator<Item = Span>,
        event: Events<'_>,
    ) {
        let Trees { before, moves, .. } = self.trees;
        let named =
            self.named.get_or_init(|| MovedNames::new(before.listing(), before.layouts(), moves));
        if let Some(found) = named.first_in(path, bytes, links) {
            event(EditEvent::Names {
                config: &self.name(current_path),
                position: LineIndex::new(bytes).position(found.offset),
                old: &self.name(&path_of_bytes(&found.path)),
                others: found.others,
            });
        }
    }

    /// Reports that a file moves, if it does.
    pub(super) fn moved(&self, path: &[u8], kind: MovedKind, event: Events<'_>) {
        let new = self.trees.moves.new_path(path);
        if *new == *path {
            return;
        }
        let (old, new) = (path_of_bytes(path), path_of_bytes(&new));
        let (old, new) = (&*self.name(&old), &*self.name(&new));
        let kind = if self.made.is_some() { MovedKind::Before } else { kind };
        event(EditEvent::Moved { old, new, kind });
    }

    /// Reports, or plans, the edits of a file and the redirects in it.
    pub(super) fn change(
        &self,
        changed: Changed<'_>,
        done: &mut Done,
        event: Events<'_>,
    ) -> Result<(), Error> {
        let Changed { path, bytes, is_utf16, edits } = changed;
        let new_path = self.trees.moves.new_path(path);
        let redirects = self.added.get(&*new_path);
        if edits.is_empty() && redirects.is_none() {
            return Ok(());
        }
        let current_path = self.current_path(path, &new_path);
        let name = self.name(&current_path);
        let mut added = (0, Vec::new());
        if let Some(redirects) = redirects {
            added = redirects.added_to(&name, bytes, is_utf16)?;
            for line in redirects.stale_lines(bytes) {
                event(EditEvent::StaleRedirect(&name, line));
            }
        }
        match self.relocate.outcome {
            MoveOutcome::Check => {}
            MoveOutcome::Apply => {
                let changes = changes_of(edits, (added.0, &added.1));
                let edit = journal::Edit::new(&self.root, &current_path, bytes, changes, None);
                done.edit = Some(edit.map_err(|error| error.about(&name))?);
            }
            MoveOutcome::DryRun => {
                event(EditEvent::Changed {
                    old: &name,
                    new: &self.name(&path_of_bytes(&new_path)),
                    content: bytes,
                    edits,
                    added: (added.0, &added.1),
                    moves: *new_path != *path && self.made.is_none(),
                    is_utf16,
                    is_part: false,
                });
                self.preview(&name, &current_path, event);
            }
        }
        Ok(())
    }

    /// Reports what a run that makes the moves would report of an edited file.
    pub(super) fn preview(&self, name: &Path, current_path: &Path, event: Events<'_>) {
        match journal::Edit::check(&self.root, current_path) {
            Ok(0) => {}
            Ok(links) => event(EditEvent::HardLinks(name, links)),
            Err(error) => {
                let error = JobError::File(error.about(name));
                event(EditEvent::WouldRefuse(&error));
            }
        }
    }

    /// Reports the number of links that break in a document that cannot be rewritten, since it is
    /// compressed or has binary content.
    pub(super) fn uneditable(
        &self,
        path: &[u8],
        current_path: &Path,
        bytes: &[u8],
        done: &mut Done,
        event: Events<'_>,
    ) -> Result<(), Error> {
        let by_name = Format::from_extension(current_path);
        let (kind, format) = match by_name {
            _ if Compression::of(bytes).is_some() => (Uneditable::Compressed, None),
            Some(format) if format.is_markup() => (Uneditable::Binary, by_name),
            _ => return Ok(()),
        };
        let inflating = ReadOptions {
            format,
            max_document: self.relocate.read.max_document,
            ..ReadOptions::default()
        };
        let file = self.name(current_path);
        let Content::Document(document) = inflating.read(&Item::Path(file))? else {
            return Ok(());
        };
        let document = document.with_base(Some(self.base_of(path)));
        let options = &self.relocate.options;
        let options = self.trees.before.layouts().options_of(path, options);
        let links = document.links_with(&options);
        let mapper = self.mapper(path, &links);
        // Its BASE element stays too.
        let with_element = |bases: OutputBases| {
            OutputBases::retrieved_from(bases.retrieval, links.found(), options.resolver)
        };
        let bases = mapper.output_bases(&links).map(with_element);
        let breaks = self.trees.breaks(path, &links, &Edits::default(), bases.as_ref());
        if !breaks.is_empty() {
            done.totals.broken += breaks.len();
            event(EditEvent::BreaksUneditable { name: document.path(), kind, links: breaks.len() });
        }
        Ok(())
    }

    /// Returns the path of a file now, from that before and after the moves.
    pub(super) fn current_path(&self, path: &[u8], new_path: &[u8]) -> PathBuf {
        path_of_bytes(match &self.made {
            Some(_) => new_path,
            None => path,
        })
    }

    /// Returns the mapper for a document at `path` before the moves.
    fn mapper(&self, path: &[u8], links: &Links<'_>) -> DocumentRelocation<'_> {
        let Some(made) = &self.made else {
            return self.relocation.of_document(path);
        };
        let new_path = self.trees.moves.new_path(path);
        let mapper = match made.taken.get(path) {
            Some(_) => self.relocation.of_document_from_elsewhere(path),
            None if *new_path == *path => return self.relocation.of_document(path),
            None => self.relocation.of_document(path),
        };
        let content = made.contents.get(path).unwrap_or(&OldContent::Unknown);
        let origin = origin_of_links(links, content, self.trees.after, &self.root, &new_path);
        mapper.with_origin(links, origin)
    }

    /// Returns the links that were updated since their document moved. Counts those for which that
    /// is uncertain.
    fn count_updated(&self, plan: &Plan<'_>, done: &mut Done) -> HashSet<LinkId> {
        let reasons = plan.skip_reasons().iter();
        let mut updated = HashSet::new();
        for &(link, reason) in reasons {
            match reason {
                SkipReason::Ambiguous => *done.totals.skipped.entry(reason).or_default() += 1,
                SkipReason::Updated => {}
                _ => continue,
            }
            updated.insert(link);
        }
        updated
    }

    /// Returns the URL of a document before the moves.
    pub(super) fn base_of(&self, path: &[u8]) -> Base {
        let taken = self.made.as_ref().and_then(|it| it.taken.get(path));
        Base {
            uri: self.trees.before.uri_of(taken.map_or(path, Vec::as_slice)),
            from: BaseFrom::Option,
        }
    }
}
