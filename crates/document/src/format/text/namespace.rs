//! Names of XML namespaces in text. They are URLs that programs compare and do not fetch
//! (Namespaces in XML 1.0, section 2.3): with another scheme, `createElementNS` creates no element
//! of SVG.
//!
//! A URL is a namespace name if it is well known, or if the text directly before it declares one:
//! `xmlns="…"`, `createElementNS("…`, `namespaceURI === "…`. That text is read in one line, up to
//! [`LOOK_BACK`] bytes.

/// The bytes before a URL that are read. A stream keeps more.
const LOOK_BACK: usize = 64;

/// A well-known name.
enum Name {
    /// The whole URL without `http://`.
    Is(&'static str),
    /// The beginning of a URL: all below it are names, or terms of a vocabulary, which are
    /// compared, too. Files are not.
    Below(&'static str),
}

use Name::{Below, Is};

const W3C: &[Name] = &[
    Is("www.w3.org/2000/svg"),
    Is("www.w3.org/1999/xlink"),
    Is("www.w3.org/1999/xhtml"),
    Is("www.w3.org/1998/Math/MathML"),
    Is("www.w3.org/2000/xmlns/"),
    Is("www.w3.org/XML/1998/namespace"),
    Is("www.w3.org/1999/XSL/Transform"),
    Is("www.w3.org/1999/XSL/Format"),
    Is("www.w3.org/2001/XMLSchema"),
    Below("www.w3.org/2001/XMLSchema#"),
    Below("www.w3.org/2001/XMLSchema-"),
    Is("www.w3.org/2000/10/XMLSchema"),
    Is("www.w3.org/2000/10/XMLSchema-instance"),
    Is("www.w3.org/1999/XMLSchema"),
    Is("www.w3.org/1999/XMLSchema-instance"),
    Is("www.w3.org/2001/XInclude"),
    Is("www.w3.org/2001/xml-events"),
    Is("www.w3.org/2002/xforms"),
    Is("www.w3.org/2005/Atom"),
    Is("www.w3.org/2007/app"),
    Below("www.w3.org/1999/02/22-rdf-syntax-ns#"),
    Below("www.w3.org/2000/01/rdf-schema#"),
    Below("www.w3.org/2002/07/owl#"),
    Below("www.w3.org/2004/02/skos/core#"),
    Below("www.w3.org/2008/05/skos-xl#"),
    Below("www.w3.org/2003/01/geo/wgs84_pos#"),
    Below("www.w3.org/2006/vcard/ns#"),
    Below("www.w3.org/2006/time#"),
    Below("www.w3.org/2000/09/xmldsig#"),
    Below("www.w3.org/2009/xmldsig11#"),
    Below("www.w3.org/2001/04/xmlenc#"),
    Below("www.w3.org/2001/10/xml-exc-c14n#"),
    Below("www.w3.org/2003/05/soap-e"),
    Below("www.w3.org/2005/08/addressing"),
    Below("www.w3.org/2005/xpath-functions"),
    Is("www.w3.org/2001/10/synthesis"),
    Is("www.w3.org/2001/06/grammar"),
    Is("www.w3.org/2001/vxml"),
    Below("www.w3.org/2001/SMIL20/"),
    Below("www.w3.org/2005/SMIL21/"),
    Is("www.w3.org/2006/SMIL30/WWW/TR"),
    Is("www.w3.org/2001/SMIL20"),
    Is("www.w3.org/2005/SMIL21"),
    // The W3C has its newer namespaces there.
    Below("www.w3.org/ns/"),
];

/// The names with these first six characters of the host.
const fn well_known(host: &[u8; 6]) -> &'static [Name] {
    match host {
        b"www.w3" => W3C,
        b"schema" => &[
            Below("schemas.openxmlformats.org/"),
            Below("schemas.microsoft.com/"),
            Below("schemas.android.com/apk/"),
            Below("schemas.android.com/tools"),
            Below("schemas.android.com/aapt"),
            Below("schemas.xmlsoap.org/"),
            Below("schemas.google.com/"),
            Below("schemas.datacontract.org/2004/07/"),
        ],
        b"purl.o" => &[
            Below("purl.org/dc/elements/1.1/"),
            Below("purl.org/dc/terms/"),
            Below("purl.org/dc/dcmitype/"),
            Below("purl.org/rss/1.0/"),
            Below("purl.org/atom/"),
            Below("purl.org/syndication/"),
            Below("purl.org/goodrelations/v1#"),
            Below("purl.oclc.org/ooxml/"),
            Below("purl.oclc.org/dsdl/"),
        ],
        b"xmlns." => &[Below("xmlns.com/"), Below("xmlns.jcp.org/"), Below("xmlns.oracle.com/")],
        b"java.s" => &[Below("java.sun.com/xml/ns/")],
        b"ns.ado" => &[Below("ns.adobe.com/")],
        b"ns.sax" => &[Below("ns.saxonica.com/")],
        b"saxon." => &[Below("saxon.sf.net/")],
        b"www.si" => &[Below("www.sitemaps.org/schemas/sitemap/")],
        b"www.go" => &[Below("www.google.com/schemas/")],
        b"www.to" => &[Below("www.topografix.com/GPX/")],
        b"www.ga" => &[Below("www.garmin.com/xmlschemas/")],
        b"www.op" => &[
            Below("www.opengis.net/kml/"),
            Below("www.opengis.net/gml"),
            Below("www.opengis.net/wfs"),
            Below("www.opengis.net/wms"),
            Below("www.opengis.net/ogc"),
            Below("www.opengis.net/ows"),
            Is("www.openarchives.org/OAI/2.0/"),
            Is("www.openarchives.org/OAI/2.0/oai_dc/"),
        ],
        b"earth." => &[Below("earth.google.com/kml/")],
        b"maven." => &[
            Below("maven.apache.org/POM/"),
            Below("maven.apache.org/SETTINGS/"),
            Below("maven.apache.org/ASSEMBLY/"),
        ],
        b"www.in" => &[Below("www.inkscape.org/namespaces/")],
        b"sodipo" => &[Below("sodipodi.sourceforge.net/DTD/")],
        b"www.so" => &[Below("www.sodipodi.com/DTD/")],
        b"creati" => &[Below("creativecommons.org/ns#")],
        b"web.re" => &[Below("web.resource.org/cc/")],
        b"ogp.me" => &[Below("ogp.me/ns#"), Below("ogp.me/ns/")],
        b"www.id" => &[
            Is("www.idpf.org/2007/opf"),
            Is("www.idpf.org/2007/ops"),
            Is("www.idpf.org/2013/rendition"),
        ],
        b"www.da" => &[Below("www.daisy.org/z3986/2005/")],
        b"docboo" => &[Below("docbook.org/ns/")],
        b"www.te" => &[Below("www.tei-c.org/ns/")],
        b"relaxn" => &[Below("relaxng.org/ns/")],
        b"exslt." => &[Below("exslt.org/")],
        b"search" => &[Below("search.yahoo.com/mrss")],
        b"www.it" => &[Below("www.itunes.com/dtds/podcast-")],
        b"wellfo" => &[Below("wellformedweb.org/CommentAPI/")],
        b"a9.com" => &[Below("a9.com/-/spec/opensearch/")],
        b"openof" => &[Below("openoffice.org/20")],
        b"www.sp" => &[Below("www.springframework.org/schema/")],
        b"xspf.o" => &[Below("xspf.org/ns/")],
        b"jabber" => &[Below("jabber.org/protocol/"), Below("jabber.org/features/")],
        b"etherx" => &[Below("etherx.jabber.org/")],
        b"rdfs.o" => &[Below("rdfs.org/sioc/"), Below("rdfs.org/ns/")],
        b"iptc.o" => &[Below("iptc.org/std/")],
        b"www.gr" => &[Below("www.gribuser.ru/xml/fictionbook/")],
        _ => &[],
    }
}

/// Returns true if a URL is the name of an XML namespace. `before` and `after` are the text around
/// it.
#[inline]
pub(super) fn is_namespace(before: &[u8], url: &str, after: &[u8]) -> bool {
    is_well_known(url)
        || before.ends_with(b"\"") && is_named(before)
        || is_named_otherwise(before, after)
}

/// Returns true for the URL of a file, such as a schema, which programs fetch: they list it next to
/// the namespace.
fn is_file(url: &str) -> bool {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    let name = url[..end].rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map_or("", |(_, it)| it);
    FILES.iter().any(|it| extension.eq_ignore_ascii_case(it))
}

/// The extensions of documents below the names of namespaces.
const FILES: [&str; 23] = [
    "xsd", "dtd", "rng", "rnc", "sch", "mod", "ent", "xml", "xsl", "xslt", "wsdl", "rdf", "owl",
    "ttl", "json", "jsonld", "html", "htm", "xhtml", "txt", "md", "pdf", "zip",
];

#[inline]
fn is_well_known(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("http://") else {
        return ["urn:oasis:names:tc:", "urn:schemas-microsoft-com:"]
            .iter()
            .chain(&["https://jakarta.ee/xml/ns/"])
            .any(|it| url.starts_with(it) && !is_file(url));
    };
    let names = rest.as_bytes().first_chunk().map_or(&[][..], well_known);
    names.iter().any(|name| match name {
        Is(name) => rest == *name,
        Below(start) => rest.starts_with(start) && !is_file(rest),
    })
}

/// Returns true if the text around a URL declares a namespace in a form that is rarer than those of
/// [`is_named`].
#[inline]
fn is_named_otherwise(before: &[u8], after: &[u8]) -> bool {
    match before.last() {
        Some(b'{') => is_element_name(before, after),
        Some(b'\'' | b'`' | b'=' | b'(') => is_named(before),
        _ => false,
    }
}

/// Returns true in the name of an element as ElementTree writes it: "{http://…}svg", or
/// "{http://…}", to which programs add it; and as XPath 3 does: Q{http://…}svg.
fn is_element_name(before: &[u8], after: &[u8]) -> bool {
    let [.., quote @ (b'"' | b'\'' | b'Q'), b'{'] = before else {
        return false;
    };
    let [b'}', next, ..] = after else {
        return false;
    };
    let is_of_name = next.is_ascii_alphabetic() || !next.is_ascii() || matches!(next, b'_' | b'*');
    is_of_name || next == quote
}

/// Returns true if the text before a URL declares the name of a namespace.
fn is_named(before: &[u8]) -> bool {
    let near = &before[before.len().saturating_sub(LOOK_BACK)..];
    // Few texts do, so the beginning of the line is sought last.
    declares(near) && declares(near.rsplit(|&it| it == b'\n').next().unwrap_or_default())
}

/// Returns true if `line` ends with a declaration before a URL. A line does if it does with more
/// lines before it, and the declaration is in the last one.
fn declares(line: &[u8]) -> bool {
    let value = trimmed(line, |it| matches!(it, b'"' | b'\'' | b'`' | b'\\'));
    let operator = trimmed(value, |it| it.is_ascii_whitespace());
    if let Some(call) = operator.strip_suffix(b"(") {
        let name = word(trimmed(call, |it| it.is_ascii_whitespace()));
        let method = name.rsplit(|&it| it == b'.').next().unwrap_or_default();
        let rule = || is_rule(&call[..call.len() - name.len()]);
        return name
            .strip_suffix(b"NS")
            .is_some_and(|it| it.last().is_some_and(u8::is_ascii_lowercase))
            || matches!(method, b"createDocument" | b"lookupPrefix" | b"isDefaultNamespace")
            || name == b"url" && rule();
    }
    if operator.ends_with(b",") {
        let is_registered = |call: &[u8]| line.windows(call.len()).any(|it| it == call);
        return is_registered(b"register_namespace(") || is_registered(b"registerNamespace(");
    }
    let left = trimmed(operator, |it| matches!(it, b'=' | b':' | b'!' | b'>' | b' '));
    if left.len() == operator.len() {
        return is_rule(value);
    }
    let left = trimmed(left, |it| matches!(it, b'"' | b'\'' | b'`' | b'\\' | b']'));
    let name = word(left);
    let last = name.rsplit(|&it| matches!(it, b'.' | b'@' | b'$')).next();
    let last = last.unwrap_or_default();
    let is = |known: &str| last.eq_ignore_ascii_case(known.as_bytes());
    let is_declaration = |it: &[u8]| it.is_empty() || !it[0].is_ascii_lowercase();
    last.strip_prefix(b"xmlns").is_some_and(is_declaration)
        || is("namespaceURI")
        || is("namespace-uri")
        || is("targetNamespace")
}

/// Returns true for the beginning of a rule of CSS: `@namespace`, perhaps with a prefix.
fn is_rule(before: &[u8]) -> bool {
    let rest = trimmed(before, |it| it.is_ascii_whitespace());
    let prefix = word(rest);
    let before_prefix = trimmed(&rest[..rest.len() - prefix.len()], |it| it.is_ascii_whitespace());
    rest.len() < before.len()
        && (rest.ends_with(b"@namespace") || before_prefix.ends_with(b"@namespace"))
}

fn trimmed(bytes: &[u8], is_trimmed: impl Fn(u8) -> bool) -> &[u8] {
    let end = bytes.iter().rposition(|&it| !is_trimmed(it));
    &bytes[..end.map_or(0, |at| at + 1)]
}

/// The name at the end of a text.
fn word(bytes: &[u8]) -> &[u8] {
    let is_of_name = |it: &u8| {
        it.is_ascii_alphanumeric() || matches!(it, b'_' | b':' | b'.' | b'$' | b'@' | b'-')
    };
    let start = bytes.iter().rposition(|it| !is_of_name(it));
    &bytes[start.map_or(0, |at| at + 1)..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_known_names_are_exact() {
        for name in [
            "http://www.w3.org/2000/svg",
            "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
            "http://www.w3.org/2001/XMLSchema",
            "http://www.w3.org/2001/XMLSchema#string",
            "http://www.w3.org/2001/XMLSchema-instance",
            "http://www.w3.org/ns/ttml#parameter",
            "http://schemas.android.com/apk/res/android",
            "http://schemas.openxmlformats.org/drawingml/2006/main",
            "http://purl.org/dc/elements/1.1/",
            "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
            "https://jakarta.ee/xml/ns/jakartaee",
        ] {
            assert!(is_namespace(b"", name, b""), "{name}");
        }
        for other in [
            "https://www.w3.org/2000/svg",
            "http://www.w3.org/2000/svg/",
            "http://www.w3.org/2000/",
            "http://www.w3.org/TR/SVG2/",
            "http://www.w3.org/",
            "http://schema.org/Person",
            "http://purl.org/dc/",
            "http://maven.apache.org/xsd/maven-4.0.0.xsd",
            "http://www.w3.org/2001/XMLSchema.xsd",
            "http://www.w3.org/2001/XMLSchema/",
            "http://www.w3.org/2001/XMLSchemas",
            "http://www.springframework.org/schema/beans/spring-beans.xsd",
            "http://java.sun.com/xml/ns/javaee/web-app_3_0.XSD?x#y",
            "http://www.w3.org/ns/formats/index.html",
            "https://jakarta.ee/xml/ns/jakartaee/web-app_6_0.xsd",
            "http://xmlns.com/foaf/spec/index.rdf",
            "http://h.example/www.w3.org/2000/svg",
            "http://h",
            "urn:isbn:1",
        ] {
            assert!(!is_namespace(b"", other, b""), "{other}");
        }
    }

    #[test]
    fn text_before_a_url_names_a_namespace() {
        let url = "http://h.example/ns";
        for before in [
            "<a xmlns=\"",
            "<a xmlns:x='",
            "<svg xmlnsXlink=\"",
            "s = \"<a xmlns=\\\"",
            "{\"@xmlns:x\": \"",
            "xmlns: '",
            "attrs['xmlns'] = '",
            "d.createElementNS('",
            "e.setAttributeNS( \"",
            "getElementsByTagNameNS(`",
            "implementation.createDocument('",
            "e.namespaceURI === '",
            "[namespace-uri()='x' or namespaceURI=\"",
            "<xs:schema targetNamespace=\"",
            "ET.register_namespace('svg', '",
            "@namespace svg url(",
            "@namespace \"",
            "@namespace url('",
        ] {
            assert!(is_namespace(before.as_bytes(), url, b""), "{before}");
        }
        for before in [
            "", "<a href=\"", "fetch('", "load(\"", "NS(\"", "url = '", "url: \"", "f(a, '", "`${",
            "background: url(", "xmlns=\"\"\nhref=\"", "xmlnsx=\"", "<http", "see ",
        ] {
            assert!(!is_namespace(before.as_bytes(), url, b""), "{before}");
        }
    }

    #[test]
    fn names_of_elements_are_in_braces_before_a_name() {
        let url = "http://h.example/ns";
        for (before, after) in [
            ("root.find('{", "}svg')"),
            ("NS = \"{", "}\""),
            ("f(\"{", "}*\")"),
            ("select=\"Q{", "}svg/*\""),
        ] {
            assert!(is_namespace(before.as_bytes(), url, after.as_bytes()));
        }
        for (before, after) in [
            ("{\"a\": \"{", " is not known\"}"),
            ("'{", "/{id}'"),
            ("\"{", "}"),
            ("\"{", "} and more\""),
            ("\"{", "}/a\""),
            ("x{", "}svg"),
            ("Q{", "} a"),
        ] {
            assert!(!is_namespace(before.as_bytes(), url, after.as_bytes()), "{before}{after}");
        }
    }
}
