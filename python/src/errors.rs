//! The exceptions of the package, which are written in Python: `rehref._errors`.

use std::fmt;
use std::path::{Path, PathBuf};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use rehref::error::{Error, ErrorKind};

/// An exception class of `rehref._errors`.
fn class<'py>(
    py: Python<'py>,
    cell: &'static PyOnceLock<Py<PyType>>,
    name: &str,
) -> PyResult<&'py Bound<'py, PyType>> {
    cell.import(py, "rehref._errors", name)
}

/// An `Error` without a place.
pub(crate) fn invalid(py: Python<'_>, message: impl ToString) -> PyErr {
    static ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    match class(py, &ERROR, "Error") {
        Ok(class) => PyErr::from_type(class.clone(), (message.to_string(),)),
        Err(error) => error,
    }
}

/// An `Error` about an option.
pub(crate) fn invalid_option(py: Python<'_>, name: &str, message: impl ToString) -> PyErr {
    invalid(py, format!("{name}: {}", message.to_string()))
}

/// An `Error` about the characters `start..end` of the input, by a rule of a grammar or a step of
/// an algorithm.
pub(crate) fn invalid_at(
    py: Python<'_>,
    message: &str,
    range: Option<(usize, usize)>,
    rule: &str,
) -> PyErr {
    static ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let (start, end) = range.unzip();
    match class(py, &ERROR, "Error") {
        Ok(class) => {
            let message = message.to_owned();
            let rule = rule.to_owned();
            PyErr::from_type(class.clone(), (message, None::<PathBuf>, start, end, rule))
        }
        Err(error) => error,
    }
}

/// An error about a file, without the error of the system, which cannot be copied.
#[derive(Debug)]
pub(crate) struct FileError {
    pub(crate) path: PathBuf,
    message: String,
    /// The number of the error of the system.
    number: Option<i32>,
    /// The exception of a file object.
    pub(crate) exception: Option<Box<PyErr>>,
}

/// The exception of a file object, if it is the reason of an error.
pub(crate) fn exception_of(error: &Error) -> Option<&PyErr> {
    match error.kind() {
        ErrorKind::Read(error) => error.get_ref()?.downcast_ref(),
        _ => None,
    }
}

impl FileError {
    /// An error whose message names the file.
    pub(crate) fn new(message: String) -> Self {
        Self { path: PathBuf::new(), message, number: None, exception: None }
    }

    /// Fails if a path does not exist.
    pub(crate) fn of_missing(path: &Path) -> Result<(), Self> {
        let found = path.metadata();
        found.map_err(|error| Error::new(path, ErrorKind::Read(error)))?;
        Ok(())
    }
}

impl From<&Error> for FileError {
    fn from(error: &Error) -> Self {
        Self {
            path: error.path().to_owned(),
            message: error.kind().to_string(),
            number: match error.kind() {
                ErrorKind::Read(error) | ErrorKind::Write(error) => error.raw_os_error(),
                _ => None,
            },
            exception: exception_of(error)
                .map(|it| Box::new(Python::attach(|py| it.clone_ref(py)))),
        }
    }
}

impl From<Error> for FileError {
    fn from(error: Error) -> Self {
        Self::from(&error)
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_os_str().is_empty() {
            true => f.write_str(&self.message),
            false => write!(f, "{}: {}", self.path.display(), self.message),
        }
    }
}

/// The exception of a file object; else a `ReadError`: an `Error` and an `OSError` about a file.
impl From<FileError> for PyErr {
    fn from(error: FileError) -> Self {
        if let Some(exception) = error.exception {
            return *exception;
        }
        static ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        Python::attach(|py| match class(py, &ERROR, "ReadError") {
            Ok(class) => {
                let path = Some(error.path).filter(|it| !it.as_os_str().is_empty());
                let arguments = (error.message, path, error.number);
                PyErr::from_type(class.clone(), arguments)
            }
            Err(error) => error,
        })
    }
}

/// The error of an option with a value of another type than `kind`, if `error` is about types.
pub(crate) fn wrong_type(name: &str, kind: &str, value: &Bound<'_, PyAny>, error: PyErr) -> PyErr {
    if !error.is_instance_of::<PyTypeError>(value.py()) {
        return error;
    }
    match value.get_type().name() {
        Ok(found) => PyTypeError::new_err(format!("{name}: expected {kind}, not {found}")),
        Err(error) => error,
    }
}

/// The error of an option that no function has.
pub(crate) fn unknown_option(name: &str) -> PyErr {
    PyTypeError::new_err(format!("there is no option {name:?}"))
}
