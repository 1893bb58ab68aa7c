//! Why a link is left unchanged.

use crate::format::written::CannotWrite;

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
