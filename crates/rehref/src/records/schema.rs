//! The JSON Schema of the records.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::{
    BrokenRecord, BrokenTargetRecord, CheckSummary, CountRecord, EditRecord, FileCountRecord,
    LinkRecord, MoveRecord, OrphanRecord, ResolvedRecord, SummaryRecord, UriRecord, WarningRecord,
};
use super::{MissingRecord, RedirectRecord, UnpackSummary, UnpackedFileRecord};

/// A record of any kind.
#[derive(JsonSchema)]
#[schemars(untagged, title = "A record of rehref")]
#[expect(dead_code, reason = "only its schema is used")]
enum Record {
    Link(LinkRecord<'static>),
    Warning(WarningRecord<'static>),
    Count(CountRecord<'static>),
    FileCount(FileCountRecord<'static>),
    Summary(SummaryRecord),
    Broken(BrokenRecord<'static>),
    BrokenTarget(BrokenTargetRecord<'static>),
    Orphan(OrphanRecord<'static>),
    CheckSummary(CheckSummary),
    Edit(EditRecord<'static>),
    Move(MoveRecord<'static>),
    Resolved(ResolvedRecord<'static>),
    Uri(UriRecord<'static>),
    UnpackedFile(UnpackedFileRecord<'static>),
    Redirect(RedirectRecord<'static>),
    Missing(MissingRecord<'static>),
    UnpackSummary(UnpackSummary),
}

/// Returns the JSON Schema of a record of any kind: a line that `--json` prints. The function needs
/// the feature `schema`.
///
/// Fields whose values are names from a list have all of them. Later versions may add fields.
///
/// ```
/// let schema = rehref::records::schema();
/// assert_eq!(schema["$defs"]["role"]["enum"][0], "navigate");
/// ```
pub fn schema() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<Record>().to_value()
}
