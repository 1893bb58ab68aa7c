//! How the lines around a URL are laid out: where the program that wrote them breaks lines.

use super::lines::quoted;

/// How many lines before a URL, and as many after it, are looked at.
const NEAR: usize = 6;

/// How far before the line of the URL, and how far after the line that follows it, in bytes.
const REACH: usize = 400;

/// Fewer lines than these do not show where lines are broken.
const FEW: usize = 2;

/// A line with fewer words is none of a paragraph.
const WORDS: usize = 3;

/// The lines near a URL that are of the same paragraph: quoted as often, up to an empty line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    /// How many lines of words there are that go on in the next line.
    count: usize,
    /// How many characters the longest of these has, marks of replies included.
    longest: usize,
    /// The same of all lines that another one follows.
    widest: usize,
    /// Whether a line stands before that of the URL, and one after the line that follows it.
    pub(super) has_above: bool,
    pub(super) has_below: bool,
}

impl Layout {
    /// The column before which no line of words was broken. None where too few such lines are near.
    pub(super) fn column(&self) -> Option<usize> {
        (self.count >= FEW).then_some(self.longest)
    }

    /// Whether another line is as wide as this one, or nearly, and none is wider.
    pub(super) fn is_as_wide(&self, width: usize) -> bool {
        (width.saturating_sub(1)..=width + 1).contains(&self.widest)
    }
}

/// The layout around a URL; `line` is where the line of its first piece begins, `next` where the line does that follows
/// its last one. Constant time.
pub(super) fn around(text: &str, line: usize, next: usize) -> Layout {
    let mut widths = Layout::default();
    let (depth, _) = quoted(text, line);
    let floor = boundary(text, line.saturating_sub(REACH));
    let mut end = line;
    for _ in 0..NEAR {
        // The first line that is in sight may be a piece of one.
        let Some(above) = text[floor..end].strip_suffix('\n') else {
            break;
        };
        let Some(start) = above.rfind('\n') else {
            break;
        };
        let start = floor + start + 1;
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
        // The last line of a paragraph ends where its words do.
        let goes_on = below.peek().is_some() && {
            let (deep, at) = quoted(text, end);
            let after = &text[at..limit.max(at)];
            let first = after.split('\n').next().unwrap_or_default();
            deep == depth && !first.trim().is_empty()
        };
        if !goes_on || !widths.add(text, start, end, depth) {
            break;
        }
        widths.has_below = true;
        start = end;
    }
    widths
}

impl Layout {
    /// Counts the line from `start` to `end`, if it is of words. Returns whether it is of the same paragraph.
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

/// The first boundary of a character from `at` on.
fn boundary(text: &str, at: usize) -> usize {
    (at..=text.len())
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(text.len())
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
    fn the_longest_line_of_words_counts() {
        let words = "one two three four\none two three four five\n";
        assert_eq!(column_at(&format!("x\n{words}http://a/\nb\n")), Some(23));
        assert_eq!(
            column_at(&format!("http://a/\n{words}and so on\n")),
            Some(23)
        );
        assert_eq!(
            column_at(&format!("x\n\n{words}http://a/\nb\n").replace('\n', "\r\n")),
            Some(23)
        );
    }

    #[test]
    fn other_paragraphs_do_not_count() {
        let words = "one two three four\none two three four five\n";
        assert_eq!(column_at(&format!("x\n{words}\nhttp://a/\nb\n")), None);
        assert_eq!(
            column_at("x\n> one two three\n> one two three\nhttp://a/\n"),
            None
        );
        assert_eq!(
            column_at("http://a/\nb c d\nb c d\n"),
            None,
            "the last line"
        );
        assert_eq!(column_at("x\nb c d\nb\nhttp://a/\nb\n"), None, "one line");
    }
}
