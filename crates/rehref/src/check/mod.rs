//! Broken links of a tree, found without a network and without reading files other than its
//! documents.
//!
//! To check a directory, use the job [`Check`](crate::jobs::Check).
//! It reports each [`Broken`] link with its [`BrokenReason`].
//!
//! # Inside
//!
//! First pass each document of the site to `Checker::survey`, which keeps little more than numbers.
//! Then `Checker::is_broken` returns whether a document has broken links, and `Checker::broken`
//! returns them, given the document again. Several threads may do this.
//!
//! ```
//! use rehref::check::{CheckOptions, Checker, BrokenReason, Finding};
//! use rehref::document::Document;
//! use rehref::listing::Listing;
//! use rehref::site::Site;
//!
//! let site = Site::new("http://h/", Listing::of_files(["a.html", "b.html"]), vec![]);
//! let mut options = CheckOptions::default();
//! options.find.anchors = true;
//! let checker = Checker::new(&site, options);
//!
//! let read = |name: &str, html: &str| {
//!     let file = site.listing().id(name.as_bytes()).unwrap();
//!     let page = Document::new(name, html.into()).retrieved_from(site.uri_of(name.as_bytes()));
//!     (file, page)
//! };
//! let (a, page_a) = read("a.html", "<a href=B.html>B</a> <a href=b.html#instal>b</a>");
//! let (b, page_b) = read("b.html", "<h2 id=install>Install</h2> <a href=a.html>a</a>");
//! let of_a = checker.survey(a, &page_a);
//! let of_b = checker.survey(b, &page_b);
//! assert!(checker.is_broken(&of_a) && !checker.is_broken(&of_b));
//!
//! let mut broken = Vec::new();
//! checker.broken(a, &of_a, &page_a, |_| None, |it| match it {
//!     Finding::Broken(it) => broken.push((it.why, it.near)),
//!     Finding::Unknown(_) => {}
//! });
//! assert_eq!(broken, [(BrokenReason::Missing, Some("b.html".to_owned())), (BrokenReason::Anchor, None)]);
//! ```
//!
//! - **A listing has all files** of the tree, also those that are not read. This module accesses no
//!   file, so the library can check a tree before and after a change.
//! - **Each document is read once, and those with broken links twice.** The survey checks links
//!   that need no other document. It keeps 8 bytes for each anchor, 24 bytes for each fragment of a
//!   document not surveyed yet, 4 bytes for each link that may be broken, and no page. After all
//!   surveys, the same code checks these links of the documents with broken ones again and reports
//!   them, so the report does not depend on the order of work.
//! - **A tree without a URL gets a private one**, under `.invalid`. With a URL, a link out of the
//!   tree is to another site and not checked.
//! - **Files that are not in the listing are looked up** by a function of the caller (`presence`):
//!   files above the root of a tree without a URL, and files in directories that were not listed.
//!   Without the function, they are broken.
//! - **A fragment is compared as written, then percent-decoded** (`fragment`), as in the HTML
//!   standard. Only HTML and XML documents that were read have anchors; in other files every
//!   fragment is valid.
//! - **Suggestions** are computed for broken links only: names by `site`, anchors from the target,
//!   which is read again unless they are cached. In a large directory a name is compared with its
//!   neighbors in the order of names and of reversed names (`site/near`), so each look-up is
//!   bounded.

mod finding;
mod fragment;
mod inclusion;
mod judged;
mod options;
mod presence;
mod reason;
mod spelling;
mod survey;
mod target_names;
#[cfg(test)]
mod tests;
mod verdict;

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use self::fragment::{Anchors, Fragment, decoded, parts, with_fragment};
use self::inclusion::{Inclusions, includes};
use self::judged::{Verdict, anchor_named, format_of};
use self::spelling::near;
use self::target_names::TargetNames;
use self::verdict::Judge;
use crate::document::{Document, Links};
use crate::format::{Format, Options};
use crate::link::{ParsedLink, Target};
use crate::listing::Id;
use crate::site::Site;
use crate::source::{PackagePart, PartBase};

pub use self::finding::Broken;
pub use self::reason::BrokenReason;

pub use self::{
    finding::Finding, fragment::AnchorNames, options::CheckOptions, presence::Look, survey::Survey,
};

/// Checks the links of a tree.
pub struct Checker<'s> {
    judge: Judge<'s>,
    /// The anchors of each surveyed file that has any, by its number.
    anchors: Vec<OnceLock<Anchors>>,
    /// For each file, true if another document links to it.
    linked: Vec<AtomicBool>,
    inclusions: Inclusions,
}

impl<'s> Checker<'s> {
    /// A checker without surveyed documents.
    pub fn new(site: &'s Site, options: CheckOptions) -> Self {
        let count = site.listing().len();
        let anchors = std::iter::repeat_with(OnceLock::new);
        let linked = std::iter::repeat_with(AtomicBool::default);
        Self {
            judge: Judge { site, options, look: None },
            anchors: anchors.take(count).collect(),
            linked: linked.take(count).collect(),
            inclusions: Inclusions::default(),
        }
    }

    /// Sets the function that looks up files that are not in the listing.
    pub fn with_look(self, look: &'s Look<'s>) -> Self {
        let judge = Judge { look: Some(look), ..self.judge };
        Self { judge, ..self }
    }

    /// Surveys the document of a file. Its base must be the URI that the [`Site`] gives to its
    /// path. Linear in the document.
    pub fn survey(&self, file: Id, document: &Document) -> Survey {
        let links = document.links_with(&self.options_of(file));
        let parsed_links = links.found();
        if self.judge.options.find.anchors {
            self.set_anchors(file, &links);
        }
        let mut survey = Survey::of(document, parsed_links);
        let (mut pending, mut suspects, mut parts_of_page) = (Vec::new(), Vec::new(), Vec::new());
        let mut resolving = links.resolving().unchecked();
        // A document has fewer links than bytes, at most 2^30.
        for (number, link) in (0_u32..).zip(&parsed_links.links) {
            let target = resolving.target(link);
            let verdict = self.verdict(file, document, link, &target);
            match verdict {
                Verdict::Unchecked => continue,
                Verdict::Rootless => {
                    survey.rootless += 1;
                    continue;
                }
                Verdict::Template => {
                    survey.templates += 1;
                    continue;
                }
                Verdict::Generated => {
                    survey.generated += 1;
                    continue;
                }
                Verdict::Exists(Some(to), _) if to != file => {
                    let linked = &self.linked[to.number()];
                    // Threads share the memory, and a file has many links.
                    if !linked.load(Ordering::Relaxed) {
                        linked.store(true, Ordering::Relaxed);
                    }
                    if includes(link)
                        && format_of(self.judge.site, to).is_some_and(Format::has_anchors)
                    {
                        parts_of_page.push(to);
                    }
                }
                _ => {}
            }
            if links.is_exempt(link) {
                survey.exempt += 1;
                continue;
            }
            if self.is_excluded(link, &target) {
                survey.excluded += 1;
                continue;
            }
            survey.local += 1;
            if link.place.is_unused_definition() {
                survey.unused += usize::from(matches!(verdict, Verdict::Broken(_)));
                continue;
            }
            let Verdict::Exists(to, fragment) = verdict else {
                survey.broken = true;
                suspects.push(number);
                continue;
            };
            let Some(to) = to else { continue };
            survey.fragments += usize::from(self.leaves_fragment(file, document, link, to));
            let mut is_suspect = false;
            for (_, part) in fragment.into_iter().flat_map(|it| parts(it, self.judge.slugs_of(to)))
            {
                match self.anchors[to.number()].get() {
                    Some(anchors) if anchors.contains(part) => continue,
                    // Another document may include the file, or be included in it.
                    _ => pending.push((to, part)),
                }
                is_suspect = true;
            }
            if is_suspect {
                suspects.push(number);
            }
        }
        self.inclusions.add(file, parts_of_page);
        survey.with(suspects, pending)
    }

    /// Returns true if the fragment of a link to a file would be checked if anchors were collected,
    /// or if they were not computed.
    fn leaves_fragment(
        &self,
        file: Id,
        document: &Document,
        link: &ParsedLink<'_>,
        to: Id,
    ) -> bool {
        if self.judge.options.find.anchors && !self.judge.has_computed_ids(to) {
            return false;
        }
        let format = match to == file {
            true => Some(document.format()),
            false => format_of(self.judge.site, to),
        };
        anchor_named(link, self.judge.slugs_of(to)).is_some_and(|fragment| {
            format.is_some_and(Format::has_anchors)
                && self.judge.site.may_name_heading(file, link, fragment)
        })
    }

    /// The options for the links of a file.
    pub fn options_of(&self, file: Id) -> Cow<'_, Options> {
        let (layouts, name) = (self.judge.site.layouts(), self.judge.site.listing().name(file));
        let mut options = layouts.options_of(name, &self.judge.options.find);
        if self.judge.options.slugs_of_site && !layouts.is_empty() {
            options.to_mut().markdown.slugs = layouts.slugs_of(name);
        }
        options
    }

    /// The files that links of surveyed documents refer to with a fragment, if their anchors are
    /// unknown.
    pub fn without_anchors(&self, survey: &Survey) -> impl Iterator<Item = Id> {
        let files = survey.pending.iter().map(|(file, _)| *file);
        files.filter(|file| self.anchors[file.number()].get().is_none())
    }

    /// Adds the anchors of a file that is not surveyed. Call it before the first result.
    pub fn add_anchors(&self, file: Id, document: &Document) {
        self.set_anchors(file, &document.links_with(&self.options_of(file)));
    }

    fn set_anchors(&self, file: Id, links: &Links<'_>) {
        // Those of a part are not those of its package.
        let is_of_file = |it: &PackagePart| it.base == PartBase::Package;
        let document = links.document();
        if document.format().has_anchors() && !document.package_part().is_some_and(is_of_file) {
            let anchors = Anchors::new(&links.found().anchors, self.judge.slugs_of(file));
            // Another path to the same file gives the same anchors.
            let _ = self.anchors[file.number()].set(anchors);
        }
    }

    fn is_excluded(&self, link: &ParsedLink<'_>, target: &Target<'_>) -> bool {
        let uri = target.uri.filter(|_| !self.judge.options.confined);
        !self.judge.options.filter.passes(link, &Target { uri, ..*target })
    }

    /// Returns true if a surveyed document has links to report. Call it after all documents were
    /// surveyed.
    pub fn is_broken(&self, survey: &Survey) -> bool {
        survey.broken || !survey.pending.iter().all(|it| self.has_anchor(it.0, it.1, false))
    }

    /// Returns true if the configuration of its site excludes a file, and no page includes it. Call
    /// it after all documents were surveyed.
    pub fn is_unused(&self, file: Id) -> bool {
        let (listing, layouts) = (self.judge.site.listing(), self.judge.site.layouts());
        let is_excluded = |file| layouts.excludes(listing.name(file));
        is_excluded(file) && !self.inclusions.is_included(file, |page| !is_excluded(page))
    }

    /// Returns true if another surveyed document links to this file.
    pub fn is_linked(&self, file: Id) -> bool {
        self.linked[file.number()].load(Ordering::Relaxed)
    }

    /// Passes the links of a surveyed document that are broken, or whose target could not be looked
    /// up, to `report`, in order. Call it after all documents were surveyed. `names` returns the
    /// anchors of a file, for suggestions. Without `names`, no anchors are suggested.
    pub fn broken(
        &self,
        file: Id,
        survey: &Survey,
        document: &Document,
        mut names: impl FnMut(Id) -> Option<Arc<AnchorNames>>,
        mut report: impl FnMut(Finding<'_>),
    ) {
        let options = Options { anchors: false, ..self.options_of(file).into_owned() };
        let links = document.links_with(&options);
        let mut resolving = links.resolving().unchecked();
        let mut suspects = survey.suspects.iter().copied().peekable();
        let names_of_targets = TargetNames { site: self.judge.site, options: &self.judge.options };
        // All links are checked if their number has changed.
        let is_surveyed = links.len() == survey.links;
        for (number, found) in (0..).zip(&links) {
            if is_surveyed && suspects.next_if_eq(&number).is_none() {
                continue;
            }
            let link = found.data();
            if link.place.is_unused_definition() {
                continue;
            }
            let target = resolving.target(link);
            let is_excluded = || links.is_exempt(link) || self.is_excluded(link, &target);
            let mut name = names_of_targets.of_link(link, &target);
            let (why, near) = match self.verdict(file, document, link, &target) {
                // A file that the program rejects is not misspelled.
                Verdict::Broken(BrokenReason::Missing)
                    if link.place.path_form().is_none() && !self.judge.site.rejects(file, link) =>
                {
                    let (why, near) =
                        near(self.judge.site, &self.judge.options, &link.reference, &target);
                    (why, near.map(|(near, uri)| (near, names_of_targets.of_uri(&uri))))
                }
                Verdict::Broken(why) => (why, None),
                Verdict::Exists(Some(to), Some(fragment)) => {
                    let mut parts = parts(fragment, self.judge.slugs_of(to));
                    let is_same = to == file;
                    let Some((part, _)) = parts.find(|it| !self.has_anchor(to, it.1, is_same))
                    else {
                        continue;
                    };
                    let names = names(to);
                    let near = names.as_ref().and_then(|names| names.near(part));
                    let is_encoded = link.place.path_form().is_none();
                    let of_file = names_of_targets
                        .of_uri(&self.judge.site.uri_of(self.judge.site.listing().name(to)));
                    let anchor = match is_encoded {
                        true => decoded(fragment),
                        false => fragment.into(),
                    };
                    name = names_of_targets.of_anchor(&of_file, &anchor);
                    let near = near.map(|near| {
                        let name = names_of_targets.of_anchor(&of_file, near);
                        (with_fragment(&link.reference, near, is_encoded), name)
                    });
                    (BrokenReason::Anchor, near)
                }
                Verdict::Unknown if !is_excluded() => {
                    report(Finding::Unknown(found));
                    continue;
                }
                Verdict::Exists(..)
                | Verdict::Unchecked
                | Verdict::Unknown
                | Verdict::Rootless
                | Verdict::Template
                | Verdict::Generated => continue,
            };
            if is_excluded() {
                continue;
            }
            // A suggestion must not be empty or the same reference.
            let is_useful =
                |(near, _): &(String, String)| !near.is_empty() && **near != *link.reference;
            let (near, near_target) = near.filter(is_useful).unzip();
            report(Finding::Broken(Broken {
                link: found,
                url: target.uri.filter(|_| !self.judge.options.confined),
                why,
                near,
                target: name,
                near_target,
            }));
        }
    }

    /// Returns true if a fragment refers to an anchor of a file or of its parts, or if the anchors
    /// are unknown. With `with_pages`, those of the pages that include the file count, too.
    fn has_anchor(&self, to: Id, fragment: Fragment, with_pages: bool) -> bool {
        let has = |file| self.has_own_anchor(file, fragment);
        has(to) || self.inclusions.any(to, with_pages, has)
    }

    /// Returns true if a fragment refers to an anchor of a file, or if its anchors are unknown.
    fn has_own_anchor(&self, file: Id, fragment: Fragment) -> bool {
        self.anchors[file.number()].get().is_none_or(|it| it.contains(fragment))
    }

    /// Checks a link of the document `file`, except its fragment.
    fn verdict<'t>(
        &self,
        file: Id,
        document: &Document,
        link: &'t ParsedLink<'_>,
        target: &Target<'t>,
    ) -> Verdict<'t> {
        match self.judge.verdict(file, document, link, target) {
            // A label of another document, if not an anchor of this one.
            Verdict::Exists(Some(to), Some(fragment))
                if to == file
                    && self.judge.may_be_label(file, link)
                    && !parts(fragment, self.judge.slugs_of(to))
                        .all(|it| self.has_own_anchor(to, it.1)) =>
            {
                Verdict::Generated
            }
            verdict => verdict,
        }
    }
}
