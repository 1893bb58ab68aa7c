//! Files: paths, and file objects of Python.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyString;
use rehref::fs::{Item, Opened, ReadAt};

use crate::input::bytes_of;

/// The path of a file, or a file object.
pub(crate) enum FileInput {
    Path(PathBuf),
    Object(Opened),
}

impl FileInput {
    /// The file, or a slice of it.
    pub(crate) fn item(self, slice: Option<Range<u64>>) -> Item {
        let file = match self {
            Self::Path(path) => Item::Path(path),
            Self::Object(file) => Item::Opened(file),
        };
        match slice {
            None => file,
            Some(range) => file.slice(range),
        }
    }

    /// A file object. `None` for objects without `read` and `seek`.
    pub(crate) fn of_object(value: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        if !value.hasattr("read")? || !value.hasattr("seek")? {
            return Ok(None);
        }
        // A file in text mode reads a `str`, also without characters.
        bytes_read(&value.call_method1("read", (0,))?)?;
        let mut name = None;
        for attribute in ["name", "path"] {
            if name.is_none()
                && let Some(value) = value.getattr_opt(attribute)?
                && value.is_instance_of::<PyString>()
            {
                name = Some(value.extract::<PathBuf>()?);
            }
        }
        let object = value.clone().unbind();
        let file = FileObject { state: state_of(&object), object };
        Ok(Some(Self::Object(Opened::new(name.unwrap_or("-".into()), file))))
    }
}

impl<'py> FromPyObject<'_, 'py> for FileInput {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if value.is_instance_of::<PyString>() || value.hasattr("__fspath__")? {
            return value.extract().map(Self::Path);
        }
        Self::of_object(&value)?.ok_or_else(|| {
            let found = value.get_type().name().map(|it| it.to_string()).unwrap_or_default();
            PyTypeError::new_err(format!("expected a path or a file object, not {found}"))
        })
    }
}

/// A file object of Python: one with `read` and `seek`.
struct FileObject {
    object: Py<PyAny>,
    /// The length, if it is known. All readers of the object wait for this lock: one moves it.
    state: Arc<Mutex<Option<u64>>>,
}

/// The states of objects that are read, by address.
static STATES: Mutex<BTreeMap<usize, Weak<Mutex<Option<u64>>>>> = Mutex::new(BTreeMap::new());

/// The state that all readers of an object share.
fn state_of(object: &Py<PyAny>) -> Arc<Mutex<Option<u64>>> {
    let mut states = STATES.lock().unwrap_or_else(PoisonError::into_inner);
    let address = object.as_ptr().addr();
    let state = states.get(&address).and_then(Weak::upgrade).unwrap_or_default();
    states.insert(address, Arc::downgrade(&state));
    state
}

impl Drop for FileObject {
    fn drop(&mut self) {
        let mut states = STATES.lock().unwrap_or_else(PoisonError::into_inner);
        if Arc::strong_count(&self.state) == 1 {
            states.remove(&self.object.as_ptr().addr());
        }
    }
}

impl FileObject {
    /// Does work on the object, which other threads wait for. Its exception becomes the error.
    fn locked<T>(
        &self,
        work: impl FnOnce(&Bound<'_, PyAny>, &mut Option<u64>) -> PyResult<T>,
    ) -> io::Result<T> {
        let done = Python::try_attach(|py| {
            let state = self.state.lock_py_attached(py);
            work(self.object.bind(py), &mut state.unwrap_or_else(PoisonError::into_inner))
        });
        match done {
            Some(done) => done.map_err(io::Error::other),
            None => Err(io::Error::other("the interpreter has ended")),
        }
    }
}

impl ReadAt for FileObject {
    fn byte_len(&self) -> io::Result<u64> {
        self.locked(|object, known| {
            if let Some(len) = *known {
                return Ok(len);
            }
            let end = object.call_method1("seek", (0, 2))?;
            // Some files return nothing.
            let end = if end.is_none() { object.call_method0("tell")? } else { end };
            let len = end.extract()?;
            *known = Some(len);
            Ok(len)
        })
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.locked(|object, _| {
            // Others may have moved it.
            object.call_method1("seek", (offset,))?;
            let bytes = bytes_read(&object.call_method1("read", (buffer.len(),))?)?;
            let Some(room) = buffer.get_mut(..bytes.len()) else {
                let message = "read returned more bytes than it was asked for";
                return Err(PyValueError::new_err(message));
            };
            room.copy_from_slice(&bytes);
            Ok(bytes.len())
        })
    }
}

/// The bytes that `read` returned.
fn bytes_read(value: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    bytes_of(value)?.ok_or_else(|| {
        let found = value.get_type().name().map(|it| it.to_string()).unwrap_or_default();
        let message = format!("expected a file in binary mode: read returned {found}, not bytes");
        PyTypeError::new_err(message)
    })
}
