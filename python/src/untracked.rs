//! Objects that the garbage collector does not look at.
//!
//! A list of links has one object for each. The collector looked at them again and again, although
//! they refer to no other objects: that was 15 % of the time of `extract` for 200 pages with 81 links
//! each (`benches/speed.py`).
#![allow(unsafe_code)]

#[cfg(feature = "stubs")]
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::{PyClass, PyClassInitializer, ffi};

/// A value that becomes an object which the garbage collector does not look at.
///
/// Only for classes without references to objects.
pub(crate) struct Untracked<T>(pub(crate) T);

impl<'py, T> IntoPyObject<'py> for Untracked<T>
where
    T: PyClass + Into<PyClassInitializer<T>> + IntoPyObject<'py>,
{
    type Target = T;
    type Output = Bound<'py, T>;
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const OUTPUT_TYPE: PyStaticExpr = T::OUTPUT_TYPE;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, T>> {
        let object = Bound::new(py, self.0)?;
        // SAFETY: the pointer is that of an object of a class with collection, and the interpreter
        // is attached. The object is in no cycle, as it refers to no other but its class.
        unsafe { ffi::PyObject_GC_UnTrack(object.as_ptr().cast()) };
        Ok(object)
    }
}
