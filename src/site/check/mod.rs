//! Whether the links of a tree lead anywhere, told without a network and without reading more than its documents.
//!
//! A [`Checker`] knows the [`Site`]. It is shown every document once ([`Checker::survey`]) and keeps of each little
//! more than numbers; then it can tell of each whether something in it is broken ([`Checker::is_broken`]), and is
//! shown those again, to tell what ([`Checker::broken`]). Documents may be shown by several threads.
//!
//! ```
//! use rehref::site::check::{CheckOptions, Checker, Why};
//! use rehref::document::Document;
//! use rehref::site::{Listing, Site};
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
//! checker.broken(a, &page_a, |_| None, |it| broken.push((it.why, it.near)));
//! assert_eq!(broken, [(Why::Missing, Some("b.html".to_owned())), (Why::Anchor, None)]);
//! ```

mod fragment;
mod judged;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use self::fragment::{Anchors, Fragment};
use self::judged::{is_file_reference, is_unknown, names_no_anchor};
use crate::bytes::Position;
use crate::bytes::percent;
use crate::document::Document;
use crate::format::Format;
use crate::format::{FoundLinks, Options};
use crate::link::{LinkData, LinkResolver, MAX_BASE, Note, Target};
use crate::site::{Entry, Id, Located, Near, Site};

pub use fragment::AnchorNames;

/// How to judge links.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// How links are found and resolved. With [`Options::anchors`], fragments are judged too.
    pub find: Options,
    /// Whether a link to a folder needs a file that is shown for it.
    pub index: bool,
    /// Whether a link that leads to a file only where the case of names, or their normal form of Unicode, makes no
    /// difference has a cause of its own.
    pub case: bool,
    /// Whether such a link works: the file system makes no such difference.
    pub folds: bool,
    /// Whether a reference may not climb out of the tree, because nobody says what lies above it.
    pub confined: bool,
}

/// Why a link is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Why {
    /// There is nothing of that name.
    Missing,
    /// The file is there, but no element has the name that the fragment gives.
    Anchor,
    /// Only a file system to which case, or the normal form of Unicode, makes no difference finds it.
    Case,
    /// The folder is there, but no file that is shown for it.
    Index,
    /// It climbs out of the tree.
    Outside,
    /// It has no target: resolving it fails.
    Unresolvable,
}

impl Why {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Missing,
        Self::Anchor,
        Self::Case,
        Self::Index,
        Self::Outside,
        Self::Unresolvable,
    ];

    /// The name in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Anchor => "anchor",
            Self::Case => "case",
            Self::Index => "index",
            Self::Outside => "outside",
            Self::Unresolvable => "unresolvable",
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A link that leads nowhere.
#[derive(Clone, Debug)]
pub struct Broken<'b> {
    /// The link.
    pub link: &'b LinkData<'b>,
    /// Where it would lead.
    pub uri: Option<&'b str>,
    /// Why it does not.
    pub why: Why,
    /// The nearest there is, as a reference to write instead; never the empty one, nor the link's own.
    pub near: Option<String>,
}

/// What is kept of a document that was shown: a few numbers, and 24 bytes for each fragment of a file that had not
/// been shown by then.
#[derive(Clone, Debug)]
pub struct Survey {
    /// How many links it has.
    pub links: usize,
    /// How many of them lead into the tree, or should.
    pub local: usize,
    /// Where bytes are invalid in its charset, if somewhere.
    pub malformed: Option<Position>,
    /// Whether its tags were taken for what they look like ([`FoundLinks::guessed`]).
    pub guessed: bool,
    /// Whether its base is longer than [`MAX_BASE`], and so not used.
    pub base_is_too_long: bool,
    /// Whether one of them is known to be broken.
    broken: bool,
    /// The files and fragments that could not be judged yet.
    pending: Box<[(Id, Fragment)]>,
}

/// What there is to say about a link.
enum Verdict<'t> {
    /// It is not ours to judge: it leads elsewhere, or to no file.
    Aside,
    /// It leads to what is there: to this file, if it is one, and to that fragment of it.
    There(Option<Id>, Option<&'t str>),
    Broken(Why),
}

/// Judges the links of a tree.
#[derive(Debug)]
pub struct Checker<'s> {
    site: &'s Site,
    options: CheckOptions,
    /// The anchors of each file that was shown and has such, by its number.
    anchors: Vec<OnceLock<Anchors>>,
    /// Whether another document links to it.
    linked: Vec<AtomicBool>,
}

impl<'s> Checker<'s> {
    /// One that has not been shown any document.
    pub fn new(site: &'s Site, options: CheckOptions) -> Self {
        let count = site.listing().len();
        let anchors = std::iter::repeat_with(OnceLock::new);
        let linked = std::iter::repeat_with(AtomicBool::default);
        Self {
            site,
            options,
            anchors: anchors.take(count).collect(),
            linked: linked.take(count).collect(),
        }
    }

    /// Takes note of the document that this file is. Its base has to be the URI that the [`Site`] gives to where it
    /// lies. Linear in the document.
    pub fn survey(&self, file: Id, document: &Document) -> Survey {
        let findings = document.links_with(&self.options.find);
        if self.options.find.anchors && matches!(document.format, Format::Html | Format::Xml) {
            // Who comes to a file by another way finds the same.
            let _ = self.anchors[file.number()].set(Anchors::new(&findings.anchors));
        }
        let mut survey = Survey {
            links: findings.links.len(),
            local: 0,
            malformed: None,
            guessed: findings.guessed,
            base_is_too_long: findings
                .base
                .as_ref()
                .is_some_and(|it| it.uri.len() > MAX_BASE),
            broken: false,
            pending: Box::default(),
        };
        if let Some(offset) = findings.malformed {
            survey.malformed = Some(document.lines().position(offset));
        }
        let mut pending = Vec::new();
        let mut resolving = self.resolving(&findings, document);
        for link in &findings.links {
            let target = resolving.target(link);
            let (to, fragment) = match self.verdict(file, document, link, &target) {
                Verdict::Aside => continue,
                Verdict::There(to, fragment) => (to, fragment),
                Verdict::Broken(_) => {
                    survey.local += 1;
                    survey.broken = true;
                    continue;
                }
            };
            survey.local += 1;
            let Some(to) = to else { continue };
            if to != file {
                self.linked[to.number()].store(true, Ordering::Relaxed);
            }
            if let Some(fragment) = fragment.and_then(Fragment::new) {
                match self.anchors[to.number()].get() {
                    Some(anchors) => survey.broken |= !anchors.have(fragment),
                    None => pending.push((to, fragment)),
                }
            }
        }
        pending.sort_unstable();
        pending.dedup();
        survey.pending = pending.into();
        survey
    }

    /// Whether something in the document that this was noted of is broken, now that all were shown.
    pub fn is_broken(&self, survey: &Survey) -> bool {
        let leads = |&(to, fragment): &(Id, Fragment)| self.leads(to, fragment);
        survey.broken || !survey.pending.iter().all(leads)
    }

    /// Whether another document was shown that links to this file.
    pub fn is_linked(&self, file: Id) -> bool {
        self.linked[file.number()].load(Ordering::Relaxed)
    }

    /// Tells the broken links of a document, in order, now that all were shown. `names` gives the anchors of a file, of
    /// which the nearest is told; without them, it is not.
    pub fn broken(
        &self,
        file: Id,
        document: &Document,
        mut names: impl FnMut(Id) -> Option<Arc<AnchorNames>>,
        mut tell: impl FnMut(Broken<'_>),
    ) {
        let options = Options {
            anchors: false,
            ..self.options.find.clone()
        };
        let findings = document.links_with(&options);
        let mut resolving = self.resolving(&findings, document);
        for link in &findings.links {
            let target = resolving.target(link);
            let (why, near) = match self.verdict(file, document, link, &target) {
                Verdict::Broken(Why::Missing) => self.near(&target),
                Verdict::Broken(why) => (why, None),
                Verdict::There(Some(to), Some(fragment)) => {
                    if Fragment::new(fragment).is_none_or(|it| self.leads(to, it)) {
                        continue;
                    }
                    let names = names(to);
                    let near = names.as_ref().and_then(|names| names.near(fragment));
                    (
                        Why::Anchor,
                        near.map(|near| with_fragment(&link.reference, near)),
                    )
                }
                Verdict::There(..) | Verdict::Aside => continue,
            };
            // Advice to write nothing, or what stands there already, is none.
            let is_advice = |near: &String| !near.is_empty() && **near != *link.reference;
            tell(Broken {
                link,
                uri: target.uri,
                why,
                near: near.filter(is_advice),
            });
        }
    }

    fn resolving(&self, findings: &FoundLinks<'_>, document: &Document) -> LinkResolver {
        let resolving = findings.resolving(document, self.options.find.resolver);
        resolving.unchecked()
    }

    /// Whether a fragment of a file leads to an anchor of it; also where nothing is known about that.
    fn leads(&self, to: Id, fragment: Fragment) -> bool {
        let anchors = self.anchors[to.number()].get();
        anchors.is_none_or(|anchors| anchors.have(fragment))
    }

    /// What there is to say about a link of the document that `file` is, but whether its fragment leads anywhere.
    fn verdict<'t>(
        &self,
        file: Id,
        document: &Document,
        link: &'t LinkData<'_>,
        target: &Target<'t>,
    ) -> Verdict<'t> {
        if !is_file_reference(link) || is_unknown(document, link) {
            return Verdict::Aside;
        }
        let judges_fragments = self.options.find.anchors;
        let fragment = |uri: &'t str| {
            if !judges_fragments {
                return None;
            }
            let fragment = &uri[memchr::memchr(b'#', uri.as_bytes())? + 1..];
            (!names_no_anchor(link, fragment)).then_some(fragment)
        };
        let Some(uri) = target.uri else {
            if target.notes.contains(Note::Unresolvable) {
                return Verdict::Broken(Why::Unresolvable);
            }
            return match target.same_document {
                true => Verdict::There(Some(file), fragment(&link.reference)),
                false => Verdict::Aside,
            };
        };
        if !self.may_be_local(uri) {
            return Verdict::Aside;
        }
        let located = self.site.locate(uri);
        if located == Located::Outside {
            return Verdict::Aside;
        }
        let base = target.base.map(|(base, _)| base.as_str());
        if self.options.confined && self.site.is_above(&link.reference, base) {
            return Verdict::Broken(Why::Outside);
        }
        match located {
            Located::File(to) => Verdict::There(Some(to), fragment(uri)),
            Located::Folder { index: None, .. } if self.options.index => {
                Verdict::Broken(Why::Index)
            }
            Located::Folder { index, .. } => Verdict::There(index, fragment(uri)),
            Located::Missing => match self.folded(uri) {
                Some(to) if self.options.folds && !self.options.case => {
                    Verdict::There(Some(to), fragment(uri))
                }
                _ => Verdict::Broken(Why::Missing),
            },
            _ => Verdict::There(None, None),
        }
    }

    /// Whether a URI may be under the site's. To know that it is takes its normal form.
    fn may_be_local(&self, uri: &str) -> bool {
        let url = self.site.url();
        if uri.starts_with(url) {
            return true;
        }
        // Nobody spells a URL that nobody knows in another way.
        let scheme = url.find(':').map_or(url, |end| &url[..=end]);
        let begins = || {
            uri.get(..scheme.len())
                .is_some_and(|it| it.eq_ignore_ascii_case(scheme))
        };
        !self.options.confined && begins()
    }

    /// What is found at a URI under which nothing lies, if case and the normal forms of Unicode make no difference.
    fn folded(&self, uri: &str) -> Option<Id> {
        if !self.options.folds {
            return None;
        }
        let path = self.site.path_of(uri)?;
        match self.site.near(&path)? {
            Near::Folded(id) if is_other_spelling(self.site.listing().name(id), &path) => Some(id),
            _ => None,
        }
    }

    /// Why nothing is there, more exactly, and what is near.
    fn near(&self, target: &Target<'_>) -> (Why, Option<String>) {
        let Some((uri, path)) = target
            .uri
            .and_then(|uri| Some((uri, self.site.path_of(uri)?)))
        else {
            return (Why::Missing, None);
        };
        let Some(near) = self.site.near(&path) else {
            return (Why::Missing, None);
        };
        let name = self.site.listing().name(near.id());
        let is_folded = matches!(near, Near::Folded(_)) && is_other_spelling(name, &path);
        let why = match is_folded && self.options.case {
            true => Why::Case,
            false => Why::Missing,
        };
        let mut to = self.site.uri_of(name);
        let is_folder = self.site.listing().entry(near.id()) == Entry::Folder;
        if is_folder && !name.is_empty() {
            to.push('/');
        }
        to.push_str(&uri[uri.find(['?', '#']).unwrap_or(uri.len())..]);
        let reference = target
            .base
            .and_then(|(base, _)| base.relative_path_reference(&to));
        (why, reference)
    }
}

/// Whether a path names what has this name but for its spelling: not that what it takes for a folder is a file.
fn is_other_spelling(name: &[u8], path: &[u8]) -> bool {
    path.strip_suffix(b"/").unwrap_or(path) != name
}

/// A reference that leads to the anchor of this name where `reference` leads to another of the same file.
fn with_fragment(reference: &str, name: &str) -> String {
    let end = reference.find('#').unwrap_or(reference.len());
    let mut out = format!("{}#", &reference[..end]);
    percent::encode_path_segment(name.as_bytes(), &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::Listing;

    #[test]
    fn what_is_near_is_something_else_to_write() {
        let listing = Listing::of_files(["a.html", "b.html"]);
        let site = Site::new("http://h/", listing, Vec::new());
        let checker = Checker::new(&site, CheckOptions::default());
        let page = "<a href=a.html/>1</a><a href=b.html/>2</a><a href=bb.html>3</a>";
        let page = Document::new("a.html", page.into()).retrieved_from(site.uri_of(b"a.html"));
        let file = site.listing().id(b"a.html").unwrap();
        let mut near = Vec::new();
        checker.broken(file, &page, |_| None, |it| near.push(it.near));
        let b = Some("b.html".to_owned());
        assert_eq!(near, [None, b.clone(), b]);
    }
}
