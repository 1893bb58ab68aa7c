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
    /// The reference is relative and the base is unknown.
    NoBase,
    /// The reference does not resolve under the profile.
    Unresolvable,
    /// The target is on another site, so no relative reference resolves to it.
    OtherSite,
    /// No relative reference resolves to the target, for example because it has dot segments.
    Unreachable,
    /// The link is a base of other links.
    Base,
    /// The link is a base of other links, and some of these would change their targets without it.
    NeededBase,
    /// The target is a file of the mirror, but the base is outside it.
    ForeignBase,
    /// The document is not a file of the mirror.
    NotMirrored,
    /// The reference is only a query, and the URL of its page is unknown: HTTrack replaces the extensions of URLs.
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
    /// The reference names a part of its own document and is not followed.
    SameDocument,
    /// The link is a name that looks like a reference: of an image map or an applet's class.
    Name,
    /// The reference begins with a backslash. Browsers read it as a slash and the RFCs do not.
    Backslash,
    /// The link is in text or in a language that only maps change.
    Text,
    /// The link is in text of HTML, XML or mail, which has escapes and encodings of its own.
    OtherText,
    /// The link was joined across a line break on no other evidence than the shape of the lines.
    Doubtful,
    /// Between the pieces of the link is a page break, more than one line break, quotes of another kind, or a change of
    /// font or color. Joining the pieces would delete it.
    Between,
    /// The link is the content of an XML element, and is divided by a comment, a processing instruction or a CDATA
    /// boundary.
    Divided,
    /// The attribute has no value to replace.
    NoValue,
    /// The edit would move the charset declaration out of the part of the document in which it is searched.
    Charset,
    /// The link has bytes that are invalid in the document's charset.
    Undecodable,
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
            Self::NotRewritten => "in a document that is not rewritten, such as mail",
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
