//! The schemas of strings: names from a list, and strings that need not be UTF-8.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use serde_json::json;

use super::bytes::Bytes;
use crate::check::BrokenReason;
use crate::error::Warning;
use crate::format::Format;
use crate::link::{Delimiter, Directive, MarkdownForm, Note, Role};
use crate::rewrite::Edit;
use crate::source::BaseFrom;
use crate::unpack::captures::Lack;
use crate::uri::{Grammar, HostKind, Step};

impl JsonSchema for Bytes<'_> {
    fn schema_name() -> Cow<'static, str> {
        "bytes".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A string, or its bytes in base64 if they are not UTF-8.",
            "anyOf": [
                {"type": "string"},
                {
                    "type": "object",
                    "properties": {"bytes": {"type": "string", "contentEncoding": "base64"}},
                    "required": ["bytes"],
                },
            ],
        })
    }
}

/// Returns a transform that adds the field `type` of a record, which serde adds when it writes one.
pub(super) fn tagged(name: &'static str) -> impl Fn(&mut Schema) {
    move |schema| {
        let object = schema.ensure_object();
        if let Some(properties) =
            object.entry("properties").or_insert_with(|| json!({})).as_object_mut()
        {
            properties.insert("type".to_owned(), json!({"const": name}));
        }
        if let Some(required) = object.entry("required").or_insert_with(|| json!([])).as_array_mut()
        {
            required.insert(0, "type".into());
        }
    }
}

/// Types whose schema lists the names of a field.
macro_rules! names {
    ($($(#[$cfg:meta])? $name:ident = $schema:literal: $values:expr;)*) => {
        $(
            $(#[$cfg])?
            #[doc = concat!("The values of `", $schema, "`.")]
            pub(super) struct $name;

            $(#[$cfg])?
            impl JsonSchema for $name {
                fn schema_name() -> Cow<'static, str> {
                    $schema.into()
                }

                fn json_schema(_: &mut SchemaGenerator) -> Schema {
                    let names: Vec<&str> = $values.collect();
                    json_schema!({"type": "string", "enum": names})
                }
            }
        )*
    };
}

names! {
    RoleName = "role": Role::ALL.iter().map(|it| it.as_str());
    PlaceName = "place": Format::places();
    CueName = "cue": Delimiter::ALL.iter().map(|it| it.as_str())
        .chain(MarkdownForm::ALL.iter().map(|it| it.as_str()))
        .chain(Directive::ALL.iter().map(|it| it.as_str()));
    NoteName = "note": Note::ALL.iter().map(|it| it.as_str());
    BaseFromName = "base_from": BaseFrom::ALL.iter().map(|it| it.as_str());
    CodeName = "code": Warning::ALL.iter().map(|it| it.code()).chain(Warning::OTHER_CODES.iter().copied());
    WhyName = "why": BrokenReason::ALL.iter().map(|it| it.as_str());
    LackName = "lack": Lack::ALL.iter().map(|it| it.as_str());
    RuleName = "rule": Edit::RULES.iter().copied();
    StepName = "step": Step::ALL.iter().map(|it| it.as_str());
    GrammarName = "profile": Grammar::ALL.iter().map(|it| it.as_str());
    HostKindName = "host_kind": HostKind::ALL.iter().map(|it| it.as_str());
}
