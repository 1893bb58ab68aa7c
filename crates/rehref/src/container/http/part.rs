//! The part of a body that a response has: the range that it declares, and the version of the body.

use mail_parser::DateTime;

/// The part of a body that a response declares to have (RFC 9110, section 14.4). One without a range
/// declares all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BodyPart {
    /// The offset of its first byte.
    pub(crate) start: u64,
    /// The offset after its last byte.
    pub(crate) end: u64,
    /// The length of the whole body.
    pub(crate) total: u64,
    /// True if the body is in a coding: then the range is one of encoded bytes.
    pub(crate) is_coded: bool,
    /// The strong validator: parts with the same one are of the same body (RFC 9110, section
    /// 15.3.7.3).
    pub(crate) validator: Option<String>,
}

impl BodyPart {
    /// The part that the head of a response declares. `None` if its length or that of the whole is
    /// unknown, or if it has several ranges.
    ///
    /// Cost: linear in the head.
    pub(crate) fn of_head(head: &[u8], is_partial: bool) -> Option<Self> {
        let (start, end, total) = match is_partial {
            true => range(field(head, "Content-Range")?)?,
            // With chunks, the length does not count (RFC 9112, section 6.3).
            false if field(head, "Transfer-Encoding").is_some() => return None,
            false => {
                let len = field(head, "Content-Length")?.parse().ok()?;
                (0, len, len)
            }
        };
        let is_coding = |it: &str| !it.is_empty() && !it.eq_ignore_ascii_case("identity");
        let is_coded = fields(head, "Content-Encoding").any(is_coding);
        Some(Self { start, end, total, is_coded, validator: validator(head) })
    }
}

/// The range of a `Content-Range`: the offsets of its first byte and after its last one, and the
/// length of the whole.
fn range(value: &str) -> Option<(u64, u64, u64)> {
    let (unit, range) = value.split_once(' ')?;
    let (range, total) = range.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    let [first, last, total] = [first, last, total].map(|it| it.trim().parse::<u64>());
    let (first, last, total) = (first.ok()?, last.ok()?, total.ok()?);
    let is_valid = unit.eq_ignore_ascii_case("bytes") && first <= last && last < total;
    is_valid.then(|| (first, last + 1, total))
}

/// The strong validator of a head: an `ETag`, or a `Last-Modified` that is at least one second
/// before `Date` (RFC 9110, sections 8.8.1 and 8.8.2.2).
fn validator(head: &[u8]) -> Option<String> {
    if let Some(tag) = field(head, "ETag") {
        return tag.starts_with('"').then(|| tag.to_owned());
    }
    let modified = field(head, "Last-Modified")?;
    let [date, changed] = [field(head, "Date")?, modified].map(DateTime::parse_rfc822);
    (date?.to_timestamp() > changed?.to_timestamp()).then(|| modified.to_owned())
}

/// The value of the last field with this name.
fn field<'h>(head: &'h [u8], name: &'static str) -> Option<&'h str> {
    fields(head, name).next()
}

/// The values of the fields with this name, the last one first.
fn fields<'h>(head: &'h [u8], name: &'static str) -> impl Iterator<Item = &'h str> {
    let lines = head.rsplit(|byte| *byte == b'\n');
    lines.filter_map(move |line| {
        let (start, value) = line.split_at_checked(name.len())?;
        let is_name = start.eq_ignore_ascii_case(name.as_bytes());
        let value = value.trim_ascii_start().strip_prefix(b":").filter(|_| is_name)?;
        str::from_utf8(value.trim_ascii()).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(fields: &str, is_partial: bool) -> Option<(u64, u64, u64, bool, Option<String>)> {
        let head = format!("HTTP/1.1 206 Partial Content\r\n{fields}\r\n\r\n");
        let part = BodyPart::of_head(head.as_bytes(), is_partial)?;
        Some((part.start, part.end, part.total, part.is_coded, part.validator))
    }

    #[test]
    fn ranges_are_those_of_rfc_9110() {
        for (range, expected) in [
            ("bytes 0-9/10", Some((0, 10, 10))),
            ("Bytes 5-6/10", Some((5, 7, 10))),
            ("bytes 0-9/*", None),
            ("bytes */10", None),
            ("bytes 6-5/10", None),
            ("bytes 0-10/10", None),
            ("lines 0-9/10", None),
            ("bytes 0-18446744073709551615/18446744073709551615", None),
        ] {
            let found = part(&format!("content-range : {range}"), true);
            assert_eq!(found.map(|it| (it.0, it.1, it.2)), expected, "{range}");
        }
        assert_eq!(part("Content-Length: 7", false), Some((0, 7, 7, false, None)));
        assert_eq!(part("Content-Length: 7", true), None);
    }

    #[test]
    fn only_strong_validators_count() {
        let modified = "Last-Modified: Tue, 15 Nov 1994 12:45:26 GMT\r\nDate: Tue, 15 Nov 1994";
        for (fields, expected) in [
            ("ETag: \"a\"".to_owned(), Some("\"a\"")),
            ("ETag: W/\"a\"".to_owned(), None),
            (format!("{modified} 12:45:27 GMT"), Some("Tue, 15 Nov 1994 12:45:26 GMT")),
            (format!("{modified} 12:45:26 GMT"), None),
            (format!("{modified} 12:45:27 GMT\r\nETag: W/\"a\""), None),
            ("Last-Modified: Tue, 15 Nov 1994 12:45:26 GMT".to_owned(), None),
        ] {
            let found =
                part(&format!("Content-Encoding: gzip\r\nContent-Length: 1\r\n{fields}"), false);
            let (.., is_coded, validator) = found.expect("a part");
            assert_eq!((is_coded, validator.as_deref()), (true, expected), "{fields}");
        }
    }
}
