//! The judgement of one link, except its fragment.

use std::path::Path;

use super::judged::{
    Verdict, is_file_reference, is_unknown, leaves_book, looked_up, names_no_anchor,
};
use super::options::CheckOptions;
use super::presence::{Look, is_root_relative, path_above};
use super::reason::BrokenReason;
use super::spelling::folded;
use crate::docs_site::PageLookup;
use crate::document::Document;
use crate::format::Format;
use crate::format::markdown::Slugs;
use crate::link::{MarkdownForm, Note, ParsedLink, Target};
use crate::listing::{Entry, Id};
use crate::rewrite::{has_template, is_template};
use crate::site::{Located, Site, served_page};

/// Looks up the targets of links.
pub(super) struct Judge<'s> {
    pub(super) site: &'s Site,
    pub(super) options: CheckOptions,
    pub(super) look: Option<&'s Look<'s>>,
}

impl Judge<'_> {
    /// Checks a link of the document `file`, except its fragment.
    pub(super) fn verdict<'t>(
        &self,
        file: Id,
        document: &Document,
        link: &'t ParsedLink<'_>,
        target: &Target<'t>,
    ) -> Verdict<'t> {
        // The rest of a composed one is unknown, and nothing in the document has an unreferenced one.
        let notes = [Note::Defanged, Note::Composed, Note::Unreferenced];
        let is_unchecked = notes.iter().any(|it| link.notes.contains(*it));
        if is_unchecked || !is_file_reference(link) || is_unknown(document, link) {
            return Verdict::Unchecked;
        }
        if let Some(form) = link.place.path_form() {
            return self.path_verdict(file, form, link);
        }
        if leaves_book(document, link, target) {
            return Verdict::Broken(BrokenReason::Outside);
        }
        let plain = self.plain_verdict(file, link, target);
        let verdict = match self.site.layouts().is_empty() {
            true => plain,
            false => self.page_verdict(file, link, target, plain),
        };
        let is_of_pages = || self.site.is_of_pages(file, link);
        match verdict {
            Verdict::Broken(_) | Verdict::Generated
                if has_template(document, link, target) || is_of_pages() =>
            {
                Verdict::Template
            }
            Verdict::Exists(_, Some(it)) if is_template(it) || is_of_pages() => Verdict::Template,
            Verdict::Exists(to, Some(fragment))
                if !self.site.may_name_heading(file, link, fragment)
                    || to.is_some_and(|to| self.has_computed_ids(to)) =>
            {
                Verdict::Exists(to, None)
            }
            Verdict::Exists(to, None) if self.options.find.anchors => {
                let name = self.site.listing().name(file);
                Verdict::Exists(to, self.site.layouts().id_in_query(name, &link.reference))
            }
            verdict => verdict,
        }
    }

    /// Checks a link whose text is the name of a file. A heading or block may follow a `#`.
    fn path_verdict<'t>(
        &self,
        file: Id,
        form: MarkdownForm,
        link: &'t ParsedLink<'_>,
    ) -> Verdict<'t> {
        let name = self.site.listing().name(file);
        let reference = &*link.reference;
        let fragment = |to: Id| {
            let is_checked = match form {
                MarkdownForm::Directive(directive) => directive.has_fragment(),
                _ => self.slugs_of(to) == Slugs::Obsidian,
            };
            self.fragment(link, reference).filter(|_| is_checked)
        };
        match self.site.path_lookup(name, form, reference) {
            PageLookup::Found(found) => Verdict::Exists(Some(found.file), fragment(found.file)),
            PageLookup::Ambiguous => Verdict::Broken(BrokenReason::Ambiguous),
            PageLookup::Generated => Verdict::Generated,
            _ if reference.starts_with('#') => Verdict::Exists(Some(file), fragment(file)),
            _ if is_template(reference) => Verdict::Template,
            _ if reference.contains("://") => Verdict::Unchecked,
            // The path is above the tree.
            _ if Site::path_above(form, name, name, reference).is_some() => Verdict::Unchecked,
            _ => match self.site.path_outside(form, name, reference) {
                Some(_) if self.look.is_none() => Verdict::Unchecked,
                Some(path) => looked_up(self.look, (self.site, &self.options), &path),
                None => Verdict::Broken(BrokenReason::Missing),
            },
        }
    }

    /// The fragment of a reference or URI, if it is checked.
    fn fragment<'t>(&self, link: &ParsedLink<'_>, uri: &'t str) -> Option<&'t str> {
        if !self.options.find.anchors {
            return None;
        }
        let fragment = &uri[memchr::memchr(b'#', uri.as_bytes())? + 1..];
        (!names_no_anchor(link, fragment)).then_some(fragment)
    }

    /// Checks a link by the rules of the site of its document, after the plain look-up.
    fn page_verdict<'t>(
        &self,
        file: Id,
        link: &'t ParsedLink<'_>,
        target: &Target<'t>,
        plain: Verdict<'t>,
    ) -> Verdict<'t> {
        let is_from_root = self.site.local_reference(&link.reference).starts_with('/');
        let name = self.site.listing().name(file);
        let is_address = self.site.layouts().keeps_address(name, &link.reference);
        match plain {
            // A file that is named as written, or another site.
            Verdict::Exists(Some(_), _) if !is_from_root && !is_address => return plain,
            Verdict::Unchecked | Verdict::Broken(BrokenReason::Unresolvable) => return plain,
            _ => {}
        }
        let base = target.base.map(|(base, _)| base.as_str());
        match self.site.page_lookup(file, &link.reference, base) {
            PageLookup::Found(_) if self.site.rejects(file, link) => {
                Verdict::Broken(BrokenReason::Missing)
            }
            PageLookup::Found(found) => {
                Verdict::Exists(Some(found.file), self.fragment(link, &link.reference))
            }
            PageLookup::Outside(path) => {
                match looked_up(self.look, (self.site, &self.options), &path) {
                    Verdict::Broken(_) if matches!(plain, Verdict::Exists(..)) => plain,
                    found => found,
                }
            }
            // MyST accepts no directories.
            _ if matches!(plain, Verdict::Exists(None, _))
                && self.site.layouts().is_of_myst(name, link) =>
            {
                Verdict::Broken(BrokenReason::Index)
            }
            _ if matches!(plain, Verdict::Exists(..)) => plain,
            PageLookup::Generated => Verdict::Generated,
            PageLookup::Ambiguous | PageLookup::Missing => match self.may_be_label(file, link) {
                true => Verdict::Generated,
                false => match self.site.page_from_root(file, link, base) {
                    Some(page) => Verdict::Exists(Some(page), None),
                    None => plain,
                },
            },
        }
    }

    /// Checks a link whose path names a file.
    fn plain_verdict<'t>(
        &self,
        file: Id,
        link: &'t ParsedLink<'_>,
        target: &Target<'t>,
    ) -> Verdict<'t> {
        let fragment = |uri: &'t str| self.fragment(link, uri);
        let Some(uri) = target.uri else {
            if target.notes.contains(Note::Unresolvable) {
                return Verdict::Broken(BrokenReason::Unresolvable);
            }
            return match target.same_document {
                true => Verdict::Exists(Some(file), fragment(&link.reference)),
                false => Verdict::Unchecked,
            };
        };
        if !self.may_be_local(uri) {
            return Verdict::Unchecked;
        }
        let located = self.site.locate(uri);
        if located == Located::Outside {
            return Verdict::Unchecked;
        }
        let base = target.base.map(|(base, _)| base.as_str());
        if self.options.confined {
            if self.options.rootless && is_root_relative(&link.reference) {
                return Verdict::Rootless;
            }
            if self.site.is_above(&link.reference, base) {
                let looks = self.look.is_some() && !self.options.outside;
                return match looks {
                    true => looked_up(
                        self.look,
                        (self.site, &self.options),
                        &path_above(self.site, &link.reference, base),
                    ),
                    false => Verdict::Broken(BrokenReason::Outside),
                };
            }
        }
        let looked_up = || {
            looked_up(
                self.look,
                (self.site, &self.options),
                &self.site.path_of(uri).unwrap_or_default(),
            )
        };
        let page = || {
            let path = self.options.clean_urls.then(|| self.site.path_of(uri)).flatten()?;
            served_page(self.site, &path)
        };
        if let Located::Missing | Located::Directory { index: None, slash: false, .. } = located
            && let Some(page) = page()
        {
            return Verdict::Exists(Some(page), fragment(uri));
        }
        match located {
            Located::File(to) => Verdict::Exists(Some(to), fragment(uri)),
            Located::Directory { index: None, .. } if self.options.index => match looked_up() {
                Verdict::Unknown => Verdict::Unknown,
                Verdict::Exists(..) => Verdict::Exists(None, None),
                _ => Verdict::Broken(BrokenReason::Index),
            },
            Located::Directory { index, .. } => Verdict::Exists(index, fragment(uri)),
            Located::Missing => match folded(self.site, &self.options, uri) {
                Some(to) if !self.options.case => Verdict::Exists(Some(to), fragment(uri)),
                Some(_) => Verdict::Broken(BrokenReason::Missing),
                None if self.is_in_unlisted_package(file, uri) => Verdict::Unchecked,
                None => looked_up(),
            },
            Located::Elsewhere if self.look.is_some() => looked_up(),
            _ => Verdict::Exists(None, None),
        }
    }

    /// Returns true for a URI below that of a package whose parts are not in the listing, since the
    /// run does not check it.
    fn is_in_unlisted_package(&self, file: Id, uri: &str) -> bool {
        let path = self.site.path_of(uri).unwrap_or_default();
        let listing = self.site.listing();
        let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        slashes.map(|(at, _)| &path[..at]).any(|above| {
            let is_file = listing.id(above).is_some_and(|it| listing.entry(it) == Entry::File);
            let name = String::from_utf8_lossy(above);
            let rest = listing.name(file).strip_prefix(above);
            let is_own = rest.is_some_and(|it| it.starts_with(b"/"));
            is_file
                && !is_own
                && self.options.rootless
                && Format::from_extension(Path::new(&*name)).is_some_and(Format::is_package)
        })
    }

    /// Returns true if a URI may be under the URL of the site. Only its normal form decides that.
    fn may_be_local(&self, uri: &str) -> bool {
        let url = self.site.url();
        if uri.starts_with(url) {
            return true;
        }
        // The URL of a private tree has only one spelling.
        if self.options.confined {
            return false;
        }
        let scheme = url.find(':').map_or(url, |end| &url[..=end]);
        let beginning = uri.get(..scheme.len());
        beginning.is_some_and(|it| it.eq_ignore_ascii_case(scheme))
    }

    /// Returns true if a function derives the ids of a page, and `--slugs` names no rule for them.
    pub(super) fn has_computed_ids(&self, file: Id) -> bool {
        let layouts = self.site.layouts();
        self.options.slugs_of_site && layouts.has_computed_ids(self.site.listing().name(file))
    }

    /// The rule for the ids of headings of a file.
    pub(super) fn slugs_of(&self, file: Id) -> Slugs {
        let layouts = self.site.layouts();
        match self.options.slugs_of_site && !layouts.is_empty() {
            true => layouts.slugs_of(self.site.listing().name(file)),
            false => self.options.find.markdown.slugs,
        }
    }

    /// Returns true if a link of a document may refer to a label of another document.
    pub(super) fn may_be_label(&self, file: Id, link: &ParsedLink<'_>) -> bool {
        self.site.layouts().may_be_label(self.site.listing().name(file), link)
    }
}
