//! The number of links that have something in common.

use std::collections::HashMap;

/// The number of links for each [key](crate::records::CountBy::key): each host, URL, scheme,
/// document or target.
#[derive(Clone, Debug, Default)]
pub struct LinkCounts(HashMap<Vec<u8>, usize>);

impl LinkCounts {
    /// Counts a link with this key, which is empty for a link without one.
    pub fn add(&mut self, key: &[u8]) {
        match self.0.get_mut(key) {
            Some(links) => *links += 1,
            None => _ = self.0.insert(key.to_owned(), 1),
        }
    }

    /// Returns each key with its number of links: the largest number first, equal numbers by key.
    pub fn sorted(&self) -> Vec<(&[u8], usize)> {
        let counts = self.0.iter().map(|(key, &links)| (&**key, links));
        let mut counts: Vec<_> = counts.collect();
        counts.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted_by_links_and_then_by_text() {
        let mut counts = LinkCounts::default();
        for host in ["b.example", "", "a.example", "c.example", "c.example"] {
            counts.add(host.as_bytes());
        }
        let expected = [("c.example", 2), ("", 1), ("a.example", 1), ("b.example", 1)];
        assert_eq!(counts.sorted(), expected.map(|(host, links)| (host.as_bytes(), links)));
    }
}
