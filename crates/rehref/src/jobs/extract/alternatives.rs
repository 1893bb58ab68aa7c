//! Links that several alternatives of a message have.

use std::collections::HashMap;
use std::rc::Rc;

/// The alternatives that contain a part: for each multipart, its number and that of the
/// alternative.
type Alternatives = Rc<[(usize, usize)]>;

/// The most parts that are remembered for a link. None of them is an alternative of another.
const MAX_PARTS: usize = 16;

/// The links of a message that were reported, with the alternatives of their parts.
#[derive(Debug, Default)]
pub(super) struct ReportedLinks(HashMap<String, Vec<Alternatives>>);

impl ReportedLinks {
    /// Adds a link of a part in these alternatives. Returns true if no earlier alternative has it.
    pub(super) fn insert(&mut self, alternatives: &Alternatives, value: &str) -> bool {
        if alternatives.is_empty() {
            return true;
        }
        let Some(parts) = self.0.get_mut(value) else {
            self.0.insert(value.to_owned(), vec![Rc::clone(alternatives)]);
            return true;
        };
        if parts.iter().any(|part| are_alternatives(part, alternatives)) {
            return false;
        }
        let is_same = |part: &Alternatives| part == alternatives;
        if parts.len() < MAX_PARTS && !parts.iter().any(is_same) {
            parts.push(Rc::clone(alternatives));
        }
        true
    }
}

/// Returns true if two parts are in different alternatives of one multipart.
fn are_alternatives(one: &[(usize, usize)], other: &[(usize, usize)]) -> bool {
    let mut pairs = one.iter().zip(other);
    let differ = pairs.find(|(one, other)| one != other);
    differ.is_some_and(|(one, other)| one.0 == other.0)
}
