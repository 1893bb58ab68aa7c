//! The namespaces of elements.

/// The namespaces of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Html,
    Svg,
    MathMl,
}
