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
    /// The number of links before those that wait for earlier ones, if any wait.
    held: Option<usize>,
    take: &'b mut Take<'b, 'd>,
}

impl<'b, 'd> Batch<'b, 'd> {
    pub(super) fn new(take: &'b mut Take<'b, 'd>) -> Self {
        Self { links: Vec::new(), delivered: 0, held: None, take }
    }

    /// Adds a link.
    #[inline]
    pub(super) fn push(&mut self, link: ParsedLink<'d>) {
        self.links.push(link);
        if self.links.len() >= BATCH && self.held.is_none() {
            self.deliver();
        }
    }

    /// Holds the links that follow, since earlier ones may be found after them.
    pub(super) fn hold(&mut self) {
        self.held.get_or_insert(self.links.len());
    }

    /// Puts the links that are held in order. Drops links that other syntax divides, if they contain
    /// another link.
    pub(super) fn release(&mut self) {
        let Some(start) = self.held.take() else {
            return;
        };
        let mut held = self.links.split_off(start);
        held.sort_by_key(ParsedLink::id);
        for link in held {
            let is_around = |it: &ParsedLink<'_>| it.extent().end > link.extent().start;
            if self.links.len() > start && self.links.last().is_some_and(is_around) {
                self.links.pop();
            }
            self.links.push(link);
        }
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
