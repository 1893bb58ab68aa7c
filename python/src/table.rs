//! Tables of links as streams of Arrow.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, ThreadId};

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Int64Array, RecordBatch, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyString};
use rehref::fs::{BaseMappingError, Item, Memory};
use rehref::jobs::{Extract, ExtractEvent, Stop};
use rehref::records::{ColumnError, LinkColumns, LinkRows};
use rehref::uri::Parts;

use crate::errors::{FileError, exception_of, invalid, invalid_option};
use crate::extract::{Warning, warning_of};
use crate::file::FileInput;
use crate::input::{self, bytes_of};
use crate::items::SIGNALS;
use crate::options::{Given, read_text};
use crate::process::{FORKED, ProcessId};

/// The maximum number of batches that wait to be read. Then the thread pauses.
const WAITING: usize = 2;

/// The maximum number of warnings that are kept of a reading.
const MOST_WARNINGS: usize = 10_000;

/// The name of the column with the indices of values.
const ROW: &str = "row";

/// A batch, or the exception of a file object.
type Made = Result<RecordBatch, ArrowError>;

/// Links as a stream of Arrow, which can be read several times. Each reading finds the links anew.
#[pyclass(frozen, module = "rehref")]
pub(crate) struct Table {
    source: Arc<Source>,
}

/// The report of a reading in addition to its rows.
#[derive(Clone, Default)]
struct Report {
    warnings: Vec<Warning>,
    /// The number of documents.
    documents: usize,
}

/// The run that finds the links, and the columns that they have.
struct Source {
    /// The run without its inputs.
    extract: Extract,
    items: Vec<Item>,
    columns: LinkColumns,
    schema: SchemaRef,
    /// If the inputs are values: the place of the column with the index of the value of each row.
    index_column: Option<usize>,
    /// The warnings about base URLs of values, which are ignored.
    invalid_bases: Vec<Warning>,
    /// The report of the last reading.
    report: Mutex<Arc<Mutex<Report>>>,
}

/// Locks a value that no panic can leave half changed.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Table {
    fn report(&self) -> Report {
        locked(&locked(&self.source.report)).clone()
    }
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let fields = self.source.schema.fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    /// The warnings about data that could not be read in the last reading. A reading begins with
    /// the first batch. At most 10,000 warnings are kept.
    #[getter]
    fn warnings(&self) -> Vec<Warning> {
        self.report().warnings
    }

    /// The number of documents that were read in the last reading: files, parts of messages, pages
    /// of web archives.
    #[getter]
    fn documents(&self) -> usize {
        self.report().documents
    }

    /// The schema, by the PyCapsule interface of Arrow.
    #[pyo3(signature = () -> "object")]
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.source.schema);
        let schema = schema.map_err(|error| invalid(py, error))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// A stream of batches, by the PyCapsule interface of Arrow. The schema is the same whatever is
    /// requested.
    #[pyo3(signature = (requested_schema: "object" = None) -> "object")]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = Batches {
            source: Arc::clone(&self.source),
            stop: Stop::default(),
            worker: None,
            process: ProcessId::current(),
            main_thread: main_thread(py)?,
        };
        let stream = FFI_ArrowArrayStream::new(Box::new(batches));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    fn __repr__(&self) -> String {
        format!("Table({:?})", self.columns())
    }
}

/// A reading of a table. A thread begins to find links when the first batch is read, and ends when
/// the reading is dropped.
struct Batches {
    source: Arc<Source>,
    stop: Stop,
    /// The thread, and the batches that it sends.
    worker: Option<(JoinHandle<()>, Mutex<Receiver<Made>>)>,
    /// The process of the thread.
    process: ProcessId,
    /// The main thread of Python, if it made the reading.
    main_thread: Option<ThreadId>,
}

impl Batches {
    /// Ends the reading in a forked process. The channel may be in the state in which the thread
    /// left it in the middle of sending: dropping it could wait for the rest.
    fn leave_to_parent(&mut self) {
        self.stop.stop();
        std::mem::forget(self.worker.take());
    }

    /// Ends the reading when its thread has ended. If the thread panicked, batches are missing:
    /// that is an error.
    fn end(&mut self) -> Option<ArrowError> {
        self.stop.stop();
        let (thread, _) = self.worker.take()?;
        let message = "the reading is not complete: a thread panicked";
        (thread.join().is_err()).then(|| ArrowError::ExternalError(message.into()))
    }
}

/// Returns the current thread if it is the main thread of Python. Only that handles signals.
fn main_thread(py: Python<'_>) -> PyResult<Option<ThreadId>> {
    let threading = py.import("threading")?;
    let main = threading.call_method0("main_thread")?.getattr("ident")?;
    let is_main = main.eq(threading.call_method0("get_ident")?)?;
    Ok(is_main.then(|| thread::current().id()))
}

impl Iterator for Batches {
    type Item = Made;

    fn next(&mut self) -> Option<Self::Item> {
        if self.stop.is_stopped() {
            return None;
        }
        if self.worker.is_none() {
            self.process = ProcessId::current();
        } else if !self.process.is_current() {
            self.leave_to_parent();
            return Some(Err(ArrowError::ExternalError(FORKED.into())));
        }
        let (_, receiver) = self.worker.get_or_insert_with(|| {
            let (sender, receiver) = sync_channel(WAITING);
            let (source, stop) = (Arc::clone(&self.source), self.stop.clone());
            let warnings = source.invalid_bases.clone();
            let report = Arc::new(Mutex::new(Report { warnings, documents: 0 }));
            *locked(&source.report) = Arc::clone(&report);
            let thread = thread::spawn(move || source.send(stop, &sender, &report));
            (thread, Mutex::new(receiver))
        });
        if self.main_thread != Some(thread::current().id()) {
            return match self.source.waiting(|| locked(receiver).recv()) {
                Ok(made) => Some(made),
                Err(_) => self.end().map(Err),
            };
        }
        loop {
            if let Some(Err(signal)) = Python::try_attach(|py| py.check_signals()) {
                self.stop.stop();
                self.worker = None;
                // An exception without a value ends with a colon.
                let message = format!("stopped by a signal: {signal}");
                let message = message.trim_end_matches(": ");
                return Some(Err(ArrowError::ExternalError(message.into())));
            }
            match self.source.waiting(|| locked(receiver).recv_timeout(SIGNALS)) {
                Ok(made) => return Some(made),
                Err(RecvTimeoutError::Disconnected) => return self.end().map(Err),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.source.schema)
    }
}

impl Drop for Batches {
    fn drop(&mut self) {
        self.stop.stop();
        if !self.process.is_current() {
            self.leave_to_parent();
        }
    }
}

/// The rows of a piece of a run.
#[derive(Default)]
struct Piece {
    rows: LinkRows,
    /// The indices of the inputs, counted from the first one of the piece.
    indices: Indices,
    report: Report,
    /// The exception of a file object.
    failure: Option<String>,
}

impl Source {
    fn new(
        py: Python<'_>,
        mut extract: Extract,
        mut names: Option<Vec<String>>,
        of_values: bool,
    ) -> PyResult<Self> {
        let mut index_column = of_values.then_some(0);
        if of_values
            && let Some(names) = &mut names
            && let Some(place) = names.iter().position(|it| it == ROW)
        {
            names.remove(place);
            if names.iter().any(|it| it == ROW) {
                let error = ColumnError::Duplicate(ROW.to_owned());
                return Err(invalid_option(py, "columns", error));
            }
            index_column = Some(place);
        }
        let columns = match names {
            Some(names) => LinkColumns::of_names(names),
            None => LinkColumns::of_names(LinkColumns::all_names().filter(|name| match *name {
                "context" => extract.contexts,
                "unwrapped" => extract.unwrap,
                _ => true,
            })),
        };
        let columns = columns.map_err(|error| invalid_option(py, "columns", error))?;
        extract.set_columns(&columns);
        let schema = match index_column {
            None => Arc::clone(columns.schema()),
            Some(place) => {
                let mut fields = columns.schema().fields().to_vec();
                fields.insert(place, Arc::new(Field::new(ROW, DataType::Int64, true)));
                Arc::new(Schema::new(fields))
            }
        };
        let items = std::mem::take(&mut extract.inputs.items);
        let (invalid_bases, report) = (Vec::new(), Mutex::default());
        Ok(Self { extract, items, columns, schema, index_column, invalid_bases, report })
    }

    /// Waits for the thread. It needs the lock of the interpreter, which some readers hold, only to
    /// read file objects.
    fn waiting<T: Send>(&self, wait: impl FnOnce() -> T + Send) -> T {
        if !self.items.iter().any(|it| matches!(it, Item::Opened(_))) {
            return wait();
        }
        let mut wait = Some(wait);
        let waited = Python::try_attach(|py| {
            let wait = wait.take();
            py.detach(|| wait.map(|it| it()))
        });
        match (waited.flatten(), wait) {
            (Some(waited), _) => waited,
            (None, Some(wait)) => wait(),
            (None, None) => unreachable!("a wait that was taken has ended"),
        }
    }

    /// Finds the links and sends them, until all are sent or the reading is dropped.
    fn send(&self, stop: Stop, sender: &SyncSender<Made>, report: &Mutex<Report>) {
        let mut extract = self.extract.clone();
        extract.stop = stop;
        let mut rows = LinkRows::default();
        let mut indices = Indices::default();
        let render = |event: ExtractEvent<'_>, piece: &mut Piece| match event {
            ExtractEvent::Link(link, charset) => {
                piece.rows.push(&self.columns, link, charset);
                piece.indices.push(piece.indices.ended, 1);
            }
            ExtractEvent::FileEnd(_) => piece.indices.ended += 1,
            ExtractEvent::Document(_) => piece.report.documents += 1,
            ExtractEvent::Error(error) if exception_of(error).is_some() => {
                piece.failure = exception_of(error).map(ToString::to_string);
            }
            event => {
                let warning = warning_of(&event).map(|it| match self.index_column {
                    Some(_) => it.of_row(piece.indices.ended),
                    None => it,
                });
                piece.report.warnings.extend(warning);
            }
        };
        let mut failure = None;
        extract.run_on(self.items.clone(), render, |piece| {
            if let Some(found) = piece.failure {
                failure = Some(found);
                return ControlFlow::Break(());
            }
            let mut report = locked(report);
            report.documents += piece.report.documents;
            let room = MOST_WARNINGS.saturating_sub(report.warnings.len());
            let warnings = piece.report.warnings.into_iter().take(room);
            report.warnings.extend(warnings.map(|it| it.after_rows(indices.ended)));
            drop(report);
            indices.append(piece.indices);
            rows.append(piece.rows);
            for batch in rows.take_full() {
                if sender.send(Ok(self.finished(batch, &mut indices))).is_err() {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        if let Some(failure) = failure {
            // If it is not received, the reading was dropped.
            let _ = sender.send(Err(ArrowError::ExternalError(failure.into())));
            return;
        }
        for batch in rows.finish() {
            if sender.send(Ok(self.finished(batch, &mut indices))).is_err() {
                return;
            }
        }
    }

    /// Adds the column with the indices of values, if the table has it.
    fn finished(&self, batch: RecordBatch, indices: &mut Indices) -> RecordBatch {
        let of_rows = indices.take(batch.num_rows());
        let Some(place) = self.index_column else {
            return batch;
        };
        let mut columns = batch.columns().to_vec();
        columns.insert(place, Arc::new(Int64Array::from(of_rows)));
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
            .expect("an index for each row of the batch")
    }
}

/// The indices of the inputs that rows are from.
#[derive(Default)]
struct Indices {
    /// The index of an input, and the number of rows from it that follow.
    rows: VecDeque<(i64, usize)>,
    /// The number of inputs that have ended, which is the index of the current one.
    ended: i64,
}

impl Indices {
    /// Adds rows of an input.
    fn push(&mut self, index: i64, len: usize) {
        match self.rows.back_mut() {
            Some((last, rows)) if *last == index => *rows += len,
            _ => self.rows.push_back((index, len)),
        }
    }

    /// Adds those of a piece.
    fn append(&mut self, piece: Self) {
        for (index, len) in piece.rows {
            self.push(self.ended + index, len);
        }
        self.ended += piece.ended;
    }

    /// Removes the indices of the first rows.
    fn take(&mut self, len: usize) -> Vec<i64> {
        let mut indices = Vec::with_capacity(len);
        while indices.len() < len
            && let Some((index, rows)) = self.rows.front_mut()
        {
            let taken = (*rows).min(len - indices.len());
            indices.extend(std::iter::repeat_n(*index, taken));
            *rows -= taken;
            if *rows == 0 {
                self.rows.pop_front();
            }
        }
        indices
    }
}

/// A table of the links of files, directories and file objects.
#[pyfunction]
#[pyo3(signature = (paths: "list[object]", columns = None, options: "dict[str, object] | None" = None))]
pub(crate) fn table_of_paths(
    py: Python<'_>,
    paths: Vec<FileInput>,
    columns: Option<Vec<String>>,
    options: Option<Bound<'_, PyDict>>,
) -> PyResult<Table> {
    let mut given = Given::new(py, options)?;
    let slice = given.slice()?;
    let mut extract = given.into_extract()?;
    for path in paths {
        if let FileInput::Path(path) = &path {
            FileError::of_missing(path)?;
        }
        let file = path.item(None);
        let Some(range) = slice.clone() else {
            extract.inputs.items.push(file);
            continue;
        };
        let is_divisible = extract.inputs.read.is_divisible(&file).or_else(|error| {
            match exception_of(&error) {
                Some(exception) => Err(exception.clone_ref(py)),
                // A file that cannot be read is an error of each slice.
                None => Ok(true),
            }
        });
        if is_divisible? {
            extract.inputs.items.push(file.slice(range));
        } else if range.start == 0 {
            extract.inputs.items.push(file);
        }
    }
    let source = Source::new(py, extract, columns, false)?;
    Ok(Table { source: Arc::new(source) })
}

/// A value of a column.
pub(crate) struct Value {
    bytes: Arc<[u8]>,
    /// `None` if it is missing.
    is_text: Option<bool>,
}

impl<'py> FromPyObject<'_, 'py> for Value {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = value.cast::<PyString>() {
            let bytes = input::text(&text)?.as_bytes().into();
            return Ok(Self { bytes, is_text: Some(true) });
        }
        if value.is_none() {
            return Ok(Self { bytes: Arc::default(), is_text: None });
        }
        match bytes_of(&value)? {
            Some(bytes) => Ok(Self { bytes: bytes.into(), is_text: Some(false) }),
            None => Err(PyTypeError::new_err(format!(
                "expected str or bytes, not {}",
                value.get_type().name()?
            ))),
        }
    }
}

/// A table of the links of texts, or of documents in bytes.
#[pyfunction]
#[pyo3(signature = (values: "list[str | bytes | None]", columns = None, options: "dict[str, object] | None" = None, bases = None))]
pub(crate) fn table_of_values(
    py: Python<'_>,
    values: Vec<Value>,
    columns: Option<Vec<String>>,
    options: Option<Bound<'_, PyDict>>,
    bases: Option<Vec<Option<String>>>,
) -> PyResult<Table> {
    let mut extract = Given::new(py, options)?.into_extract()?;
    if let Some(bases) = &bases
        && bases.len() != values.len()
    {
        let message = format!("expected {} values, one per row, not {}", values.len(), bases.len());
        return Err(invalid_option(py, "base", message));
    }
    let mut bases = bases.into_iter().flatten();
    let (mut texts, mut documents) = (false, false);
    let mut invalid_bases = Vec::new();
    for (row, Value { bytes, is_text }) in (0..).zip(values) {
        texts |= is_text == Some(true);
        documents |= is_text == Some(false);
        let mut memory = Memory::new("-", bytes);
        match bases.next().flatten() {
            Some(url) if Parts::split(&url).scheme.is_none() => {
                let error = BaseMappingError::NotAbsolute(url);
                invalid_bases.push(Warning::new(&memory.name, "base", error, None).of_row(row));
            }
            url => memory.url = url.map(Arc::from),
        }
        extract.inputs.items.push(Item::Memory(memory));
    }
    match (texts, documents) {
        (true, true) => {
            let message = "expected values of one type: str or bytes";
            return Err(PyTypeError::new_err(message));
        }
        (true, false) => read_text(&mut extract),
        (false, _) => {}
    }
    let source = Source::new(py, extract, columns, true)?;
    Ok(Table { source: Arc::new(Source { invalid_bases, ..source }) })
}
