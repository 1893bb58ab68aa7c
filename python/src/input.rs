//! The input of functions: a text, or bytes.

use std::borrow::Cow;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};

/// A text or bytes.
pub(crate) enum Data {
    Text(Vec<u8>),
    Bytes(Vec<u8>),
}

impl<'py> FromPyObject<'_, 'py> for Data {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = value.cast::<PyString>() {
            return Ok(Self::Text(self::text(&text)?.into_owned().into_bytes()));
        }
        match bytes_of(&value)? {
            Some(bytes) => Ok(Self::Bytes(bytes)),
            None => Err(PyTypeError::new_err(format!(
                "expected str or bytes, not {}",
                value.get_type().name()?
            ))),
        }
    }
}

/// The bytes of `bytes`, `bytearray` and `memoryview`. `None` for anything else.
pub(crate) fn bytes_of(value: &Bound<'_, PyAny>) -> PyResult<Option<Vec<u8>>> {
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(Some(bytes.as_bytes().to_vec()));
    }
    if let Ok(bytes) = value.cast::<PyByteArray>() {
        return Ok(Some(bytes.to_vec()));
    }
    if value.is_instance_of::<PyMemoryView>() {
        let bytes = value.call_method0("tobytes")?;
        return Ok(Some(bytes.cast::<PyBytes>()?.as_bytes().to_vec()));
    }
    Ok(None)
}

/// A text as a string of Rust. A surrogate, which has no UTF-8, is replaced by U+FFFD, so that both
/// have as many characters.
pub(crate) fn text<'t>(text: &'t Bound<'_, PyString>) -> PyResult<Cow<'t, str>> {
    if let Ok(text) = text.to_str() {
        return Ok(Cow::Borrowed(text));
    }
    let encoded = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
    let mut bytes = encoded.cast::<PyBytes>()?.as_bytes().to_vec();
    let mut at = 0;
    // A surrogate is the only character that begins with such a pair of bytes.
    while let Some(found) = bytes[at..].windows(2).position(|it| it[0] == 0xED && it[1] >= 0xA0) {
        at += found;
        bytes[at..at + 3].copy_from_slice("\u{FFFD}".as_bytes());
        at += 3;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned().into())
}
