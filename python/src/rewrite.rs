//! Rewriting the links of a document in memory.

use std::collections::HashMap;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use rehref::fs::ReadOptions;
use rehref::records::LinkReport;
use rehref::rewrite::{Adjustments, ParamGlobs, PatternMap, PrefixMap, Rule};
use rehref::{Action, Document, Rules};

use crate::errors::invalid;
use crate::input::Data;
use crate::link::Link;
use crate::options::Given;
use crate::units::Characters;

/// The names of the rules that decide about links.
const RULES: [&str; 5] = ["map", "map_re", "absolute", "relative", "root_relative"];

/// Takes the rules, those that decide in the order in which they are given.
fn rules(given: &mut Given<'_>) -> PyResult<Rules> {
    let mut rules = Rules::new();
    for name in given.names()? {
        if !RULES.contains(&&*name) {
            continue;
        }
        let rule = match &*name {
            "map" => {
                let mut map = PrefixMap::default();
                for (old, new) in given.pairs(&name)? {
                    let inserted = map.insert(&old, &new);
                    inserted.map_err(|error| given.invalid(&name, error))?;
                }
                Rule::Map(map)
            }
            "map_re" => {
                let mut map = PatternMap::default();
                for (pattern, template) in given.pairs(&name)? {
                    let inserted = map.insert(&pattern, &template);
                    inserted.map_err(|error| given.invalid(&name, error))?;
                }
                Rule::Pattern(map)
            }
            _ if !given.flag(&name)? => continue,
            "absolute" => Rule::Absolute,
            "relative" => Rule::Relative,
            _ => Rule::RootRelative,
        };
        rules = rules.rule(rule);
    }
    let names = given.list("drop_param")?;
    let globs = (!names.is_empty()).then(|| ParamGlobs::new(names)).transpose();
    rules.adjustments = Adjustments {
        drop_params: globs.map_err(|error| given.invalid("drop_param", error))?,
        clean_urls: given.flag("clean_urls")?,
        path_prefix: given.named("path_prefix")?,
    };
    Ok(rules)
}

/// Rewrites the links of a text or of bytes.
#[pyfunction]
#[pyo3(signature = (data: "str | bytes", callback = None, options: "dict[str, object] | None" = None) -> "Any")]
pub(crate) fn rewrite<'py>(
    py: Python<'py>,
    data: Data,
    callback: Option<Bound<'py, PyAny>>,
    options: Option<Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut given = Given::new(py, options)?;
    let mut rules = rules(&mut given)?;
    if callback.is_some() && !rules.is_empty() {
        return Err(invalid(py, "a callback cannot be combined with rules"));
    }
    let mut read = ReadOptions::default();
    let base = given.string("base")?;
    rules.filter.site.clone_from(&base);
    given.reading(&mut read)?;
    let options = given.links()?;
    given.finish()?;
    let (bytes, is_text) = match data {
        Data::Text(bytes) => (bytes, true),
        Data::Bytes(bytes) => (bytes, false),
    };
    let mut builder = Document::from_bytes(bytes).options(options);
    if let Some(format) = read.format {
        builder = builder.format(format);
    }
    if let Some(base) = base {
        builder = builder.url(base);
    }
    match read.charset {
        _ if is_text => builder = builder.charset("utf-8"),
        Some(charset) => builder = builder.charset(charset),
        None => {}
    }
    let document = builder.build().map_err(|error| invalid(py, error))?;
    let rewritten = match callback {
        Some(callback) => by_callback(py, &document, &callback, is_text)?,
        None => py.detach(|| {
            let mut out = Vec::new();
            document.rewrite_into(&rules, &mut out);
            out
        }),
    };
    Ok(match is_text {
        true => PyString::new(py, &String::from_utf8_lossy(&rewritten)).into_any(),
        false => PyBytes::new(py, &rewritten).into_any(),
    })
}

/// Rewrites the links for which a callback returns a reference. All calls are made before the edits
/// are planned.
fn by_callback(
    py: Python<'_>,
    document: &Document,
    callback: &Bound<'_, PyAny>,
    is_text: bool,
) -> PyResult<Vec<u8>> {
    let found = py.detach(|| {
        let links = document.links();
        let charset = document.charset().name();
        let characters = is_text.then(|| Characters::new(document.bytes()));
        let mut resolver = links.resolving();
        let mut lines = document.lines();
        let data = &links.found().links;
        let found = data.iter().map(|link| {
            let target = resolver.target(link);
            let position = lines.position(link.extent().start);
            let report = LinkReport::new(document, link, target, position);
            (link.id(), Link::new(&report, &charset, characters.as_ref()))
        });
        found.collect::<Vec<_>>()
    });
    let mut replacements = HashMap::new();
    for (id, link) in found {
        if let Some(reference) = callback.call1((link,))?.extract::<Option<String>>()? {
            replacements.insert(id, reference);
        }
    }
    Ok(py.detach(|| {
        let links = document.links();
        let plan = links.rewrite(&|link: &rehref::Link<'_>| match replacements.get(&link.id()) {
            Some(reference) => Action::Replace(reference.clone()),
            None => Action::Keep,
        });
        plan.bytes().to_vec()
    }))
}
