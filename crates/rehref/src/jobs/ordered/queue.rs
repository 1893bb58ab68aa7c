//! The threads of a run.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::measure::{self, Section, Undecided};
use super::state::{Next, Slot, State, Step, Take};
use super::work::{Bounds, Outcome, Parts, Turn, Work};

/// The files of a run, the results that wait, and the threads that wait for either.
pub(super) struct Queue<'t, 'p, I, W: Work<'p>> {
    /// The files left. They have their own lock: waiting for a file must not block `take`.
    files: Mutex<I>,
    /// The number of files given.
    given: AtomicUsize,
    /// True if no files are left.
    is_at_end: AtomicBool,
    state: Mutex<State<'t, 'p, W::Done, W::Part>>,
    /// The number of the file whose result is taken next, as in the state.
    turn: AtomicUsize,
    /// True if a file was divided.
    has_parts: AtomicBool,
    /// True if no more units are to be begun.
    is_stopped: AtomicBool,
    /// Signaled when a thread may have a step.
    has_step: Condvar,
    /// Signaled when the turn of a thread may have come.
    has_come: Condvar,
    bounds: Bounds,
}

impl<'t, 'p, I, W: Work<'p>> Queue<'t, 'p, I, W>
where
    I: Iterator<Item = W::File>,
{
    pub(super) fn new(bounds: Bounds, files: I, take: Take<'t, W::Done>) -> Self {
        Self {
            files: Mutex::new(files),
            given: AtomicUsize::new(0),
            is_at_end: AtomicBool::new(false),
            state: Mutex::new(State::new(take)),
            turn: AtomicUsize::new(0),
            has_parts: AtomicBool::new(false),
            is_stopped: AtomicBool::new(false),
            has_step: Condvar::new(),
            has_come: Condvar::new(),
            bounds,
        }
    }

    /// The first files. `None` without any.
    pub(super) fn first(&self) -> Option<Vec<W::File>> {
        let mut files = Vec::new();
        self.next_files(&mut files).map(|_| files)
    }

    /// Works until the end of the run, at first on files that are the first ones.
    pub(super) fn work(&self, work: &W, first: Option<Vec<W::File>>) {
        let _stop = StopOnPanic(self);
        let mut results = Vec::new();
        let mut next = first.as_ref().map(|_| Step::Files(0));
        let mut files = first.unwrap_or_default();
        while let Some(step) = next.take().or_else(|| self.next_step(&mut files)) {
            match step {
                Step::Files(first) => {
                    results = self.work_on_files(work, first, &mut files, results);
                }
                Step::Read(file, parts) => self.read(file, parts),
                Step::Part(slot, part) => self.work_on_part(work, slot, part),
            }
        }
    }

    /// Waits for the next step. `None` at the end.
    fn next_step(&self, files: &mut Vec<W::File>) -> Option<Step<'p, W::Part>> {
        let mut has_waited = false;
        while !self.is_stopped() {
            if let Some(step) = self.step(files) {
                if has_waited {
                    // There may be one for another thread.
                    self.notify(&self.state());
                }
                return Some(step);
            }
            let state = self.wait_for_step();
            if self.is_done(&state) {
                return None;
            }
            has_waited = true;
        }
        None
    }

    /// The next step, if there is one.
    fn step(&self, files: &mut Vec<W::File>) -> Option<Step<'p, W::Part>> {
        if !self.has_parts.load(Ordering::Acquire) {
            return self.next_files(files).map(Step::Files);
        }
        let state = self.state();
        let is_early =
            self.given.load(Ordering::Acquire) == state.ended && state.ends_soon(self.bounds);
        drop(state);
        if is_early && let Some(first) = self.next_files(files) {
            return Some(Step::Files(first));
        }
        let mut state = self.state();
        let listing = measure::serial();
        let step = state.next_part(self.bounds, W::size);
        drop(listing);
        if step.is_some() {
            return step;
        }
        // A file may have ended.
        drop(self.take_ready(state));
        self.next_files(files).map(Step::Files)
    }

    /// Gets the next files. Returns the number of the first one, or `None` if there are none or too
    /// many in work.
    fn next_files(&self, next: &mut Vec<W::File>) -> Option<usize> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let room = self.room_for_files();
        if room == 0 || self.is_at_end.load(Ordering::Acquire) {
            return None;
        }
        let first = self.given.load(Ordering::Acquire);
        let count = self.bounds.at_once(first, files.size_hint().0).min(room);
        let listing = measure::serial();
        next.extend(files.by_ref().take(count));
        drop(listing);
        self.given.store(first + next.len(), Ordering::Release);
        if next.is_empty() {
            drop(files);
            let state = self.state();
            self.is_at_end.store(true, Ordering::Release);
            self.notify(&state);
            return None;
        }
        Some(first)
    }

    /// Works on files whose first one has the number `first`. Returns a vector for other results.
    fn work_on_files(
        &self,
        work: &W,
        mut first: usize,
        files: &mut Vec<W::File>,
        mut results: Vec<Option<W::Done>>,
    ) -> Vec<Option<W::Done>> {
        for file in files.drain(..) {
            if self.is_stopped() {
                results.push(None);
                continue;
            }
            let number = first + results.len();
            let slot = Slot::of_file(number);
            let mut held = None;
            let mut pass = |result| {
                if held.is_none() {
                    // The results before it must not wait for it.
                    results = self.put(first, std::mem::take(&mut results));
                    first = number;
                    held = self.wait_for_turn(slot);
                }
                self.pass(&mut held, result)
            };
            let mut turn = Turn { has_come: &|| self.has_come(slot), pass: &mut pass };
            let dividing = Undecided::begin();
            match work.file(file, &mut turn) {
                Outcome::Done(result) => match held {
                    None => results.push(Some(result)),
                    Some(held) => {
                        self.state().ended += 1;
                        self.end_turn(held, result);
                        first = number + 1;
                    }
                },
                Outcome::Parts(parts) => {
                    if !self.state().has_part(self.bounds) {
                        dividing.was_serial();
                    }
                    results = self.put(first, results);
                    first = number + 1;
                    let mut state = self.state();
                    state.divide(number, parts);
                    if let Some(held) = held {
                        state.take = Some(held.take);
                    }
                    self.has_parts.store(true, Ordering::Release);
                    self.notify(&state);
                }
            }
        }
        self.put(first, results)
    }

    /// Works on a part.
    fn work_on_part(&self, work: &W, slot: Slot, part: W::Part) {
        let mut held = None;
        let mut pass = |result| {
            if held.is_none() {
                held = self.wait_for_turn(slot);
            }
            self.pass(&mut held, result)
        };
        let mut turn = Turn { has_come: &|| self.has_come(slot), pass: &mut pass };
        let result = work.part(part, &mut turn);
        match held {
            Some(held) => self.end_turn(held, result),
            None => {
                let mut state = self.state();
                state.put_part(slot, result);
                drop(self.take_ready(state));
            }
        }
    }

    /// Reads the next part of a stream.
    fn read(&self, file: usize, mut parts: Parts<'p, W::Part>) {
        let reading = measure::serial();
        let read = parts.parts.next();
        let read = read.map(|part| {
            let size = W::size(&part);
            (part, size)
        });
        drop(reading);
        let mut state = self.state();
        state.was_read(file, parts, read);
        self.notify(&state);
        drop(self.take_ready(state));
    }
}

impl<'t, 'p, I, W: Work<'p>> Queue<'t, 'p, I, W> {
    /// Waits until a thread may have a step, or the end has come.
    fn wait_for_step(&self) -> MutexGuard<'_, State<'t, 'p, W::Done, W::Part>> {
        let mut state = self.state();
        state.waiting_for_steps += 1;
        let is_early = |state: &mut State<'t, 'p, W::Done, W::Part>| {
            !self.is_stopped() && !self.has_step(state) && !self.is_done(state)
        };
        let state = self.has_step.wait_while(state, is_early);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        state.waiting_for_steps -= 1;
        state
    }

    /// Wakes a thread that waits for a step, if there is one. That wakes the next. At the end, wakes
    /// all.
    fn notify(&self, state: &State<'t, 'p, W::Done, W::Part>) {
        if state.waiting_for_steps > 0 {
            if self.is_stopped() || self.is_done(state) {
                self.has_step.notify_all();
            } else if self.has_step(state) {
                self.has_step.notify_one();
            }
        }
    }

    /// The number of files that may be begun.
    fn room_for_files(&self) -> usize {
        let held = self.given.load(Ordering::Acquire) - self.turn.load(Ordering::Acquire);
        self.bounds.window.saturating_sub(held)
    }

    /// Returns true if a thread may have a step.
    fn has_step(&self, state: &State<'t, 'p, W::Done, W::Part>) -> bool {
        let has_files = !self.is_at_end.load(Ordering::Acquire) && self.room_for_files() > 0;
        has_files || state.has_part(self.bounds)
    }

    /// Returns true if all units were begun. The work on a file may still divide it.
    fn is_done(&self, state: &State<'t, 'p, W::Done, W::Part>) -> bool {
        self.is_at_end.load(Ordering::Acquire)
            && state.ended == self.given.load(Ordering::Acquire)
            && state.is_divided_up()
    }

    /// Adds the results of a run of files, then takes all results that are next in order unless
    /// another thread does. Returns a vector for other results.
    fn put(&self, first: usize, results: Vec<Option<W::Done>>) -> Vec<Option<W::Done>> {
        if results.is_empty() {
            return results;
        }
        let mut state = self.state();
        state.put(first, results);
        self.take_ready(state).spare()
    }

    /// Returns true if all results before a place were taken.
    fn has_come(&self, slot: Slot) -> bool {
        // The lock is only needed for the parts of the file.
        self.turn.load(Ordering::Acquire) == slot.file
            && (slot.part == 0 || self.state().turn == slot)
    }

    /// Waits until all results before this place were taken. Returns the receiver, or `None` if
    /// nothing more is taken.
    fn wait_for_turn(&self, slot: Slot) -> Option<Held<'t, W::Done>> {
        let mut has_waited = false;
        let mut state = self.state();
        state.waiting_for_turns += 1;
        let is_early = |state: &mut State<'t, 'p, W::Done, W::Part>| {
            let is_early = state.turn != slot || state.take.is_none();
            has_waited |= is_early;
            is_early && !self.is_stopped()
        };
        let waited = self.has_come.wait_while(state, is_early);
        state = waited.unwrap_or_else(PoisonError::into_inner);
        state.waiting_for_turns -= 1;
        match self.is_stopped() {
            true => None,
            false => state
                .take
                .take()
                .map(|take| Held { take, _serial: has_waited.then(measure::serial) }),
        }
    }

    /// Passes a result to the receiver of a turn.
    fn pass(
        &self,
        held: &mut Option<Held<'t, W::Done>>,
        result: Option<W::Done>,
    ) -> ControlFlow<()> {
        if let Some(held) = held
            && !self.is_stopped()
        {
            let _serial = measure::serial();
            if result.is_some_and(|result| (held.take)(result).is_break()) {
                self.is_stopped.store(true, Ordering::Release);
            } else {
                return ControlFlow::Continue(());
            }
        }
        ControlFlow::Break(())
    }

    /// Passes the last result of a turn, and all results that are next in order.
    fn end_turn(&self, held: Held<'t, W::Done>, result: W::Done) {
        let mut held = Some(held);
        let _: ControlFlow<()> = self.pass(&mut held, Some(result));
        let mut state = self.state();
        state.take = held.map(|it| it.take);
        state.taken();
        self.advance(&state);
        drop(self.take_ready(state));
    }

    /// Takes all results that are next in order unless another thread does.
    fn take_ready<'q>(
        &'q self,
        mut state: MutexGuard<'q, State<'t, 'p, W::Done, W::Part>>,
    ) -> MutexGuard<'q, State<'t, 'p, W::Done, W::Part>> {
        while let Some(take) = state.take.take() {
            let Some(next) = state.next_results() else {
                state.take = Some(take);
                // A file may have ended.
                self.advance(&state);
                break;
            };
            drop(state);
            let taking = measure::serial();
            match next {
                Next::Files(mut results) => {
                    let count = results.len();
                    for result in results.drain(..).flatten() {
                        self.take(&mut *take, result);
                    }
                    state = self.state();
                    state.files_taken(results, count);
                }
                Next::Part(result) => {
                    self.take(&mut *take, result);
                    state = self.state();
                    state.taken();
                }
            }
            drop(taking);
            state.take = Some(take);
            self.advance(&state);
        }
        state
    }

    fn take(&self, take: &mut dyn FnMut(W::Done) -> ControlFlow<()>, result: W::Done) {
        if take(result).is_break() {
            self.is_stopped.store(true, Ordering::Release);
        }
    }

    /// Publishes the turn.
    fn advance(&self, state: &State<'t, 'p, W::Done, W::Part>) {
        self.turn.store(state.turn.file, Ordering::Release);
        if state.waiting_for_turns > 0 {
            self.has_come.notify_all();
        }
        self.notify(state);
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Acquire)
    }

    fn state(&self) -> MutexGuard<'_, State<'t, 'p, W::Done, W::Part>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The receiver of results in the hands of a thread whose turn has come. Its work is serial if it
/// had to wait: soon the others wait, too.
struct Held<'t, T> {
    take: Take<'t, T>,
    _serial: Option<Section>,
}

/// Stops the queue if a thread panics. Otherwise the other threads would wait for its result
/// forever.
struct StopOnPanic<'q, 't, 'p, I, W: Work<'p>>(&'q Queue<'t, 'p, I, W>);

impl<'p, I, W: Work<'p>> Drop for StopOnPanic<'_, '_, 'p, I, W> {
    fn drop(&mut self) {
        if thread::panicking() {
            let _state = self.0.state();
            self.0.is_stopped.store(true, Ordering::Release);
            self.0.has_step.notify_all();
            self.0.has_come.notify_all();
        }
    }
}
