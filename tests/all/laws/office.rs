//! Generated XML of offices and books: relationships, fields, formulas and their like, which need
//! not be well-formed.

use proptest::prelude::*;
use proptest::sample::select;
use rehref::bytes::Span;
use rehref::format::{Format, Options};
use rehref::fs::{Content, Item, Memory, ReadOptions};
use rehref::link::{Form, ParsedLink, Quoting};

use super::{CHARSETS, Row, config};
use crate::support::packages::package;

laws! { documents: ROW; }

const ROW: Row = Row {
    read_back,
    hostile: HOSTILE,
    ..Row::new(
        Format::Xml,
        "document.xml",
        |row| row.encoded(documents(), &CHARSETS),
        || pieces().boxed(),
    )
};

/// A root with the prefixes that pieces have.
const ROOT: &str = "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main' \
    xmlns:x='http://schemas.openxmlformats.org/spreadsheetml/2006/main' \
    xmlns:p='http://schemas.openxmlformats.org/officeDocument/2006/extended-properties' \
    xmlns:t='http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes' \
    xmlns:r='http://schemas.openxmlformats.org/package/2006/relationships' \
    xmlns:v='urn:schemas-microsoft-com:vml' xmlns:o='urn:schemas-microsoft-com:office:office' \
    xmlns:table='urn:oasis:names:tc:opendocument:xmlns:table:1.0' \
    xmlns:draw='urn:oasis:names:tc:opendocument:xmlns:drawing:1.0' \
    xmlns:xlink='http://www.w3.org/1999/xlink' xmlns:opf='http://www.idpf.org/2007/opf'>";

const BEGIN: &str = "<w:fldChar w:fldCharType='begin'/>";
const SEPARATE: &str = "<w:fldChar w:fldCharType='separate'/>";
const END: &str = "<w:fldChar w:fldCharType='end'/>";

/// Parts of instructions and formulas, and of values.
const VALUES: [&str; 36] = [
    "http://h/", "http://h/d/e/", "https://h/a", "file:///\\\\s\\t\\a%20b", "\\\\s\\t\\a b",
    "P:\\a", "C:/a/b", "file:///P:\\a", "..\\a\\b", "../a", "a", "b.xlsx!S!R1", "#f", "/d",
    "&amp;", "&lt;", "&#x26;", "日", "é", "%20", " ", "\\", "\\\\", "\"", "\"\"", "&quot;", "'",
    "''", "!", "HYPERLINK ", "HYPERLINK \"", "INCLUDETEXT ", "LINK a ", "\\l ", "HYPERLINK(\"",
    "]",
];

fn value() -> impl Strategy<Value = String> {
    prop::collection::vec(select(&VALUES[..]), 0..5).prop_map(|it| it.concat())
}

/// The instruction of a field, in one piece or several.
fn field() -> impl Strategy<Value = String> {
    let kind = select(vec!["HYPERLINK", "INCLUDEPICTURE", "LINK a", "RD", "hyperlink \\l \"b\""]);
    let quote = select(vec!["\"", "\"", ""]);
    let between = select(vec![
        "",
        "</w:instrText><w:instrText>",
        "</w:instrText></w:r><w:r><w:b/><w:instrText>",
        "<!---->",
        "]]><![CDATA[",
        "<w:fldChar w:fldCharType='begin'/>",
    ]);
    (kind, quote, value(), between, value()).prop_map(|(kind, quote, one, between, other)| {
        let instruction = format!("{kind} {quote}{one}{between}{other}{quote}");
        format!("{BEGIN}<w:instrText>{instruction}</w:instrText>{SEPARATE}{END}")
    })
}

fn pieces() -> impl Strategy<Value = String> {
    let attribute = select(vec![
        "r:Relationship TargetMode=\"External\" Type=\"a/hyperlink\" Target",
        "r:Relationship TargetMode=\"External\" Type=\"a/oleObject\" Target",
        "v:shape href",
        "v:imagedata o:href",
        "w:fldSimple w:instr",
        "table:table-cell table:formula",
        "table:table table:name",
        "draw:image xlink:href",
        "opf:item href",
        "x:webPr url",
    ]);
    let formula = (select(vec!["HYPERLINK", "IMAGE", "SUM"]), value(), select(vec!["", "&amp;A1"]))
        .prop_map(|(name, value, after)| format!("<x:f>{name}(\"{value}\"{after})</x:f>"));
    prop_oneof![
        1 => select(vec![BEGIN, SEPARATE, END, "<w:instrText>", "</w:instrText>", "<x:f>", "</x:f>"])
            .prop_map(str::to_owned),
        3 => field(),
        2 => formula,
        3 => (attribute, select(vec!["'", "\""]), value())
            .prop_map(|(attribute, quote, value)| format!("<{attribute}={quote}{value}{quote}/>")),
        1 => (value(), value()).prop_map(|(one, other)| format!(
            "<p:HLinks><t:lpwstr>{one}</t:lpwstr><t:lpwstr>{other}</t:lpwstr></p:HLinks>"
        )),
        1 => value(),
    ]
}

fn documents() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(pieces(), 0..10);
    pieces.prop_map(|pieces| format!("{ROOT}{}</w:document>", pieces.concat()))
}

/// Parts of Word and Excel, mostly without links.
fn parts_without_relationships() -> impl Strategy<Value = String> {
    let root = select(vec![
        "w:styles xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'",
        "sst xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'",
        "a:theme xmlns:a='http://schemas.openxmlformats.org/drawingml/2006/main'",
        "a xmlns='http://example.org/unknown'",
    ]);
    let declared = select(vec![
        "xmlns:v=\"urn:schemas-microsoft-com:vml\" xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'",
        "xmlns:x = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'",
        "xmlns:xlink='http://www.w3.org/1999/xlink'",
        "xmlns:svg='http://www.w3.org/2&#48;00/svg'",
        "",
    ]);
    let element = select(vec![
        "<w:style w:val='a'/>",
        "<t>http://old.example/no</t>",
        "<si>",
        "</si>",
        "<f>HYPERLINK(\"a\")</f>",
        "<f\tt='a'>HYPERLINK(\"b\")</f\n>",
        "<x:f\nt='b'>HYPERLINK(\"a\")</x:f>",
        "<v:shape href='a'/>",
        "<v:fill src='b'/>",
        "<w:instrText>a</w:instrText>",
        "<w:fldSimple w:instr='HYPERLINK b'/>",
        "<a xlink:href='c'/>",
        "<a xml:base='d'/>",
        "<svg:image href='e'/>",
        "<webPr url='f'/>",
        "<ulink url='g'/>",
        "<x:ddeLink ddeTopic='h'/>",
        "<b xmlns='http://www.w3.org/1999/xhtml'/>",
        "<img src='i' xmlns='http://www.w3.org/1999/xhtml'/>",
        "<!-- a -->",
        "a &amp; b",
    ]);
    let elements = prop::collection::vec(element, 0..4);
    let head = select(vec![
        "",
        "<?xml version='1.0'?>\r\n",
        "<?xml-stylesheet href='a.css'?>",
        "\u{FEFF}",
    ]);
    let end = select(vec!["</{}>", "</{}>\n", "", "</w:p>", "</{}"]);
    (head, root, declared, elements, end).prop_map(|(head, root, declared, elements, end)| {
        let name = root.split(' ').next().unwrap_or_default();
        let end = end.replace("{}", name);
        format!("{head}<{root} {declared}>{}{end}", elements.concat())
    })
}

/// The references and spans of a part, and whether the package would be rewritten.
fn read_in_package(part: &str, relationships: &str) -> (Vec<(String, Vec<Span>)>, bool) {
    let types = ("[Content_Types].xml", "<Types/>");
    let bytes = package(&[types, ("word/styles.xml", part), (relationships, "<Relationships/>")]);
    let content = ReadOptions::default().read(&Item::Memory(Memory::new("a.docx", bytes)));
    let Ok(Content::Package(package)) = content else {
        panic!("not a package: {content:?}");
    };
    let document = package.document_named(b"word/styles.xml").expect("a part").expect("XML");
    let links = document.links();
    let links = links.found().links.iter().map(|it| (it.reference.to_string(), it.spans.to_vec()));
    (links.collect(), package.linking(&Options::default()).is_ok())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn parts_without_relationships_have_the_same_links(part in parts_without_relationships()) {
        let found = read_in_package(&part, "word/_rels/other.xml.rels");
        let expected = read_in_package(&part, "word/_rels/styles.xml.rels");
        // A part that ends with the end tag of its root is not read if it has no links.
        prop_assert_eq!(found.0, expected.0);
        prop_assert!(found.1 || !expected.1);
    }
}

fn read_back(
    read: &dyn Fn(&str) -> String,
    link: &ParsedLink<'_>,
    spelled: &str,
) -> Option<String> {
    let markup = link.place.markup()?;
    let in_element = |name: &str, content: &str| match markup.quoting {
        Quoting::Cdata => format!("<{name}><![CDATA[{content}]]></{name}>"),
        _ => format!("<{name}>{content}</{name}>"),
    };
    let in_attribute = |name: &str, value: &str| match markup.quoting {
        Quoting::Single => format!("<{name}='{value}'/>"),
        _ => format!("<{name}=\"{value}\"/>"),
    };
    let is_content = matches!(markup.quoting, Quoting::Content | Quoting::Cdata);
    // Entities spell quotes in both kinds of attributes.
    let (double, single) = ("&#34;", "&#39;");
    // Some pieces may be in sections, which have no references.
    if link.spans.len() > 1 && spelled.contains(['&', '<']) {
        return None;
    }
    let backslashes = spelled.len() - spelled.trim_end_matches('\\').len();
    let element = match markup.form {
        // The quotes are missing, and would be escaped.
        Form::Field { .. } if backslashes % 2 == 1 => return None,
        // In a section.
        Form::Field { .. } if spelled.contains('<') => return None,
        Form::Field { is_quoted } if is_content => {
            let quote = if is_quoted { "\"" } else { "" };
            let text = format!("HYPERLINK {quote}{spelled}{quote}");
            format!("{BEGIN}{}{END}", in_element("w:instrText", &text))
        }
        Form::Field { is_quoted } => {
            let quote = if is_quoted { double } else { "" };
            in_attribute("w:fldSimple w:instr", &format!("HYPERLINK {quote}{spelled}{quote}"))
        }
        // A place in brackets is no part of the link.
        Form::Formula { quote: b'"' } if spelled.starts_with('[') || spelled.contains(']') => {
            return None;
        }
        Form::Formula { quote: b'"' } if is_content => {
            in_element("x:f", &format!("IMAGE(\"{spelled}\")"))
        }
        Form::Formula { quote: b'"' } => {
            let formula = format!("IMAGE({double}{spelled}{double})");
            in_attribute("table:table-cell table:formula", &formula)
        }
        Form::Formula { .. } if is_content => in_element("x:f", &format!("'{spelled}'#A")),
        Form::Formula { .. } => {
            let formula = format!("{single}{spelled}{single}#A");
            in_attribute("table:table-cell table:formula", &formula)
        }
        // It has a note where it is read as a name.
        _ if is_content || spelled.trim().is_empty() => return None,
        _ => in_attribute("draw:image xlink:href", spelled),
    };
    Some(read(&format!("{ROOT}{element}</w:document>")))
}

/// Documents that could take long to read.
const HOSTILE: &[&str] = &strings![
    "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>⟦<w:fldChar w:fldCharType='begin'/>⟧"
    "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>⟦<w:fldChar w:fldCharType='begin'/><w:instrText>HYPERLINK a</w:instrText>⟧"
    "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>⟦<w:fldChar w:fldCharType='begin'/><w:instrText>HYPERLINK \"</w:instrText><w:instrText>a\"</w:instrText><w:fldChar w:fldCharType='end'/>⟧"
    "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:fldChar w:fldCharType='begin'/><w:instrText>HYPERLINK \"⟦</w:instrText><w:instrText>a⟧"
    "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:fldChar w:fldCharType='begin'/>⟦<w:fldChar w:fldCharType='begin'/><w:instrText>RD a</w:instrText><w:instrText>b</w:instrText><w:fldChar w:fldCharType='end'/>⟧"
    "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:fldSimple w:instr='⟦HYPERLINK \\l ⟧'/>"
    "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:fldSimple w:instr='HYPERLINK ⟦\\\\⟧'/>"
    "<x:c xmlns:x='http://schemas.openxmlformats.org/spreadsheetml/2006/main'><x:f>⟦HYPERLINK(\"a\")⟧"
    "<x:c xmlns:x='http://schemas.openxmlformats.org/spreadsheetml/2006/main'><x:f>⟦HYPERLINK⟧(\"a\")"
    "<x:c xmlns:x='http://schemas.openxmlformats.org/spreadsheetml/2006/main'><x:f>⟦ \"\"⟧" "<x:c xmlns:x='http://schemas.openxmlformats.org/spreadsheetml/2006/main'><x:f>\"⟦\"\"⟧"
    "<x:c xmlns:x='http://schemas.openxmlformats.org/spreadsheetml/2006/main'>⟦<x:f><![CDATA[a]]>⟧" "<x:c xmlns:x='http://schemas.openxmlformats.org/spreadsheetml/2006/main'><x:f>⟦<!---->(\"⟧"
    "<p:HLinks xmlns:p='http://schemas.openxmlformats.org/officeDocument/2006/extended-properties'>⟦<p:HLinks>⟧"
];
