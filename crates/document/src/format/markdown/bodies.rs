//! Blocks of further programs whose bodies are Markdown: admonitions, tabs and definitions of
//! Python-Markdown, and directives of MyST.

use super::line::trim_blanks;

/// The directives whose content is not Markdown: those of MyST, and of extensions of Sphinx for code
/// and diagrams.
const CODE: [&str; 53] = [
    "actdiag", "altair-plot", "autosummary", "bash", "blockdiag", "c", "code", "code-block",
    "code-cell", "command-output", "console", "cpp", "csv-table", "d2", "diagrams", "digraph",
    "doctest", "eval-rst", "exec_code", "execute_code", "graph", "graphviz", "highlight",
    "include", "ipython", "jinja", "js", "julia", "jupyter-execute", "jupyter-input",
    "jupyter-output", "literalinclude", "math", "mermaid", "nwdiag", "packetdiag",
    "parsed-literal", "plantuml", "plot", "prompt", "python", "r", "rackdiag", "raw", "seqdiag",
    "shell", "sourcecode", "testcode", "testoutput", "tikz", "toctree", "uml", "vega",
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

/// The title of the line that begins a tab, without quotes, and true if the tab begins a new set.
pub(super) fn tab_title(line: &str) -> Option<(&str, bool)> {
    let marks = line.strip_prefix("===")?;
    let (before, rest) = marks.split_once('"')?;
    Some((rest.trim_end().strip_suffix('"')?, before.contains('!')))
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
    let is_name_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'=' | b'>' | b'/');
    let mut rest = tag;
    while let Some(at) = rest.iter().position(|it| it.is_ascii_whitespace() || *it == b'/') {
        rest = rest[at + 1..].trim_ascii_start();
        let (name, after) = rest.split_at(rest.iter().position(is_name_end).unwrap_or(rest.len()));
        let value = after.trim_ascii_start().strip_prefix(b"=").map(<[u8]>::trim_ascii_start);
        let (value, after) = match value {
            Some([quote @ (b'"' | b'\''), value @ ..]) => {
                let end = value.iter().position(|it| it == quote).unwrap_or(value.len());
                (Some(&value[..end]), &value[end..])
            }
            Some(value) => {
                let end = value.iter().position(|it| it.is_ascii_whitespace() || *it == b'>');
                let (value, after) = value.split_at(end.unwrap_or(value.len()));
                (Some(value), after)
            }
            None => (None, after),
        };
        if name.eq_ignore_ascii_case(b"markdown") {
            return value.is_none_or(|it| [&b"1"[..], b"block", b"span"].contains(&it));
        }
        rest = after;
    }
    false
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
