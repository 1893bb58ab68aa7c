//! Generated XML of offices and books: relationships, fields, formulas and their like, which need
//! not be well-formed.

use proptest::prelude::*;
use proptest::sample::select;
use rehref::format::Format;
use rehref::link::{Form, ParsedLink, Quoting};

use super::{CHARSETS, Row};

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
