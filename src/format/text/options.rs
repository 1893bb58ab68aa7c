//! How to look for URLs in plain text.

use std::str::FromStr;

use crate::uri::{UnknownName, by_name};

/// How to look for URLs in plain text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextOptions {
    /// Which characters beyond ASCII a bare URL may hold.
    pub iri: Iri,
    /// What becomes of a hyphen at the end of a line that a URL was broken over.
    pub hyphen: Hyphen,
    /// Over which line ends URLs are put together. `None` is the way of the document's kind:
    /// [`Join::Guess`] in mail, [`Join::Angle`] elsewhere.
    pub join: Option<Join>,
    /// Whether the text is `format=flowed` with `delsp=yes` (RFC 3676, 4.1): then one blank before a
    /// line end says that both were put in.
    pub delsp: bool,
    /// Whether the text is `format=flowed` (RFC 3676): then a line with a blank before its end goes on in the next
    /// one behind that blank, so that a bare URL ends there.
    pub flowed: bool,
    /// Whether `www.a.b/x` and `ftp.a.b` count.
    pub abbreviated: bool,
    /// Whether bare mail addresses count.
    pub emails: bool,
    /// Appendix E to the letter: see the [module](super).
    pub strict: bool,
}

/// Which characters beyond ASCII a bare URL may hold. In brackets and quotes it may hold any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Iri {
    /// Those that Unicode Technical Standard 58 includes, up to where East Asian text goes on.
    #[default]
    Auto,
    /// None: the first one ends it.
    Ascii,
    /// All but white space and controls.
    Full,
}

/// What becomes of a hyphen at the end of a line that a URL was broken over. RFC 3986, Appendix C:
/// it may belong to the URL, or have been put in by what broke it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Hyphen {
    /// It stays.
    #[default]
    Keep,
    /// It goes.
    Drop,
}

/// Over which line ends URLs are put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Join {
    /// None.
    None,
    /// Those in brackets and quotes, and those after a hyphen that the next line continues.
    #[default]
    Angle,
    /// Also those of bare URLs where the two lines look like one URL.
    Guess,
}

impl Iri {
    /// Every choice.
    pub const ALL: &'static [Self] = &[Self::Auto, Self::Ascii, Self::Full];

    /// The name used on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Ascii => "ascii",
            Self::Full => "full",
        }
    }
}

impl Join {
    /// Every choice.
    pub const ALL: &'static [Self] = &[Self::None, Self::Angle, Self::Guess];

    /// The name used on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Angle => "angle",
            Self::Guess => "guess",
        }
    }
}

impl FromStr for Iri {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        by_name(Self::ALL, Self::as_str, name)
    }
}

impl FromStr for Join {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        by_name(Self::ALL, Self::as_str, name)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    pub(in crate::format::text) fn any_options() -> impl Strategy<Value = TextOptions> {
        let join = prop::option::of(prop::sample::select(vec![
            Join::None,
            Join::Angle,
            Join::Guess,
        ]));
        (
            any::<[bool; 6]>(),
            join,
            prop::sample::select(vec![Iri::Auto, Iri::Ascii, Iri::Full]),
        )
            .prop_map(
                |([delsp, flowed, abbreviated, emails, strict, drop], join, iri)| TextOptions {
                    iri,
                    hyphen: if drop { Hyphen::Drop } else { Hyphen::Keep },
                    join,
                    delsp,
                    flowed,
                    abbreviated,
                    emails,
                    strict,
                },
            )
    }
}
