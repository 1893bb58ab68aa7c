//! The literal values of the configuration of Docusaurus, which is a program in JavaScript or
//! TypeScript.
//!
//! Only the tokens are read: an object belongs to the key before it, or to the name of the plugin
//! before it in an array. Values that are computed are unknown.

use super::address::Role;
use crate::settings::{Token, tokens};

/// The literal values of a configuration.
#[derive(Debug, Default)]
pub(super) struct Settings<'t> {
    pub(super) instances: Vec<Instance<'t>>,
    /// The directories of files that are copied.
    pub(super) files: Vec<&'t str>,
    /// The routes of other plugins.
    pub(super) other_routes: Vec<&'t str>,
    pub(super) base_url: Option<&'t str>,
    /// True if addresses end in a slash. `None` if only those of index files do.
    pub(super) trailing_slash: Option<bool>,
    /// True if the extension of a file decides if it is MDX.
    pub(super) detects_format: bool,
}

/// The options of a plugin for content.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instance<'t> {
    pub(super) plugin: Plugin,
    /// True if it is from a preset, which has these plugins without options, too.
    pub(super) is_of_preset: bool,
    pub(super) is_disabled: bool,
    id: Option<&'t str>,
    path: Option<&'t str>,
    route: Option<&'t str>,
    last_version: Option<&'t str>,
}

/// The documents of one version: their directory and their path on the site.
pub(super) type Version = (String, String);

/// A plugin for content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plugin {
    Docs,
    Blog,
    Pages,
}

impl Plugin {
    const ALL: [Self; 3] = [Self::Docs, Self::Blog, Self::Pages];

    const fn key(self) -> &'static str {
        match self {
            Self::Docs => "docs",
            Self::Blog => "blog",
            Self::Pages => "pages",
        }
    }

    pub(super) const fn role(self) -> Role {
        match self {
            Self::Blog => Role::Posts,
            Self::Docs | Self::Pages => Role::Pages,
        }
    }
}

impl<'t> Instance<'t> {
    fn new(plugin: Plugin, is_of_preset: bool) -> Self {
        Self {
            plugin,
            is_of_preset,
            is_disabled: false,
            id: None,
            path: None,
            route: None,
            last_version: None,
        }
    }

    /// The directory of the content, below that of the site.
    pub(super) fn path(&self) -> &'t str {
        self.path.unwrap_or(match self.plugin {
            Plugin::Pages => "src/pages",
            plugin => plugin.key(),
        })
    }

    /// The name of the file with the versions of the documents.
    pub(super) fn versions_file(&self) -> String {
        self.prefixed("versions.json")
    }

    /// The versions, by the names in their file. The last one has the path of the content, and the
    /// current one, which is the first of these, another.
    pub(super) fn versions(&self, names: &[&str]) -> Vec<Version> {
        let at = |name: &str| format!("{}/{name}", self.route().trim_end_matches('/'));
        let last = self.last_version.or(names.first().copied());
        let route = |name: &str, own: &str| match last.is_none_or(|last| last == name) {
            true => self.route().to_owned(),
            false => at(own),
        };
        let current = (self.path().to_owned(), route("current", "next"));
        let directory = self.prefixed("versioned_docs");
        let versions = names.iter().filter(|name| **name != "current");
        let versions = versions.map(|it| (format!("{directory}/version-{it}"), route(it, it)));
        std::iter::once(current).chain(versions).collect()
    }

    fn prefixed(&self, name: &str) -> String {
        match self.id {
            None | Some("default") => name.to_owned(),
            Some(id) => format!("{id}_{name}"),
        }
    }

    /// The path of the content on the site.
    pub(super) fn route(&self) -> &'t str {
        self.route.unwrap_or(match self.plugin {
            Plugin::Pages => "",
            plugin => plugin.key(),
        })
    }
}

/// The construct that an open bracket belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Other,
    /// An array with the name of a plugin, for which no options follow yet.
    Plugin(Plugin),
    /// The options of an instance.
    Instance(usize),
    Files,
    Markdown,
}

impl<'t> Settings<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let mut settings = Self::default();
        let presets = Plugin::ALL.map(|it| Instance::new(it, true));
        settings.instances.extend(presets);
        let tokens: Vec<Token<'_>> = tokens(text).into_iter().map(|it| it.1).collect();
        let mut owners: Vec<Owner> = Vec::new();
        for (at, &token) in tokens.iter().enumerate() {
            let owner = owners.last().copied().unwrap_or(Owner::Other);
            let before = |count: usize| at.checked_sub(count).map(|at| tokens[at]);
            let key = match (before(2), before(1)) {
                (Some(Token::Word(key) | Token::Text(key)), Some(Token::Mark(b':'))) => Some(key),
                _ => None,
            };
            match token {
                Token::Mark(open @ (b'{' | b'[' | b'(')) => {
                    let new = settings.opened(open, owner, key);
                    if let (Owner::Plugin(_), Some(last)) = (owner, owners.last_mut())
                        && open == b'{'
                    {
                        *last = Owner::Other;
                    }
                    owners.push(new);
                }
                Token::Mark(b'}' | b']' | b')') => {
                    owners.pop();
                }
                Token::Mark(_) => {}
                Token::Text(value) | Token::Word(value) => {
                    let is_text = matches!(token, Token::Text(_));
                    if let Some(key) = key {
                        settings.value(owner, key, value, is_text);
                    } else if is_text && owner == Owner::Files {
                        settings.files.push(value);
                    } else if let Some(plugin) = plugin_named(value).filter(|_| is_text)
                        && let Some(array) =
                            owners.iter_mut().rev().take(2).find(|it| **it == Owner::Other)
                    {
                        // Perhaps in the parentheses of `require.resolve`.
                        *array = Owner::Plugin(plugin);
                        let outer = owners.len().checked_sub(2);
                        if let (Some(Token::Mark(b'(')), Some(outer)) = (before(1), outer) {
                            owners[outer] = Owner::Plugin(plugin);
                        }
                    }
                }
            }
        }
        settings
    }

    /// The owner of a bracket that opens after `key`, within the bracket of `owner`.
    fn opened(&mut self, open: u8, owner: Owner, key: Option<&str>) -> Owner {
        match (open, owner, key) {
            (b'{', Owner::Plugin(plugin), None) => {
                self.instances.push(Instance::new(plugin, false));
                Owner::Instance(self.instances.len() - 1)
            }
            (b'{', _, Some("markdown")) => Owner::Markdown,
            (b'[', _, Some("staticDirectories")) => Owner::Files,
            (b'{', _, Some(key)) => {
                let number = Plugin::ALL.iter().position(|it| it.key() == key);
                number.map_or(Owner::Other, Owner::Instance)
            }
            _ => Owner::Other,
        }
    }

    /// Adds the value of a key of an object.
    fn value(&mut self, owner: Owner, key: &str, value: &'t str, is_text: bool) {
        match (owner, key) {
            (Owner::Instance(number), "path") if is_text => {
                self.instances[number].path.get_or_insert(value);
            }
            (Owner::Instance(number), "routeBasePath") if is_text => {
                self.instances[number].route.get_or_insert(value);
            }
            (Owner::Instance(number), "id") if is_text => {
                self.instances[number].id.get_or_insert(value);
            }
            (Owner::Instance(number), "lastVersion") if is_text => {
                self.instances[number].last_version.get_or_insert(value);
            }
            (_, "routeBasePath") if is_text => self.other_routes.push(value),
            (Owner::Markdown, "format") => self.detects_format = value != "mdx",
            (_, "baseUrl") if is_text => {
                self.base_url.get_or_insert(value);
            }
            (_, "trailingSlash") if !is_text => self.trailing_slash = value.parse().ok(),
            (_, key) if value == "false" && !is_text => {
                let instances = self.instances.iter_mut();
                for it in instances.filter(|it| it.is_of_preset && it.plugin.key() == key) {
                    it.is_disabled = true;
                }
            }
            _ => {}
        }
    }
}

/// The plugin with this name or short name.
fn plugin_named(name: &str) -> Option<Plugin> {
    let short = name.strip_prefix("@docusaurus/").unwrap_or(name);
    let short = short.strip_prefix("plugin-").unwrap_or(short);
    let key = short.strip_prefix("content-")?;
    Plugin::ALL.into_iter().find(|it| it.key() == key)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The plugin, the directory and the path on the site of each instance that is not disabled.
    fn instances(text: &str) -> Vec<(Plugin, &str, &str)> {
        let settings = Settings::of(text);
        let instances = settings.instances.into_iter();
        instances
            .filter(|it| !it.is_disabled)
            .map(|it| (it.plugin, it.path(), it.route()))
            .collect()
    }

    #[test]
    fn presets_have_options() {
        let text = "// docs: {path: 'no'}\nexport default {\n  baseUrl: '/b/',\n  presets: [['classic', {\n    docs: {\n      sidebarPath: './s.js',\n\
            remarkPlugins: [[x, {path: 'no'}]], routeBasePath: \"/\", path: '../manual' },\n    blog: false, /* pages: false */\n  }]],\n\
            themeConfig: {docs: {sidebar: {path: 'no'}}},\n  trailingSlash: true, staticDirectories: ['public', `s`], markdown: {format: 'detect'}};";
        let expected = [(Plugin::Docs, "../manual", "/"), (Plugin::Pages, "src/pages", "")];
        assert_eq!(instances(text), expected);
        let settings = Settings::of(text);
        assert_eq!(settings.files, ["public", "s"]);
        assert_eq!(settings.base_url, Some("/b/"));
        assert_eq!(settings.trailing_slash, Some(true));
        assert!(settings.detects_format);
    }

    #[test]
    fn plugins_have_instances() {
        let text = "module.exports = { plugins: ['x', ['@docusaurus/plugin-content-docs', {id: 'a', path: 'a', routeBasePath: 'r/a'}],\n\
            [require.resolve(\"@docusaurus/plugin-content-blog\"), {id: 'news', path: `news`, x: {path: 'no'}}], ['content-docs', {path: join('no')}]],\n\
            presets: [{docs: {'path': 'b'}}] }";
        let expected = [
            (Plugin::Docs, "b", "docs"),
            (Plugin::Blog, "blog", "blog"),
            (Plugin::Pages, "src/pages", ""),
            (Plugin::Docs, "a", "r/a"),
            (Plugin::Blog, "news", "blog"),
            (Plugin::Docs, "docs", "docs"),
        ];
        assert_eq!(instances(text), expected);
    }

    #[test]
    fn versions_have_directories() {
        let versions = |text, list: &[&str]| {
            let settings = Settings::of(text);
            let docs = settings.instances.last().filter(|it| !it.is_of_preset);
            let docs = docs.unwrap_or(&settings.instances[0]);
            (docs.versions_file(), docs.versions(list))
        };
        let version = |path: &str, route: &str| (path.to_owned(), route.to_owned());
        let (file, found) = versions("", &["2.0", "1.0"]);
        assert_eq!(file, "versions.json");
        let expected = [
            version("docs", "docs/next"),
            version("versioned_docs/version-2.0", "docs"),
            version("versioned_docs/version-1.0", "docs/1.0"),
        ];
        assert_eq!(found, expected);
        let text =
            "['content-docs', {id: 'a', path: 'b', routeBasePath: '/', lastVersion: 'current'}]";
        let (file, found) = versions(text, &["1"]);
        assert_eq!(file, "a_versions.json");
        let expected = [version("b", "/"), version("a_versioned_docs/version-1", "/1")];
        assert_eq!(found, expected);
        assert_eq!(versions("", &[]).1, [version("docs", "docs")]);
    }

    #[test]
    fn incomplete_scripts_have_the_usual_values() {
        for text in ["", "docs: {path: 'a", "}])", "['content-docs'", "`${", "/*", "docs: \"\\"] {
            assert_eq!(instances(text).len(), 3, "{text}");
        }
    }
}
