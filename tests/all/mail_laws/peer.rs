//! Well-formed messages have the parts that mail-parser reads.

use mail_parser::{MessageParser, PartType};
use proptest::prelude::*;
use rehref::format::Format;

use super::{check_spans, for_each_part};
use crate::support::mail::with_crlf;

/// A generated message: its type and its content.
#[derive(Clone, Debug)]
enum Tree {
    Leaf { text: String, encoding: Encoding },
    Multipart { subtype: &'static str, parts: Vec<Tree> },
    Message { tree: Box<Tree>, is_encoded: bool },
}

#[derive(Clone, Copy, Debug)]
enum Encoding {
    Identity,
    QuotedPrintable,
    Base64,
}

/// Text that no transfer encoding changes: no line ends with a space.
fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "word ", "http://a.example/b", "http://a.example/?c=d&e=%20", "<http://a.example/\nb>",
        "\n", "=", "é", "-- ", "--", ".", ">From ",
    ]);
    prop::collection::vec(word, 0..12).prop_map(|words| {
        let text = words.concat();
        let lines = text.lines().map(str::trim_end);
        let mut text = lines.collect::<Vec<_>>().join("\n");
        text.push('.');
        text
    })
}

fn tree() -> impl Strategy<Value = Tree> {
    let encoding =
        prop::sample::select(vec![Encoding::Identity, Encoding::QuotedPrintable, Encoding::Base64]);
    let leaf = (text(), encoding).prop_map(|(text, encoding)| Tree::Leaf { text, encoding });
    leaf.prop_recursive(5, 24, 4, |inner| {
        let subtype = prop::sample::select(vec!["mixed", "alternative", "related", "x-own"]);
        let parts = prop::collection::vec(inner.clone(), 1..4);
        // mail-parser panics if a message contains only a message.
        let held = inner.prop_filter("a message", |tree| !matches!(tree, Tree::Message { .. }));
        prop_oneof![
            4 => (subtype, parts).prop_map(|(subtype, parts)| Tree::Multipart { subtype, parts }),
            1 => held.prop_map(|tree| Tree::Message { tree: Box::new(tree), is_encoded: false }),
        ]
    })
}

impl Tree {
    /// Appends the header fields of an entity, the empty line and the body. `boundaries` counts the
    /// boundaries.
    fn write(&self, boundaries: &mut usize, out: &mut String) {
        match self {
            Self::Leaf { text, encoding } => {
                let (name, body) = match encoding {
                    Encoding::Identity => ("8bit", text.clone()),
                    Encoding::QuotedPrintable => ("quoted-printable", quoted_printable(text)),
                    Encoding::Base64 => ("base64", base64(text)),
                };
                out.push_str("Content-Type: text/plain; charset=utf-8\n");
                out.push_str(&format!("Content-Transfer-Encoding: {name}\n\n{body}"));
            }
            Self::Multipart { subtype, parts } => {
                *boundaries += 1;
                // One boundary is a prefix of the other.
                let boundary = format!("=_b{boundaries}");
                out.push_str(&format!(
                    "Content-Type: multipart/{subtype};\n\tboundary=\"{boundary}\"\n\n"
                ));
                out.push_str("preamble\n");
                for part in parts {
                    out.push_str(&format!("--{boundary}\n"));
                    part.write(boundaries, out);
                    out.push('\n');
                }
                out.push_str(&format!("--{boundary}--\n"));
            }
            Self::Message { tree, is_encoded } => {
                let mut inner =
                    String::from("From: a@b.example\nSubject: inner\nMIME-Version: 1.0\n");
                tree.write(boundaries, &mut inner);
                out.push_str("Content-Type: message/rfc822\n");
                match is_encoded {
                    true => out.push_str(&format!(
                        "Content-Transfer-Encoding: base64\n\n{}",
                        base64(&inner)
                    )),
                    false => out.push_str(&format!("\n{inner}")),
                }
            }
        }
    }

    /// The texts of the leaf parts, in order.
    fn texts<'t>(&'t self, out: &mut Vec<&'t str>) {
        match self {
            Self::Leaf { text, .. } => out.push(text),
            Self::Multipart { parts, .. } => parts.iter().for_each(|part| part.texts(out)),
            Self::Message { tree, .. } => tree.texts(out),
        }
    }

    fn message(&self) -> String {
        let mut out = String::from("From: a@b.example\nSubject: x\nMIME-Version: 1.0\n");
        self.write(&mut 0, &mut out);
        out.push('\n');
        out
    }
}

fn quoted_printable(text: &str) -> String {
    let mut out = String::new();
    for line in text.split('\n') {
        let mut column = 0;
        for byte in line.bytes() {
            if column >= 20 {
                out.push_str("=\n");
                column = 0;
            }
            match byte {
                b'!'..=b'<' | b'>'..=b'~' | b' ' => out.push(byte as char),
                _ => out.push_str(&format!("={byte:02X}")),
            }
            column += 1;
        }
        out.push('\n');
    }
    out.pop();
    out
}

pub(crate) fn base64(text: &str) -> String {
    use base64::Engine as _;
    let encoded = base64::engine::general_purpose::STANDARD.encode(text);
    let lines = encoded.as_bytes().chunks(76);
    let lines = lines.map(|line| std::str::from_utf8(line).expect("ASCII"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The texts of the leaf parts by `mail_parser`.
fn peer_texts(message: &mail_parser::Message<'_>, out: &mut Vec<String>) {
    for part in &message.parts {
        match &part.body {
            PartType::Text(text) => out.push(text.to_string()),
            PartType::Message(message) => peer_texts(message, out),
            _ => assert!(part.is_message() || matches!(part.body, PartType::Multipart(_))),
        }
    }
}

proptest! {
    #[test]
    fn well_formed_messages_have_the_texts_of_mail_parser(tree in tree(), has_cr in any::<bool>()) {
        let mut message = tree.message().into_bytes();
        if has_cr {
            message = with_crlf(&message);
        }
        let mut expected = Vec::new();
        tree.texts(&mut expected);
        let lf = |text: &str| text.replace("\r\n", "\n").trim_end().to_owned();
        let mut ours = Vec::new();
        for_each_part(&message, Format::Mail, |part| {
            if part.document.format() != Format::Header {
                ours.push(lf(&String::from_utf8_lossy(part.document.bytes())));
            }
        });
        prop_assert_eq!(&ours, &expected);
        let peer = MessageParser::new().parse(&message[..]);
        let mut theirs = Vec::new();
        peer_texts(&peer.expect("it is well-formed"), &mut theirs);
        let theirs: Vec<_> = theirs.iter().map(|text| lf(text)).collect();
        prop_assert_eq!(ours, theirs);
        check_spans("a tree", &message, Format::Mail);
    }
}
