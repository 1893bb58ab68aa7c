//! Finding links.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use rehref::Document;
use rehref::bytes::Position;
use rehref::format::Format;
use rehref::fs::{Item, Memory};
use rehref::jobs::{Extract, ExtractEvent, Stop};

use crate::errors::{FileError, exception_of, invalid};
use crate::file::FileInput;
use crate::found_links::FoundLinks;
use crate::input::{self, Data, bytes_of};
use crate::items::{Items, Made, interruptible, warn};
use crate::last_options::run_in_memory;
use crate::link::Link;
use crate::options::Given;
use crate::plain_class::plain_class;
use crate::units::Characters;
use crate::untracked::Untracked;

/// The size of inputs in bytes from which on the lock of the interpreter is released.
pub(crate) const LONG: usize = 32 << 10;

/// The size of texts in bytes from which on a signal ends the work, which needs a thread.
const VERY_LONG: usize = 1 << 20;

plain_class! {
    /// A warning about a document, or an error that concerns only a part of the input.
    Warning(WarningFields in Box<WarningFields>) {
        /// The name of the document.
        doc: OsString = OsString::new(),
        /// The code, as in the records of the command: `charset`, `unreadable` and others.
        code: String = String::new(),
        /// The sentence.
        text: String = String::new(),
        /// The line, from 1, if it is known.
        line: Option<usize> = None,
        /// The column in bytes, from 1, if it is known.
        col: Option<usize> = None,
        /// The index of the value, from 0, in the warnings of a table of values.
        row: Option<i64> = None,
    }
}

impl Warning {
    pub(crate) fn new(
        doc: &Path,
        code: &str,
        text: impl ToString,
        position: Option<Position>,
    ) -> Self {
        Self::from(WarningFields {
            doc: doc.as_os_str().to_owned(),
            code: code.to_owned(),
            text: text.to_string(),
            line: position.map(|it| it.line),
            col: position.map(|it| it.column),
            row: None,
        })
    }

    /// The warning as one about a value of a table.
    pub(crate) fn of_row(self, row: i64) -> Self {
        let row = Some(row);
        Self::from(WarningFields { row, ..*self.0 })
    }

    /// The warning after this number of other values.
    pub(crate) fn after_rows(self, rows: i64) -> Self {
        let row = self.0.row.map(|row| rows + row);
        Self::from(WarningFields { row, ..*self.0 })
    }
}

/// The warning of an event, if it is one.
pub(crate) fn warning_of(event: &ExtractEvent<'_>) -> Option<Warning> {
    match event {
        ExtractEvent::Warning(name, position, warning) => {
            Some(Warning::new(name, warning.code(), warning.text(), *position))
        }
        ExtractEvent::Error(error) => {
            Some(Warning::new(error.path(), "unreadable", error.kind(), None))
        }
        ExtractEvent::BinaryMail(name) => {
            Some(Warning::new(name, "binary", "mail with binary content: skipped", None))
        }
        _ => None,
    }
}

/// The links of a run with one input.
#[derive(Default)]
pub(crate) struct ParsedLinks {
    links: FoundLinks,
    /// The error of the input as a whole.
    failure: Option<FileError>,
    /// The parts of the input that could not be read.
    unread: Vec<FileError>,
}

impl ParsedLinks {
    /// Finds the links of a document.
    pub(crate) fn of(run: &Extract, item: Item, text: Option<&Characters<'_>>) -> Self {
        let mut all = Self::default();
        let input = item.name().to_owned();
        let render = |event: ExtractEvent<'_>, found: &mut Self| match event {
            ExtractEvent::Link(report, charset) => {
                found.links.push(report, charset, text);
            }
            ExtractEvent::Error(error) if error.path() == input => {
                found.failure = Some(error.into());
            }
            ExtractEvent::Error(error) => found.unread.push(error.into()),
            _ => {}
        };
        run.run_on(vec![item], render, |found: Self| {
            all.links.append(found.links);
            all.failure = all.failure.take().or(found.failure);
            all.unread.extend(found.unread);
            ControlFlow::Continue(())
        });
        all
    }

    /// The links. Warns of parts that could not be read.
    pub(crate) fn into_links(self, py: Python<'_>) -> PyResult<Vec<Untracked>> {
        if let Some(failure) = self.failure {
            return Err(failure.into());
        }
        self.unread.iter().try_for_each(|error| warn(py, error))?;
        Ok(self.links.into_links().into_iter().map(Untracked).collect())
    }
}

/// Bytes in memory.
fn memory(bytes: &Arc<[u8]>) -> Item {
    Item::Memory(Memory::new("-", Arc::clone(bytes)))
}

/// Finds the links of a document until a signal.
fn found_in(
    py: Python<'_>,
    options: Option<Bound<'_, PyDict>>,
    item: Item,
) -> PyResult<ParsedLinks> {
    let run = Given::new(py, options)?.into_extract()?;
    interruptible(py, run.stop.clone(), || ParsedLinks::of(&run, item, None))
}

/// Find the links of a text, of bytes, or of a file.
///
/// A ``str`` is a text and never a path; give files as ``pathlib.Path`` or as file objects. Bytes
/// and files may be compressed, and may be mailboxes or web archives. The kind of document is
/// detected by name and content; a fragment of HTML needs ``media="html"``.
///
/// Offsets count the characters of a ``str`` and the bytes of everything else: see ``Link.unit``.
///
/// Parts that cannot be read, such as a damaged record, are reported by ``warnings``.
///
/// Raises:
///     Error: An option is invalid.
///     ReadError: The file cannot be read. An exception of a file object is raised as it is.
#[pyfunction]
#[pyo3(signature = (data: "object", **options: "object"))]
pub(crate) fn extract(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    options: Option<Bound<'_, PyDict>>,
) -> PyResult<Vec<Untracked>> {
    if let Ok(text) = data.cast::<PyString>() {
        let text = input::text(text)?;
        let run = run_in_memory(py, options, true)?;
        return found_in_text(py, run, text.as_bytes())?.into_links(py);
    }
    let found = if let Some(bytes) = bytes_of(data)? {
        let bytes: Arc<[u8]> = bytes.into();
        match bytes.len() {
            0..LONG => {
                let run = run_in_memory(py, options, false)?;
                ParsedLinks::of(&run, memory(&bytes), None)
            }
            _ => found_in(py, options, memory(&bytes))?,
        }
    } else if data.hasattr("__fspath__")? {
        found_in(py, options, Item::Path(data.extract()?))?
    } else if let Some(file) = FileInput::of_object(data)? {
        found_in(py, options, file.item(None))?
    } else {
        return Err(PyTypeError::new_err(format!(
            "expected str, bytes, os.PathLike or a file object, not {}",
            data.get_type().name()?
        )));
    };
    found.into_links(py)
}

/// Finds the links of a text.
fn found_in_text(py: Python<'_>, mut run: Arc<Extract>, text: &[u8]) -> PyResult<ParsedLinks> {
    let characters = &Characters::new(text);
    let short = run.run_on_short_text(text, |event, found: &mut ParsedLinks| {
        if let ExtractEvent::Link(report, charset) = event {
            found.links.push(report, charset, Some(characters));
        }
    });
    if let Some(found) = short {
        return Ok(found);
    }
    let find = |run: &Extract| ParsedLinks::of(run, memory(&text.into()), Some(characters));
    Ok(match text.len() {
        0..LONG => find(&run),
        LONG..VERY_LONG => py.detach(|| find(&run)),
        _ => {
            // Others have the run, too.
            let run = Arc::make_mut(&mut run);
            run.stop = Stop::default();
            interruptible(py, run.stop.clone(), || find(run))?
        }
    })
}

/// The URLs of a page in order, resolved where the base is known.
#[pyfunction]
#[pyo3(signature = (html: "str | bytes", base = None))]
pub(crate) fn links(py: Python<'_>, html: Data, base: Option<String>) -> PyResult<Vec<String>> {
    let (bytes, is_text) = match html {
        Data::Text(bytes) => (bytes, true),
        Data::Bytes(bytes) => (bytes, false),
    };
    let len = bytes.len();
    let mut page = Document::from_bytes(bytes).format(Format::Html);
    if is_text {
        page = page.charset("utf-8");
    }
    if let Some(base) = base {
        page = page.url(base);
    }
    let page = page.build().map_err(|error| invalid(py, error))?;
    let find = || urls_of(&page);
    Ok(match len >= LONG {
        true => py.detach(find),
        false => find(),
    })
}

fn urls_of(page: &Document) -> Vec<String> {
    let links = page.links();
    let mut resolver = links.resolving();
    let found = &links.found().links;
    let url = |link| {
        let target = resolver.target(link);
        target.uri.unwrap_or(&link.reference).to_owned()
    };
    found.iter().map(url).collect()
}

/// Finds the links of files and directories in the background. A `str` is an argument of the
/// command.
#[pyfunction]
#[pyo3(signature = (paths: "list[object]", options: "dict[str, object] | None" = None))]
pub(crate) fn iter_files(
    py: Python<'_>,
    paths: Vec<Bound<'_, PyAny>>,
    options: Option<Bound<'_, PyDict>>,
) -> PyResult<Items> {
    let mut extract = Given::new(py, options)?.into_extract()?;
    for path in paths {
        match path.is_instance_of::<PyString>() {
            true => extract.inputs.add_argument(path.extract::<PathBuf>()?),
            false => extract.inputs.items.push(path.extract::<FileInput>()?.item(None)),
        }
    }
    let stop = Stop::default();
    extract.stop = stop.clone();
    Ok(Items::sent_by(stop, move |sender| {
        let render = |event: ExtractEvent<'_>, found: &mut Vec<Made>| match event {
            ExtractEvent::Link(report, charset) => {
                found.push(Made::item(Link::new(report, charset, None)));
            }
            ExtractEvent::Error(error) if exception_of(error).is_some() => {
                found.push(Made::Unread(error.into()));
            }
            event => found.extend(warning_of(&event).map(Made::item)),
        };
        extract.run(render, |found| match found.is_empty() || sender.send(found).is_ok() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        });
    }))
}
