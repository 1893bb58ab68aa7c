//! Whether rehref found what a peer found.

use std::collections::HashMap;

/// How many of a peer's results rehref has too.
pub(crate) struct Agreement {
    theirs: usize,
    shared: usize,
    missed: Vec<String>,
    at_least: f64,
}

impl Agreement {
    /// Compares two lists as multisets. `at_least` is the share that must be in both; the rest are named differences.
    pub(crate) fn new<T: AsRef<str>>(ours: &[T], theirs: &[T], at_least: f64) -> Self {
        let mut left: HashMap<&str, usize> = HashMap::new();
        for it in ours {
            *left.entry(it.as_ref()).or_default() += 1;
        }
        let (mut shared, mut missed) = (0, Vec::new());
        for it in theirs {
            match left.get_mut(it.as_ref()) {
                Some(left) if *left > 0 => {
                    *left -= 1;
                    shared += 1;
                }
                _ if missed.len() < 5 => missed.push(it.as_ref().to_owned()),
                _ => {}
            }
        }
        Self {
            theirs: theirs.len(),
            shared,
            missed,
            at_least,
        }
    }

    /// The share of the peer's results.
    pub(crate) fn shared(&self) -> f64 {
        self.shared as f64 / self.theirs.max(1) as f64
    }

    /// What is wrong, with examples.
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

/// A URL as its ASCII beginning without punctuation at the end: parsers disagree where a URL in a sentence ends.
pub(crate) fn ascii_beginning(url: &[u8]) -> String {
    let ascii = url.iter().take_while(|it| it.is_ascii_graphic());
    let ascii: String = ascii.map(|it| char::from(*it)).collect();
    let end = ascii.trim_end_matches(|it: char| !it.is_ascii_alphanumeric());
    end.to_owned()
}
