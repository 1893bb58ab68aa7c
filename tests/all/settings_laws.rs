//! Laws of settings: a tree that is printed in any spelling is read back, and no text makes reading
//! fail.

mod printer;

use proptest::prelude::*;
use proptest::sample::select;
use rehref::settings::{Setting, Syntax, read, read_keys};

use crate::tier;
use printer::Printer;

/// A tree without spans.
#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Null,
    Text(String),
    List(Vec<Tree>),
    Table(Vec<(String, Tree)>),
}

impl From<Setting> for Tree {
    fn from(setting: Setting) -> Self {
        match setting {
            Setting::Null => Self::Null,
            Setting::Text(text, _) => Self::Text(text),
            Setting::List(items) => Self::List(items.into_iter().map(Self::from).collect()),
            Setting::Table(table) => {
                let entries = table.into_iter();
                Self::Table(entries.map(|(key, value)| (key, value.into())).collect())
            }
        }
    }
}

impl Tree {
    /// The tree with the entries of tables in the order of their keys.
    fn sorted(self) -> Self {
        match self {
            Self::List(items) => Self::List(items.into_iter().map(Self::sorted).collect()),
            Self::Table(entries) => {
                let entries = entries.into_iter().map(|(key, value)| (key, value.sorted()));
                let mut entries: Vec<_> = entries.collect();
                entries.sort_by(|a, b| a.0.cmp(&b.0));
                Self::Table(entries)
            }
            scalar => scalar,
        }
    }

    /// The tree with empty texts for null, which TOML does not have.
    fn without_null(self) -> Self {
        match self {
            Self::Null => Self::Text(String::new()),
            Self::List(items) => Self::List(items.into_iter().map(Self::without_null).collect()),
            Self::Table(entries) => {
                let entries = entries.into_iter();
                Self::Table(entries.map(|(key, value)| (key, value.without_null())).collect())
            }
            text => text,
        }
    }
}

const PIECES: [&str; 30] = [
    "a", "b/c", "a.md", "null", "~", "true", "1", "h://", " ", "  ", ":", ": ", "#", " #", "-",
    "- ", "\"", "'", "'''", "\"\"\"", "\\", "\n", "\t", "\u{1}", "\u{7f}", "é", "😀", "{{", "&a",
    "<<",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(select(&PIECES[..]), 0..4).prop_map(|pieces| pieces.concat())
}

fn table(value: impl Strategy<Value = Tree>) -> impl Strategy<Value = Tree> {
    prop::collection::vec((text(), value), 0..4).prop_map(|mut entries| {
        let mut keys = std::collections::HashSet::new();
        entries.retain(|(key, _)| keys.insert(key.clone()));
        Tree::Table(entries)
    })
}

fn tree() -> impl Strategy<Value = Tree> {
    let scalar = prop_oneof![1 => Just(Tree::Null), 6 => text().prop_map(Tree::Text)];
    let nested = scalar.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![prop::collection::vec(inner.clone(), 0..4).prop_map(Tree::List), table(inner)]
    });
    table(nested)
}

/// The tree of a text. Panics unless each entry whose key is a word is read alone, too.
fn read_tree(text: &str, syntax: Syntax) -> Tree {
    let settings = read(text, syntax);
    let is_word = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_alphanumeric());
    for (key, value) in settings.entries(&[]).filter(|it| is_word(it.0)) {
        let alone = read_keys(text, syntax, &[key]).get(&[key]).cloned();
        let alone = Tree::from(alone.unwrap_or_else(|| panic!("{key} of {text}"))).sorted();
        assert_eq!(alone, Tree::from(value.clone()).sorted(), "{key} of {text}");
    }
    Tree::from(settings).sorted()
}

proptest! {
    #![proptest_config(tier::cases(4096))]

    #[test]
    fn settings_are_read_back_from_any_spelling(
        tree in tree(),
        choices in prop::collection::vec(any::<u8>(), 1..64),
    ) {
        let sorted = tree.clone().sorted();
        let yaml = Printer::new(&choices).yaml_document(&tree);
        prop_assert_eq!(&read_tree(&yaml, Syntax::Yaml), &sorted, "{}", yaml);
        let json = Printer::new(&choices).json_document(&tree);
        prop_assert_eq!(&read_tree(&json, Syntax::Yaml), &sorted, "{}", json);
        let toml = Printer::new(&choices).toml_document(&tree.without_null());
        prop_assert_eq!(read_tree(&toml, Syntax::Toml), sorted.without_null(), "{}", toml);
    }

    #[test]
    fn any_text_is_read(
        pieces in prop::collection::vec(select(&[
            "a", "key", ": ", ":", "- ", "-", "? ", "? [", "&x ", "*x", "<<: ", "!ENV ", "!!", "!", "\"", "'", "\"\"\"", "'''",
            "|", ">", "|2-", "\n", "\n  ", "\n\t", " ", "\t", "\r", "[", "]", "{", "}", ",", "#", "%", "@", "`", "---\n", "...\n",
            "=", ".", "[[", "]]", "\\", "\\u", "\u{feff}", "é", "😀", "\u{85}", "\0", "1", "~",
        ][..]), 0..40),
        junk in ".{0,8}",
    ) {
        for text in [pieces.concat(), junk] {
            for syntax in [Syntax::Yaml, Syntax::Toml] {
                let mut settings = vec![read(&text, syntax)];
                while let Some(setting) = settings.pop() {
                    match setting {
                        Setting::Null => {}
                        Setting::Text(_, span) => prop_assert!(text.get(span.range()).is_some(), "{:?} {:?}", text, span),
                        Setting::List(items) => settings.extend(items),
                        Setting::Table(table) => settings.extend(table.into_values()),
                    }
                }
            }
        }
    }
}
