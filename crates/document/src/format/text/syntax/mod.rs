//! The syntax around URLs in a text: the marks that end a URL, and those that are part of it.
//!
//! A text is translated before it is searched if its file extension or first line implies a syntax
//! (`TextSyntax`), or if it has the color sequences of a terminal (ECMA-48, SGR), as `grep --color`
//! writes. The scanner has no code for syntaxes.
//!
//! * Escapes become the characters that they spell. Bytes that spell no text are removed (gaps).
//!   Text that ends a URL becomes the control character U+001F.
//! * The translation has a map to the original text, so a URL has a span for each piece between two
//!   gaps, and the note `unescaped`. Lines are counted in the original text.
//! * Marks are read without a grammar: each needs at most 1 KiB after it and 256 bytes before it.
//!   So a stream has the same result as the whole text, in linear time. A text with a syntax is not
//!   divided among threads.
//! * The lines of a diff have the syntax of the file that its header names (`diff`).
//! * A rewritten URL is replaced from its first byte to its last. A link with a gap that changes
//!   the font or color is skipped. TeX gets its escapes again.

mod cells;
mod code;
mod diff;
mod fields;
mod roff;
mod rules;
mod tex;
mod texinfo;
mod translation;
mod unit;
mod wiki;

pub(super) use translation::{
    Translation, find_escape, needs_translation, terminal_len, terminal_start,
};
