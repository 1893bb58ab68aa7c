//! Links for the URLs in text.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use rehref::Linkify;
use rehref::rewrite::{Anchor, AnchorChoice};

use crate::errors::invalid;
use crate::extract::LONG;
use crate::input::text;
use crate::options::{Given, list_of, pairs_of};

/// The elements in which no link is made by default.
const SKIPPED: [&str; 2] = ["code", "pre"];

/// The target, the visible text and the attributes that a callback returns. `None` for no link.
type Changed = Option<(String, String, Vec<(String, String)>)>;

/// Calls a callback with the parts of a link, and applies its changes.
fn call(callback: &Bound<'_, PyAny>, anchor: &mut Anchor<'_>) -> PyResult<AnchorChoice> {
    let attributes: Vec<(String, String)> =
        (anchor.attributes()).map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let existing = anchor.is_existing();
    let parts = (anchor.reference(), anchor.href(), anchor.text(), &attributes, existing);
    let Some((href, text, changed)) = callback.call1(parts)?.extract::<Changed>()? else {
        return Ok(AnchorChoice::Unlink);
    };
    if href != anchor.href() {
        anchor.set_href(href);
    }
    if text != anchor.text() {
        if existing {
            return Err(invalid(callback.py(), "the text of an existing link cannot change"));
        }
        anchor.set_text(text);
    }
    let is_removed = |name: &String| !changed.iter().any(|it| it.0 == *name);
    for (name, _) in attributes.iter().filter(|it| is_removed(&it.0)) {
        anchor.remove_attribute(name);
    }
    for (name, value) in changed {
        let set = anchor.set_attribute(name, value);
        set.map_err(|error| invalid(callback.py(), error))?;
    }
    Ok(AnchorChoice::Make)
}

/// Makes links of the URLs in a text, or in the text of HTML.
#[pyfunction]
#[pyo3(signature = (data, html, attrs, callback, existing, options: "dict[str, object]"))]
pub(crate) fn linkify(
    py: Python<'_>,
    data: &Bound<'_, PyString>,
    html: bool,
    attrs: Option<&Bound<'_, PyAny>>,
    callback: Option<&Bound<'_, PyAny>>,
    existing: bool,
    options: Option<Bound<'_, PyDict>>,
) -> PyResult<String> {
    let data = text(data)?;
    let mut given = Given::new(py, options)?;
    let mut linkify = Linkify::new().existing(existing).text_options(given.text()?);
    linkify = match given.value("skip")? {
        Some(names) => linkify.skip(list_of("skip", &names)?),
        None => linkify.skip(SKIPPED),
    };
    if let Some(schemes) = given.value("scheme")? {
        let set = linkify.schemes(list_of("scheme", &schemes)?);
        linkify = set.map_err(|error| invalid(py, error))?;
    }
    given.finish()?;
    for (name, value) in attrs.map_or(Ok(Vec::new()), |it| pairs_of("attrs", it))? {
        let set = linkify.attribute(name, value);
        linkify = set.map_err(|error| invalid(py, error))?;
    }
    let Some(callback) = callback else {
        let make = || match html {
            true => linkify.html(&data),
            false => linkify.text(&data),
        };
        return Ok(match data.len() >= LONG {
            true => py.detach(make),
            false => make(),
        });
    };
    let mut failure = None;
    let each = |anchor: &mut Anchor<'_>| {
        if failure.is_some() {
            return AnchorChoice::Skip;
        }
        call(callback, anchor).unwrap_or_else(|error| {
            failure = Some(error);
            AnchorChoice::Skip
        })
    };
    let linked = match html {
        true => linkify.html_with(&data, each),
        false => linkify.text_with(&data, each),
    };
    failure.map_or(Ok(linked), Err)
}
