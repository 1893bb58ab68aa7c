//! A comparison of the results of rehref with those of a peer.

use std::collections::BTreeMap;

/// The number of a peer's results that rehref has too.
pub(crate) struct Agreement {
    theirs: usize,
    shared: usize,
    /// Some of those that rehref lacks.
    missed: Vec<String>,
    at_least: f64,
}

impl Agreement {
    /// Compares two lists as multisets. A result of the peer that one of rehref's begins with is
    /// shared: rehref joins URLs that line breaks split. `at_least` is the share that must be in
    /// both; the rest are named differences.
    pub(crate) fn new<T: AsRef<str>>(ours: &[T], theirs: &[T], at_least: f64) -> Self {
        let mut left: BTreeMap<&str, usize> = BTreeMap::new();
        for it in ours {
            *left.entry(it.as_ref()).or_default() += 1;
        }
        let mut unmatched = Vec::new();
        for it in theirs.iter().map(AsRef::as_ref) {
            match left.get_mut(it) {
                Some(left) if *left > 0 => *left -= 1,
                _ => unmatched.push(it),
            }
        }
        left.retain(|_, count| *count > 0);
        let mut missed = Vec::new();
        for it in unmatched {
            match left.range_mut(it..).find(|(_, count)| **count > 0) {
                Some((ours, count)) if ours.starts_with(it) => *count -= 1,
                _ => missed.push(it),
            }
        }
        Self {
            theirs: theirs.len(),
            shared: theirs.len() - missed.len(),
            missed: missed.into_iter().take(5).map(str::to_owned).collect(),
            at_least,
        }
    }

    /// The share of the peer's results.
    pub(crate) fn shared(&self) -> f64 {
        self.shared as f64 / self.theirs.max(1) as f64
    }

    /// The fault, with examples, if rehref lacks too many results.
    pub(crate) fn fault(&self) -> Option<String> {
        if self.theirs == 0 {
            return Some("the peer found nothing".to_owned());
        }
        (self.shared() < self.at_least).then(|| {
            format!(
                "rehref has {} of {} results; it lacks {:?}",
                self.shared, self.theirs, self.missed
            )
        })
    }
}

/// A URL as its ASCII beginning without punctuation at the end: parsers disagree where a URL in a
/// sentence ends.
pub(crate) fn ascii_beginning(url: &[u8]) -> String {
    let ascii = url.iter().take_while(|it| it.is_ascii_graphic());
    let ascii: String = ascii.map(|it| char::from(*it)).collect();
    let end = ascii.trim_end_matches(|it: char| !it.is_ascii_alphanumeric());
    end.to_owned()
}
