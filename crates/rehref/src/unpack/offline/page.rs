//! The decisions about the links of a page, and its plan.

use std::collections::HashMap;

use crate::bytes::percent;
use crate::document::{Document, Links};
use crate::link::{Absoluteness, Form, LinkId, PRIVATE_URL, ParsedLink, Role, Target, uri_of};
use crate::rewrite::style::Style;
use crate::rewrite::{
    BaseElements, Decision, Mapper, OutputBases, Plan, Rule, SkipReason, only_maps_change, replace,
    untargeted, untouchable,
};
use crate::source::{Base, BaseFrom, CharsetFrom};
use crate::unpack::captures::{LocalPath, reference_between};
use crate::uri::{self, Resolver};

/// The name of the rule in records: the edits are those of a mirror.
const RULE: &str = Rule::Mirror.name();

/// The bytes of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum OfflineBytes {
    /// Those of the document: nothing changes.
    #[default]
    Same,
    /// New ones.
    New(Vec<u8>),
    /// New ones, which [`OfflineContent::write_long`](super::OfflineContent::write_long) writes:
    /// the document has too many links to hold its edits.
    Long,
    /// Those of the document, although its links should change: it has too many to hold their
    /// edits, which have to be proved, or the declaration of its encoding would not be found
    /// anymore.
    Unwritten,
}

/// The path and the fragment of the file of a URL. The first argument is the URL of a link. The
/// last one is true once for each link.
pub type FindFile<'f> =
    dyn FnMut(&str, &ParsedLink<'_>, bool) -> Option<(LocalPath, Option<String>)> + 'f;

/// The memory for a link and its edit, without their texts.
pub(super) const HELD_LINK: usize = 400;

/// The bytes of a document with a declaration of its encoding before the offset `end`. `None` if it
/// has one already.
fn declared(document: &Document, bytes: &[u8], end: usize) -> Option<Vec<u8>> {
    let encoding = document.charset().encoding();
    let (span, new) = (document.format()).declare_charset(&bytes[..end], encoding)?;
    Some([&bytes[..span.start], &new, &bytes[span.end..]].concat())
}

/// The decisions about the links of a document.
pub(super) struct OfflinePage<'p> {
    /// Its URL, without fragment.
    url: &'p str,
    /// The URL of its file.
    local: String,
    /// The reference to the file itself.
    self_reference: String,
    resolver: Resolver,
    is_stopped: &'p dyn Fn() -> bool,
    /// The references to files, in the order of the links.
    pub(super) references: Vec<LocalReference>,
    /// The URLs that references already have as relative paths, by those of the files.
    kept: HashMap<String, String>,
}

/// The reference of a link to its file from the file at `path`.
pub(super) fn reference_of(
    path: &LocalPath,
    link: &ParsedLink<'_>,
    file: Option<(LocalPath, Option<String>)>,
) -> Option<String> {
    let (file, fragment) = file?;
    let mut reference = reference_between(path, &file, fragment.as_deref());
    let is_in_json = link.place.markup().is_some_and(|it| it.form == Form::Json);
    // A bare name is not a module path (HTML standard, section 8.1.6.2).
    if is_in_json && !reference.starts_with("../") {
        reference.insert_str(0, "./");
    }
    Some(reference)
}

/// The reference to the file of a link.
pub(super) struct LocalReference {
    pub(super) link: LinkId,
    /// The number of the link in the document.
    pub(super) number: usize,
    pub(super) reference: String,
}

impl<'p> OfflinePage<'p> {
    /// Creates the decisions without a link.
    pub(super) fn empty(
        document: &'p Document,
        resolver: Resolver,
        path: &LocalPath,
        is_stopped: &'p dyn Fn() -> bool,
    ) -> Self {
        let url = document.base().map_or("", |base| &base.uri);
        Self {
            url: without_fragment(url),
            local: local_url(path),
            self_reference: reference_between(path, path, None),
            resolver,
            is_stopped,
            references: Vec::new(),
            kept: HashMap::new(),
        }
    }

    /// `None` if the run was stopped, an error if more than `max_held` bytes are needed: the number
    /// of links that `find` was called for.
    pub(super) fn new(
        links: &Links<'p>,
        path: &LocalPath,
        is_stopped: &'p dyn Fn() -> bool,
        (max_held, find): (usize, &mut FindFile<'_>),
    ) -> Option<Result<Self, usize>> {
        let (document, found) = (links.document(), links.found());
        let resolver = links.options().resolver;
        let mut page = Self::empty(document, resolver, path, is_stopped);
        let local = resolver.base(&page.local).ok();
        let mut targets = links.resolving().unchecked();
        let besides = found.integrity.len() + found.cors.len();
        let mut held = HELD_LINK / 2 * besides;
        for (number, link) in found.links.iter().enumerate() {
            if is_stopped() {
                return None;
            }
            // The edit has both, and so have the old and the new document.
            held += HELD_LINK + 2 * link.reference.len();
            if held > max_held {
                return Some(Err(number));
            }
            let Some(uri) = targets.target(link).uri else {
                continue;
            };
            if link.role == Role::Base {
                continue;
            }
            held += 2 * uri.len();
            let Some(reference) = reference_of(path, link, find(uri, link, true)) else {
                continue;
            };
            held += 3 * reference.len();
            if reference == link.reference && !found.base_elements.is_empty() {
                let local = uri_of(&resolver, local.as_ref(), &reference).unwrap_or_default();
                let (local, uri) = (without_fragment(&local), without_fragment(uri));
                page.kept.insert(local.to_owned(), uri.to_owned());
            }
            page.references.push(LocalReference { link: link.id(), number, reference });
        }
        Some(Ok(page))
    }

    /// The new bytes, the number of edits and that of links that scripts build. `None` if the run
    /// was stopped.
    pub(super) fn content(self, links: &Links<'p>) -> Option<(OfflineBytes, usize, usize)> {
        let (document, is_stopped) = (links.document(), self.is_stopped);
        let plan = Plan::new(links, &self);
        if is_stopped() {
            return None;
        }
        let (edits, scripted) = (plan.edits().len(), links.found().scripted);
        let mut reasons = plan.skip_reasons().iter();
        if reasons.any(|(_, why)| *why == SkipReason::Charset)
            && let Some(first) = links.found().links.first()
            && let Some(declared) = declared(document, document.bytes(), first.extent().start)
        {
            // With a declaration at the beginning, edits may move the one of the document.
            let declared = document.with_bytes(declared);
            let links = declared.links_with(links.options());
            let page = self.moved_to(&links);
            let plan = Plan::new(&links, &page);
            let bytes = OfflineBytes::New(plan.bytes().to_vec());
            return Some((bytes, plan.edits().len(), scripted));
        }
        let edited = plan.into_edited();
        let declared = match document.charset().from() {
            CharsetFrom::Header => {
                let bytes = edited.as_deref().unwrap_or(document.bytes());
                declared(document, bytes, bytes.len())
            }
            _ => None,
        };
        let bytes = declared.or(edited);
        let bytes = bytes.map_or(OfflineBytes::Same, OfflineBytes::New);
        Some((bytes, edits, scripted))
    }

    /// Returns the decisions for the same links at other places.
    fn moved_to(mut self, links: &Links<'_>) -> Self {
        let links = &links.found().links;
        for reference in &mut self.references {
            if let Some(link) = links.get(reference.number) {
                reference.link = link.id();
            }
        }
        self
    }

    /// The reference to the file of a link.
    fn reference(&self, link: &ParsedLink<'_>) -> Option<&str> {
        let id = link.id();
        let found = self.references.binary_search_by_key(&id, |it| it.link);
        Some(&self.references[found.ok()?].reference)
    }

    /// The reason why a link is left unchanged, for any target.
    fn stays(&self, document: &Document, link: &ParsedLink<'_>, uri: &str) -> Option<SkipReason> {
        if only_maps_change(document, link) {
            return Some(SkipReason::Text);
        }
        let is_own = without_fragment(uri) == self.url;
        match untouchable(document, link, self.resolver.profile) {
            // Under a BASE that is removed, an empty reference of a hyperlink has another target.
            Some(SkipReason::Empty) if link.role == Role::Navigate && !is_own => None,
            Some(why) => Some(why),
            None if is_own && link.reference.starts_with('#') => Some(SkipReason::SameDocument),
            None => None,
        }
    }
}

impl Mapper for OfflinePage<'_> {
    fn output_bases(&self, links: &Links<'_>) -> Option<OutputBases> {
        let base = Some(Base { uri: self.local.clone(), from: BaseFrom::Option });
        Some(OutputBases {
            retrieval: base.clone(),
            base,
            keeps_nested: false,
            elements: match links.found().base_elements.is_empty() {
                true => BaseElements::Keep,
                false => BaseElements::Strip,
            },
        })
    }

    fn map<'t>(
        &self,
        document: &Document,
        link: &ParsedLink<'_>,
        target: &Target<'t>,
        _: Option<&uri::Base>,
    ) -> Decision<'t> {
        if (self.is_stopped)() {
            return Decision::Skip(SkipReason::Unchanged);
        }
        if link.role == Role::Base {
            // References are written for the file, also within a nested base.
            let (reference, uri) = (self.self_reference.clone(), self.url.to_owned());
            return replace(link, reference.into(), uri.into(), RULE);
        }
        let Some(uri) = target.uri else {
            return Decision::Skip(untargeted(target));
        };
        if let Some(why) = self.stays(document, link, uri) {
            return Decision::Skip(why);
        }
        // The public URL of a page is not that of a file.
        let is_public = link.absoluteness == Absoluteness::Recommended;
        if let Some(reference) = self.reference(link).filter(|_| !is_public) {
            return replace(link, reference.to_owned().into(), uri.into(), RULE);
        }
        let is_absolute = Style::of(&link.reference, self.resolver.profile) == Style::Absolute
            && uri_of(&self.resolver, None, &link.reference).as_deref() == Some(uri);
        match is_absolute {
            true => Decision::Skip(SkipReason::Unchanged),
            false => replace(link, uri.into(), uri.into(), RULE),
        }
    }

    fn drops_integrity(&self, link: &ParsedLink<'_>, _: &Target<'_>) -> bool {
        self.reference(link).is_some()
    }

    fn drops_cors(&self, link: &ParsedLink<'_>, _: &Target<'_>) -> bool {
        self.reference(link).is_some()
    }

    fn public_url(&self, uri: String) -> String {
        let (local, fragment) = uri.split_at(without_fragment(&uri).len());
        match self.kept.get(local) {
            _ if local == self.local => self.url.to_owned() + fragment,
            Some(url) => url.clone() + fragment,
            None => uri,
        }
    }
}

fn without_fragment(uri: &str) -> &str {
    &uri[..uri.find('#').unwrap_or(uri.len())]
}

/// The private URL of a file.
fn local_url(path: &LocalPath) -> String {
    let mut url = PRIVATE_URL.to_owned();
    for (number, name) in path.as_str().split('/').enumerate() {
        if number > 0 {
            url.push('/');
        }
        percent::encode_path_segment(name.as_bytes(), &mut url);
    }
    url
}
