//! Values that look like references, in vocabularies without rules for links.

use std::path::Path;

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

/// Returns true if the value of an attribute with this name, without its prefix, looks like a
/// reference.
pub(super) fn is_reference(name: &[u8], value: &str) -> bool {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    // Names of namespaces and types are no links.
    if name.starts_with("xmlns") || name.contains("namespace") || name.contains("schemalocation") {
        return false;
    }
    let value = value.trim();
    let is_named = NAMES.contains(&&*name) && !value.contains(char::is_whitespace);
    is_url_or_file(value)
        || has_url(value)
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
            && it.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
    };
    if value.split_once("://").is_some_and(|(scheme, rest)| is_scheme(scheme) && !rest.is_empty()) {
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

/// Returns true if a word of a text is an absolute URL or a mail address with its scheme.
pub(super) fn has_url(text: &str) -> bool {
    let mut words = text.split(|it: char| it.is_whitespace() || "\"'<>(),;".contains(it));
    words.any(|word| {
        let is_mail = |scheme: &str| scheme.eq_ignore_ascii_case("mailto");
        word.split_once(':').is_some_and(|(scheme, rest)| {
            is_mail(scheme) && rest.contains('@')
                || scheme.ends_with(|it: char| it.is_ascii_alphanumeric())
                    && rest.len() > 2
                    && rest.starts_with("//")
        })
    })
}

/// Returns false if bytes are certainly no reference, in any encoding of ASCII.
pub(super) fn may_be_reference(bytes: &[u8]) -> bool {
    bytes.iter().any(|byte| b":./#&".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_may_be_urls() {
        for text in [
            "See http://a.example/ there", "(https://a.example)", "a,ftp://b.example/",
            "mailto:a@b.example",
        ] {
            assert!(has_url(text) && may_be_reference(text.as_bytes()), "{text}");
        }
        for text in ["", "a: b", "://", "http://", "mailto:", "a::b//c"] {
            assert!(!has_url(text), "{text}");
        }
    }

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
