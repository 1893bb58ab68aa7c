//! References to and from moved files.

mod bare_uri;
mod pages;
mod paths;

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use self::bare_uri::BareUri;
use self::pages::{MovedTree, PageLink};
use self::paths::{index_name, join, path_names};
use crate::bytes::percent;
use crate::document::{Document, Links};
use crate::link::{
    Absoluteness, LinkFilter, LinkId, MarkdownForm, Note, ParsedLink, Role, Target, is_private,
    uri_of,
};
use crate::listing::{Move, Moves};
use crate::rewrite::respell::{
    Before, above_root, leads_to_moved, moved_in_text, needless_climbs, renamed, respelled,
    with_spelling_of,
};
use crate::rewrite::style::{Style, readable};
use crate::rewrite::{Decision, Edit, Mapper, OutputBases, SkipReason};
use crate::rewrite::{has_template, has_template_base};
use crate::rewrite::{is_in_own_package, only_maps_change, replace, untargeted, untouchable};
use crate::site::{Located, Site};
use crate::source::{self, BaseFrom};
use crate::uri::{Base, Parts, Resolver};

/// Updates the references of a tree after moves: creates [`Mapper`]s for its documents.
///
/// A reference is rewritten, without changing its style, only if its target would change or if its
/// path needs fewer `..` than before. Queries and fragments are kept. A reference to a directory is
/// not changed to its index file.
#[derive(Clone, Copy, Debug)]
pub struct Relocation<'s> {
    before: &'s Site,
    after: &'s Site,
    moves: &'s Moves,
    resolver: Resolver,
    filter: &'s LinkFilter,
}

impl<'s> Relocation<'s> {
    /// Creates the relocation by `moves` from the tree `before` to the tree `after`.
    /// Only links that pass `filter` are updated.
    pub fn new(
        before: &'s Site,
        after: &'s Site,
        moves: &'s Moves,
        resolver: Resolver,
        filter: &'s LinkFilter,
    ) -> Self {
        Self { before, after, moves, resolver, filter }
    }

    /// Returns the mapper for the document whose old location is `path`, relative to the tree.
    pub fn of_document(self, path: &[u8]) -> DocumentRelocation<'s> {
        let new = self.moves.new_path(path);
        DocumentRelocation {
            relocation: self,
            path: path.to_vec(),
            moved: self.moves.moving(path),
            new_uri: matches!(new, Cow::Owned(_)).then(|| self.after.uri_of(&new)),
            origin: LinkOrigin::OldPath,
        }
    }

    /// Returns the mapper for a document that is at `path` before and after the moves, and whose
    /// links are those of another path, which another file has now.
    pub fn of_document_from_elsewhere(self, path: &[u8]) -> DocumentRelocation<'s> {
        DocumentRelocation {
            relocation: self,
            path: path.to_vec(),
            moved: None,
            new_uri: Some(self.after.uri_of(path)),
            origin: LinkOrigin::OldPath,
        }
    }

    fn tree(&self) -> MovedTree<'s> {
        MovedTree { before: self.before, after: self.after, moves: self.moves }
    }

    /// The move of the file or directory at `uri`.
    fn move_of(&self, uri: &str) -> Option<&Move> {
        let path = self.before.path_of(uri)?;
        self.moves.moving(path.strip_suffix(b"/").unwrap_or(&path))
    }

    /// Returns the URI of the file at `uri` after all moves. None if it does not move.
    ///
    /// Only changed names are rewritten. All other segments keep their spelling, including empty
    /// ones and those that cannot be file names because of an encoded `/` or NUL.
    ///
    /// # Errors
    /// [`Unmappable`] if the URI written that way would not name the file.
    pub fn new_uri(&self, uri: &str) -> Result<Option<String>, Unmappable> {
        let Some(path) = self.before.path_of(uri) else {
            return Ok(None);
        };
        let bare = path.strip_suffix(b"/").unwrap_or(&path);
        let index = index_name(self.before, &path);
        let file = index.map(|name| join(bare, name));
        let target = file.as_deref().unwrap_or(bare);
        let Some(moved) = self.moves.moving(target) else {
            return Ok(None);
        };
        // An index page keeps the name of its directory, unless it is no longer the index.
        let is_index_alone = moved.from.len() > bare.len();
        let new = match index {
            Some(name) if is_index_alone => match moved.to.strip_suffix(name) {
                Some(directory) if directory.is_empty() || directory.ends_with(b"/") => {
                    let directory = directory.strip_suffix(b"/").unwrap_or(directory);
                    self.spelled(uri, bare, directory, Tail::Keep)
                }
                _ => self.spelled(uri, bare, &moved.to, Tail::Drop),
            },
            _ => self.spelled(uri, &moved.from, &moved.to, Tail::Keep),
        };
        let leads_there = |new: &String| self.leads_to(new, &self.moves.new_path(target));
        match new.filter(leads_there) {
            Some(new) => Ok(Some(new)),
            None => Err(Unmappable),
        }
    }

    /// The new URI of a page that moves, for a URI that names it without its extension.
    fn bare_uri(&self, uri: &str) -> Option<BareUri> {
        let spelled = |from: &[u8], to: &[u8]| self.spelled(uri, from, to, Tail::Keep);
        BareUri::of(self.tree(), uri, spelled)
    }

    /// Returns true if a URI names the file or directory at this path in the new tree, directly or
    /// as the index of its directory.
    fn leads_to(&self, uri: &str, path: &[u8]) -> bool {
        let Some(named) = self.after.path_of(uri) else {
            return false;
        };
        let bare = named.strip_suffix(b"/").unwrap_or(&named);
        bare == path || index_name(self.after, &named).is_some_and(|name| join(bare, name) == path)
    }

    /// `uri` with the first names of its path in the tree replaced: `from` by `to`.
    fn spelled(&self, uri: &str, from: &[u8], to: &[u8], tail: Tail) -> Option<String> {
        let (root, rest) = self.before.divided(uri)?;
        let (mut ranges, mut old) = (Vec::new(), Vec::new());
        let mut start = 0;
        let mut segments = rest.split('/');
        let count = path_names(from).count();
        while old.len() < count {
            let segment = segments.next()?;
            let end = start + segment.len();
            if !segment.is_empty() {
                ranges.push(start..end);
                old.push(percent::decode(segment));
            }
            start = end + 1;
        }
        let end = ranges.last().map_or(0, |range| range.end);
        let new: Vec<&[u8]> = path_names(to).collect();
        let lead = old.iter().zip(&new);
        let lead = lead.take_while(|(old, new)| ***old == ***new).count();
        let trail = old[lead..].iter().rev().zip(new[lead..].iter().rev());
        let trail = trail.take_while(|(old, new)| ***old == ***new).count();

        let mut spelled = root.into_owned();
        let divide = |spelled: &mut String| {
            if !spelled.ends_with('/') {
                spelled.push('/');
            }
        };
        divide(&mut spelled);
        // Bytes before and between unchanged names stay too.
        let same = match new.len() > lead {
            true => ranges.get(lead).map_or(end, |range| range.start),
            false => lead.checked_sub(1).map_or(0, |last| ranges[last].end),
        };
        spelled.push_str(&rest[..same]);
        for name in &new[lead..new.len() - trail] {
            divide(&mut spelled);
            percent::encode_path_segment(name, &mut spelled);
        }
        if trail > 0 {
            divide(&mut spelled);
            spelled.push_str(&rest[ranges[ranges.len() - trail].start..end]);
        }
        if tail == Tail::Keep {
            // The directory of the tree already ends in a slash.
            spelled.push_str(match new.is_empty() {
                true => rest[end..].trim_start_matches('/'),
                false => &rest[end..],
            });
        }
        let suffix = uri.find(['?', '#']).map_or("", |at| &uri[at..]);
        Some(spelled + suffix)
    }
}

/// No URI of the file's new location is spelled like the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unmappable;

impl fmt::Display for Unmappable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the new path cannot be written into this URI")
    }
}

impl std::error::Error for Unmappable {}

/// The treatment of the segments after the renamed ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tail {
    Keep,
    Drop,
}

/// The path to which the relative references of a moved document belong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkOrigin {
    /// The old path: the references were not updated.
    OldPath,
    /// The new path for these links, which were changed since the move, and the old path for all
    /// others.
    Changed(HashSet<LinkId>),
    /// Unknown: the document was moved before, and may have been edited since. A reference stays if
    /// it has a target at the new path, or none at the old one.
    Unknown {
        /// The links that have a target above the root of the tree at the new path.
        above: HashSet<LinkId>,
    },
    /// The new path: its BASE element was updated.
    NewPath,
}

/// Updates the references of one document: see [`Relocation`].
#[derive(Clone, Debug)]
pub struct DocumentRelocation<'s> {
    relocation: Relocation<'s>,
    /// The old path of the document.
    path: Vec<u8>,
    /// The move of the document, if it moves.
    moved: Option<&'s Move>,
    /// The new location of the document, if it moves.
    new_uri: Option<String>,
    origin: LinkOrigin,
}

impl Mapper for DocumentRelocation<'_> {
    fn output_bases(&self, links: &Links<'_>) -> Option<OutputBases> {
        let parsed_links = links.found();
        let element = parsed_links.base.as_ref().filter(|base| base.from == BaseFrom::Element);
        let retrieval = self.new_retrieval(links);
        let resolver = self.relocation.resolver;
        let bases = OutputBases::retrieved_from(retrieval, parsed_links, resolver);
        let first = parsed_links.base_elements.first();
        let link = element.and(first).and_then(|it| parsed_links.link(it.link()));
        let Some(link) = link else {
            return self.new_uri.is_some().then_some(bases);
        };
        let bases = match self.decision_of_base(links, &bases, link) {
            Decision::Replace { reference, .. } => bases.with_element(&reference, resolver),
            Decision::Skip(_) => bases,
        };
        let is_as_before = self.new_uri.is_none() && bases.base == parsed_links.base;
        (!is_as_before).then_some(bases)
    }

    fn map<'t>(
        &self,
        document: &Document,
        link: &ParsedLink<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
    ) -> Decision<'t> {
        let refused = untouchable(document, link, self.relocation.resolver.profile)
            .filter(|why| !matches!(why, SkipReason::Base | SkipReason::Empty));
        if refused == Some(SkipReason::NotRewritten) {
            return Decision::Skip(SkipReason::NotRewritten);
        }
        if link.notes.contains(Note::Defanged) {
            return Decision::Skip(SkipReason::Unresolvable);
        }
        if !self.relocation.filter.passes(link, target) {
            return Decision::Skip(SkipReason::Filtered);
        }
        if let Some(form) = link.place.path_form() {
            let page = PageLink::of_path(self.relocation.tree(), &self.path, form, link);
            let Some(page) = page else {
                return self.path_above(form, link);
            };
            return match self.page_updated(link, &page) {
                Some(why) => Decision::Skip(why),
                None => page.decision(self.relocation.tree(), Edit::MOVE),
            };
        }
        let Some(uri) = target.uri else {
            return Decision::Skip(untargeted(target));
        };
        if link.is_own_address() {
            return Decision::Skip(SkipReason::NoRule);
        }
        if is_in_own_package(document, link, target) {
            return Decision::Skip(SkipReason::SameDocument);
        }
        let page_base = target.base.map(|(base, _)| base);
        let page = PageLink::new(self.relocation.tree(), &self.path, link, page_base, uri);
        let exists = || self.relocation.before.locate(uri).exists();
        if page.is_none() && self.is_template(document, link, target, uri) {
            return Decision::Skip(SkipReason::Template);
        }
        // Paths in the front matter may be relative to a directory that is unknown.
        if link.is_front_matter() && page.is_none() && !exists() {
            return Decision::Skip(SkipReason::NoRule);
        }
        if let Some(page) = page.filter(|_| link.role != Role::Base) {
            return match refused.or_else(|| self.page_updated(link, &page)) {
                Some(why) => Decision::Skip(why),
                None => page.decision(self.relocation.tree(), Edit::MOVE),
            };
        }
        let layouts = self.relocation.before.layouts();
        if layouts.may_be_label(&self.path, link) && !exists() {
            return Decision::Skip(SkipReason::NoRule);
        }
        let Ok(new) = self.relocation.new_uri(uri) else {
            return Decision::Skip(SkipReason::Unwritable);
        };
        let written = readable(&link.reference, self.relocation.resolver.profile);
        if let Some(why) = self.updated(link, target, base) {
            return Decision::Skip(why);
        }
        // Sites have other rules.
        let may_be_bare = new.is_none() && link.role != Role::Base && !layouts.govern(&self.path);
        let bare = may_be_bare.then(|| self.relocation.bare_uri(uri));
        let (new, bare_move) = match bare.flatten() {
            // Only readers of a page need servers that add extensions.
            Some(BareUri::Moved(new, moved)) if is_to_page(link) => (Some(new), Some(moved)),
            Some(BareUri::Moved(..) | BareUri::Unclear) => {
                return Decision::Skip(SkipReason::BarePage);
            }
            None => (new, None),
        };
        let style = Style::of(&written, self.relocation.resolver.profile);
        // A new URL for an old one is a map. A relative reference would need another form.
        if style != Style::Absolute
            && link.place.delimiter().is_none()
            && only_maps_change(document, link)
        {
            return Decision::Skip(SkipReason::Text);
        }
        // Files above the root do not move, but the document may move away from them. If the tree
        // has a URL, a reference that climbs above its root resolves by that URL (RFC 3986, section
        // 5.2.4).
        if let Some((old, _)) = target.base.filter(|_| link.place.delimiter().is_none())
            && style == Style::RelativePath
            && (new.is_none() || is_private(uri))
            && let Some(reference) = above_root(&written, old, base.unwrap_or(old))
        {
            return match refused {
                Some(why) if *reference != *written => Decision::Skip(why),
                _ if *reference == *written => Decision::Skip(SkipReason::Unchanged),
                _ => replace(link, reference.into(), uri.into(), Edit::MOVE),
            };
        }
        if let Some(cue) = link.place.delimiter() {
            return match new {
                Some(new) => moved_in_text(link, cue, new, Edit::MOVE),
                None => Decision::Skip(SkipReason::NoRule),
            };
        }
        let is_moved = new.is_some();
        let new: Cow<'t, str> = match new {
            Some(new) => new.into(),
            None if self.new_uri.is_none() && is_same(base, target.base.map(|(base, _)| base)) => {
                return Decision::Skip(SkipReason::NoRule);
            }
            None => uri.into(),
        };
        if style == Style::Absolute && !is_moved {
            return Decision::Skip(SkipReason::Unchanged);
        }
        // A reference that keeps its target is unchanged, unless its path now needs fewer `..`:
        // otherwise moving there and back would change bytes. If document and target move together,
        // the number does not change.
        let old =
            target.base.map(|(base, _)| Before { base, uri, root: self.relocation.before.url() });
        let climbs_as_before = |base: &Base| {
            let is_path = style == Style::RelativePath && !Parts::split(&written).path.is_empty();
            let before = old.map(|old| needless_climbs(&written, old.base, old.uri));
            !is_path || before == Some(needless_climbs(&written, base, &new))
        };
        let target_move = bare_move.as_ref().or_else(|| self.relocation.move_of(uri));
        let moves_along = self.moved.is_some() && self.moved == target_move;
        let stays = |base: &Base| match moves_along {
            true => self.names_the_same(base, &link.reference, &new),
            false => {
                leads_to_moved(base, &link.reference, &link.reference, &new)
                    && climbs_as_before(base)
            }
        };
        if base.is_some_and(stays) {
            return Decision::Skip(SkipReason::Unchanged);
        }
        if let Some(why) = refused {
            return Decision::Skip(why);
        }
        if link.role == Role::Base && link.place.markup().is_some_and(|it| it.element != "base") {
            return Decision::Skip(SkipReason::Base);
        }
        let renamed =
            || renamed(&written, target_move.map(|it| (&*it.from, &*it.to))?, base?, &new);
        let reference = renamed().unwrap_or_else(|| {
            let reference = respelled(link, old, base, &new);
            let reference = reference.unwrap_or_else(|| new.clone().into_owned());
            base.and_then(|base| with_spelling_of(&written, &reference, base, &new))
                .unwrap_or(reference)
        });
        let is_right = base.is_none_or(|base| leads_to_moved(base, &reference, &written, &new));
        if !is_right || is_private(&reference) {
            return Decision::Skip(SkipReason::Unwritable);
        }
        replace(link, reference.into(), new, Edit::MOVE)
    }
}

impl DocumentRelocation<'_> {
    /// Sets the path to which the relative references of a document belong that was moved before.
    #[must_use]
    pub fn with_origin(mut self, links: &Links<'_>, origin: LinkOrigin) -> Self {
        self.origin = origin;
        let (found, resolver) = (links.found(), self.relocation.resolver);
        let is_element = |base: &source::Base| base.from == BaseFrom::Element;
        let element = found.base_elements.first();
        let element = element.and_then(|it| found.link(it.link()));
        if let Some(link) = element.filter(|_| found.base.as_ref().is_some_and(is_element)) {
            let retrieval = self.new_retrieval(links);
            let bases = OutputBases::retrieved_from(retrieval, found, resolver);
            if let Decision::Skip(SkipReason::Updated | SkipReason::Ambiguous) =
                self.decision_of_base(links, &bases, link)
            {
                self.origin = LinkOrigin::NewPath;
            }
        }
        self
    }

    /// The URL of the document after the moves.
    fn new_retrieval(&self, links: &Links<'_>) -> Option<source::Base> {
        links.document().base().map(|base| source::Base {
            uri: self.new_uri.as_ref().unwrap_or(&base.uri).clone(),
            from: base.from,
        })
    }

    /// The decision about the BASE element that sets the base of the document.
    fn decision_of_base<'t>(
        &self,
        links: &'t Links<'_>,
        bases: &OutputBases,
        link: &'t ParsedLink<'_>,
    ) -> Decision<'static> {
        let mut old = links.resolving().unchecked();
        let mut new = bases.resolving(links.document(), self.relocation.resolver);
        let new = new.base_of(link).map(|(base, _)| base);
        self.map(links.document(), link, &old.target(link), new).into_owned()
    }

    /// Returns true if a template engine writes the reference of a link into the tree. A reference
    /// to an existing file is not a template.
    fn is_template(
        &self,
        document: &Document,
        link: &ParsedLink<'_>,
        target: &Target<'_>,
        uri: &str,
    ) -> bool {
        let located = self.relocation.before.locate(uri);
        link.place.delimiter().is_none()
            && located != Located::Outside
            && (has_template_base(link, target)
                || !located.exists() && has_template(document, link, target))
    }

    /// Decides about a construct that names no file of the tree. A path that is above the tree
    /// follows its document.
    fn path_above<'t>(&self, form: MarkdownForm, link: &ParsedLink<'_>) -> Decision<'t> {
        let new = self.relocation.moves.new_path(&self.path);
        match Site::path_above(form, &self.path, &new, &link.reference) {
            Some(path) if self.origin == LinkOrigin::OldPath => {
                replace(link, path.clone().into(), path.into(), Edit::MOVE)
            }
            _ => Decision::Skip(SkipReason::NoRule),
        }
    }

    /// Returns the reason to leave a link to a page that has been updated since the document moved.
    fn page_updated(&self, link: &ParsedLink<'_>, page: &PageLink<'_>) -> Option<SkipReason> {
        self.moved?;
        let (exists, is_same) = page.after_moves(self.relocation.tree());
        match &self.origin {
            LinkOrigin::NewPath => Some(SkipReason::Updated),
            LinkOrigin::Changed(links) => links.contains(&link.id()).then_some(SkipReason::Updated),
            LinkOrigin::Unknown { .. } if is_same => Some(SkipReason::Updated),
            LinkOrigin::Unknown { .. } => exists.then_some(SkipReason::Ambiguous),
            LinkOrigin::OldPath => None,
        }
    }

    /// Returns the reason to leave a link that has been updated since the document moved. `base` is
    /// that of the new path.
    fn updated(
        &self,
        link: &ParsedLink<'_>,
        target: &Target<'_>,
        base: Option<&Base>,
    ) -> Option<SkipReason> {
        if self.origin == LinkOrigin::OldPath {
            return None;
        }
        let (before, after) = (self.relocation.before, self.relocation.after);
        let (Some(_), Some(old), Some(new_base)) = (&self.new_uri, target.uri, base) else {
            return None;
        };
        let new = uri_of(&new_base.resolver(), Some(new_base), &link.reference)?;
        let is_above = |site: &Site, base: Option<&str>| {
            is_private(old) && site.is_above(&link.reference, base)
        };
        let old_base = target.base.map(|(base, _)| base.as_str());
        let is_old_above = is_above(before, old_base);
        let is_new_above = is_above(after, Some(new_base.as_str()));
        let moved = self.relocation.new_uri(old).ok().flatten();
        if new == old && !is_old_above && !is_new_above {
            let is_unchanged = match &self.origin {
                LinkOrigin::Changed(links) => !links.contains(&link.id()),
                _ => false,
            };
            // The rule would only keep the number of needless `..`, which is done once.
            return (moved.is_none() && !is_unchanged).then_some(SkipReason::Updated);
        }
        let has_new = !is_new_above && !after.locate(&new).is_missing();
        // For the target at the old path: its URI after the moves, if it existed before and after
        // them.
        let moved = moved.as_deref().unwrap_or(old);
        let was_there = !before.locate(old).is_missing() && !after.locate(moved).is_missing();
        let has_old = is_old_above || was_there;
        let is_same = was_there && !is_new_above && after.path_of(moved) == after.path_of(&new);
        match &self.origin {
            LinkOrigin::NewPath => Some(SkipReason::Updated),
            LinkOrigin::Changed(links) if links.contains(&link.id()) => Some(SkipReason::Updated),
            LinkOrigin::Unknown { above } => match has_new || above.contains(&link.id()) {
                true if has_old && !is_same => Some(SkipReason::Ambiguous),
                true => Some(SkipReason::Updated),
                false => (!has_old).then_some(SkipReason::NoRule),
            },
            // It was broken, and works now.
            LinkOrigin::Changed(_) if has_new && !has_old => Some(SkipReason::Updated),
            LinkOrigin::Changed(_) | LinkOrigin::OldPath => None,
        }
    }

    /// Returns true if a reference resolves to the path of `uri` in the tree, ignoring dot segments
    /// and doubled slashes.
    fn names_the_same(&self, base: &Base, reference: &str, uri: &str) -> bool {
        let site = self.relocation.after;
        let found = uri_of(&base.resolver(), Some(base), reference);
        let found = found.as_deref().and_then(|found| site.path_of(found));
        found.is_some() && found == site.path_of(uri)
    }
}

/// Returns true for a hyperlink, or a public URL of the page.
fn is_to_page(link: &ParsedLink<'_>) -> bool {
    link.role == Role::Navigate || link.absoluteness == Absoluteness::Recommended
}

fn is_same(a: Option<&Base>, b: Option<&Base>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => std::ptr::eq(a, b) || a.as_str() == b.as_str(),
        (None, None) => true,
        _ => false,
    }
}
