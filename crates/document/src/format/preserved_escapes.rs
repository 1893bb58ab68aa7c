//! Unchanged segments of a reference keep their spelling.

/// A new value in three pieces.
#[derive(Debug, PartialEq, Eq)]
struct Pieces<'v> {
    /// The source of the unchanged leading segments, with the slash after them.
    lead: &'v str,
    /// The part of the new reference to write.
    middle: &'v str,
    /// The source of the unchanged trailing segments.
    tail: &'v str,
}

/// Returns the value for `after`, if `source` spells `before` with escapes or character references.
/// Unchanged segments keep their source, and `write` writes the rest. None if nothing can be kept.
///
/// Only slashes are compared, so the caller must check that the value is read as intended.
pub(crate) fn written_between(
    source: &str,
    before: &str,
    after: &str,
    write: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    let Pieces { lead, middle, tail } = pieces(source, before, after)?;
    let middle = match middle {
        "" => String::new(),
        _ => write(middle)?,
    };
    Some([lead, &middle, tail].concat())
}

fn pieces<'v>(source: &'v str, before: &str, after: &'v str) -> Option<Pieces<'v>> {
    // White space around a reference is not part of it.
    let source = source.trim_matches(|it: char| it.is_ascii_whitespace());
    // If a slash is escaped, the source has other segments than the value.
    let slashes = |text: &str| text.matches('/').count();
    if source == before || before.is_empty() || slashes(source) != slashes(before) {
        return None;
    }
    let (old, new) = (segments(before), segments(after));
    let most = old.len().min(new.len());
    let lead = old[..most - 1].iter().zip(&new[..most - 1]);
    let lead = lead.take_while(|(old, new)| old == new).count();
    let tail = old.iter().rev().zip(new.iter().rev());
    let tail = tail.take(most - lead).take_while(|(old, new)| old == new);
    let tail = tail.count();
    if lead + tail == 0 {
        return None;
    }
    let source_of = segments(source);
    let len = |segments: &[&str]| segments.iter().map(|it| it.len()).sum::<usize>();
    Some(Pieces {
        lead: &source[..len(&source_of[..lead])],
        middle: &after[len(&new[..lead])..len(&new[..new.len() - tail])],
        tail: &source[len(&source_of[..source_of.len() - tail])..],
    })
}

/// The segments of a text, each with the slash after it.
fn segments(text: &str) -> Vec<&str> {
    let mut segments: Vec<&str> = text.split_inclusive('/').collect();
    if text.is_empty() || text.ends_with('/') {
        segments.push("");
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unchanged_segments_keep_their_spelling() {
        let written = |source, before, after| {
            written_between(source, before, after, |middle| Some(format!("<{middle}>")))
        };
        for (source, before, after, expected) in [
            ("a\\ b", "a b", "../a b", Some("<../>a\\ b")),
            ("../a\\ b", "../a b", "a b", Some("a\\ b")),
            ("a\\ b/x", "a b/x", "a b/y", Some("a\\ b/<y>")),
            ("i/a\\ b/", "i/a b/", "j/a b/", Some("<j/>a\\ b/")),
            ("i/\\61/", "i/a/", "i/j/a/", Some("i/<j/>\\61/")),
            ("i/j/\\61", "i/j/a", "i/a", Some("i/\\61")),
            ("\\61/\\61", "a/a", "a/a/a", Some("\\61/<a/>\\61")),
            // No segment is unchanged.
            ("a\\ b", "a b", "a c", None),
            ("a\\ b", "a b", "", None),
            ("", "", "a", None),
            ("&#32;", "", "a/", None),
            // Nothing is escaped, or a slash is escaped.
            ("a/b", "a/b", "c/b", None),
            ("a&#47;b", "a/b", "c/b", None),
            // White space is not kept.
            (" a/\\62 ", "a/b", "c/b", Some("<c/>\\62")),
            (" a/b ", "a/b", "c/b", None),
            ("a/\\62\n", "a/b", "c/b", Some("<c/>\\62")),
        ] {
            assert_eq!(written(source, before, after).as_deref(), expected, "{source}");
        }
    }
}
