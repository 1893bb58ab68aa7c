//! Classes of plain objects.

/// Defines a class of plain objects: for each field a getter, a keyword of the constructor, and a
/// place in comparisons. `$holder` holds the fields.
macro_rules! plain_class {
    (
        $(#[doc = $class_doc:literal])+
        $class:ident($fields:ident in $holder:ty) {
            $($(#[doc = $doc:literal])+ $name:ident: $type:ty = $default:expr,)+
        }
    ) => {
        $(#[doc = $class_doc])+
        #[pyo3::pyclass(frozen, eq, hash, module = "rehref")]
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        // Objects are moved several times before Python has them, so they are small.
        pub(crate) struct $class($holder);

        /// The fields of the class.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub(crate) struct $fields {
            $(pub(crate) $name: $type,)+
        }

        impl Default for $fields {
            fn default() -> Self {
                Self { $($name: $default),+ }
            }
        }

        impl From<$fields> for $class {
            fn from(fields: $fields) -> Self {
                Self(fields.into())
            }
        }

        // Fields have the names of the records, which a method `new` may be among.
        #[allow(clippy::new_ret_no_self, clippy::too_many_arguments, clippy::wrong_self_convention)]
        #[pyo3::pymethods]
        impl $class {
            #[new]
            #[pyo3(signature = (*, $($name = $default),+))]
            fn with_fields($($name: $type),+) -> Self {
                $fields { $($name),+ }.into()
            }

            $(
                $(#[doc = $doc])+
                #[getter]
                fn $name(&self) -> &$type {
                    &self.0.$name
                }
            )+

            /// Returns the fields as a dictionary.
            #[pyo3(signature = () -> "dict[str, Any]")]
            fn asdict<'py>(&self, py: pyo3::Python<'py>) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::types::PyDict>> {
                use pyo3::prelude::*;
                let fields = pyo3::types::PyDict::new(py);
                $(fields.set_item(stringify!($name).trim_start_matches("r#"), &self.0.$name)?;)+
                Ok(fields)
            }

            #[pyo3(signature = () -> "tuple[tuple[()], dict[str, Any]]")]
            fn __getnewargs_ex__<'py>(
                &self,
                py: pyo3::Python<'py>,
            ) -> pyo3::PyResult<(pyo3::Bound<'py, pyo3::types::PyTuple>, pyo3::Bound<'py, pyo3::types::PyDict>)> {
                Ok((pyo3::types::PyTuple::empty(py), self.asdict(py)?))
            }

            fn __repr__(&self, py: pyo3::Python<'_>) -> pyo3::PyResult<String> {
                use pyo3::prelude::*;
                let mut fields = Vec::new();
                // Empty fields are left out, as they may be in the constructor.
                for (name, value) in self.asdict(py)? {
                    let is_empty = !value.is_truthy()?;
                    if !is_empty {
                        fields.push(format!("{name}={}", value.repr()?));
                    }
                }
                Ok(format!("{}({})", stringify!($class), fields.join(", ")))
            }
        }
    };
}

pub(crate) use plain_class;
