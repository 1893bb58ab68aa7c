//! The table of the configurations whose settings are paths, addresses of pages or names of
//! documents.

use crate::format::comments::{self, Comment};
use crate::format::markdown::Dialect;
use crate::link::Directive;
use crate::settings::{LiteralRole, Syntax};

/// A configuration that names files.
pub(super) struct Config {
    pub(super) dialect: Dialect,
    files: Files,
    pub(super) values: Values,
}

/// The names of the files of a configuration.
enum Files {
    /// These names, in the directory of the site.
    Named(&'static [&'static str]),
    /// Scripts in this directory of the site, but not in these directories of it.
    ScriptsIn(&'static str, &'static [&'static str]),
    /// Files whose names end so, in directories of the site whose names end so.
    EndingIn(&'static str, &'static str),
}

/// The values that name files.
pub(super) enum Values {
    /// Those of settings.
    Settings(Syntax, &'static [PathSetting]),
    /// Strings of a script.
    Script(&'static [ScriptString]),
}

/// A setting with one path or many.
pub(super) struct PathSetting {
    /// Its keys. Items of lists have none, `*` is any key, and `**` any number of keys.
    pub(super) keys: &'static [&'static str],
    pub(super) directive: Directive,
    pub(super) form: Form,
}

/// The values of a setting that are paths.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The value, or the items of its list.
    All,
    /// Those with an extension: others are names of themes.
    WithExtension,
    /// Those with the extension of a source: others are titles, pages that the program makes, or
    /// words such as `auto`.
    Sources,
    /// The items of `nav` of MkDocs, also those with a title.
    Items,
}

/// The strings of a script that are the value of a key, or items of its array.
pub(super) struct ScriptString {
    /// The key of an object around it, if only those within it count.
    pub(super) around: Option<&'static str>,
    /// The keys of values.
    pub(super) values: &'static [&'static str],
    /// The keys of arrays.
    pub(super) items: Items,
    /// The beginning of the strings.
    pub(super) begin: &'static str,
    pub(super) directive: Directive,
}

/// The keys of arrays.
pub(super) enum Items {
    Of(&'static [&'static str]),
    /// All others, if none of the keys around them is one of these.
    Except(&'static [&'static str]),
}

/// The extensions of scripts.
const SCRIPTS: [&str; 6] = ["js", "ts", "mjs", "mts", "cjs", "cts"];

/// The configurations whose values are links.
pub(super) const CONFIGS: &[Config] = &[
    Config {
        dialect: Dialect::MkDocs,
        files: Files::Named(&["mkdocs.yml", "mkdocs.yaml"]),
        values: Values::Settings(
            Syntax::Yaml,
            &[
                PathSetting { form: Form::Items, ..PathSetting::navigation(&["nav"]) },
                PathSetting::new(&["extra_css"]),
                PathSetting::new(&["extra_javascript"]),
                PathSetting::new(&["extra_javascript", "path"]),
                PathSetting::new(&["theme", "logo"]),
                PathSetting::new(&["theme", "favicon"]),
                PathSetting::new(&["plugins", "redirects", "redirect_maps", "*"]),
            ],
        ),
    },
    Config {
        dialect: Dialect::MdBook,
        files: Files::Named(&["book.toml"]),
        values: Values::Settings(
            Syntax::Toml,
            &[
                PathSetting::new(&["output", "html", "additional-css"]),
                PathSetting::new(&["output", "html", "additional-js"]),
            ],
        ),
    },
    Config {
        dialect: Dialect::Quarto,
        files: Files::Named(&["_quarto.yml", "_quarto.yaml"]),
        values: Values::Settings(
            Syntax::Yaml,
            &[
                PathSetting::navigation(&["**", "href"]).sources(),
                PathSetting::navigation(&["**", "file"]).sources(),
                PathSetting::navigation(&["**", "part"]).sources(),
                PathSetting::navigation(&["**", "chapters"]).sources(),
                PathSetting::navigation(&["**", "appendices"]).sources(),
                PathSetting::navigation(&["**", "contents"]).sources(),
                PathSetting::navigation(&["**", "menu"]).sources(),
                PathSetting::navigation(&["website", "navbar", "left"]).sources(),
                PathSetting::navigation(&["website", "navbar", "right"]).sources(),
                PathSetting::new(&["**", "css"]).with_extension(),
                PathSetting::new(&["**", "theme"]).with_extension(),
                PathSetting::new(&["**", "theme", "light"]).with_extension(),
                PathSetting::new(&["**", "theme", "dark"]).with_extension(),
                PathSetting::new(&["**", "logo"]).with_extension(),
                PathSetting::new(&["**", "favicon"]).with_extension(),
                PathSetting::new(&["**", "cover-image"]).with_extension(),
                PathSetting::new(&["**", "bibliography"]).with_extension(),
                PathSetting::new(&["**", "csl"]).with_extension(),
                PathSetting::new(&["**", "include-in-header"]).with_extension(),
                PathSetting::new(&["**", "include-before-body"]).with_extension(),
                PathSetting::new(&["**", "include-after-body"]).with_extension(),
            ],
        ),
    },
    Config {
        dialect: Dialect::Myst,
        files: Files::Named(&["_toc.yml"]),
        values: Values::Settings(
            Syntax::Yaml,
            &[PathSetting::navigation(&["root"]), PathSetting::navigation(&["**", "file"])],
        ),
    },
    Config {
        dialect: Dialect::GitBook,
        files: Files::Named(&[".gitbook.yaml"]),
        values: Values::Settings(
            Syntax::Yaml,
            &[
                PathSetting::new(&["structure", "readme"]),
                PathSetting::new(&["structure", "summary"]),
                PathSetting::new(&["redirects", "*"]),
            ],
        ),
    },
    Config {
        dialect: Dialect::VitePress,
        files: Files::ScriptsIn(".vitepress", &["theme", "cache", "dist"]),
        values: Values::Script(&[ScriptString::address(&["link", "logo", "src", "light", "dark"])]),
    },
    Config {
        dialect: Dialect::Starlight,
        files: Files::Named(&[
            "astro.config.mjs", "astro.config.js", "astro.config.ts", "astro.config.mts",
            "astro.config.cjs",
        ]),
        values: Values::Script(&[
            ScriptString { begin: "/", ..ScriptString::name(&["favicon"], Directive::Nav) },
            ScriptString {
                around: Some("sidebar"),
                items: Items::Of(&["items", "sidebar"]),
                ..ScriptString::name(&["slug"], Directive::Nav)
            },
            ScriptString { begin: "/", ..ScriptString::name(&["link"], Directive::Nav) },
            ScriptString::path(&["src", "light", "dark", "customCss"]),
        ]),
    },
    Config {
        dialect: Dialect::Mdx,
        files: Files::Named(&[
            "docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs",
            "docusaurus.config.cjs",
        ]),
        values: Values::Script(&[
            ScriptString::address(&["to"]),
            ScriptString::name(&["docId"], Directive::Nav),
            ScriptString::name(&["src", "srcDark", "favicon", "image"], Directive::Setting),
            ScriptString::path(&["sidebarPath", "customCss"]),
        ]),
    },
    Config {
        dialect: Dialect::Mdx,
        files: Files::Named(&[
            "sidebars.js", "sidebars.ts", "sidebars.mjs", "sidebars.cjs", "sidebars.json",
        ]),
        values: SIDEBAR,
    },
    Config {
        dialect: Dialect::Mdx,
        files: Files::EndingIn("-sidebars.json", "versioned_sidebars"),
        values: SIDEBAR,
    },
];

/// The ids of documents in a sidebar of Docusaurus.
const SIDEBAR: Values = Values::Script(&[ScriptString {
    items: Items::Except(&["customProps", "keywords", "tags"]),
    ..ScriptString::name(&["id"], Directive::Nav)
}]);

impl PathSetting {
    const fn new(keys: &'static [&'static str]) -> Self {
        Self { keys, directive: Directive::Setting, form: Form::All }
    }

    const fn navigation(keys: &'static [&'static str]) -> Self {
        Self { keys, directive: Directive::Nav, form: Form::All }
    }

    const fn with_extension(self) -> Self {
        Self { form: Form::WithExtension, ..self }
    }

    const fn sources(self) -> Self {
        Self { form: Form::Sources, ..self }
    }
}

impl ScriptString {
    /// Addresses of pages and files, from the root of the site.
    const fn address(keys: &'static [&'static str]) -> Self {
        Self { begin: "/", ..Self::name(keys, Directive::Address) }
    }

    /// Paths from the directory of the site. Others are those of packages.
    const fn path(keys: &'static [&'static str]) -> Self {
        Self { items: Items::Of(keys), begin: "./", ..Self::name(keys, Directive::Setting) }
    }

    /// Names of documents or files.
    const fn name(keys: &'static [&'static str], directive: Directive) -> Self {
        Self { around: None, values: keys, items: Items::Of(&[]), begin: "", directive }
    }

    /// Returns true if a string with these keys is one of these.
    pub(super) fn is(&self, keys: &[&str], string: &str, role: LiteralRole) -> bool {
        let Some((key, above)) = keys.split_last() else {
            return false;
        };
        let has_key = match (role, &self.items) {
            (LiteralRole::Value, _) => self.values.contains(key) && !above.contains(&"customProps"),
            (LiteralRole::Item, Items::Of(items)) => items.contains(key),
            (LiteralRole::Item, Items::Except(others)) => {
                !keys.iter().any(|it| others.contains(it))
            }
            (LiteralRole::Part, _) => false,
        };
        let is_name = |it: &str| {
            !it.is_empty()
                && !it.starts_with(['.', '/', '@'])
                && !it.contains([':', '*', '?', '\n'])
        };
        let is_around = self.around.is_none_or(|it| keys.contains(&it));
        has_key
            && is_around
            && string.strip_prefix(self.begin).is_some_and(|rest| match self.begin {
                "/" => !rest.starts_with('/') && !rest.contains('\n'),
                _ => is_name(rest),
            })
    }
}

impl Config {
    /// The configuration with this path, and the path of the directory of its site.
    pub(super) fn at(path: &[u8]) -> Option<(&'static Self, &[u8])> {
        CONFIGS.iter().find_map(|it| Some((it, it.files.home_of(path)?)))
    }

    /// The syntax of its comments.
    pub(super) fn comments(&self) -> &'static [Comment] {
        match self.values {
            Values::Settings(..) => comments::LINES,
            Values::Script(_) => comments::SCRIPT,
        }
    }
}

impl Files {
    /// The directory of the site that a file with this path configures. `None` for other files.
    fn home_of<'p>(&self, path: &'p [u8]) -> Option<&'p [u8]> {
        let (directory, name) = split(path);
        let is = |it: &[u8], text: &str| it == text.as_bytes();
        match self {
            Self::Named(names) => names.iter().any(|it| is(name, it)).then_some(directory),
            Self::ScriptsIn(within, others) => {
                let extension = name.rsplit(|it| *it == b'.').next()?;
                if !SCRIPTS.iter().any(|it| is(extension, it)) {
                    return None;
                }
                let mut above = directory;
                loop {
                    let (rest, last) = split(above);
                    if is(last, within) {
                        return Some(rest);
                    }
                    if last.is_empty() || others.iter().any(|it| is(last, it)) {
                        return None;
                    }
                    above = rest;
                }
            }
            Self::EndingIn(end, within) => {
                let (home, last) = split(directory);
                let is_one = name.ends_with(end.as_bytes()) && last.ends_with(within.as_bytes());
                is_one.then_some(home)
            }
        }
    }
}

/// Divides a path at its last slash.
fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match memchr::memrchr(b'/', path) {
        Some(at) => (&path[..at], &path[at + 1..]),
        None => (b"", path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurations_are_in_the_directory_of_their_site() {
        for (path, dialect, home) in [
            ("mkdocs.yml", Dialect::MkDocs, ""),
            ("a/book.toml", Dialect::MdBook, "a"),
            (".vitepress/config.mts", Dialect::VitePress, ""),
            ("docs/.vitepress/config/en.ts", Dialect::VitePress, "docs"),
            ("a/b/sidebars.json", Dialect::Mdx, "a/b"),
            ("versioned_sidebars/version-1.0-sidebars.json", Dialect::Mdx, ""),
            ("a/x_versioned_sidebars/version-1.0-sidebars.json", Dialect::Mdx, "a"),
        ] {
            let (config, found) = Config::at(path.as_bytes()).expect(path);
            assert_eq!((config.dialect, found), (dialect, home.as_bytes()), "{path}");
        }
        for path in [
            "", "a", "mkdocs.yml/a", "my-mkdocs.yml", ".vitepress/theme/index.ts",
            ".vitepress/config.json", "vitepress/config.ts", "a/version-1.0-sidebars.json",
        ] {
            assert!(Config::at(path.as_bytes()).is_none(), "{path}");
        }
    }
}
