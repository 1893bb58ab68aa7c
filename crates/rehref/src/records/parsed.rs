//! The record of `rehref parse`.

use serde_json::Value;

use super::{Bytes, Failure, SchemeRecord};
use crate::uri::{Authority, Equivalence, Grammar, Parsed, Parts, Server, normalize};

/// A text parsed by a grammar.
#[derive(Debug, Default, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema_names::tagged("uri")))]
#[serde(tag = "type", rename = "uri")]
pub struct UriRecord<'r> {
    input: Bytes<'r>,
    #[cfg_attr(feature = "schema", schemars(with = "super::schema_names::GrammarName"))]
    profile: &'static str,
    valid: bool,
    components_valid: bool,
    scheme: Option<Bytes<'r>>,
    authority: Option<Bytes<'r>>,
    authority_kind: Option<&'static str>,
    userinfo: Option<&'r str>,
    user: Option<&'r str>,
    password: Option<&'r str>,
    host: Option<&'r str>,
    #[cfg_attr(feature = "schema", schemars(with = "Option<super::schema_names::HostKindName>"))]
    host_kind: Option<&'static str>,
    port: Option<&'r str>,
    path: Bytes<'r>,
    query: Option<Bytes<'r>>,
    fragment: Option<Bytes<'r>>,
    /// The normal forms, if the input is UTF-8.
    pub normalized: Option<Normalized>,
    scheme_specific: Option<SchemeRecord<'r>>,
    /// The reason that the text is invalid.
    pub error: Option<Failure>,
    /// The reason that a component is invalid, though the text is valid.
    pub component_error: Option<Failure>,
}

/// The normal forms of a text.
#[derive(Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Normalized {
    /// The form of the draft of 1997.
    pub common: String,
    /// With normalized case.
    pub case: String,
    /// Also with normalized escapes and dot segments.
    pub syntax: String,
    /// Also with the rules of the scheme.
    pub scheme: String,
}

impl Normalized {
    fn new(text: &str) -> Self {
        Self {
            common: normalize(text, Equivalence::Common),
            case: normalize(text, Equivalence::Case),
            syntax: normalize(text, Equivalence::Syntax),
            scheme: normalize(text, Equivalence::Scheme),
        }
    }
}

impl<'r> UriRecord<'r> {
    /// The record of `input` under a grammar. An input that is not UTF-8 is invalid.
    pub fn of_bytes(input: &'r [u8], grammar: Grammar) -> Self {
        match str::from_utf8(input) {
            Ok(text) => Self::new(text, &grammar.parse(text)),
            Err(error) => Self::not_utf8(input, grammar, Failure::not_utf8(error, input)),
        }
    }

    /// The record of `input` and its components.
    pub fn new(input: &'r str, parsed: &Parsed<'r>) -> Self {
        let mut record = Self {
            profile: parsed.grammar.as_str(),
            valid: parsed.is_valid(),
            components_valid: parsed.is_valid() && parsed.component_error.is_none(),
            normalized: Some(Normalized::new(input)),
            scheme_specific: parsed.scheme_specific.as_ref().and_then(SchemeRecord::new),
            error: parsed.error.as_ref().map(Failure::from),
            component_error: parsed.component_error.as_ref().map(Failure::from),
            ..Self::split(input.as_bytes(), input)
        };
        match parsed.authority {
            None => {}
            Some(Authority::RegistryName) => record.authority_kind = Some("reg_name"),
            Some(Authority::Server { server, host_kind }) => {
                record.authority_kind = Some("server");
                record.host_kind = Some(host_kind.as_str());
                record.set_server(server, parsed.grammar);
            }
        }
        record
    }

    /// The record of an input that is not UTF-8. Delimiters are ASCII, so it still has components.
    fn not_utf8(input: &'r [u8], grammar: Grammar, failure: Failure) -> Self {
        let ascii = |&byte: &u8| if byte.is_ascii() { byte.into() } else { 'x' };
        let masked: String = input.iter().map(ascii).collect();
        Self { profile: grammar.as_str(), error: Some(failure), ..Self::split(input, &masked) }
    }

    /// Splits `input` by Appendix B, at the delimiters of `text`, which has the same length.
    fn split(input: &'r [u8], text: &str) -> Self {
        let Parts { scheme, authority, path, query, fragment } = Parts::split_verbatim(text);
        let mut at = 0;
        // Delimiters are before a component; after it for the scheme.
        let mut next = |before: usize, component: Option<&str>, behind: usize| {
            let start = at + before;
            let end = start + component?.len();
            at = end + behind;
            Some(Bytes::new(&input[start..end]))
        };
        Self {
            input: Bytes::new(input),
            scheme: next(0, scheme, 1),
            authority: next(2, authority, 0),
            path: next(0, Some(path), 0).unwrap_or_default(),
            query: next(1, query, 0),
            fragment: next(1, fragment, 0),
            ..Self::default()
        }
    }

    fn set_server(&mut self, server: Server<'r>, grammar: Grammar) {
        self.host = Some(server.host);
        self.port = server.port;
        match grammar {
            // Its users and passwords are specific to the scheme.
            Grammar::Rfc1738 => {}
            Grammar::Url1997 => {
                self.user = server.user();
                self.password = server.password();
            }
            Grammar::Rfc2396
            | Grammar::Rfc2396bis00
            | Grammar::Rfc3986
            | Grammar::Rfc3987
            | Grammar::Whatwg => self.userinfo = server.userinfo,
        }
    }

    /// Returns the scheme-specific fields of RFC 1738 with the scheme before each name, such as
    /// `ftp.typecode`. Lists are JSON. Undefined fields, components and decoded components are left
    /// out.
    pub fn scheme_specific_fields(&self) -> Vec<(String, String)> {
        let record = serde_json::to_value(&self.scheme_specific);
        let Ok(Value::Object(fields)) = record else {
            return Vec::new();
        };
        let scheme = fields["scheme"].as_str().unwrap_or_default();
        let shown =
            |name: &str| matches!(name, "scheme" | "host" | "port") || name.ends_with("_decoded");
        fields
            .iter()
            .filter(|(name, value)| !shown(name) && !value.is_null())
            .map(|(name, value)| {
                let value = value.as_str().map_or(value.to_string(), str::to_owned);
                (format!("{scheme}.{name}"), value)
            })
            .collect()
    }

    /// Returns the components with their names, including undefined ones.
    pub fn components(&self) -> [(&'static str, Option<Bytes<'r>>); 10] {
        let text = |component: Option<&'r str>| component.map(|it| Bytes::new(it.as_bytes()));
        [
            ("scheme", self.scheme.clone()),
            ("authority", self.authority.clone()),
            ("userinfo", text(self.userinfo)),
            ("user", text(self.user)),
            ("password", text(self.password)),
            ("host", text(self.host)),
            ("port", text(self.port)),
            ("path", Some(self.path.clone())),
            ("query", self.query.clone()),
            ("fragment", self.fragment.clone()),
        ]
    }
}
