//! Links that the garbage collector does not look at.
//!
//! A list of links has one object for each. The collector looked at them again and again, although
//! they refer to no other objects: that was 15 % of the time of `extract` for 200 pages with 81 links
//! each (`benches/speed.py`).
#![allow(unsafe_code)]

use pyo3::ffi;
#[cfg(feature = "stubs")]
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;

use crate::link::Link;

/// A link that becomes an object which the garbage collector does not look at.
pub(crate) struct Untracked(pub(crate) Link);

impl<'py> IntoPyObject<'py> for Untracked {
    type Target = Link;
    type Output = Bound<'py, Link>;
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const OUTPUT_TYPE: PyStaticExpr = Link::OUTPUT_TYPE;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, Link>> {
        let link = Bound::new(py, self.0)?;
        // SAFETY: this is an object of a class with collection, and the interpreter is attached. No
        // cycle contains a link: it refers to no object but its class.
        unsafe { ffi::PyObject_GC_UnTrack(link.as_ptr().cast()) };
        Ok(link)
    }
}
