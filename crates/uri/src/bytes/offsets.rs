use super::{Span, Spans};

/// A map from byte offsets of a text to those of the source that it was decoded from: from a
/// charset, a transfer encoding, or character references.
///
/// It is a list of runs. In a run, every unit has the same number of text bytes and the same number
/// of source bytes: an ASCII run of a UTF-16 document is (1, 2) repeated, a Chinese one (3, 2).
/// Scripts change seldom within a text, so the list is short. A look-up is a binary search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OffsetMap {
    runs: Vec<Run>,
    text_len: usize,
    source_len: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    text_start: usize,
    source_start: usize,
    /// Bytes of text per unit; 0 for skipped source bytes, which have no text, such as escape
    /// sequences.
    text_unit: usize,
    source_unit: usize,
}

impl OffsetMap {
    /// The source bytes of the text bytes `span`. An offset inside a unit counts as the unit's
    /// start at the beginning of `span`, and as its end at the end.
    pub fn to_source(&self, span: Span) -> Span {
        let start = self.start_of(span.start);
        let end = if span.is_empty() { start } else { self.end_of(span.end) };
        Span::new(start, end.max(start))
    }

    /// The number of skipped source bytes directly before the text at `text`.
    pub fn skipped_before(&self, text: usize) -> usize {
        let at = self.runs.partition_point(|run| run.text_start < text);
        let skipped = |run: &&Run| run.text_start == text && run.text_unit == 0;
        self.runs[at..].iter().take_while(skipped).map(|run| run.source_unit).sum()
    }

    /// The source bytes of the text bytes `span`, in pieces: without the skipped bytes between
    /// them.
    pub fn pieces(&self, span: Span) -> Spans {
        let mut pieces = Spans::new();
        let mut from = span.start;
        let first = self.runs.partition_point(|run| run.text_start <= from);
        let is_within = |run: &&Run| run.text_start < span.end;
        for run in self.runs[first..].iter().take_while(is_within) {
            if run.text_unit == 0 && run.text_start > from {
                pieces.push(self.to_source(Span::new(from, run.text_start)));
                from = run.text_start;
            }
        }
        pieces.push(self.to_source(Span::new(from, span.end)));
        pieces
    }

    /// Returns true if each text byte of `span` has exactly one source byte.
    pub fn is_plain(&self, span: Span) -> bool {
        let first = self.runs.partition_point(|run| run.text_start <= span.start);
        let is_within = |run: &&Run| run.text_start < span.end;
        let runs = self.runs[first.saturating_sub(1)..].iter();
        let mut runs = runs.take_while(is_within);
        runs.all(|run| (run.text_unit, run.source_unit) == (1, 1))
    }

    /// The number of text bytes that the map covers.
    pub fn text_len(&self) -> usize {
        self.text_len
    }

    /// The number of source bytes that the map covers.
    pub fn source_len(&self) -> usize {
        self.source_len
    }

    fn start_of(&self, text: usize) -> usize {
        if text >= self.text_len {
            return self.source_len;
        }
        // The last run that starts at or before `text`. It always has text, since a run without
        // text is followed by one that starts at the same offset.
        let at = self.runs.partition_point(|run| run.text_start <= text) - 1;
        let run = self.runs[at];
        run.source_start + (text - run.text_start) / run.text_unit * run.source_unit
    }

    fn end_of(&self, text: usize) -> usize {
        let text = text.min(self.text_len);
        let Some(at) = self.runs.partition_point(|run| run.text_start < text).checked_sub(1) else {
            return 0;
        };
        let run = self.runs[at];
        run.source_start + (text - run.text_start).div_ceil(run.text_unit) * run.source_unit
    }
}

/// Builds an [`OffsetMap`], from left to right.
#[derive(Clone, Debug, Default)]
pub struct OffsetMapBuilder {
    map: OffsetMap,
}

impl OffsetMapBuilder {
    /// A builder with room for `changes` runs.
    pub fn with_capacity(changes: usize) -> Self {
        let map = OffsetMap { runs: Vec::with_capacity(changes), ..OffsetMap::default() };
        Self { map }
    }

    /// Appends `count` units, each of `text_unit` bytes of text and `source_unit` bytes of source.
    #[inline]
    pub fn push(&mut self, count: usize, text_unit: usize, source_unit: usize) {
        if count == 0 || text_unit + source_unit == 0 {
            return;
        }
        let map = &mut self.map;
        if let Some(last) = map.runs.last_mut()
            && (last.text_unit, last.text_start, text_unit) == (0, map.text_len, 0)
        {
            last.source_unit += count * source_unit;
            map.source_len += count * source_unit;
            return;
        }
        let continues = text_unit != 0
            && map
                .runs
                .last()
                .is_some_and(|run| run.text_unit == text_unit && run.source_unit == source_unit);
        if !continues {
            map.runs.push(Run {
                text_start: map.text_len,
                source_start: map.source_len,
                text_unit,
                source_unit,
            });
        }
        map.text_len += count * text_unit;
        map.source_len += count * source_unit;
    }

    /// The map built until now.
    pub fn as_map(&self) -> &OffsetMap {
        &self.map
    }

    /// Discards the runs before the text offset `text`. Earlier offsets can no longer be looked up.
    pub fn discard_before(&mut self, text: usize) {
        let runs = &mut self.map.runs;
        let after = runs.partition_point(|run| run.text_start < text);
        runs.drain(..after.saturating_sub(1));
    }

    /// The finished map.
    pub fn finish(self) -> OffsetMap {
        self.map
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_different_units_map_to_source() {
        // "ab" + "&amp;" (5 -> 1) + a skipped escape + U+4E2D (3 bytes from 2) + "c"
        let mut map = OffsetMapBuilder::default();
        map.push(2, 1, 1);
        map.push(1, 1, 5);
        map.push(1, 0, 3);
        map.push(1, 3, 2);
        map.push(1, 1, 1);
        let map = map.finish();
        assert_eq!(map.source_len(), 13);
        assert_eq!(map.to_source(Span::new(0, 7)), Span::new(0, 13));
        assert_eq!(map.to_source(Span::new(2, 3)), Span::new(2, 7));
        assert_eq!(map.to_source(Span::new(3, 6)), Span::new(10, 12));
        assert_eq!(map.to_source(Span::new(4, 5)), Span::new(10, 12), "inside a unit");
        assert_eq!(map.to_source(Span::new(6, 7)), Span::new(12, 13));
        assert_eq!(map.to_source(Span::new(7, 7)), Span::new(13, 13));
        assert_eq!(map.to_source(Span::new(1, 1)), Span::new(1, 1));
        assert_eq!([2, 3, 4].map(|text| map.skipped_before(text)), [0, 3, 0]);
    }

    #[test]
    fn pieces_omit_skipped_bytes() {
        // `a\b&c`, where `\` is skipped and `&c` decodes to `x`.
        let mut map = OffsetMapBuilder::default();
        map.push(1, 0, 2);
        map.push(2, 1, 1);
        map.push(1, 0, 1);
        map.push(1, 0, 1);
        map.push(1, 1, 1);
        map.push(1, 1, 2);
        map.push(1, 0, 1);
        let map = map.finish();
        let pieces = |start, end| map.pieces(Span::new(start, end)).to_vec();
        assert_eq!(pieces(0, 4), [Span::new(2, 4), Span::new(6, 9)]);
        assert_eq!(pieces(0, 2), [Span::new(2, 4)]);
        assert_eq!(pieces(2, 4), [Span::new(6, 9)]);
        assert_eq!(pieces(2, 2), [Span::new(6, 6)]);
        assert!(map.is_plain(Span::new(0, 2)) && map.is_plain(Span::new(2, 3)));
        assert!(!map.is_plain(Span::new(0, 3)) && !map.is_plain(Span::new(2, 4)));
    }

    #[test]
    fn equal_units_share_a_run() {
        let mut map = OffsetMapBuilder::default();
        map.push(2, 1, 2);
        map.push(3, 1, 2);
        let map = map.finish();
        assert_eq!(map.runs.len(), 1);
        assert_eq!(map.to_source(Span::new(1, 4)), Span::new(2, 8));
    }

    #[test]
    fn discarded_runs_do_not_count() {
        let mut map = OffsetMapBuilder::default();
        for unit in 1..5 {
            map.push(1, unit, 1);
        }
        map.discard_before(4);
        assert_eq!(map.as_map().runs.len(), 2);
        assert_eq!(map.as_map().to_source(Span::new(4, 6)), Span::new(2, 3));
        assert_eq!(map.finish().to_source(Span::new(6, 10)), Span::new(3, 4));
    }

    #[test]
    fn an_empty_map_maps_to_the_start() {
        assert_eq!(OffsetMap::default().to_source(Span::new(0, 0)), Span::new(0, 0));
    }
}
