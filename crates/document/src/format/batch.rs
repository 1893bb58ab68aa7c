//! Delivering links as they are found.

use crate::link::ParsedLink;

/// The number of links that are delivered at once.
pub(super) const BATCH: usize = 32;

/// Receives links: moves them out of the vector.
pub(super) type Take<'t, 'd> = dyn FnMut(&mut Vec<ParsedLink<'d>>) + 't;

/// Links that are delivered a few at once.
pub(super) struct Batch<'b, 'd> {
    links: Vec<ParsedLink<'d>>,
    delivered: usize,
    take: &'b mut Take<'b, 'd>,
}

impl<'b, 'd> Batch<'b, 'd> {
    pub(super) fn new(take: &'b mut Take<'b, 'd>) -> Self {
        Self { links: Vec::new(), delivered: 0, take }
    }

    /// Adds a link.
    #[inline]
    pub(super) fn push(&mut self, link: ParsedLink<'d>) {
        self.links.push(link);
        if self.links.len() >= BATCH {
            self.deliver();
        }
    }

    /// The number of links so far.
    pub(super) fn count(&self) -> usize {
        self.delivered + self.links.len()
    }

    /// Delivers the links so far.
    pub(super) fn deliver(&mut self) {
        self.delivered += self.links.len();
        (self.take)(&mut self.links);
        self.links.clear();
    }
}
