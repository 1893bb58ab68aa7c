//! URI references: their components, what they refer to against a base, and back.
//!
//! - [`Parts`] splits a reference into scheme, authority, path, query and fragment; [`Reference`]
//!   does so for resolving: [`Reference::parse`] checks it on the way, [`Reference::split`] does not.
//! - [`Resolver`] turns a reference into its target, by the algorithm of a [`Profile`], and finds
//!   the shortest reference to a target ([`Resolver::relative_reference`]). Where many references
//!   have one base, [`Resolver::base`] makes it ready once, and each is then resolved into a buffer,
//!   under the RFC profiles without an allocation ([`Base::resolve_into`]). [`Step`] says which step of the algorithm decided.
//! - [`Grammar`] tells whether a text is a reference at all, by which text, and what its authority
//!   is made of; [`rfc1738`] has what the URLs of ten schemes say beyond that.
//! - [`normalize()`] gives the spelling that equivalent references share at a level of
//!   [`Equivalence`], and [`are_equivalent`] compares two by it.
//! - [`iri_to_uri`] writes an IRI as a URI.
//! - [`percent`](crate::bytes::percent) writes file names as path segments and reads them back.
//!
//! ```
//! use rehref::uri::{Profile, Resolved, Resolver};
//!
//! let resolver = Resolver::default();
//! let base = "http://a/b/c/d;p?q";
//! assert_eq!(resolver.resolve(base, "../g")?, Resolved::Target("http://a/b/g".into()));
//! assert_eq!(resolver.relative_reference(base, "http://a/b/g").as_deref(), Some("../g"));
//!
//! // The older texts have no target for an empty reference: it is the document at hand.
//! let resolver = Resolver { profile: Profile::Rfc2396, ..resolver };
//! let here = Resolved::CurrentDocument { fragment: Some("s".into()) };
//! assert_eq!(resolver.resolve(base, "#s")?, here);
//! # Ok::<(), rehref::uri::ResolveError>(())
//! ```
//!
//! Everything here works on text and never touches a file or the network. Positions and lengths are
//! in bytes. Components are taken as written: nothing is decoded, encoded or folded in case, and
//! non-ASCII characters pass through (IRIs), except by the functions whose purpose it is and under
//! [`Profile::Whatwg`], whose targets are normalised as that standard demands.

mod authority;
mod chars;
mod dots;
mod fault;
mod grammar;
mod host;
mod iri;
mod normalize;
mod parts;
mod prepared_base;
mod profile;
mod reference;
mod refusal;
mod relative;
mod resolver;
mod rfc2396;
mod step;
mod syntax;
mod whatwg;

pub mod rfc1738;

pub use authority::{Authority, Server};
pub use grammar::{Grammar, Parsed, SyntaxError};
pub use host::HostKind;
pub use iri::iri_to_uri;
pub use normalize::{Equivalence, are_equivalent, default_port, normalize, normalize_into};
pub(crate) use normalize::{has_dot_segments, is_plainly_normal};
pub use parts::Parts;
pub(crate) use profile::by_name;
pub use profile::{AboveRoot, Profile, SameScheme, UnknownName};
pub use reference::Reference;
pub use refusal::ErrorKind;
pub use resolver::{Base, Outcome, ResolveError, Resolved, Resolver};
pub use step::Step;
