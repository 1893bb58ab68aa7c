//! The languages of a site of Hugo, and the conversion of paths to addresses.

use super::paths::{below, join};
use crate::settings::{self, Setting, Syntax, Table};

/// The languages of a site. The language of a file is in its name (`about.de.md`), or that of its
/// directory, or the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Languages {
    default: String,
    /// True if the addresses of the default language begin with its code, too.
    is_in_subdirectory: bool,
    codes: Vec<String>,
    /// The directories that are the content of a language, with its code.
    pub(super) directories: Vec<(String, String)>,
}

impl Languages {
    /// Reads a configuration, whose keys are in lower case.
    pub(super) fn of(settings: &Setting) -> Self {
        let default = settings.text(&["defaultcontentlanguage"]).unwrap_or("en");
        let default = default.to_ascii_lowercase();
        let is_language = |it: &(&str, &Setting)| matches!(it.1, Setting::Table(_) | Setting::Null);
        let languages = || settings.entries(&["languages"]).filter(is_language);
        let directories = languages()
            .filter_map(|(code, it)| Some((it.text(&["contentdir"])?.to_owned(), code.to_owned())));
        let mut codes: Vec<String> = languages().map(|(code, _)| code.to_owned()).collect();
        if !codes.contains(&default) {
            codes.push(default.clone());
        }
        Self {
            default,
            is_in_subdirectory: settings.flag(&["defaultcontentlanguageinsubdir"]) == Some(true),
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

/// The settings of a site with keys in lower case: those of its file, and over them those of the
/// directory `config/_default`, whose files `read` reads.
pub(super) fn with_directory(settings: Setting, read: impl Fn(&str) -> Option<String>) -> Setting {
    let mut settings = settings.with_keys_in_lower_case();
    // Other files of the directory have no settings for addresses.
    for name in ["config", "hugo", "languages", "module", "permalinks", "taxonomies"] {
        for extension in ["toml", "yaml", "yml", "json"] {
            let file = format!("config/_default/{name}.{extension}");
            let read = || Some(settings::read(&read(&file)?, Syntax::of(&file)?));
            let Some(content @ Setting::Table(_)) = read() else {
                continue;
            };
            let content = content.with_keys_in_lower_case();
            settings.overlay(match name {
                "config" | "hugo" => content,
                // The name of the file is that of the table.
                _ => Setting::Table(Table::from_iter([(name.to_owned(), content)])),
            });
        }
    }
    settings
}

/// Returns true if a hook for links finds pages by the path of their file: the hook that is built
/// into Hugo, or one of the site or its themes. Keys are in lower case, and `read` reads a file of
/// the site.
pub(super) fn finds_pages(
    settings: &Setting,
    languages: &Languages,
    read: impl Fn(&str) -> Option<String>,
) -> bool {
    let themes = settings.texts(&["theme"]).into_iter();
    let directories = themes.map(|theme| format!("themes/{theme}/"));
    let directories: Vec<String> = std::iter::once(String::new()).chain(directories).collect();
    let own = directories.iter().find_map(|directory| {
        let names = ["layouts/_markup", "layouts/_default/_markup"].into_iter();
        { names }.find_map(|it| read(&format!("{directory}{it}/render-link.html")))
    });
    let keys = |key| ["markup", "goldmark", "renderhooks", "link", key];
    match (settings.text(&keys("useembedded")), own) {
        (Some("always"), _) | (Some("fallback"), None) => true,
        (Some("never"), None) => false,
        (_, Some(own)) => own.contains("GetPage"),
        // By default, it is used where several languages share a host.
        (_, None) => {
            let mut others = settings.entries(&["languages"]);
            settings.flag(&keys("enabledefault")) == Some(true)
                || languages.codes.len() > 1 && others.all(|(_, it)| it.get(&["baseurl"]).is_none())
        }
    }
}

/// A path in the form that Hugo uses in addresses: in lower case, with hyphens for spaces, without
/// most punctuation.
pub(super) fn sanitized(path: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(path);
    let mut out = String::with_capacity(text.len());
    let (mut after_space, mut after_hyphen) = (false, false);
    for character in text.chars() {
        // Nearly all non-ASCII characters in names are letters.
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
        let json = "{\"defaultContentLanguage\": \"de\", \"languages\": {\"en\": {}, \"de\": {\"params\": {\"x\": 1}},\n\
            \"pt-BR\": {\"contentDir\": \"content\\/pt\"}}, \"params\": {}}";
        for (text, syntax) in [(toml, Syntax::Toml), (yaml, Syntax::Yaml), (json, Syntax::Yaml)] {
            let settings = settings::read(text, syntax).with_keys_in_lower_case();
            let languages = Languages::of(&settings);
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
        let languages = settings::read("defaultcontentlanguageinsubdir = true", Syntax::Toml);
        let languages = Languages::of(&languages);
        assert_eq!((languages.codes.len(), languages.url("en")), (1, &b"en"[..]));
    }

    #[test]
    fn files_of_a_directory_are_one_configuration() {
        for (name, content) in [
            ("languages.toml", "[en]\nweight = 1\n[DE]\ncontentDir = \"d\"\n"),
            ("languages.yaml", "en:\n  weight: 1\n\nde:\n  contentDir: d\n"),
            ("languages.yml", "{en: {}, de: {contentdir: d}}"),
            ("languages.json", "{\"en\": {}, \"de\": {\"contentDir\": \"d\"}}"),
            ("config.yaml", "languages: {en: , de: {contentDir: d}}"),
        ] {
            let read = |path: &str| match path.strip_prefix("config/_default/")? {
                "hugo.toml" => Some("defaultContentLanguage = \"de\"".to_owned()),
                "module.toml" => Some("[[mounts]]\nsource = \"s\"\n".to_owned()),
                other => (other == name).then(|| content.to_owned()),
            };
            let own = settings::read("theme = 't'\nDefaultContentLanguage = 'en'\n", Syntax::Toml);
            let settings = with_directory(own, read);
            let languages = Languages::of(&settings);
            assert_eq!((&*languages.default, languages.codes.len()), ("de", 2), "{name}");
            assert_eq!(languages.directories, [("d".to_owned(), "de".to_owned())]);
            assert_eq!(settings.text(&["theme"]), Some("t"));
            let Some(Setting::List(mounts)) = settings.get(&["module", "mounts"]) else {
                panic!("{settings:?}");
            };
            assert_eq!(mounts[0].text(&["source"]), Some("s"));
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
