//! The ends of records. `Content-Length` is often wrong, so it is proved, and the member's end is
//! more reliable.

use std::fmt;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::MAX_BLOCK;
use super::batch::{Batch, Spares, Stored, StoredRecord};
use super::ends::{End, Lines, Rest, SEPARATOR};
use super::flaw::{Flaw, FlawKind};
use super::head::content_length;
use super::inflated::{Form, Inflated};
use super::members::Members;
use super::start::{self, Found};

/// The inflated bytes after which a batch is complete.
const BATCH: u64 = 512 << 10;

/// The number of bytes before a slice in which the search for its first member begins.
const LOOK_BACK: u64 = 256 << 10;

/// The maximum length of a block that is accepted without proof, in bytes. A longer one would skip
/// all records after it.
const MAX_CLAIM: u64 = 64 << 30;

/// The maximum number of records and flaws of a batch.
const MAX_ENTRIES: usize = 4096;

/// Reads the records of an archive, as batches. An error of the system ends the iteration.
///
/// Cost: linear. Memory for a batch of half a megabyte, and for the longest block up to
/// [`MAX_BLOCK`].
pub struct Records {
    archive: Arc<Path>,
    inflated: Inflated,
    max_block: usize,
    /// The position of the next record.
    next: u64,
    /// The length of an uncompressed archive, if available.
    len: Option<u64>,
    /// The offsets in the file of the members or records that are wanted.
    wanted: Range<u64>,
    /// Flaws after the records that are wanted.
    late: Vec<Flaw>,
    /// The offset of the record at which reading stopped, and true if its member or, uncompressed,
    /// the record itself begins there.
    stopped: Option<(u64, bool)>,
    /// True if a member had several records, so that the end of a member is not evidence for the
    /// end of a record.
    shares_members: bool,
    lost: Lost,
    /// The rest of a long block, which is not held.
    skip: Option<Skip>,
    /// True if batches have the rest of long blocks.
    in_pieces: bool,
    /// The rest of a long block that batches have.
    rest: Option<Rest>,
    /// The lines of the last head that was too long.
    no_end: Lines,
    has_records: bool,
    state: State,
    entries: Vec<Stored>,
}

/// The records after some others.
#[derive(Debug)]
pub(crate) enum Following {
    /// The first one begins in the member at this offset.
    At { offset: u64, shares_members: bool },
    /// The reader of the records before them has to read on.
    Reader(Box<Records>),
}

#[derive(Debug)]
enum State {
    Begin,
    Within,
    /// The error comes after the records before it.
    Failed(io::Error),
    Ended,
}

/// Bytes that are not part of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lost {
    No,
    /// The reason was reported.
    Reported,
    /// They begin at this offset of the file.
    Junk(u64),
}

/// The rest of a block that is too long to be held.
#[derive(Clone, Copy, Debug)]
struct Skip {
    claimed: Option<u64>,
    is_aligned: bool,
    /// The offset of the record in the file.
    offset: u64,
}

impl fmt::Debug for Records {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Records")
            .field("archive", &self.archive)
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}

impl Iterator for Records {
    type Item = io::Result<Batch>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_batch()
    }
}

impl Records {
    /// A reader of all records of an archive with this name. `len` is the length of its file, if
    /// available: it disproves lengths in an uncompressed archive.
    pub fn new(archive: Arc<Path>, reader: Box<dyn Read + Send>, len: Option<u64>) -> Self {
        Self::of_members(archive, Members::new(reader), 0..u64::MAX, len)
    }

    /// A reader of the records of a slice: those whose `record_offset` is in `wanted`. `open` opens
    /// the file at an offset.
    ///
    /// Adjacent slices have each record once. A compressed archive is read from the last member
    /// before the slice in which a record begins, because the first record of the slice may begin
    /// in the middle of a member. An uncompressed archive is read from its beginning, since its
    /// pages may quote records.
    ///
    /// # Errors
    /// If reading fails.
    pub fn slice(
        archive: Arc<Path>,
        mut open: impl FnMut(u64) -> io::Result<Box<dyn Read + Send>>,
        wanted: Range<u64>,
        len: Option<u64>,
    ) -> io::Result<Self> {
        let mut members = Members::new(open(0)?);
        if wanted.start > 0 && members.detect()? {
            let mut look_back = LOOK_BACK;
            loop {
                let from = wanted.start.saturating_sub(look_back);
                if from == 0 {
                    members = Members::new(open(0)?);
                    break;
                }
                members.seek(open(from)?, from);
                if members.find_before(wanted.start)? {
                    break;
                }
                look_back = look_back.saturating_mul(8);
            }
        }
        Ok(Self::of_members(archive, members, wanted, len))
    }

    /// A reader of the records that begin before `end`. `members` begin with a record of this form.
    pub(super) fn of_range(
        archive: Arc<Path>,
        members: Members,
        form: Form,
        end: u64,
        len: u64,
    ) -> Self {
        let from = members.position();
        let mut records = Self::of_members(archive, members, from..end, Some(len - from));
        records.inflated.form = Some(form);
        records
    }

    /// The number of bytes of the file that were read.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.inflated.members.position()
    }

    /// The form of the first record. `None` before it was read.
    pub(super) fn form(&self) -> Option<Form> {
        self.inflated.form
    }

    /// The members.
    pub(super) fn members(&self) -> &Members {
        &self.inflated.members
    }

    /// Returns the reader of an archive with members of several records, or without.
    #[must_use]
    pub(super) fn sharing_members(self, shares_members: bool) -> Self {
        Self { shares_members, ..self }
    }

    /// The records after those that were read.
    pub(crate) fn following(self) -> Following {
        let is_free = self.lost == Lost::No
            && self.skip.is_none()
            && self.rest.is_none()
            && self.late.is_empty()
            && self.no_end == Lines::default();
        let shares_members = self.shares_members && self.inflated.is_compressed;
        match self.stopped {
            // The archive has ended.
            None if self.late.is_empty() => Following::At { offset: u64::MAX, shares_members },
            Some((offset, true)) if is_free => Following::At { offset, shares_members },
            _ => Following::Reader(Box::new(self)),
        }
    }

    /// Continues with the records that begin before `end`.
    pub(crate) fn continue_until(&mut self, end: u64) {
        self.wanted.end = end;
        self.stopped = None;
        self.state = State::Within;
        for flaw in std::mem::take(&mut self.late) {
            self.flaw(flaw.offset, flaw.kind);
        }
    }

    fn of_members(
        archive: Arc<Path>,
        members: Members,
        wanted: Range<u64>,
        len: Option<u64>,
    ) -> Self {
        let inflated = Inflated::new(members, start::is_arc_name(&archive));
        Self {
            archive,
            inflated,
            max_block: MAX_BLOCK,
            next: 0,
            len,
            wanted,
            late: Vec::new(),
            stopped: None,
            shares_members: false,
            lost: Lost::No,
            skip: None,
            in_pieces: false,
            rest: None,
            no_end: Lines::default(),
            has_records: false,
            state: State::Begin,
            entries: Vec::new(),
        }
    }

    /// Returns the reader with this maximum length of a block, in bytes: the rest of a longer one
    /// is skipped. Default: [`MAX_BLOCK`].
    #[must_use]
    pub fn max_block(self, len: usize) -> Self {
        Self { max_block: len, ..self }
    }

    /// Returns the reader with the rest of blocks that are longer than the maximum length, in
    /// further batches: in [`Batch::rest`], as long as the one before
    /// [continues](Batch::continues). The rest is lost, which is a flaw, if neither a length nor a
    /// member determines its end.
    #[must_use]
    pub(crate) fn in_pieces(self) -> Self {
        Self { in_pieces: true, ..self }
    }

    /// Returns the reader with buffers that are used again.
    #[must_use]
    pub(super) fn with_spares(mut self, spares: Spares) -> Self {
        self.inflated.window.set_spares(spares);
        self
    }

    /// The name of the archive.
    pub fn archive(&self) -> &Arc<Path> {
        &self.archive
    }

    /// Reads the next records.
    fn next_batch(&mut self) -> Option<io::Result<Batch>> {
        loop {
            match std::mem::replace(&mut self.state, State::Ended) {
                State::Begin => match self.inflated.detect() {
                    Ok(()) => self.state = State::Within,
                    Err(error) => return Some(Err(error)),
                },
                State::Within => match self.step() {
                    Ok(true) => self.state = State::Within,
                    Ok(false) => self.end(),
                    Err(error) => self.state = State::Failed(error),
                },
                State::Failed(error) => return Some(Err(error)),
                State::Ended => return self.inflated.failure.take().map(Err),
            }
            self.take_flaws();
            let is_full = self.next - self.inflated.window.base() >= BATCH;
            let is_last = !matches!(self.state, State::Within | State::Begin);
            if let Some(rest) = &mut self.rest {
                if is_last && !rest.is_ended() {
                    rest.end(self.next, true);
                }
                if is_full || rest.is_ended() || !rest.is_begun() {
                    return Some(Ok(self.batch()));
                }
            } else if self.entries.is_empty() {
                if is_full {
                    self.inflated.window.drop_before(self.next);
                }
            } else if is_full || is_last || self.entries.len() >= MAX_ENTRIES {
                return Some(Ok(self.batch()));
            }
        }
    }

    fn batch(&mut self) -> Batch {
        let (rest, until) = Rest::piece(&mut self.rest, &self.inflated.window, self.next);
        let bytes = self.inflated.window.take(until);
        Batch {
            archive: Arc::clone(&self.archive),
            bytes,
            entries: std::mem::take(&mut self.entries),
            position: self.inflated.members.position(),
            spares: self.inflated.window.spares().clone(),
            rest,
        }
    }

    fn end(&mut self) {
        self.found();
        let is_empty = self.inflated.window.end() == 0 && self.inflated.members.position() == 0;
        let is_whole = self.wanted == (0..u64::MAX);
        if !self.has_records && is_whole {
            let kind = match is_empty {
                true => FlawKind::Empty,
                false => FlawKind::NoRecord,
            };
            self.flaw(0, kind);
        }
    }

    /// Adds the flaws that were found while inflating.
    fn take_flaws(&mut self) {
        for flaw in std::mem::take(&mut self.inflated.flaws) {
            self.flaw(flaw.offset, flaw.kind);
        }
    }

    fn flaw(&mut self, offset: u64, kind: FlawKind) {
        let flaw = Flaw { offset, kind };
        if offset >= self.wanted.end {
            self.late.push(flaw);
        } else if offset >= self.wanted.start {
            self.entries.push(Stored::Flaw(flaw));
        }
    }

    /// Reads the next record, or some bytes outside of records. Returns false at the end.
    fn step(&mut self) -> io::Result<bool> {
        if let Some(skip) = self.skip.take() {
            self.skip(skip)?;
            return Ok(true);
        }
        let bytes = self.inflated.load(self.next, 1)?;
        if bytes.is_empty() {
            return Ok(false);
        }
        let blank = start::blank_len(bytes);
        if blank > 0 {
            self.next += blank as u64;
            return Ok(true);
        }
        let (offset, in_member) = self.inflated.offsets(self.next);
        if !self.inflated.begins_record(self.next)? {
            if self.lost == Lost::No && self.inflated.is_cut_first_line(self.next) {
                self.flaw(offset, FlawKind::TruncatedRecord);
                self.lost = Lost::Reported;
            }
            self.junk()?;
            return Ok(true);
        }
        let is_first = self.inflated.is_first_in_member(self.next);
        if offset >= self.wanted.end {
            self.stopped = Some((offset, is_first || !self.inflated.is_compressed));
            return Ok(false);
        }
        self.found();
        self.shares_members |= !is_first;
        self.record(offset, in_member, is_first)?;
        Ok(true)
    }

    /// Ends a run of bytes that are not part of a record.
    fn found(&mut self) {
        if let Lost::Junk(offset) = std::mem::replace(&mut self.lost, Lost::No) {
            self.flaw(offset, FlawKind::Junk);
        }
    }

    /// Skips bytes that are not part of a record.
    fn junk(&mut self) -> io::Result<()> {
        if self.lost == Lost::No {
            self.lost = Lost::Junk(self.inflated.offsets(self.next).0);
        }
        let (found, mut until) = match self.inflated.find_record(self.next) {
            Found::At(at) => (true, self.next + at as u64),
            Found::NotBefore(at) => (false, self.next + at as u64),
        };
        if let Some(start) = self.inflated.watch(self.next + 1, until)? {
            until = start.at;
        } else if !found && until == self.next {
            // More bytes decide.
            self.inflated.fill()?;
        }
        self.next = until;
        Ok(())
    }

    fn record(&mut self, offset: u64, in_member: u64, is_first: bool) -> io::Result<()> {
        let start = self.next;
        self.has_records = true;
        let head_end = match self.no_end.head_end(&mut self.inflated, start)? {
            Ok(end) => end,
            Err((kind, next)) => {
                self.flaw(offset, kind);
                self.lost = Lost::Reported;
                self.next = next;
                return Ok(());
            }
        };
        let head = self.inflated.window.range(start, head_end);
        let len = content_length(head);
        let claimed = len.map(|len| head_end.saturating_add(len));
        let is_aligned = self.inflated.is_compressed && is_first && !self.shares_members;
        let limit = head_end + self.max_block as u64;
        let end = self.block_end(start, head_end, claimed, is_aligned)?;
        let end = end.unwrap_or_else(|| {
            self.skip = Some(Skip { claimed, is_aligned, offset });
            let is_held = self.in_pieces && (claimed.is_some() || is_aligned);
            self.rest = is_held.then(|| Rest::from(limit));
            let flaw = FlawKind::LongBlock { limit: self.max_block };
            End { at: limit, next: limit, is_cut: !is_held, flaw: (!is_held).then_some(flaw) }
        });
        if self.wanted.contains(&offset) {
            let [head, block] = [start..head_end, head_end..end.at]
                .map(|it| self.inflated.window.index(it.start)..self.inflated.window.index(it.end));
            self.entries.push(Stored::Record(StoredRecord {
                record_offset: offset,
                member_offset: in_member,
                head,
                block,
                is_cut: end.is_cut,
            }));
        }
        if let Some(kind) = end.flaw {
            self.flaw(offset, kind);
        }
        self.next = end.next;
        Ok(())
    }

    /// The end of the block at `from`, of the record at `start`. `None` if the block is longer than
    /// the limit.
    fn block_end(
        &mut self,
        start: u64,
        from: u64,
        claimed: Option<u64>,
        is_aligned: bool,
    ) -> io::Result<Option<End>> {
        let limit = from + self.max_block as u64;
        // The length of the file disproves a claim.
        let is_possible = |at: &u64| {
            let is_in_file = self.inflated.is_compressed || self.len.is_none_or(|len| *at <= len);
            is_in_file && *at - from <= MAX_CLAIM
        };
        if let Some(claimed) = claimed.filter(is_possible) {
            if let Some(member) = self.inflated.watch(from, claimed.min(limit))? {
                return Ok(Some(End::at_member(&self.inflated, from, member)));
            }
            if claimed > limit && self.inflated.window.end() >= limit {
                return Ok(None);
            }
            if self.inflated.window.end() >= claimed
                && self.inflated.is_proved(from, claimed, is_aligned)?
            {
                return Ok(Some(End::claimed(claimed)));
            }
        }
        // More may have been loaded.
        let end = self.resynchronize(start, from, claimed, is_aligned)?;
        Ok(end.filter(|end| end.at <= limit))
    }

    /// The end of a block whose length is unknown: before the next record. `None` if the block is
    /// longer than the limit.
    fn resynchronize(
        &mut self,
        start: u64,
        from: u64,
        claimed: Option<u64>,
        is_aligned: bool,
    ) -> io::Result<Option<End>> {
        let limit = from + self.max_block as u64;
        // This finds a record after the longest block, for any number of bytes that are inflated at
        // once.
        let needed = limit + SEPARATOR + start::LOOKAHEAD as u64;
        let (mut searched, mut watched) = (from, from);
        loop {
            let loaded = self.inflated.window.end();
            let found = match self.inflated.find_record(searched) {
                _ if is_aligned => None,
                Found::At(at) => Some(searched + at as u64),
                Found::NotBefore(at) => {
                    searched += at as u64;
                    None
                }
            };
            let until = found.unwrap_or(loaded);
            if let Some(member) = self.inflated.watch(watched, until)? {
                return Ok(Some(End::at_member(&self.inflated, from, member)));
            }
            watched = until;
            if let Some(next) = found {
                return Ok(Some(End::before(&self.inflated, from, next)));
            }
            if loaded >= needed {
                return Ok(None);
            }
            if self.inflated.window.is_ended {
                break;
            }
            self.inflated.fill()?;
        }
        // The only member of an archive has all of its records.
        if is_aligned
            && self.inflated.window.has_one_member()
            && let Found::At(at) = self.inflated.find_record(from)
        {
            return Ok(Some(End::before(&self.inflated, from, from + at as u64)));
        }
        let end = self.inflated.window.end();
        let is_in_one_member = self.inflated.window.start_from(start + 1).is_none();
        let is_short = claimed.is_some_and(|claimed| claimed < end);
        // Of a head whose block would be in the next member, the block is lost.
        let ends_member = is_aligned && is_in_one_member && end > from;
        let is_whole = claimed.is_none() || is_short || ends_member;
        Ok(Some(match is_whole {
            true => End::before(&self.inflated, from, end),
            false => {
                End { at: end, next: end, is_cut: true, flaw: Some(FlawKind::TruncatedRecord) }
            }
        }))
    }

    /// Skips some of the rest of a long block.
    fn skip(&mut self, skip: Skip) -> io::Result<()> {
        let until = skip.claimed.unwrap_or(u64::MAX);
        if skip.claimed.is_none() && !skip.is_aligned {
            self.lost = Lost::Reported;
            self.end_rest(self.next, false);
            return Ok(());
        }
        let loaded = self.inflated.window.end().min(until);
        let watched = until.min(loaded.saturating_add(1));
        if let Some(member) = self.inflated.watch(self.next, watched)? {
            self.next = member.at;
            if let Some(rest) = self.rest {
                let end = End::at_member(&self.inflated, rest.start(), member);
                let is_wrong = end.flaw.is_some() && skip.claimed.is_some();
                self.end_rest(end.at, end.is_cut);
                if is_wrong {
                    self.flaw(skip.offset, FlawKind::Length);
                }
            }
            return Ok(());
        }
        self.next = loaded;
        if loaded < until {
            if !self.inflated.window.is_ended {
                self.inflated.fill()?;
                self.skip = Some(skip);
            } else if let Some(rest) = self.rest {
                // The end of the last member is that of its block.
                let end = End::before(&self.inflated, rest.start(), loaded);
                self.end_rest(end.at, !skip.is_aligned);
                if skip.claimed.is_some() {
                    let kind = match skip.is_aligned {
                        true => FlawKind::Length,
                        false => FlawKind::TruncatedRecord,
                    };
                    self.flaw(skip.offset, kind);
                }
            }
            return Ok(());
        }
        if self.inflated.is_proved(until, until, skip.is_aligned)? {
            self.end_rest(until, false);
        } else {
            self.flaw(skip.offset, FlawKind::Length);
            self.skip = Some(Skip { claimed: None, ..skip });
        }
        Ok(())
    }

    /// Ends the rest of a long block at this position, if batches have it.
    fn end_rest(&mut self, at: u64, is_cut: bool) {
        if let Some(rest) = &mut self.rest {
            rest.end(at, is_cut);
        }
    }
}
