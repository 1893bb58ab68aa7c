//! References: parsing, resolving and relativizing.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rehref::records::{Failure, RecordBase, UriRecord, write_json};
use rehref::uri::{Equivalence, Grammar, normalize as normal_form};

use crate::errors::{invalid_at, invalid_option};
use crate::options::Given;
use crate::units::Characters;

/// The error of a reference, with its place in characters.
fn failed(py: Python<'_>, failure: &Failure, reference: &str) -> PyErr {
    let characters = Characters::new(reference.as_bytes());
    let range = failure.start.zip(failure.end);
    let range = range.map(|(start, end)| (characters.before(start), characters.before(end)));
    invalid_at(py, &failure.message, range, failure.rule)
}

/// Resolves a reference. `None` under the old profiles for a reference to the current document.
#[pyfunction]
#[pyo3(signature = (base, r#ref, options: "dict[str, object] | None" = None))]
pub(crate) fn resolve(
    py: Python<'_>,
    base: String,
    r#ref: String,
    options: Option<Bound<'_, PyDict>>,
) -> PyResult<Option<String>> {
    let mut given = Given::new(py, options)?;
    let resolver = given.resolver()?;
    given.finish()?;
    let base = RecordBase::new(base, resolver);
    let record = base.resolve(r#ref.as_bytes());
    match &record.error {
        Some(error) => Err(failed(py, error, &r#ref)),
        None => Ok(record.uri.map(|it| String::from_utf8_lossy(&it.0).into_owned())),
    }
}

/// The shortest reference that resolves to a URI. `None` if there is none.
#[pyfunction]
#[pyo3(signature = (base, uri, options: "dict[str, object] | None" = None))]
pub(crate) fn relativize(
    py: Python<'_>,
    base: String,
    uri: String,
    options: Option<Bound<'_, PyDict>>,
) -> PyResult<Option<String>> {
    let mut given = Given::new(py, options)?;
    let resolver = given.resolver()?;
    given.finish()?;
    let base = RecordBase::new(base, resolver);
    let record = base.relative(uri.as_bytes());
    match (&record.reference, &record.error) {
        (Some(reference), _) => Ok(Some(String::from_utf8_lossy(&reference.0).into_owned())),
        (None, Some(error)) if !record.is_unreachable => Err(failed(py, error, &uri)),
        (None, _) => Ok(None),
    }
}

/// The record of `rehref parse` as JSON, and its error if there is one.
#[pyfunction]
pub(crate) fn parse(
    py: Python<'_>,
    uri: String,
    profile: &str,
) -> PyResult<(String, Option<Py<PyAny>>)> {
    let grammar = profile.parse::<Grammar>();
    let grammar = grammar.map_err(|error| invalid_option(py, "profile", error))?;
    let record = UriRecord::of_bytes(uri.as_bytes(), grammar);
    let error = (record.error.as_ref()).map(|error| failed(py, error, &uri).into_value(py));
    let mut json = Vec::new();
    write_json(&record, &mut json);
    Ok((String::from_utf8_lossy(&json).into_owned(), error.map(Py::into_any)))
}

/// A normal form of a URI.
#[pyfunction]
pub(crate) fn normalize(py: Python<'_>, uri: String, level: &str) -> PyResult<String> {
    let level = level.parse::<Equivalence>();
    let level = level.map_err(|error| invalid_option(py, "level", error))?;
    Ok(normal_form(&uri, level))
}
