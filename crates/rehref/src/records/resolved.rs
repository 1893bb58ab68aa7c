//! The records of resolved references.

use std::borrow::Cow;

use super::Failure;
use super::bytes::Bytes;
use crate::uri::{Base, Parts, Profile, ResolveError, Resolved, Resolver, Step};

/// A resolved reference.
#[derive(Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema_names::tagged("resolved")))]
#[serde(tag = "type", rename = "resolved")]
pub struct ResolvedRecord<'r> {
    /// The base URI.
    pub base: &'r str,
    /// The reference.
    #[serde(rename = "ref")]
    pub reference: Option<Bytes<'r>>,
    /// The target URI.
    pub uri: Option<Bytes<'r>>,
    /// True if the reference is to the current document.
    pub current_document: bool,
    /// The fragment.
    pub fragment: Option<&'r str>,
    /// The reason that there is no target.
    pub error: Option<Failure>,
    /// The step of the algorithm that decided, if explanations are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
    /// True if the error is that no relative reference resolves to the URI.
    #[serde(skip)]
    pub is_unreachable: bool,
}

/// The base of many references. If it is invalid, each of them has this error.
///
/// ```
/// use rehref::records::RecordBase;
///
/// let base = RecordBase::new("http://a/b/c/d", Default::default());
/// let record = base.resolve(b"../g");
/// assert_eq!(&*record.uri.unwrap().0, b"http://a/b/g");
/// let record = base.relative(b"http://a/b/g");
/// assert_eq!(&*record.reference.unwrap().0, b"../g");
/// ```
#[derive(Clone, Debug)]
pub struct RecordBase {
    text: String,
    profile: Profile,
    base: Result<Base, ResolveError>,
}

impl RecordBase {
    /// The base `uri`.
    pub fn new(uri: impl Into<String>, resolver: Resolver) -> Self {
        let text = uri.into();
        Self { profile: resolver.profile, base: resolver.base(&text), text }
    }

    /// Resolves a reference.
    pub fn resolve<'r>(&'r self, reference: &'r [u8]) -> ResolvedRecord<'r> {
        let mut record = self.record();
        record.reference = Some(Bytes::new(reference));
        let text = match utf8(reference) {
            Ok(text) => text,
            Err(failure) => return record.failed(failure),
        };
        record.fragment = Parts::split(text).fragment;
        let found = match &self.base {
            Ok(base) => base.explain(text),
            Err(error) => Err(error.clone()),
        };
        let step = match found {
            Ok((Resolved::Target(uri), step)) => {
                record.uri = Some(Bytes(Cow::Owned(uri.into_bytes())));
                Some(step)
            }
            Ok((Resolved::CurrentDocument { .. }, step)) => {
                record.current_document = true;
                Some(step)
            }
            Err(error) => {
                record.error = Some(Failure::from(&error));
                error.step()
            }
        };
        record.explanation = step.map(|step| Explanation::new(step, self.profile));
        record
    }

    /// Finds the shortest relative reference to a URI.
    pub fn relative<'r>(&'r self, uri: &'r [u8]) -> ResolvedRecord<'r> {
        let mut record = self.record();
        record.uri = Some(Bytes::new(uri));
        let text = match utf8(uri) {
            Ok(text) => text,
            Err(failure) => return record.failed(failure),
        };
        let parts = Parts::split(text);
        record.fragment = parts.fragment;
        let base = match &self.base {
            Ok(base) => base,
            Err(error) => return record.failed(error.into()),
        };
        if let Some(found) = base.relative_reference(text) {
            record.reference = Some(Bytes(Cow::Owned(found.into_bytes())));
            return record;
        }
        record.is_unreachable = true;
        let rule = Step::MergedPath.rule(self.profile);
        record.failed(match parts.scheme {
            None => Failure::whole("not an absolute URI", "RFC 3986, 4.3"),
            Some(_) => Failure::whole("no relative reference resolves to it", rule),
        })
    }

    fn record(&self) -> ResolvedRecord<'_> {
        ResolvedRecord {
            base: &self.text,
            reference: None,
            uri: None,
            current_document: false,
            fragment: None,
            error: None,
            explanation: None,
            is_unreachable: false,
        }
    }
}

impl ResolvedRecord<'_> {
    fn failed(self, failure: Failure) -> Self {
        Self { error: Some(failure), ..self }
    }
}

fn utf8(bytes: &[u8]) -> Result<&str, Failure> {
    str::from_utf8(bytes).map_err(|error| Failure::not_utf8(error, bytes))
}

/// A step of a resolving algorithm.
#[derive(Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explanation {
    /// The name of the step.
    #[cfg_attr(feature = "schema", schemars(with = "super::schema_names::StepName"))]
    pub step: &'static str,
    /// The specification and section.
    pub rule: &'static str,
    /// A sentence about the step.
    pub text: &'static str,
}

impl Explanation {
    /// The explanation of a step of this profile's algorithm.
    pub fn new(step: Step, profile: Profile) -> Self {
        Self { step: step.as_str(), rule: step.rule(profile), text: step.as_sentence() }
    }
}
