//! The layout of the lines around a URL: the column at which the program that wrote them breaks
//! lines.

use super::lines::quoted;

/// The number of lines that are read before a URL, and after it.
const NEAR: usize = 6;

/// The number of bytes that are read before the line of the URL and after the following line.
const REACH: usize = 400;

/// The minimum number of lines that show the column at which lines are broken.
const FEW: usize = 2;

/// The minimum number of words in a line of a paragraph.
const WORDS: usize = 3;

/// The lines near a URL that belong to the same paragraph: with the same quote depth, up to an
/// empty line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    /// The number of lines of words that continue in the next line.
    count: usize,
    /// The width of the longest of these, in characters, with reply marks.
    longest: usize,
    /// The width of the longest line that another line follows.
    widest: usize,
    /// True if a line precedes that of the URL.
    pub(super) has_above: bool,
    /// True if a line follows the one after the URL.
    pub(super) has_below: bool,
}

impl Layout {
    /// The column before which no line of words was broken. `None` if too few such lines are near.
    pub(super) fn column(&self) -> Option<usize> {
        (self.count >= FEW).then_some(self.longest)
    }

    /// Returns true if another line is about as wide as this one and none is wider.
    pub(super) fn is_as_wide(&self, width: usize) -> bool {
        (width.saturating_sub(1)..=width + 1).contains(&self.widest)
    }
}

/// The layout around a URL. `line` is the start of the line of its first piece, `next` the start of
/// the line after its last piece. Constant time.
pub(super) fn around(text: &str, line: usize, next: usize) -> Layout {
    let mut widths = Layout::default();
    let (depth, _) = quoted(text, line);
    let min_start = boundary(text, line.saturating_sub(REACH));
    let mut end = line;
    for _ in 0..NEAR {
        // The first line in range may be incomplete.
        let Some(above) = text[min_start..end].strip_suffix('\n') else {
            break;
        };
        let Some(start) = above.rfind('\n') else {
            break;
        };
        let start = min_start + start + 1;
        if !widths.add(text, start, end, depth) {
            break;
        }
        widths.has_above = true;
        end = start;
    }
    let (depth, _) = quoted(text, next);
    let limit = boundary(text, text.len().min(next + REACH));
    let mut start = next;
    let mut below = text[next..limit].split_inclusive('\n').peekable();
    for _ in 0..NEAR {
        let Some(line) = below.next().filter(|line| line.ends_with('\n')) else {
            break;
        };
        let end = start + line.len();
        // The last line of a paragraph ends where its words end.
        let continues = below.peek().is_some() && {
            let (deep, at) = quoted(text, end);
            let after = &text[at..limit.max(at)];
            let first = after.split('\n').next().unwrap_or_default();
            deep == depth && !first.trim().is_empty()
        };
        if !continues || !widths.add(text, start, end, depth) {
            break;
        }
        widths.has_below = true;
        start = end;
    }
    widths
}

impl Layout {
    /// Counts the line from `start` to `end` if it consists of words. Returns true if it belongs to
    /// the same paragraph.
    fn add(&mut self, text: &str, start: usize, end: usize, depth: usize) -> bool {
        let (deep, at) = quoted(text, start);
        let words = text[at.min(end)..end].trim();
        if words.is_empty() || deep != depth {
            return false;
        }
        let width = text[start..end].trim_end().chars().count();
        self.widest = self.widest.max(width);
        if words.split_ascii_whitespace().nth(WORDS - 1).is_some() && !words.contains("://") {
            self.count += 1;
            self.longest = self.longest.max(width);
        }
        true
    }
}

/// The first character boundary at or after `at`.
fn boundary(text: &str, at: usize) -> usize {
    (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column_at(text: &str) -> Option<usize> {
        let line = text.find("http").unwrap_or_default();
        let line = text[..line].rfind('\n').map_or(0, |at| at + 1);
        let next = line + text[line..].find('\n').unwrap_or_default() + 1;
        around(text, line, next).column()
    }

    #[test]
    fn longest_line_of_words_is_the_column() {
        let words = "one two three four\none two three four five\n";
        assert_eq!(column_at(&format!("x\n{words}http://a/\nb\n")), Some(23));
        assert_eq!(column_at(&format!("http://a/\n{words}and so on\n")), Some(23));
        assert_eq!(
            column_at(&format!("x\n\n{words}http://a/\nb\n").replace('\n', "\r\n")),
            Some(23)
        );
    }

    #[test]
    fn other_paragraphs_are_ignored() {
        let words = "one two three four\none two three four five\n";
        assert_eq!(column_at(&format!("x\n{words}\nhttp://a/\nb\n")), None);
        assert_eq!(column_at("x\n> one two three\n> one two three\nhttp://a/\n"), None);
        assert_eq!(column_at("http://a/\nb c d\nb c d\n"), None, "the last line");
        assert_eq!(column_at("x\nb c d\nb\nhttp://a/\nb\n"), None, "one line");
    }
}
