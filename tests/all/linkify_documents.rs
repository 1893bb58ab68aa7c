//! Links that are made in documents: in their character encoding and format.

use encoding_rs::{EUC_JP, Encoding, ISO_2022_JP, SHIFT_JIS, UTF_16BE, UTF_16LE, WINDOWS_1252};
use rehref::format::Format;
use rehref::rewrite::LinkifyError;
use rehref::{Document, Linkify};

/// The document in this encoding.
fn document(text: &str, encoding: &'static Encoding, format: Format) -> Document {
    let bytes = match encoding {
        it if it == UTF_16LE => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        it if it == UTF_16BE => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        it => it.encode(text).0.into_owned(),
    };
    let document = Document::from_bytes(bytes).charset(encoding.name());
    document.format(format).build().expect("a document")
}

#[test]
fn documents_keep_their_character_encoding() {
    let html = "<p>\u{65E5}\u{672C} http://a.example/~b \u{8A9E}&lt;http://c.example/&gt;\u{8A9E}";
    let text =
        "\u{65E5}<\u{672C}> http://a.example/~b \"\u{8A9E}\" <http://c.example/\r\n d>\u{8A9E}&";
    for encoding in [UTF_16LE, UTF_16BE, ISO_2022_JP, SHIFT_JIS, EUC_JP, encoding_rs::UTF_8] {
        for (source, format) in [(html, Format::Html), (text, Format::Text)] {
            let document = document(source, encoding, format);
            let linked = Linkify::new().rel("\u{65E5}").document(&document).expect("HTML");
            assert_eq!(linked.links, 2);
            let decoded = encoding.decode_without_bom_handling(&linked.bytes).0;
            let linkify = Linkify::new().rel("\u{65E5}");
            let expected = match format {
                Format::Html => linkify.html(source),
                _ => linkify.text(source),
            };
            let written = match encoding == ISO_2022_JP {
                true => decoded.replace("&#26085;", "\u{65E5}").replace("&#126;", "~"),
                false => decoded.into_owned(),
            };
            assert_eq!(written, expected, "{}", encoding.name());
        }
    }
}

#[test]
fn characters_that_an_encoding_lacks_are_written_as_references() {
    let page = document("http://a.example/&#x4F8B;", WINDOWS_1252, Format::Html);
    let linked = Linkify::new().document(&page).expect("HTML");
    assert_eq!(
        String::from_utf8_lossy(&linked.bytes),
        "<a href=\"http://a.example/&#20363;\">http://a.example/&#x4F8B;</a>"
    );
}

#[test]
fn url_with_escapes_of_source_code_is_one_link() {
    let page = Document::from_bytes(b"See http://a.example/b\\-c and d.".to_vec());
    let page = page.name("page.man").build().expect("a document");
    let linked = Linkify::new().document(&page).expect("HTML");
    assert_eq!(
        String::from_utf8_lossy(&linked.bytes),
        "See <a href=\"http://a.example/b-c\">http://a.example/b\\-c</a> and d."
    );
}

#[test]
fn byte_order_mark_stays_first() {
    for (format, bytes) in [
        (Format::Html, &b"\xEF\xBB\xBFhttp://a.example/"[..]),
        (Format::Text, b"\xEF\xBB\xBFhttp://a.example/"),
    ] {
        let document = Document::from_bytes(bytes.to_vec()).format(format).build();
        let linked = Linkify::new().document(&document.expect("a document"));
        let expected = b"\xEF\xBB\xBF<a href=\"http://a.example/\">http://a.example/</a>";
        assert_eq!(linked.expect("HTML").bytes, expected);
    }
}

#[test]
fn url_with_invalid_bytes_is_no_link() {
    for (format, bytes) in [
        (Format::Html, &b"&lt;http://a.example/\xFF&gt; http://b.example/"[..]),
        (Format::Text, b"<http://a.example/\xFF> http://b.example/"),
    ] {
        let document = Document::from_bytes(bytes.to_vec());
        let document = document.charset("utf-8").format(format).build();
        let linked = Linkify::new().document(&document.expect("a document"));
        let linked = linked.expect("HTML");
        assert_eq!(linked.links, 1);
        let expected =
            b"&lt;http://a.example/\xFF&gt; <a href=\"http://b.example/\">http://b.example/</a>";
        assert_eq!(linked.bytes, expected);
    }
}

#[test]
fn other_formats_are_errors() {
    for format in [Format::Markdown, Format::Css, Format::Xml, Format::Shortcut] {
        let document = Document::from_bytes(b"http://a.example/".to_vec()).format(format);
        let error = Linkify::new().document(&document.build().expect("a document"));
        assert_eq!(error.err(), Some(LinkifyError::Format(format)));
    }
}

/// Attacks use these encodings: markup in others is text in them.
#[test]
fn documents_in_encodings_that_are_never_decoded_are_refused() {
    for format in [Format::Text, Format::Html] {
        let document = Document::from_bytes(b"http://a.example/ <script>b</script>".to_vec());
        let document = document.charset("iso-2022-kr").format(format);
        let document = document.build().expect("a document");
        let refused = Linkify::new().document(&document);
        assert_eq!(refused, Err(LinkifyError::Charset("replacement")));
    }
}
