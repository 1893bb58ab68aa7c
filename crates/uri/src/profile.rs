//! Profiles: specifications that define resolving, and the choices they leave to the
//! implementation.

use std::fmt;

/// The specification whose algorithm resolves references.
///
/// The five agree on ordinary references. They differ on empty and query-only references, on `..`
/// above the root, and on dots in the query or in an absolute path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// The draft of 1997 "Uniform Resource Locators (URL): Generic Syntax", section 5.2. Removing
    /// dot segments from a merged path includes its query. A scheme may begin with a digit, `+`,
    /// `-` or `.`, so `1a:b` is absolute; the other profiles require a letter, and read `1a:b` as a
    /// relative path.
    Url1997,
    /// RFC 2396 (1998), section 5.2.
    Rfc2396,
    /// The first draft (2002) of the revision of RFC 2396, section 5.2.
    Rfc2396bis00,
    /// RFC 3986 (2005), section 5.2.
    #[default]
    Rfc3986,
    /// The WHATWG URL Standard, as in browsers. Needs the cargo feature `whatwg`; without it every
    /// resolution fails with [`ErrorKind::WhatwgUnavailable`](super::ErrorKind).
    Whatwg,
}

impl Profile {
    /// Every profile, oldest first.
    pub const ALL: &'static [Self] =
        &[Self::Url1997, Self::Rfc2396, Self::Rfc2396bis00, Self::Rfc3986, Self::Whatwg];

    /// The name used on the command line and in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Url1997 => "url-1997",
            Self::Rfc2396 => "rfc2396",
            Self::Rfc2396bis00 => "rfc2396bis-00",
            Self::Rfc3986 => "rfc3986",
            Self::Whatwg => "whatwg",
        }
    }
}

/// The handling of `..` segments that climb above the root of the base.
///
/// RFC 2396 (5.2, step 6g) and its first revision (5.2, step 7) leave the choice. The other
/// profiles ignore this setting: the draft of 1997 retains them, RFC 3986 and WHATWG remove them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AboveRoot {
    /// Keep them in the target: `http://a/../g`.
    #[default]
    Retain,
    /// Remove them: `http://a/g`.
    Remove,
    /// Reject the reference: [`ErrorKind::AboveRoot`](super::ErrorKind).
    Avoid,
}

impl AboveRoot {
    /// Every policy.
    pub const ALL: &'static [Self] = &[Self::Retain, Self::Remove, Self::Avoid];

    /// The name used on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Retain => "retain",
            Self::Remove => "remove",
            Self::Avoid => "avoid",
        }
    }
}

/// The meaning of `http:g` against a base whose scheme is `http` too.
///
/// RFC 2396, its first revision and RFC 3986 (5.2.2) leave the choice. The other profiles ignore
/// this setting: the draft of 1997 is strict, WHATWG is lenient for its special schemes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SameScheme {
    /// A reference with a scheme is absolute.
    #[default]
    Strict,
    /// A scheme that equals the base's, in any case, is ignored: the loophole of RFC 1630.
    Compat,
}

impl SameScheme {
    /// Both policies.
    pub const ALL: &'static [Self] = &[Self::Strict, Self::Compat];

    /// The name used on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Compat => "compat",
        }
    }
}

/// An unknown name, for example of a profile. Its message lists the valid names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    name: String,
    valid_names: Vec<&'static str>,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown name {:?}, expected one of: {}", self.name, self.valid_names.join(", "))
    }
}

impl std::error::Error for UnknownName {}

/// Finds the value with this exact name.
///
/// # Errors
/// If none has it.
pub fn by_name<T: Copy>(
    all: &[T],
    as_str: fn(T) -> &'static str,
    name: &str,
) -> Result<T, UnknownName> {
    all.iter().copied().find(|&value| as_str(value) == name).ok_or_else(|| UnknownName {
        name: name.to_owned(),
        valid_names: all.iter().copied().map(as_str).collect(),
    })
}

/// Implements [`FromStr`](std::str::FromStr) for types with the constant `ALL` and the method `as_str`.
#[doc(hidden)]
#[macro_export]
macro_rules! from_name {
    ($($named:ty),*) => {$(
        impl std::str::FromStr for $named {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> Result<Self, $crate::UnknownName> {
                $crate::by_name(Self::ALL, Self::as_str, name)
            }
        }
    )*};
}

crate::from_name!(Profile, AboveRoot, SameScheme);

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Display for AboveRoot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Display for SameScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for &profile in Profile::ALL {
            assert_eq!(profile.to_string().parse(), Ok(profile));
        }
        for &policy in AboveRoot::ALL {
            assert_eq!(policy.to_string().parse(), Ok(policy));
        }
        for &policy in SameScheme::ALL {
            assert_eq!(policy.to_string().parse(), Ok(policy));
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let message = "RFC3986".parse::<Profile>().map_err(|error| error.to_string());
        let expected = "unknown name \"RFC3986\", expected one of: \
                        url-1997, rfc2396, rfc2396bis-00, rfc3986, whatwg";
        assert_eq!(message, Err(expected.to_owned()));
    }
}
