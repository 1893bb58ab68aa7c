//! Values that look like references, in vocabularies without rules for links.

use std::path::Path;

use crate::format::unread::is_known_name;

/// Extensions of documents with a reader.
const DOCUMENTS: [&str; 12] = [
    "css", "htm", "html", "js", "json", "md", "rss", "svg", "txt", "xht", "xhtml", "xml",
];

/// The names of attributes that usually have references, in lower case.
const NAMES: [&str; 22] = [
    "action",
    "background",
    "codebase",
    "conref",
    "data",
    "file",
    "filename",
    "fileref",
    "href",
    "icon",
    "image",
    "link",
    "location",
    "path",
    "poster",
    "ref",
    "source",
    "src",
    "target",
    "template",
    "uri",
    "url",
];

/// Returns true if the value of an attribute with this name, without its prefix, looks like a reference.
pub(super) fn is_reference(name: &[u8], value: &str) -> bool {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    // Names of namespaces and types are no links.
    if name.starts_with("xmlns") || name.contains("namespace") || name.contains("schemalocation") {
        return false;
    }
    let value = value.trim();
    let is_named = NAMES.contains(&&*name) && !value.contains(char::is_whitespace);
    is_url_or_file(value)
        || is_named && (value.contains('/') || value.starts_with('#') && value.len() > 1)
}

/// Returns true if a whole text is an absolute URL or the path of a file of a known kind.
pub(super) fn is_url_or_file(value: &str) -> bool {
    let value = value.trim();
    if value.is_empty() || value.contains(char::is_whitespace) {
        return false;
    }
    let is_scheme = |it: &str| {
        it.starts_with(|c: char| c.is_ascii_alphabetic())
            && it
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
    };
    if value
        .split_once("://")
        .is_some_and(|(scheme, rest)| is_scheme(scheme) && !rest.is_empty())
    {
        return true;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_and_paths_of_files_look_like_references() {
        for (name, value) in [
            ("href", "chapter%201.xhtml#a"),
            ("Target", "media/image1"),
            ("src", "audio/one.mp3"),
            ("template", "http://a.example/?q={s}"),
            ("other", "https://a.example/"),
            ("PartName", "/word/document.xml"),
        ] {
            assert!(is_reference(name.as_bytes(), value), "{name} {value}");
        }
        for (name, value) in [
            ("xmlns", "http://a.example/"),
            ("schemaLocation", "http://a.example/ns.xsd"),
            ("targetNamespace", "http://a.example/"),
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
