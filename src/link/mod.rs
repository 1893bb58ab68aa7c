//! Links: their bytes, places, roles and targets.

mod absoluteness;
mod base_element;
mod context;
mod delimiter;
mod directive;
mod id;
#[allow(clippy::module_inception, reason = "it has the type of that name")]
mod link;
mod note;
mod place;
mod query;
mod removable;
mod resolver;
mod role;
mod scope;
mod unwrap;

pub use crate::source::MAX_BASE;
pub(crate) use base_element::{base_of_element, effective_base, removal, removal_of};
pub use context::Context;
pub use delimiter::Delimiter;
pub use directive::Directive;
pub use id::LinkId;
pub use note::{Note, Notes};
pub use place::{
    CssForm, CssPlace, FieldPlace, Form, Language, MarkdownForm, MarkdownPlace, Markup,
    MarkupPlace, Place, Quoting,
};
pub(crate) use resolver::uri_of;
pub use role::Role;
pub(crate) use unwrap::is_gateway;
pub use unwrap::unwrapped;

// Used by the tests, benchmarks and fuzz targets of the repository. Not part of the API.
#[doc(hidden)]
pub use self::{
    absoluteness::Absoluteness,
    link::LinkData,
    removable::Removable,
    resolver::{LinkResolver, Target},
    scope::{BaseScope, MAX_NESTED, ScopedBase},
};
