//! Ids of headings, which fragments refer to.
//!
//! Each program that publishes Markdown makes them from the heading in its own way: [`Slugs`] has the rules. `classes` has the
//! characters that they keep, `explicit` the ids that a heading states itself (`{#id}`), `taken` the ids that occurred before.
//!
//! # Cost
//! Time is linear in the length of the headings, also if all are equal.

mod classes;
mod explicit;
mod names;
mod rules;
mod taken;

use self::explicit::explicit;
use self::names::Variant;
use self::taken::Taken;

pub use self::names::{Rendering, Slugs};

/// A heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heading<'h> {
    /// The source of the inlines of a heading in Markdown, without markers. Its lines are separated by line feeds.
    Markdown(&'h str),
    /// The text of a heading written in HTML, decoded.
    Html(&'h str),
}

/// The ids of the headings of a document. `text` renders the source of a heading.
///
/// A heading may have no id, or several if it depends on settings that are not known here.
pub fn ids(
    slugs: Slugs,
    headings: &[Heading<'_>],
    text: impl Fn(&str, Rendering) -> String,
) -> Vec<String> {
    let mut ids = Vec::with_capacity(headings.len());
    let mut first: Vec<Option<String>> = Vec::new();
    for (index, &variant) in slugs.variants().iter().enumerate() {
        let mut collector = Collector {
            slugs,
            variant,
            taken: Taken::default(),
        };
        collector.reserve(headings);
        let of_variant: Vec<_> = headings.iter().map(|it| collector.id(*it, &text)).collect();
        match index {
            0 => first = of_variant,
            _ => {
                let pairs = of_variant.into_iter().zip(&first);
                ids.extend(
                    pairs
                        .filter(|(id, first)| id != *first)
                        .filter_map(|(id, _)| id),
                );
            }
        }
    }
    ids.extend(first.into_iter().flatten());
    ids.retain(|id| !id.is_empty());
    ids
}

struct Collector {
    slugs: Slugs,
    variant: Variant,
    taken: Taken,
}

impl Collector {
    /// Takes explicit ids that go before those of all headings: MkDocs collects them first.
    fn reserve(&mut self, headings: &[Heading<'_>]) {
        if self.slugs != Slugs::Mkdocs {
            return;
        }
        for heading in headings {
            if let Heading::Markdown(source) = heading
                && !source.contains('\n')
                && let Some(id) = explicit(self.slugs, source).id
            {
                self.taken.insert(id);
            }
        }
    }

    fn id(
        &mut self,
        heading: Heading<'_>,
        render: impl Fn(&str, Rendering) -> String,
    ) -> Option<String> {
        let source = match heading {
            Heading::Markdown(source) => source,
            Heading::Html(text) => return self.slugs.include_html().then(|| self.unique(text)),
        };
        if self.slugs.needs_one_line() && source.contains('\n') {
            return None;
        }
        let explicit = explicit(self.slugs, source);
        if let Some(id) = explicit.id {
            if matches!(self.slugs, Slugs::Hugo | Slugs::Pandoc) {
                self.taken.insert(id);
            }
            return Some(id.to_owned());
        }
        if matches!(self.slugs, Slugs::Hugo | Slugs::Kramdown) {
            return Some(self.unique(explicit.rest));
        }
        let text = render(explicit.rest, self.variant.rendering);
        let at_end = match self.slugs {
            Slugs::Docusaurus => explicit::at_end_of_text(&text),
            _ => None,
        };
        Some(match at_end {
            Some(id) => id.to_owned(),
            None => self.unique(&text),
        })
    }

    /// The id for a text, different from those before if the rule demands that.
    fn unique(&mut self, text: &str) -> String {
        let text = match self.variant.is_trimmed {
            true => text.trim(),
            false => text,
        };
        let id = rules::slug(self.slugs, text);
        let separator = self.slugs.separator();
        match self.slugs {
            Slugs::Gitlab | Slugs::Jekyll | Slugs::Kramdown => self.taken.counted(id, separator),
            Slugs::Mkdocs => self.taken.continued(id, separator),
            _ => self.taken.unique(id, separator),
        }
    }
}

#[cfg(test)]
mod tests;
