//! Names from small sets, such as those of roles. Most need no allocation.

use std::borrow::Cow;
use std::convert::Infallible;

use pyo3::prelude::*;
use pyo3::types::PyString;

/// A name from a small set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Name(Cow<'static, str>);

impl Name {
    pub(crate) const fn new(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }

    /// A name that is not a constant, but often `utf-8`.
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "utf-8" => Self::new("utf-8"),
            _ => Self(Cow::Owned(name.to_owned())),
        }
    }

    /// Returns true if it is this name.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.0 == name
    }
}

impl<'py> FromPyObject<'_, 'py> for Name {
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const INPUT_TYPE: pyo3::inspect::PyStaticExpr = <String as FromPyObject<'_, '_>>::INPUT_TYPE;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self(Cow::Owned(value.extract()?)))
    }
}

impl<'py> IntoPyObject<'py> for &Name {
    type Target = PyString;
    type Output = Bound<'py, PyString>;
    type Error = Infallible;

    #[cfg(feature = "stubs")]
    const OUTPUT_TYPE: pyo3::inspect::PyStaticExpr = <&str as IntoPyObject<'_>>::OUTPUT_TYPE;

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Self::Error> {
        Ok(PyString::new(py, &self.0))
    }
}
