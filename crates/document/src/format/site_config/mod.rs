//! The configuration of a documentation site, such as `mkdocs.yml`: some of its settings are the
//! paths of files, and other values may be URLs.
//!
//! URLs are found as in any text. Paths are links only where the program of the site is known.

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

/// The configuration of a documentation site.
pub(crate) const LANGUAGE: Language = Language {
    overrides: |beginning| {
        let name = beginning.name.file_name();
        name.is_some_and(|it| dialect_of(it.as_encoded_bytes()).is_some())
    },
    shows_decoded: true,
    rewriting: Rewriting::All(write),
    exempt: comments::of_lines,
    ..Language::new("site-config", find)
};

/// A configuration that names files.
struct Config {
    dialect: Dialect,
    syntax: Syntax,
    names: &'static [&'static str],
    /// The settings with paths.
    settings: &'static [PathSetting],
}

/// A setting with one path or many.
struct PathSetting {
    /// Its keys. Items of lists have none, and `*` is any.
    keys: &'static [&'static str],
    directive: Directive,
}

/// The configurations whose paths are links.
const CONFIGS: &[Config] = &[
    Config {
        dialect: Dialect::MkDocs,
        syntax: Syntax::Yaml,
        names: &["mkdocs.yml", "mkdocs.yaml"],
        settings: &[
            PathSetting { keys: &["nav"], directive: Directive::Nav },
            PathSetting::new(&["extra_css"]),
            PathSetting::new(&["extra_javascript"]),
            PathSetting::new(&["extra_javascript", "path"]),
            PathSetting::new(&["theme", "logo"]),
            PathSetting::new(&["theme", "favicon"]),
            PathSetting::new(&["plugins", "redirects", "redirect_maps", "*"]),
        ],
    },
    Config {
        dialect: Dialect::MdBook,
        syntax: Syntax::Toml,
        names: &["book.toml"],
        settings: &[
            PathSetting::new(&["output", "html", "additional-css"]),
            PathSetting::new(&["output", "html", "additional-js"]),
        ],
    },
];

impl PathSetting {
    const fn new(keys: &'static [&'static str]) -> Self {
        Self { keys, directive: Directive::Setting }
    }
}

/// The program whose configuration has this name, if some of its settings are paths.
pub fn dialect_of(name: &[u8]) -> Option<Dialect> {
    let is_named = |config: &&Config| config.names.iter().any(|it| it.as_bytes() == name);
    CONFIGS.iter().find(is_named).map(|it| it.dialect)
}

/// Finds the links of a configuration.
fn find<'d>(document: &'d Source, options: &Options) -> ParsedLinks<'d> {
    let mut found = read_text(document, options);
    let config = CONFIGS.iter().find(|it| it.dialect == options.markdown.dialect);
    let Some(config) = config else {
        return found;
    };
    let decoded = document.text();
    for (path, span, directive) in paths(&decoded.text, config) {
        let place = MarkdownPlace::new(MarkdownForm::Directive(directive));
        let spans = smallvec![decoded.to_source(span)];
        let role = match directive {
            Directive::Nav => Role::Navigate,
            _ => Role::Embed,
        };
        found.links.push(ParsedLink::new(spans, path.into(), Place::Markdown(place), role));
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

/// The paths in the settings of a configuration.
fn paths(text: &str, config: &Config) -> Vec<(String, Span, Directive)> {
    let settings = settings::read(text, config.syntax);
    let mut paths = Vec::new();
    for &PathSetting { keys, directive } in config.settings {
        each_at(&settings, keys, &mut |setting| {
            let mut found = Vec::new();
            match (directive, setting) {
                (Directive::Nav, Setting::List(items)) => {
                    items.iter().for_each(|it| add_item(it, true, &mut found));
                }
                (Directive::Setting, Setting::List(items)) => {
                    items.iter().for_each(|it| add(it, &mut found));
                }
                (Directive::Setting, value) => add(value, &mut found),
                _ => {}
            }
            if directive == Directive::Setting {
                found.retain_mut(|(path, span)| cut_fragment(text, path, span));
            }
            paths.extend(found.into_iter().map(|(path, span)| (path, span, directive)));
        });
    }
    paths
}

/// Calls `found` with each value of a setting.
fn each_at(setting: &Setting, keys: &[&str], found: &mut dyn FnMut(&Setting)) {
    match (setting, keys) {
        (setting, []) => found(setting),
        (Setting::List(items), _) => items.iter().for_each(|it| each_at(it, keys, found)),
        (Setting::Table(table), ["*", rest @ ..]) => {
            table.values().for_each(|it| each_at(it, rest, found));
        }
        (Setting::Table(table), [key, rest @ ..]) => {
            table.get(*key).into_iter().for_each(|it| each_at(it, rest, found));
        }
        _ => {}
    }
}

/// Adds a value that is a path.
fn add(setting: &Setting, paths: &mut Vec<(String, Span)>) {
    if let Setting::Text(path, span) = setting {
        let is_path = !path.contains("://") && !path.starts_with('/') && !path.contains('\n');
        if is_path && !path.is_empty() {
            paths.push((path.clone(), *span));
        }
    }
}

/// Removes a query and a fragment: they name no other file. Returns false if escapes hide where they
/// begin.
fn cut_fragment(text: &str, path: &mut String, span: &mut Span) -> bool {
    let Some(end) = path.find(['?', '#']) else {
        return true;
    };
    let is_literal = text[span.range()] == **path;
    path.truncate(end);
    span.end = span.start + end;
    is_literal && end > 0
}

/// Adds the paths of an item of the navigation, or of the value of a title.
fn add_item(setting: &Setting, is_item: bool, paths: &mut Vec<(String, Span)>) {
    match setting {
        Setting::Null => {}
        // Paths that end in a slash or have a `*` are of plugins.
        Setting::Text(path, _) if path.ends_with('/') || path.contains('*') => {}
        Setting::Text(..) => add(setting, paths),
        Setting::List(items) => items.iter().for_each(|it| add_item(it, true, paths)),
        // An item with several keys is of a plugin.
        Setting::Table(table) if is_item && table.len() > 1 => {}
        Setting::Table(table) => table.values().for_each(|it| add_item(it, false, paths)),
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
    use super::*;

    /// The paths of a configuration by its name.
    fn paths(name: &str, text: &str) -> Vec<(String, Span)> {
        let config = CONFIGS.iter().find(|it| it.names.contains(&name)).expect("a configuration");
        super::paths(text, config).into_iter().map(|(path, span, _)| (path, span)).collect()
    }

    #[test]
    fn navigation_has_paths() {
        let text = "site_name: a.md\nnav: # c\n  - index.md\n  - Guide: 'sub/my guide.md'\n  - Section:\n      - \"Deep\": deep.md # d\n\
            \n      - \"Quoted: one\":\n        - 'A: b': \"c.md\"\n        - 'What''s new': d.md\n\
            \n      - \"The \\\"x\\\"\": e.md\n      - dir/\n      - \"*\"\n      - {path: no.md, x: no.md}\n\
            \n  # - no.md\n  - Link: https://a.example/\n  - Root: /no/\n  - More:\n    - more.md\n  - !ENV no\ntheme:\n  - no.md\n";
        let found: Vec<&str> =
            paths("mkdocs.yml", text).into_iter().map(|it| &text[it.1.range()]).collect();
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
            let found = paths("mkdocs.yml", text);
            let found: Vec<_> = found.iter().map(|it| (&text[it.1.range()], &*it.0)).collect();
            assert_eq!(found, [(span, path)], "{text}");
        }
        for text in ["nav: a.md", "nav:\n- |\n  a.md\n", "nav: {A: a.md}", "nav", "nav: ''"] {
            assert_eq!(paths("mkdocs.yml", text), [], "{text}");
        }
    }

    #[test]
    fn settings_have_paths() {
        let found = |name, text| -> Vec<String> {
            paths(name, text).into_iter().map(|(path, _)| path).collect()
        };
        let text = "theme: {name: x, logo: img/a.svg, favicon: img/b.png, icon: {logo: no}}\nextra_css: [c.css, https://h/d.css]\nextra_javascript:\n- e.js\n- path: f.mjs\n  type: module\nplugins:\n- search\n- redirects:\n    redirect_maps:\n      old.md: new.md\n      'o.md': https://h/\n      'p.md': 'q.md#r'\n";
        assert_eq!(
            found("mkdocs.yml", text),
            ["c.css", "e.js", "f.mjs", "img/a.svg", "img/b.png", "new.md", "q.md"]
        );
        assert_eq!(
            found("mkdocs.yml", "plugins: {redirects: {redirect_maps: {a: b.md}}}"),
            ["b.md"]
        );
        let text = "[output.html]\nadditional-css = [\"a.css\", 'b.css']\nadditional-js = [\"c.js\"]\n[output.html.redirect]\n\"/a.html\" = \"b.html\"\n";
        assert_eq!(found("book.toml", text), ["a.css", "b.css", "c.js"]);
        assert_eq!(found("book.toml", "extra_css = ['a.css']"), [""; 0]);
    }
}
