//! Rewriting: rules decide about links, a plan has the edits and the reasons for all other links.

mod diff;
mod edits;
mod mapper;
mod output;
mod output_bases;
mod plan;
mod rules;
mod skip_reason;
mod verify;

pub use diff::{DiffNames, appended_diff, quoted_name, unified_diff};
pub use edits::{Edit, Edits};
pub use mapper::{Decision, Mapper};
pub use output_bases::{BaseElements, OutputBases};
pub use plan::Plan;
pub(crate) use rules::is_apart_from_base;
pub use rules::{
    DocumentRelocation, DocumentRules, Evidence, MirrorPage, PatternMap, PatternMapError,
    PrefixMap, PrefixMapError, Relocation, Rule, Rules, Unmappable,
};
pub use skip_reason::SkipReason;
pub use verify::{Mismatch, verify};
