//! The settings of a site of MkDocs, which may be in several files.

use crate::format::markdown::{PythonIds, Slugify};
use crate::settings::{self, Setting, Syntax, Table};

/// The maximum number of files that a configuration inherits.
const MAX_PARENTS: usize = 8;

/// The settings of a configuration, over those of the file that it inherits (`INHERIT`) and of the
/// parents of that. `read` reads a file by its path from the configuration.
pub(super) fn with_parents(settings: Setting, read: impl Fn(&str) -> Option<String>) -> Setting {
    let mut files = vec![settings];
    let mut directory = String::new();
    while let Some(parent) = files.last().and_then(|it| it.text(&["INHERIT"]))
        && files.len() <= MAX_PARENTS
        && !parent.starts_with('/')
    {
        let path = format!("{directory}{parent}");
        let Some(text) = read(&path) else {
            break;
        };
        directory = path[..path.rfind('/').map_or(0, |slash| slash + 1)].to_owned();
        files.push(settings::read(&text, Syntax::Yaml));
    }
    let mut settings = Setting::Table(Table::default());
    for file in files.into_iter().rev().filter(|it| matches!(it, Setting::Table(_))) {
        settings.overlay(file);
    }
    settings
}

/// The rules for ids in the settings of the extensions. `text` is the configuration.
pub(super) fn ids(settings: &Setting, text: &str) -> PythonIds {
    let toc = extension(settings, "toc").or(extension(settings, "markdown.extensions.toc"));
    let tabs = extension(settings, "pymdownx.tabbed");
    let function = |extension: Option<&Setting>| Some(slugify(extension?.get(&["slugify"])?, text));
    PythonIds {
        emoji: extension(settings, "pymdownx.emoji").is_some(),
        headings: function(toc).unwrap_or_default(),
        tabs: function(tabs),
        tabs_follow_headings: tabs.and_then(|it| it.flag(&["combine_header_slug"])) == Some(true),
    }
}

/// The settings of an extension of Python-Markdown, if the configuration enables it.
fn extension<'s>(settings: &'s Setting, name: &str) -> Option<&'s Setting> {
    let of_item = |item: &'s Setting| match item.text(&[]) == Some(name) {
        true => Some(item),
        false => item.get(&[name]),
    };
    match settings.get(&["markdown_extensions"])? {
        Setting::List(items) => items.iter().find_map(of_item),
        item => of_item(item),
    }
}

/// The function of a setting. Its name is in a tag of YAML, such as
/// `!!python/object/apply:pymdownx.slugs.slugify`, and only its arguments are values.
fn slugify(setting: &Setting, text: &str) -> Slugify {
    let case = setting.text(&["kwds", "case"]);
    match case {
        None if text.contains("slugify_unicode") => Slugify::Unicode,
        None => Slugify::PyMdown { is_lower: text.contains("slugs.uslugify") },
        Some(case) => Slugify::PyMdown { is_lower: case != "none" },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inherited_settings_are_below_those_of_the_file() {
        let read = |path: &str| {
            let text = match path {
                "../base.yml" => {
                    "INHERIT: more/root.yml\ndocs_dir: no\nextra: {a: 1, b: 2}\nnav: [a]"
                }
                "../more/root.yml" => "site_url: http://h/x/\nextra: {c: 3}\nnav: [b, c]",
                "loop.yml" => "INHERIT: loop.yml\ndocs_dir: text",
                "list.yml" => "- a",
                _ => return None,
            };
            Some(text.to_owned())
        };
        let settings = |text: &str| with_parents(settings::read(text, Syntax::Yaml), read);
        let found = settings("INHERIT: ../base.yml\ndocs_dir: manual\nextra: {b: 4}");
        assert_eq!(found.text(&["docs_dir"]), Some("manual"));
        assert_eq!(found.text(&["site_url"]), Some("http://h/x/"));
        assert_eq!(found.texts(&["nav"]), ["a"]);
        let extra = ["a", "b", "c"].map(|key| found.text(&["extra", key]));
        assert_eq!(extra, [Some("1"), Some("4"), Some("3")]);
        assert_eq!(settings("INHERIT: loop.yml").text(&["docs_dir"]), Some("text"));
        for parent in ["none.yml", "list.yml", "/base.yml", "[a]"] {
            let found = settings(&format!("docs_dir: manual\nINHERIT: {parent}"));
            assert_eq!(found.text(&["docs_dir"]), Some("manual"), "{parent}");
        }
    }
}
