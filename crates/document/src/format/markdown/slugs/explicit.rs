//! Explicit ids of headings: `{#id}` at the end.
//!
//! Each program has a different syntax for such attributes. The functions read it from the source
//! of the heading. A program that reads it from the text differs only if the id has markup.

use crate::format::options::Slugs;

/// The explicit id of a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Explicit<'h> {
    pub(super) id: Option<&'h str>,
    /// The source without the attributes.
    pub(super) rest: &'h str,
}

/// The explicit id in the source of a heading. Attributes without an id are also separated from the
/// rest.
pub(super) fn explicit(slugs: Slugs, source: &str) -> Explicit<'_> {
    let found = match slugs {
        Slugs::Mdbook => mdbook(source),
        Slugs::Mkdocs => mkdocs(source),
        Slugs::Vitepress => vitepress(source),
        Slugs::Nextra => nextra(source),
        Slugs::Docsify => docsify(source),
        Slugs::Honkit => honkit(source),
        Slugs::Pandoc => pandoc(source),
        Slugs::Hugo => hugo(source),
        Slugs::Kramdown | Slugs::Jekyll => kramdown(source),
        Slugs::Docusaurus => comment(source),
        Slugs::Github
        | Slugs::Gitlab
        | Slugs::Jupyter
        | Slugs::Obsidian
        | Slugs::Astro
        | Slugs::None => None,
    };
    found.unwrap_or(Explicit { id: None, rest: source })
}

/// The name of a block of Obsidian with its mark, at the end of a line: `^name`.
pub(in crate::format::markdown) fn block_name(line: &str) -> Option<&str> {
    let line = line.trim_ascii_end();
    let (before, name) = line.rsplit_once('^')?;
    let is_apart = before.is_empty() || before.ends_with([' ', '\t']);
    let is_name = |it: u8| it.is_ascii_alphanumeric() || it == b'-';
    (is_apart && !name.is_empty() && name.bytes().all(is_name)).then(|| &line[before.len()..])
}

/// The id in attributes in braces after other text than that of a heading: `{: #id}` or `{#id}`.
pub(in crate::format::markdown) fn id_in_braces(slugs: Slugs, braces: &str) -> Option<&str> {
    let inner = braces.strip_prefix('{')?.strip_suffix('}')?;
    let inner = match slugs {
        Slugs::Kramdown | Slugs::Jekyll => inner.strip_prefix(':')?,
        Slugs::Mkdocs => inner.strip_prefix(':').unwrap_or(inner),
        Slugs::Pandoc | Slugs::Vitepress | Slugs::Hugo if !inner.starts_with(':') => inner,
        _ => return None,
    };
    let mut words = Words::new(inner, &[' '], &['"', '\'']);
    let mut id = None;
    while let Some(word) = words.next_of_attr_list() {
        id = word.strip_prefix('#').or(word.strip_prefix("id=").map(unquoted)).or(id);
    }
    id.filter(|id| !id.is_empty() && words.rest.trim_start().is_empty())
}

/// The id at the end of a rendered text, which is where Docusaurus reads it.
pub(super) fn at_end_of_text(text: &str) -> Option<&str> {
    let inner = text.strip_suffix('}')?;
    let id = &inner[inner.rfind("{#")? + 2..];
    let is_one = !id.is_empty() && !id.contains(['}', '\n']);
    is_one.then(|| id.trim())
}

/// A comment of HTML or MDX at the end, whose first word is `#id`.
fn comment(source: &str) -> Option<Explicit<'_>> {
    let end = |open: &str, close| {
        let inner = source.trim_end().strip_suffix(close)?;
        let start = inner.rfind(open)?;
        Some((start, &inner[start + open.len()..]))
    };
    let (start, comment) = end("<!--", "-->").or_else(|| end("{/*", "*/}"))?;
    let id = comment.trim().split(' ').next()?.strip_prefix('#')?;
    (!id.is_empty()).then_some(Explicit { id: Some(id), rest: source[..start].trim_end() })
}

/// The braces at the end, and the bytes between them. The last opening brace counts.
fn braces(source: &str) -> Option<(usize, &str)> {
    let inner = source.trim_ascii_end().strip_suffix('}')?;
    let open = inner.rfind('{')?;
    Some((open, &inner[open + 1..]))
}

/// pulldown-cmark accepts any words, and no character that markup needs.
fn mdbook(source: &str) -> Option<Explicit<'_>> {
    let (open, inner) = braces(source)?;
    if inner.contains(['}', '\\', '<', '>', '\n', '\r']) {
        return None;
    }
    let ids = inner.split_ascii_whitespace().rev();
    let mut ids = ids.filter_map(|word| word.strip_prefix('#'));
    Some(Explicit { id: ids.find(|id| !id.is_empty()), rest: &source[..open] })
}

/// markdown-it-attrs accepts the words of MkDocs, also without a blank before them. Directly after
/// an inline they are about that.
fn vitepress(source: &str) -> Option<Explicit<'_>> {
    let (open, inner) = braces(source)?;
    let rest = &source[..open];
    let is_of_inline = rest.ends_with(['*', '_', ')', ']', '`', '~']);
    let id = id_in_braces(Slugs::Vitepress, &source.trim_ascii_end()[open..]);
    (!inner.trim().is_empty()).then(|| Explicit { id: id.filter(|_| !is_of_inline), rest })
}

/// `[#id]` at the end.
fn nextra(source: &str) -> Option<Explicit<'_>> {
    let inner = source.trim_end().strip_suffix(']')?;
    let open = inner.find("[#")?;
    let id = &inner[open + 2..];
    (!id.is_empty()).then(|| Explicit { id: Some(id), rest: source[..open].trim_end() })
}

/// `:id=NAME`, after a blank.
fn docsify(source: &str) -> Option<Explicit<'_>> {
    let at = source.find(" :id=")?;
    let value = &source[at + " :id=".len()..];
    let is_name = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-' | '%');
    let end = value.find(|it| !is_name(it)).unwrap_or(value.len());
    (end > 0).then(|| Explicit { id: Some(&value[..end]), rest: &source[..at] })
}

/// `{#id}` anywhere. Of several, the id ends at the last brace.
fn honkit(source: &str) -> Option<Explicit<'_>> {
    let open = source.find("{#")?;
    let id = &source[open + 2..];
    let id = &id[..id.rfind('}')?];
    (!id.is_empty()).then(|| Explicit { id: Some(id), rest: &source[..open] })
}

/// `[\t ]{#NAME}`, with a name of XML.
fn kramdown(source: &str) -> Option<Explicit<'_>> {
    let (open, inner) = braces(source)?;
    let id = inner.strip_prefix('#')?;
    let is_first = |it: char| it.is_alphabetic() || matches!(it, '_' | ':');
    let is_next =
        |it: char| is_first(it) || it.is_alphanumeric() || matches!(it, '-' | '.' | '\u{B7}');
    let rest = source[..open].strip_suffix([' ', '\t'])?;
    (id.starts_with(is_first) && id.chars().all(is_next))
        .then(|| Explicit { id: Some(id), rest: rest.trim_ascii_end() })
}

/// Python-Markdown's extension `attr_list`: blanks, then `{` or `{:`, then attributes up to the
/// end.
fn mkdocs(source: &str) -> Option<Explicit<'_>> {
    let inner = source.trim_end_matches(' ').strip_suffix('}')?;
    let opens = inner.match_indices(" {").map(|(at, _)| at);
    let mut opens = opens.map(|at| {
        let inner = &inner[at + 2..];
        (at, inner.strip_prefix(':').unwrap_or(inner).trim_start_matches(' '))
    });
    let (open, inner) = opens.find(|(_, inner)| !inner.is_empty() && !inner.starts_with('}'))?;
    let mut id = None;
    let mut words = Words::new(inner, &[' '], &['"', '\'']);
    while let Some(word) = words.next_of_attr_list() {
        id = word.strip_prefix('#').or(word.strip_prefix("id=").map(unquoted)).or(id);
    }
    (!words.rest.contains('}')).then(|| Explicit { id, rest: source[..open].trim_end_matches(' ') })
}

/// Pandoc's attributes. Directly after a link or code they are about that.
fn pandoc(source: &str) -> Option<Explicit<'_>> {
    let (open, inner) = braces(source)?;
    let rest = &source[..open];
    let is_escaped = rest.len() - rest.trim_end_matches('\\').len();
    if is_escaped % 2 == 1 {
        return None;
    }
    let is_name = |it: char| it.is_alphanumeric() || matches!(it, '-' | '_' | ':' | '.');
    let mut words = Words::new(inner, &[' ', '\t'], &['"', '\'']);
    let mut id = None;
    while let Some(word) = words.next_of_attributes(is_name)? {
        match word {
            Word::Id(name) if name.starts_with(char::is_alphabetic) => id = Some(name),
            Word::Class(name) if name.starts_with(char::is_alphabetic) => {}
            Word::Value("-", "") => {}
            Word::Id(_) | Word::Class(_) | Word::Value(_, "") => return None,
            Word::Value("id", value) => id = Some(value),
            Word::Value(..) => {}
        }
    }
    let is_of_inline = rest.ends_with('`') || rest.ends_with(')') && rest.contains("](");
    Some(Explicit { id: id.filter(|_| !is_of_inline), rest })
}

/// goldmark's attributes, in the last line.
fn hugo(source: &str) -> Option<Explicit<'_>> {
    let (open, inner) = braces(source)?;
    let rest = &source[..open];
    if rest.ends_with('\\') || inner.contains('\n') {
        return None;
    }
    let is_name = |it: char| {
        !it.is_ascii_whitespace()
            && (!it.is_ascii_punctuation() || matches!(it, '_' | '-' | ':' | '.'))
    };
    let mut words = Words::new(inner, &[' ', '\t', ','], &['"']);
    let mut id = None;
    while let Some(word) = words.next_of_attributes(is_name)? {
        match word {
            Word::Value(_, "") => return None,
            Word::Id(name) | Word::Value("id", name) => id = Some(name),
            Word::Class(_) | Word::Value(..) => {}
        }
    }
    Some(Explicit { id, rest })
}

fn unquoted(value: &str) -> &str {
    let quoted = |quote| value.strip_prefix(quote)?.strip_suffix(quote);
    quoted('"').or_else(|| quoted('\'')).unwrap_or(value)
}

/// An attribute.
enum Word<'h> {
    Id(&'h str),
    Class(&'h str),
    Value(&'h str, &'h str),
}

/// The words between the braces.
struct Words<'h> {
    rest: &'h str,
    separators: &'static [char],
    quotes: &'static [char],
}

impl<'h> Words<'h> {
    fn new(rest: &'h str, separators: &'static [char], quotes: &'static [char]) -> Self {
        Self { rest, separators, quotes }
    }

    fn split(&mut self, len: usize) -> &'h str {
        let (first, rest) = self.rest.split_at(len);
        self.rest = rest;
        first
    }

    /// The length of the value at `at`, which may be quoted.
    fn value_len(&self, at: usize, is_bare: impl Fn(char) -> bool) -> usize {
        let value = &self.rest[at..];
        let quoted = value.starts_with(self.quotes).then(|| {
            let close = value[1..].find(&value[..1])?;
            Some(close + 2)
        });
        let bare = || value.find(|it| !is_bare(it)).unwrap_or(value.len());
        quoted.flatten().unwrap_or_else(bare)
    }

    /// The next word of `attr_list`. None at the end or at a character that cannot begin one.
    fn next_of_attr_list(&mut self) -> Option<&'h str> {
        self.rest = self.rest.trim_start_matches(self.separators);
        let is_bare = |it| !matches!(it, ' ' | '=' | '}');
        let name = self.rest.find(|it| !is_bare(it)).unwrap_or(self.rest.len());
        let value = match self.rest[name..].starts_with('=') {
            true => self.value_len(name + 1, is_bare),
            false => 0,
        };
        let len = if value == 0 { name } else { name + 1 + value };
        (name > 0).then(|| self.split(len))
    }

    /// The next word of Pandoc's attributes, whose names have the characters of `is_name`. `None`
    /// if the text does not continue with a word, and `Some(None)` at the end. A name without a
    /// value has an empty one.
    fn next_of_attributes(&mut self, is_name: impl Fn(char) -> bool) -> Option<Option<Word<'h>>> {
        self.rest = self.rest.trim_start_matches(self.separators);
        let Some(first) = self.rest.chars().next() else {
            return Some(None);
        };
        let name_len = |text: &str| text.find(|it| !is_name(it)).unwrap_or(text.len());
        if matches!(first, '#' | '.') {
            let len = 1 + name_len(&self.rest[1..]);
            let name = &self.split(len)[1..];
            return Some(Some(match first {
                '#' => Word::Id(name),
                _ => Word::Class(name),
            }));
        }
        let len = name_len(self.rest);
        let name = self.split(len);
        if name.is_empty() {
            return None;
        }
        let value = match self.rest.starts_with('=') {
            true => {
                self.split(1);
                let separators = self.separators;
                let len = self.value_len(0, |it| !separators.contains(&it));
                self.split(len)
            }
            false => "",
        };
        Some(Some(Word::Value(name, unquoted(value))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ids of the programs. An empty text is a heading whose id is derived from its text.
    #[test]
    fn programs_accept_these_attributes() {
        let rows = [
            // Source, then mdBook, MkDocs, Pandoc, Hugo, kramdown.
            ("x {#Ab.c:d}", ["Ab.c:d", "Ab.c:d", "Ab.c:d", "Ab.c:d", "Ab.c:d"]),
            ("x{#near}", ["near", "", "near", "near", ""]),
            ("x {: #colon}", ["colon", "colon", "", "", ""]),
            ("x {:.c #colon k=v}", ["colon", "colon", "", "", ""]),
            ("x {#é}", ["é", "é", "é", "é", "é"]),
            ("x {#1a}", ["1a", "1a", "", "1a", ""]),
            ("x { #blank }", ["blank", "blank", "blank", "blank", ""]),
            ("x {#a#b}", ["a#b", "a#b", "b", "b", ""]),
            ("x {#a} y", ["", "", "", "", ""]),
            ("x \\{#escaped}", ["escaped", "", "", "", ""]),
            ("x [l](u){#link}", ["link", "", "", "link", ""]),
            ("x *e*{#direct}", ["direct", "", "direct", "direct", ""]),
            ("x *e* {#text}", ["text", "text", "text", "text", "text"]),
            ("`code {#in}`", ["", "", "", "", ""]),
            ("x {k=\"a b\" #two}", ["two", "two", "two", "two", ""]),
            ("x {k='a b' #two .c}", ["two", "two", "two", "", ""]),
            ("x {#a,.b}", ["a,.b", "a,.b", "", "a", ""]),
            ("x {k=v,#b}", ["", "", "", "b", ""]),
            ("x {#a .c -}", ["a", "a", "a", "", ""]),
            ("x {id=key}", ["", "key", "key", "key", ""]),
            ("x {.c}", ["", "", "", "", ""]),
            ("x {#a", ["", "", "", "", ""]),
            ("x {}", ["", "", "", "", ""]),
            ("x {#a}}", ["", "", "", "", ""]),
        ];
        let programs = [Slugs::Mdbook, Slugs::Mkdocs, Slugs::Pandoc, Slugs::Hugo, Slugs::Kramdown];
        for (source, ids) in rows {
            let found = programs.map(|it| explicit(it, source).id.unwrap_or_default());
            assert_eq!(found, ids, "{source}");
        }
    }

    #[test]
    fn attributes_without_an_id_are_separated() {
        for (slugs, source, rest) in [
            (Slugs::Mdbook, "x {any words}", "x "),
            (Slugs::Mkdocs, "x {.c}", "x"),
            (Slugs::Mkdocs, "x {a} {#b}", "x {a} {#b}"),
            (Slugs::Pandoc, "x {.c -}", "x "),
            (Slugs::Pandoc, "x {no words}", "x {no words}"),
            (Slugs::Hugo, "x {.c}", "x "),
            (Slugs::Kramdown, "x {.c}", "x {.c}"),
            (Slugs::Github, "x {#a}", "x {#a}"),
        ] {
            let found = explicit(slugs, source);
            assert_eq!((found.id, found.rest), (None, rest), "{slugs}: {source}");
        }
    }

    #[test]
    fn docusaurus_reads_comments_and_the_end_of_the_text() {
        for (source, id) in [
            ("x <!-- #a -->", Some("a")),
            ("x <!-- #a and more -->", Some("a")),
            ("x {/* #a */}", Some("a")),
            ("x <!-- a -->", None),
            ("x <!-- # -->", None),
            ("x <!-- #a --> y", None),
        ] {
            assert_eq!(explicit(Slugs::Docusaurus, source).id, id, "{source}");
        }
        for (text, id) in [
            ("x {#a}", Some("a")),
            ("x{# a b }", Some("a b")),
            ("{#a}", Some("a")),
            ("x {#a} y", None),
            ("x {#}", None),
            ("x {#a}}", None),
            ("x {#a {#b}", Some("b")),
        ] {
            assert_eq!(at_end_of_text(text), id, "{text}");
        }
    }

    #[test]
    fn honkit_accepts_an_id_anywhere() {
        let id = |source| explicit(Slugs::Honkit, source).id;
        assert_eq!(id("a {#b} c"), Some("b"));
        assert_eq!(id("a{#日本}"), Some("日本"));
        assert_eq!(id("a {#x} b {#y}"), Some("x} b {#y"));
        for source in ["a {#}", "a {b}", "a {#b", "a }{#b"] {
            assert_eq!(id(source), None, "{source}");
        }
    }
}
