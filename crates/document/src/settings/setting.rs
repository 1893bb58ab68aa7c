//! The tree of settings.

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use crate::bytes::Span;

/// The maximum number of levels of a tree. Deeper values are left out.
pub(super) const MAX_DEPTH: usize = 64;

/// A value, with the values in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Setting {
    /// Null, or a missing value.
    #[default]
    Null,
    /// A scalar, and the bytes that spell it, without quotes.
    Text(String, Span),
    /// A sequence of YAML, or an array of TOML or JSON.
    List(Vec<Setting>),
    /// A mapping of YAML, a table of TOML, or an object of JSON.
    Table(Table),
}

/// The values of keys, each key once.
pub type Table = IndexMap<String, Setting, RandomState>;

impl Setting {
    /// The value at a path of keys. `None` if a key is missing.
    pub fn get(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |setting, key| match setting {
            Self::Table(table) => table.get(*key),
            _ => None,
        })
    }

    /// The bytes that spell a scalar, without quotes.
    pub fn span(&self) -> Option<Span> {
        match self {
            Self::Text(_, span) => Some(*span),
            _ => None,
        }
    }

    /// The scalar at a path of keys.
    pub fn scalar(&self, path: &[&str]) -> Option<&str> {
        match self.get(path)? {
            Self::Text(text, _) => Some(text),
            _ => None,
        }
    }

    /// The scalar at a path of keys. `None` if it is empty.
    pub fn text(&self, path: &[&str]) -> Option<&str> {
        self.scalar(path).filter(|it| !it.is_empty())
    }

    /// The boolean at a path of keys, also as YAML 1.1 spells it.
    pub fn flag(&self, path: &[&str]) -> Option<bool> {
        let text = self.text(path)?;
        let is_one_of = |words: [&str; 3]| words.iter().any(|it| it.eq_ignore_ascii_case(text));
        match is_one_of(["true", "yes", "on"]) {
            true => Some(true),
            false => is_one_of(["false", "no", "off"]).then_some(false),
        }
    }

    /// The scalars of the list at a path of keys, without empty ones. A scalar is a list of one.
    pub fn texts(&self, path: &[&str]) -> Vec<&str> {
        let items = match self.get(path) {
            Some(Self::List(items)) => items.as_slice(),
            Some(item) => std::slice::from_ref(item),
            None => &[],
        };
        items.iter().filter_map(|it| it.text(&[])).collect()
    }

    /// The keys and values of the table at a path of keys.
    pub fn entries(&self, path: &[&str]) -> impl Iterator<Item = (&str, &Self)> {
        let table = match self.get(path) {
            Some(Self::Table(table)) => Some(table),
            _ => None,
        };
        table.into_iter().flatten().map(|(key, value)| (key.as_str(), value))
    }

    /// Calls `found` with each value at a path of keys. Items of lists have none, `*` is any key, and
    /// `**` any number of keys.
    pub fn each_at(&self, keys: &[&str], found: &mut dyn FnMut(&Self)) {
        match (self, keys) {
            (setting, []) => found(setting),
            (Self::List(items), _) => items.iter().for_each(|it| it.each_at(keys, found)),
            (Self::Table(table), ["**", key, rest @ ..]) => {
                for (name, value) in table {
                    if name == key {
                        value.each_at(rest, found);
                    }
                    value.each_at(keys, found);
                }
            }
            (Self::Table(table), ["*", rest @ ..]) => {
                table.values().for_each(|it| it.each_at(rest, found));
            }
            (Self::Table(table), [key, rest @ ..]) => {
                table.get(*key).into_iter().for_each(|it| it.each_at(rest, found));
            }
            _ => {}
        }
    }

    /// Lays settings over these: keys of both have the new value, except for the tables of both,
    /// which are joined.
    pub fn overlay(&mut self, over: Self) {
        match (self, over) {
            (Self::Table(table), Self::Table(over)) => {
                for (key, value) in over {
                    table.entry(key).or_default().overlay(value);
                }
            }
            (setting, over) => *setting = over,
        }
    }

    /// The settings with all keys in lower case, for programs that ignore their case.
    pub fn with_keys_in_lower_case(self) -> Self {
        match self {
            Self::List(items) => {
                Self::List(items.into_iter().map(Self::with_keys_in_lower_case).collect())
            }
            Self::Table(table) => {
                let entries = table.into_iter();
                let lower = |(key, value): (String, Self)| {
                    (key.to_lowercase(), value.with_keys_in_lower_case())
                };
                Self::Table(entries.map(lower).collect())
            }
            scalar => scalar,
        }
    }
}
