//! Running the work on files in threads that another room provides.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use crate::error::Error;

/// The work on one file, in any thread. It returns the rest of the work.
pub type Task<'t> = Box<dyn FnOnce() -> InOrder<'t> + Send + 't>;

/// The rest of the work on a file, which is done in the order of the files. If it breaks, no more
/// files are begun.
pub type InOrder<'t> = Box<dyn FnOnce() -> ControlFlow<()> + Send + 't>;

/// A function that runs tasks, in any number of threads. It also runs what a begun task returns.
pub type RunTasks<'o> = dyn Fn(&mut (dyn Iterator<Item = Task<'_>> + Send)) + Sync + 'o;

/// Runs one task after another.
pub(super) fn one_by_one(tasks: &mut (dyn Iterator<Item = Task<'_>> + Send)) {
    for task in tasks {
        if task()().is_break() {
            break;
        }
    }
}

/// The decision to continue after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    On,
    /// The run was interrupted.
    Stopped,
}

/// Runs `work` on each of `files` in threads, and passes the results to `take`, in order. `stop` is
/// called before each file. After it returns true, or after the first error, no more files are
/// begun.
///
/// # Errors
/// The first error.
pub(super) fn for_each<I, T: Send>(
    run_tasks: &RunTasks<'_>,
    stop: &(dyn Fn() -> bool + Sync),
    files: I,
    work: impl Fn(I::Item) -> Result<T, Error> + Sync,
    mut take: impl FnMut(T) + Send,
) -> Result<Flow, Error>
where
    I: Iterator + Send,
    I::Item: Send,
{
    let mut flow = Ok(Flow::On);
    let in_order = |result: Option<Result<T, Error>>| {
        match result {
            Some(Ok(result)) => {
                take(result);
                return ControlFlow::Continue(());
            }
            Some(Err(error)) if flow.is_ok() => flow = Err(error),
            None if flow.is_ok() => flow = Ok(Flow::Stopped),
            _ => {}
        }
        ControlFlow::Break(())
    };
    let (work, in_order) = (&work, &Mutex::new(in_order));
    run_tasks(&mut files.map(|file| -> Task<'_> {
        Box::new(move || {
            let result = (!stop()).then(|| work(file));
            Box::new(move || in_order.lock().unwrap_or_else(PoisonError::into_inner)(result))
        })
    }));
    flow
}
