//! Documents of a mirror, as their server has probably sent them.

use crate::document::Document;
use crate::source::Charset;

/// Returns the document read as what a server has probably sent. If its name means plain text or
/// nothing, that is HTML if its content begins with `<!DOCTYPE html` or `<html`, otherwise the
/// format of the name before a query (`style.css?ver=2`, or `style.css@ver=2` in names for
/// Windows). A server may send a page under any name, such as `/log/main.rs`.
pub(super) fn as_served(document: Document) -> Document {
    let Some(format) = document.format().as_served(document.path(), document.bytes()) else {
        return document;
    };
    let charset = Charset::detect(document.bytes(), true, format.declared_charset());
    document.with_format(format).with_charset(charset).with_syntax(None)
}
