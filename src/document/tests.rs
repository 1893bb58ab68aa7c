//! Tests of documents and their builder.

use super::*;

#[test]
fn content_type_names_format_and_charset() {
    let page =
        Document::from_bytes(b"\xA4\xA4".to_vec()).content_type("text/html; charset=\"big5\"");
    let page = page.build().expect("a page");
    assert_eq!(page.format(), Format::Html);
    assert_eq!(page.text().text, "中");
}

#[test]
fn byte_order_mark_wins_over_content_type() {
    let page = Document::from_bytes("\u{FEFF}中".into()).content_type("text/html; charset=big5");
    assert_eq!(page.build().expect("a page").text().text, "中");
}

#[test]
fn mailbox_is_refused() {
    let mailbox = b"From a@b.example Mon Jul 21 10:00 1997\nSubject: c\n\nSee\n".to_vec();
    assert_eq!(
        Document::from_bytes(mailbox).build().err(),
        Some(BuildError::Mail)
    );
}

#[test]
fn unknown_charset_is_an_error_and_unknown_transport_charset_is_not() {
    let error = Document::from_bytes(Vec::new()).charset("nonsense").build();
    assert_eq!(
        error.err(),
        Some(BuildError::UnknownCharset("nonsense".to_owned()))
    );
    let page = Document::from_bytes("é".into()).content_type("text/plain; charset=nonsense");
    assert_eq!(page.build().expect("a text").text().text, "é");
}
