//! The records of resolved references.

use super::Failure;
use super::bytes::Bytes;
use crate::uri::{Profile, Step};

/// A resolved reference.
#[derive(Debug, serde::Serialize)]
#[serde(tag = "type", rename = "resolved")]
pub struct ResolvedRecord<'r> {
    /// The base URI.
    pub base: &'r str,
    /// The reference.
    #[serde(rename = "ref")]
    pub reference: Option<Bytes<'r>>,
    /// The target URI.
    pub uri: Option<Bytes<'r>>,
    /// Whether the reference is to the current document.
    pub current_document: bool,
    /// The fragment.
    pub fragment: Option<&'r str>,
    /// The reason that there is no target.
    pub error: Option<Failure>,
    /// The step of the algorithm that decided, if explanations are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
}

/// A step of a resolving algorithm.
#[derive(Debug, serde::Serialize)]
pub struct Explanation {
    /// The name of the step.
    pub step: &'static str,
    /// The specification and section.
    pub rule: &'static str,
    /// A sentence about the step.
    pub text: &'static str,
}

impl Explanation {
    /// The explanation of a step of this profile's algorithm.
    pub fn new(step: Step, profile: Profile) -> Self {
        Self {
            step: step.as_str(),
            rule: step.rule(profile),
            text: step.as_sentence(),
        }
    }
}
