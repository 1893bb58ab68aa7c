//! The first lines of records: the version of WARC, and the line of ARC.

use memchr::{memchr, memrchr};

/// The length of a version such as `WARC/1.0` that is a whole line.
pub(super) fn version_len(bytes: &[u8]) -> Option<usize> {
    let version = bytes.strip_prefix(b"WARC/")?;
    let major = digits(version);
    let minor = version.get(major..)?.strip_prefix(b".")?;
    let len = major + 1 + digits(minor);
    let is_version = (1..=2).contains(&major) && (1..=2).contains(&digits(minor));
    let ends = matches!(version.get(len)?, b'\r' | b'\n' | b' ' | b'\t');
    (is_version && ends).then_some(b"WARC/".len() + len)
}

fn digits(bytes: &[u8]) -> usize {
    let is_other = |byte: &u8| !byte.is_ascii_digit();
    bytes.iter().position(is_other).unwrap_or(bytes.len())
}

/// A number of digits alone.
pub(super) fn number(text: &[u8]) -> Option<u64> {
    let is_number = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(text).ok()?.parse().ok().filter(|_| is_number)
}

/// The maximum number of fields of an ARC record that are examined from its end.
const MAX_ARC_FIELDS: usize = 10;

/// The head of an ARC record: `URL IP date type length`, in version 2 with further fields before
/// the length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ArcLine<'b> {
    pub(super) url: &'b [u8],
    pub(super) date: &'b [u8],
    pub(super) content_type: &'b [u8],
    pub(super) len: Option<u64>,
}

impl<'b> ArcLine<'b> {
    /// Parses a line without its end. URLs may have blanks, so the date is searched from the end.
    pub(super) fn parse(line: &'b [u8]) -> Option<Self> {
        let mut end = line.len();
        let mut behind: &[u8] = &[];
        let mut fields = line.rsplit(|&byte| byte == b' ').take(MAX_ARC_FIELDS);
        let len = number(fields.next()?);
        end -= line.len() - memrchr(b' ', line)?;
        for field in fields {
            let start = end - field.len();
            let is_date = (12..=18).contains(&field.len()) && number(field).is_some();
            if is_date && !behind.is_empty() {
                let before = line[..start].strip_suffix(b" ")?;
                let (url, host) = before.split_at(memrchr(b' ', before)?);
                let is_host = |byte: &u8| byte.is_ascii_alphanumeric() || b".:-".contains(byte);
                let scheme = &url[..memchr(b':', url)?];
                let is_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
                let is_valid = host[1..].iter().all(is_host) && scheme.iter().all(is_scheme);
                return is_valid.then_some(Self { url, date: field, content_type: behind, len });
            }
            behind = field;
            end = start.saturating_sub(1);
        }
        None
    }

    /// The date in the form of WARC. It has at least twelve digits.
    pub(super) fn iso_date(&self) -> Vec<u8> {
        let mut digits = self.date.to_vec();
        digits.resize(14, b'0');
        let text = String::from_utf8_lossy(&digits).into_owned();
        let [year, month, day, hour, minute, second] =
            [0..4, 4..6, 6..8, 8..10, 10..12, 12..14].map(|range| &text[range]);
        format!("{year}-{month}-{day}T{hour}:{minute}:{second}Z").into_bytes()
    }
}
