//! What a mark of a syntax spells, and the limits of looking around it.

/// The character in a translated text for what ends a URL: a control that is neither white space nor a line end.
pub(super) const STOP: char = '\u{1F}';

/// How many bytes before a mark decide what it is.
pub(super) const LOOK_BACK: usize = 256;

/// The longest white space that is looked over, in bytes.
pub(super) const INDENT: usize = 256;

/// What a mark is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// So many bytes that are kept.
    Keep(usize),
    /// So many bytes that spell no text.
    Gap(usize),
    /// So many bytes that end a URL. With none, a URL ends before the next byte, which is kept.
    Stop(usize),
    /// So many bytes that spell this character.
    Char(usize, char),
}

/// The length of the white space within a line that `text` begins with, up to [`INDENT`] bytes.
pub(super) fn blanks(text: &str) -> usize {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    text.bytes().take(INDENT).take_while(is_blank).count()
}

/// The length of the line end that `text` begins with.
pub(super) fn line_end(text: &str) -> Option<usize> {
    ["\n", "\r\n"]
        .into_iter()
        .find(|end| text.starts_with(end))
        .map(str::len)
}
