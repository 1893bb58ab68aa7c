//! Options for URLs in plain text.

/// Options for URLs in plain text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextOptions {
    /// The non-ASCII characters that a bare URL may have. Default: [`Iri::Auto`].
    pub iri: Iri,
    /// The treatment of a hyphen at the end of a line within a URL. Default: [`Hyphen::Keep`].
    pub hyphen: Hyphen,
    /// The line breaks over which URLs are joined. Default: `None`, which is [`Join::Guess`] in
    /// mail and [`Join::Angle`] elsewhere. To join nothing, set `Some(Join::None)`.
    pub join: Option<Join>,
    /// True if the text is `format=flowed` with `delsp=yes` (RFC 3676, 4.1). Then one space before
    /// a line break was inserted together with it. Default: false. In mail the header of the part
    /// may set it.
    pub delsp: bool,
    /// True if the text is `format=flowed` (RFC 3676). Then a line with a trailing space continues
    /// in the next line after that space, so a bare URL ends there. Default: false. In mail the
    /// header of the part may set it.
    pub flowed: bool,
    /// True if `www.a.b/x` and `ftp.a.b` are links. Default: false.
    pub abbreviated: bool,
    /// True if bare mail addresses are links. Default: false.
    pub emails: bool,
    /// True to follow RFC 3986, Appendix C, to the letter, without heuristics for real text. It was
    /// Appendix E in RFC 2396. See "Strict rules" of the [module](crate::format::text). Default:
    /// false.
    pub strict: bool,
}

/// The non-ASCII characters that a bare URL may have. In brackets and quotes it may have any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Iri {
    /// The characters that Unicode Technical Standard 58 includes, up to East Asian text without
    /// spaces.
    #[default]
    Auto,
    /// None.
    Ascii,
    /// All except white space and controls.
    Full,
}

/// The treatment of a hyphen at the end of a line within a URL. It may belong to the URL, or have
/// been inserted with the line break (RFC 3986, Appendix C).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Hyphen {
    /// Keep the hyphen.
    #[default]
    Keep,
    /// Drop the hyphen.
    Drop,
}

/// The line breaks over which URLs are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Join {
    /// None.
    None,
    /// Line breaks in brackets and quotes, and those after a hyphen if the next line continues the
    /// URL.
    #[default]
    Angle,
    /// Also line breaks in bare URLs if the two lines look like one URL.
    Guess,
}

impl Iri {
    /// All values.
    pub const ALL: &'static [Self] = &[Self::Auto, Self::Ascii, Self::Full];

    /// The name on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Ascii => "ascii",
            Self::Full => "full",
        }
    }
}

impl Join {
    /// All values.
    pub const ALL: &'static [Self] = &[Self::None, Self::Angle, Self::Guess];

    /// The name on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Angle => "angle",
            Self::Guess => "guess",
        }
    }
}

rehref_uri::from_name!(Iri, Join);

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    pub(in crate::format) fn any_options() -> impl Strategy<Value = TextOptions> {
        let join =
            prop::option::of(prop::sample::select(vec![Join::None, Join::Angle, Join::Guess]));
        (any::<[bool; 6]>(), join, prop::sample::select(vec![Iri::Auto, Iri::Ascii, Iri::Full]))
            .prop_map(|([delsp, flowed, abbreviated, emails, strict, drop], join, iri)| {
                TextOptions {
                    iri,
                    hyphen: if drop { Hyphen::Drop } else { Hyphen::Keep },
                    join,
                    delsp,
                    flowed,
                    abbreviated,
                    emails,
                    strict,
                }
            })
    }
}
