//! Settings: the values of a configuration file or of front matter, as one tree.
//!
//! The tree has values and no spellings. Quotes, escapes, comments, anchors, tags, merge keys,
//! dotted keys and inline tables are resolved by `yaml` and `toml`, which read the events of the
//! parsers `granit-parser` and `toml_parser`. JSON is read as YAML 1.2, which contains it.
//!
//! - **A text that is not valid has the settings that can be read**: those before a fault, and
//!   those of the next top-level keys (YAML) or lines (TOML) after it.
//! - **Cost is linear in the text**: nesting, copies of anchors and faults have limits.
//! - **A script has its literals**: `Literals` reads the tokens of JavaScript and TypeScript, and runs
//!   nothing.
//! - **Numbers, dates and booleans are texts**, as they are spelled.

mod entries;
mod fenced;
mod script;
mod setting;
mod toml;
mod yaml;

#[cfg(test)]
mod tests;

pub use fenced::fenced;
pub use script::{LiteralRole, Literals, Token, tokens};
pub use setting::{Setting, Table};

/// A syntax of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// YAML, and JSON.
    Yaml,
    /// TOML 1.0.
    Toml,
}

impl Syntax {
    /// The syntax of a file, by the extension of its name. `None` for other files.
    pub fn of(name: &str) -> Option<Self> {
        match name.rsplit_once('.')?.1 {
            "yml" | "yaml" | "json" => Some(Self::Yaml),
            "toml" => Some(Self::Toml),
            _ => None,
        }
    }
}

/// Reads a text. Linear in it.
pub fn read(text: &str, syntax: Syntax) -> Setting {
    match syntax {
        Syntax::Yaml => yaml::read(text),
        Syntax::Toml => toml::read(text),
    }
}

/// Returns true if a text is valid YAML: [`read`] also reads others. Linear in it.
pub fn is_valid_yaml(text: &str) -> bool {
    yaml::is_valid(text)
}

/// Reads the top-level entries of these keys, which are words, in any case of their letters, and
/// perhaps others. Null without entries.
pub fn read_keys(text: &str, syntax: Syntax, keys: &[&str]) -> Setting {
    let entries = match syntax {
        Syntax::Yaml => entries::of_yaml(text, keys),
        Syntax::Toml => entries::of_toml(text, keys),
    };
    match entries {
        Some(entries) if entries.is_empty() => Setting::Null,
        Some(entries) => read(&entries, syntax),
        None => read(text, syntax),
    }
}
