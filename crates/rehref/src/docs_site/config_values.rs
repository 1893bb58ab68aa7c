//! The values in configuration files: whole scalars, strings or words. Comments have none.

use memchr::{memchr, memmem};

use super::paths::split_extension;
use crate::bytes::Span;

/// The syntax of the values of a configuration file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// Scalars of YAML, also in brackets.
    Yaml,
    /// Strings in quotes. Comments begin with `#`.
    Strings,
    /// Strings in quotes. Comments begin with `//`, or are in `/*` and `*/`.
    Script,
    /// The text after `=` or `:`, and lines without them.
    Keys,
    /// Words.
    Words,
}

impl Syntax {
    /// The syntax of a configuration file by its name. `None` for other files.
    pub(super) fn of(directory: &[u8], name: &[u8]) -> Option<Self> {
        let (stem, extension) = split_extension(name);
        let stem = stem.to_ascii_lowercase();
        let has = |word: &[u8]| memmem::find(&stem, word).is_some();
        let is_hidden = |name: &[u8]| name.starts_with(b".");
        // Others are sources.
        let is_config = || {
            let words: [&[u8]; 5] = [b"conf", b"sidebar", b"nav", b"toc", b"menu"];
            let is_in_hidden = directory.split(|&it| it == b'/').any(is_hidden);
            words.iter().any(|it| has(it)) || is_hidden(&stem) || is_in_hidden
        };
        match &*extension.to_ascii_lowercase() {
            // Their keys may have no quotes.
            _ if is_list_of_directory(name) => Some(Self::Yaml),
            b"yml" | b"yaml" => Some(Self::Yaml),
            b"toml" => Some(Self::Strings),
            b"json" | b"jsonc" | b"json5" | b"webmanifest" => Some(Self::Script),
            b"ini" | b"cfg" | b"properties" => Some(Self::Keys),
            b"conf" | b"config" => Some(Self::Words),
            b"js" | b"mjs" | b"cjs" | b"jsx" | b"ts" | b"mts" | b"cts" | b"tsx" if is_config() => {
                Some(Self::Script)
            }
            b"py" | b"rb" if is_config() => Some(Self::Strings),
            b"" if name.starts_with(b"_")
                || is_hidden(name)
                || has(b"file")
                || has(b"codeowners") =>
            {
                Some(Self::Words)
            }
            // The redirects of an extension of Sphinx.
            b"txt" if stem == b"redirects" => Some(Self::Words),
            _ => None,
        }
    }

    /// The syntax of the source of a part of pages: of a component, or of a script. `None` for
    /// other files.
    pub(super) fn of_source(name: &[u8]) -> Option<Self> {
        let extensions: [&[u8]; 11] = [
            b"vue", b"svelte", b"astro", b"js", b"mjs", b"cjs", b"jsx", b"ts", b"mts", b"cts",
            b"tsx",
        ];
        extensions.contains(&split_extension(name).1).then_some(Self::Script)
    }
}

/// Returns true for the name of a list of the pages of its directory: that of Nextra.
pub(super) fn is_list_of_directory(name: &[u8]) -> bool {
    matches!(name, b"_meta.json" | b"_meta.js" | b"_meta.jsx" | b"_meta.ts" | b"_meta.tsx")
}

/// Calls `found` with the values in a text, in order. Linear in it.
pub(super) fn values(syntax: Syntax, text: &[u8], found: &mut dyn FnMut(Span)) {
    let mut start = 0;
    let mut in_comment = false;
    while start < text.len() {
        let end = memchr(b'\n', &text[start..]).map_or(text.len(), |at| start + at);
        let mut line = Line { text: &text[..end], at: start, unclosed: Vec::new(), found };
        match syntax {
            Syntax::Yaml => line.yaml(),
            Syntax::Strings => {
                line.strings(b"#", &mut in_comment);
            }
            Syntax::Script => line.strings(b"//", &mut in_comment),
            Syntax::Keys => line.keys(),
            Syntax::Words => line.words(),
        }
        start = end + 1;
    }
}

/// A line of a text.
struct Line<'l, 'f> {
    /// The text up to the end of the line.
    text: &'l [u8],
    at: usize,
    /// Quotes that begin no more strings in the line, since one of them has no end.
    unclosed: Vec<u8>,
    found: &'f mut dyn FnMut(Span),
}

impl Line<'_, '_> {
    fn rest(&self) -> &[u8] {
        &self.text[self.at..]
    }

    /// Calls `found` with the bytes up to `end` without blanks around them.
    fn value(&mut self, start: usize, end: usize) {
        let text = &self.text[start..end];
        let trimmed = text.trim_ascii();
        if !trimmed.is_empty() {
            let start = start + (text.len() - text.trim_ascii_start().len());
            (self.found)(Span::new(start, start + trimmed.len()));
        }
    }

    /// The content of the quotes here. Moves after them. False if they have no end in the line.
    fn quoted(&mut self) -> bool {
        let (quote, start) = (self.text[self.at], self.at + 1);
        if self.unclosed.contains(&quote) {
            return false;
        }
        let mut end = start;
        while let Some(&byte) = self.text.get(end) {
            if byte == quote {
                self.value(start, end);
                self.at = end + 1;
                return true;
            }
            end += if byte == b'\\' { 2 } else { 1 };
        }
        self.unclosed.push(quote);
        false
    }

    fn strings(&mut self, comment: &[u8], in_comment: &mut bool) {
        let is_script = comment == b"//";
        let mut is_start = true;
        while let Some(&byte) = self.rest().first() {
            if *in_comment {
                match memmem::find(self.rest(), b"*/") {
                    Some(end) => self.at += end + 2,
                    None => return,
                }
                *in_comment = false;
                continue;
            }
            if is_start && self.rest().starts_with(comment) {
                return;
            }
            if is_script && self.rest().starts_with(b"/*") {
                *in_comment = true;
                self.at += 2;
                continue;
            }
            let is_quote = matches!(byte, b'"' | b'\'' | b'`');
            if !is_quote || !self.quoted() {
                self.at += 1;
            }
            is_start = byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b'{' | b'}');
        }
    }

    fn yaml(&mut self) {
        let mut start = self.at;
        // True if text other than blanks follows the start.
        let mut is_begun = false;
        while let Some(&byte) = self.rest().first() {
            let next = self.text.get(self.at + 1);
            let is_apart = next.is_none_or(u8::is_ascii_whitespace);
            let divides = match byte {
                b'#' if !is_begun || self.text[self.at - 1].is_ascii_whitespace() => break,
                b'"' | b'\'' if !is_begun && self.quoted() => {
                    start = self.at;
                    continue;
                }
                // The anchor or tag of a value.
                b'&' | b'!' if !is_begun => {
                    let rest = self.rest();
                    let end = rest.iter().position(u8::is_ascii_whitespace);
                    self.at += end.unwrap_or(rest.len());
                    start = self.at;
                    continue;
                }
                b':' => is_apart,
                b'-' => !is_begun && is_apart,
                b'[' | b'{' => !is_begun,
                b']' | b'}' | b',' => true,
                _ => false,
            };
            if divides {
                self.value(start, self.at);
                start = self.at + 1;
            }
            is_begun = !divides && (is_begun || !byte.is_ascii_whitespace());
            self.at += 1;
        }
        self.value(start, self.at);
    }

    fn keys(&mut self) {
        let rest = self.rest();
        if matches!(rest.trim_ascii_start().first(), Some(b'#' | b';' | b'[' | b'!')) {
            return;
        }
        let separator = rest.iter().position(|it| matches!(it, b'=' | b':'));
        let start = self.at + separator.map_or(0, |at| at + 1);
        self.value(start, self.text.len());
    }

    fn words(&mut self) {
        if self.rest().trim_ascii_start().starts_with(b"#") {
            return;
        }
        let mut start = self.at;
        for end in self.at..=self.text.len() {
            let ends = |it: &u8| it.is_ascii_whitespace() || b"\"'=;,()".contains(it);
            if self.text.get(end).is_none_or(ends) {
                self.value(start, end);
                start = end + 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(syntax: Syntax, text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        values(syntax, text.as_bytes(), &mut |span| found.push(&text[span.range()]));
        found
    }

    #[test]
    fn values_are_whole() {
        let text = "a: b c # d\n- e: [f, 'g h', \"i\"]\n'j': it's\n# k\nl: m#n\n  - o.md\n\"p: 'q\n- x: y:z\n";
        assert_eq!(
            all(Syntax::Yaml, text),
            [
                "a", "b c", "e", "f", "g h", "i", "j", "it's", "l", "m#n", "o.md", "\"p", "'q",
                "x", "y:z"
            ]
        );
        let text =
            "a: &x b\nc: !t 'd' # e\nf: [!!str g, &y \"h\"]\n- &z\n- !ENV [N, i]\nj: k & !l\n";
        assert_eq!(
            all(Syntax::Yaml, text),
            ["a", "b", "c", "d", "f", "g", "h", "N", "i", "j", "k & !l"]
        );
        let text = "a = 'b c' # 'd'\n\"e\\\"f\" # it's\ng'h\n#'i'\n";
        assert_eq!(all(Syntax::Strings, text), ["b c", "e\\\"f"]);
        let text = "'a//b', // 'c'\n`d` /* 'e'\n'f' */ \"g\"";
        assert_eq!(all(Syntax::Script, text), ["a//b", "d", "g"]);
        let text = "[s]\na = b c\nd: e\n# f\n  g\n";
        assert_eq!(all(Syntax::Keys, text), ["b c", "e", "g"]);
        let text = "/a /b 301\n# c\nd \"e f\" g=h;\n";
        assert_eq!(all(Syntax::Words, text), ["/a", "/b", "301", "d", "e", "f", "g", "h"]);
    }

    #[test]
    fn quote_without_end_begins_no_strings_in_its_line() {
        let text = "a \"b \\\"c 'd'\n\"e\"\n";
        assert_eq!(all(Syntax::Strings, text), ["d", "e"]);
        assert_eq!(all(Syntax::Script, text), ["d", "e"]);
        assert_eq!(all(Syntax::Yaml, "\"a\\\", b, 'c'"), ["\"a\\\"", "b", "c"]);
    }

    #[test]
    fn values_are_found_in_linear_time() {
        // Minutes, if the cost is quadratic.
        for unit in ["'", "\\\"", " ", "\"\\\",", "\t-", "[ ", "/*", ", ", "& "] {
            let text = format!("a: \"{}", unit.repeat(200_000 / unit.len()));
            for syntax in
                [Syntax::Yaml, Syntax::Strings, Syntax::Script, Syntax::Keys, Syntax::Words]
            {
                all(syntax, &text);
            }
        }
    }

    #[test]
    fn configurations_have_names_of_their_own() {
        let of = |path: &str| {
            let (directory, name) = super::super::paths::split(path.as_bytes());
            Syntax::of(directory, name)
        };
        assert_eq!(of("a/mkdocs.yml"), Some(Syntax::Yaml));
        assert_eq!(of("book.toml"), Some(Syntax::Strings));
        assert_eq!(of("docusaurus.config.ts"), Some(Syntax::Script));
        assert_eq!(of("docs/.vitepress/theme.mts"), Some(Syntax::Script));
        assert_eq!(of("docs/.vitepress/config/en.ts"), Some(Syntax::Script));
        assert_eq!(of("conf.py"), Some(Syntax::Strings));
        assert_eq!(of("Makefile"), Some(Syntax::Words));
        assert_eq!(of(".htaccess"), Some(Syntax::Words));
        for source in ["src/app.js", "a.py", "README", "LICENSE", "a.md", "a.txt", "a.css"] {
            assert_eq!(of(source), None, "{source}");
        }
    }
}
