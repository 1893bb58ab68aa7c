//! Deciding what each link is to say: rules from links and their targets to new references.

mod mirror;
mod page;
mod pattern;
mod prefix;
mod relocate;
mod respell;
mod style;

use std::borrow::Cow;
use std::sync::Arc;

use crate::document::Document;
use crate::format::FoundLinks;
use crate::format::written::CannotWrite;
use crate::link::Delimiter;
use crate::link::base_of_element;
use crate::link::{Form, LinkData, LinkResolver, Markup, Note, Place, Role, Target, uri_of};
use crate::site::Mirror;
use crate::source;
use crate::uri::{Base, Grammar, Parts, Profile, Reference, Resolver};

pub use mirror::DocumentRules;
use mirror::Own;
pub use page::{Evidence, MirrorPage};
pub use pattern::{PatternMap, PatternMapError};
pub use prefix::{PrefixMap, PrefixMapError};
use respell::respelled;
use style::{Style, absolute_path, is_same_site, leads_to, readable, relative_path};

pub use relocate::{DocumentRelocation, Relocation, Unmappable};

/// Says what becomes of a link. Implement it to rewrite by rules of your own.
pub trait Mapper {
    /// The bases that the rewritten document will have; none where they stay what they are.
    fn output_bases(
        &self,
        _document: &Document,
        _findings: &FoundLinks<'_>,
    ) -> Option<OutputBases> {
        None
    }

    /// Decides about one link, given where it leads, and what a reference in its place will be relative to
    /// in the rewritten document. Whether it is [`Note::Malformed`] is not told.
    fn map<'t>(
        &self,
        link: &LinkData<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
    ) -> Decision<'t>;

    /// Whether the [`Integrity`](crate::link::Integrity) that stands beside a link goes, because what it leads to
    /// changes.
    fn drops_integrity(&self, _link: &LinkData<'_>, _target: &Target<'_>) -> bool {
        false
    }

    /// The URI that stands for `uri` to everybody else, where the bases of the output are URIs among ourselves: as
    /// where references are to lead from file to file.
    fn public_url(&self, uri: String) -> String {
        uri
    }
}

/// What references will be relative to in a rewritten document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputBases {
    /// The document's base, its BASE element counted.
    pub base: Option<source::Base>,
    /// What the document itself will be retrieved from.
    pub retrieval: Option<source::Base>,
    /// Whether bases that hold in a part of the document only (`xml:base`, `codebase`, the BASE of a
    /// `srcdoc`) will be what they were, because the mapper rewrites them so that they lead where they did;
    /// else they are resolved anew, as they are written.
    pub keeps_nested: bool,
    /// What becomes of the BASE elements. If anything does, all links that no rule is about are to lead where
    /// they led, and where one of them cannot the document keeps its bases.
    pub elements: BaseElements,
}

impl OutputBases {
    /// The bases of a document with these links once it is retrieved from `retrieval`, if its BASE elements stay as they
    /// are.
    pub fn retrieved_from(
        retrieval: Option<source::Base>,
        findings: &FoundLinks<'_>,
        resolver: Resolver,
    ) -> Self {
        let bases = Self {
            base: retrieval.clone(),
            retrieval,
            keeps_nested: false,
            elements: BaseElements::Keep,
        };
        match findings.base_elements.first() {
            Some(element) => bases.with_element(&findings.links[element.link].reference, resolver),
            None => bases,
        }
    }

    /// The same with a BASE element that has this reference, if that is usable as a base.
    fn with_element(self, reference: &str, resolver: Resolver) -> Self {
        let element = base_of_element(reference, self.retrieval.as_ref(), &resolver);
        Self {
            base: element.or_else(|| self.retrieval.clone()),
            ..self
        }
    }

    /// Resolves the links of `document` as they will be resolved in the rewritten one.
    pub fn resolving(&self, document: &Document, resolver: Resolver) -> LinkResolver {
        let (base, retrieval) = (self.base.as_ref(), self.retrieval.as_ref());
        LinkResolver::new(resolver, base, retrieval)
            .in_charset(document.charset)
            .unchecked()
    }
}

/// What becomes of the BASE elements of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BaseElements {
    /// The mapper decides about them as about any link.
    #[default]
    Keep,
    /// They go: the whole element where it says nothing else.
    Strip,
    /// The first of them, which holds, has this absolute URI; the others stay.
    Replace(String),
}

impl BaseElements {
    /// The name of the rule that changes them.
    pub(crate) const RULE: &'static str = "base-element";
}

/// What becomes of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision<'t> {
    /// It stays as it is.
    Keep(SkipReason),
    /// It is to say something else.
    Replace {
        /// The new reference, unescaped.
        reference: Cow<'t, str>,
        /// The absolute URI that it then leads to; of a reference to a file of a mirror, the URL that this is
        /// the copy of.
        uri: Cow<'t, str>,
        /// The rule's name, as on the command line.
        rule: &'static str,
    },
}

/// Why a link is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SkipReason {
    /// It says already what the rule wants.
    Unchanged,
    /// No rule is about it.
    NoRule,
    /// It is relative, and the base is unknown.
    NoBase,
    /// LinkResolver it fails by the profile.
    Unresolvable,
    /// It leads to another site, so no relative reference can.
    OtherSite,
    /// No relative reference leads there, because resolving would change the target: it has dot
    /// segments, for example.
    Unreachable,
    /// It is a base for others.
    Base,
    /// It is a base for others, some of which could not be written so that they lead where they do without it.
    NeededBase,
    /// It leads to a file of the mirror, and is relative to a base that leads out of that.
    ForeignBase,
    /// The document is no file of the mirror.
    NotMirrored,
    /// It is a query alone, and the URL of its page in the mirror is unknown: HTTrack replaces the endings of URLs.
    UnknownPage,
    /// It stands where only an absolute reference may, as in a sitemap.
    Absolute,
    /// It is an address that others know the page by (canonical, hreflang, og:url), which has to be absolute.
    Canonical,
    /// It stands in the header of a message.
    Mail,
    /// What a pattern makes of it is no absolute URI.
    NoUri,
    /// What a pattern makes of it is not valid by the profile, though what it was made of is.
    InvalidUri,
    /// It is empty, which in HTML means something else in each place.
    Empty,
    /// It points into its own document, by name and not to go there.
    SameDocument,
    /// It is a name that only looks like a reference: of an image map, of an applet's class.
    Name,
    /// It begins with a backslash. Browsers read that as a slash, so that it leads elsewhere than by
    /// the RFCs.
    Backslash,
    /// It stands in text, which these rules do not change.
    Text,
    /// It stands in text that is not plain: of HTML, of XML, of mail. That has escapes and encodings of
    /// its own.
    OtherText,
    /// It was put together over a line end, and nothing but what the lines look like says that it
    /// should.
    Doubtful,
    /// A page break stands between its pieces, or more than one line end, quotes of another kind, or what changes
    /// the font or color: they cannot become one without deleting that.
    Between,
    /// It is the content of an element of XML, and a comment, an instruction or the border of a CDATA
    /// section stands between its pieces.
    Divided,
    /// The attribute has no value to replace.
    NoValue,
    /// It stands before the declaration of the charset, which would move out of the part of the document
    /// in which that is looked for.
    Charset,
    /// Its bytes are invalid in the document's charset.
    Undecodable,
    /// What would be written would not be read back as it was meant.
    Unwritable,
}

impl From<CannotWrite> for SkipReason {
    fn from(reason: CannotWrite) -> Self {
        match reason {
            CannotWrite::Undecodable => Self::Undecodable,
            CannotWrite::Divided => Self::Divided,
            CannotWrite::NoValue => Self::NoValue,
            CannotWrite::Between => Self::Between,
            CannotWrite::OtherText => Self::OtherText,
            CannotWrite::Doubtful => Self::Doubtful,
            CannotWrite::Mail => Self::Mail,
            CannotWrite::Unwritable => Self::Unwritable,
        }
    }
}

impl SkipReason {
    /// The reason in a few words.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unchanged => "already so",
            Self::NoRule => "no rule is about it",
            Self::NoBase => "relative, and the base is unknown (--base)",
            Self::Unresolvable => "does not resolve by the profile",
            Self::OtherSite => "leads to another site",
            Self::Unreachable => "no relative reference leads there",
            Self::Base => "a base for others",
            Self::NeededBase => "a base that links need, which could not be written otherwise",
            Self::ForeignBase => {
                "relative to a BASE that leads out of the mirror (--base-element strip)"
            }
            Self::UnknownPage => "a query, and the URL of its page is unknown",
            Self::NotMirrored => "its document lies in no folder of --mirror",
            Self::Absolute => "has to stay absolute in feeds, sitemaps and the like (--map)",
            Self::Mail => "in mail, which is not rewritten",
            Self::Canonical => "has to stay absolute (--canonical)",
            Self::NoUri => "becomes no absolute URI by --map-re",
            Self::InvalidUri => "becomes no valid URI by --map-re",
            Self::Empty => "an empty reference",
            Self::SameDocument => "a name in its own document",
            Self::Name => "a name rather than a reference",
            Self::Backslash => "begins with a backslash (--profile whatwg reads it)",
            Self::Text => "in text, which only maps change",
            Self::OtherText => "in text with a syntax of its own",
            Self::Doubtful => "doubtful where it ends",
            Self::Between => "bytes between its pieces that must stay",
            Self::Divided => "a comment or the border of a section between its pieces",
            Self::NoValue => "no value to replace",
            Self::Charset => "would move the declaration of the charset too far",
            Self::Undecodable => "bytes that are invalid in the charset",
            Self::Unwritable => "would not be read back as meant",
        }
    }
}

/// The rules of the command line. They are asked in order, and the first that is about a link
/// decides. About URLs in text only [`Rule::Map`] and [`Rule::Pattern`] ever are.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The rules.
    pub rules: Vec<Rule>,
    /// What becomes of BASE elements. If anything does, links that no rule is about go on leading where they
    /// led, in the style that they have.
    pub base_elements: BaseElements,
    /// Whether relative references may also be made of addresses that others know the page by: see
    /// [`Form::Canonical`].
    pub canonical: bool,
    /// How references are resolved; a reference is written only if it resolves to what it should.
    pub resolver: Resolver,
}

/// One rule.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Rule {
    /// References become absolute, also the empty ones of hyperlinks and forms.
    Absolute,
    /// References to the base's own site become relative paths; those that are already stay.
    Relative,
    /// References to the base's own site become paths from its root, but for those to the document itself.
    RootRelative,
    /// Targets move, and references follow in the style they have.
    Map(PrefixMap),
    /// The same, by regular expressions.
    Pattern(PatternMap),
    /// References from a file of a mirror to another become relative, those to what is not in it absolute. Only
    /// the rules [of a document](Rules::of_document) know where that lies.
    Mirror(Arc<Mirror>),
}

impl Rule {
    /// Whether it may be about URLs in text.
    pub const fn is_about_text(&self) -> bool {
        matches!(self, Self::Map(_) | Self::Pattern(_))
    }

    /// What `uri` becomes, if the rule moves targets and is about it; and the name of the rule.
    fn moved(&self, uri: &str) -> Option<(String, &'static str)> {
        match self {
            Self::Map(map) => map.get(uri).map(|new| (new, "map")),
            Self::Pattern(map) => map.get(uri).map(|new| (new, "map-re")),
            Self::Absolute | Self::Relative | Self::RootRelative | Self::Mirror(_) => None,
        }
    }
}

impl Mapper for Rules {
    fn output_bases(&self, document: &Document, findings: &FoundLinks<'_>) -> Option<OutputBases> {
        let retrieval = document.base.clone();
        let base = match &self.base_elements {
            BaseElements::Keep => return None,
            _ if findings.base_elements.is_empty() => return None,
            BaseElements::Strip => retrieval.clone(),
            BaseElements::Replace(uri) => {
                base_of_element(uri, retrieval.as_ref(), &self.resolver).or(retrieval.clone())
            }
        };
        Some(OutputBases {
            base,
            retrieval,
            keeps_nested: true,
            elements: self.base_elements.clone(),
        })
    }

    fn map<'t>(
        &self,
        link: &LinkData<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
    ) -> Decision<'t> {
        self.map_for(None, link, target, base)
    }
}

impl Rules {
    /// Whether a target that a rule moved is moved again when the rules are asked a second time.
    pub fn is_moved_again(&self, uri: &str) -> bool {
        let moved = self.rules.iter().find_map(|rule| rule.moved(uri));
        moved.is_some_and(|(again, _)| again != uri)
    }

    /// What the rules say, in a document of a mirror or in any other.
    fn map_for<'t>(
        &self,
        own: Option<&Own<'_>>,
        link: &LinkData<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
    ) -> Decision<'t> {
        let decision = self.decision(own, link, target, base);
        match decision {
            Decision::Keep(why) if self.base_elements != BaseElements::Keep => {
                self.rebased(own, link, target, base, why)
            }
            decision => decision,
        }
    }

    /// The same, whatever becomes of the base.
    fn decision<'t>(
        &self,
        own: Option<&Own<'_>>,
        link: &LinkData<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
    ) -> Decision<'t> {
        if let Some(why) = untouchable(link, self.resolver.profile)
            && !(why == SkipReason::Empty && self.fills_empty(own, link, target))
        {
            return Decision::Keep(why);
        }
        let cue = match link.place {
            Place::Text(cue) => Some(cue),
            Place::Markup(_) | Place::Css(_) | Place::Header(_) => None,
        };
        if cue.is_some() && !self.rules.iter().any(Rule::is_about_text) {
            return Decision::Keep(SkipReason::Text);
        }
        let Some(uri) = target.uri else {
            return Decision::Keep(untargeted(target));
        };
        let found = self.rules.iter().find_map(|rule| match (rule, cue) {
            (Rule::Absolute | Rule::Relative | Rule::RootRelative | Rule::Mirror(_), Some(_)) => {
                None
            }
            (Rule::Mirror(_), None) => Some(self.mirrored(own?, link, target, base, uri)),
            (Rule::Absolute, None) => Some(replace(link, uri.into(), uri.into(), "absolute")),
            (Rule::Relative, None) => Some(self.relative(link, base, uri)),
            (Rule::RootRelative, None) => Some(self.root_relative(link, base, uri)),
            (Rule::Map(_) | Rule::Pattern(_), _) => {
                let (new, name) = rule.moved(uri)?;
                Some(if Parts::split(&new).scheme.is_none() {
                    Decision::Keep(SkipReason::NoUri)
                } else if matches!(rule, Rule::Pattern(_)) && self.spoils(uri, &new) {
                    Decision::Keep(SkipReason::InvalidUri)
                } else if let Some(cue) = cue {
                    moved_in_text(link, cue, new, name)
                } else {
                    let reference = respelled(link, None, base, &new);
                    let reference = reference.unwrap_or_else(|| new.clone());
                    replace(link, reference.into(), new.into(), name)
                })
            }
        });
        let is_elsewhere = own.is_none() && self.mirror().is_some();
        found.unwrap_or(Decision::Keep(match is_elsewhere {
            true => SkipReason::NotMirrored,
            false => SkipReason::NoRule,
        }))
    }

    /// Whether an empty reference becomes absolute like any other: that of a hyperlink or a form is followed. Elsewhere
    /// in HTML an empty reference has a meaning of its own, such as no image.
    fn fills_empty(&self, own: Option<&Own<'_>>, link: &LinkData<'_>, target: &Target<'_>) -> bool {
        let is_whole = |it: &Markup| matches!(it.form, Form::Whole | Form::Canonical);
        let is_asked = self.rules.iter().any(|rule| match rule {
            Rule::Absolute => true,
            Rule::Mirror(_) => own.is_some_and(|own| self.follows_base(own, link, target)),
            _ => false,
        });
        is_asked && link.role.follows_fragment() && link.place.markup().is_some_and(is_whole)
    }

    /// Whether `new` is not valid by the profile, and what it was made of is. A fault that was there before is not
    /// the pattern's, and stays as it is by the other rules.
    fn spoils(&self, old: &str, new: &str) -> bool {
        let profile = self.resolver.profile;
        let is_valid = |uri: &str| match profile {
            // What browsers refuse does not resolve; all else they mend.
            Profile::Whatwg => uri_of(&self.resolver, None, uri).is_some(),
            _ => {
                // Links may have the characters of IRIs, under each profile.
                let is_iri = Reference::parse(uri).is_ok() && !uri.is_ascii();
                is_iri || Grammar::from(profile).check(uri).is_ok()
            }
        };
        !is_valid(new) && is_valid(old)
    }

    /// Lets a link that would be kept lead where it leads now, if it would not under another base.
    fn rebased<'t>(
        &self,
        own: Option<&Own<'_>>,
        link: &LinkData<'_>,
        target: &Target<'t>,
        base: Option<&Base>,
        why: SkipReason,
    ) -> Decision<'t> {
        let Some(uri) = target.uri else {
            return Decision::Keep(why);
        };
        let is_readable = !matches!(why, SkipReason::Name | SkipReason::Backslash);
        let old = target.base.map(|(base, _)| base.as_str());
        let leads_to = |base| {
            let found = uri_of(&self.resolver, base, &link.reference)?;
            Some(match own {
                Some(own) => own.public_url(found),
                None => found,
            })
        };
        if !is_readable
            || is_apart_from_base(link)
            || Self::is_same_base(own, old, base.map(Base::as_str))
            || leads_to(base).as_deref() == Some(uri)
        {
            return Decision::Keep(why);
        }
        let reference = respelled(link, None, base, uri).map_or(Cow::Borrowed(uri), Cow::Owned);
        // What no rule was about, such as an empty reference, may be something that one is about now.
        let rewritten = LinkData {
            reference: Cow::Borrowed(&reference),
            ..link.clone()
        };
        match self.decision(own, &rewritten, target, base) {
            Decision::Keep(_) => replace(link, reference, uri.into(), BaseElements::RULE),
            decided => decided,
        }
    }
}

/// Whether the base does not matter to what a link says: because it is a name, or because it means something of
/// its own to be empty; or because it stands in text.
pub(crate) fn is_apart_from_base(link: &LinkData<'_>) -> bool {
    let is_followed = link.role.follows_fragment() || link.role == Role::Base;
    let is_own = link.reference.is_empty() && !is_followed;
    let is_map = link
        .place
        .markup()
        .is_some_and(|it| it.attribute == "usemap");
    let is_name = link.reference.starts_with('#') && !is_followed;
    matches!(link.place, Place::Text(_)) || is_own || is_map || is_name
}

/// Why a link stays that has no target.
fn untargeted(target: &Target<'_>) -> SkipReason {
    if target.same_document && target.base.is_some() {
        SkipReason::SameDocument
    } else if target.notes.contains(Note::Unresolvable) {
        SkipReason::Unresolvable
    } else {
        SkipReason::NoBase
    }
}

/// Why no rule may touch a link, if none may.
fn untouchable(link: &LinkData<'_>, profile: Profile) -> Option<SkipReason> {
    if matches!(link.place, Place::Text(_)) {
        return None;
    }
    let attribute = link.place.markup().map_or("", |it| &it.attribute);
    if matches!(link.place, Place::Header(_)) {
        Some(SkipReason::Mail)
    } else if link.role == Role::Base {
        Some(SkipReason::Base)
    } else if link.reference.is_empty() {
        Some(SkipReason::Empty)
    } else if matches!(attribute, "usemap" | "code" | "object") {
        Some(SkipReason::Name)
    } else if is_name_in_document(link) {
        Some(SkipReason::SameDocument)
    } else if profile != Profile::Whatwg
        && ["\\", "/\\"]
            .iter()
            .any(|it| link.reference.starts_with(it))
    {
        Some(SkipReason::Backslash)
    } else {
        None
    }
}

/// Whether the link names a part of its own document, such as a symbol that is drawn: with a path
/// before the `#` it would have to be fetched.
fn is_name_in_document(link: &LinkData<'_>) -> bool {
    link.reference.starts_with('#') && !link.role.follows_fragment()
}

impl Rules {
    fn relative<'t>(&self, link: &LinkData<'_>, base: Option<&Base>, uri: &'t str) -> Decision<'t> {
        if Style::of(&link.reference, self.resolver.profile) == Style::RelativePath {
            return Decision::Keep(SkipReason::Unchanged);
        }
        if let Some(why) = self.stays_absolute(link) {
            return Decision::Keep(why);
        }
        let Some(base) = base else {
            return Decision::Keep(SkipReason::NoBase);
        };
        match relative_path(link, base, uri) {
            Some(reference) => replace(link, reference.into(), uri.into(), "relative"),
            None if is_same_site(base, uri) => Decision::Keep(SkipReason::Unreachable),
            None => Decision::Keep(SkipReason::OtherSite),
        }
    }

    fn root_relative<'t>(
        &self,
        link: &LinkData<'_>,
        base: Option<&Base>,
        uri: &'t str,
    ) -> Decision<'t> {
        if Style::of(&link.reference, self.resolver.profile) == Style::AbsolutePath {
            return Decision::Keep(SkipReason::Unchanged);
        }
        if link.reference.starts_with('#') {
            return Decision::Keep(SkipReason::SameDocument);
        }
        if let Some(why) = self.stays_absolute(link) {
            return Decision::Keep(why);
        }
        let Some(base) = base else {
            return Decision::Keep(SkipReason::NoBase);
        };
        match absolute_path(base, uri) {
            Some(reference) => replace(link, reference.into(), uri.into(), "root-relative"),
            None if is_same_site(base, uri) => Decision::Keep(SkipReason::Unreachable),
            None => Decision::Keep(SkipReason::OtherSite),
        }
    }

    /// Why a link must not become relative, if so.
    fn stays_absolute(&self, link: &LinkData<'_>) -> Option<SkipReason> {
        let form = link.place.markup().map(|markup| markup.form);
        match form? {
            Form::Absolute => Some(SkipReason::Absolute),
            Form::Canonical if !self.canonical => {
                let style = Style::of(&link.reference, self.resolver.profile);
                let is_whole = matches!(style, Style::Absolute | Style::NetworkPath);
                is_whole.then_some(SkipReason::Canonical)
            }
            _ => None,
        }
    }
}

/// Writes the new target in the style of the old one: abbreviated only where that was, and never
/// relative.
fn moved_in_text(
    link: &LinkData<'_>,
    cue: Delimiter,
    uri: String,
    rule: &'static str,
) -> Decision<'static> {
    let begins_abbreviated = |it: &&str| {
        let word = it.get(..4).unwrap_or_default();
        word.eq_ignore_ascii_case("www.") || word.eq_ignore_ascii_case("ftp.")
    };
    let short = match cue {
        Delimiter::Abbreviated => ["http://", "ftp://"]
            .iter()
            .find_map(|scheme| uri.strip_prefix(scheme))
            .filter(begins_abbreviated),
        Delimiter::Email => uri.strip_prefix("mailto:"),
        Delimiter::Angle | Delimiter::Quote | Delimiter::Prefix | Delimiter::Bare => None,
    };
    let short = short.filter(|short| cue.completed(short) == uri);
    let reference = short.unwrap_or(&uri).to_owned();
    replace(link, reference.into(), uri.into(), rule)
}

fn replace<'t>(
    link: &LinkData<'_>,
    reference: Cow<'t, str>,
    uri: Cow<'t, str>,
    rule: &'static str,
) -> Decision<'t> {
    if reference == link.reference {
        Decision::Keep(SkipReason::Unchanged)
    } else {
        Decision::Replace {
            reference,
            uri,
            rule,
        }
    }
}
