//! URI references: their components, targets, grammars and normal forms.
//!
//! - [`Parts`] splits a reference into scheme, authority, path, query and fragment. [`Reference`]
//!   does so for resolving: [`Reference::parse`] also checks it, [`Reference::split`] does not.
//! - [`Resolver`] resolves a reference by the algorithm of a [`Profile`], and finds the shortest
//!   reference to a target ([`Resolver::relative_reference`]). To resolve many references against
//!   one base, prepare it with [`Resolver::base`] and call [`Base::resolve_into`], which does not
//!   allocate under the RFC profiles. [`Step`] names the deciding step of the algorithm.
//! - [`Grammar`] checks a text by the grammar of a specification and splits its authority.
//!   [`rfc1738`] has the components of ten schemes.
//! - [`normalize()`] returns the normal form of a reference at a level of [`Equivalence`], and
//!   [`are_equivalent`] compares two references.
//! - [`iri_to_uri`] converts an IRI to a URI.
//!
//! ```
//! use rehref_uri::{Profile, Resolved, Resolver};
//!
//! let resolver = Resolver::default();
//! let base = "http://a/b/c/d;p?q";
//! assert_eq!(resolver.resolve(base, "../g")?, Resolved::Target("http://a/b/g".into()));
//! assert_eq!(resolver.relative_reference(base, "http://a/b/g").as_deref(), Some("../g"));
//!
//! // Before RFC 3986, an empty reference has no target: it refers to the current document.
//! # Ok::<(), rehref_uri::ResolveError>(())
//! ```
//!
//! This module works on text only and never accesses a file or the network. Positions and lengths
//! are in bytes. Components are as written: not decoded, encoded or case-folded. Non-ASCII
//! characters (IRIs) are unchanged, except by functions documented to change them and under
//! [`Profile::Whatwg`], whose targets are normalized as that standard requires.
//!
//! # Inside
//!
//! The specifications are RFC 1738, the draft of 1997, RFC 2396, the first draft of its revision
//! (2002), RFC 3986 with RFC 3987, and the WHATWG URL Standard. Each is followed to the letter,
//! also where the letter is odd; the item's docs then cite the section.
//! - **One pass for the common case.** `syntax` checks by RFC 3986 and RFC 3987 and finds the
//!   components in one pass over the character classes of `chars`. `parts` finds the components of
//!   any text. Both return byte offsets, so that a target is a piece of the base and a piece of the
//!   reference.
//! - **A base is prepared once** (`prepared_base`). It keeps scheme, authority and directory as one
//!   string without dot segments, with the number of `..` that remained; resolving appends to it.
//!   `dots` removes dot segments on a stack that only grows at its end, so it can stop after the
//!   directory and continue with any reference. The algorithms branch on [`Step`], so explanations
//!   agree with results.
//! - **Grammars** (`grammar`) are a separate type from profiles, since RFC 1738 and RFC 3987 have a
//!   grammar and no algorithm. The three generic grammars before RFC 3986 (`rfc2396`) share its
//!   character classes and differ in where a class is allowed and in their hosts (`host`). RFC 1738
//!   has a reader for each scheme. Each check returns a `Fault`: bytes, message, section.
//! - **Tests compare the code with the printed grammars** in corpus/grammars. All are regular, so
//!   each becomes a regular expression. RFC 3987 is compared with fluent-uri.
//! - **Normal forms** (`normalize`) split by the letter of Appendix B, so that decoding an escape
//!   can never create a scheme. A segment is decoded only if all of its escapes are valid, so that
//!   normalizing is idempotent.

#![deny(unsafe_code)]

mod authority;
pub mod bytes;
mod chars;
mod domain;
mod dots;
mod fault;
mod grammar;
mod host;
mod iri;
mod normalize;
mod parts;
mod plainly_normal;
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
pub use domain::Domain;
pub use grammar::{Grammar, Parsed, SyntaxError};
pub use host::HostKind;
pub use iri::iri_to_uri;
pub use normalize::has_dot_segments;
pub use normalize::{Equivalence, are_equivalent, default_port, normalize, normalize_into};
pub use parts::Parts;
pub use parts::has_scheme;
pub use plainly_normal::is_plainly_normal;
pub use profile::by_name;
pub use profile::{AboveRoot, Profile, SameScheme, UnknownName};
pub use reference::Reference;
pub use refusal::ErrorKind;
pub use resolver::{Base, Outcome, ResolveError, Resolved, Resolver};
pub use step::Step;

#[cfg(test)]
#[path = "../../../tests/all/tier.rs"]
mod tier;
