//! Runs over trees of files.

use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rehref::fs::{Item, path_of_bytes};
use rehref::jobs::{
    self, Check, CheckEvent, JobError, MissingLinks, MoveRequest, Relocate, RelocatePlan, Unpack,
    UnpackEvent, threads,
};
use rehref::link::MatchedText;
use rehref::records::{BrokenRecord, Bytes};

use crate::errors::{FileError, invalid};
use crate::file::FileInput;
use crate::items::{interruptible, warn};
use crate::options::Given;
use crate::plain_class::plain_class;

plain_class! {
    /// A broken link.
    Broken(BrokenFields in Box<BrokenFields>) {
        /// The name of the document.
        doc: OsString = OsString::new(),
        /// The line of the first byte, from 1.
        line: usize = 1,
        /// The column of the first byte, from 1.
        col: usize = 1,
        /// The byte ranges `(start, end)` of the link in the document, from 0.
        spans: Vec<(usize, usize)> = Vec::new(),
        /// The reference.
        r#ref: String = String::new(),
        /// The URL. `None` in a tree without a URL.
        uri: Option<String> = None,
        /// The reason.
        why: String = String::new(),
        /// A suggested reference to a similar file or anchor that exists.
        near: Option<String> = None,
    }
}

plain_class! {
    /// A planned edit of a link.
    Edit(EditFields in Box<EditFields>) {
        /// The name of the document.
        doc: OsString = OsString::new(),
        /// The line of the first byte, from 1.
        line: usize = 1,
        /// The column of the first byte, from 1.
        col: usize = 1,
        /// The byte range `(start, end)` that is replaced, from 0.
        span: (usize, usize) = (0, 0),
        /// The old reference.
        old: String = String::new(),
        /// The new reference. `None` if its attribute is removed.
        new: Option<String> = None,
        /// The old URL.
        old_uri: Option<String> = None,
        /// The new URL.
        new_uri: Option<String> = None,
        /// The name of the rule.
        rule: String = String::new(),
    }
}

fn name_of(bytes: &Bytes<'_>) -> OsString {
    path_of_bytes(&bytes.0).into_os_string()
}

impl From<JobError> for FileError {
    fn from(error: JobError) -> Self {
        match error {
            JobError::File(error) | JobError::Refused(error) | JobError::NotJournaled(error) => {
                error.into()
            }
            error => Self::new(error.to_string()),
        }
    }
}

/// Raises the first error that is about a path of the call. Warns of those about files below the
/// paths, and parts of files.
fn raise_or_warn(py: Python<'_>, given: &[Item], errors: Vec<FileError>) -> PyResult<()> {
    for error in errors {
        match given.iter().any(|it| it.name() == error.path) {
            true => return Err(error.into()),
            false => warn(py, &error)?,
        }
    }
    Ok(())
}

/// Finds broken local links.
#[pyfunction]
#[pyo3(signature = (paths, options: "dict[str, object] | None" = None))]
pub(crate) fn check(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    options: Option<Bound<'_, PyDict>>,
) -> PyResult<Vec<Broken>> {
    let mut given = Given::new(py, options)?;
    let root = given.string("root")?.map(PathBuf::from);
    let base = given.string("base")?.map(OsString::from);
    let inputs: Vec<Item> = paths.into_iter().map(Item::Path).collect();
    let check = Check::of_inputs(inputs.clone(), root.as_deref(), base.as_deref());
    let mut check = check.map_err(|error| invalid(py, error))?;
    check.filter.matched = MatchedText::Either;
    check.options.anchors = given.flag("anchors")?;
    check.case = given.flag("case")?;
    if let Some(site) = given.named("site")? {
        check.site = site;
    }
    for pattern in given.list("exclude_link")? {
        let pattern = pattern.parse();
        let pattern = pattern.map_err(|error| given.invalid("exclude_link", error))?;
        check.filter.patterns.except.push(pattern);
    }
    check.inputs.threads = threads(given.threads()?);
    given.finish()?;
    let (broken, errors) = interruptible(py, check.stop.clone(), || {
        type Found = (Vec<Broken>, Vec<FileError>);
        let (mut broken, mut errors) = Found::default();
        let render = |event: CheckEvent<'_>, (broken, errors): &mut Found| match event {
            CheckEvent::Broken(found) => {
                let record = BrokenRecord::new(found);
                broken.push(Broken::from(BrokenFields {
                    doc: name_of(&record.doc),
                    line: record.line,
                    col: record.col,
                    spans: record
                        .spans
                        .iter()
                        .flatten()
                        .map(|&[start, end]| (start, end))
                        .collect(),
                    r#ref: record.reference.into_owned(),
                    uri: record.uri.map(|it| it.into_owned()),
                    why: record.why.to_owned(),
                    near: record.near.map(|it| it.into_owned()),
                }));
            }
            CheckEvent::Error(error) | CheckEvent::Damaged(error) => {
                errors.push(FileError::from(error));
            }
            _ => {}
        };
        check.run(render, |mut found| {
            broken.append(&mut found.0);
            errors.append(&mut found.1);
            ControlFlow::Continue(())
        });
        (broken, errors)
    })?;
    raise_or_warn(py, &inputs, errors)?;
    Ok(broken)
}

/// A planned move of files, with the edits of all links to and from them.
#[pyclass(frozen, module = "rehref")]
pub(crate) struct MovePlan {
    plan: RelocatePlan,
}

#[pymethods]
impl MovePlan {
    /// The files that move, as old and new paths.
    #[getter]
    fn moves(&self) -> Vec<(OsString, OsString)> {
        let moves = self.plan.moves.iter();
        moves.map(|it| (name_of(&it.old), name_of(&it.new))).collect()
    }

    /// The edits.
    #[getter]
    fn edits(&self) -> Vec<Edit> {
        let edits = self.plan.edits.iter();
        let owned = |text: &Option<std::borrow::Cow<'_, str>>| text.as_deref().map(str::to_owned);
        edits
            .map(|edit| {
                Edit::from(EditFields {
                    doc: name_of(&edit.doc),
                    line: edit.line,
                    col: edit.col,
                    span: (edit.span[0], edit.span[1]),
                    old: edit.old.clone().into_owned(),
                    new: owned(&edit.new),
                    old_uri: owned(&edit.old_uri),
                    new_uri: owned(&edit.new_uri),
                    rule: edit.rule.to_owned(),
                })
            })
            .collect()
    }

    /// The moves and edits as a unified diff, as `git apply` reads it.
    #[getter]
    fn diff(&self) -> String {
        self.plan.diff()
    }

    /// Moves and edits the files. `undo` undoes it.
    fn apply(&self, py: Python<'_>) -> PyResult<()> {
        let applied = py.detach(|| self.plan.apply());
        applied.map_err(FileError::from)?;
        Ok(())
    }
}

/// Plans the move of files or directories.
#[pyfunction]
#[pyo3(signature = (sources, destination, root, options: "dict[str, object] | None" = None))]
pub(crate) fn plan_move(
    py: Python<'_>,
    sources: Vec<PathBuf>,
    destination: PathBuf,
    root: PathBuf,
    options: Option<Bound<'_, PyDict>>,
) -> PyResult<MovePlan> {
    let mut relocate = Relocate::new(root);
    let mut given = Given::new(py, options)?;
    relocate.base = given.base()?;
    if let Some(site) = given.named("site")? {
        relocate.site = site;
    }
    relocate.threads = threads(given.threads()?);
    given.finish()?;
    relocate.requests.push(MoveRequest::Sources(sources, destination));
    let plan = interruptible(py, relocate.stop.clone(), || relocate.plan())?;
    let plan = plan.map_err(FileError::from)?;
    Ok(MovePlan { plan })
}

/// Undoes the last run in a directory.
#[pyfunction]
pub(crate) fn undo(py: Python<'_>, root: PathBuf) -> PyResult<()> {
    let undone = py.detach(|| jobs::undo(&root));
    undone.map_err(FileError::from)?;
    Ok(())
}

plain_class! {
    /// The result of unpacking web archives.
    UnpackReport(UnpackFields in Box<UnpackFields>) {
        /// Files.
        files: usize = 0,
        /// Files that were created.
        new_files: usize = 0,
        /// Redirects.
        redirects: usize = 0,
        /// URLs that pages refer to and that have no whole file, on hosts with files.
        missing: Vec<String> = Vec::new(),
        /// Changed links and removed attributes.
        edits: usize = 0,
        /// The path of the file to open first. `None` without pages.
        start: Option<String> = None,
    }
}

/// Unpacks web archives.
#[pyfunction]
#[pyo3(signature = (archives, out, options: "dict[str, object] | None" = None))]
pub(crate) fn unpack(
    py: Python<'_>,
    archives: Vec<FileInput>,
    out: PathBuf,
    options: Option<Bound<'_, PyDict>>,
) -> PyResult<UnpackReport> {
    let mut unpack = Unpack::new(out);
    let mut given = Given::new(py, options)?;
    if let Some(date) = given.named("date")? {
        unpack.choice.date = Some(date);
    }
    unpack.replaces_files = given.flag("force")?;
    unpack.choice.errors = given.flag("errors")?;
    unpack.missing_links = match given.string("missing")?.as_deref() {
        None | Some("absolute") => MissingLinks::Absolute,
        Some("local") => MissingLinks::Local,
        Some(_) => return Err(given.invalid("missing", "expected \"absolute\" or \"local\"")),
    };
    unpack.threads = threads(given.threads()?);
    given.finish()?;
    for archive in archives {
        if let FileInput::Path(path) = &archive {
            FileError::of_missing(path)?;
        }
        unpack.archives.push(archive.item(None));
    }
    let (report, missing, errors) = interruptible(py, unpack.stop.clone(), || {
        let (mut missing, mut errors) = (Vec::new(), Vec::new());
        let report = unpack.for_each(|event| match event {
            UnpackEvent::Missing(record) => missing.push(record.uri.clone().into_owned()),
            UnpackEvent::Error(error) => errors.push(FileError::from(error)),
            _ => {}
        });
        (report, missing, errors)
    })?;
    let report = report.map_err(FileError::from)?;
    raise_or_warn(py, &unpack.archives, errors)?;
    Ok(UnpackReport::from(UnpackFields {
        files: report.summary.files,
        new_files: report.new,
        redirects: report.summary.redirects,
        missing,
        edits: report.summary.edits,
        start: report.summary.start,
    }))
}
