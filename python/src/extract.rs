//! Finding links.

use std::ffi::OsString;
use std::num::NonZeroUsize;
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
use crate::input::{self, Data, bytes_of};
use crate::items::{Items, Made, interruptible, warn};
use crate::link::Link;
use crate::options::Given;
use crate::plain_class::plain_class;
use crate::units::Characters;

/// The size of inputs in bytes from which on the lock of the interpreter is released.
pub(crate) const LONG: usize = 32 << 10;

/// The size of texts in bytes from which on a signal ends the work, which needs a thread.
const VERY_LONG: usize = 1 << 20;

plain_class! {
    /// A warning about a document, or an error that concerns only a part of the input.
    Warning(WarningFields) {
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
    pub(crate) links: Vec<Link>,
    /// The error of the input as a whole.
    failure: Option<FileError>,
    /// The parts of the input that could not be read.
    unread: Vec<FileError>,
}

impl ParsedLinks {
    /// Finds the links.
    pub(crate) fn of(extract: &Extract, text: Option<&Characters<'_>>) -> Self {
        let mut all = Self::default();
        let input = extract.inputs.items.first().map(|it| it.name().to_owned());
        let render = |event: ExtractEvent<'_>, found: &mut Self| match event {
            ExtractEvent::Link(report, charset) => {
                found.links.push(Link::new(report, charset, text));
            }
            ExtractEvent::Error(error) if Some(error.path()) == input.as_deref() => {
                found.failure = Some(error.into());
            }
            ExtractEvent::Error(error) => found.unread.push(error.into()),
            _ => {}
        };
        extract.run(render, |found: Self| {
            all.links.extend(found.links);
            all.failure = all.failure.take().or(found.failure);
            all.unread.extend(found.unread);
            ControlFlow::Continue(())
        });
        all
    }

    /// The links. Warns of parts that could not be read.
    pub(crate) fn into_links(self, py: Python<'_>) -> PyResult<Vec<Link>> {
        if let Some(failure) = self.failure {
            return Err(failure.into());
        }
        self.unread.iter().try_for_each(|error| warn(py, error))?;
        Ok(self.links)
    }
}

/// Reads documents as text in UTF-8, regardless of their declarations and content.
pub(crate) fn read_text(extract: &mut Extract) {
    extract.inputs.read.charset = Some("utf-8".to_owned());
    extract.inputs.read.is_text = true;
}

/// The bytes of a `str` in memory.
fn text_item(extract: &mut Extract, bytes: Arc<[u8]>) -> Item {
    read_text(extract);
    Item::Memory(Memory::new("-", bytes))
}

/// A text, bytes, or a file. A `str` is a text, and never a path.
pub(crate) enum Input {
    Text(Arc<[u8]>),
    Bytes(Arc<[u8]>),
    File(FileInput),
}

impl<'py> FromPyObject<'_, 'py> for Input {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = value.cast::<PyString>() {
            return Ok(Self::Text(input::text(&text)?.as_bytes().into()));
        }
        if let Some(bytes) = bytes_of(&value)? {
            return Ok(Self::Bytes(bytes.into()));
        }
        match value.hasattr("__fspath__")? {
            true => Ok(Self::File(FileInput::Path(value.extract()?))),
            false => match FileInput::of_object(&value)? {
                Some(file) => Ok(Self::File(file)),
                None => Err(PyTypeError::new_err(format!(
                    "expected str, bytes, os.PathLike or a file object, not {}",
                    value.get_type().name()?
                ))),
            },
        }
    }
}

/// Finds the links of a text, of bytes or of a file.
#[pyfunction]
#[pyo3(signature = (data: "object", options: "dict[str, object] | None" = None))]
pub(crate) fn extract(
    py: Python<'_>,
    data: Input,
    options: Option<Bound<'_, PyDict>>,
) -> PyResult<Vec<Link>> {
    let mut extract = Given::new(py, options)?.into_extract()?;
    let find = |text: Option<&Characters<'_>>, extract: &Extract| ParsedLinks::of(extract, text);
    let found = match data {
        Input::Text(bytes) => {
            extract.inputs.threads = NonZeroUsize::MIN;
            let item = text_item(&mut extract, Arc::clone(&bytes));
            extract.inputs.items.push(item);
            let find = || find(Some(&Characters::new(&bytes)), &extract);
            match bytes.len() {
                0..LONG => find(),
                LONG..VERY_LONG => py.detach(find),
                _ => interruptible(py, extract.stop.clone(), find)?,
            }
        }
        Input::Bytes(bytes) => {
            let len = bytes.len();
            extract.inputs.items.push(Item::Memory(Memory::new("-", bytes)));
            match len >= LONG {
                true => interruptible(py, extract.stop.clone(), || find(None, &extract))?,
                false => {
                    extract.inputs.threads = NonZeroUsize::MIN;
                    find(None, &extract)
                }
            }
        }
        Input::File(file) => {
            extract.inputs.items.push(file.item(None));
            interruptible(py, extract.stop.clone(), || find(None, &extract))?
        }
    };
    found.into_links(py)
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
