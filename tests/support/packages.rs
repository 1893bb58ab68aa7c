//! Packages for tests: small documents of offices and books.

use std::io::{Cursor, Read, Write};

use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

/// Parts with their contents, in the order of the package.
pub(crate) type Parts<'p> = &'p [(&'p str, &'p str)];

/// A package with these parts. The first one is stored, and the others are deflated.
pub(crate) fn package(parts: Parts<'_>) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (number, (name, content)) in parts.iter().enumerate() {
        let method = match number {
            0 => CompressionMethod::Stored,
            _ => CompressionMethod::Deflated,
        };
        let options = SimpleFileOptions::default().compression_method(method);
        zip.start_file(*name, options).expect("a name");
        zip.write_all(content.as_bytes()).expect("memory");
    }
    zip.finish().expect("memory").into_inner()
}

const CONTENT_TYPES: (&str, &str) = ("[Content_Types].xml", "<Types/>");

/// A relationship to a target outside of the package.
pub(crate) fn relationship(kind: &str, target: &str) -> String {
    format!("<Relationship Id='r' Type='x/{kind}' Target='{target}' TargetMode='External'/>")
}

/// A document of Word with hyperlinks to these targets, which are escaped, and these other parts.
pub(crate) fn docx_with(targets: &[&str], others: Parts<'_>) -> Vec<u8> {
    let links: String = targets.iter().map(|it| relationship("hyperlink", it)).collect();
    let links = format!(
        "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>{links}</Relationships>"
    );
    let mut parts = vec![CONTENT_TYPES, ("word/_rels/document.xml.rels", links.as_str())];
    parts.extend_from_slice(others);
    package(&parts)
}

/// A document of Word with hyperlinks to these targets.
pub(crate) fn docx(targets: &[&str]) -> Vec<u8> {
    docx_with(targets, &[])
}

/// A text of LibreOffice with links to these targets.
pub(crate) fn odt(targets: &[&str]) -> Vec<u8> {
    let links: String = targets.iter().map(|it| format!("<text:a xlink:href='{it}'/>")).collect();
    let content = format!(
        "<office:document-content xmlns:office='urn:oasis:names:tc:opendocument:xmlns:office:1.0' \
         xmlns:text='urn:oasis:names:tc:opendocument:xmlns:text:1.0' \
         xmlns:xlink='http://www.w3.org/1999/xlink'>{links}</office:document-content>"
    );
    package(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", &content),
        ("Pictures/a.png", "not an image"),
    ])
}

/// A book with one page of this body.
pub(crate) fn epub(body: &str) -> Vec<u8> {
    let page = format!("<html xmlns='http://www.w3.org/1999/xhtml'><body>{body}</body></html>");
    package(&[
        ("mimetype", "application/epub+zip"),
        (
            "OPS/book.opf",
            "<package xmlns='http://www.idpf.org/2007/opf'><manifest><item href='text/one.xhtml'/></manifest></package>",
        ),
        ("OPS/text/one.xhtml", &page),
        ("OPS/img/a.png", "not an image"),
    ])
}

/// The content of each part, in the order of the package.
pub(crate) fn contents(package: &[u8]) -> Vec<(String, String)> {
    let mut zip = zip::ZipArchive::new(Cursor::new(package)).expect("a ZIP file");
    let parts = (0..zip.len()).map(|number| {
        let mut part = zip.by_index(number).expect("a part");
        let mut content = String::new();
        part.read_to_string(&mut content).expect("a text");
        (part.name().expect("a name").into_owned(), content)
    });
    parts.collect()
}

/// The content of a part.
#[track_caller]
pub(crate) fn content(package: &[u8], part: &str) -> String {
    let mut contents = contents(package).into_iter();
    contents.find(|(name, _)| name == part).expect("a part of this name").1
}
