//! Resolution of links to their targets.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use encoding_rs::{Encoding, UTF_8};

use super::windows_path::{WindowsPath, as_url};
use super::{BaseScope, Language, Markup, Note, Notes, ParsedLink, Place, ScopedBase, query};
use crate::source::{Base, BaseFrom, Charset, MAX_BASE};
use crate::uri::{self, Outcome, Profile, Reference, Resolver};

/// The target of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target<'t> {
    /// The absolute URI as resolved, without normalization. None if the base is unknown, if the
    /// reference is to the current document, or if the profile does not resolve it.
    pub uri: Option<&'t str>,
    /// The base that the reference is relative to, and its origin. None also if that base is
    /// invalid under the resolver's profile, or too long.
    pub base: Option<(&'t uri::Base, BaseFrom)>,
    /// True if the reference refers to the document that contains it.
    pub same_document: bool,
    /// The notes of the link and those of resolution.
    pub notes: Notes,
}

/// A parsed base and its origin.
type ReadyBase = (uri::Base, BaseFrom);

/// A base that is parsed for the first link that needs it: many documents have no links, and few
/// links are relative to the document itself.
#[derive(Clone, Debug)]
struct LazyBase {
    resolver: Resolver,
    base: Option<Base>,
    ready: OnceLock<Option<ReadyBase>>,
}

impl LazyBase {
    fn new(resolver: Resolver, base: Option<&Base>) -> Self {
        Self { resolver, base: usable(base).cloned(), ready: OnceLock::new() }
    }

    /// Makes this the base `base`. It stays parsed if it is the same.
    fn set(&mut self, base: Option<&Base>) {
        if self.base.as_ref() != usable(base) {
            *self = Self::new(self.resolver, base);
        }
    }

    /// The base, if it is short enough and valid under the resolver's profile.
    fn get(&self) -> &Option<ReadyBase> {
        self.ready.get_or_init(|| {
            let base = self.base.as_ref()?;
            Some((self.resolver.base(&base.uri).ok()?, base.from))
        })
    }
}

/// The base, unless it is too long.
fn usable(base: Option<&Base>) -> Option<&Base> {
    base.filter(|base| base.uri.len() <= MAX_BASE)
}

/// A resolved nested base.
#[derive(Clone, Debug)]
struct ResolvedScope {
    nested: Arc<ScopedBase>,
    /// The base that applies inside it.
    base: Option<ReadyBase>,
    /// True if `base` is the base of this scope, and not that of the enclosing scope.
    is_own: bool,
}

/// The length that few URIs exceed.
const USUAL_URI: usize = 256;

/// Resolves the links of one document. Reuses its buffers: resolving a link allocates nothing under
/// the RFC profiles.
#[derive(Clone, Debug)]
pub struct LinkResolver {
    resolver: Resolver,
    base: LazyBase,
    /// None if equal to `base`.
    retrieval: Option<LazyBase>,
    /// The last chain of nested bases, outermost first. A document is read from start to end, so
    /// each is resolved once.
    nested: Vec<ResolvedScope>,
    /// True to check references against the grammar.
    checks: bool,
    /// The charset of queries in HTML, if not UTF-8.
    queries: Option<&'static Encoding>,
    uri: String,
}

impl LinkResolver {
    /// Creates a resolver for a document with the base `base` that was retrieved from `retrieval`.
    pub fn new(resolver: Resolver, base: Option<&Base>, retrieval: Option<&Base>) -> Self {
        let is_other = base != retrieval;
        Self {
            resolver,
            base: LazyBase::new(resolver, base),
            retrieval: is_other.then(|| LazyBase::new(resolver, retrieval)),
            nested: Vec::new(),
            checks: true,
            queries: None,
            uri: String::with_capacity(USUAL_URI),
        }
    }

    /// Continues with another document: see [`new`](Self::new). Allocates nothing if the bases are
    /// the same.
    pub fn set_document(&mut self, base: Option<&Base>, retrieval: Option<&Base>) {
        self.nested.clear();
        self.base.set(base);
        match &mut self.retrieval {
            Some(kept) if base != retrieval => kept.set(retrieval),
            kept => {
                let is_other = base != retrieval;
                *kept = is_other.then(|| LazyBase::new(self.resolver, retrieval));
            }
        }
    }

    /// Turns off [`Note::Malformed`], which costs a look at every character.
    pub fn unchecked(self) -> Self {
        Self { checks: false, ..self }
    }

    /// Sets the charset of the document: under the profile `whatwg`, queries of HTML are encoded in
    /// it (URL standard, section 4.4).
    pub fn in_charset(mut self, charset: Charset) -> Self {
        self.set_charset(charset);
        self
    }

    /// Sets the charset of the document: see [`in_charset`](Self::in_charset).
    pub fn set_charset(&mut self, charset: Charset) {
        let encoding = charset.encoding().output_encoding();
        let is_legacy = encoding != UTF_8 && self.resolver.profile == Profile::Whatwg;
        self.queries = is_legacy.then_some(encoding);
    }

    /// The base that the reference of `link` is relative to: see [`Target::base`].
    pub fn base_of(&mut self, link: &ParsedLink<'_>) -> Option<(&uri::Base, BaseFrom)> {
        let found = match &link.base_scope {
            BaseScope::Base => self.base.get(),
            BaseScope::Document => self.retrieval.as_ref().unwrap_or(&self.base).get(),
            BaseScope::Nested(nested) => {
                self.enter(nested);
                &self.nested[nested.depth()].base
            }
        };
        found.as_ref().map(|(base, from)| (base, *from))
    }

    /// The innermost valid base nested around `link`. An invalid one is skipped, since the base
    /// outside it applies.
    pub fn own_nested<'l>(&mut self, link: &'l ParsedLink<'_>) -> Option<&'l Arc<ScopedBase>> {
        let BaseScope::Nested(innermost) = &link.base_scope else {
            return None;
        };
        self.enter(innermost);
        let mut next = Some(innermost);
        while let Some(nested) = next {
            if self.nested[nested.depth()].is_own {
                return Some(nested);
            }
            next = nested.outer();
        }
        None
    }

    /// The base that applies inside `nested`.
    pub fn base_in(&mut self, nested: &Arc<ScopedBase>) -> Option<&uri::Base> {
        self.enter(nested);
        self.nested[nested.depth()].base.as_ref().map(|(base, _)| base)
    }

    /// The rules of resolution.
    pub fn resolver(&self) -> Resolver {
        self.resolver
    }

    /// The base of the document.
    pub fn base(&self) -> Option<&uri::Base> {
        self.base.get().as_ref().map(|(base, _)| base)
    }

    /// Resolves `link`. Linear in the lengths of base and reference.
    ///
    /// An absolute reference needs no base and, under the RFC profiles, keeps its spelling.
    pub fn target<'t>(&'t mut self, link: &'t ParsedLink<'_>) -> Target<'t> {
        let text = match link.place.delimiter() {
            Some(delimiter) => delimiter.completed(&link.reference),
            None => Cow::Borrowed(&*link.reference),
        };
        let text = in_slashes(link, self.resolver.profile, text);
        let found = match &link.base_scope {
            BaseScope::Base => self.base.get(),
            BaseScope::Document => self.retrieval.as_ref().unwrap_or(&self.base).get(),
            BaseScope::Nested(nested) => {
                self.enter(nested);
                &self.nested[nested.depth()].base
            }
        };
        // The scheme is another one, so the reference is neither relative nor the document.
        let is_foreign = |base: &uri::Base, text: &str| {
            let first = |text: &str| text.as_bytes().first().map(u8::to_ascii_lowercase);
            first(base.as_str()) != first(text)
        };
        if let Cow::Borrowed(text) = &text
            && !self.checks
            && self.resolver.profile != Profile::Whatwg
            && found.as_ref().is_none_or(|(base, _)| is_foreign(base, text))
            && uri::has_scheme(text)
        {
            // Most URLs of texts: neither split nor copied.
            return Target {
                uri: Some(*text),
                base: found.as_ref().map(|(base, from)| (base, *from)),
                same_document: false,
                notes: link.notes,
            };
        }
        let text = &*text;
        if link.notes.contains(Note::Defanged) && !uri::has_scheme(text) {
            // `https[:]//a[.]example` is not a relative reference.
            let base = found.as_ref().map(|(base, from)| (base, *from));
            return Target { uri: None, base, same_document: false, notes: link.notes };
        }
        let from = found.as_ref().map(|(_, from)| *from);
        let base = found.as_ref().map(|(base, _)| base);
        // HTML in a feed is read by feed readers, and there it has no charset.
        let is_html = |markup: &Markup| markup.outermost().language == Language::Html;
        let encoded = match (&link.place, self.queries) {
            (Place::Markup(markup), Some(encoding)) if is_html(markup) => {
                query::in_charset(text, base.map(uri::Base::as_str), encoding)
            }
            _ => Cow::Borrowed(text),
        };
        let text = &*encoded;
        if let (false, Some((base, from))) = (self.checks, found)
            && base.resolve_plain_into(text, &mut self.uri)
        {
            return Target {
                same_document: base.is_document(&self.uri),
                uri: Some(&self.uri),
                base: Some((base, *from)),
                notes: link.notes,
            };
        }
        let parsed = self.checks.then(|| Reference::parse(text));
        let (reference, notes) = match parsed {
            Some(Ok(reference)) => (reference, link.notes),
            Some(Err(_)) => (Reference::split(text), link.notes.with(Note::Malformed)),
            None => (Reference::split(text), link.notes),
        };
        let notes = match lacks_scheme(base, reference) {
            true => notes.with(Note::AssumedScheme),
            false => notes,
        };
        let resolution = resolve(&self.resolver, base, reference, &mut self.uri);
        let uri = (resolution == Resolution::Uri).then_some(self.uri.as_str());
        let is_document = || match resolution {
            Resolution::CurrentDocument => true,
            Resolution::Uri => base.is_some_and(|base| base.is_document(&self.uri)),
            Resolution::NoBase | Resolution::Failure => false,
        };
        Target {
            uri,
            base: base.zip(from),
            same_document: text.is_empty() || text.starts_with('#') || is_document(),
            notes: match resolution {
                Resolution::Failure => notes.with(Note::Unresolvable),
                _ => notes,
            },
        }
    }
}

impl LinkResolver {
    /// Makes `nested` the last of the chain.
    fn enter(&mut self, nested: &Arc<ScopedBase>) {
        let depth = nested.depth();
        let current = self.nested.get(depth);
        if current.is_some_and(|current| Arc::ptr_eq(&current.nested, nested)) {
            return;
        }
        if let Some(outer) = nested.outer() {
            self.enter(outer);
        }
        self.nested.truncate(depth);
        let outer = match self.nested.last() {
            Some(outer) => &outer.base,
            None => self.base.get(),
        };
        let base = outer.as_ref().map(|(base, _)| base);
        // An invalid base is ignored. With one that is too long or unknown, no base applies.
        let own = match base_uri_of(&self.resolver, base, nested.reference()) {
            _ if nested.is_unknown() => Some(None),
            None => None,
            Some(uri) if uri.len() > MAX_BASE => Some(None),
            Some(uri) => {
                let base = self.resolver.base(&uri).ok();
                base.map(|base| Some((base, BaseFrom::Element)))
            }
        };
        let is_own = own.is_some();
        let base = own.unwrap_or_else(|| outer.clone());
        self.nested.push(ResolvedScope { nested: Arc::clone(nested), base, is_own });
    }
}

/// The URL that another reference would be where a link is.
pub(crate) fn url_in_place<'r>(
    link: &ParsedLink<'_>,
    profile: Profile,
    reference: &'r str,
) -> Cow<'r, str> {
    let other = ParsedLink { reference: reference.into(), ..link.clone() };
    in_slashes(&other, profile, Cow::Borrowed(reference))
}

/// The reference of a link as a URL, if it is a path of Windows. Browsers read backslashes as the
/// URL Standard says.
#[inline]
fn in_slashes<'l>(link: &ParsedLink<'_>, profile: Profile, text: Cow<'l, str>) -> Cow<'l, str> {
    let is_drive = text.as_bytes().get(1) == Some(&b':');
    let may_be_path = is_drive || memchr::memchr2(b'\\', b'!', text.as_bytes()).is_some();
    if !may_be_path || profile == Profile::Whatwg {
        return text;
    }
    let text = as_url(link).map_or(text, Cow::Owned);
    let path = WindowsPath::of(&text).map(WindowsPath::uri);
    path.map_or(text, Cow::Owned)
}

/// The outcome of resolving a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Resolution {
    Uri,
    CurrentDocument,
    NoBase,
    Failure,
}

/// The target of `reference`. An absolute one needs no base.
pub fn uri_of(resolver: &Resolver, base: Option<&uri::Base>, reference: &str) -> Option<String> {
    let mut out = String::new();
    let resolution = resolve(resolver, base, Reference::split(reference), &mut out);
    (resolution == Resolution::Uri).then_some(out)
}

/// The base URI for `reference`, without dot segments even if it is absolute (RFC 3986, section
/// 5.2.2). Links keep theirs, since nothing is resolved against them.
pub(crate) fn base_uri_of(
    resolver: &Resolver,
    base: Option<&uri::Base>,
    reference: &str,
) -> Option<String> {
    let uri = uri_of(resolver, base, reference)?;
    if !uri::has_dot_segments(uri::Parts::split(&uri).path) {
        return Some(uri);
    }
    let mut out = String::new();
    let own = resolver.base(&uri).ok()?;
    let resolved = own.resolve_into(uri.as_str(), &mut out) == Ok(Outcome::Target);
    resolved.then_some(out)
}

/// Returns true if `reference` has a host but no scheme, and its base is that of a message without
/// a base URL.
fn lacks_scheme(base: Option<&uri::Base>, reference: Reference<'_>) -> bool {
    reference.as_str().starts_with("//")
        && reference.parts().authority.is_some_and(|it| !it.is_empty())
        && base.is_some_and(|base| Base::lacks_network(base.as_str()))
}

/// Resolves `reference` into `out`. An absolute one needs no base.
fn resolve(
    resolver: &Resolver,
    base: Option<&uri::Base>,
    reference: Reference<'_>,
    out: &mut String,
) -> Resolution {
    if lacks_scheme(base, reference) {
        // Mail programs assume `https`. The algorithm would give a host of `thismessage`, which has
        // none.
        let https = format!("https:{}", reference.as_str());
        return resolve(resolver, None, Reference::split(&https), out);
    }
    let reference = reference.by(resolver.profile);
    let is_absolute = reference.parts().scheme.is_some();
    if is_absolute && resolver.profile != Profile::Whatwg {
        // Only an ignored scheme can precede a relative reference, and a reference with an
        // authority is absolute.
        let ignored = base.is_some_and(|base| base.ignores_scheme(reference));
        if !ignored || reference.parts().authority.is_some() {
            out.clear();
            out.push_str(reference.as_str());
            return Resolution::Uri;
        }
    }
    let resolved = match base {
        Some(base) => base.resolve_into(reference, out),
        None if !is_absolute => return Resolution::NoBase,
        // An absolute reference is resolved against itself.
        None => match resolver.base(reference.as_str()) {
            Ok(base) => base.resolve_into(reference, out),
            Err(_) => return Resolution::Failure,
        },
    };
    match resolved {
        Ok(Outcome::Target) => Resolution::Uri,
        Ok(Outcome::CurrentDocument) => Resolution::CurrentDocument,
        Err(_) => Resolution::Failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::{Span, Spans};
    use crate::link::{Delimiter, Role};
    use crate::uri::SameScheme;
    use proptest::prelude::*;

    fn reference() -> impl Strategy<Value = String> {
        let pieces = prop::sample::select(vec![
            "http", "HTTP:", "a+b", "1", ":", "//", "/", "?", "#", "..", ".", "h", "@", "%", "%41",
            "é", " ", "\\", "\t", "thismessage:/", "",
        ]);
        prop::collection::vec(pieces, 0..6).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(crate::tier::cases(4000))]

        /// Unchecked absolute references have a fast path, unless their scheme may be that of the
        /// base.
        #[test]
        fn unchecked_targets_differ_only_in_their_notes(
            reference in reference(),
            delimiter in prop::sample::select(vec![Delimiter::Bare, Delimiter::Abbreviated, Delimiter::Email]),
            profile in prop::sample::select(Profile::ALL),
            base in prop::sample::select(vec![None, Some("http://h/a/b?q"), Some("thismessage:/"), Some("mailto:a@b")]),
            same_scheme in prop::sample::select(SameScheme::ALL),
        ) {
            let spans = Spans::from_buf([Span::new(0, 1)]);
            let place = Place::Text(delimiter);
            let link = ParsedLink::new(spans, reference.into(), place, Role::Navigate);
            let resolver = Resolver { profile, same_scheme, ..Resolver::default() };
            let base = base.map(|uri| Base { uri: uri.to_owned(), from: BaseFrom::Retrieval });
            let checked = LinkResolver::new(resolver, base.as_ref(), None);
            let (mut checked, mut unchecked) = (checked.clone(), checked.unchecked());
            let (checked, unchecked) = (checked.target(&link), unchecked.target(&link));
            prop_assert_eq!(
                (checked.uri, checked.base, checked.same_document),
                (unchecked.uri, unchecked.base, unchecked.same_document)
            );
            let malformed = |notes: Notes| notes.with(Note::Malformed);
            prop_assert_eq!(malformed(checked.notes), malformed(unchecked.notes));
        }
    }
}
