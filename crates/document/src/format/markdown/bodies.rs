//! Blocks of further programs whose bodies are Markdown: admonitions, tabs and definitions of
//! Python-Markdown, and directives of MyST.

use super::line::trim_blanks;

/// The directives of MyST whose content is not Markdown.
const CODE: [&str; 26] = [
    "code", "code-block", "code-cell", "command-output", "csv-table", "digraph", "doctest",
    "eval-rst", "graph", "graphviz", "highlight", "include", "ipython", "jupyter-execute",
    "literalinclude", "math", "mermaid", "parsed-literal", "plot", "prompt", "raw", "sourcecode",
    "testcode", "testoutput", "toctree", "uml",
];

/// Returns true if the content of the directive `name` of MyST is Markdown.
pub(super) fn is_markdown(name: &str) -> bool {
    !CODE.contains(&name)
}

/// The line that begins an indented body in Python-Markdown: an admonition (`!!! note "Title"`), a
/// collapsible one (`???`, `???+`), or a tab (`=== "Title"`).
pub(super) fn begins_body(line: &[u8]) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b' ');
    let (rest, needs_title) = match line {
        [b'!', b'!', b'!', rest @ ..] | [b'?', b'?', b'?', b'+', rest @ ..] => (rest, false),
        [b'?', b'?', b'?', rest @ ..] => (rest, false),
        [b'=', b'=', b'=', rest @ ..] => {
            let marks = rest.iter().take(2).take_while(|it| matches!(it, b'+' | b'!')).count();
            (&rest[marks..], true)
        }
        _ => return false,
    };
    let rest = trim_blanks(rest);
    let words = rest.iter().take_while(|byte| is_word(**byte)).count();
    let title = &rest[words..];
    let is_title = title.len() > 1 && title.starts_with(b"\"") && title.ends_with(b"\"");
    match needs_title {
        true => words == 0 && is_title,
        false => words > 0 && (title.is_empty() || is_title) || words == 0 && is_title,
    }
}

/// The length of the marker of a definition in Python-Markdown: a colon and one to three blanks.
pub(super) fn definition_marker(line: &[u8]) -> Option<usize> {
    let after = line.strip_prefix(b":")?;
    let blanks = after.iter().take_while(|byte| **byte == b' ').count();
    ((1..=3).contains(&blanks) && blanks < after.len()).then_some(1)
}

/// Returns true if the content of the element with this tag is Markdown for Python-Markdown: if the
/// attribute `markdown` has no value, or `1`, `block` or `span`.
pub(super) fn holds_markdown(tag: &[u8]) -> bool {
    let Ok(tag) = std::str::from_utf8(tag) else {
        return false;
    };
    let Some((_, after)) = tag.split_once(" markdown") else {
        return false;
    };
    let value = after.strip_prefix('=').map(|it| it.trim_start_matches(['"', '\'']));
    match value {
        None => after.starts_with([' ', '>', '/']),
        Some(value) => ["1", "block", "span"].iter().any(|it| value.starts_with(it)),
    }
}

/// The name of the directive in the information of a fence: `{name} argument`.
pub(super) fn directive(info: &[u8]) -> Option<&str> {
    let info = std::str::from_utf8(trim_blanks(info)).ok()?;
    info.strip_prefix('{')?.split_once('}').map(|(name, _)| name)
}

/// The lines of a directive before its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Head {
    /// Options may follow: `:key: value`, or YAML after `---`.
    Options,
    /// YAML up to `---`.
    Yaml,
    /// It is over.
    Over,
}

impl Head {
    /// Passes a line. Returns true if it belongs to the head.
    pub(super) fn takes(&mut self, line: &[u8]) -> bool {
        let line = trim_blanks(line);
        match (*self, line) {
            (Self::Options, b"---") => {
                *self = Self::Yaml;
                true
            }
            (Self::Options, [b':', name @ ..]) => {
                let is_option = name.iter().position(|it| *it == b':').is_some_and(|end| {
                    end > 0 && name[..end].iter().all(|it| it.is_ascii_graphic())
                });
                if !is_option {
                    *self = Self::Over;
                }
                is_option
            }
            (Self::Yaml, b"---") => {
                *self = Self::Over;
                true
            }
            (Self::Yaml, _) => true,
            (Self::Options | Self::Over, _) => {
                *self = Self::Over;
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn admonitions_and_tabs_begin_bodies() {
        for line in [
            "!!! note", "!!! note inline end \"T\"", "!!! \"\"", "???+ warning \"W\"", "??? tip",
            "=== \"Tab\"", "===+ \"Tab\"", "===! \"Tab\"", "!!!note",
        ] {
            assert!(begins_body(line.as_bytes()), "{line}");
        }
        for line in
            ["!!!", "!! note", "===", "=== Tab", "====", "??? \"open", "!!! note: text", "?"]
        {
            assert!(!begins_body(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn elements_with_an_attribute_hold_markdown() {
        for tag in ["<div markdown>", "<div class=\"a\" markdown=\"1\">", "<p markdown='block' x>"]
        {
            assert!(holds_markdown(tag.as_bytes()), "{tag}");
        }
        for tag in ["<div>", "<div markdown=\"0\">", "<div title=markdown>", "<div markdowns>"] {
            assert!(!holds_markdown(tag.as_bytes()), "{tag}");
        }
    }

    #[test]
    fn heads_of_directives_are_options() {
        let taken = |lines: &[&str]| {
            let mut head = Head::Options;
            lines.iter().map(|line| head.takes(line.as_bytes())).collect::<Vec<_>>()
        };
        assert_eq!(taken(&[":a: b", ":c:", "", ":d: e"]), [true, true, false, false]);
        assert_eq!(taken(&["---", "a: b", "---", "c"]), [true, true, true, false]);
        assert_eq!(taken(&[": a: b"]), [false]);
    }
}
