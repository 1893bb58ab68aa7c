//! The format of a body.

use std::path::Path;

use infer::MatcherType;

use crate::document::content_type::charset_parameter;
use crate::format::{Container, Format, is_binary};
use crate::source::Charset;
use crate::uri::Parts;

/// The format and the character encoding of a body, decoded from its codings. `None` if it is not
/// read: images and other binary data, scripts and JSON.
///
/// A declared media type decides, for any content: a page as `text/plain` is text. XHTML is XML if
/// it is declared so. Without a type, the content decides, and then the extension in the path of
/// `url`. Messages are read as text.
///
/// The character encoding is that of the byte order mark, of the media type, of the document's
/// declaration, or the most likely one.
///
/// Cost: linear in the body, since bytes that are not declared may be UTF-8.
pub fn document_kind(
    content_type: Option<&str>,
    url: &str,
    body: &[u8],
) -> Option<(Format, Charset)> {
    let (essence, parameters) = split_type(content_type.unwrap_or_default());
    let format = match is_unknown(&essence) {
        true => format_of_content(url, body)?,
        false => format_of_type(&essence)?,
    };
    let format = match format.container() {
        None => format,
        Some(Container::Message | Container::Mailbox) => Format::Text,
        Some(Container::Package | Container::Page | Container::WebArchive) => return None,
    };
    let declared = format.declared_charset();
    let charset = match charset_parameter(parameters) {
        Some(label) => Charset::of_transport(label, body, declared),
        None => Charset::detect(body, true, declared),
    };
    Some((format, charset))
}

/// A media type in lower case, and its parameters.
fn split_type(value: &str) -> (String, &str) {
    let (essence, parameters) = value.split_once(';').unwrap_or((value, ""));
    // Several values in one field: most programs count the first.
    let essence = essence.split(',').next().unwrap_or_default();
    (essence.trim().to_ascii_lowercase(), parameters)
}

/// Returns true if a media type is one that servers send for unknown content (MIME Sniffing
/// standard, section 7).
fn is_unknown(essence: &str) -> bool {
    matches!(essence, "unknown/unknown" | "application/unknown" | "*/*" | "content/unknown")
        || !essence.contains('/')
}

/// The format of a declared media type.
fn format_of_type(essence: &str) -> Option<Format> {
    let (main, subtype) = essence.split_once('/')?;
    // XML of other types is data of programs, such as models.
    let is_xml = subtype == "xml" || subtype.ends_with("+xml");
    if is_xml && !matches!(main, "text" | "application" | "image") {
        return None;
    }
    let is_read = main != "text" || !is_script(subtype);
    Format::from_media_type(essence).filter(|_| is_read)
}

/// Returns true for the text types of scripts and JSON (MIME Sniffing standard, section 4.6).
fn is_script(subtype: &str) -> bool {
    let name = subtype.strip_prefix("x-").unwrap_or(subtype);
    name.starts_with("javascript")
        || matches!(name, "ecmascript" | "jscript" | "livescript" | "json")
}

/// The format of a body without a media type.
fn format_of_content(url: &str, body: &[u8]) -> Option<Format> {
    if body.is_empty() || is_data(body) {
        return None;
    }
    let by_content = Format::detect(Path::new(""), body);
    if !by_content.is_plain_text() {
        return Some(by_content);
    }
    let path = Parts::split(url).path;
    let name = path.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map(|(_, it)| it.to_ascii_lowercase());
    match extension.as_deref() {
        Some("js" | "mjs" | "cjs" | "json") => None,
        _ => Some(Format::from_extension_of(Path::new(name), body).unwrap_or(by_content)),
    }
}

/// Returns true if a body is not text.
fn is_data(body: &[u8]) -> bool {
    let head = &body[..body.len().min(1 << 10)];
    let is_invalid = str::from_utf8(head).is_err_and(|it| it.error_len().is_some());
    let is_known = || infer::get(head).is_some_and(|it| it.matcher_type() != MatcherType::Text);
    is_binary(body) || is_invalid && is_known()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(content_type: Option<&str>, url: &str, body: &[u8]) -> Option<Format> {
        document_kind(content_type, url, body).map(|(format, _)| format)
    }

    fn charset(content_type: Option<&str>, body: &[u8]) -> String {
        let kind = document_kind(content_type, "http://a.example/", body);
        kind.expect("a document").1.name()
    }

    #[test]
    fn declared_types_decide() {
        for (content_type, expected) in [
            ("text/html", Some(Format::Html)),
            (" TEXT/HTML ;charset=utf-8", Some(Format::Html)),
            ("text/html, text/html", Some(Format::Html)),
            ("text/plain", Some(Format::Text)),
            ("text/css", Some(Format::Css)),
            ("text/csv", Some(Format::Text)),
            ("text/xml", Some(Format::Xml)),
            ("application/xhtml+xml", Some(Format::Xml)),
            ("application/rss+xml; x", Some(Format::Xml)),
            ("image/svg+xml", Some(Format::Xml)),
            ("message/rfc822", Some(Format::Text)),
            ("model/x3d+xml", None),
            ("multipart/related", None),
            ("image/png", None),
            ("application/octet-stream", None),
            ("application/json", None),
            ("application/ld+json", None),
            ("text/json", None),
            ("text/javascript; charset=utf-8", None),
            ("text/x-javascript", None),
            ("application/javascript", None),
        ] {
            for body in [&b"<!DOCTYPE html><title>a</title>"[..], b"", b"\x89PNG\0"] {
                let found = format(Some(content_type), "http://a.example/b.css", body);
                assert_eq!(found, expected, "{content_type}");
            }
        }
    }

    #[test]
    fn content_decides_without_a_type() {
        let page = b" <!DOCTYPE html><title>a</title>";
        for content_type in [None, Some(""), Some("html"), Some("*/*"), Some("unknown/unknown")] {
            for url in ["http://a.example/b", "http://a.example/b.css", "", "b.json"] {
                assert_eq!(
                    format(content_type, url, page),
                    Some(Format::Html),
                    "{content_type:?} {url}"
                );
            }
        }
        let of = |url: &str, body: &[u8]| format(None, url, body);
        assert_eq!(of("http://a.example/b.css?x.html#y.xml", b"a{}"), Some(Format::Css));
        assert_eq!(of("http://a.example/b", b"<?xml version='1.0'?><feed/>"), Some(Format::Xml));
        assert_eq!(of("http://a.example/b", b"words"), Some(Format::Text));
        assert_eq!(
            of("http://a.example/b", b"From: a@b.example\nSubject: c\n\nd"),
            Some(Format::Text)
        );
        for (url, body) in [
            ("http://a.example/b", &b""[..]),
            ("http://a.example/b.js", b"let a"),
            ("http://a.example/b.JSON", b"[]"),
            ("http://a.example/b", b"a\0b"),
            ("http://a.example/b.html", b"\x89PNG\r\n\x1A\n\0"),
            ("http://a.example/b", b"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n"),
        ] {
            assert_eq!(of(url, body), None, "{url} {body:?}");
        }
    }

    #[test]
    fn charsets_are_those_of_the_mark_the_header_and_the_document() {
        let meta = b"<meta charset=koi8-r>\xE9";
        assert_eq!(charset(Some("text/html; charset=Shift_JIS"), meta), "shift_jis");
        assert_eq!(charset(Some("text/html; charset=\"utf-8\""), meta), "utf-8");
        assert_eq!(charset(Some("text/html; charset=klingon"), meta), "koi8-r");
        assert_eq!(charset(Some("text/html"), meta), "koi8-r");
        assert_eq!(charset(None, "\u{e9}".as_bytes()), "utf-8");
        assert_eq!(charset(Some("text/html; charset=koi8-r"), b"\xFF\xFEa\0"), "utf-16le");
        assert_eq!(charset(Some("text/plain"), "é".as_bytes()), "utf-8");
        assert_eq!(charset(Some("text/plain"), b"\xE9t\xE9"), "windows-1252");
        assert_eq!(charset(Some("text/xml"), b"<?xml version='1.0' encoding='euc-jp'?>"), "euc-jp");
    }
}
