//! Iterators over the results of a thread in the background.

use std::collections::VecDeque;
use std::ffi::CString;
use std::mem::forget;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyRuntimeError, PyUserWarning};
use pyo3::prelude::*;
#[cfg(feature = "stubs")]
use pyo3::{inspect::PyStaticExpr, type_hint_identifier, type_hint_union};
use rehref::jobs::Stop;

use crate::errors::FileError;
use crate::process::{FORKED, ProcessId};

/// The maximum number of batches that wait to be taken. Then the thread pauses.
const WAITING: usize = 4;

/// The maximum number of items of a batch.
const MOST_ITEMS: usize = 64;

/// The size of a batch in bytes from which on it is sent.
const BATCH_SIZE: usize = 1 << 20;

/// The time after which a wait is interrupted to handle signals, such as that of Ctrl-C.
pub(crate) const SIGNALS: Duration = Duration::from_millis(100);

/// A result of the thread.
pub(crate) enum Made {
    /// An item, which becomes an object of Python where it is taken.
    Item(Box<dyn ToPython>),
    /// A part of a file that could not be read, which Python warns of, or the exception of a file
    /// object.
    Unread(FileError),
}

impl Made {
    pub(crate) fn item(item: impl ToPython + 'static) -> Self {
        Self::Item(Box::new(item))
    }
}

/// Values of any class.
pub(crate) trait ToPython: Send {
    fn to_python(self: Box<Self>, py: Python<'_>) -> PyResult<Py<PyAny>>;
}

impl<T: for<'py> IntoPyObjectExt<'py> + Send> ToPython for T {
    fn to_python(self: Box<Self>, py: Python<'_>) -> PyResult<Py<PyAny>> {
        (*self).into_py_any(py)
    }
}

/// An item as an object of Python. Only its type hint names the classes: they make iterators
/// themselves, and are above this file.
struct Object(Py<PyAny>);

impl<'py> IntoPyObject<'py> for Object {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const OUTPUT_TYPE: PyStaticExpr = type_hint_union!(
        type_hint_identifier!("_rehref", "Link"),
        type_hint_identifier!("_rehref", "Warning"),
        type_hint_identifier!("_rehref", "Document"),
        type_hint_identifier!("_rehref", "Message"),
        type_hint_identifier!("_rehref", "Record")
    );

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.0.into_bound(py))
    }
}

/// An iterator. A thread is a few items ahead of it, and ends when the iterator is dropped.
#[pyclass(frozen, module = "rehref")]
pub(crate) struct Items {
    /// `None` if it was dropped in a forked process.
    receiver: Mutex<Option<Receiver<Vec<Made>>>>,
    /// The thread, until the end.
    thread: Mutex<Option<JoinHandle<()>>>,
    ready: Mutex<VecDeque<Made>>,
    /// Ends the thread, also while it finds nothing to send.
    stop: Stop,
    process: ProcessId,
}

impl Drop for Items {
    fn drop(&mut self) {
        self.stop.stop();
        if !self.process.is_current() {
            // The channel may be in the state in which the thread left it in the middle of sending.
            // Dropping it could wait for the rest.
            let receiver = self.receiver.get_mut();
            forget(receiver.unwrap_or_else(PoisonError::into_inner).take());
        }
    }
}

impl Items {
    /// The items that `send` sends. When no more are wanted, `stop` is set and sending fails.
    pub(crate) fn sent_by(
        stop: Stop,
        send: impl FnOnce(SyncSender<Vec<Made>>) + Send + 'static,
    ) -> Self {
        let (sender, receiver) = sync_channel(WAITING);
        let thread = thread::spawn(move || send(sender));
        Self {
            receiver: Mutex::new(Some(receiver)),
            thread: Mutex::new(Some(thread)),
            ready: Mutex::default(),
            stop,
            process: ProcessId::current(),
        }
    }

    /// The items of another iterator, each with its size in bytes. `None` is skipped.
    pub(crate) fn of(items: impl Iterator<Item = Option<(Made, usize)>> + Send + 'static) -> Self {
        let stop = Stop::default();
        let stopped = stop.clone();
        Self::sent_by(stop, move |sender| {
            let (mut batch, mut size) = (Vec::new(), 0);
            for item in items.take_while(|_| !stopped.is_stopped()) {
                let Some((item, len)) = item else {
                    continue;
                };
                batch.push(item);
                size += len;
                if batch.len() == MOST_ITEMS || size >= BATCH_SIZE {
                    size = 0;
                    if sender.send(std::mem::take(&mut batch)).is_err() {
                        return;
                    }
                }
            }
            // If it is not received, the iterator was dropped.
            let _ = sender.send(batch);
        })
    }

    /// Panics if the thread has panicked: items are missing then.
    fn join(&self) {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        let joined = thread.take().map_or(Ok(()), JoinHandle::join);
        joined.unwrap_or_else(|panic| resume_unwind(panic));
    }

    /// The next item that the thread has made. `None` at the end.
    ///
    /// # Errors
    /// In a forked process, without the locks that a thread of the parent may have had.
    fn next_made(&self, py: Python<'_>) -> PyResult<Option<Made>> {
        if !self.process.is_current() {
            return Err(PyRuntimeError::new_err(FORKED));
        }
        loop {
            let ready = || self.ready.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(made) = ready().pop_front() {
                return Ok(Some(made));
            }
            let received = py.detach(|| {
                let receiver = self.receiver.lock().unwrap_or_else(PoisonError::into_inner);
                match &*receiver {
                    Some(receiver) => receiver.recv_timeout(SIGNALS),
                    None => Err(RecvTimeoutError::Disconnected),
                }
            });
            match received {
                Ok(batch) => ready().extend(batch),
                Err(RecvTimeoutError::Disconnected) => {
                    py.detach(|| self.join());
                    return Ok(None);
                }
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            }
        }
    }
}

#[pymethods]
impl Items {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Object>> {
        while let Some(made) = self.next_made(py)? {
            match made {
                Made::Item(item) => return Ok(Some(Object(item.to_python(py)?))),
                Made::Unread(error) => warn(py, &error)?,
            }
        }
        Ok(None)
    }
}

/// Issues a warning of Python about a part of a file that could not be read. The exception of a file
/// object is raised.
pub(crate) fn warn(py: Python<'_>, error: &FileError) -> PyResult<()> {
    if let Some(exception) = &error.exception {
        return Err(exception.clone_ref(py));
    }
    let text = CString::new(error.to_string()).unwrap_or_default();
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 2)
}

/// Does work in a thread, and ends it early on a signal such as that of Ctrl-C.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    stop: Stop,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(1);
        let receiver = Mutex::new(receiver);
        let worker = scope.spawn(move || {
            let done = work();
            // It is received unless a signal came first.
            let _ = sender.send(done);
        });
        loop {
            let received = py.detach(|| {
                let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
                receiver.recv_timeout(SIGNALS)
            });
            match received {
                Ok(done) => return Ok(done),
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(signal) = py.check_signals() {
                        stop.stop();
                        // It may wait for input. Other threads of Python run meanwhile.
                        py.detach(|| {
                            let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
                            let _ = receiver.recv();
                        });
                        return Err(signal);
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    worker.join().unwrap_or_else(|panic| resume_unwind(panic));
                    unreachable!("a thread that ends has sent its result");
                }
            }
        }
    })
}
