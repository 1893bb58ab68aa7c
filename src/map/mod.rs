//! Deciding what each link is to say: rules from links and their targets to new references.

mod prefix;

use std::borrow::Cow;

use crate::document::{self, Document};
use crate::find::{Cue, Findings, Form, Link, Note, Place, Role, Target};
use crate::uri::{Base, Outcome, Parts, Profile, Resolver};

pub use prefix::{PrefixMap, PrefixMapError};

/// Says what becomes of a link. Implement it to rewrite by rules of your own.
pub trait Mapper {
    /// The bases that the rewritten document will have; none where they stay what they are.
    fn output_bases(&self, _document: &Document, _findings: &Findings<'_>) -> Option<OutputBases> {
        None
    }

    /// Decides about one link, given where it leads, and what a reference in its place will be relative to
    /// in the rewritten document. Whether it is [`Note::Malformed`] is not told.
    fn map<'t>(&self, link: &Link<'_>, target: &Target<'t>, base: Option<&Base>) -> Decision<'t>;
}

/// What references will be relative to in a rewritten document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputBases {
    /// The document's base, its BASE element counted.
    pub base: Option<document::Base>,
    /// What the document itself will be retrieved from.
    pub retrieval: Option<document::Base>,
    /// Whether bases that hold in a part of the document only (`xml:base`, `codebase`, the BASE of a
    /// `srcdoc`) will be what they were, because the mapper rewrites them so that they lead where they did;
    /// else they are resolved anew, as they are written.
    pub keeps_nested: bool,
}

/// What becomes of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision<'t> {
    /// It stays as it is.
    Keep(Kept),
    /// It is to say something else.
    Replace {
        /// The new reference, unescaped.
        reference: Cow<'t, str>,
        /// The absolute URI that it then leads to.
        uri: Cow<'t, str>,
        /// The rule's name, as on the command line.
        rule: &'static str,
    },
}

/// Why a link is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kept {
    /// It says already what the rule wants.
    Unchanged,
    /// No rule is about it.
    NoRule,
    /// It is relative, and the base is unknown.
    NoBase,
    /// Resolving it fails by the profile.
    Unresolvable,
    /// It leads to another site, so no relative reference can.
    OtherSite,
    /// No relative reference leads there, because resolving would change the target: it has dot
    /// segments, for example.
    Unreachable,
    /// It is a base for others.
    Base,
    /// It stands where only an absolute reference may, as in a sitemap.
    Absolute,
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
    /// A page break stands between its pieces, or more than one line end: they cannot become one without
    /// deleting that.
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

impl Kept {
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
            Self::Absolute => "has to be absolute there",
            Self::Empty => "an empty reference",
            Self::SameDocument => "a name in its own document",
            Self::Name => "a name rather than a reference",
            Self::Backslash => "begins with a backslash (--profile whatwg reads it)",
            Self::Text => "in text, which only --map changes",
            Self::OtherText => "in text with a syntax of its own",
            Self::Doubtful => "doubtful where it ends",
            Self::Between => "a page break or blank lines between its pieces",
            Self::Divided => "a comment or the border of a section between its pieces",
            Self::NoValue => "no value to replace",
            Self::Charset => "would move the declaration of the charset too far",
            Self::Undecodable => "bytes that are invalid in the charset",
            Self::Unwritable => "would not be read back as meant",
        }
    }
}

/// The rules of the command line. They are asked in order, and the first that is about a link
/// decides. About URLs in text only [`Rule::Map`] ever is.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The rules.
    pub rules: Vec<Rule>,
    /// How references are resolved; a reference is written only if it resolves to what it should.
    pub resolver: Resolver,
}

/// One rule.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Rule {
    /// References become absolute.
    Absolute,
    /// References to the base's own site become relative paths; those that are already stay.
    Relative,
    /// Targets move, and references follow in the style they have.
    Map(PrefixMap),
}

impl Rule {
    /// Whether it may be about URLs in text.
    pub const fn is_about_text(&self) -> bool {
        matches!(self, Self::Map(_))
    }
}

impl Mapper for Rules {
    fn map<'t>(&self, link: &Link<'_>, target: &Target<'t>, base: Option<&Base>) -> Decision<'t> {
        if let Some(why) = untouchable(link, self.resolver.profile) {
            return Decision::Keep(why);
        }
        let cue = match link.place {
            Place::Text(cue) => Some(cue),
            Place::Markup(_) | Place::Css(_) => None,
        };
        if cue.is_some() && !self.rules.iter().any(Rule::is_about_text) {
            return Decision::Keep(Kept::Text);
        }
        let Some(uri) = target.uri else {
            let is_here = target.same_document && target.base.is_some();
            return Decision::Keep(if is_here {
                Kept::SameDocument
            } else if target.notes.contains(Note::Unresolvable) {
                Kept::Unresolvable
            } else {
                Kept::NoBase
            });
        };
        let found = self.rules.iter().find_map(|rule| match (rule, cue) {
            (Rule::Absolute | Rule::Relative, Some(_)) => None,
            (Rule::Absolute, None) => Some(self.absolute(link, uri)),
            (Rule::Relative, None) => Some(self.relative(link, base, uri)),
            (Rule::Map(map), Some(cue)) => map.get(uri).map(|new| moved_in_text(link, cue, new)),
            (Rule::Map(map), None) => map.get(uri).map(|new| self.moved(link, base, new)),
        });
        found.unwrap_or(Decision::Keep(Kept::NoRule))
    }
}

/// Why no rule may touch a link, if none may.
fn untouchable(link: &Link<'_>, profile: Profile) -> Option<Kept> {
    if matches!(link.place, Place::Text(_)) {
        return None;
    }
    let attribute = link.place.markup().map_or("", |it| &it.attribute);
    if link.role == Role::Base {
        Some(Kept::Base)
    } else if link.reference.is_empty() {
        Some(Kept::Empty)
    } else if matches!(attribute, "usemap" | "code" | "object") {
        Some(Kept::Name)
    } else if is_name_in_document(link) {
        Some(Kept::SameDocument)
    } else if profile != Profile::Whatwg
        && ["\\", "/\\"]
            .iter()
            .any(|it| link.reference.starts_with(it))
    {
        Some(Kept::Backslash)
    } else {
        None
    }
}

/// Whether the link names a part of its own document, such as a symbol that is drawn: with a path
/// before the `#` it would have to be fetched.
fn is_name_in_document(link: &Link<'_>) -> bool {
    link.reference.starts_with('#') && link.role != Role::Navigate
}

impl Rules {
    fn absolute<'t>(&self, link: &Link<'_>, uri: &'t str) -> Decision<'t> {
        replace(link, uri.into(), uri.into(), "absolute")
    }

    fn relative<'t>(&self, link: &Link<'_>, base: Option<&Base>, uri: &'t str) -> Decision<'t> {
        if Style::of(&link.reference) == Style::RelativePath {
            return Decision::Keep(Kept::Unchanged);
        }
        let form = link.place.markup().map(|markup| markup.form);
        if form == Some(Form::Absolute) {
            return Decision::Keep(Kept::Absolute);
        }
        let Some(base) = base else {
            return Decision::Keep(Kept::NoBase);
        };
        match relative_path(link, base, uri) {
            Some(reference) => replace(link, reference.into(), uri.into(), "relative"),
            None if is_same_site(base, uri) => Decision::Keep(Kept::Unreachable),
            None => Decision::Keep(Kept::OtherSite),
        }
    }

    /// Writes the new target in the style of the old reference, if that can be done.
    fn moved(&self, link: &Link<'_>, base: Option<&Base>, uri: String) -> Decision<'static> {
        let reference =
            base.filter(|base| is_same_site(base, &uri))
                .and_then(|base| match Style::of(&link.reference) {
                    Style::Absolute => None,
                    Style::NetworkPath => Some(uri[uri.find(':')? + 1..].to_owned()),
                    Style::AbsolutePath => {
                        let path = Parts {
                            scheme: None,
                            authority: None,
                            ..Parts::split(&uri)
                        };
                        let reference = path.to_string();
                        let is_plain = !reference.starts_with("/\\");
                        (is_plain && leads_to(base, &reference, &uri)).then_some(reference)
                    }
                    Style::RelativePath => relative_path(link, base, &uri),
                });
        let reference = reference.unwrap_or_else(|| uri.clone());
        replace(link, reference.into(), uri.into(), "map")
    }
}

/// Writes the new target in the style of the old one: abbreviated only where that was, and never
/// relative.
fn moved_in_text(link: &Link<'_>, cue: Cue, uri: String) -> Decision<'static> {
    let begins_abbreviated = |it: &&str| {
        let word = it.get(..4).unwrap_or_default();
        word.eq_ignore_ascii_case("www.") || word.eq_ignore_ascii_case("ftp.")
    };
    let short = match cue {
        Cue::Abbreviated => ["http://", "ftp://"]
            .iter()
            .find_map(|scheme| uri.strip_prefix(scheme))
            .filter(begins_abbreviated),
        Cue::Email => uri.strip_prefix("mailto:"),
        Cue::Angle | Cue::Quote | Cue::Prefix | Cue::Bare => None,
    };
    let short = short.filter(|short| cue.completed(short) == uri);
    let reference = short.unwrap_or(&uri).to_owned();
    replace(link, reference.into(), uri.into(), "map")
}

/// The relative-path reference to `uri` that suits the link: never an empty one, and one that is
/// only a fragment just where one navigates.
fn relative_path(link: &Link<'_>, base: &Base, uri: &str) -> Option<String> {
    let is_in_json = link.place.markup().is_some_and(|it| it.form == Form::Json);
    let suits = |reference: &str| match reference.as_bytes().first() {
        None => false,
        Some(b'#') => link.role == Role::Navigate,
        // Browsers would read it as a slash.
        Some(b'\\') => false,
        // A module is not addressed by a bare name (HTML standard, section 8.1.6.2).
        Some(_) if is_in_json => ["./", "../"].iter().any(|it| reference.starts_with(it)),
        Some(_) => true,
    };
    let shortest = base.relative_path_reference(uri)?;
    if suits(&shortest) {
        return Some(shortest);
    }
    let parts = Parts::split(uri);
    let name = &parts.path[parts.path.rfind('/').map_or(0, |at| at + 1)..];
    let own = Parts {
        scheme: None,
        authority: None,
        path: name,
        ..parts
    }
    .to_string();
    let candidates = [own.clone(), format!("./{own}"), format!("./{shortest}")];
    candidates
        .into_iter()
        .find(|reference| suits(reference) && leads_to(base, reference, uri))
}

fn leads_to(base: &Base, reference: &str, uri: &str) -> bool {
    let mut out = String::new();
    base.resolve_into(reference, &mut out) == Ok(Outcome::Target) && out == uri
}

fn replace<'t>(
    link: &Link<'_>,
    reference: Cow<'t, str>,
    uri: Cow<'t, str>,
    rule: &'static str,
) -> Decision<'t> {
    if reference == link.reference {
        Decision::Keep(Kept::Unchanged)
    } else {
        Decision::Replace {
            reference,
            uri,
            rule,
        }
    }
}

fn is_same_site(base: &Base, uri: &str) -> bool {
    let (base, uri) = (base.parts(), Parts::split(uri));
    base.scheme == uri.scheme && base.authority == uri.authority
}

/// The four forms of a reference (RFC 3986, section 4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Absolute,
    NetworkPath,
    AbsolutePath,
    RelativePath,
}

impl Style {
    fn of(reference: &str) -> Self {
        let parts = Parts::split(reference);
        if parts.scheme.is_some() {
            Self::Absolute
        } else if parts.authority.is_some() {
            Self::NetworkPath
        } else if parts.path.starts_with('/') {
            Self::AbsolutePath
        } else {
            Self::RelativePath
        }
    }
}
