//! The WHATWG URL Standard, by the crate `url` (feature `whatwg`).

use std::borrow::Cow;

use super::fault::Fault;
use super::host::HostKind;
#[cfg(feature = "whatwg")]
use super::parts::{Ends, Parts};
use super::refusal::{ErrorKind, Refusal};

#[cfg(feature = "whatwg")]
mod file;

#[cfg(feature = "whatwg")]
mod parser {
    use url::{Host, ParseError, Position, Url};

    use super::file::FileUrl;
    use super::*;

    /// A base that the standard's parser accepts.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(in super::super) enum WhatwgBase {
        File(FileUrl),
        Other(Url),
    }

    impl WhatwgBase {
        pub(in super::super) fn parse(base: &str) -> Result<Self, Refusal> {
            let parsed = match after_file_scheme(&stripped(base)) {
                Some(rest) => FileUrl::parse(rest, None).map(Self::File),
                None => Url::parse(base).map(Self::Other),
            };
            parsed.map_err(|error| {
                let fault = fault(base, error);
                Refusal {
                    message: format!("the base does not parse: {}", fault.message).into(),
                    range: None,
                    ..refusal(&fault)
                }
            })
        }

        /// The target of `reference`, normalized.
        pub(in super::super) fn join(&self, reference: &str) -> Result<String, Refusal> {
            self.target(reference)
                .and_then(|target| match target {
                    Self::File(url) => url.serialize(),
                    Self::Other(url) => Ok(encoded(url)),
                })
                .map_err(|error| refusal(&fault(reference, error)))
        }

        fn target(&self, reference: &str) -> Result<Self, ParseError> {
            let text = stripped(reference);
            let (rest, has_scheme) = match after_file_scheme(&text) {
                Some(rest) => (rest, false),
                None => (&*text, Parts::split(&text).scheme.is_some()),
            };
            match self {
                Self::File(base) if !has_scheme => FileUrl::parse(rest, Some(base)).map(Self::File),
                Self::File(_) => Url::parse(reference).map(Self::Other),
                Self::Other(_) if rest.len() < text.len() => {
                    FileUrl::parse(rest, None).map(Self::File)
                }
                Self::Other(base) => join(base, reference).map(Self::Other),
            }
        }

        fn host_kind(&self) -> HostKind {
            let host = match self {
                Self::File(url) => url.host().map(|host| host.to_owned()),
                Self::Other(url) => url.host().map(|host| host.to_owned()),
            };
            match host {
                Some(Host::Ipv4(_)) => HostKind::Ipv4,
                Some(Host::Ipv6(_)) => HostKind::Ipv6,
                Some(Host::Domain(_)) | None => HostKind::Name,
            }
        }
    }

    /// Joins with the crate, after respelling references that it reads differently from the
    /// standard.
    fn join(base: &Url, reference: &str) -> Result<Url, ParseError> {
        if let Some(rest) = after_surplus_slashes(base, reference) {
            base.join(&format!("//{rest}"))
        } else if let Some(path) = backslashed(base, reference) {
            base.join(&path)
        } else {
            base.join(reference)
        }
    }

    /// A path that begins with a backslash or with `/\`, against a base whose scheme is not
    /// special. There a backslash is an ordinary character, but the crate reads it as a slash. A
    /// `.` segment before it prevents that.
    fn backslashed(base: &Url, reference: &str) -> Option<String> {
        if is_special(base) || base.cannot_be_a_base() {
            return None;
        }
        let trimmed = reference.trim_start_matches(|c: char| c <= ' ');
        let (root, rest) = match trimmed.strip_prefix('/') {
            Some(rest) => ("/", rest.trim_start_matches(['\t', '\n', '\r'])),
            None => ("", trimmed),
        };
        rest.starts_with('\\').then(|| format!("{root}./{rest}"))
    }

    /// The text after three or more leading slashes. The standard reads them as two, the crate
    /// `url` does not ("special authority ignore slashes state", against a base).
    fn after_surplus_slashes<'a>(base: &Url, reference: &'a str) -> Option<&'a str> {
        if !is_special(base) {
            return None;
        }
        // The standard removes leading controls and spaces, and all tabs and line breaks.
        let trimmed = reference.trim_start_matches(|c: char| c <= ' ');
        let rest = trimmed.trim_start_matches(['/', '\\', '\t', '\n', '\r']);
        let slashes = &trimmed[..trimmed.len() - rest.len()];
        (slashes.matches(['/', '\\']).count() > 2).then_some(rest)
    }

    /// The kind of the host of `reference` against a base whose scheme is `http`. Fails if the
    /// parser of the standard fails.
    pub(in super::super) fn host_kind(reference: &str) -> Result<HostKind, Fault> {
        let base = Url::parse("http://base/").map(WhatwgBase::Other);
        base.and_then(|base| base.target(reference))
            .map(|target| target.host_kind())
            .map_err(|error| fault(reference, error))
    }

    /// Removes surrounding C0 controls and spaces, and all tabs and line breaks (4.4, steps 1 to
    /// 3).
    fn stripped(text: &str) -> Cow<'_, str> {
        let text = text.trim_matches(|c: char| c <= ' ');
        if text.contains(DROPPED) {
            Cow::Owned(text.replace(DROPPED, ""))
        } else {
            Cow::Borrowed(text)
        }
    }

    const DROPPED: [char; 3] = ['\t', '\n', '\r'];

    fn after_file_scheme(text: &str) -> Option<&str> {
        let (scheme, rest) = text.split_once(':')?;
        scheme.eq_ignore_ascii_case("file").then_some(rest)
    }

    /// The fault for a parser error. The parser reports no position, but fails only on the
    /// authority, and mostly on the host.
    fn fault(reference: &str, error: ParseError) -> Fault {
        let (message, rule) = match error {
            ParseError::EmptyHost => ("the host is missing", "WHATWG URL, 4.4"),
            ParseError::InvalidPort => ("a port is a number up to 65535", "WHATWG URL, 4.4"),
            ParseError::IdnaError => ("not a domain name", "WHATWG URL, 3.3"),
            ParseError::InvalidIpv4Address => ("not an IPv4 address", "WHATWG URL, 3.5"),
            ParseError::InvalidIpv6Address => ("not an IPv6 address", "WHATWG URL, 3.5"),
            ParseError::InvalidDomainCharacter => {
                ("not allowed in a domain name", "WHATWG URL, 3.2")
            }
            ParseError::RelativeUrlWithCannotBeABaseBase => {
                ("relative, and the base has no path to be relative to", "WHATWG URL, 4.4")
            }
            _ => ("the parser of the standard fails on it", "WHATWG URL, 4.4"),
        };
        let mut range = 0..reference.len();
        let Ends { scheme, authority, .. } = Ends::split(reference);
        if authority > scheme + "//".len() {
            range = scheme + "//".len()..authority;
        }
        Fault { start: range.start, end: range.end, message, rule }
    }

    fn is_special(url: &Url) -> bool {
        matches!(url.scheme(), "http" | "https" | "ws" | "wss" | "ftp")
    }

    /// The text of a target. Also encodes the characters that the standard encodes and the crate
    /// does not: `^` in a path, and the space before `?` or `#` in an opaque path.
    pub(super) fn encoded(target: Url) -> String {
        let path = target.path();
        let path = if target.cannot_be_a_base() {
            let goes_on = target.query().is_some() || target.fragment().is_some();
            path.strip_suffix(' ').filter(|_| goes_on).map(|path| format!("{path}%20"))
        } else {
            path.contains('^').then(|| path.replace('^', "%5E"))
        };
        match path {
            None => String::from(target),
            Some(path) => {
                [&target[..Position::BeforePath], &path, &target[Position::AfterPath..]].concat()
            }
        }
    }

    fn refusal(fault: &Fault) -> Refusal {
        Refusal {
            kind: ErrorKind::Whatwg,
            message: Cow::Borrowed(fault.message),
            rule: fault.rule,
            range: Some(fault.start..fault.end),
        }
    }
}

#[cfg(not(feature = "whatwg"))]
mod parser {
    use super::*;

    /// The type of bases without the crate: it has no values.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(in super::super) enum WhatwgBase {}

    impl WhatwgBase {
        pub(in super::super) fn parse(_: &str) -> Result<Self, Refusal> {
            Err(Refusal {
                kind: ErrorKind::WhatwgUnavailable,
                message: Cow::Borrowed("built without the feature `whatwg`"),
                rule: "WHATWG URL",
                range: None,
            })
        }

        pub(in super::super) fn join(&self, _: &str) -> Result<String, Refusal> {
            match *self {}
        }
    }

    /// Always fails without the crate.
    pub(in super::super) fn host_kind(reference: &str) -> Result<HostKind, Fault> {
        Err(Fault {
            start: 0,
            end: reference.len(),
            message: "built without the feature `whatwg`",
            rule: "WHATWG URL",
        })
    }
}

#[cfg(feature = "whatwg")]
use parser::encoded;
pub(super) use parser::{WhatwgBase, host_kind};
