//! The URL Standard: what browsers take, and where it leads; by the crate `url`, where it is built in.

use std::borrow::Cow;

#[cfg(feature = "whatwg")]
use super::Reference;
use super::error::Refusal;
use super::fault::Fault;
#[cfg(feature = "whatwg")]
use super::reference::Ends;
use super::{ErrorKind, HostKind};

#[cfg(feature = "whatwg")]
mod parser {
    use url::{Host, Position, Url};

    use super::*;

    /// A base that the standard's parser accepts.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(in super::super) struct WhatwgBase(Url);

    impl WhatwgBase {
        pub(in super::super) fn parse(base: &str) -> Result<Self, Refusal> {
            Url::parse(base).map(Self).map_err(|error| {
                let fault = fault(base, error);
                Refusal {
                    message: format!("the base does not parse: {}", fault.message).into(),
                    range: None,
                    ..refusal(&fault)
                }
            })
        }

        /// The target of `reference`, normalised.
        pub(in super::super) fn join(&self, reference: &str) -> Result<String, Refusal> {
            self.target(reference)
                .map(encoded)
                .map_err(|error| refusal(&fault(reference, error)))
        }

        fn target(&self, reference: &str) -> Result<Url, url::ParseError> {
            if let Some(rest) = self.after_surplus_slashes(reference) {
                self.0.join(&format!("//{rest}"))
            } else if let Some(path) = self.backslashed(reference) {
                self.0.join(&path)
            } else {
                self.0.join(reference)
            }
        }

        /// A path that begins with a backslash or with `/\`, where that is a character like others and
        /// the crate takes it for a slash: against a base whose scheme is not special. With a `.`
        /// segment before it, it is not at the beginning.
        fn backslashed(&self, reference: &str) -> Option<String> {
            if is_special(&self.0) || self.0.cannot_be_a_base() {
                return None;
            }
            let trimmed = reference.trim_start_matches(|c: char| c <= ' ');
            let (root, rest) = match trimmed.strip_prefix('/') {
                Some(rest) => ("/", rest.trim_start_matches(['\t', '\n', '\r'])),
                None => ("", trimmed),
            };
            rest.starts_with('\\').then(|| format!("{root}./{rest}"))
        }

        /// What follows three or more leading slashes, where the standard takes them for two and the
        /// crate `url` does not ("special authority ignore slashes state", against a base).
        fn after_surplus_slashes<'a>(&self, reference: &'a str) -> Option<&'a str> {
            // `file` has states of its own.
            if !is_special(&self.0) || self.0.scheme() == "file" {
                return None;
            }
            // The standard strips the former and drops tabs and line ends wherever they are.
            let trimmed = reference.trim_start_matches(|c: char| c <= ' ');
            let rest = trimmed.trim_start_matches(['/', '\\', '\t', '\n', '\r']);
            let slashes = &trimmed[..trimmed.len() - rest.len()];
            (slashes.matches(['/', '\\']).count() > 2).then_some(rest)
        }
    }

    /// What the host is that `reference` leads to against a base whose scheme is `http`, if the
    /// parser of the standard does not fail.
    pub(in super::super) fn host_kind(reference: &str) -> Result<HostKind, Fault> {
        let base = Url::parse("http://base/").map(WhatwgBase);
        let target = base.and_then(|base| base.target(reference));
        match target.map_err(|error| fault(reference, error))?.host() {
            Some(Host::Ipv4(_)) => Ok(HostKind::Ipv4),
            Some(Host::Ipv6(_)) => Ok(HostKind::Ipv6),
            Some(Host::Domain(_)) | None => Ok(HostKind::Name),
        }
    }

    /// The parser tells no place; but all that it fails on is in the authority, and nearly all in the
    /// host.
    fn fault(reference: &str, error: url::ParseError) -> Fault {
        let (message, rule) = match error {
            url::ParseError::EmptyHost => ("the host is missing", "WHATWG URL, 4.4"),
            url::ParseError::InvalidPort => ("a port is a number up to 65535", "WHATWG URL, 4.4"),
            url::ParseError::IdnaError => ("not a domain name", "WHATWG URL, 3.3"),
            url::ParseError::InvalidIpv4Address => ("not an IPv4 address", "WHATWG URL, 3.5"),
            url::ParseError::InvalidIpv6Address => ("not an IPv6 address", "WHATWG URL, 3.5"),
            url::ParseError::InvalidDomainCharacter => {
                ("not allowed in a domain name", "WHATWG URL, 3.2")
            }
            url::ParseError::RelativeUrlWithCannotBeABaseBase => (
                "relative, and the base has no path to be relative to",
                "WHATWG URL, 4.4",
            ),
            _ => ("the parser of the standard fails on it", "WHATWG URL, 4.4"),
        };
        let mut range = 0..reference.len();
        let Ends {
            scheme, authority, ..
        } = Reference::split(reference).ends;
        if authority > scheme + "//".len() {
            range = scheme + "//".len()..authority;
        }
        Fault {
            start: range.start,
            end: range.end,
            message,
            rule,
        }
    }

    fn is_special(url: &Url) -> bool {
        matches!(
            url.scheme(),
            "http" | "https" | "ws" | "wss" | "ftp" | "file"
        )
    }

    /// The text of a target, with what the standard encodes and the crate does not: `^` in a path,
    /// and of an opaque path the blank before `?` or `#`.
    fn encoded(target: Url) -> String {
        let path = target.path();
        let path = if target.cannot_be_a_base() {
            let goes_on = target.query().is_some() || target.fragment().is_some();
            path.strip_suffix(' ')
                .filter(|_| goes_on)
                .map(|path| format!("{path}%20"))
        } else {
            path.contains('^').then(|| path.replace('^', "%5E"))
        };
        match path {
            None => String::from(target),
            Some(path) => [
                &target[..Position::BeforePath],
                &path,
                &target[Position::AfterPath..],
            ]
            .concat(),
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

    /// Without the crate there is none.
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

    /// Nothing is derived without the crate.
    pub(in super::super) fn host_kind(reference: &str) -> Result<HostKind, Fault> {
        Err(Fault {
            start: 0,
            end: reference.len(),
            message: "built without the feature `whatwg`",
            rule: "WHATWG URL",
        })
    }
}

pub(super) use parser::{WhatwgBase, host_kind};
