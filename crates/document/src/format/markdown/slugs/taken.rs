//! Ids that occurred before, and the numbers that distinguish repeated ones.

use std::collections::{HashMap, HashSet};

/// Ids of a document that occurred before.
#[derive(Debug, Default)]
pub(super) struct Taken {
    ids: HashSet<Box<str>>,
    /// The number of requests for each id, for rules that only count.
    counts: HashMap<Box<str>, u64>,
    /// For an id without its number, and a number that is taken, a later number to try. All between
    /// are taken.
    later: HashMap<Box<str>, HashMap<u64, u64>>,
}

impl Taken {
    /// Takes an id. Returns false if it was taken before.
    pub(super) fn insert(&mut self, id: &str) -> bool {
        !self.ids.contains(id) && self.ids.insert(id.into())
    }

    /// An id with the number of times that it occurred before. It may be one that another heading
    /// has.
    pub(super) fn counted(&mut self, id: String, separator: char) -> String {
        match self.counts.get_mut(id.as_str()) {
            Some(count) => {
                *count += 1;
                format!("{id}{separator}{count}")
            }
            None => {
                self.counts.insert(id.as_str().into(), 0);
                id
            }
        }
    }

    /// An id that is not taken, with the least number if one is needed.
    pub(super) fn unique(&mut self, id: String, separator: char) -> String {
        match self.insert(&id) {
            true => id,
            false => self.numbered(&id, separator, 1),
        }
    }

    /// An id that is not taken, like [`unique`](Self::unique), but a number at the end is
    /// increased. An empty id always gets a number.
    pub(super) fn continued(&mut self, id: String, separator: char) -> String {
        if !id.is_empty() && self.insert(&id) {
            return id;
        }
        let number = id.rsplit_once(separator).and_then(|(stem, digits)| {
            let is_number = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
            Some((stem, digits.parse::<u64>().ok().filter(|_| is_number)?))
        });
        match number {
            Some((stem, number)) => self.numbered(stem, separator, number.saturating_add(1)),
            None => self.numbered(&id, separator, 1),
        }
    }

    /// The first of `stem-1`, `stem-2` and so on that is not taken, from this number on.
    ///
    /// Each number that is taken has a pointer to a later one, and all pointers that were followed
    /// are moved forward. So time is nearly linear in the number of headings with one id, from
    /// whatever numbers they begin.
    fn numbered(&mut self, stem: &str, separator: char, first: u64) -> String {
        if !self.later.contains_key(stem) {
            self.later.insert(stem.into(), HashMap::new());
        }
        let later = self.later.entry(stem.into()).or_default();
        let mut followed = Vec::new();
        let mut number = first;
        loop {
            let id = format!("{stem}{separator}{number}");
            let is_free = !self.ids.contains(id.as_str());
            let next = number.saturating_add(1);
            if is_free || next == number {
                later.extend(followed.into_iter().map(|it| (it, number)));
                later.insert(number, next);
                self.ids.insert(id.as_str().into());
                return id;
            }
            followed.push(number);
            number = later.get(&number).copied().unwrap_or(next);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_skip_ids_that_are_taken() {
        let mut taken = Taken::default();
        let mut unique = |id: &str| taken.unique(id.to_owned(), '-');
        assert_eq!(
            ["a", "a-1", "a", "a", "a-1", "a-1-1"].map(&mut unique),
            ["a", "a-1", "a-2", "a-3", "a-1-1", "a-1-1-1"]
        );
    }

    #[test]
    fn counted_ids_may_be_equal() {
        let mut taken = Taken::default();
        let mut counted = |id: &str| taken.counted(id.to_owned(), '-');
        assert_eq!(["a", "a", "a-1", "a-1"].map(&mut counted), ["a", "a-1", "a-1", "a-1-1"]);
    }

    #[test]
    fn numbers_at_the_end_are_continued() {
        let mut taken = Taken::default();
        let mut continued = |id: &str| taken.continued(id.to_owned(), '_');
        assert_eq!(
            ["a", "a_5", "a_5", "a", "a_5", "a_05", "a_05", "", "", "a_x", "a_x"]
                .map(&mut continued),
            ["a", "a_5", "a_6", "a_1", "a_7", "a_05", "a_8", "_1", "_2", "a_x", "a_x_1"]
        );
        let number = format!("a_{}", u64::MAX);
        assert_eq!(continued(&number), number);
        assert_eq!(continued(&number), number);
    }

    /// The steps are the pointers that were followed.
    #[test]
    fn repeated_ids_take_few_steps() {
        let mut taken = Taken::default();
        for _ in 0..20_000 {
            taken.unique("a".to_owned(), '-');
            taken.continued("b_7".to_owned(), '_');
        }
        for (stem, first) in [("a", 1), ("b", 8)] {
            let later = &taken.later[stem];
            assert!(later[&first] >= 19_999, "the pointer of {stem} was not moved");
        }
    }
}
