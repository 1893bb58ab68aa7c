//! The ids of footnotes and of the references to them.

use std::collections::HashMap;

use super::block::{Block, Blocks};
use super::inlines::{Inline, Inlines, Syntax};
use super::joined::Joined;
use crate::format::options::Slugs;

/// The ids of the footnotes of a document, by the program that these rules are of. Cost: linear.
pub(super) fn footnote_ids(text: &str, blocks: &Blocks, slugs: Slugs) -> Vec<String> {
    if blocks.labels.footnotes.is_empty() || !has_ids(slugs) {
        return Vec::new();
    }
    let mut notes = Footnotes { slugs, numbers: HashMap::new(), ids: Vec::new() };
    for block in &blocks.blocks {
        let joined = match *block {
            Block::Footnote(label) => {
                notes.definition(&text[label.range()]);
                continue;
            }
            Block::Text(lines) | Block::Heading(lines) => blocks.joined(text, lines),
            Block::Cell(span) => Joined::of_cell(&text[span.range()], span.start),
            _ => continue,
        };
        let syntax = Syntax { dialect: blocks.dialect, ..Syntax::default() };
        Inlines::new(&joined.text, &blocks.labels, syntax).read(|inline| {
            if let Inline::Footnote(span) = inline {
                // `[^label]`
                notes.reference(&joined.text[span.start + 2..span.end - 1]);
            }
        });
    }
    notes.ids
}

/// Returns true if the program gives footnotes ids that only depend on the document.
fn has_ids(slugs: Slugs) -> bool {
    matches!(
        slugs,
        Slugs::Mkdocs
            | Slugs::Jekyll
            | Slugs::Kramdown
            | Slugs::Hugo
            | Slugs::Docusaurus
            | Slugs::Astro
            | Slugs::Nextra
            | Slugs::Vitepress
            | Slugs::Mdbook
            | Slugs::Pandoc
    )
}

struct Footnotes {
    slugs: Slugs,
    /// The number of each label by its first reference, and its number of references.
    numbers: HashMap<String, (usize, usize)>,
    ids: Vec<String>,
}

impl Footnotes {
    /// Adds the id of a footnote. Python-Markdown shows those without references, too.
    fn definition(&mut self, label: &str) {
        if self.slugs == Slugs::Mkdocs {
            self.ids.push(format!("fn:{label}"));
        }
    }

    /// Adds the id of a reference, and with the first one that of its footnote.
    fn reference(&mut self, label: &str) {
        let next = self.numbers.len() + 1;
        let (number, count) = self.numbers.entry(label.to_lowercase()).or_insert((next, 0));
        *count += 1;
        let (number, count) = (*number, *count);
        let is_first = count == 1;
        let (note, reference) = match (self.slugs, is_first) {
            (Slugs::Mkdocs, true) => (None, format!("fnref:{label}")),
            (Slugs::Mkdocs, false) => (None, format!("fnref{count}:{label}")),
            (Slugs::Jekyll | Slugs::Kramdown, true) => {
                (Some(format!("fn:{label}")), format!("fnref:{label}"))
            }
            (Slugs::Jekyll | Slugs::Kramdown, false) => {
                (None, format!("fnref:{label}:{}", count - 1))
            }
            (Slugs::Hugo, true) => (Some(format!("fn:{number}")), format!("fnref:{number}")),
            (Slugs::Hugo, false) => (None, format!("fnref{}:{number}", count - 1)),
            (Slugs::Vitepress, true) => {
                (Some(format!("footnote{number}")), format!("footnote-ref{number}"))
            }
            (Slugs::Vitepress, false) => (None, format!("footnote-ref{number}:{}", count - 1)),
            (Slugs::Docusaurus | Slugs::Astro | Slugs::Nextra, true) => {
                (Some(format!("user-content-fn-{label}")), format!("user-content-fnref-{label}"))
            }
            (Slugs::Docusaurus | Slugs::Astro | Slugs::Nextra, false) => {
                (None, format!("user-content-fnref-{label}-{count}"))
            }
            (Slugs::Mdbook, _) => {
                let note = is_first.then(|| format!("footnote-{label}"));
                (note, format!("fr-{label}-{count}"))
            }
            (Slugs::Pandoc, true) => (Some(format!("fn{number}")), format!("fnref{number}")),
            _ => return,
        };
        self.ids.extend(note);
        self.ids.push(reference);
    }
}
