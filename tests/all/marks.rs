//! Marks around links in documents of the corpus: `⟦LABEL TEXT⟧`. corpus/README.md has the labels.

pub(crate) const OPEN: char = '⟦';
pub(crate) const CLOSE: char = '⟧';

/// The label of a further piece of the link before it.
pub(crate) const CONTINUED: &str = "+";

/// A piece of a document: the label of its mark, if it has one, and the text.
pub(crate) type Piece<'m> = (Option<&'m str>, &'m str);

/// The pieces of a marked document.
pub(crate) fn pieces(marked: &str) -> Result<Vec<Piece<'_>>, String> {
    let mut pieces = Vec::new();
    let mut rest = marked;
    while let Some((before, inside)) = rest.split_once(OPEN) {
        let mark = inside.split_once(CLOSE).and_then(|(mark, after)| {
            let (label, text) = mark.split_once(' ')?;
            Some((label, text, after))
        });
        let Some((label, text, after)) = mark else {
            return Err(format!("a mark without a space or an end: {OPEN}{inside:.40}"));
        };
        pieces.push((None, before));
        pieces.push((Some(label), text));
        rest = after;
    }
    pieces.push((None, rest));
    Ok(pieces)
}

/// Appends a mark.
pub(crate) fn push(marked: &mut String, label: &str, text: &str) {
    marked.push(OPEN);
    marked.push_str(label);
    marked.push(' ');
    marked.push_str(text);
    marked.push(CLOSE);
}
