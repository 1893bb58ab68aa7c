//! Generated PDF files: the links are those that were put into their actions, wherever these are.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use proptest::prelude::*;
use proptest::sample::select;
use rehref::format::Format;

use super::{Row, config};
use crate::support::links::references;

laws! { files: ROW; }

const ROW: Row = Row {
    first: "%PDF-1.7\ntrailer<</Root 1 0 R>>\n",
    read_back: |read, link, spelled| {
        if link.spans.is_empty() {
            return None;
        }
        // A string that is not closed ends with its object.
        let is_closed = spelled.matches('(').count() == spelled.matches(')').count();
        let is_literal = is_closed && !spelled.contains('\\');
        is_literal.then(|| read(&format!("1 0 obj<</S/URI/URI({spelled})>>endobj")))
    },
    hostile: HOSTILE,
    ..Row::new(
        Format::Pdf,
        "file.pdf",
        |row| {
            row.encoded(
                prop::collection::vec(piece(), 0..24).prop_map(|it| it.concat()),
                &["utf-8"],
            )
        },
        || piece().boxed(),
    )
};

/// Pieces of objects.
const PIECES: [&str; 40] = strings![
    "1 0 obj" "2 0 obj\n" "endobj" " endobj\n" "<<" ">>" "[" "]" "/URI" "/S/URI/URI(a)" "/URI (http://a/b)/S/URI"
    "/S/URI/URI 2 0 R" "/A<</S/URI/URI(c)>>" "/URI<</Base(http://h/)>>" "/K 2 0 R" "(" ")" "\\" "(a(b)" "%" "\n"
    "stream\n" "endstream" "/Length 3" "/Length 2 0 R" "/Type/ObjStm" "/First 4" "/N 1" "3 0 " "<</S/URI/URI(o)>>"
    "/Filter/FlateDecode" "trailer" "/Root 1 0 R" "/Encrypt 3 0 R" "R" "0" " " "obj" "/S/URI/U#52I(d)" "xref"
];

fn piece() -> impl Strategy<Value = String> {
    select(&PIECES[..]).prop_map(str::to_owned)
}

const HOSTILE: &[&str] = &[
    "⟦(⟧",
    "⟦<⟧",
    "⟦<<⟧",
    "⟦[⟧",
    "⟦%⟧",
    "⟦/⟧",
    "⟦obj ⟧",
    "⟦endobj⟧",
    "⟦0 ⟧obj",
    "⟦trailer⟧",
    "⟦trailer(⟧",
    "⟦trailer<<⟧",
    "⟦trailer 5(⟧",
    "⟦1 0 obj⟧",
    "⟦1 0 obj(⟧",
    "⟦1 0 obj 5(⟧",
    "⟦1 0 obj 5<⟧",
    "⟦1 0 obj 5%⟧",
    "⟦1 0 obj<<>>(⟧",
    "⟦1 0 obj<</Length 9>>(⟧",
    "⟦1 0 obj<<⟧",
    "⟦1 0 obj<</A(⟧",
    "⟦1 0 obj<<>>stream\n⟧",
    "⟦1 0 obj<</Length 9>>stream\n⟧",
    "⟦1 0 obj<</Length 0>>stream\nendstream⟧",
    "⟦1 0 obj<</Length № 0 R>>stream\nendstream ⟧",
    "⟦1 0 obj<</Length 1 0 R>>stream\n⟧",
    "⟦№ 0 obj<</K №1 0 R>>endobj ⟧",
    "1 0 obj[⟦1 0 R ⟧",
    "1 0 obj[⟦<</S/URI/URI 2 0 R>>⟧]endobj 2 0 obj(a)",
    "1 0 obj<</Type/ObjStm/First 4>>stream\n2 0 ⟦[⟧",
    "1 0 obj⟦<</S/URI/URI(a)/K⟧",
    "⟦1 0 obj<</Type/ObjStm/First 4>>stream\n2 0 <</URI(a)>>endstream ⟧",
    "1 0 obj<</Type/ObjStm/First 90000>>stream\n⟦1 0 ⟧[[[[[[[[[[[[[[[[[",
];

/// Where the URI of an action is.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// In the annotation.
    Direct,
    /// In an object of its own.
    Object,
    /// In an object with the URI in another one.
    Shared,
    /// In a compressed object.
    Compressed,
    /// In an object that an update replaces.
    Replaced,
    /// In an object that nothing refers to.
    Unused,
}

/// A URI with its place, and whether it is in hexadecimal digits.
fn actions() -> impl Strategy<Value = Vec<(String, Place, bool)>> {
    use Place::{Compressed, Direct, Object, Replaced, Shared, Unused};
    let places = select(vec![Direct, Object, Shared, Compressed, Replaced, Unused]);
    prop::collection::vec(("[a-z():/\\\\%é]{1,12}", places, any::<bool>()), 0..12)
}

fn string(text: &str, is_hexadecimal: bool) -> String {
    if is_hexadecimal {
        let digits: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
        return format!("<{digits}>");
    }
    let escaped: String = text.chars().fold(String::new(), |text, character| match character {
        '(' | ')' | '\\' => text + "\\" + &character.to_string(),
        character => text + &character.to_string(),
    });
    format!("({escaped})")
}

/// A file with actions. Compressed objects are in one stream.
fn file(actions: &[(String, Place, bool)]) -> Vec<u8> {
    let (mut annotations, mut objects) = (String::new(), String::new());
    let (mut heads, mut content, mut update) = (String::new(), String::new(), String::new());
    for (number, (uri, place, is_hexadecimal)) in actions.iter().enumerate() {
        let string = string(uri, *is_hexadecimal);
        let action = format!("<</S/URI/URI {string}>>");
        let (number, other) = (10 + 2 * number, 11 + 2 * number);
        let reference = format!("<</Subtype/Link/A {number} 0 R>>");
        match place {
            Place::Direct => annotations += &format!("<</A{action}>>"),
            Place::Object => objects += &format!("{number} 0 obj {action} endobj\n"),
            Place::Shared => {
                objects += &format!(
                    "{other} 0 obj {string} endobj {number} 0 obj<</S/URI/URI {other} 0 R>>endobj\n"
                );
            }
            Place::Compressed => {
                heads += &format!("{number} {} ", content.len());
                content += &format!("{action} ");
            }
            Place::Replaced => {
                objects += &format!("{number} 0 obj<</S/URI/URI(no)>>endobj\n");
                update += &format!("{number} 0 obj{action}endobj\n");
            }
            Place::Unused => objects += &format!("{number} 0 obj{action}endobj\n"),
        }
        if !matches!(place, Place::Direct | Place::Unused) {
            annotations += &reference;
        }
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all((heads.clone() + &content).as_bytes()).expect("memory");
    let data = encoder.finish().expect("memory");
    let stream = format!(
        "<</Type/ObjStm/First {}/Length {}/Filter/FlateDecode>>stream\n",
        heads.len(),
        data.len()
    );
    let mut file = format!("%PDF-1.7\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Annots[{annotations}]>>endobj {objects}3 0 obj{stream}").into_bytes();
    file.extend_from_slice(&data);
    let end = format!(
        "\nendstream endobj\n4 0 obj<</Type/XRef/Root 1 0 R>>stream\nendstream endobj\n{update}"
    );
    file.extend_from_slice(end.as_bytes());
    file
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn links_are_the_uris_of_actions(actions in actions()) {
        let document = ROW.document(file(&actions), "utf-8");
        let mut found = references(&document);
        let used = actions.iter().filter(|(_, place, _)| !matches!(place, Place::Unused));
        let mut expected: Vec<_> = used.map(|(uri, ..)| uri.clone()).collect();
        found.sort_unstable();
        expected.sort_unstable();
        prop_assert_eq!(found, expected);
    }
}
