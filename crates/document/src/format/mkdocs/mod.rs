//! The configuration of MkDocs (`mkdocs.yml`): its navigation has the paths of pages, and other
//! values URLs.
//!
//! URLs are found as in any text. The paths of `nav` are links only on a site of MkDocs: they begin
//! at the directory of its pages.

use smallvec::smallvec;

use super::language::{Language, Rewriting};
use super::markdown::{Dialect, write as write_path, yaml_scalar};
use super::text::{read_text, write_text};
use super::written::{CannotWrite, Written};
use super::{FoundLinks, Options};
use crate::bytes::Span;
use crate::link::{Directive, LinkData, MarkdownForm, MarkdownPlace, Place, Role};
use crate::source::Source;

/// The configuration of MkDocs.
pub(crate) const LANGUAGE: Language = Language {
    overrides: |beginning| {
        let name = beginning.name.file_name();
        name.is_some_and(|it| it == "mkdocs.yml" || it == "mkdocs.yaml")
    },
    shows_decoded: true,
    rewriting: Rewriting::All(write),
    ..Language::new("mkdocs", find)
};

/// Finds the links of a configuration.
fn find<'d>(document: &'d Source, options: &Options) -> FoundLinks<'d> {
    let mut found = read_text(document, options);
    if options.markdown.dialect != Dialect::MkDocs {
        return found;
    }
    let decoded = document.text();
    for span in paths(&decoded.text) {
        let place = MarkdownPlace::new(MarkdownForm::Directive(Directive::Nav));
        let reference = decoded.text[span.range()].to_owned().into();
        let spans = smallvec![decoded.to_source(span)];
        let link = LinkData::new(spans, reference, Place::Markdown(place), Role::Navigate);
        found.links.push(link);
    }
    found.links.sort_by_key(LinkData::id);
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

/// The paths in the navigation: the items of `nav`, and the values of their keys.
fn paths(text: &str) -> Vec<Span> {
    let mut paths = Vec::new();
    let mut is_nav = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let at = start;
        start += line.len();
        let content = line.trim_end();
        let item = content.trim_start();
        if item.is_empty() || item.starts_with('#') {
            continue;
        }
        if !line.starts_with([' ', '-']) {
            is_nav = content.split('#').next().is_some_and(|it| it.trim_end() == "nav:");
            continue;
        }
        let Some(value) = item.strip_prefix("- ").filter(|_| is_nav) else {
            continue;
        };
        // Such a table, and paths that end in a slash or have a `*`, are of plugins.
        if value.starts_with('{') {
            continue;
        }
        let start = at + content.len() - value.len() + key_len(value);
        let span = Span::new(start, at + content.len());
        yaml_scalar(text.as_bytes(), span, &mut |span| {
            let path = &text[span.range()];
            let is_of_plugin = path.ends_with('/') || path.contains('*');
            if !path.contains("://") && !path.starts_with('/') && !is_of_plugin {
                paths.push(span);
            }
        });
    }
    paths
}

/// The length of the title of a page or section, which is a key, with its colon. 0 without one.
fn key_len(item: &str) -> usize {
    let Some(quote @ ('"' | '\'')) = item.chars().next() else {
        return item.find(": ").map_or(0, |colon| colon + 2);
    };
    // Two quotes or a `\` are a quote in the title.
    let mut bytes = item.bytes().enumerate().skip(1).peekable();
    while let Some((at, byte)) = bytes.next() {
        let is_quote = byte == quote as u8;
        let is_escape = match quote {
            '"' => byte == b'\\',
            _ => is_quote && bytes.peek().is_some_and(|it| it.1 == b'\''),
        };
        if is_escape {
            bytes.next();
        } else if is_quote {
            let rest = item[at + 1..].trim_start();
            return rest.strip_prefix(':').map_or(0, |it| item.len() - it.len());
        }
    }
    0
}

/// Writes a URL as into any text, and a path as it is.
fn write<'r>(
    source: &Source,
    link: &LinkData<'_>,
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
            \n  - \"Quoted: one\":\n      - 'A: b': \"c.md\"\n      - 'What''s new': d.md\n\
            \n      - \"The \\\"x\\\"\": e.md\n      - dir/\n      - \"*\"\n      - {Two: no.md}\n\
            \n  # - no.md\n  - Link: https://a.example/\n  - Root: /no/\n- more.md\n  - !ENV no\ntheme:\n  - no.md\n";
        let found: Vec<&str> = paths(text).into_iter().map(|it| &text[it.range()]).collect();
        assert_eq!(
            found,
            ["index.md", "sub/my guide.md", "deep.md", "c.md", "d.md", "e.md", "more.md"]
        );
    }
}
