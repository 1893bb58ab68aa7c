//! Rewriting one file, in a worker thread.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::changes::{Changes, New};
use super::done::Done;
use super::in_place::Replacing;
use super::integrity::{HashedFiles, RemovingHashes};
use super::layout::Task;
use super::local_root::{in_local_root, is_missing, needs_root};
use super::options::Rewrite;
use super::served::as_served;
use super::sites::Sites;
use super::tally::{Tally, breaks, matches_again};
use crate::document::{Document, Links};
use crate::error::{Error, ErrorKind, Warning};
use crate::format::Options;
use crate::fs::journal::{Edit as FileEdit, Root};
use crate::fs::{Content, EntryKind, Item, NewTree};
use crate::jobs::JobError;
use crate::jobs::edits::{
    CompressedCopies, EditEvent, ShownRoot, count_scripted, report_breaks, report_skipped, verify,
};
use crate::jobs::input_sites::InputPlace;
use crate::mirror::MirrorPage;
use crate::mirror::{LocalNames, MirrorFile};
use crate::rewrite::{Plan, Rewritten, rewrite_in_one_pass, rewrite_into_content};
use crate::rules::DocumentRules;
use crate::site::Site;
use crate::source::{Base, BaseFrom};

/// The output for rewritten documents, with the state that writing needs.
pub(super) enum Output {
    /// Nothing.
    DryRun,
    /// The document is reported.
    Filter,
    /// Files are replaced.
    InPlace(Replacing),
    /// All files are written to another directory.
    NewTree(NewTree),
}

/// Rewrites documents.
pub(super) struct Worker<'r> {
    pub(super) rewrite: &'r Rewrite,
    /// The options for finding and resolving links.
    pub(super) options: Options,
    pub(super) output: Output,
    /// The tree in which links may break.
    pub(super) site: Option<Site>,
    pub(super) sites: Sites,
    pub(super) files: HashedFiles,
    pub(super) copies: CompressedCopies,
    /// The root of a run in place that would make the edits of a dry run.
    pub(super) preview: Option<(Root, ShownRoot)>,
    /// The paths with an error.
    pub(super) refused: Mutex<HashSet<PathBuf>>,
}

pub(super) type Events<'e> = &'e mut dyn FnMut(EditEvent<'_>);

impl Worker<'_> {
    pub(super) fn report(&self, error: &Error, event: Events<'_>) {
        if self.is_first_error_of(error.path()) {
            event(EditEvent::Error(error));
        }
    }

    /// Returns true for the first error of a path. A directory of a new tree that cannot be written
    /// has one for each of its files.
    pub(super) fn is_first_error_of(&self, path: &Path) -> bool {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        !matches!(self.output, Output::NewTree(_)) || refused.insert(path.to_owned())
    }

    pub(super) fn is_filter(&self) -> bool {
        matches!(self.output, Output::Filter)
    }

    /// Copies a file, which has this content, to the new tree if there is one.
    pub(super) fn copy_read(
        &self,
        task: &Task,
        bytes: &[u8],
        done: &mut Done,
    ) -> Result<(), Error> {
        if let (Output::NewTree(tree), Some(like), Some(below)) =
            (&self.output, &done.metadata, &task.below)
        {
            tree.copy_read(below, bytes, like)?;
            done.is_written = true;
        }
        Ok(())
    }

    /// Copies a file or symbolic link to the new tree if there is one.
    pub(super) fn copy(&self, task: &Task, done: &mut Done) -> Result<(), Error> {
        if let (Output::NewTree(tree), Some(from), Some(below)) =
            (&self.output, task.item.file(), &task.below)
        {
            match task.kind {
                EntryKind::Link => tree.copy_link(below, from)?,
                _ => tree.copy(below, from)?,
            }
            done.is_written = true;
        }
        Ok(())
    }

    /// Returns the root of the site of a document, if its URL is unknown and a rule needs one.
    pub(super) fn local_place(&self, has_base: bool, task: &Task) -> Option<InputPlace> {
        let is_needed = !has_base && needs_root(&self.rewrite.rules);
        is_needed.then(|| self.sites.place_of(task)).flatten()
    }

    /// Returns the file of the mirror that an item is.
    fn mirror_file(&self, item: &Item) -> Option<MirrorFile> {
        let mirror = self.rewrite.mirror.as_deref()?;
        let path = self.rewrite.mirror_root.as_ref()?.path_below(item)?;
        mirror.file_in_common(&crate::fs::bytes_of_path(&path))
    }

    /// Rewrites a document.
    pub(super) fn document(
        &self,
        document: Document,
        task: &Task,
        done: &mut Done,
        event: Events<'_>,
    ) -> Result<(), Error> {
        let rules = &self.rewrite.rules;
        let mut document = document;
        let mirror = self.rewrite.mirror.as_deref();
        let file = self.mirror_file(&task.item);
        let is_mirrored = file.is_some();
        let is_served = mirror.is_some_and(|it| it.names() != LocalNames::Raw);
        if file.is_some() && is_served && self.rewrite.inputs.read.format.is_none() {
            document = as_served(document);
        }
        let only_maps = document.format().is_rewritten_by_maps_only();
        if self.is_filter() && only_maps && !rules.map_urls() {
            event(EditEvent::TextWithoutRule);
        }
        let page = mirror.zip(file).map(|(mirror, file)| {
            MirrorPage::new(mirror, file, &document.links_with(&self.options))
        });
        if let Some(page) = &page {
            event(EditEvent::PageUrl(document.path(), page));
            document =
                document.with_base(Some(Base { uri: page.url.clone(), from: BaseFrom::Option }));
        }
        let place = self.local_place(document.base().is_some(), task);
        if let Some(place) = &place {
            document = in_local_root(document, place);
        }
        let local_root = place.as_ref().map(|it| &*it.root);
        let site = self.sites.of(&document, &task.item, place.as_ref());
        let options =
            &*self.sites.options_of(self.rewrite, &self.options, (&document, task), site.as_ref());
        let pages = self.sites.pages_of(&task.item, place.as_ref());
        let rules = DocumentRules::new(rules, mirror.zip(page)).in_site(site).in_tree(pages);
        if !self.needs_plan() {
            let files = (!self.is_filter()).then_some(&self.files);
            let mut tally = Tally::new(&document, &self.rewrite.rules, files, local_root);
            let mapper = RemovingHashes {
                rules: &rules,
                files: &self.files,
                name: document.path(),
                // Only hashes depend on it, and none are removed.
                has_base: false,
            };
            let new = self.one_pass(&document, options, &mapper, &mut tally);
            if let Some((numbers, new)) = new {
                done.totals.missing_in_root = tally.missing;
                done.hashes = tally.hashes;
                done.matches_again = tally.matches_again;
                return self.end_pass(document, &numbers, new, task, done, event);
            }
        }
        let links = document.links_with(options);
        let plan = self.plan(&links, &rules, local_root, done, event);
        done.totals.documents += 1;
        if !self.is_filter() {
            done.hashes = self.files.kept(&plan);
            if !plan.is_empty() {
                self.will_change(&document, done, event);
            }
        }
        if let Some(mirror) = mirror.filter(|it| it.guesses_names() && is_mirrored) {
            let urls = links.iter();
            let names = urls.filter_map(|link| mirror.other_names(link.url()?));
            for names in names {
                *done.totals.other_names.entry(names).or_default() += 1;
            }
        }
        if !plan.is_empty() {
            self.preview(document.path(), &task.item, event);
        }
        match &self.output {
            Output::InPlace(_) if plan.is_empty() => {}
            Output::InPlace(replacing) => match &replacing.root {
                Some((root, _)) => {
                    let edits = plan.edits().iter();
                    let changes = edits.map(|edit| (edit.span.range(), edit.new));
                    done.edit = Some(replacing.edit(
                        root,
                        (document.path(), document.bytes()),
                        changes,
                        None,
                    )?);
                }
                None => replacing.replace(document.path(), plan.bytes(), event)?,
            },
            _ => {
                let edited = (!plan.is_empty()).then(|| plan.bytes());
                self.write(&document, edited, task, done)?;
            }
        }
        // Documents that could not be written do not count.
        if !plan.is_empty() {
            done.totals.changed += 1;
        }
        if self.is_filter() {
            let edited = plan.into_edited();
            drop(links);
            event(EditEvent::Content(edited.unwrap_or_else(|| document.into_bytes())));
        }
        Ok(())
    }

    /// Plans the edits of a document, and reports and counts them.
    pub(super) fn plan<'l>(
        &self,
        links: &'l Links<'l>,
        rules: &DocumentRules<'_>,
        local_root: Option<&Path>,
        done: &mut Done,
        event: Events<'_>,
    ) -> Plan<'l> {
        let document = links.document();
        if links.found().guessed {
            event(EditEvent::Warning(document.path(), None, Warning::Nesting));
        }
        let mapper = RemovingHashes {
            rules,
            files: &self.files,
            name: document.path(),
            has_base: !links.found().base_elements.is_empty(),
        };
        let mut plan = Plan::new(links, &mapper);
        if self.rewrite.verify {
            let is_verified = verify(&mut plan, event);
            done.totals.unverified += usize::from(!is_verified);
        }
        done.totals.scripted += count_scripted(links);
        for &(_, reason) in plan.skip_reasons() {
            *done.totals.skipped.entry(reason).or_default() += 1;
        }
        if let Some(root) = local_root {
            let edits = plan.edits().iter();
            let edits = edits.filter_map(|edit| Some((links.found().link(edit.link)?, edit)));
            let missing = edits.filter(|(link, edit)| is_missing(link, edit, root));
            done.totals.missing_in_root += missing.count();
        }
        let breaks = breaks(self.site.as_ref(), &plan);
        done.totals.broken += breaks.len();
        report_breaks(links, &breaks, event);
        if self.rewrite.reports_skipped {
            report_skipped(&plan, |_| true, event);
        }
        if self.rewrite.reports_plans {
            event(EditEvent::Document(&plan));
        }
        done.totals.edits += plan.edits().len();
        let mut edits = plan.edits().iter();
        let again = edits.find(|edit| matches_again(&self.rewrite.rules, edit));
        done.matches_again =
            done.matches_again.take().or_else(|| again.map(|edit| edit.new_uri.to_owned()));
        plan
    }

    /// Returns true if the run reports, verifies or looks up links or edits.
    fn needs_plan(&self) -> bool {
        let rewrite = self.rewrite;
        rewrite.verify
            || rewrite.reports_skipped
            || rewrite.reports_plans
            || rewrite.mirror.is_some()
            || self.site.is_some()
    }

    /// Rewrites a document in one pass. `None` if it needs a plan.
    fn one_pass(
        &self,
        document: &Document,
        options: &Options,
        mapper: &RemovingHashes<'_>,
        tally: &mut Tally<'_>,
    ) -> Option<(Rewritten, New)> {
        if let Output::Filter | Output::InPlace(Replacing { root: None, .. }) = self.output {
            let mut out = Vec::new();
            let numbers = rewrite_into_content(document, options, mapper, tally, &mut out)?;
            return Some((numbers, New::Content(out)));
        }
        let mut changes = Changes::default();
        let numbers = rewrite_in_one_pass(document, options, mapper, tally, &mut changes)?;
        Some((numbers, New::Changes(changes)))
    }

    /// Writes a document that was rewritten in one pass.
    fn end_pass(
        &self,
        document: Document,
        numbers: &Rewritten,
        new: New,
        task: &Task,
        done: &mut Done,
        event: Events<'_>,
    ) -> Result<(), Error> {
        let edits = numbers.edits();
        done.totals.documents += 1;
        done.totals.scripted = numbers.scripted();
        done.totals.skipped = numbers.skipped();
        if edits == 0 {
            self.write(&document, None, task, done)?;
            if self.is_filter() {
                event(EditEvent::Content(document.into_bytes()));
            }
            return Ok(());
        }
        if !self.is_filter() {
            self.will_change(&document, done, event);
        }
        self.preview(document.path(), &task.item, event);
        match (&self.output, &new) {
            (Output::InPlace(replacing), New::Content(content)) => {
                replacing.replace(document.path(), content, event)?;
            }
            (Output::InPlace(replacing), New::Changes(changes)) => {
                if let Some((root, _)) = &replacing.root {
                    done.edit = Some(replacing.edit(
                        root,
                        (document.path(), document.bytes()),
                        changes.iter(),
                        None,
                    )?);
                }
            }
            (Output::NewTree(tree), New::Changes(changes)) => {
                if let (Some(below), Some(like)) = (&task.below, &done.metadata) {
                    let old = document.bytes();
                    let most = old.len() + changes.most_added();
                    tree.write_pieces(below, changes.pieces(old), most, like)?;
                    done.is_written = true;
                }
            }
            _ => {}
        }
        done.totals.changed += 1;
        done.totals.edits += edits;
        if let (true, New::Content(content)) = (self.is_filter(), new) {
            event(EditEvent::Content(content));
        }
        Ok(())
    }

    /// Reports the compressed copy of a document that changes, and keeps its name if it may have
    /// hashes.
    fn will_change(&self, document: &Document, done: &mut Done, event: Events<'_>) {
        self.copies.report(document, event);
        let is_page = document.format().is_page();
        done.changed = (!is_page).then(|| document.path().to_owned());
    }

    /// Writes a document to the new tree, if there is one. `edited` is its new content if it
    /// changes.
    fn write(
        &self,
        document: &Document,
        edited: Option<&[u8]>,
        task: &Task,
        done: &mut Done,
    ) -> Result<(), Error> {
        match (&self.output, &task.below, &done.metadata, edited) {
            (Output::NewTree(tree), Some(below), Some(like), Some(edited)) => {
                tree.write(below, edited, like)?;
                done.is_written = true;
                Ok(())
            }
            _ => self.copy_read(task, document.bytes(), done),
        }
    }

    /// Reports in a dry run what a run in place would report of an edited file.
    pub(super) fn preview(&self, name: &Path, item: &Item, event: Events<'_>) {
        let (Some((root, _)), Item::Path(path)) = (&self.preview, item) else {
            return;
        };
        let checked = std::path::absolute(path)
            .map_err(|error| Error::new(path, ErrorKind::Read(error)))
            .and_then(|path| FileEdit::check(root, &path));
        match checked {
            Ok(0) => {}
            Ok(links) => event(EditEvent::HardLinks(name, links)),
            Err(error) => {
                let error = JobError::File(error.about(name));
                event(EditEvent::WouldRefuse(&error));
            }
        }
    }

    /// Returns the real path of a file that the rules change. Errors are reported when the file is
    /// rewritten.
    pub(super) fn changing(&self, task: &Task) -> Option<PathBuf> {
        let rules = &self.rewrite.rules;
        let Ok(Content::Document(document)) = self.rewrite.inputs.read.read(&task.item) else {
            return None;
        };
        if !document.format().is_rewritable() {
            return None;
        }
        let place = self.local_place(document.base().is_some(), task);
        let document = match &place {
            Some(place) => in_local_root(document, place),
            None => document,
        };
        let site = self.sites.of(&document, &task.item, place.as_ref());
        let options =
            &*self.sites.options_of(self.rewrite, &self.options, (&document, task), site.as_ref());
        let links = document.links_with(options);
        let pages = self.sites.pages_of(&task.item, place.as_ref());
        let rules = DocumentRules::new(rules, None).in_site(site).in_tree(pages);
        let plan = Plan::new(&links, &rules);
        if plan.is_empty() {
            return None;
        }
        let is_verified = !self.rewrite.verify || plan.verify().is_ok();
        let file = task.item.file()?;
        is_verified.then(|| file.canonicalize().ok()).flatten()
    }
}
