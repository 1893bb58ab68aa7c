//! References within a downloaded copy of a site and out of it. Like `wget -k`, but for an existing
//! tree.

use super::page::{FOR_FILES, MirrorPage};
use super::{LocalNames, Mirror, MirrorFile};
use crate::format::ParsedLinks;
use crate::link::{ParsedLink, Target, base_of_element, effective_base, uri_of};
use crate::rewrite::style::{Style, relative_path};
use crate::rewrite::{BaseElements, OutputBases, SkipReason};
use crate::rewrite::{Decision, Rule, climbs_out, replace};
use crate::source::{self, BaseFrom};
use crate::uri::{Base, Parts, Resolver};

/// A document of a mirror.
#[derive(Clone, Debug)]
pub struct MirrorDocument<'r> {
    mirror: &'r Mirror,
    file: MirrorFile,
    /// The URL of the original.
    url: String,
    /// Its internal URI.
    local: String,
    /// See [`MirrorPage`].
    has_rooted_base: bool,
    /// See [`MirrorPage`].
    is_ending_guessed: bool,
    /// See [`MirrorPage`].
    is_rewritten: bool,
    resolver: Resolver,
    /// True if BASE elements stay unchanged.
    keeps_base: bool,
}

impl<'r> MirrorDocument<'r> {
    /// Creates the document of this page.
    pub fn new(
        mirror: &'r Mirror,
        page: MirrorPage,
        resolver: Resolver,
        base_elements: &BaseElements,
    ) -> Self {
        Self {
            mirror,
            local: mirror.local_uri(&page.file),
            url: page.url,
            file: page.file,
            has_rooted_base: page.has_rooted_base,
            is_ending_guessed: page.is_ending_guessed,
            is_rewritten: page.is_rewritten,
            resolver,
            keeps_base: *base_elements == BaseElements::Keep,
        }
    }

    /// The public URL of an internal URI. Other URIs are returned unchanged.
    pub(crate) fn public_url(&self, uri: String) -> String {
        if !self.mirror.is_local(&uri) {
            return uri;
        }
        let fragment = uri.find('#').unwrap_or(uri.len());
        if uri[..fragment] == self.local {
            return self.url.clone() + &uri[fragment..];
        }
        self.mirror.url_of_local(&uri).unwrap_or(uri)
    }

    /// The bases of the output after this change to the BASE elements.
    pub(crate) fn output_bases(
        &self,
        parsed_links: &ParsedLinks<'_>,
        base_elements: &BaseElements,
    ) -> OutputBases {
        let own = self;
        let resolver = &self.resolver;
        let retrieval = Some(source::Base { uri: own.local.clone(), from: BaseFrom::Option });
        let of_element =
            |reference: &str| effective_base(Some(reference), retrieval.as_ref(), resolver);
        // For readers of files, a path from the root is outside the copy, and `//` begins a host.
        let of_site = |reference: &str| {
            let live = source::Base { uri: own.url.clone(), from: BaseFrom::Option };
            base_of_element(reference, Some(&live), resolver).or(retrieval.clone())
        };
        let first = parsed_links.base_reference();
        let (base, elements) = match (base_elements, first) {
            (_, None) | (BaseElements::Strip, _) => (retrieval.clone(), base_elements),
            (BaseElements::Keep, Some(reference)) => {
                let base = match own.has_rooted_base {
                    true => of_site(reference),
                    false => of_element(reference),
                };
                (base, &BaseElements::Keep)
            }
            (BaseElements::Replace(uri), _) => (of_element(uri), base_elements),
        };
        let changes = first.is_some() && *elements != BaseElements::Keep;
        // Nested bases keep their targets only if the document's base differs.
        let is_other = parsed_links.base.as_ref().is_some_and(|it| it.uri != own.url);
        OutputBases {
            base,
            retrieval,
            keeps_nested: changes && is_other,
            elements: match changes {
                true => elements.clone(),
                false => BaseElements::Keep,
            },
        }
    }

    /// The decision of [`Rule::Mirror`] about a link to `uri`.
    pub(crate) fn mirrored<'t>(
        &self,
        link: &ParsedLink<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
        uri: &'t str,
        stays_absolute: Option<SkipReason>,
    ) -> Decision<'t> {
        let own = self;
        let Self { mirror, file, .. } = own;
        if link.reference.starts_with('#') && !self.follows_base(link, target) {
            return Decision::Skip(SkipReason::SameDocument);
        }
        let style = Style::of(&link.reference, self.resolver.profile);
        // A BASE that stays must resolve to the same place by URLs as by files. Otherwise a
        // reference written for one would have another target by the other.
        let old = target.base.map(|(base, _)| base.as_str());
        let base = base.filter(|base| {
            let base = base.as_str();
            base == own.local || mirror.is_local(base) && own.is_same_base(old, Some(base))
        });
        // The target of the reference by files.
        let there = base
            .filter(|_| style == Style::RelativePath)
            .filter(|base| !climbs_out(base, &link.reference))
            .and_then(|base| uri_of(&self.resolver, Some(base), &link.reference))
            .and_then(|uri| Some((mirror.file_at(&uri)?, uri)));
        // True if the reference was written for that base: a removed BASE was one for URLs.
        let loses_base =
            !self.keeps_base && target.base.is_some_and(|(_, from)| from == BaseFrom::Element);
        let exists =
            !loses_base && there.is_some() && own.is_same_base(old, base.map(Base::as_str));
        // In wget's names a query chooses the file, so a reference with a query is about a URL.
        let may_be_file = mirror.names() != LocalNames::Wget || !link.reference.contains('?');
        let has_path = !Parts::split(&link.reference).path.is_empty();
        if let (Some((there, _)), true) = (&there, exists) {
            // By its URL it would have another target.
            let crosses = base.and_then(|base| mirror.tree_at(base.as_str())) != Some(there.tree);
            let is_for_files = own.is_rewritten && has_path && may_be_file
                || link.reference.starts_with(FOR_FILES);
            if crosses || is_for_files {
                return Decision::Skip(SkipReason::Unchanged);
            }
        }
        let suffix = |uri: &str, from: &[char]| uri.find(from).map(|at| uri[at..].to_owned());
        let fragment = suffix(uri, &['#']).unwrap_or_default();
        let is_own = uri[..uri.len() - fragment.len()] == own.url;
        let copy = match mirror.copy_of(uri) {
            Some(copy) if copy.has_query => Some((copy.file, fragment)),
            Some(copy) => Some((copy.file, suffix(uri, &['?', '#']).unwrap_or_default())),
            None => is_own.then(|| (file.clone(), fragment)),
        };
        let absolute = || replace(link, uri.into(), uri.into(), Rule::Mirror.name());
        let Some((copy, kept)) = copy else {
            // HTTrack rewrote it: the query stays after the name, which it is part of.
            let is_rewritten = mirror.names() == LocalNames::Httrack && has_path;
            let has_base = target.base.is_some_and(|(base, _)| base.as_str() != own.url);
            let is_meant = |(there, _): &(MirrorFile, String)| mirror.is_rewritten(there, uri);
            let is_rewritten = is_rewritten || there.as_ref().is_some_and(is_meant);
            return if exists && may_be_file && is_rewritten {
                Decision::Skip(SkipReason::Unchanged)
            } else if own.is_ending_guessed && link.reference.starts_with('?') && !has_base {
                Decision::Skip(SkipReason::UnknownPage)
            } else {
                absolute()
            };
        };
        if let Some(why) = stays_absolute {
            return match style {
                Style::Absolute | Style::NetworkPath => Decision::Skip(why),
                Style::AbsolutePath | Style::RelativePath => absolute(),
            };
        }
        let Some(base) = base else {
            return match style {
                Style::Absolute => Decision::Skip(SkipReason::ForeignBase),
                _ if own.has_rooted_base => absolute(),
                _ => Decision::Skip(SkipReason::ForeignBase),
            };
        };
        let local = mirror.local_uri(&copy) + &kept;
        // If skipped, it would seem to change its target when BASE is removed.
        let is_other = loses_base && own.public_url(local.clone()) != uri;
        if let Some((there, here)) = &there
            && *there == copy
            && suffix(here, &['?', '#']).unwrap_or_default() == kept
            && (exists || !is_other && self.is_read_back(&link.reference, base, &copy))
        {
            return Decision::Skip(SkipReason::Unchanged);
        }
        match relative_path(link, base, &local) {
            Some(mut reference) => {
                let is_kept = is_other && has_path && reference == link.reference;
                if is_kept || !self.is_read_back(&reference, base, &copy) {
                    reference.insert_str(0, FOR_FILES);
                }
                replace(link, reference.into(), uri.into(), Rule::Mirror.name())
            }
            None => absolute(),
        }
    }

    /// Returns true if a second run would resolve the reference, written for this base, to `file`.
    fn is_read_back(&self, reference: &str, base: &Base, file: &MirrorFile) -> bool {
        let own = self;
        let mirror = own.mirror;
        if !mirror.has_log() || own.is_rewritten || Parts::split(reference).path.is_empty() {
            return true;
        }
        let base = self.resolver.base(&own.public_url(base.as_str().to_owned()));
        let uri = uri_of(&self.resolver, base.as_ref().ok(), reference);
        uri.is_some_and(|uri| match mirror.copy_of(&uri) {
            Some(copy) => copy.file == *file && (!copy.has_query || !reference.contains('?')),
            None if uri[..uri.find('#').unwrap_or(uri.len())] == own.url => *file == own.file,
            None => mirror.is_rewritten(file, &uri),
        })
    }

    /// Returns true if a BASE that stays makes even empty and fragment-only references resolve to
    /// another document.
    pub(crate) fn follows_base(&self, link: &ParsedLink<'_>, target: &Target<'_>) -> bool {
        let own = self;
        self.keeps_base
            && link.role.follows_fragment()
            && target.base.is_some_and(|(base, _)| base.as_str() != own.url)
    }

    /// Returns true if references keep their targets under the base of the output, by files or by
    /// URLs.
    pub fn is_same_base(&self, old: Option<&str>, new: Option<&str>) -> bool {
        old == new || new.is_some_and(|new| Some(&*self.public_url(new.to_owned())) == old)
    }
}
