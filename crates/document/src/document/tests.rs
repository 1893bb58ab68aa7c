//! Tests of documents and their builder.

use super::*;

#[test]
fn mailbox_is_refused() {
    let mailbox = b"From a@b.example Mon Jul 21 10:00 1997\nSubject: c\n\nSee\n".to_vec();
    let error = Document::from_bytes(mailbox).build().err();
    assert_eq!(error, Some(BuildError::Mail));
    assert!(BuildError::Mail.to_string().contains("open it as a mailbox"));
}

#[test]
fn unknown_charset_is_an_error_and_unknown_transport_charset_is_not() {
    let error = Document::from_bytes(Vec::new()).charset("nonsense").build();
    assert_eq!(error.err(), Some(BuildError::UnknownCharset("nonsense".to_owned())));
    let page = Document::from_bytes("é".into()).content_type("text/plain; charset=nonsense");
    assert_eq!(page.build().expect("a text").text().text, "é");
}

/// Tests of pages.
mod pages {
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
        let page =
            Document::from_bytes("\u{FEFF}中".into()).content_type("text/html; charset=big5");
        assert_eq!(page.build().expect("a page").text().text, "中");
    }

    #[test]
    fn link_has_the_text_around_it_and_the_heading_before_it() {
        let html =
            b"<h2>News</h2><p>See <a rel=next title=t href=b>the next\n <b>page</b></a>.".to_vec();
        let page = Document::from_bytes(html).content_type("text/html").build();
        let page = page.expect("a page");
        let links = page.links();
        let link = links.iter().next().expect("a link");
        let context = link.context().expect("a context");
        assert_eq!(context.text, Some("the next page"));
        assert_eq!((context.rel, context.title), (Some("next"), Some("t")));
        assert_eq!(context.heading, Some("News"));
    }

    #[test]
    fn link_is_found_again_by_its_id_with_other_options() {
        let html = b"http://a.example/ <a href=b>http://c.example/</a>".to_vec();
        let page = Document::from_bytes(html).content_type("text/html").build();
        let page = page.expect("a page");
        let links = page.links();
        let id = links.iter().next().expect("a link").id();
        let with_text = Options { html_text: true, ..Options::default() };
        let with_text = page.clone().with_options(with_text);
        let links = with_text.links();
        assert_eq!(links.len(), 3);
        assert_eq!(links.get(id).expect("the link").reference(), "b");
    }
}

#[test]
fn bytes_without_the_byte_order_mark_of_the_old_ones_are_read() {
    for (name, bytes) in [
        ("a.txt", "\u{FEFF}http://h/".as_bytes().to_vec()),
        ("b.txt", b"\xFF\xFEh\0:\0".to_vec()),
        ("a.html", "\u{FEFF}<a href=b>".as_bytes().to_vec()),
        ("a.css", "\u{FEFF}a{b:url(c)}".as_bytes().to_vec()),
        ("a.xml", b"\xFF\xFE<\0a\0/\0>\0".to_vec()),
    ] {
        let of = |bytes: &[u8]| Document::from_bytes(bytes.to_vec()).name(name).build();
        let document = of(&bytes).expect("a document");
        for len in 0..bytes.len() {
            let shorter = document.with_bytes(bytes[..len].to_vec());
            assert!(shorter.links().len() <= 1, "{name}");
            let unmarked = document.with_bytes(bytes[bytes.len() - len..].to_vec());
            assert!(unmarked.links().len() <= 1, "{name}");
        }
        let empty = of(b"").expect("a document").with_charset(document.charset());
        assert!(empty.links().is_empty(), "{name}");
    }
}

#[test]
fn extension_of_the_url_names_the_format_unless_there_is_a_name() {
    let format = |document: DocumentBuilder| document.build().expect("a document").format();
    let sheet = || Document::from_bytes(b"a{b:url(c)}".to_vec());
    assert_eq!(format(sheet()), Format::Text);
    assert_eq!(format(sheet().url("http://h/a.css?x=a.html#b")), Format::Css);
    assert_eq!(format(sheet().url("http://h/a.css").name("a.txt")), Format::Text);
    let page = sheet().url("http://h/a.css").content_type("text/html");
    assert_eq!(format(page), Format::Html);
}

#[test]
fn compressed_bytes_are_refused() {
    let compressed = b"\x1F\x8B\x08\0\0\0\0\0".to_vec();
    let document = Document::from_bytes(compressed).name("a.html.gz").build();
    assert_eq!(document.err(), Some(BuildError::Compressed(Compression::Gzip)));
}

#[test]
fn absolute_reference_keeps_its_spelling_unless_its_scheme_is_ignored() {
    let html = "<a href=https://x/a/../b><a href=HTTP://x/./c><a href=http:./g>";
    let page = Document::from_bytes(html.into()).content_type("text/html").url("http://a/b");
    let mut options = Options::default();
    options.resolver.same_scheme = crate::uri::SameScheme::Compat;
    let page = page.build().expect("a page");
    let links = page.links_with(&options);
    let urls: Vec<_> = links.iter().map(|link| link.url().expect("a URL").to_owned()).collect();
    assert_eq!(urls, ["https://x/a/../b", "HTTP://x/./c", "http://a/g"]);
}
