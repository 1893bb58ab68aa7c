//! The records of an archive that threads read in ranges.
//!
//! The records of a range are found and inflated before it is known whether those before it end
//! where it begins. In the turn of the range that is known. If they do not, the range is read again
//! from their end.

use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::ordered::Turn;
use super::sink::lock;
use crate::container::warc::{Beginning, Following, Records};
use crate::fs::ArchiveRanges;

/// An archive that threads read in ranges.
pub(super) struct RangedRecords {
    ranges: ArchiveRanges,
    /// The records after those whose turn has come.
    following: Mutex<Following>,
    /// True if those share members.
    shares_members: AtomicBool,
}

/// The output of the records of a range.
pub(super) enum OfRange<O> {
    Counted(Counted<O>),
    /// It does not count: the records begin elsewhere.
    Wrong(O),
    /// The turn of the range decides: see [`RangedRecords::decide`].
    Early(Early<O>),
}

/// The output of records, and where they begin. `None` if they continue those before them.
pub(super) struct Counted<O> {
    pub(super) begins: Option<Beginning>,
    pub(super) output: O,
}

/// The output of a range whose turn has not come.
pub(super) struct Early<O> {
    begins: Option<Beginning>,
    following: Option<Following>,
    pub(super) output: O,
}

impl RangedRecords {
    pub(super) fn new(ranges: ArchiveRanges) -> Self {
        Self {
            following: Mutex::new(ranges.beginning()),
            shares_members: AtomicBool::new(false),
            ranges,
        }
    }

    /// The number of ranges.
    pub(super) fn count(&self) -> u64 {
        self.ranges.count()
    }

    /// Reads the records of a range and passes them to `work`. An error of the system is one of them.
    pub(super) fn read<T, O: Default>(
        &self,
        number: u64,
        turn: &mut Turn<'_, T>,
        work: impl FnOnce(&mut Records, &mut Turn<'_, T>) -> O,
    ) -> OfRange<O> {
        let shares_members = self.shares_members.load(Ordering::Relaxed);
        let Ok(found) = self.ranges.records(number, shares_members) else {
            // It is read again, which has the error.
            return OfRange::Wrong(O::default());
        };
        let (begins, mut records) = found.unzip();
        let is_right = Cell::new(None);
        let mut output = O::default();
        if let Some(records) = &mut records {
            let is_counted = || {
                is_right.set(Some(self.follows(number, begins)));
                is_right.get() == Some(true)
            };
            output = turn.checked(is_counted, |turn| work(records, turn));
        }
        let early = Early { begins, following: records.map(Records::following), output };
        match is_right.get() {
            None => OfRange::Early(early),
            Some(is_right) => self.decided(is_right, early),
        }
    }

    /// Decides in its turn if the output of a range counts.
    pub(super) fn decide<O>(&self, number: u64, early: Early<O>) -> OfRange<O> {
        self.decided(self.follows(number, early.begins), early)
    }

    fn decided<O>(&self, is_right: bool, early: Early<O>) -> OfRange<O> {
        let Early { begins, following, output } = early;
        if !is_right {
            return OfRange::Wrong(output);
        }
        if let Some(following) = following {
            self.advance(following);
        }
        OfRange::Counted(Counted { begins, output })
    }

    /// Reads the records of a range after those before it, in its turn. `None` if it has none.
    pub(super) fn read_again<O>(
        &self,
        number: u64,
        work: impl FnOnce(&mut Records) -> O,
    ) -> Option<Counted<O>> {
        let (begins, mut records) =
            self.ranges.records_after(number, &mut lock(&self.following))?;
        let output = work(&mut records);
        self.advance(records.following());
        Some(Counted { begins, output })
    }

    fn follows(&self, number: u64, begins: Option<Beginning>) -> bool {
        self.ranges.follows(number, &lock(&self.following), begins)
    }

    fn advance(&self, following: Following) {
        if let Following::At { shares_members, .. } = following {
            self.shares_members.store(shares_members, Ordering::Relaxed);
        }
        *lock(&self.following) = following;
    }
}
