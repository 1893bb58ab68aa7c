//! Resolving as browsers do, by the crate `url` where it is built in.

use std::borrow::Cow;

use super::ErrorKind;

/// What `url` or its absence has against a base or a reference.
pub(super) type Refusal = (ErrorKind, Cow<'static, str>);

#[cfg(feature = "whatwg")]
mod parser {
    use url::Url;

    use super::*;

    /// A base that the standard's parser accepts.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(in super::super) struct WhatwgBase(Url);

    impl WhatwgBase {
        pub(in super::super) fn parse(base: &str) -> Result<Self, Refusal> {
            Url::parse(base)
                .map(Self)
                .map_err(|error| refusal("base", error))
        }

        /// The target of `reference`, normalised.
        pub(in super::super) fn join(&self, reference: &str) -> Result<String, Refusal> {
            let target = match self.after_surplus_slashes(reference) {
                Some(rest) => self.0.join(&format!("//{rest}")),
                None => self.0.join(reference),
            };
            target
                .map(String::from)
                .map_err(|error| refusal("reference", error))
        }

        /// What follows three or more leading slashes, where the standard takes them for two and the
        /// crate `url` does not ("special authority ignore slashes state", against a base).
        fn after_surplus_slashes<'a>(&self, reference: &'a str) -> Option<&'a str> {
            if !matches!(self.0.scheme(), "http" | "https" | "ws" | "wss" | "ftp") {
                return None;
            }
            // The standard strips the former and drops tabs and line ends wherever they are.
            let trimmed = reference.trim_start_matches(|c: char| c <= ' ');
            let rest = trimmed.trim_start_matches(['/', '\\', '\t', '\n', '\r']);
            let slashes = &trimmed[..trimmed.len() - rest.len()];
            (slashes.matches(['/', '\\']).count() > 2).then_some(rest)
        }
    }

    fn refusal(what: &str, error: url::ParseError) -> Refusal {
        let message = format!("the {what} does not parse: {error}");
        (ErrorKind::Whatwg, Cow::Owned(message))
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
            let message = "built without the feature `whatwg`";
            Err((ErrorKind::WhatwgUnavailable, Cow::Borrowed(message)))
        }

        pub(in super::super) fn join(&self, _: &str) -> Result<String, Refusal> {
            match *self {}
        }
    }
}

pub(super) use parser::WhatwgBase;
