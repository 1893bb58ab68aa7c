//! Links as lines of text.

use std::borrow::Cow;
use std::path::Path;

use memchr::memchr2;
use rehref::records::LinkReport;
use rehref::rewrite::quoted_name;

/// How a link is printed as a line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineFormat {
    /// Print the reference as written instead of the URL.
    pub(crate) raw: bool,
    /// Print the document's name first.
    pub(crate) name: bool,
    /// Print the line.
    pub(crate) line: bool,
    /// Print the column after the line.
    pub(crate) column: bool,
    /// Print the offset of the first byte, from 0.
    pub(crate) offset: bool,
    /// Print the anchor text of the link.
    pub(crate) context: bool,
    /// End lines with NUL instead of LF.
    pub(crate) null: bool,
}

impl LineFormat {
    /// Appends a line with this value: [`value`](Self::value), or one of the link's alternatives. With contexts, a tab
    /// and the anchor text follow.
    pub(crate) fn write_value(&self, report: &LinkReport<'_>, value: &str, out: &mut Vec<u8>) {
        if self.name {
            out.extend_from_slice(&name_in_line(report.document().path(), self.null));
            out.push(b':');
        }
        let mut number = |wanted: bool, number: usize| {
            if wanted {
                out.extend_from_slice(number.to_string().as_bytes());
                out.push(b':');
            }
        };
        number(self.line, report.line());
        number(self.column, report.column());
        number(self.offset, report.offset());
        match self.null {
            true => out.extend_from_slice(value.as_bytes()),
            false => out.extend_from_slice(on_one_line(value).as_bytes()),
        }
        if self.context {
            let text = report.context().and_then(|it| it.text);
            out.push(b'\t');
            out.extend_from_slice(text.unwrap_or_default().as_bytes());
        }
        self.end(out);
    }

    /// Returns the URL or reference that is printed after the prefixes.
    pub(crate) fn value<'r>(&self, report: &'r LinkReport<'_>) -> &'r str {
        if self.raw {
            report.reference()
        } else {
            report.url_or_reference()
        }
    }

    /// Appends the end of a line.
    pub(crate) fn end(&self, out: &mut Vec<u8>) {
        out.push(if self.null { 0 } else { b'\n' });
    }
}

/// Returns the name of a file for a line of output, so that one record is one line. A name with a line break, or one
/// that begins with `"`, is quoted as git quotes names in diffs. All others, and all names in records that end with NUL,
/// are unchanged.
pub(crate) fn name_in_line(name: &Path, null: bool) -> Cow<'_, [u8]> {
    let bytes = name.as_os_str().as_encoded_bytes();
    let is_plain = || memchr2(b'\n', b'\r', bytes).is_none() && !bytes.starts_with(b"\"");
    match null || is_plain() {
        true => Cow::Borrowed(bytes),
        false => quoted_name(bytes),
    }
}

/// Returns a URL for one line: line breaks, which no URL has, are percent-encoded.
fn on_one_line(value: &str) -> Cow<'_, str> {
    match memchr2(b'\n', b'\r', value.as_bytes()) {
        None => Cow::Borrowed(value),
        Some(_) => Cow::Owned(value.replace('\n', "%0A").replace('\r', "%0D")),
    }
}
