//! The record of links that have something in common.

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::bytes::Bytes;
use super::report::LinkReport;
use crate::link::MatchedText;
use crate::uri::{Domain, Parts};

/// What counted links have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CountBy {
    /// The host, in lower case (RFC 3986, 6.2.2.1).
    Host,
    /// The URL, or the reference if the URL is unknown.
    Url,
    /// The scheme, in lower case.
    Scheme,
    /// The document that contains the links.
    Document,
    /// The URL without its fragment, or the reference without it if the URL is unknown.
    Target,
}

impl CountBy {
    /// All values.
    pub const ALL: &[Self] = &[Self::Host, Self::Url, Self::Scheme, Self::Document, Self::Target];

    /// The name, also of the field in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Url => "url",
            Self::Scheme => "scheme",
            Self::Document => "doc",
            Self::Target => "target",
        }
    }

    /// The text that a link has in common with others, in bytes. Empty for a link without one, such
    /// as the host of `mailto:`, or the target of `#top` if the URL of its document is unknown.
    /// URLs and targets are those of the reference if `text` is the reference.
    pub fn key<'r>(self, report: &LinkReport<'r>, text: MatchedText) -> Cow<'r, [u8]> {
        let url = match text {
            MatchedText::Reference => report.reference(),
            MatchedText::Url | MatchedText::Either => report.url_or_reference(),
        };
        let lower = |it: Option<&str>| Cow::Owned(it.unwrap_or_default().to_ascii_lowercase());
        let text: Cow<'r, str> = match self {
            Self::Host => match report.host().and_then(Domain::of) {
                Some(domain) => Cow::Owned(domain.ascii),
                None => lower(report.host()),
            },
            Self::Scheme => lower(report.scheme()),
            Self::Url => Cow::Borrowed(url),
            Self::Target => {
                let fragment = Parts::split(url).fragment.map_or(0, |it| it.len() + 1);
                Cow::Borrowed(&url[..url.len() - fragment])
            }
            Self::Document => {
                let name = report.document().path().as_os_str();
                return Cow::Borrowed(name.as_encoded_bytes());
            }
        };
        match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        }
    }
}

rehref_uri::from_name!(CountBy);

/// The number of links with the same host, URL, scheme, document or target.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CountRecord<'r> {
    /// What the links have in common: the name of the field.
    pub by: CountBy,
    /// The value of the field. `None` for links without one.
    pub value: Option<Bytes<'r>>,
    /// The number of links.
    pub links: usize,
}

impl<'r> CountRecord<'r> {
    /// The record of a [key](CountBy::key).
    pub fn new(by: CountBy, key: &'r [u8], links: usize) -> Self {
        Self { by, value: (!key.is_empty()).then_some(Bytes::new(key)), links }
    }
}

/// Not derived: the value has the name of what is counted by.
impl Serialize for CountRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("count", 3)?;
        record.serialize_field("type", "count")?;
        record.serialize_field(self.by.as_str(), &self.value)?;
        record.serialize_field("links", &self.links)?;
        record.end()
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for CountRecord<'_> {
    fn schema_name() -> Cow<'static, str> {
        "CountRecord".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let value = generator.subschema_for::<Option<Bytes<'_>>>();
        let links = generator.subschema_for::<usize>();
        let records: Vec<_> = CountBy::ALL
            .iter()
            .map(|by| {
                let name = by.as_str();
                schemars::json_schema!({
                    "type": "object",
                    "properties": {"type": {"const": "count"}, name: value, "links": links},
                    "required": ["type", name, "links"],
                })
            })
            .collect();
        schemars::json_schema!({
            "description": "The number of links with the same host, URL, scheme, document or \
                            target. The value is null for links without one.",
            "anyOf": records,
        })
    }
}
