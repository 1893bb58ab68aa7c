//! The results that wait, and the parts of divided files.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::work::{Bounds, Parts};

/// The receiver of results.
pub(super) type Take<'t, T> = &'t mut (dyn FnMut(T) -> ControlFlow<()> + Send);

/// The most parts of a stream that are read before a thread is ready for them. Without any, a thread
/// would wait for each part that takes long to read.
const READ_AHEAD: usize = 2;

/// A place in the order of results: the number of a file, and of a part in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Slot {
    pub(super) file: usize,
    pub(super) part: usize,
}

impl Slot {
    /// A file that is not divided, or its first part.
    pub(super) fn of_file(file: usize) -> Self {
        Self { file, part: 0 }
    }
}

/// The state that all threads share.
pub(super) struct State<'t, 'p, T, U> {
    /// The place whose result is taken next.
    pub(super) turn: Slot,
    /// The waiting results of files in runs, in order, with the number of the first. `None` for a
    /// file that was not begun.
    ready: VecDeque<(usize, Vec<Option<T>>)>,
    /// Vectors of results that were taken, which are used again. To free what another thread has
    /// allocated, an allocator may have to wait for that thread.
    spare: Vec<Vec<Option<T>>>,
    /// The divided files, in order.
    divided: Vec<Divided<'p, T, U>>,
    /// The receiver of results. `None` while a thread uses it.
    pub(super) take: Option<Take<'t, T>>,
    /// The number of files whose work has ended, or that were divided.
    pub(super) ended: usize,
    /// The numbers of threads that wait for a step, and for their turn. A notification costs the same
    /// without a waiting thread.
    pub(super) waiting_for_steps: usize,
    pub(super) waiting_for_turns: usize,
}

/// A divided file.
struct Divided<'p, T, U> {
    file: usize,
    /// The parts that were not read. `None` while a thread reads, and at the end.
    parts: Option<Parts<'p, U>>,
    is_ended: bool,
    /// Parts that were read and not begun, with their numbers.
    ahead: VecDeque<(usize, U)>,
    /// The number of parts that were read.
    read: usize,
    /// The number of parts whose results were taken.
    taken: usize,
    /// The waiting results, in order of their numbers.
    ready: VecDeque<(usize, T)>,
    /// The sizes of the parts that were read and whose results were not taken.
    sizes: VecDeque<usize>,
}

impl<T, U> Divided<'_, T, U> {
    /// Counts a part that was read. Returns its number.
    fn begin(&mut self, size: usize) -> usize {
        self.sizes.push_back(size);
        self.read += 1;
        self.read - 1
    }
}

/// The next step of a thread.
pub(super) enum Step<'p, U> {
    /// Works on the files that it got. They begin with this number.
    Files(usize),
    /// Reads a part of the stream with this number.
    Read(usize, Parts<'p, U>),
    /// Works on a part.
    Part(Slot, U),
}

/// Results that are taken next.
pub(super) enum Next<T> {
    Files(Vec<Option<T>>),
    Part(T),
}

impl<'t, 'p, T, U> State<'t, 'p, T, U> {
    pub(super) fn new(take: Take<'t, T>) -> Self {
        Self {
            turn: Slot::of_file(0),
            ready: VecDeque::new(),
            spare: Vec::new(),
            divided: Vec::new(),
            take: Some(take),
            ended: 0,
            waiting_for_steps: 0,
            waiting_for_turns: 0,
        }
    }

    /// Adds the results of a run of files. Returns a vector for other results.
    pub(super) fn put(&mut self, first: usize, results: Vec<Option<T>>) {
        self.ended += results.len();
        let at = self.ready.partition_point(|(it, _)| *it < first);
        self.ready.insert(at, (first, results));
    }

    /// A vector for results.
    pub(super) fn spare(&mut self) -> Vec<Option<T>> {
        self.spare.pop().unwrap_or_default()
    }

    /// Adds the result of a part.
    pub(super) fn put_part(&mut self, slot: Slot, result: T) {
        if let Some(at) = self.place(slot.file) {
            let ready = &mut self.divided[at].ready;
            let before = ready.partition_point(|(it, _)| *it < slot.part);
            ready.insert(before, (slot.part, result));
        }
    }

    /// Adds a divided file.
    pub(super) fn divide(&mut self, file: usize, parts: Parts<'p, U>) {
        self.ended += 1;
        let at = self.divided.partition_point(|it| it.file < file);
        let divided = Divided {
            file,
            parts: Some(parts),
            is_ended: false,
            ahead: VecDeque::new(),
            read: 0,
            taken: 0,
            ready: VecDeque::new(),
            sizes: VecDeque::new(),
        };
        self.divided.insert(at, divided);
    }

    /// The place of a divided file.
    fn place(&self, file: usize) -> Option<usize> {
        self.divided.binary_search_by_key(&file, |it| it.file).ok()
    }

    /// Adds a part that was read from a stream, or the end.
    pub(super) fn was_read(&mut self, file: usize, parts: Parts<'p, U>, read: Option<(U, usize)>) {
        let Some(at) = self.place(file) else { return };
        let divided = &mut self.divided[at];
        match read {
            None => divided.is_ended = true,
            Some((part, size)) => {
                divided.parts = Some(parts);
                let number = divided.begin(size);
                divided.ahead.push_back((number, part));
            }
        }
    }

    /// Returns true if the next part of a divided file may be read. The next one to be taken always
    /// may. Parts of later files do not count, so no file waits for a later one.
    fn may_read(&self, at: usize, bounds: Bounds) -> bool {
        let divided = &self.divided[at];
        if divided.parts.is_none() || divided.ahead.len() >= READ_AHEAD {
            return false;
        }
        let sizes = self.divided[..=at].iter().flat_map(|it| &it.sizes);
        let (parts, bytes) = sizes.fold((0, 0), |(parts, bytes), size| (parts + 1, bytes + size));
        let is_next = divided.file == self.turn.file && divided.sizes.is_empty();
        is_next || parts < bounds.parts() && bytes < bounds.bytes()
    }

    /// Returns true if a thread can read a part or work on one.
    pub(super) fn has_part(&self, bounds: Bounds) -> bool {
        let mut divided = self.divided.iter().enumerate();
        divided.any(|(at, it)| !it.ahead.is_empty() || self.may_read(at, bounds))
    }

    /// Returns true if so few parts are left to begin that the next file should be opened.
    pub(super) fn ends_soon(&self, bounds: Bounds) -> bool {
        let lefts = self.divided.iter().filter_map(|it| it.parts.as_ref());
        let left = lefts.map(|parts| parts.parts.size_hint().1.unwrap_or(usize::MAX));
        left.fold(0, usize::saturating_add) <= bounds.parts()
    }

    /// Returns true if all parts of divided files were begun.
    pub(super) fn is_divided_up(&self) -> bool {
        self.divided.iter().all(|it| it.is_ended && it.ahead.is_empty())
    }

    /// The next step in a divided file. `None` without one. The caller has to take what is ready
    /// then: a file may have ended.
    pub(super) fn next_part(
        &mut self,
        bounds: Bounds,
        size: fn(&U) -> usize,
    ) -> Option<Step<'p, U>> {
        for at in 0..self.divided.len() {
            let may_read = self.may_read(at, bounds);
            let divided = &mut self.divided[at];
            let file = divided.file;
            if let Some(mut parts) = divided.parts.take_if(|_| may_read) {
                if parts.is_stream {
                    return Some(Step::Read(file, parts));
                }
                if let Some(part) = parts.parts.next() {
                    divided.parts = Some(parts);
                    let number = divided.begin(size(&part));
                    return Some(Step::Part(Slot { file, part: number }, part));
                }
                divided.is_ended = true;
            }
            if let Some((number, part)) = divided.ahead.pop_front() {
                return Some(Step::Part(Slot { file, part: number }, part));
            }
        }
        None
    }

    /// The results whose turn it is.
    pub(super) fn next_results(&mut self) -> Option<Next<T>> {
        while let Some(divided) = self.divided.first_mut()
            && divided.file == self.turn.file
        {
            let taken = divided.taken;
            if divided.ready.front().is_some_and(|(it, _)| *it == taken) {
                return divided.ready.pop_front().map(|(_, result)| Next::Part(result));
            }
            if !divided.is_ended || taken < divided.read {
                return None;
            }
            self.divided.remove(0);
            self.turn = Slot::of_file(self.turn.file + 1);
        }
        let is_next = self.ready.front().is_some_and(|(it, _)| *it == self.turn.file);
        let next = is_next.then(|| self.ready.pop_front()).flatten();
        next.map(|(_, results)| Next::Files(results))
    }

    /// Ends the turn of files whose results were taken, and keeps their vector.
    pub(super) fn files_taken(&mut self, results: Vec<Option<T>>, count: usize) {
        self.spare.push(results);
        self.turn = Slot::of_file(self.turn.file + count);
    }

    /// Ends the turn of a file that was not divided, or of a part.
    pub(super) fn taken(&mut self) {
        match self.divided.first_mut() {
            Some(divided) if divided.file == self.turn.file => {
                divided.taken += 1;
                self.turn.part = divided.taken;
                divided.sizes.pop_front();
            }
            _ => self.turn = Slot::of_file(self.turn.file + 1),
        }
    }
}
