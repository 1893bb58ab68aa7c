//! The meaning of a mark of a syntax, and the limits of look-back and look-ahead.

/// The character in a translated text for everything that ends a URL: a control that is neither
/// white space nor a line break.
pub(super) const STOP: char = '\u{1F}';

/// The number of bytes before a mark that decide about it.
pub(super) const LOOK_BACK: usize = 256;

/// The number of bytes from a mark that decide about it.
pub(super) const LOOK_AHEAD: usize = 1 << 10;

/// The maximum length of white space that is skipped, in bytes.
pub(super) const INDENT: usize = 256;

/// The meaning of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// This many bytes are kept.
    Keep(usize),
    /// This many bytes spell no text.
    Gap(usize),
    /// This many bytes end a URL. If 0, a URL ends before the next byte, which is kept.
    Stop(usize),
    /// This many bytes spell this character.
    Char(usize, char),
}

/// The length of the leading white space within a line, at most [`INDENT`] bytes.
pub(super) fn blanks(text: &str) -> usize {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    text.bytes().take(INDENT).take_while(is_blank).count()
}

/// The length of the leading line break.
pub(super) fn line_end(text: &str) -> Option<usize> {
    ["\n", "\r\n"].into_iter().find(|end| text.starts_with(end)).map(str::len)
}
