//! The options of the last calls, which are often those of the next one.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};
use rehref::jobs::Extract;

use crate::options::{Given, read_text};

/// The options of a call, and the run by them.
struct Last {
    options: Option<Py<PyDict>>,
    extract: Arc<Extract>,
}

/// The last calls: for a `str` or not, with options or without.
static LAST: [[Mutex<Option<Last>>; 2]; 2] = [const { [const { Mutex::new(None) }; 2] }; 2];

/// A run without inputs, by all options of `extract`, for short documents in memory.
pub(crate) fn run_in_memory(
    py: Python<'_>,
    options: Option<Bound<'_, PyDict>>,
    is_text: bool,
) -> PyResult<Arc<Extract>> {
    let options = options.filter(|it| !it.is_empty());
    let place = &LAST[usize::from(is_text)][usize::from(options.is_some())];
    let lock = || place.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(last) = &*lock()
        && are_same(last.options.as_ref().map(|it| it.bind(py)), options.as_ref())
    {
        return Ok(Arc::clone(&last.extract));
    }
    let kept = options.as_ref().map(|it| it.copy()).transpose()?;
    let mut extract = Given::new(py, options)?.into_extract()?;
    extract.inputs.threads = NonZeroUsize::MIN;
    if is_text {
        read_text(&mut extract);
    }
    let extract = Arc::new(extract);
    let last = Last { options: kept.map(Bound::unbind), extract: Arc::clone(&extract) };
    // It is dropped without the lock.
    let before = lock().replace(last);
    drop(before);
    Ok(extract)
}

/// Returns true if the options have the same values. Only those of immutable types are compared.
fn are_same(one: Option<&Bound<'_, PyDict>>, other: Option<&Bound<'_, PyDict>>) -> bool {
    let (Some(one), Some(other)) = (one, other) else {
        return one.is_none() && other.is_none();
    };
    one.len() == other.len()
        && other.iter().all(|(name, value)| {
            let Ok(Some(before)) = one.get_item(name) else {
                return false;
            };
            if value.is_exact_instance_of::<PyBool>() || value.is_none() {
                return value.is(&before);
            }
            value.is_exact_instance_of::<PyString>()
                && before.is_exact_instance_of::<PyString>()
                && (value.is(&before) || value.eq(&before).unwrap_or(false))
        })
}
