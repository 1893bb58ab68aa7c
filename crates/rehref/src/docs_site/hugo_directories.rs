//! The directories of a site of Hugo.

use super::address::Role;
use super::config::{top_value, value_after};
use super::hugo::Languages;
use super::paths::{below, join};

/// A directory whose files are at a path of a component, such as `content`.
#[derive(Debug, Default, PartialEq, Eq)]
struct ModuleMount<'t> {
    source: &'t str,
    target: &'t str,
    language: &'t str,
}

/// The `module.mounts` of a configuration, as tables of TOML or as a list of YAML.
fn module_mounts(text: &str) -> Vec<ModuleMount<'_>> {
    let mut mounts: Vec<ModuleMount<'_>> = Vec::new();
    let (mut is_module, mut is_mounts) = (false, false);
    for line in text.lines() {
        let content = line.trim();
        if content.starts_with('[') {
            is_mounts = content.starts_with("[[module.mounts]]");
            if is_mounts {
                mounts.push(ModuleMount::default());
            }
            continue;
        }
        if line.ends_with(':') && !line.starts_with([' ', '\t']) {
            is_module = line == "module:";
            is_mounts = false;
        } else if is_module && content == "mounts:" {
            is_mounts = true;
        }
        let item = content.strip_prefix("- ");
        if is_mounts && item.is_some() {
            mounts.push(ModuleMount::default());
        }
        let item = item.unwrap_or(content);
        let value = |key| value_after(item, key, '=').or_else(|| value_after(item, key, ':'));
        if let Some(mount) = mounts.last_mut().filter(|_| is_mounts) {
            mount.source = value("source").unwrap_or(mount.source);
            mount.target = value("target").unwrap_or(mount.target);
            mount.language = value("lang").unwrap_or(mount.language);
        }
    }
    mounts
}

/// The directories of a site, each with the beginning of the addresses of its files: those of
/// `module.mounts`, or by their settings such as `contentDir`, or of the usual names.
pub(super) fn directories(text: &str, languages: &Languages) -> Vec<(String, String, Role)> {
    let mounts = module_mounts(text);
    let mut directories = Vec::new();
    for (component, key, role) in [
        ("content", "contentDir", Role::Pages),
        ("static", "staticDir", Role::Files),
        ("assets", "assetDir", Role::Files),
    ] {
        let before = directories.len();
        for mount in &mounts {
            let target = mount.target.trim_matches('/').as_bytes();
            if let Some(rest) = below(target, component.as_bytes()) {
                let url = join(languages.url(mount.language), rest);
                let url = String::from_utf8_lossy(&url).into_owned();
                directories.push((mount.source.to_owned(), url, role));
            }
        }
        if directories.len() == before {
            let directory =
                top_value(text, key).filter(|it| !it.is_empty() && !it.starts_with('['));
            let directory = directory.unwrap_or(component).to_owned();
            let url = match role {
                Role::Pages => languages.url(""),
                _ => b"",
            };
            let url = String::from_utf8_lossy(url).into_owned();
            directories.push((directory, url, role));
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

    #[test]
    fn directories_are_those_of_modules_or_settings() {
        let found = |text: &str| {
            let directories = directories(text, &Languages::of(text)).into_iter();
            let text = directories.map(|(it, url, role)| match role {
                Role::Pages => format!("{it} at /{url}"),
                _ => it,
            });
            text.collect::<Vec<_>>().join(", ")
        };
        assert_eq!(found(""), "content at /, static, assets");
        assert_eq!(found("contentDir = \"docs\"\n"), "docs at /, static, assets");
        assert_eq!(found("contentDir: docs\nstaticDir: [a, b]\n"), "docs at /, static, assets");
        let toml = "[module]\n  [[module.mounts]]\n    source = 'text/en'\n    target = 'content'\n    [module.mounts.sites]\n\
            \n  source = 'no'\n[[module.mounts]]\ntarget = \"content/api\"\nsource = \"generated\"\n[params]\nsource = 'no'\n";
        let yaml = "module:\n  mounts:\n    - source: text/en\n      target: content\n    - target: content/api\n\
            \n      source: generated\nparams:\n  source: no\n";
        for text in [toml, yaml] {
            let expected = "text/en at /, generated at /api, static, assets";
            assert_eq!(found(text), expected, "{text}");
        }
    }
}
