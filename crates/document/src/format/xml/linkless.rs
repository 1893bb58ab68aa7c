//! Parts of packages that certainly have no links. Most parts of documents of Office are large and
//! have none, such as styles and texts of cells: a search for a few words is many times faster than
//! reading their tags.

use std::sync::LazyLock;

use memchr::memmem;
use regex::bytes::Regex;

use super::lexer::{Lexer, Token};
use super::namespace::{Namespace, declared_prefix, split};
use crate::bytes::Span;
use crate::format::Options;
use crate::source::Source;

/// Words, one of them in every part of the vocabularies below that has a link outside of formulas:
/// parts of the names of attributes and elements.
const WORDS: [&str; 12] = [
    "ddeTopic", "destinationFile", "fileref", "fldChar", "href", "nstr", "odcFile", "sourceFile",
    "src", "stylesheet", "url", "xml:base",
];

/// The beginnings and ends of the tags of formulas. Searching for these short ones takes longer.
const FORMULAS: [&str; 16] = [
    "formula", "<f>", "<f ", "<f\t", "<f\n", "<f\r", "</f>", "</f ", "</f\t", "</f\n", "</f\r",
    ":f>", ":f ", ":f\t", ":f\n", ":f\r",
];

/// Returns true for a part that certainly has no links, and is not cut.
///
/// A prefix that is not declared has no meaning here: programs of offices do not open such a part.
pub(super) fn has_no_links(document: &Source, options: &Options) -> bool {
    static WORD: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&WORDS.join("|")).ok());
    static FORMULA: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(&FORMULAS.join("|")).ok());
    let is_alone = document.package_part.as_ref().is_some_and(|it| !it.has_relationships);
    let charset = document.charset;
    if !is_alone || options.anchors || options.html_text || !charset.is_ascii_compatible() {
        return false;
    }
    let bytes = &document.bytes[charset.bom_len()..];
    let Some((root, namespace)) = root(bytes) else {
        return false;
    };
    if !namespace.has_only_known_links() || !has_end_tag(bytes, &bytes[root.range()]) {
        return false;
    }
    let mut has_formulas = false;
    let all_have_few_links = declared(bytes).all(|it| {
        has_formulas |= it == Some(Namespace::Spreadsheet);
        it.is_some_and(has_few_links)
    });
    let has = |words: &Option<Regex>| words.as_ref().is_none_or(|it| it.is_match(bytes));
    all_have_few_links && !has(&WORD) && !(has_formulas && has(&FORMULA))
}

/// Returns true if the bytes end with the end tag of an element.
fn has_end_tag(bytes: &[u8], name: &[u8]) -> bool {
    let end = bytes.trim_ascii_end().strip_suffix(b">").map(<[u8]>::trim_ascii_end);
    end.and_then(|it| it.strip_suffix(name)).is_some_and(|it| it.ends_with(b"</"))
}

/// Returns true for a vocabulary that has links only where one of the words is.
fn has_few_links(namespace: Namespace) -> bool {
    use Namespace::{None, Ooxml, Other, Spreadsheet, Vml, Word};
    matches!(namespace, None | Ooxml | Other | Spreadsheet | Vml | Word)
}

/// The vocabularies of all declarations. `None` for one that is not plain.
fn declared(bytes: &[u8]) -> impl Iterator<Item = Option<Namespace>> {
    memmem::find_iter(bytes, b"xmlns").map(|at| {
        let after = &bytes[at + b"xmlns".len()..];
        let quote = after.iter().take(64).position(|byte| matches!(byte, b'"' | b'\''))?;
        let value = &after[quote + 1..];
        let end = value.iter().take(256).position(|&byte| byte == after[quote])?;
        let name = str::from_utf8(&value[..end]).ok()?;
        // A character reference may spell any name.
        (!name.contains('&')).then(|| Namespace::of_name(name))
    })
}

/// The name of the root as written, and its vocabulary by its own declarations.
fn root(bytes: &[u8]) -> Option<(Span, Namespace)> {
    let mut lexer = Lexer::new(bytes);
    let tag = loop {
        match lexer.next()? {
            Token::Start(tag) => break tag,
            Token::Stylesheet(_) | Token::Cdata(_) | Token::End(_) => return None,
            Token::Text(_) => {}
        }
    };
    let (prefix, _) = split(&bytes[tag.name.range()]);
    let declares = |name: &[u8]| declared_prefix(name) == Some(prefix);
    let declaration = lexer.attributes.iter().find(|it| declares(&bytes[it.name.range()]))?;
    let name = str::from_utf8(&bytes[declaration.value.range()]).ok()?;
    Some((tag.name, Namespace::of_name(name)))
}

#[cfg(test)]
mod tests {
    use super::super::table;
    use super::*;

    #[test]
    fn words_are_in_the_names_of_all_attributes_with_links() {
        use Namespace::{None, Ooxml, Other, Spreadsheet, Vml, Word};
        for namespace in [None, Ooxml, Other, Spreadsheet, Vml, Word] {
            assert!(has_few_links(namespace));
            for name in table::attributes(namespace) {
                assert!(WORDS.iter().any(|word| name.contains(word)), "{name}");
            }
        }
    }
}
