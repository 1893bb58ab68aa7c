//! Rewriting: rules decide about links, a plan has the edits and the reasons for all other links.

mod diff;
mod edits;
mod output;
mod plan;
mod rules;
mod verify;

pub use diff::{DiffNames, appended_diff, quoted_name, unified_diff};
pub use edits::{Edit, Edits};
pub use plan::Plan;
pub(crate) use rules::is_apart_from_base;
pub use rules::{
    BaseElements, Decision, DocumentRelocation, DocumentRules, Evidence, Mapper, MirrorPage,
    OutputBases, PatternMap, PatternMapError, PrefixMap, PrefixMapError, Relocation, Rule, Rules,
    SkipReason, Unmappable,
};
pub use verify::{Mismatch, verify};
