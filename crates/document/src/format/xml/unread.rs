//! Values that look like references, in vocabularies without rules for links.

use std::path::Path;

use super::input::Input;
use super::namespace::split;
use crate::bytes::Span;
use crate::format::markup::xml_value::Within;
use crate::format::unread::is_known_name;

/// Extensions of documents with a reader.
const DOCUMENTS: [&str; 12] =
    ["css", "htm", "html", "js", "json", "md", "rss", "svg", "txt", "xht", "xhtml", "xml"];

/// The names of attributes that usually have references, in lower case.
const NAMES: [&str; 22] = [
    "action", "background", "codebase", "conref", "data", "file", "filename", "fileref", "href",
    "icon", "image", "link", "location", "path", "poster", "ref", "source", "src", "target",
    "template", "uri", "url",
];

/// Returns true if a piece of text is the path of a file.
pub(super) fn is_text(input: &Input<'_, '_>, span: Span, within: Within) -> bool {
    may_be_reference(&input.source[span.range()]) && is_file(&input.decode(span, within).text)
}

/// Returns true if an attribute of the tag looks like a relative reference.
pub(super) fn is_tag(input: &Input<'_, '_>) -> bool {
    input.lexer.attributes.iter().any(|attribute| {
        if !may_be_reference(&input.source[attribute.value.range()]) {
            return false;
        }
        let (prefix, local) = split(&input.source[attribute.name.range()]);
        let value = input.decode(attribute.value, Within::Attribute).text;
        prefix != b"xmlns" && is_reference(local, &value)
    })
}

/// Returns true if the value of an attribute with this name, without its prefix, looks like a
/// relative reference.
fn is_reference(name: &[u8], value: &str) -> bool {
    let value = value.trim();
    let is_named = || NAMES.iter().any(|it| it.as_bytes().eq_ignore_ascii_case(name));
    let is_path = |it: &str| it.contains('/') || it.starts_with('#') && it.len() > 1;
    !is_name(name) && (is_file(value) || is_one_word(value) && is_path(value) && is_named())
}

/// Returns true if values of an attribute or element with this name, without its prefix, are names
/// that programs compare: of namespaces, types, relations and actions.
pub(super) fn is_name(name: &[u8]) -> bool {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    name.starts_with("xmlns")
        || name.contains("namespace")
        || name.contains("schemalocation")
        || ["algorithm", "datatype", "ns", "prefix", "rel", "soapaction"].contains(&&*name)
}

/// Returns true if a whole text is the path of a file of a known kind. URLs are links.
fn is_file(value: &str) -> bool {
    let value = value.trim();
    if !is_one_word(value) {
        return false;
    }
    let path = value.split(['#', '?']).next().unwrap_or_default();
    // Names of packages and classes have dots, too.
    let stem = path.rsplit('/').next().unwrap_or_default();
    let is_file = stem.matches('.').count() == 1 || path.contains('/');
    let path = Path::new(path);
    let extension = path.extension().and_then(|it| it.to_str());
    let is_document =
        extension.is_some_and(|it| DOCUMENTS.iter().any(|known| known.eq_ignore_ascii_case(it)));
    is_file && (is_document || is_known_name(path))
}

/// Returns true for a value without white space that is not an absolute URL.
fn is_one_word(value: &str) -> bool {
    !value.is_empty() && !value.contains(char::is_whitespace) && !value.contains("://")
}

/// Returns false if bytes are certainly no reference, in any encoding of ASCII.
fn may_be_reference(bytes: &[u8]) -> bool {
    bytes.iter().any(|byte| b":./#&".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_files_look_like_references() {
        for (name, value) in [
            ("href", "chapter%201.xhtml#a"),
            ("Target", "media/image1"),
            ("src", "audio/one.mp3"),
            ("other", "b.pdf"),
            ("PartName", "/word/document.xml"),
        ] {
            assert!(is_reference(name.as_bytes(), value), "{name} {value}");
        }
        for (name, value) in [
            ("schemaLocation", "a.xsd ns.xml"),
            ("noNamespaceSchemaLocation", "schema/a.xml"),
            ("other", "https://a.example/b.html"),
            ("target", "_blank"),
            ("d", "M0 0 L1.5 2"),
            ("version", "1.0"),
            ("class", "org.example.text"),
            ("media-type", "application/xhtml+xml"),
            ("href", ""),
            ("href", "#"),
        ] {
            assert!(!is_reference(name.as_bytes(), value), "{name} {value}");
        }
    }
}
