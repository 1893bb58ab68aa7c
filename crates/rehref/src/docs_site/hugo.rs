//! The languages of a site of Hugo, and the addresses that it makes of paths.

use super::config::{toml_tables, toml_value, top_value, yaml_nested, yaml_tables};
use super::paths::{below, join};

/// The languages of a site. A file has the language in its name (`about.de.md`), or that of its
/// directory, or the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Languages {
    default: String,
    /// Whether the addresses of the default language begin with its code, too.
    is_in_subdirectory: bool,
    codes: Vec<String>,
    /// The directories that are the content of a language, with its code.
    pub(super) directories: Vec<(String, String)>,
}

impl Languages {
    /// Reads a configuration.
    pub(super) fn of(text: &str) -> Self {
        let default = top_value(text, "defaultContentLanguage").filter(|it| !it.is_empty());
        let default = default.unwrap_or("en").to_ascii_lowercase();
        let tables = toml_tables(text, "languages");
        let in_toml = tables.iter().filter_map(|code| {
            let table = format!("languages.{code}");
            Some(((*code).to_owned(), toml_value(text, &table, "contentDir")?.to_owned()))
        });
        let directories = in_toml.chain(yaml_nested(text, "languages", "contentDir"));
        let directories = directories.map(|(code, it)| (it, code.to_ascii_lowercase()));
        let codes = tables.iter().copied().chain(yaml_tables(text, "languages"));
        let mut codes: Vec<String> = codes.map(str::to_ascii_lowercase).collect();
        if !codes.contains(&default) {
            codes.push(default.clone());
        }
        Self {
            default,
            is_in_subdirectory: top_value(text, "defaultContentLanguageInSubdir") == Some("true"),
            directories: directories.collect(),
            codes,
        }
    }

    /// The name of a file without its extension and its language, and that language.
    pub(super) fn divided<'n>(&self, stem: &'n [u8]) -> (&'n [u8], Option<&str>) {
        let dot = memchr::memrchr(b'.', stem).filter(|&dot| dot > 0);
        let found = dot.and_then(|dot| Some((&stem[..dot], self.code(&stem[dot + 1..])?)));
        found.map_or((stem, None), |(name, code)| (name, Some(code)))
    }

    fn code(&self, name: &[u8]) -> Option<&str> {
        let mut codes = self.codes.iter();
        codes.find(|it| it.as_bytes().eq_ignore_ascii_case(name)).map(String::as_str)
    }

    /// The beginning of the addresses of a language.
    pub(super) fn url(&self, code: &str) -> &[u8] {
        let code = if code.is_empty() { &self.default } else { code };
        match code == self.default && !self.is_in_subdirectory {
            true => b"",
            false => self.code(code.as_bytes()).unwrap_or_default().as_bytes(),
        }
    }

    /// The path on the site without the code of a language that it begins with.
    pub(super) fn without_code<'u>(&self, path: &'u [u8]) -> Option<&'u [u8]> {
        let first = path.split(|&byte| byte == b'/').next().unwrap_or_default();
        let is_code = self.codes.iter().any(|it| it.as_bytes() == first);
        below(path, first).filter(|_| is_code)
    }

    /// The language of the files in a directory with this path on the site, and the rest of the
    /// path.
    pub(super) fn of_directory<'u>(&self, url: &'u [u8]) -> (&str, &'u [u8]) {
        let first = url.split(|&byte| byte == b'/').next().unwrap_or_default();
        match self.code(first) {
            Some(code) if self.url(code) == first => (code, below(url, first).unwrap_or_default()),
            _ => (&self.default, url),
        }
    }
}

/// The text of a configuration in the directory `config/_default`, whose files `read` reads.
pub(super) fn text_of_directory(read: impl Fn(&str) -> Option<String>) -> String {
    let file = |name: &str| read(&format!("config/_default/{name}"));
    let names = ["hugo.toml", "config.toml", "hugo.yaml", "config.yaml"];
    let mut text = names.iter().find_map(|it| file(it)).unwrap_or_default();
    // The tables of a file of its own have no prefix.
    if let Some(module) = file("module.toml") {
        text.push_str(&format!("\n{module}").replace("\n[[mounts", "\n[[module.mounts"));
    }
    if let Some(languages) = file("languages.toml") {
        text.push_str(&format!("\n{languages}").replace("\n[", "\n[languages."));
    } else if let Some(languages) = file("languages.yaml") {
        text.push_str("\nlanguages:");
        text.push_str(&format!("\n{languages}").replace('\n', "\n  "));
    }
    text
}

/// A path as Hugo writes it in an address: in lower case, with hyphens for spaces, without most
/// punctuation.
pub(super) fn sanitized(path: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(path);
    let mut out = String::with_capacity(text.len());
    let (mut after_space, mut after_hyphen) = (false, false);
    for character in text.chars() {
        // Of other than ASCII characters, few in names are no letters.
        let is_kept = character.is_ascii_alphanumeric()
            || "./_#+~-@%".contains(character)
            || !character.is_ascii() && !character.is_whitespace();
        if is_kept {
            after_hyphen = character == '-';
            if after_space && !after_hyphen {
                out.push('-');
            }
            after_space = false;
            out.extend(character.to_lowercase());
        } else if character.is_whitespace() && !out.is_empty() && !after_hyphen {
            after_space = true;
        }
    }
    out.into_bytes()
}

/// The address that `url` of front matter names, below that of the language of its page if it does
/// not begin with a slash.
pub(super) fn own_url(url: &str, key: Vec<u8>, language: &[u8]) -> Vec<u8> {
    match url.starts_with('/') {
        true => key,
        false => join(language, &key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_read() {
        let toml = "defaultContentLanguage = \"de\"\n[languages]\n[languages.en]\nweight = 1\n[languages.de.params]\nx = 1\n\
            [languages.pt-BR]\ncontentDir = 'content/pt'\n[params]\n";
        let yaml = "defaultContentLanguage: de\nlanguages:\n  en:\n    weight: 1\n  de:\n    params:\n      x: 1\n  pt-BR:\n    \
            contentDir: content/pt\nparams:\n";
        for text in [toml, yaml] {
            let languages = Languages::of(text);
            assert_eq!(languages.codes, ["en", "de", "pt-br"], "{text}");
            let directory = ("content/pt".to_owned(), "pt-br".to_owned());
            assert_eq!(languages.directories, [directory]);
            assert_eq!(languages.divided(b"a.b.en"), (&b"a.b"[..], Some("en")));
            assert_eq!(languages.divided(b"a.fr"), (&b"a.fr"[..], None));
            assert_eq!(languages.divided(b"en"), (&b"en"[..], None));
            assert_eq!((languages.url("de"), languages.url("en")), (&b""[..], &b"en"[..]));
            assert_eq!(languages.of_directory(b"pt-br/x"), ("pt-br", &b"x"[..]));
            assert_eq!(languages.of_directory(b"de/x"), ("de", &b"de/x"[..]));
        }
        let languages = Languages::of("defaultContentLanguageInSubdir = true");
        assert_eq!((languages.codes.len(), languages.url("en")), (1, &b"en"[..]));
    }

    #[test]
    fn files_of_a_directory_are_one_configuration() {
        for (name, content) in [
            ("languages.toml", "[en]\nweight = 1\n[de]\ncontentDir = \"d\"\n"),
            ("languages.yaml", "en:\n  weight: 1\n\nde:\n  contentDir: d\n"),
        ] {
            let read = |path: &str| match path.strip_prefix("config/_default/")? {
                "hugo.toml" => Some("defaultContentLanguage = \"de\"".to_owned()),
                other => (other == name).then(|| content.to_owned()),
            };
            let languages = Languages::of(&text_of_directory(read));
            assert_eq!((&*languages.default, languages.codes.len()), ("de", 2), "{name}");
            assert_eq!(languages.directories, [("d".to_owned(), "de".to_owned())]);
        }
    }

    /// The paths of Hugo 0.111.
    #[test]
    fn paths_are_those_of_hugo() {
        for (path, expected) in [
            ("S (x)/In Ner", "s-x/in-ner"),
            ("C# x", "c#-x"),
            ("a (b)!", "a-b"),
            ("a--b", "a--b"),
            ("a - b", "a-b"),
            ("-a-", "-a-"),
            ("a & b", "a-b"),
            ("it's", "its"),
            ("x,y", "xy"),
            ("A_b+c~d@e", "a_b+c~d@e"),
            ("Ünï", "ünï"),
        ] {
            let found = String::from_utf8_lossy(&sanitized(path.as_bytes())).into_owned();
            assert_eq!(found, expected, "{path}");
        }
    }
}
