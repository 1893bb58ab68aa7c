//! The settings of a site of MkDocs, which may be in several files.

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

/// Returns true if the configuration enables an extension of Python-Markdown.
pub(super) fn has_extension(settings: &Setting, name: &str) -> bool {
    let of_item = |item: &Setting| item.text(&[]) == Some(name) || item.get(&[name]).is_some();
    match settings.get(&["markdown_extensions"]) {
        Some(Setting::List(items)) => items.iter().any(of_item),
        Some(item) => of_item(item),
        None => false,
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
