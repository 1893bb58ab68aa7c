//! The configuration of a documentation site, such as `mkdocs.yml` or `sidebars.js`: some of its
//! values are the paths of files or the addresses of pages, and others may be URLs.
//!
//! URLs are found as in any text. Paths and addresses are links only where the program of the site
//! is known. Of scripts only strings that are spelled out are read.

mod configs;

use std::collections::HashSet;
use std::path::Path;

use smallvec::smallvec;

use self::configs::{CONFIGS, Config, Form, PathSetting, ScriptString, Values};
use super::comments::Exempt;
use super::language::{Language, Rewriting};
use super::markdown::{Dialect, write as write_path};
use super::text::{read_text, write_text};
use super::written::{CannotWrite, Written};
use super::{Options, ParsedLinks};
use crate::bytes::Span;
use crate::link::{Directive, MarkdownForm, MarkdownPlace, ParsedLink, Place, Role};
use crate::settings::{self, Literals, Setting};
use crate::source::Source;

/// The configuration of a documentation site.
pub(crate) const LANGUAGE: Language = Language {
    overrides: |beginning| config_of(beginning.name).is_some(),
    shows_decoded: true,
    rewriting: Rewriting::All(write),
    exempt: |source| {
        config_of(&source.name)
            .map_or_else(Exempt::default, |it| Exempt::of_whole(source, it.comments()))
    },
    ..Language::new("site-config", find)
};

/// The program whose configuration has this path, if some of its values name files, and the path of
/// the directory of its site.
pub fn site_of(path: &[u8]) -> Option<(Dialect, &[u8])> {
    Config::at(path).map(|(config, home)| (config.dialect, home))
}

/// The configuration with this path.
fn config_of(path: &Path) -> Option<&'static Config> {
    let names: Vec<_> = path.iter().map(|it| it.as_encoded_bytes()).collect();
    Config::at(&names.join(&b'/')).map(|it| it.0)
}

/// Finds the links of a configuration.
fn find<'d>(document: &'d Source, options: &Options) -> ParsedLinks<'d> {
    let mut found = read_text(document, options);
    let dialect = options.markdown.dialect;
    // Text from standard input has no name.
    let config =
        config_of(&document.name).or_else(|| CONFIGS.iter().find(|it| it.dialect == dialect));
    let Some(config) = config.filter(|it| it.dialect == dialect) else {
        return found;
    };
    let decoded = document.text();
    for (path, span, directive) in values(&decoded.text, config) {
        let place = MarkdownPlace::new(MarkdownForm::Directive(directive));
        let spans = smallvec![decoded.to_source(span)];
        found.links.push(ParsedLink::new(
            spans,
            path.into(),
            Place::Markdown(place),
            role_of(directive),
        ));
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

/// The values of a configuration that name files.
fn values(text: &str, config: &Config) -> Vec<(String, Span, Directive)> {
    match config.values {
        Values::Settings(syntax, wanted) => paths(text, &settings::read(text, syntax), wanted),
        Values::Script(wanted) => strings_in(text, wanted),
    }
}

fn role_of(directive: Directive) -> Role {
    match directive {
        Directive::Nav | Directive::Address => Role::Navigate,
        _ => Role::Embed,
    }
}

/// The strings of a script that name files.
fn strings_in(text: &str, wanted: &[ScriptString]) -> Vec<(String, Span, Directive)> {
    let literals = Literals::of(text);
    // A move would change only a part of it.
    if !literals.is_whole() {
        return Vec::new();
    }
    // The links of the items of a group follow its `base`.
    let bases: HashSet<&[&str]> = { literals.all_texts() }
        .filter_map(|(keys, ..)| keys.split_last().filter(|it| *it.0 == "base").map(|it| it.1))
        .collect();
    let follows_base = |keys: &[&str]| {
        let mut items = keys.iter().enumerate().filter(|(_, key)| **key == "items");
        items.any(|(at, _)| bases.contains(&keys[..at]))
    };
    let mut found = Vec::new();
    for (keys, string, span, role) in literals.all_texts() {
        // After a string on several lines, quotes may be misread.
        let quote = text.as_bytes()[..span.start].last();
        if string.contains('\n') && quote != Some(&b'`') {
            break;
        }
        let wanted = wanted.iter().find(|it| it.is(keys, string, role));
        if let Some(wanted) = wanted
            && !(keys.last() == Some(&"link") && follows_base(keys))
        {
            found.push((string.to_owned(), span, wanted.directive));
        }
    }
    found
}

/// The paths in settings.
fn paths(text: &str, settings: &Setting, wanted: &[PathSetting]) -> Vec<(String, Span, Directive)> {
    let mut paths = Vec::new();
    for &PathSetting { keys, directive, form } in wanted {
        settings.each_at(keys, &mut |setting| {
            let mut found = Vec::new();
            match (form, setting) {
                (Form::Items, Setting::List(items)) => {
                    items.iter().for_each(|it| add_item(it, true, &mut found));
                }
                (Form::Items, _) => {}
                (_, Setting::List(items)) => items.iter().for_each(|it| add(it, &mut found)),
                (_, value) => add(value, &mut found),
            }
            if form != Form::Items {
                found.retain_mut(|(path, span)| cut_fragment(text, path, span));
            }
            match form {
                Form::WithExtension => found.retain(|(path, _)| is_file_name(path)),
                Form::Sources => found.retain(|(path, _)| is_file_name(path) && is_source(path)),
                Form::All | Form::Items => {}
            }
            paths.extend(found.into_iter().map(|(path, span)| (path, span, directive)));
        });
    }
    paths
}

/// Returns true for the path of a source of Quarto.
fn is_source(path: &str) -> bool {
    let extension = path.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    ["qmd", "md", "ipynb", "rmd"].contains(&&*extension)
}

/// Returns true for a path with an extension that is not an expression for several files.
fn is_file_name(path: &str) -> bool {
    let extension = path.rsplit('/').next().and_then(|it| it.rsplit_once('.'));
    let is_word = |it: &str| it.chars().all(|it| it.is_ascii_alphanumeric()) && !it.is_empty();
    extension.is_some_and(|(_, it)| is_word(it)) && !path.contains(['*', '?', '{', '!'])
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
        let config = config_of(Path::new(name)).expect("a configuration");
        { values(text, config) }.into_iter().map(|(path, span, _)| (path, span)).collect()
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
