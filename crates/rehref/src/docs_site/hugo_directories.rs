//! The directories of a site of Hugo.

use super::address::Role;
use super::hugo::Languages;
use super::paths::{below, join};
use crate::settings::Setting;

/// The directories of a site, each with the beginning of the addresses of its files: those of
/// `module.mounts`, or by their settings such as `contentDir`, or of the usual names.
pub(super) fn directories(
    settings: &Setting,
    languages: &Languages,
) -> Vec<(String, String, Role)> {
    let mounts = match settings.get(&["module", "mounts"]) {
        Some(Setting::List(mounts)) => mounts.as_slice(),
        _ => &[],
    };
    let mut directories = Vec::new();
    for (component, key, role) in [
        ("content", "contentdir", Role::Pages),
        ("static", "staticdir", Role::Files),
        ("assets", "assetdir", Role::Files),
    ] {
        let before = directories.len();
        for mount in mounts {
            let value = |key| mount.text(&[key]).unwrap_or_default();
            let target = value("target").trim_matches('/').as_bytes();
            if let Some(rest) = below(target, component.as_bytes()) {
                let url = join(languages.url(value("lang")), rest);
                let url = String::from_utf8_lossy(&url).into_owned();
                directories.push((value("source").to_owned(), url, role));
            }
        }
        if directories.len() == before {
            let mut own = settings.texts(&[key]);
            if own.is_empty() {
                own.push(component);
            }
            let url = match role {
                Role::Pages => languages.url(""),
                _ => b"",
            };
            let url = String::from_utf8_lossy(url);
            directories.extend(own.into_iter().map(|it| (it.to_owned(), url.to_string(), role)));
        }
    }
    let of_languages = languages.directories.iter();
    directories.extend(of_languages.map(|(directory, code)| {
        let url = String::from_utf8_lossy(languages.url(code)).into_owned();
        (directory.clone(), url, Role::Pages)
    }));
    directories
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{self, Syntax};

    #[test]
    fn directories_are_those_of_modules_or_settings() {
        let found = |text: &str, syntax| {
            let settings = settings::read(text, syntax).with_keys_in_lower_case();
            let directories = directories(&settings, &Languages::of(&settings)).into_iter();
            let text = directories.map(|(it, url, role)| match role {
                Role::Pages => format!("{it} at /{url}"),
                _ => it,
            });
            text.collect::<Vec<_>>().join(", ")
        };
        assert_eq!(found("", Syntax::Toml), "content at /, static, assets");
        let toml = "contentDir = \"docs\"\n";
        assert_eq!(found(toml, Syntax::Toml), "docs at /, static, assets");
        let yaml = "contentDir: docs\nstaticDir: [a, b]\n";
        assert_eq!(found(yaml, Syntax::Yaml), "docs at /, a, b, assets");
        let toml = "[module]\n  [[module.mounts]]\n    source = 'text/en'\n    target = 'content'\n    [module.mounts.sites]\n\
            \n  source = 'no'\n[[module.mounts]]\ntarget = \"content/api\"\nsource = \"generated\"\n[params]\nsource = 'no'\n";
        let inline = "module = {mounts = [{source = 'text/en', target = 'content'},\n\
            {'target' = \"content\\u002Fapi\", Source = \"generated\"}]}";
        let yaml = "module:\n  mounts:\n    - source: text/en\n      target: content\n    - target: content/api\n\
            \n      source: generated\nparams:\n  source: no\n";
        for (text, syntax) in [(toml, Syntax::Toml), (inline, Syntax::Toml), (yaml, Syntax::Yaml)] {
            let expected = "text/en at /, generated at /api, static, assets";
            assert_eq!(found(text, syntax), expected, "{text}");
        }
    }
}
