//! Detection of pages under any name.

/// The number of bytes that [`begins_as_page`] reads.
const SNIFF: usize = 1024;

/// Returns true if the content begins with `<!DOCTYPE html` or `<html`, after white space and
/// comments. Reads the first 1,024 bytes.
pub fn begins_as_page(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(SNIFF)];
    let mut rest = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    loop {
        rest = rest.trim_ascii_start();
        let comment = rest.strip_prefix(b"<!--");
        match comment.map(|it| memchr::memmem::find(it, b"-->").map(|end| &it[end + 3..])) {
            None => break,
            Some(None) => return false,
            Some(Some(after)) => rest = after,
        }
    }
    let is_tag = |tag: &[u8]| {
        let name = rest.get(..tag.len());
        let end = rest.get(tag.len());
        name.is_some_and(|it| it.eq_ignore_ascii_case(tag))
            && end.is_some_and(|end| end.is_ascii_whitespace() || *end == b'>')
    };
    is_tag(b"<!DOCTYPE html") || is_tag(b"<html")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_begins_with_its_doctype_or_root() {
        for page in
            ["<!DOCTYPE html>", "\u{FEFF} <!-- x -->\n<HTML lang=en>", "<!doctype HTML PUBLIC>"]
        {
            assert!(begins_as_page(page.as_bytes()), "{page}");
        }
        for other in ["", "<", "<htmlx>", "<!-- <html>", "# <html>", "<p>", "<?xml version='1.0'?>"]
        {
            assert!(!begins_as_page(other.as_bytes()), "{other}");
        }
    }
}
