//! The documents of a file.

use std::ffi::OsString;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rehref::Options;
use rehref::fs::{Documents, ReadOptions};
use rehref::records::LinkReport;
use rehref::source::MailPart;

use crate::errors::FileError;
use crate::file::FileInput;
use crate::found_links::FoundLinks;
use crate::items::{Items, Made};
use crate::link::Link;
use crate::options::Given;

/// A document: a file, a part of a message, or a page of a web archive.
#[pyclass(frozen, module = "rehref")]
pub(crate) struct Document {
    document: rehref::Document,
    options: Arc<Options>,
}

impl Document {
    pub(crate) fn new(document: rehref::Document, options: Arc<Options>) -> Self {
        Self { document, options }
    }
}

/// The links of a document.
pub(crate) fn links_of(document: &rehref::Document, options: &Options) -> Vec<Link> {
    let charset = document.charset().name();
    let found = document.clone().with_options(options.clone());
    let found = found.links();
    let mut resolver = found.resolving();
    let mut lines = document.lines();
    let mut links = FoundLinks::default();
    for link in &found.found().links {
        let target = resolver.target(link);
        let position = lines.position(link.extent().start);
        links.push(&LinkReport::new(document, link, target, position), &charset, None);
    }
    links.into_links()
}

#[pymethods]
impl Document {
    /// The name: a path, or that of a part of a message (`list.mbox!3!1.2`).
    #[getter]
    fn name(&self) -> OsString {
        self.document.path().as_os_str().to_owned()
    }

    /// The language that the links are read in: `html`, `text` and others.
    #[getter]
    fn media(&self) -> &'static str {
        self.document.format().as_str()
    }

    /// The character encoding.
    #[getter]
    fn charset(&self) -> String {
        self.document.charset().name()
    }

    /// The URL that the document was retrieved from, if it is known.
    #[getter]
    fn base(&self) -> Option<String> {
        self.document.base().map(|base| base.uri.clone())
    }

    /// The bytes, decompressed and without a transfer encoding. Offsets count them.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.document.bytes())
    }

    /// The decoded text. Bytes that are invalid in the character encoding are U+FFFD.
    #[getter]
    fn text(&self) -> String {
        self.document.text().text.into_owned()
    }

    /// The number of the message in its mailbox, from 1, if the document is a part of one.
    #[getter]
    fn message(&self) -> Option<u64> {
        self.document.mail_part().map(MailPart::message_or_offset)
    }

    /// The number of the MIME part, if the document is a part of a message.
    #[getter]
    fn part(&self) -> Option<String> {
        self.document.mail_part().map(|it| it.part.clone())
    }

    /// Finds the links. Offsets are in bytes.
    fn links(&self, py: Python<'_>) -> Vec<Link> {
        py.detach(|| links_of(&self.document, &self.options))
    }

    fn __repr__(&self) -> String {
        format!("Document(name={:?}, media={:?})", self.document.path(), self.media())
    }
}

/// Opens a file as the documents in it.
#[pyfunction]
#[pyo3(signature = (path: "object", options: "dict[str, object] | None" = None))]
pub(crate) fn open(
    py: Python<'_>,
    path: FileInput,
    options: Option<Bound<'_, PyDict>>,
) -> PyResult<Items> {
    let mut given = Given::new(py, options)?;
    let options = Arc::new(given.links()?);
    let mut read = ReadOptions::default();
    given.reading(&mut read)?;
    given.finish()?;
    let documents = py.detach(|| Documents::new(path.item(None), read));
    let documents = documents.map_err(FileError::from)?;
    Ok(Items::of(documents.map(move |document| match document {
        Ok(document) => {
            let len = document.bytes().len();
            let options = Arc::clone(&options);
            Some((Made::item(Document::new(document, options)), len))
        }
        Err(error) => Some((Made::Unread(error.into()), 0)),
    })))
}
