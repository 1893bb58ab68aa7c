//! The syntax that MDX adds to Markdown: tags of JSX, expressions in braces, and statements that
//! begin with `import` or `export`.
//!
//! - Tags and expressions that fill lines are blocks, even with blank lines in them. Others are
//!   inlines. The content between tags is Markdown.
//! - Indented code and other HTML do not exist. Comments of HTML are kept, as Docusaurus reads
//!   them.
//! - Invalid MDX is read as Markdown: a brace without its pair is text, a tag without quotes HTML.
//!
//! **Time is linear.** A search for the end of a piece may read the rest of the text without a
//! result. After some of them ([`Fuel`]) no more are tried.

mod links;
mod scan;

use memchr::memmem;

pub(super) use self::links::{Part, read};
use self::scan::{Found, Scanner};
use super::line::is_blank;

/// The budget of the searches in a text.
#[derive(Debug)]
pub(super) struct Fuel {
    /// The number of bytes that may still be read without a result.
    left: usize,
    /// Memory for searches for an end alone: a failed one may need 60 times as much as the text.
    spare: Found,
}

impl Fuel {
    /// A budget for a text of this length.
    pub(super) fn of(len: usize) -> Self {
        Self { left: 16 * len + 1024, spare: Found::default() }
    }

    fn spend(&mut self, bytes: usize) {
        self.left = self.left.saturating_sub(bytes + 1);
    }

    /// Searches for an end. Links found by the search are dropped.
    fn search<T>(&mut self, search: impl FnOnce(&mut Self, &mut Found) -> T) -> T {
        let mut found = std::mem::take(&mut self.spare);
        found.clear();
        let end = search(self, &mut found);
        self.spare = found;
        end
    }
}

/// The offset after the tag or the expression that begins at `at`. `None` if neither begins at
/// `at`.
pub(super) fn end_of_piece(bytes: &[u8], at: usize, fuel: &mut Fuel) -> Option<usize> {
    fuel.search(|fuel, found| end_of_piece_in(bytes, at, 0, fuel, found))
}

fn end_of_piece_in(
    bytes: &[u8],
    at: usize,
    quotes: usize,
    fuel: &mut Fuel,
    found: &mut Found,
) -> Option<usize> {
    let next = bytes.get(at + 1)?;
    let may_begin = match bytes[at] {
        b'<' => next.is_ascii_alphabetic() || matches!(next, b'/' | b'>' | b'_' | b'$'),
        // The id of a heading.
        _ => *next != b'#',
    };
    if !may_begin || fuel.left == 0 {
        return None;
    }
    let end = Scanner::new(bytes, at, quotes, found).piece();
    if let Err(failed) = end {
        fuel.spend(failed - at);
    }
    end.ok()
}

/// The end of the line that ends with a tag, an expression or a comment. `None` if other text is
/// between `at` and that end. `quotes` is the number of quotes that contain it.
pub(super) fn end_of_flow(
    bytes: &[u8],
    at: usize,
    quotes: usize,
    fuel: &mut Fuel,
) -> Option<usize> {
    fuel.search(|fuel, found| flow(bytes, at, quotes, fuel, found))
}

fn flow(
    bytes: &[u8],
    start: usize,
    quotes: usize,
    fuel: &mut Fuel,
    found: &mut Found,
) -> Option<usize> {
    let mut at = start;
    loop {
        let rest = &bytes[at..];
        at = match rest {
            [b'<', b'!', b'-', b'-', ..] if fuel.left > 0 => {
                let end = memmem::find(&rest[4..], b"-->");
                if end.is_none() {
                    fuel.spend(rest.len());
                }
                at + 4 + end? + 3
            }
            [b'<' | b'{', ..] => end_of_piece_in(bytes, at, quotes, fuel, found)?,
            _ => {
                fuel.spend(at - start);
                return None;
            }
        };
        at += bytes[at..].iter().take_while(|it| is_blank(**it)).count();
        if matches!(bytes.get(at), None | Some(b'\n' | b'\r')) {
            return Some(at);
        }
    }
}

/// Returns true if a line begins with statements.
pub(super) fn begins_statements(line: &[u8]) -> bool {
    line.starts_with(b"import ") || line.starts_with(b"export ")
}

/// The end of the last line of the statements that begin at `at`.
pub(super) fn end_of_statements(bytes: &[u8], at: usize, fuel: &mut Fuel) -> usize {
    fuel.search(|fuel, found| statements(bytes, at, fuel, found))
}

fn statements(bytes: &[u8], at: usize, fuel: &mut Fuel, found: &mut Found) -> usize {
    let has_fuel = fuel.left > 0;
    match Scanner::new(bytes, at, 0, found).statements(has_fuel) {
        Ok(end) => end,
        Err((end, failed)) => {
            fuel.spend(failed);
            end
        }
    }
}
