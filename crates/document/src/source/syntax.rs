use std::path::Path;

use memchr::{memchr_iter, memmem};

use super::Compression;

/// The syntax of a plain text, identified by file extension or first line.
///
/// It determines the end of a URL (`https://a.example/,next cell` in CSV), and escapes and other
/// syntax inside one (`http://a.example/b\-c` in a man page).
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
    /// Folded fields, such as those of calendars.
    Fields(Fields),
    /// Unified diffs, whose lines have the syntax of the file that the header names.
    Diff,
}

/// The way in which long fields are folded over several lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fields {
    /// Header fields, whose folds are white space. Only parts of mail have them: delivery reports,
    /// the headers of other messages (RFC 5322, section 2.2.3).
    Header,
    /// Calendars and address cards, whose values have escapes (RFC 5545, section 3.1; RFC 6350,
    /// section 3.2).
    Directory,
    /// LDIF (RFC 2849), without escapes.
    Ldif,
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
    /// The syntax by the extension of `name`, without that of a compression; otherwise by the first
    /// line of `bytes`: a troff macro, the interpreter of a script, or the beginning of a calendar,
    /// an address card, LDIF or a diff.
    pub fn detect(name: &Path, bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let extension = Compression::stripped(name).extension();
        let extension = extension.and_then(|it| Some(it.to_str()?.to_ascii_lowercase()));
        let by_name = extension.as_deref().and_then(|it| Self::from_extension(it, bytes));
        by_name.or_else(|| match extension {
            None => Self::from_first_line(bytes),
            Some(_) => is_roff(bytes).then_some(Self::Roff),
        })
    }

    /// The syntax of a document of this format. Only plain text has one.
    fn from_extension(extension: &str, bytes: &[u8]) -> Option<Self> {
        Some(match extension {
            "csv" => Self::Cells { separator: separator(bytes) },
            "tsv" | "tab" => Self::Cells { separator: b'\t' },
            "man" | "roff" | "mdoc" => Self::Roff,
            "adoc" | "asciidoc" => Self::AsciiDoc,
            "wiki" | "mediawiki" | "wikitext" => Self::Wiki,
            "texi" | "texinfo" | "txi" => Self::Texinfo,
            "tex" | "ltx" | "latex" | "bib" | "bbl" | "sty" | "cls" | "dtx" => Self::Tex,
            "po" | "pot" => Self::Gettext,
            "properties" => Self::Properties,
            // Files of genetic variants have the extension of cards, too.
            "vcf" if bytes.starts_with(b"##fileformat=VCF") => return None,
            "ics" | "ical" | "icalendar" | "ifb" | "vcs" | "vcf" | "vcard" => {
                Self::Fields(Fields::Directory)
            }
            "diff" | "patch" => Self::Diff,
            "ldif" | "ldi" => Self::Fields(Fields::Ldif),
            other => Self::Code(literals(other)?),
        })
    }

    /// The names of syntaxes, for [`named`](Self::named).
    pub const NAMES: &[&str] = &[
        "json", "csv", "tsv", "roff", "tex", "texinfo", "asciidoc", "wiki", "gettext",
        "properties", "icalendar", "vcard", "ldif", "diff", "c", "python", "rust", "javascript",
        "java", "go", "php", "perl", "lua",
    ];

    /// The syntax with one of these [names](Self::NAMES), or of files with this extension, in any
    /// case of letters. `bytes` are the beginning of the text, which decides the separator of `csv`.
    pub fn named(name: &str, bytes: &[u8]) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        Some(match &*name {
            "gettext" => Self::Gettext,
            "python" => Self::Code(Literals::Python),
            "rust" => Self::Code(Literals::Rust),
            "javascript" => Self::Code(Literals::Plus),
            "perl" => Self::Code(Literals::Dot),
            extension => Self::from_extension(extension, bytes)?,
        })
    }

    /// Returns true if the extension, in any case of letters, is that of a syntax.
    pub(crate) fn has_extension(extension: &str) -> bool {
        Self::from_extension(&extension.to_ascii_lowercase(), b"").is_some()
    }

    /// The syntax of a text of a message: that of diffs, if it may have one.
    pub fn in_message(text: &[u8]) -> Option<Self> {
        // Few texts have many `@`.
        let hunk = memchr_iter(b'@', text).find(|at| text[*at..].starts_with(b"@@ -"))?;
        memmem::find(&text[..hunk], b"+++ ").map(|_| Self::Diff)
    }

    fn from_first_line(bytes: &[u8]) -> Option<Self> {
        if is_roff(bytes) {
            return Some(Self::Roff);
        }
        if let Some(fields) = Fields::begun_by(bytes) {
            return Some(Self::Fields(fields));
        }
        if begins_diff(bytes) {
            return Some(Self::Diff);
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

impl Fields {
    /// The syntax of a text that begins as a calendar, an address card or LDIF.
    fn begun_by(bytes: &[u8]) -> Option<Self> {
        let head = &bytes[..bytes.len().min(FIRST_LINE)];
        let mut lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
        // Comments of LDIF, and blank lines.
        let line = lines.find(|line| !line.is_empty() && line[0] != b'#').unwrap_or_default();
        let is = |begin: &str| line.eq_ignore_ascii_case(begin.as_bytes());
        if ["BEGIN:VCALENDAR", "BEGIN:VCARD"].into_iter().any(is) {
            return Some(Self::Directory);
        }
        let is_name = |line: &[u8]| {
            let name = line.get(..3).filter(|it| it.eq_ignore_ascii_case(b"dn:"));
            name.is_some() && (line[3..].starts_with(b":") || memchr::memchr(b'=', line).is_some())
        };
        let version = is("version: 1") || is("version:1");
        let is_ldif = match version {
            true => bytes[..bytes.len().min(FIRST_LINE)].split(|byte| *byte == b'\n').any(is_name),
            false => is_name(line),
        };
        is_ldif.then_some(Self::Ldif)
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

/// Returns true if a text begins with the header of a diff, or with the commit that `git log`
/// prints before one.
fn begins_diff(bytes: &[u8]) -> bool {
    let line = first_line(bytes);
    let begins = |begin: &[u8]| line.starts_with(begin);
    let next = || {
        let rest = bytes.get(line.len()..).unwrap_or_default().trim_ascii_start();
        first_line(rest)
    };
    let is_commit = || {
        let id = line.strip_prefix(b"commit ").unwrap_or_default();
        let len = id.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        len >= 40
    };
    begins(b"diff -")
        || begins(b"--- ") && next().starts_with(b"+++ ")
        || begins(b"Index: ") && next().starts_with(b"=====")
        || is_commit()
}

/// Returns true if a text begins like troff input: with a comment, or a macro that only begins
/// pages.
fn is_roff(bytes: &[u8]) -> bool {
    const BEGIN: [&[u8]; 8] =
        [b".\\\"", b"'\\\"", b".TH ", b".Dd ", b".so ", b".de ", b".ig", b"'br\\\""];
    let line = first_line(bytes.trim_ascii_start());
    BEGIN.iter().any(|begin| line.starts_with(begin))
}

/// The separator of a table's cells: the candidate that most of the first lines have equally often
/// outside of quotes, and the most often in the first line. A title or a comment before the table
/// may have another one.
fn separator(bytes: &[u8]) -> u8 {
    const LINES: usize = 16;
    let head = &bytes[..bytes.len().min(FIRST_LINE)];
    let mut lines = vec![[0; SEPARATORS.len()]];
    let mut is_quoted = false;
    for (at, &byte) in head.iter().enumerate() {
        if byte == b'"' {
            // Within a cell, a quote is a character as others.
            let before = at.checked_sub(1).map_or(b'\n', |before| head[before]);
            is_quoted =
                !is_quoted && (b"\"\n\r ".contains(&before) || SEPARATORS.contains(&before));
        } else if is_quoted {
        } else if byte == b'\n' {
            if lines.len() == LINES {
                break;
            }
            lines.push([0; SEPARATORS.len()]);
        } else if let Some(which) = SEPARATORS.iter().position(|it| *it == byte)
            && !is_of_url(head, at)
            && let Some(line) = lines.last_mut()
        {
            line[which] += 1;
        }
    }
    let mut best = (0, 0, SEPARATORS[0]);
    for (which, separator) in SEPARATORS.into_iter().enumerate() {
        let counts = lines.iter().map(|line| line[which]);
        let equal = |count| counts.clone().filter(|it| *it == count).count();
        let most = counts.clone().filter(|it| *it > 0).map(equal).max();
        let found = (most.unwrap_or_default(), lines[0][which], separator);
        if (found.0, found.1) > (best.0, best.1) {
            best = found;
        }
    }
    best.2
}

/// The characters that may separate cells.
const SEPARATORS: [u8; 4] = *b",;\t|";

/// Returns true if the character at an offset, which could be a separator, is a part of a URL: the
/// end of a character reference, the beginning of a parameter as in `;id=1`, or a `|` in a query.
fn is_of_url(text: &[u8], at: usize) -> bool {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"\",<>".contains(byte);
    let start = text[..at].iter().rposition(is_end).map_or(0, |it| it + 1);
    let before = &text[start..at];
    let Some(scheme) = memchr::memmem::rfind(before, b"://") else {
        return false;
    };
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.#".contains(byte);
    let url = &before[scheme..];
    match text[at] {
        b'|' => url.contains(&b'?'),
        b';' => {
            let name = text[at + 1..].iter().position(|byte| !is_name(byte));
            let is_parameter = name.is_some_and(|len| len > 0 && text[at + 1 + len] == b'=');
            let outside = url.iter().rposition(|byte| !is_name(byte));
            is_parameter || outside.is_some_and(|it| url[it] == b'&')
        }
        _ => false,
    }
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
    fn fields_are_recognized_by_name_and_first_line() {
        let directory = Some(TextSyntax::Fields(Fields::Directory));
        let ldif = Some(TextSyntax::Fields(Fields::Ldif));
        for name in ["a.ics", "a.IFB", "a.ical", "a.icalendar", "a.vcf", "a.vcard.gz"] {
            assert_eq!(detect(name, ""), directory, "{name}");
        }
        assert_eq!(detect("a.vcf", "##fileformat=VCFv4.2\n"), None);
        assert_eq!(detect("a.ldif", ""), ldif);
        assert_eq!(detect("", "BEGIN:VCALENDAR\r\n"), directory);
        assert_eq!(detect("", "\u{FEFF}begin:vcard\n"), directory);
        assert_eq!(detect("", "version: 1\n# people\n\ndn: cn=a,dc=b\n"), ldif);
        assert_eq!(detect("", "dn:: Y249YQ==\n"), ldif);
        assert_eq!(detect("", "dn: cn=a\n"), ldif);
        for text in ["version: 1\nurl: x\n", "dn: down\n", "BEGIN:VCALENDAR is the first line\n"] {
            assert_eq!(detect("", text), None, "{text}");
        }
        assert_eq!(detect("a.txt", "BEGIN:VCALENDAR\n"), None);
    }

    #[test]
    fn diffs_are_recognized_by_name_and_header() {
        let diff = Some(TextSyntax::Diff);
        assert_eq!(detect("a.diff", ""), diff);
        assert_eq!(detect("a.patch.xz", ""), diff);
        let commit = format!("commit {}\nAuthor: a\n", "0a".repeat(20));
        for text in [
            "diff --git a/b b/b\n", "diff -u b c\n", "--- a/b\r\n+++ b/b\r\n", "Index: b\n=====\n",
            &*commit,
        ] {
            assert_eq!(detect("", text), diff, "{text}");
        }
        for text in ["different\n", "--- \n", "--- a\nb\n", "Index: b\nc\n", "commit abc\n"] {
            assert_eq!(detect("", text), None, "{text}");
        }
        assert_eq!(TextSyntax::in_message(b"x\n--- a\n+++ b\n@@ -1 +1 @@\n"), diff);
        assert_eq!(TextSyntax::in_message(b"x\n@@ -1 +1 @@\n+++ b\n"), None);
    }

    #[test]
    fn separator_is_that_of_most_lines_and_of_the_first_one() {
        for (separator, text) in [
            (b',', ""),
            (b';', "\"a,b,c\";d;e\n"),
            (b'\t', "a\tb\n,,,"),
            (b',', "# made; today; here\na,b\nc,d\n"),
            // A quoted cell over several lines.
            (b';', "a;b\n\"x,\ny,\nz, \"\"q\"\",\n\";1\n"),
            (b',', "a,b\n5\" disk,1\n3\" disk,2\n"),
            // Prose in cells.
            (b';', "id;text\n1;a, b\n2;c, d, e\n3;f, g\n"),
            (b'|', "id|text\n1|a, b; c\n2|a, b\n"),
            // Characters of URLs.
            (b',', "url,n\nhttp://a.example/;v,1\nhttp://a.example/;w,2\n"),
            (b',', "http://a.example/;v,1\nhttp://a.example/;w,2\n"),
            (b';', "url;n\nhttp://a.example/b,c;1\nhttp://a.example/d,e;2\n"),
            (b';', "http://a.example/;200\nhttp://b.example/;301\n"),
            (b';', "http://a.example/;http://b.example/\n"),
            (b',', "http://a.example/?b&amp;c&amp;d\nhttp://a.example/?b&amp;c&amp;d\n"),
            (b',', "http://a.example/b;id=1\nhttp://a.example/c;id=1\n"),
            (b',', "http://a.example/?f=A|B\nhttp://a.example/?f=C|D\n"),
            (b'|', "url|n\nhttp://a.example/|1\nhttp://b.example/|2\n"),
        ] {
            let cells = Some(TextSyntax::Cells { separator });
            assert_eq!(detect("a.csv", text), cells, "{text}");
        }
        assert_eq!(detect("a.tsv", "a,b"), Some(TextSyntax::Cells { separator: b'\t' }));
    }

    #[test]
    fn every_name_is_that_of_a_syntax() {
        for name in TextSyntax::NAMES {
            assert!(TextSyntax::named(name, b"").is_some(), "{name}");
        }
        assert_eq!(TextSyntax::named("JSON", b""), TextSyntax::named("jsonl", b""));
        assert_eq!(TextSyntax::named("nroff2", b""), None);
    }
}
