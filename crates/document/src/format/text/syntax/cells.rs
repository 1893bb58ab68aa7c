//! Tables: a URL ends with its cell.

use super::unit::Unit;

/// Cells between separators, quoted or not (RFC 4180).
#[derive(Clone, Debug)]
pub(super) struct Cells {
    separator: u8,
    /// True until the quotes around the cell are closed.
    is_quoted: bool,
}

impl Cells {
    pub(super) fn new(separator: u8) -> Self {
        Self { separator, is_quoted: false }
    }

    pub(super) fn marks(&self) -> [u8; 3] {
        [self.separator, b'"', b'\n']
    }

    pub(super) fn unit(&mut self, text: &str, at: usize) -> Unit {
        let bytes = text.as_bytes();
        match bytes[at] {
            // Two quotes spell one.
            b'"' if self.is_quoted && bytes.get(at + 1) == Some(&b'"') => Unit::Char(2, '"'),
            b'"' if self.is_quoted => {
                self.is_quoted = false;
                Unit::Keep(1)
            }
            b'"' => {
                // In other tables quotes do not matter: white space within a line ends a URL
                // anyway.
                let begins = at == 0 || [self.separator, b'\n'].contains(&bytes[at - 1]);
                self.is_quoted = begins && self.separator != b'\t';
                Unit::Keep(1)
            }
            _ if self.is_quoted => Unit::Keep(1),
            _ => Unit::Stop(1),
        }
    }
}
