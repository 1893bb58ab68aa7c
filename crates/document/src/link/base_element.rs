//! BASE elements, and the bytes to delete to remove their `href`.

use super::Quoting;
use crate::bytes::Span;
use crate::link::resolver::base_uri_of;
use crate::source::{Base, BaseFrom};
use crate::uri::{Parts, Reference, Resolver};

/// An attribute of a start tag: its name, its value, and the quoting of the value.
pub(crate) type Written = (Span, Span, Quoting);

/// The bytes to delete to remove the `href` of the start tag `tag`.
pub fn removal(
    bytes: &[u8],
    tag: Span,
    needs_end_tag: bool,
    attributes: impl Iterator<Item = Written>,
) -> Option<Span> {
    let (mut hrefs, mut others) = (0, 0);
    let mut removal = None;
    for (name, value, quoting) in attributes {
        if !bytes[name.range()].eq_ignore_ascii_case(b"href") {
            others += 1;
            continue;
        }
        hrefs += 1;
        removal = Some((name, value, quoting));
    }
    let end_tag = end_tag_after(bytes, tag.end);
    if others == 0 && (end_tag.is_some() || !needs_end_tag) {
        return Some(Span::new(tag.start, end_tag.unwrap_or(tag.end)));
    }
    let href = removal.filter(|_| hrefs == 1)?;
    Some(removal_of(bytes, href))
}

/// The bytes to delete to remove an attribute of a start tag: the attribute and the white space
/// before it.
pub fn removal_of(bytes: &[u8], (name, value, quoting): Written) -> Span {
    let is_quoted = matches!(quoting, Quoting::Double | Quoting::Single);
    let end = value.end.max(name.end) + usize::from(is_quoted);
    let mut removal = Span::new(name.start, end);
    // Keep white space if the next attribute follows directly: it would join the one before.
    let is_apart = bytes.get(removal.end).is_none_or(|it| is_space(*it) || *it == b'>');
    while is_apart && is_space(bytes[removal.start - 1]) {
        removal.start -= 1;
    }
    removal
}

/// The end of an end tag `</base>`, in any spelling, that follows `at` after white space only.
fn end_tag_after(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at..];
    let space = rest.iter().take_while(|it| is_space(**it)).count();
    let rest = rest[space..].strip_prefix(b"</")?;
    let end = memchr::memchr(b'>', rest)?;
    let name = rest[..end].trim_ascii_end();
    let local = name.rsplit(|it| *it == b':').next().unwrap_or_default();
    local.eq_ignore_ascii_case(b"base").then_some(at + space + "</".len() + end + 1)
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

/// The base URL of a document (RFC 3986, section 5.1): that of its first BASE element, whose
/// reference is `element`, if it is usable; otherwise `outer`, the one from outside.
pub fn effective_base(
    element: Option<&str>,
    outer: Option<&Base>,
    resolver: &Resolver,
) -> Option<Base> {
    let own = element.and_then(|it| base_of_element(it, outer, resolver));
    own.or_else(|| outer.cloned())
}

/// The base of the first BASE element, relative to `outer`, if its URL is usable. If not, later
/// BASE elements are ignored too (HTML standard, section 4.2.3).
pub fn base_of_element(reference: &str, outer: Option<&Base>, resolver: &Resolver) -> Option<Base> {
    let outer = outer.and_then(|base| resolver.base(&base.uri).ok());
    let uri = base_uri_of(resolver, outer.as_ref(), reference)?;
    let parts = Parts::split(&uri);
    let is_code = ["data", "javascript"].iter().any(|it| {
        let scheme = parts.scheme;
        scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(it))
    });
    // Browsers repair a space in the path, but not an invalid host.
    let host = parts.authority.and_then(|it| it.rsplit('@').next());
    let site = Parts { authority: host, path: "", query: None, fragment: None, ..parts };
    let is_usable = !is_code && Reference::parse(&site.to_string()).is_ok();
    is_usable.then_some(Base { uri, from: BaseFrom::Element })
}

#[cfg(test)]
mod tests {
    use crate::document::Document;
    use crate::format::Options;

    /// The document with every BASE `href` removed where possible.
    fn stripped(name: &str, source: &str) -> String {
        let document = Document::new(name, source.as_bytes().to_vec());
        let found = document.links_with(&Options::default());
        let mut out = source.to_owned();
        let removals = found.found().base_elements.iter().filter_map(|it| it.removal);
        let mut removals: Vec<_> = removals.collect();
        removals.sort_by_key(|it| it.start);
        for removal in removals.into_iter().rev() {
            out.replace_range(removal.range(), "");
        }
        out
    }

    #[test]
    fn element_is_removed_or_only_its_attribute() {
        for (html, expected) in [
            ("<base href=x>a", "a"),
            ("a<BASE\nHREF = 'x' />b", "ab"),
            ("<base href=x>\n</base >b", "b"),
            ("<base href=x></a>b", "</a>b"),
            ("<base target=t href=x>", "<base target=t>"),
            ("<base \t href='x' target=t>", "<base target=t>"),
            ("<base href='x'target=t>", "<base target=t>"),
            ("<base target=t href='x'/>", "<base target=t />"),
            ("<base href>", ""),
            ("<base href target=t>", "<base target=t>"),
            ("<base href=x href=y>", ""),
            // Two pieces: nothing is removed.
            ("<base href=x target=t href=y>", "<base href=x target=t href=y>"),
            ("<base href=x><p><base href=y>", "<p>"),
            ("<base style='a:url(b)' href=x>", "<base style='a:url(b)'>"),
            // Not BASE elements of the page.
            ("<template><base href=x></template>", "<template><base href=x></template>"),
            ("<iframe srcdoc='<base href=x>'>", "<iframe srcdoc='<base href=x>'>"),
            ("<base target=t>", "<base target=t>"),
        ] {
            assert_eq!(stripped("a.html", html), expected, "{html}");
        }
    }

    #[test]
    fn xhtml_stays_well_formed() {
        let page = |base: &str| {
            format!("<html xmlns='http://www.w3.org/1999/xhtml'><head>{base}</head></html>")
        };
        for (base, expected) in [
            ("<base href='x'/>", ""),
            ("<base href='x'></base>", ""),
            ("<base href='x'> <!-- --></base>", "<base> <!-- --></base>"),
            ("<base href='x' id='i' />", "<base id='i' />"),
            ("<base id='i' href='x'/>", "<base id='i' />"),
        ] {
            assert_eq!(stripped("a.xhtml", &page(base)), page(expected));
        }
    }
}
