//! The number of links to each host.

use std::collections::HashMap;

/// The number of links to each host. Hosts that differ only in case are one (RFC 3986, 6.2.2.1).
#[derive(Clone, Debug, Default)]
pub struct HostCounts(HashMap<String, usize>);

impl HostCounts {
    /// Counts a link to a host, which is empty for a link without one.
    pub fn add(&mut self, host: &str) {
        let host = host.to_ascii_lowercase();
        *self.0.entry(host).or_default() += 1;
    }

    /// Returns each host with its number of links: the largest number first, equal numbers by host.
    pub fn sorted(&self) -> Vec<(&str, usize)> {
        let counts = self.0.iter().map(|(host, &links)| (&**host, links));
        let mut counts: Vec<_> = counts.collect();
        counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_sorted_by_links_and_then_by_name() {
        let mut counts = HostCounts::default();
        for host in ["b.example", "", "A.example", "c.example", "C.example"] {
            counts.add(host);
        }
        let expected = [("c.example", 2), ("", 1), ("a.example", 1), ("b.example", 1)];
        assert_eq!(counts.sorted(), expected);
    }
}
