//! Front matter: the metadata that a document begins with, in YAML or TOML.
//!
//! Only values of some keys are links. They are read line by line: a scalar on the line of the key,
//! a list in brackets that begins on that line, or the items of a list on the lines after it. Lines
//! of a scalar over several lines are not keys. Values with escapes, anchors, tags or nested lists
//! are not links.

use memchr::{memchr, memchr2, memmem};

use super::line::{Line, is_blank, trim_blanks};
use crate::bytes::Span;
use crate::format::options::Dialect;
use crate::link::Role;
use crate::settings::{self, Setting, Syntax};

/// The keys whose values are links, also within other keys (`cover: image:`).
const KEYS: [(&str, Role); 9] = [
    ("image", Role::Embed),
    ("images", Role::Embed),
    ("cover", Role::Embed),
    ("thumbnail", Role::Embed),
    ("banner", Role::Embed),
    ("aliases", Role::Navigate),
    ("redirect_from", Role::Navigate),
    ("redirect_to", Role::Navigate),
    ("permalink", Role::Navigate),
];

/// The settings of pages of VitePress and Starlight that are addresses or paths of files.
const ADDRESSES: [&[&str]; 10] = [
    &["hero", "actions", "link"],
    &["hero", "image"],
    &["hero", "image", "src"],
    &["hero", "image", "file"],
    &["hero", "image", "light"],
    &["hero", "image", "dark"],
    &["features", "link"],
    &["features", "icon", "src"],
    &["prev", "link"],
    &["next", "link"],
];

/// The language of a front matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    Yaml,
    Toml,
}

/// The front matter of a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrontMatter {
    content: Span,
    /// The offset of the line after it.
    pub(super) end: usize,
    language: Language,
}

/// The construct that is open at the end of a line.
#[derive(Clone, Copy, Debug)]
enum Open {
    Nothing,
    /// The items of a list, one on each line.
    List(Role),
    /// A list in brackets. Its items are links if the key has a role.
    Brackets(Role),
    /// A block scalar of a key with this indent.
    Block(usize),
    /// A string that ends with these bytes.
    String(&'static [u8]),
}

impl FrontMatter {
    /// The front matter that a document begins with: from `---` (YAML) or `+++` (TOML) in the first
    /// line to the same line.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let first = Line::at(bytes, 0)?;
        let opening = fence(&first)?;
        let mut at = first.next;
        while let Some(line) = Line::at(bytes, at) {
            if fence(&line) == Some(opening) {
                return Some(Self {
                    content: Span::new(first.next, at),
                    end: line.next,
                    language: opening,
                });
            }
            at = line.next;
        }
        None
    }

    /// Calls `found` with the values that are links, without their quotes.
    pub(super) fn links(self, bytes: &[u8], mut found: impl FnMut(Span, Role)) {
        let bytes = &bytes[..self.content.end];
        let mut open = Open::Nothing;
        let mut at = self.content.start;
        while let Some(line) = Line::at(bytes, at) {
            at = line.next;
            open = self.line(bytes, &line, open, &mut found);
        }
    }

    /// Calls `found` with the addresses in the settings of a page, for a program that has such
    /// settings. They begin with `/` or `.`.
    pub(super) fn addresses(self, text: &str, dialect: Dialect, mut found: impl FnMut(Span)) {
        let content = &text[self.content.range()];
        let has_settings =
            matches!(dialect, Dialect::VitePress | Dialect::Starlight | Dialect::Mdx)
                && self.language == Language::Yaml
                && ["hero", "features", "prev", "next"].iter().any(|it| content.contains(it));
        if !has_settings {
            return;
        }
        let settings = settings::read(content, Syntax::Yaml);
        let is_address = |text: &str| {
            let is_path = text.starts_with('/') && !text.starts_with("//") || text.starts_with('.');
            is_path && !text.contains(char::is_whitespace)
        };
        for keys in ADDRESSES {
            settings.each_at(keys, &mut |setting| {
                if let Setting::Text(address, span) = setting
                    && is_address(address)
                    && content[span.range()] == **address
                {
                    let start = self.content.start + span.start;
                    found(Span::new(start, start + span.len()));
                }
            });
        }
    }

    /// Calls `found` with the targets of wiki-links that are properties: `author: "[[note]]"`. Each
    /// is a whole string in quotes.
    pub(super) fn wiki_links(self, text: &str, mut found: impl FnMut(Span)) {
        let content = &text[self.content.range()];
        for (at, _) in content.match_indices("[[") {
            let quote = content[..at].chars().next_back().filter(|it| matches!(it, '"' | '\''));
            let rest = &content[at + 2..];
            let end = rest.find(['[', ']', '\n']).unwrap_or(rest.len());
            let target = rest[..end].split('|').next().unwrap_or_default().trim_end();
            // A target with an escape would be decoded.
            let is_target = !target.is_empty() && !target.contains(['\\', '"', '\'']);
            if let Some((quote, after)) = quote.zip(rest[end..].strip_prefix("]]"))
                && is_target
                && after.starts_with(quote)
            {
                let start = self.content.start + at + 2;
                found(Span::new(start, start + target.len()));
            }
        }
    }

    /// Reads a line. Returns the construct that is open at its end.
    fn line(
        self,
        bytes: &[u8],
        line: &Line<'_>,
        open: Open,
        found: &mut dyn FnMut(Span, Role),
    ) -> Open {
        let indent = line.indent();
        let rest = line.rest(indent.end);
        match open {
            Open::Block(width) if rest.is_empty() || indent.columns > width => return open,
            Open::String(end) => {
                return match memmem::find(rest, end) {
                    Some(_) => Open::Nothing,
                    None => open,
                };
            }
            Open::Brackets(role) => {
                let inner = Span::new(indent.end, line.end);
                return match self.items(bytes, inner, &mut |it| found(it, role)) {
                    true => Open::Nothing,
                    false => open,
                };
            }
            Open::List(_) if rest.is_empty() || rest[0] == b'#' => return open,
            Open::List(role) if rest.starts_with(b"- ") => {
                let value = Span::new(indent.end + 1, line.end);
                scalar(self.language, bytes, value, &mut |it| found(it, role));
                return open;
            }
            Open::List(_) | Open::Block(_) | Open::Nothing => {}
        }
        let Some((key, start)) = self.key(rest) else {
            return Open::Nothing;
        };
        let value = Span::new(indent.end + start, line.end);
        let text = trim_blanks(&bytes[value.range()]);
        if let Some(end) = unclosed(self.language, text) {
            return Open::String(end);
        }
        if self.language == Language::Yaml && matches!(text.first(), Some(b'|' | b'>')) {
            return Open::Block(indent.columns);
        }
        let Some((_, role)) = KEYS.iter().find(|(name, _)| name.as_bytes() == key) else {
            return Open::Nothing;
        };
        match text.first() {
            None | Some(b'#') if self.language == Language::Yaml => return Open::List(*role),
            Some(b'[') => {
                let blanks = bytes[value.range()].len() - text_from(&bytes[value.range()]).len();
                let inner = Span::new(value.start + blanks + 1, value.end);
                if !self.items(bytes, inner, &mut |it| found(it, *role)) {
                    return Open::Brackets(*role);
                }
            }
            _ => scalar(self.language, bytes, value, &mut |it| found(it, *role)),
        }
        Open::Nothing
    }

    /// The key that a line begins with, and the offset of its value. Quotes, outer keys and the
    /// mark of a list item are not part of it.
    fn key(self, rest: &[u8]) -> Option<(&[u8], usize)> {
        let (separator, key) = match self.language {
            Language::Yaml => {
                let ends = |&at: &usize| rest.get(at + 1).copied().is_none_or(is_blank);
                let colon = memchr::memchr_iter(b':', rest).find(ends)?;
                let key = &rest[..colon];
                (colon, key.strip_prefix(b"- ").unwrap_or(key))
            }
            Language::Toml => {
                let equals = memchr(b'=', rest)?;
                let key = &rest[..equals];
                let dot = key.iter().rposition(|&byte| byte == b'.');
                (equals, &key[dot.map_or(0, |dot| dot + 1)..])
            }
        };
        let key = trim_blanks(key);
        let unquoted = match key {
            [b'"', inner @ .., b'"'] | [b'\'', inner @ .., b'\''] => inner,
            key => key,
        };
        Some((unquoted, separator + 1))
    }

    /// The items of a list in brackets. `span` is the rest of a line. Returns true if the list ends
    /// in it.
    fn items(self, bytes: &[u8], span: Span, found: &mut dyn FnMut(Span)) -> bool {
        let mut at = span.start;
        loop {
            at += span.end - at - text_from(&bytes[at..span.end]).len();
            match bytes[..span.end].get(at) {
                None | Some(b'#') => return false,
                // Another list or map is in it.
                Some(b']' | b'[' | b'{') => return true,
                Some(b',') => at += 1,
                Some(quote @ (b'"' | b'\'')) => {
                    let Some(quoted) = quoted(self.language, &bytes[at..span.end], *quote) else {
                        return true;
                    };
                    if !quoted.has_escapes {
                        value(bytes, at + 1, quoted.len - 2, found);
                    }
                    at += quoted.len;
                }
                Some(&first) => {
                    let rest = &bytes[at..span.end];
                    let len = memchr2(b',', b']', rest).unwrap_or(rest.len());
                    if self.language == Language::Yaml && !is_indicator(first) {
                        value(bytes, at, trim_blanks(&rest[..len]).len(), found);
                    }
                    at += len;
                }
            }
        }
    }
}

/// The scalar in `span`, the rest of a line, perhaps with a comment.
fn scalar(language: Language, bytes: &[u8], span: Span, found: &mut dyn FnMut(Span)) {
    let rest = text_from(&bytes[span.range()]);
    let start = span.end - rest.len();
    match rest.first() {
        None => {}
        Some(quote @ (b'"' | b'\'')) => {
            if let Some(quoted) = quoted(language, rest, *quote)
                && !quoted.has_escapes
            {
                value(bytes, start + 1, quoted.len - 2, found);
            }
        }
        Some(&first) => {
            let comment = memmem::find(rest, b" #").unwrap_or(rest.len());
            if language == Language::Yaml && !is_indicator(first) {
                value(bytes, start, trim_blanks(&rest[..comment]).len(), found);
            }
        }
    }
}

/// The language of the front matter that a line opens or closes: `---` or `+++`.
fn fence(line: &Line<'_>) -> Option<Language> {
    let (fence, after) = line.rest(line.at).split_at_checked(3)?;
    let language = match fence {
        b"---" => Language::Yaml,
        b"+++" => Language::Toml,
        _ => return None,
    };
    after.iter().copied().all(is_blank).then_some(language)
}

/// The text after its leading blanks.
fn text_from(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|&&byte| is_blank(byte)).count();
    &text[blanks..]
}

/// Returns true for the characters that cannot begin a plain scalar of YAML (YAML 1.2, section
/// 7.3.3).
fn is_indicator(byte: u8) -> bool {
    b"-?:,[]{}#&*!|>'\"%@`".contains(&byte)
}

/// The end of the string that a value begins, if it is not in the line.
fn unclosed(language: Language, value: &[u8]) -> Option<&'static [u8]> {
    let (end, inner): (&[u8], _) = match (language, value) {
        (Language::Toml, [b'"', b'"', b'"', inner @ ..]) => (b"\"\"\"", inner),
        (Language::Toml, [b'\'', b'\'', b'\'', inner @ ..]) => (b"\'\'\'", inner),
        (Language::Yaml, [quote @ (b'"' | b'\''), ..]) => {
            let is_open = quoted(language, value, *quote).is_none();
            let end: &[u8] = if *quote == b'"' { b"\"" } else { b"'" };
            return is_open.then_some(end);
        }
        _ => return None,
    };
    memmem::find(inner, end).is_none().then_some(end)
}

/// A string in quotes.
struct Quoted {
    /// The length with the quotes.
    len: usize,
    has_escapes: bool,
}

/// The string in quotes that `text` begins with. `None` if it has no end.
fn quoted(language: Language, text: &[u8], quote: u8) -> Option<Quoted> {
    let mut has_escapes = false;
    let mut at = 1;
    loop {
        at += match quote {
            b'"' => memchr2(b'"', b'\\', text.get(at..)?)?,
            _ => memchr(quote, text.get(at..)?)?,
        };
        let is_doubled = quote == b'\'' && text.get(at + 1) == Some(&quote);
        if text[at] == b'\\' || is_doubled && language == Language::Yaml {
            has_escapes = true;
            at += 2;
        } else {
            return Some(Quoted { len: at + 1, has_escapes });
        }
    }
}

/// A value is a link if it can be a reference.
fn value(bytes: &[u8], start: usize, len: usize, found: &mut dyn FnMut(Span)) {
    let text = &bytes[start..start + len];
    let is_mapping = memmem::find(text, b": ").is_some() || text.ends_with(b":");
    if !matches!(text, b"" | b"true" | b"false" | b"null" | b"~") && !is_mapping {
        found(Span::new(start, start + len));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<&str> {
        let mut values = Vec::new();
        if let Some(front_matter) = FrontMatter::of(text.as_bytes()) {
            front_matter.links(text.as_bytes(), |span, _| values.push(&text[span.range()]));
        }
        values
    }

    #[test]
    fn values_of_yaml() {
        let yaml = |text: &str| {
            let text = format!("---\n{text}\n---\n");
            values(&text).join(" | ")
        };
        for (text, expected) in [
            ("image: a.png # b", "a.png"),
            ("\"image\": 'a b.png'", "a b.png"),
            ("images: [a.png, \"b.png\" , 'c.png']", "a.png | b.png | c.png"),
            ("images: [a.png,\n  b.png]\nbanner: c.png", "a.png | b.png | c.png"),
            ("images:\n# c\n- a.png\n  - \"b.png\"\n\nx: y", "a.png | b.png"),
            ("- image: a.png", "a.png"),
            ("cover:\n  image: a.png", "a.png"),
            ("images: [\"a\\\"b, c.png\", d.png]", "d.png"),
            ("images: ['it''s, c.png', d.png]", "d.png"),
            ("text: >\n  image: a.png\n\n  image: b.png\nimage: c.png", "c.png"),
            ("image: |\n  cover: b.png", ""),
            ("text: \"one\n  image: a.png\"\nimage: b.png", "b.png"),
            ("images: [@a.png, %b.png, [c.png], d.png]", ""),
            ("images: [@a.png, d.png]", "d.png"),
            ("image: @a.png\nimage: *b\nimage: !c d\nimage: {e: f}", ""),
            ("image: true\nimage:\nimage: ~", ""),
            ("image:a.png\ntitle: image: a.png", ""),
        ] {
            assert_eq!(yaml(text), expected, "{text}");
        }
        assert_eq!(values("---\nimage: a.png\n"), [""; 0]);
        assert_eq!(values(" ---\nimage: a.png\n---\n"), [""; 0]);
    }

    #[test]
    fn values_of_toml() {
        let toml = |text: &str| {
            let text = format!("+++\n{text}\n+++\n");
            values(&text).join(" | ")
        };
        for (text, expected) in [
            ("image = \"a.png\"", "a.png"),
            ("cover.image = 'a.png'", "a.png"),
            ("aliases = [\"/a/\",\n  '/b/', # c\n]\nimage = 'd'", "/a/ | /b/ | d"),
            ("image = \"\"\"\nimage = \"z\"\n\"\"\"\nbanner = 'b'", "b"),
            ("images = [[\"x\"], \"y\"]", ""),
            ("image = a.png", ""),
        ] {
            assert_eq!(toml(text), expected, "{text}");
        }
    }
}
