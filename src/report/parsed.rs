//! The record of `rehref parse`.

use serde_json::Value;

use super::{Bytes, SchemeRecord};
use crate::uri::{Authority, Equivalence, Grammar, Parsed, SyntaxError, normalize};

/// What a grammar makes of a text.
#[derive(Debug, Default, serde::Serialize)]
#[serde(tag = "type", rename = "uri")]
pub struct UriRecord<'r> {
    input: Bytes<'r>,
    profile: &'static str,
    valid: bool,
    components_valid: bool,
    scheme: Option<&'r str>,
    authority: Option<&'r str>,
    authority_kind: Option<&'static str>,
    userinfo: Option<&'r str>,
    user: Option<&'r str>,
    password: Option<&'r str>,
    host: Option<&'r str>,
    host_kind: Option<&'static str>,
    port: Option<&'r str>,
    path: Option<&'r str>,
    query: Option<&'r str>,
    fragment: Option<&'r str>,
    /// The text normalised at each level.
    pub normalized: Option<Normalized>,
    scheme_specific: Option<SchemeRecord<'r>>,
    error: Option<SyntaxFailure>,
    component_error: Option<SyntaxFailure>,
}

/// The text normalised at each level.
#[derive(Debug, serde::Serialize)]
pub struct Normalized {
    /// By the draft of 1997.
    pub common: String,
    /// Case.
    pub case: String,
    /// Case, escapes and dot segments.
    pub syntax: String,
    /// All that, and what the scheme says.
    pub scheme: String,
}

/// Why a text is no reference, or one of its components not what it should be.
#[derive(Debug, serde::Serialize)]
struct SyntaxFailure {
    message: &'static str,
    rule: &'static str,
    start: usize,
    end: usize,
    accepted_by: Vec<&'static str>,
}

impl From<&SyntaxError> for SyntaxFailure {
    fn from(error: &SyntaxError) -> Self {
        Self {
            message: error.message(),
            rule: error.rule(),
            start: error.range().start,
            end: error.range().end,
            accepted_by: error.accepted_by().map(Grammar::as_str).collect(),
        }
    }
}

impl<'r> UriRecord<'r> {
    /// The record of `input` and what was made of it.
    pub fn new(input: &'r str, parsed: &'r Parsed<'r>) -> Self {
        let parts = parsed.parts;
        let server = parsed.server();
        // The draft of 1997 knows a user and a password, later texts userinfo alone; what RFC 1738
        // knows of them is specific to the scheme.
        let site = server.filter(|_| parsed.grammar == Grammar::Url1997);
        let userinfo = server
            .filter(|_| parsed.grammar > Grammar::Url1997)
            .and_then(|server| server.userinfo);
        let (authority_kind, host_kind) = match parsed.authority {
            None => (None, None),
            Some(Authority::RegistryName) => (Some("reg_name"), None),
            Some(Authority::Server { host_kind, .. }) => (Some("server"), Some(host_kind.as_str())),
        };
        Self {
            input: Bytes(input.as_bytes()),
            profile: parsed.grammar.as_str(),
            valid: parsed.is_valid(),
            components_valid: parsed.is_valid() && parsed.component_error.is_none(),
            scheme: parts.scheme,
            authority: parts.authority,
            authority_kind,
            userinfo,
            user: site.and_then(|site| site.user()),
            password: site.and_then(|site| site.password()),
            host: server.map(|server| server.host),
            host_kind,
            port: server.and_then(|server| server.port),
            path: Some(parts.path),
            query: parts.query,
            fragment: parts.fragment,
            normalized: Some(Normalized {
                common: normalize(input, Equivalence::Common),
                case: normalize(input, Equivalence::Case),
                syntax: normalize(input, Equivalence::Syntax),
                scheme: normalize(input, Equivalence::Scheme),
            }),
            scheme_specific: parsed.scheme_specific.as_ref().and_then(SchemeRecord::new),
            error: parsed.error.as_ref().map(SyntaxFailure::from),
            component_error: parsed.component_error.as_ref().map(SyntaxFailure::from),
        }
    }

    /// The record of an input that is not UTF-8 from byte `at` on: it has no components.
    pub fn not_utf8(input: &'r [u8], grammar: Grammar, at: usize) -> Self {
        Self {
            input: Bytes(input),
            error: Some(SyntaxFailure {
                message: "not UTF-8",
                rule: "RFC 3987, 2.1",
                start: at,
                end: input.len(),
                accepted_by: Vec::new(),
            }),
            profile: grammar.as_str(),
            ..Self::default()
        }
    }

    /// What RFC 1738 says beyond the components, each with the scheme before its name, as
    /// `ftp.typecode`. Lists are JSON. Undefined fields are left out, and those that components
    /// show already.
    pub fn scheme_specific_fields(&self) -> Vec<(String, String)> {
        let record = serde_json::to_value(&self.scheme_specific);
        let Ok(Value::Object(fields)) = record else {
            return Vec::new();
        };
        let scheme = fields["scheme"].as_str().unwrap_or_default();
        let shown = |name: &str| matches!(name, "scheme" | "host" | "port");
        fields
            .iter()
            .filter(|(name, value)| !shown(name) && !value.is_null())
            .map(|(name, value)| {
                let value = value.as_str().map_or(value.to_string(), str::to_owned);
                (format!("{scheme}.{name}"), value)
            })
            .collect()
    }

    /// The components with their names, undefined ones too.
    pub fn components(&self) -> [(&'static str, Option<&'r str>); 10] {
        [
            ("scheme", self.scheme),
            ("authority", self.authority),
            ("userinfo", self.userinfo),
            ("user", self.user),
            ("password", self.password),
            ("host", self.host),
            ("port", self.port),
            ("path", self.path),
            ("query", self.query),
            ("fragment", self.fragment),
        ]
    }
}
