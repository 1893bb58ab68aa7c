//! Links: their bytes, places, roles and targets.

mod absoluteness;
mod base_element;
mod context;
mod delimiter;
mod directive;
mod filter;
mod id;
#[allow(clippy::module_inception, reason = "it has the type of that name")]
mod link;
mod note;
mod place;
mod private_url;
mod query;
mod removable;
mod resolver;
mod role;
mod scope;
mod unwrap;
mod windows_path;

pub use crate::source::MAX_BASE;
pub use base_element::{base_of_element, effective_base, removal, removal_of};
pub use context::Context;
pub use delimiter::Delimiter;
pub use directive::Directive;
pub(crate) use filter::side_of;
pub use filter::{Condition, LinkFilter, LinkFilterError, MatchedText, Side};
pub use id::LinkId;
pub use note::{Note, Notes};
pub use place::{
    CssForm, CssPlace, FieldPlace, Form, Language, MarkdownForm, MarkdownPlace, Markup,
    MarkupPlace, Place, Quoting,
};
pub use private_url::{PRIVATE_URL, is_private};
pub use resolver::uri_of;
pub(crate) use resolver::url_in_place;
pub use role::Role;
pub(crate) use unwrap::is_gateway;
pub use unwrap::unwrapped;
pub(crate) use windows_path::{WindowsPath, as_url, as_written};

pub use self::{
    absoluteness::Absoluteness,
    link::ParsedLink,
    removable::AttributeSpan,
    resolver::{LinkResolver, Target},
    scope::{BaseScope, MAX_NESTED, ScopedBase},
};
