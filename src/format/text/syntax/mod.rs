//! The syntax around URLs in a text: where it ends one, and which bytes inside one belong to it.
//!
//! A text is translated before it is searched: escapes become the characters that they spell, what only sets type
//! or continues a literal goes, and what ends a URL becomes a control character. The translation maps back to the text, so a
//! URL has a span for each piece between two gaps. Syntaxes are read by their marks alone, without their grammar:
//! each mark is decided by at most 1 KiB bytes after it and 256 bytes before it.
//!
//! In every text the escape sequences that set colors (ECMA-48, SGR) are gaps: so `grep --color` writes.

mod cells;
mod code;
mod fields;
mod roff;
mod tex;
mod texinfo;
mod translation;
mod unit;
mod wiki;

pub(super) use translation::{Translation, needs_translation};
