//! The reasons for leaving a link unchanged.

use crate::format::written::CannotWrite;

/// The reason a link was left unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SkipReason {
    /// The reference already has the form that the rule requires.
    Unchanged,
    /// No rule matches the link.
    NoRule,
    /// The filter of links leaves the link out.
    Filtered,
    /// A comment `rehref: ignore` exempts the link.
    Exempt,
    /// The reference is relative and the base is unknown.
    NoBase,
    /// The reference is absolute, and the site of the page is unknown.
    UnknownSite,
    /// The reference does not resolve under the profile.
    Unresolvable,
    /// The target is on another site, so no relative reference resolves to it.
    OtherSite,
    /// No relative reference resolves to the target, for example because it has dot segments.
    Unreachable,
    /// The reference names no page or file of the documentation site, or is in a part of other
    /// pages.
    NoPage,
    /// The link is a base of other links.
    Base,
    /// The link is a base of other links, and some of these would change their targets without it.
    NeededBase,
    /// The target is a file of the mirror, but the base is outside it.
    ForeignBase,
    /// The document is not a file of the mirror.
    NotMirrored,
    /// The reference is only a query, and the URL of its page is unknown: HTTrack replaces the
    /// extensions of URLs.
    UnknownPage,
    /// The place allows only absolute references, as in a sitemap.
    Absolute,
    /// The link is a public URL of the page (canonical, hreflang, og:url), which must be absolute.
    Canonical,
    /// The document is in a language that is not rewritten, such as mail.
    NotRewritten,
    /// The result of a pattern is not an absolute URI.
    NoUri,
    /// The result of a pattern is invalid under the profile, though the original is valid.
    InvalidUri,
    /// The reference is empty, which has a special meaning in each place of HTML.
    Empty,
    /// The reference refers to a part of the document that contains it, and is not followed.
    SameDocument,
    /// The link is a name that looks like a reference: of an image map or an applet's class.
    Name,
    /// The reference begins with a backslash. Browsers read it as a slash and the RFCs do not.
    Backslash,
    /// The reference contains an expression of a template engine, so that its target is unknown.
    Template,
    /// The link is in text or in a language that only maps and dropped parameters change.
    Text,
    /// The link is the name of an XML namespace in a text, and no map has exactly this URL.
    Namespace,
    /// The link is in text of HTML, XML or mail, which has other escapes and encodings.
    OtherText,
    /// The link was joined across a line break on no other evidence than the shape of the lines.
    Doubtful,
    /// Between the pieces of the link is a page break, more than one line break, quotes of another
    /// kind, or a change of font or color. Joining the pieces would delete it.
    Between,
    /// The link is the content of an XML element, and is divided by a comment, a processing
    /// instruction or a CDATA boundary.
    Divided,
    /// The link of a file that was moved before works at the new path already.
    Updated,
    /// The link of a file that was moved before works at its old and at its new path, but names
    /// different files.
    Ambiguous,
    /// The reference has no extension, and may name a page that moves, or another one.
    BarePage,
    /// The clean URL of the page would name another file of the tree, or none.
    NoCleanUrl,
    /// The attribute has no value to replace.
    NoValue,
    /// The edit would move the charset declaration out of the part of the document in which it is
    /// searched.
    Charset,
    /// The link has bytes that are invalid in the document's charset.
    Undecodable,
    /// The new reference is longer than Excel allows: 255 characters in a formula, and 2,079 in a
    /// hyperlink.
    TooLong,
    /// The written bytes would not be read back as the intended reference.
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
            CannotWrite::NotRewritten => Self::NotRewritten,
            CannotWrite::TooLong => Self::TooLong,
            CannotWrite::Unwritable => Self::Unwritable,
        }
    }
}

impl SkipReason {
    /// The reason as the predicate of a sentence about one link or several.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unchanged => "already had the wanted form",
            Self::NoRule => "matched no rule",
            Self::Filtered => "left out by the filter",
            Self::Exempt => "exempt by a comment",
            Self::NoBase => "could not be resolved: the URL of the page is unknown",
            Self::UnknownSite => {
                "may have a target on another site: the URL of the page is unknown"
            }
            Self::Unresolvable => "could not be resolved under the profile",
            Self::OtherSite => "had a target on another site",
            Self::Unreachable => "had a target that no relative reference resolves to",
            Self::NoPage => "had no known page on the documentation site",
            Self::Base => "set the base of other links",
            Self::NeededBase => "set a base that other links need",
            Self::ForeignBase => "had a base outside of the mirror",
            Self::NotMirrored => "came from a document outside of the mirror",
            Self::UnknownPage => "had only a query, and the URL of the page is unknown",
            Self::Absolute => "must stay absolute, as in feeds and shortcuts",
            Self::NotRewritten => "came from a document that is not rewritten, such as mail",
            Self::Canonical => "had a public URL of the page, which must stay absolute",
            Self::NoUri => "matched a pattern, but the result is not an absolute URL",
            Self::InvalidUri => "matched a pattern, but the result is not a valid URL",
            Self::Empty => "had an empty reference",
            Self::SameDocument => "named a part of the same document",
            Self::Name => "had a name, not a reference",
            Self::Backslash => "began with a backslash",
            Self::Template => "contained a template expression",
            Self::Text => "occurred in text, which only maps and --drop-param change",
            Self::Namespace => {
                "named an XML namespace, which only a map of exactly this URL changes"
            }
            Self::OtherText => "occurred in text with a syntax of its own",
            Self::Doubtful => "had an uncertain end",
            Self::Between => "had other bytes between pieces",
            Self::Divided => "had a comment or a section boundary between pieces",
            Self::Updated => "worked at the new path of the file already",
            Self::Ambiguous => "worked at the old and at the new path of the file",
            Self::BarePage => "may name a page that moves, without its extension",
            Self::NoCleanUrl => {
                "had a page without a clean URL (missing, or another file has that name)"
            }
            Self::NoValue => "had no value to replace",
            Self::Charset => "would have moved the charset declaration too far",
            Self::Undecodable => "had bytes that are invalid in the character encoding",
            Self::TooLong => "would be longer than Excel allows",
            Self::Unwritable => "could not hold the new reference",
        }
    }
}
