//! Messages of mailboxes and records of web archives.

use std::ffi::OsString;
use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rehref::Options;
use rehref::fs::{self, ReadOptions, RecordResponse};

use crate::document::{Document, links_of};
use crate::errors::FileError;
use crate::file::FileInput;
use crate::items::{Items, Made, warn};
use crate::link::Link;
use crate::options::Given;

/// A message of a mailbox, as stored.
#[pyclass(frozen, module = "rehref")]
pub(crate) struct Message {
    message: fs::Message,
    options: Arc<Options>,
}

#[pymethods]
impl Message {
    /// The name of the file.
    #[getter]
    fn archive(&self) -> OsString {
        self.message.archive().as_os_str().to_owned()
    }

    /// The number in the file, from 1. In a slice, the offset.
    #[getter]
    fn message(&self) -> u64 {
        self.message.number().map_or(self.message.offset(), |number| number as u64)
    }

    /// The first byte in the file, from 0.
    #[getter]
    fn message_offset(&self) -> u64 {
        self.message.offset()
    }

    /// The `Message-ID` as written, with its angle brackets.
    #[getter]
    fn message_id(&self) -> Option<String> {
        let first = self.message.documents().into_iter().flatten().next()?;
        first.message_id().map(|id| id.into_owned())
    }

    /// The bytes, with the separator line before the message if there is one.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.message.bytes())
    }

    /// Reads the documents of the message: headers and parts with text.
    fn documents(&self, py: Python<'_>) -> PyResult<Vec<Document>> {
        let mut found = Vec::new();
        for document in py.detach(|| self.message.documents()) {
            match document {
                Ok(document) => found.push(Document::new(document, Arc::clone(&self.options))),
                Err(error) => warn(py, &error.into())?,
            }
        }
        Ok(found)
    }

    /// Finds the links of all documents of the message. Offsets are in bytes of the decoded part.
    fn links(&self, py: Python<'_>) -> PyResult<Vec<Link>> {
        let (links, error) = py.detach(|| {
            let (mut links, mut error) = (Vec::new(), None);
            for document in self.message.documents() {
                match document {
                    Ok(document) => links.extend(links_of(&document, &self.options)),
                    Err(it) => error = Some(FileError::from(it)),
                }
            }
            (links, error)
        });
        if let Some(error) = error {
            warn(py, &error)?;
        }
        Ok(links)
    }

    fn __repr__(&self) -> String {
        format!("Message({:?}, message={})", self.message.archive(), self.message())
    }
}

/// A record of a web archive, as stored.
#[pyclass(frozen, module = "rehref")]
pub(crate) struct Record {
    record: fs::Record,
    options: Arc<Options>,
    /// Read when it is needed.
    response: OnceLock<RecordResponse>,
}

impl Record {
    fn response(&self) -> &RecordResponse {
        self.response.get_or_init(|| self.record.response())
    }
}

fn text(bytes: Option<std::borrow::Cow<'_, [u8]>>) -> Option<String> {
    bytes.map(|it| String::from_utf8_lossy(&it).into_owned())
}

#[pymethods]
impl Record {
    /// The name of the archive: `X.wacz!archive/Y.warc.gz` in a WACZ.
    #[getter]
    fn archive(&self) -> OsString {
        self.record.archive().as_os_str().to_owned()
    }

    /// The first byte in the archive of the gzip member, zstd frame or uncompressed record in which
    /// it begins, from 0.
    #[getter]
    fn record_offset(&self) -> u64 {
        self.record.offset()
    }

    /// The first byte of the record in the inflated member or frame, from 0.
    #[getter]
    fn member_offset(&self) -> u64 {
        self.record.member_offset()
    }

    /// The type: `response`, `request` and others.
    #[getter]
    fn record_type(&self) -> Option<String> {
        text(self.record.fields().record_type).map(|it| it.to_ascii_lowercase())
    }

    /// The ID of the record.
    #[getter]
    fn record_id(&self) -> Option<String> {
        text(self.record.fields().record_id)
    }

    /// The date, as written.
    #[getter]
    fn date(&self) -> Option<String> {
        text(self.record.fields().date)
    }

    /// The URL that the record is about.
    #[getter]
    fn target(&self) -> Option<String> {
        self.record.target()
    }

    /// The fields of the record in order, as names and values.
    #[getter]
    fn fields(&self) -> Vec<(String, String)> {
        self.record.named_fields()
    }

    /// The status code of the HTTP response.
    #[getter]
    fn status(&self) -> Option<u16> {
        self.response().status
    }

    /// The fields of the HTTP response in order, as names and values.
    #[getter]
    fn headers(&self) -> Vec<(String, String)> {
        self.response().fields()
    }

    /// The body of the HTTP response, without chunks and codings. The whole block of records
    /// without a response.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.response().body)
    }

    /// The block as stored.
    #[getter]
    fn block<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.record.block())
    }

    /// True if the block is incomplete: the archive is truncated or damaged there.
    #[getter]
    fn is_cut(&self) -> bool {
        self.record.is_cut()
    }

    /// Reads the documents of the record: the head of the response if it has links, and the body.
    fn documents(&self, py: Python<'_>) -> Vec<Document> {
        let documents = py.detach(|| self.record.documents());
        let documents = documents.into_iter();
        documents.map(|it| Document::new(it, Arc::clone(&self.options))).collect()
    }

    /// Finds the links of the record: those of the head of the response, then those of the body.
    fn links(&self, py: Python<'_>) -> Vec<Link> {
        py.detach(|| {
            let documents = self.record.documents();
            documents.iter().flat_map(|it| links_of(it, &self.options)).collect()
        })
    }

    fn __repr__(&self) -> String {
        format!("Record({:?}, record_offset={})", self.record.archive(), self.record.offset())
    }
}

/// The messages of a file.
#[pyfunction]
#[pyo3(signature = (path: "object", options: "dict[str, object] | None" = None))]
pub(crate) fn mailbox(
    py: Python<'_>,
    path: FileInput,
    options: Option<Bound<'_, PyDict>>,
) -> PyResult<Items> {
    let mut given = Given::new(py, options)?;
    let slice = given.slice()?;
    let options = Arc::new(given.links()?);
    let mut read = ReadOptions::default();
    given.reading(&mut read)?;
    given.finish()?;
    let item = path.item(slice);
    let messages = py.detach(|| fs::Messages::new(&item, &read));
    let messages = messages.map_err(FileError::from)?;
    Ok(Items::of(messages.map(move |message| match message {
        Ok(message) => {
            let len = message.bytes().len();
            let options = Arc::clone(&options);
            Some((Made::item(Message { message, options }), len))
        }
        Err(error) => Some((Made::Unread(error.into()), 0)),
    })))
}

/// The records of a web archive.
#[pyfunction]
#[pyo3(signature = (path: "object", options: "dict[str, object] | None" = None))]
pub(crate) fn archive(
    py: Python<'_>,
    path: FileInput,
    options: Option<Bound<'_, PyDict>>,
) -> PyResult<Items> {
    let mut given = Given::new(py, options)?;
    let slice = given.slice()?;
    let filter = given.records()?;
    let options = Arc::new(given.links()?);
    given.finish()?;
    let item = path.item(slice);
    let records = py.detach(|| fs::Records::new(&item)).map_err(FileError::from)?;
    let made = move |record: Result<fs::Record, rehref::error::Error>| match record {
        Ok(record) if !record.passes(&filter) => None,
        Ok(record) => {
            let len = record.block().len();
            let options = Arc::clone(&options);
            let response = OnceLock::new();
            let record = Record { record, options, response };
            Some((Made::item(record), len))
        }
        Err(error) => Some((Made::Unread(error.into()), 0)),
    };
    Ok(Items::of(records.map(made)))
}
