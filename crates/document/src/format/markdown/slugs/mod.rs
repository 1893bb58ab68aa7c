//! Ids of headings, which fragments refer to.
//!
//! Each program that publishes Markdown derives them from the heading by different rules. [`Slugs`]
//! has the rules by name, `rules` their transformations of a text, `explicit` the explicit ids of
//! headings (`{#id}`), and `taken` the ids that occurred before.
//!
//! # Cost
//! Time is linear in the length of the headings, also if all are equal.

mod explicit;
mod rules;
mod taken;

use std::borrow::Cow;
use std::collections::HashSet;

use self::explicit::explicit;
use self::taken::Taken;

pub(super) use self::explicit::{block_name, id_in_braces};
pub use self::rules::{obsidian, slug_of_name, vitepress};
use crate::format::options::{Dialect, MarkdownOptions, PythonIds, Rendering, Slugs};

/// A heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heading<'h> {
    /// The source of the inlines of a heading in Markdown, without markers and blanks at its ends.
    Markdown(Cow<'h, str>),
    /// The same for a heading that takes an id and does not have it.
    Title(Cow<'h, str>),
    /// The text of a heading written in HTML, decoded.
    Html(Cow<'h, str>),
    /// An explicit id outside of a heading.
    Explicit(Cow<'h, str>),
    /// A tab of Python-Markdown.
    Tab {
        /// The source of its title.
        title: &'h str,
        /// The number of its set in the document.
        set: usize,
        /// Its number in the set.
        number: usize,
    },
}

/// The ids of the headings of a document. `text` renders the source of a heading.
///
/// A heading may have no id, or several if it depends on unknown settings.
pub fn ids(
    options: MarkdownOptions,
    headings: &[Heading<'_>],
    text: impl Fn(&str, Rendering) -> String,
) -> Vec<String> {
    let MarkdownOptions { slugs, python, .. } = options;
    let mut renderings = slugs.renderings(options.dialect != Dialect::None).iter();
    let with = |rendering: Rendering| {
        let mut collector = Collector {
            slugs,
            python,
            rendering,
            last: 0,
            taken: Taken::default(),
            taken_by_trimmed: Taken::default(),
            ids: Vec::with_capacity(headings.len()),
        };
        collector.reserve(headings);
        let mut tabs = Vec::new();
        for heading in headings {
            match heading {
                Heading::Tab { .. } => tabs.push((heading, collector.last)),
                _ => {
                    collector.add(heading, &text);
                    if !matches!(heading, Heading::Explicit(_)) {
                        collector.last = collector.ids.len();
                    }
                }
            }
        }
        for (tab, last) in tabs {
            collector.add_tab(tab, last, &text);
        }
        collector.ids
    };
    let Some(&usual) = renderings.next() else {
        return Vec::new();
    };
    let mut ids = with(usual);
    for &rendering in renderings {
        let mut others = with(rendering);
        let known: HashSet<&str> = ids.iter().map(|id| &**id).collect();
        others.retain(|id| !known.contains(&**id));
        ids.extend(others);
    }
    ids.retain(|id| !id.is_empty());
    ids
}

struct Collector {
    slugs: Slugs,
    python: PythonIds,
    rendering: Rendering,
    /// The number of ids up to that of the last heading.
    last: usize,
    taken: Taken,
    /// The ids that are taken if all texts are trimmed.
    taken_by_trimmed: Taken,
    ids: Vec<String>,
}

impl Collector {
    /// Takes explicit ids that go before those of all headings: MkDocs collects them first.
    fn reserve(&mut self, headings: &[Heading<'_>]) {
        if self.slugs != Slugs::Mkdocs {
            return;
        }
        for heading in headings {
            let id = match heading {
                Heading::Markdown(source) if is_one_line(source) => explicit(self.slugs, source).id,
                Heading::Explicit(id) => Some(&**id),
                Heading::Markdown(_)
                | Heading::Title(_)
                | Heading::Html(_)
                | Heading::Tab { .. } => None,
            };
            if let Some(id) = id {
                self.taken.insert(id);
            }
        }
    }

    /// Adds the ids of a heading.
    fn add(&mut self, heading: &Heading<'_>, render: &dyn Fn(&str, Rendering) -> String) {
        let source = match heading {
            Heading::Markdown(source) => source,
            Heading::Title(source) => {
                let len = self.ids.len();
                self.add(&Heading::Markdown(source.as_ref().into()), render);
                return self.ids.truncate(len);
            }
            Heading::Html(text) => {
                if self.slugs.include_html() {
                    self.add_text(text);
                }
                return;
            }
            Heading::Explicit(id) => return self.ids.push(id.clone().into_owned()),
            Heading::Tab { .. } => return,
        };
        if self.slugs.needs_one_line() && !is_one_line(source) {
            return;
        }
        let explicit = explicit(self.slugs, source);
        if let Some(id) = explicit.id {
            if matches!(self.slugs, Slugs::Hugo | Slugs::Pandoc | Slugs::Vitepress) {
                self.taken.insert(id);
            }
            // These programs derive the id from it.
            return match self.slugs {
                Slugs::Docsify | Slugs::Nextra => self.add_text(id),
                _ => self.ids.push(id.to_owned()),
            };
        }
        if self.slugs == Slugs::Obsidian {
            // Equal headings have the same block name: a link refers to the first one.
            let rest = match block_name(source) {
                Some(name) => &source[..source.len() - name.len()],
                None => source,
            };
            return self.ids.push(rules::slug(self.slugs, rest));
        }
        let is_of_text = self.slugs == Slugs::Hugo && self.rendering.has_image_texts;
        if matches!(self.slugs, Slugs::Hugo | Slugs::Kramdown | Slugs::Docsify) && !is_of_text {
            return self.add_text(explicit.rest);
        }
        let rest = match is_of_text {
            true => without_shortcodes(explicit.rest),
            false => Cow::Borrowed(explicit.rest),
        };
        let text = render(&rest, self.rendering);
        let at_end = match self.slugs {
            Slugs::Docusaurus => explicit::at_end_of_text(&text),
            _ => None,
        };
        match at_end {
            Some(id) => self.ids.push(id.to_owned()),
            None => self.add_text(&text),
        }
    }

    /// Adds the id of a tab, after those of all headings. `last` is the number of ids up to that of
    /// the heading above it.
    fn add_tab(
        &mut self,
        tab: &Heading<'_>,
        last: usize,
        render: impl Fn(&str, Rendering) -> String,
    ) {
        let Heading::Tab { title, set, number } = tab else {
            return;
        };
        let Some(slugify) = self.python.tabs else {
            return self.ids.push(format!("__tabbed_{set}_{number}"));
        };
        let slug = rules::python(slugify, &render(title, self.rendering));
        let above = last.checked_sub(1).filter(|_| self.python.tabs_follow_headings);
        let id = match above {
            Some(above) => format!("{}-{slug}", self.ids[above]),
            None => slug,
        };
        self.ids.push(self.taken.continued(id, '_'));
    }

    /// Adds the id for a text, and that for the text without blanks at its ends if they may count.
    fn add_text(&mut self, text: &str) {
        let id = unique(self.slugs, self.python, text, &mut self.taken);
        if self.slugs.may_keep_blanks() {
            let trimmed = text.trim();
            let other = unique(self.slugs, self.python, trimmed, &mut self.taken_by_trimmed);
            if trimmed.len() < text.len() && other != id {
                self.ids.push(other);
            }
        }
        self.ids.push(id);
    }
}

/// The id for a text, different from those that are taken if the rule demands that.
fn unique(slugs: Slugs, python: PythonIds, text: &str, taken: &mut Taken) -> String {
    let id = match slugs {
        Slugs::Mkdocs => rules::python(python.headings, text),
        _ => rules::slug(slugs, text),
    };
    let separator = slugs.separator();
    match slugs {
        Slugs::Gitlab | Slugs::Jekyll | Slugs::Kramdown | Slugs::Docsify => {
            taken.counted(id, separator)
        }
        Slugs::Mkdocs => taken.continued(id, separator),
        // Equal headings have the same id.
        Slugs::Honkit => id,
        _ => taken.unique(id, separator),
    }
}

/// The source of a heading without shortcodes of Hugo. Those in headings are mostly icons.
fn without_shortcodes(source: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(source);
    for (open, close) in [("{{%", "%}}"), ("{{<", ">}}")] {
        if !text.contains(open) {
            continue;
        }
        let mut pieces = text.split(open);
        let mut kept = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            match piece.split_once(close) {
                Some((_, rest)) => kept.push_str(rest),
                None => kept.extend([open, piece]),
            }
        }
        text = Cow::Owned(kept);
    }
    text
}

fn is_one_line(source: &str) -> bool {
    !source.contains(['\n', '\r'])
}

#[cfg(test)]
mod tests;
