//! The configuration of MkDocs (`mkdocs.yml`): its navigation has the paths of pages, and other
//! values URLs.
//!
//! URLs are found as in any text. The paths of `nav` are links only on a site of MkDocs: they begin
//! at the directory of its pages.

use smallvec::smallvec;

use super::comments;
use super::language::{Language, Rewriting};
use super::markdown::{Dialect, write as write_path};
use super::text::{read_text, write_text};
use super::written::{CannotWrite, Written};
use super::{Options, ParsedLinks};
use crate::bytes::Span;
use crate::link::{Directive, MarkdownForm, MarkdownPlace, ParsedLink, Place, Role};
use crate::settings::{self, Setting, Syntax};
use crate::source::Source;

/// The configuration of MkDocs.
pub(crate) const LANGUAGE: Language = Language {
    overrides: |beginning| {
        let name = beginning.name.file_name();
        name.is_some_and(|it| it == "mkdocs.yml" || it == "mkdocs.yaml")
    },
    shows_decoded: true,
    rewriting: Rewriting::All(write),
    exempt: comments::of_lines,
    ..Language::new("mkdocs", find)
};

/// Finds the links of a configuration.
fn find<'d>(document: &'d Source, options: &Options) -> ParsedLinks<'d> {
    let mut found = read_text(document, options);
    if options.markdown.dialect != Dialect::MkDocs {
        return found;
    }
    let decoded = document.text();
    for (path, span) in paths(&decoded.text) {
        let place = MarkdownPlace::new(MarkdownForm::Directive(Directive::Nav));
        let spans = smallvec![decoded.to_source(span)];
        let link = ParsedLink::new(spans, path.into(), Place::Markdown(place), Role::Navigate);
        found.links.push(link);
    }
    found.links.sort_by_key(ParsedLink::id);
    // An address may be within a path.
    let mut end = 0;
    found.links.retain(|link| {
        let extent = link.extent();
        let is_apart = extent.start >= end;
        end = end.max(extent.end);
        is_apart
    });
    found
}

/// The paths in the navigation: the items of `nav`, and the values of their titles.
fn paths(text: &str) -> Vec<(String, Span)> {
    let mut paths = Vec::new();
    let settings = settings::read(text, Syntax::Yaml);
    if let Some(Setting::List(items)) = settings.get(&["nav"]) {
        items.iter().for_each(|item| add(item, true, &mut paths));
    }
    paths
}

/// Adds the paths of an item of the navigation, or of the value of a title.
fn add(setting: &Setting, is_item: bool, paths: &mut Vec<(String, Span)>) {
    match setting {
        Setting::Null => {}
        Setting::Text(path, span) => {
            // Paths that end in a slash or have a `*` are of plugins.
            let is_of_plugin = path.ends_with('/') || path.contains('*');
            let is_link = !path.contains("://") && !path.starts_with('/') && !path.contains('\n');
            if is_link && !path.is_empty() && !is_of_plugin {
                paths.push((path.clone(), *span));
            }
        }
        Setting::List(items) => items.iter().for_each(|it| add(it, true, paths)),
        // An item with several keys is of a plugin.
        Setting::Table(table) if is_item && table.len() > 1 => {}
        Setting::Table(table) => table.values().for_each(|it| add(it, false, paths)),
    }
}

/// Writes a URL as in any text, and a path unchanged.
fn write<'r>(
    source: &Source,
    link: &ParsedLink<'_>,
    reference: &'r str,
    options: &Options,
) -> Result<Written<'r>, CannotWrite> {
    match &link.place {
        Place::Text(_) => write_text(source, link, reference, options),
        _ => write_path(source, link, reference, options),
    }
}

#[cfg(test)]
mod tests {
    use super::paths;

    #[test]
    fn navigation_has_paths() {
        let text = "site_name: a.md\nnav: # c\n  - index.md\n  - Guide: 'sub/my guide.md'\n  - Section:\n      - \"Deep\": deep.md # d\n\
            \n      - \"Quoted: one\":\n        - 'A: b': \"c.md\"\n        - 'What''s new': d.md\n\
            \n      - \"The \\\"x\\\"\": e.md\n      - dir/\n      - \"*\"\n      - {path: no.md, x: no.md}\n\
            \n  # - no.md\n  - Link: https://a.example/\n  - Root: /no/\n  - More:\n    - more.md\n  - !ENV no\ntheme:\n  - no.md\n";
        let found: Vec<&str> = paths(text).into_iter().map(|it| &text[it.1.range()]).collect();
        assert_eq!(
            found,
            ["index.md", "sub/my guide.md", "deep.md", "c.md", "d.md", "e.md", "more.md"]
        );
    }

    #[test]
    fn paths_have_the_spellings_of_yaml() {
        for (text, span, path) in [
            ("'nav': [{'A': a.md}]", "a.md", "a.md"),
            ("{nav: [[a.md]]}", "a.md", "a.md"),
            ("nav:\r\n- A: &a a.md\r\n", "a.md", "a.md"),
            ("extra: &a \"a.md\"\nnav: [*a]", "a.md", "a.md"),
            ("nav: [!!str a.md]", "a.md", "a.md"),
            ("nav: [!ENV [PAGE, a.md]]", "a.md", "a.md"),
            ("nav:\n- ? A\n  : a.md", "a.md", "a.md"),
            ("nav:\n- A: \"\\x61.md\"", "\\x61.md", "a.md"),
            ("nav:\n- 'it''s.md'", "it''s.md", "it's.md"),
            ("nav:\n- A: >-\n    a.md\n", "a.md", "a.md"),
            ("nav:\n- A:\n    a\n    b.md", "a\n    b.md", "a b.md"),
            ("nav:\n- S:\n    A: a.md", "a.md", "a.md"),
            ("x: {nav: [no.md]}\nnav: [a.md]\ny: [no.md]", "a.md", "a.md"),
            ("nav: [no.md]\nnav: [a.md]", "a.md", "a.md"),
            ("nav: [a.md]\nx: y: z\n", "a.md", "a.md"),
            ("x: y: z\nnav: [a.md]\n", "a.md", "a.md"),
        ] {
            let found = paths(text);
            let found: Vec<_> = found.iter().map(|it| (&text[it.1.range()], &*it.0)).collect();
            assert_eq!(found, [(span, path)], "{text}");
        }
        for text in ["nav: a.md", "nav:\n- |\n  a.md\n", "nav: {A: a.md}", "nav", "nav: ''"] {
            assert_eq!(paths(text), [], "{text}");
        }
    }
}
