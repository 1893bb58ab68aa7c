use std::path::Path;

use super::Compression;

/// The syntax of a plain text, identified by file extension or first line.
///
/// It determines the end of a URL (`https://a.example/,next cell` in CSV), and escapes and other syntax
/// inside one (`http://a.example/b\-c` in a man page).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextSyntax {
    /// Comma-separated values (RFC 4180) and similar tables.
    Cells {
        /// The ASCII character between two cells.
        separator: u8,
    },
    /// Man pages and other input of troff: `groff(7)`, `mdoc(7)`.
    Roff,
    /// AsciiDoc.
    AsciiDoc,
    /// The markup of MediaWiki and other wikis.
    Wiki,
    /// Texinfo.
    Texinfo,
    /// TeX, LaTeX and BibTeX.
    Tex,
    /// Message catalogs of gettext: `.po` and `.pot`.
    Gettext,
    /// Source code and data with string literals.
    Code(Literals),
    /// Properties files of Java.
    Properties,
}

/// The way a string literal is continued in the next line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Literals {
    /// By another literal (C and its relatives).
    C,
    /// By another literal in either kind of quotes, possibly with a prefix (Python).
    Python,
    /// By `\` at the end of the line; the next line's indentation is skipped (Rust).
    Rust,
    /// By `+` and another literal (Java, JavaScript, C# and others).
    Plus,
    /// By `.` and another literal (PHP, Perl).
    Dot,
    /// By `..` and another literal (Lua).
    DotDot,
    /// Never (JSON).
    Json,
}

/// The number of bytes of the first line that are examined.
const FIRST_LINE: usize = 4 << 10;

impl TextSyntax {
    /// The syntax by the extension of `name`, without that of a compression; otherwise by the first line of `bytes`: a
    /// troff macro, or the interpreter of a script.
    pub fn detect(name: &Path, bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let extension = Compression::stripped(name).extension();
        let extension = extension.and_then(|it| Some(it.to_str()?.to_ascii_lowercase()));
        let by_name = extension
            .as_deref()
            .and_then(|it| Self::from_extension(it, bytes));
        by_name.or_else(|| match extension {
            None => Self::from_first_line(bytes),
            Some(_) => is_roff(bytes).then_some(Self::Roff),
        })
    }

    /// The syntax of a document of this format. Only plain text has one.
    fn from_extension(extension: &str, bytes: &[u8]) -> Option<Self> {
        Some(match extension {
            "csv" => Self::Cells {
                separator: separator(bytes),
            },
            "tsv" | "tab" => Self::Cells { separator: b'\t' },
            "man" | "roff" | "mdoc" => Self::Roff,
            "adoc" | "asciidoc" => Self::AsciiDoc,
            "wiki" | "mediawiki" | "wikitext" => Self::Wiki,
            "texi" | "texinfo" | "txi" => Self::Texinfo,
            "tex" | "ltx" | "latex" | "bib" | "bbl" | "sty" | "cls" | "dtx" => Self::Tex,
            "po" | "pot" => Self::Gettext,
            "properties" => Self::Properties,
            other => Self::Code(literals(other)?),
        })
    }

    /// Returns true if the extension, in any case of letters, is that of a syntax.
    pub(crate) fn has_extension(extension: &str) -> bool {
        Self::from_extension(&extension.to_ascii_lowercase(), b"").is_some()
    }

    fn from_first_line(bytes: &[u8]) -> Option<Self> {
        if is_roff(bytes) {
            return Some(Self::Roff);
        }
        let interpreter = first_line(bytes).strip_prefix(b"#!")?;
        let words = interpreter.split(|byte| b" \t/".contains(byte));
        let mut names = words.filter_map(|word| std::str::from_utf8(word).ok());
        names.find_map(|name| {
            let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
            Some(Self::Code(match name {
                "python" => Literals::Python,
                "node" | "nodejs" => Literals::Plus,
                "perl" | "php" => Literals::Dot,
                "lua" => Literals::DotDot,
                _ => return None,
            }))
        })
    }
}

fn literals(extension: &str) -> Option<Literals> {
    Some(match extension {
        "c" | "h" | "cc" | "cpp" | "cxx" | "c++" | "hh" | "hpp" | "hxx" | "inc" | "m" | "mm"
        | "d" | "l" | "y" | "glsl" | "proto" => Literals::C,
        "py" | "pyi" | "pyx" => Literals::Python,
        "rs" => Literals::Rust,
        "java" | "js" | "mjs" | "cjs" | "jsx" | "ts" | "mts" | "cts" | "tsx" | "cs" | "kt"
        | "kts" | "scala" | "go" | "swift" | "dart" | "groovy" | "gradle" => Literals::Plus,
        "php" | "pl" | "pm" => Literals::Dot,
        "lua" => Literals::DotDot,
        "json" | "jsonl" | "ndjson" | "geojson" | "ipynb" | "map" | "webmanifest" => Literals::Json,
        _ => return None,
    })
}

fn first_line(bytes: &[u8]) -> &[u8] {
    let head = &bytes[..bytes.len().min(FIRST_LINE)];
    let end = memchr::memchr(b'\n', head).unwrap_or(head.len());
    head[..end].trim_ascii_end()
}

/// Returns true if a text begins like troff input: with a comment, or a macro that only begins pages.
fn is_roff(bytes: &[u8]) -> bool {
    const BEGIN: [&[u8]; 8] = [
        b".\\\"", b"'\\\"", b".TH ", b".Dd ", b".so ", b".de ", b".ig", b"'br\\\"",
    ];
    let line = first_line(bytes.trim_ascii_start());
    BEGIN.iter().any(|begin| line.starts_with(begin))
}

/// The separator of a table's cells: the candidate that most of the first lines have outside of quotes, and the most often in
/// the first line. A title or a comment before the table may have another one.
fn separator(bytes: &[u8]) -> u8 {
    const SEPARATORS: [u8; 4] = *b",;\t|";
    const LINES: usize = 16;
    // The number of lines, and of occurrences in the first line.
    let mut counts = [(0, 0); SEPARATORS.len()];
    let head = &bytes[..bytes.len().min(FIRST_LINE)];
    for (number, line) in head.split(|&byte| byte == b'\n').take(LINES).enumerate() {
        let mut in_line = [0; SEPARATORS.len()];
        let mut is_quoted = false;
        for byte in line {
            is_quoted ^= *byte == b'"';
            if let Some(at) = SEPARATORS.iter().position(|it| it == byte && !is_quoted) {
                in_line[at] += 1;
            }
        }
        for (count, in_line) in counts.iter_mut().zip(in_line) {
            count.0 += usize::from(in_line > 0);
            count.1 += if number == 0 { in_line } else { 0 };
        }
    }
    let most = counts.iter().max().copied().unwrap_or_default();
    let first = counts.iter().position(|count| *count == most);
    SEPARATORS[first.unwrap_or_default()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect(name: &str, text: &str) -> Option<TextSyntax> {
        TextSyntax::detect(Path::new(name), text.as_bytes())
    }

    #[test]
    fn extension_names_the_syntax() {
        assert_eq!(detect("a.adoc", ""), Some(TextSyntax::AsciiDoc));
        assert_eq!(detect("a.PO.gz", ""), Some(TextSyntax::Gettext));
        assert_eq!(detect("a.po.XZ", ""), Some(TextSyntax::Gettext));
        assert_eq!(detect("a.py", ""), Some(TextSyntax::Code(Literals::Python)));
        assert_eq!(detect("a.txt", "http://a.example/"), None);
        assert_eq!(detect("py", ""), None);
    }

    #[test]
    fn first_line_names_the_syntax() {
        assert_eq!(detect("a.1", "\n.TH A 1\n"), Some(TextSyntax::Roff));
        assert_eq!(detect("a.3pm.gz", ".\\\" Made\n"), Some(TextSyntax::Roff));
        assert_eq!(detect("syslog.1", "Nov 23 boot\n"), None);
        let python = Some(TextSyntax::Code(Literals::Python));
        assert_eq!(detect("a", "#!/usr/bin/env python3.11 -u\n"), python);
        assert_eq!(detect("a", "#!/bin/sh\n"), None);
    }

    #[test]
    fn separator_is_that_of_most_lines_and_of_the_first_one() {
        let cells = |separator| Some(TextSyntax::Cells { separator });
        assert_eq!(detect("a.csv", ""), cells(b','));
        assert_eq!(detect("a.csv", "\"a,b,c\";d;e\n"), cells(b';'));
        assert_eq!(detect("a.csv", "a\tb\n,,,"), cells(b'\t'));
        assert_eq!(detect("a.tsv", "a,b"), cells(b'\t'));
        assert_eq!(
            detect("a.csv", "# made; today; here\na,b\nc,d\n"),
            cells(b',')
        );
    }
}
