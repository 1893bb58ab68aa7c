//! The content of a project file.

use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, Deserializer, Error, ValueDeserializer};

/// The commands that have a table of their own, with the keys that they use.
pub(super) const COMMANDS: [(&str, &[&str]); 5] = [
    (
        "check",
        &[
            "root", "base", "site", "slugs", "anchors", "clean-urls", "exclude", "ignore-links",
            "types",
        ],
    ),
    ("extract", &["root", "base", "exclude", "types"]),
    ("move", &["root", "base", "site", "ignore-links"]),
    (
        "report",
        &[
            "root", "base", "site", "slugs", "anchors", "clean-urls", "exclude", "ignore-links",
            "types",
        ],
    ),
    ("rewrite", &["root", "base", "site", "exclude", "ignore-links", "types"]),
];

/// Settings of a project. Paths are relative to the directory of the file, and in it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Settings {
    /// The root of the site: `/` means this directory. As --root of check and move
    #[schemars(with = "Option<String>")]
    pub(super) root: Option<Spanned<String>>,
    /// The URL of the root, or of the directory of this file without a root. As --base URL=DIR
    #[schemars(with = "Option<String>")]
    pub(super) base: Option<Spanned<String>>,
    /// The site generator whose rules apply, such as mkdocs, or auto. As --site
    #[schemars(with = "Option<String>")]
    pub(super) site: Option<Spanned<String>>,
    /// The rule for the ids of Markdown headings, such as github. As --slugs of check
    #[schemars(with = "Option<String>")]
    pub(super) slugs: Option<Spanned<String>>,
    /// True to check fragments, the default. False is --no-anchors
    pub(super) anchors: Option<bool>,
    /// True if links without .html are not broken. As --clean-urls of check
    pub(super) clean_urls: Option<bool>,
    /// Globs of files and directories that are skipped, below the directory of this file. Added to
    /// those of --exclude
    #[schemars(with = "Vec<String>")]
    pub(super) exclude: Option<Spanned<Vec<String>>>,
    /// Regular expressions of references and URLs that are not checked and not rewritten. Added to
    /// those of --exclude-match
    #[schemars(with = "Vec<String>")]
    pub(super) ignore_links: Option<Spanned<Vec<String>>>,
    /// Types of files that are read, such as html. As --type
    #[schemars(with = "Vec<String>")]
    pub(super) types: Option<Spanned<Vec<String>>>,
}

impl Settings {
    /// The settings of a file for a command: those of its table, then those of all commands.
    ///
    /// # Errors
    /// If a key is unknown or unused, or a value has another type. The error has the place.
    pub(super) fn of_command(text: &str, command: &str) -> Result<Self, Fault> {
        let mut file = DeTable::parse(text)?;
        let mut found = Self::default();
        for (name, keys) in COMMANDS {
            let Some(value) = file.get_mut().remove(name) else {
                continue;
            };
            let at = value.span();
            if let Some(table) = value.get_ref().as_table() {
                let unused = table.keys().find(|it| !keys.contains(&it.get_ref().as_ref()));
                let is_known = |key: &str| COMMANDS[0].1.contains(&key);
                if let Some(key) = unused.filter(|it| is_known(it.get_ref().as_ref())) {
                    let text = format!("{name} does not use the key {}", key.get_ref());
                    return Err(Fault { text, at: Some(key.span()) });
                }
            }
            let table = Self::deserialize(ValueDeserializer::from(value));
            let table = table.map_err(|error| Fault::new(&error, Some(at)))?;
            if name == command {
                found = table;
            }
        }
        let common = Self::deserialize(Deserializer::from(file))?;
        let keys = COMMANDS.iter().find(|(name, _)| *name == command);
        let uses = |key: &str| keys.is_some_and(|(_, keys)| keys.contains(&key));
        Ok(Self {
            root: found.root.or(common.root),
            base: found.base.or(common.base),
            site: found.site.or(common.site).filter(|_| uses("site")),
            slugs: found.slugs.or(common.slugs),
            anchors: found.anchors.or(common.anchors),
            clean_urls: found.clean_urls.or(common.clean_urls),
            exclude: found.exclude.or(common.exclude),
            ignore_links: found.ignore_links.or(common.ignore_links),
            types: found.types.or(common.types),
        })
    }
}

/// A fault of a project file.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) text: String,
    /// The bytes of the file that are at fault.
    pub(super) at: Option<Range<usize>>,
}

impl Fault {
    fn new(error: &Error, otherwise: Option<Range<usize>>) -> Self {
        // The words of TOML, not of the parser.
        let text = error.message().replace("unknown field", "unknown key");
        let text = text.replace("expected a sequence", "expected a list, such as [\"a\", \"b\"]");
        Self { text, at: error.span().or(otherwise) }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::new(&error, None)
    }
}

/// The JSON Schema of project files.
pub(crate) fn schema() -> serde_json::Value {
    let settings = schemars::generate::SchemaSettings::draft2020_12();
    let mut schema = settings.into_generator().into_root_schema_for::<Settings>().to_value();
    let common = schema["properties"].clone();
    for (name, keys) in COMMANDS {
        let mut properties = common.clone();
        if let Some(properties) = properties.as_object_mut() {
            properties.retain(|key, _| keys.contains(&key.as_str()));
        }
        schema["properties"][name] = serde_json::json!({
            "description": format!("Settings of rehref {name} alone"),
            "type": "object",
            "additionalProperties": false,
            "properties": properties,
        });
    }
    schema["title"] = ".rehref.toml".into();
    schema
}
