//! The output of this serializer equals that of `serde_json`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde::Serialize;

use super::write_json;
use crate::format::UnreadKind;
use crate::records::{
    BrokenRecord, BrokenTargetRecord, Bytes, CheckSummary, ContextRecord, CountBy, CountRecord,
    EditRecord, Failure, FileCountRecord, LinkRecord, MailRecord, MoveRecord, OrphanRecord,
    PackageRecord, RecordBase, SummaryRecord, UnreadDocuments, UriRecord, WarningRecord,
    WebArchiveRecord,
};
use crate::uri::{Grammar, Resolver};

/// Fails if the JSON differs from that of `serde_json`. Appends to the content of the vector.
fn same(value: &impl Serialize) -> Result<(), TestCaseError> {
    let mut written = b"\"".to_vec();
    write_json(value, &mut written);
    let expected = serde_json::to_string(value).expect("JSON");
    prop_assert_eq!(String::from_utf8(written).expect("UTF-8"), format!("\"{expected}"));
    Ok(())
}

/// Texts around the lengths of words, with characters that are escaped anywhere.
fn hostile() -> impl Strategy<Value = String> {
    let plain = select(vec!["a", "é", "語", "\u{7F}", " ", "!", "#", "[", "]", "\u{1F517}"]);
    let escaped = any::<char>().prop_map(|it| char::from(it as u8 % 0x20).to_string());
    let special = select(vec!["\"", "\\", "\u{0}", "\u{1F}", "\n", "\t", "\u{8}", "\u{C}", "\r"]);
    let character = prop_oneof![
        30 => plain.prop_map(str::to_owned),
        1 => special.prop_map(str::to_owned),
        1 => escaped,
        1 => any::<char>().prop_map(String::from),
    ];
    vec(character, 0..40).prop_map(|it| it.concat())
}

/// Bytes that may not be text.
fn hostile_bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![hostile().prop_map(String::into_bytes), vec(any::<u8>(), 0..20)]
}

/// Texts for the fields of a record. One after the other is taken, from the beginning again.
#[derive(Debug)]
struct Texts {
    texts: Vec<String>,
    bytes: Vec<Vec<u8>>,
    numbers: Vec<usize>,
}

impl Texts {
    fn any() -> impl Strategy<Value = Self> {
        let numbers = vec(prop_oneof![any::<usize>(), 0..200usize], 4);
        (vec(hostile(), 7), vec(hostile_bytes(), 3), numbers)
            .prop_map(|(texts, bytes, numbers)| Self { texts, bytes, numbers })
    }

    fn text(&self, at: usize) -> Cow<'_, str> {
        Cow::Borrowed(&self.texts[at % self.texts.len()])
    }

    /// None for some of the texts.
    fn option(&self, at: usize) -> Option<Cow<'_, str>> {
        Some(self.text(at)).filter(|text| text.len() % 4 != 0)
    }

    fn bytes(&self, at: usize) -> Bytes<'_> {
        Bytes::new(&self.bytes[at % self.bytes.len()])
    }

    fn number(&self, at: usize) -> usize {
        self.numbers[at % self.numbers.len()]
    }

    fn link(&self, has_context: bool, is_in_mail: bool, is_in_archive: bool) -> LinkRecord<'_> {
        let context = ContextRecord {
            text: self.option(0),
            rel: self.option(1),
            title: self.option(2),
            heading: self.option(3),
            date: self.option(4),
            from: self.option(5),
            subject: self.option(6),
        };
        let mail = MailRecord {
            archive: self.bytes(1),
            message: self.number(0) as u64,
            message_offset: self.number(1) as u64,
            message_id: self.option(4).map(|_| self.bytes(2)),
            part: self.text(4),
            header: self.option(5),
            file_spans: vec![[1, 2]; self.number(2) % 3],
            target_part: self.option(6),
        };
        let web_archive = WebArchiveRecord {
            archive: self.bytes(1),
            record_offset: self.number(0) as u64,
            member_offset: self.number(1) as u64,
            record_id: self.option(4),
            retrieved: self.option(5),
            status: Some(200),
            date: self.option(6),
            record_type: self.text(4),
            content_type: self.option(0),
        };
        LinkRecord {
            doc: self.bytes(0),
            line: self.number(0),
            col: self.number(1),
            spans: self
                .option(3)
                .map(|_| vec![[self.number(2), self.number(3)]; self.number(3) % 3]),
            raw: self.text(0),
            reference: self.text(1),
            uri: self.option(2),
            alternatives: Cow::Borrowed(&self.texts[..self.number(0) % 3]),
            base: self.option(3),
            base_from: self.option(4).map(|_| "option"),
            place: "html",
            cue: self.option(5).map(|_| "angle"),
            element: self.option(6),
            attr: self.option(0),
            role: "navigate",
            charset: self.text(6),
            same_document: self.number(1).is_multiple_of(2),
            notes: vec!["malformed"; self.number(1) % 3],
            context: has_context.then(|| self.option(1).map(|_| context)),
            unwrapped: has_context.then(|| self.option(2)),
            mail: is_in_mail.then_some(mail),
            web_archive: is_in_archive.then_some(web_archive),
            package: (!is_in_mail && !is_in_archive).then(|| PackageRecord { part: self.text(5) }),
            fragment: self.option(3).filter(|_| has_context),
        }
    }
}

proptest! {
    #[test]
    fn strings_are_those_of_serde_json(text in hostile()) {
        same(&text)?;
        // At each position of the text in a word.
        for at in (0..text.len()).filter(|&at| text.is_char_boundary(at)) {
            same(&&text[at..])?;
        }
    }

    #[test]
    fn records_are_those_of_serde_json(it in Texts::any()) {
        for bits in 0..8 {
            let [has_context, is_in_mail, is_in_archive] = [1, 2, 4].map(|bit| bits & bit != 0);
            same(&it.link(has_context, is_in_mail, is_in_archive))?;
            same(&it.link(has_context, is_in_mail, is_in_archive).into_owned())?;
        }
        same(&BrokenRecord {
            doc: it.bytes(0),
            line: it.number(0),
            col: it.number(1),
            spans: it.option(3).map(|_| vec![[it.number(2), it.number(3)]; it.number(0) % 3]),
            reference: it.text(0),
            uri: it.option(1),
            why: "missing",
            near: it.option(2),
        })?;
        same(&BrokenTargetRecord {
            target: it.text(0),
            why: "missing",
            near: it.option(1),
            links: it.number(0),
        })?;
        same(&EditRecord {
            doc: it.bytes(0),
            line: it.number(0),
            col: it.number(1),
            span: [it.number(2), it.number(3)],
            old: it.text(0),
            new: it.option(1),
            old_uri: it.option(2),
            new_uri: it.option(3),
            text: it.bytes(0),
            rule: "map",
        })?;
        same(&MoveRecord { old: it.bytes(0), new: it.bytes(1), done: it.number(0) % 2 == 0 })?;
        same(&OrphanRecord { doc: it.bytes(0) })?;
        same(&WarningRecord { doc: it.bytes(0), code: "charset", text: it.text(0) })?;
        for &by in CountBy::ALL {
            let value = it.option(0).map(|_| it.bytes(0));
            same(&CountRecord { by, value, links: it.number(0) })?;
        }
        same(&FileCountRecord::new(&PathBuf::from(&*it.text(0)), it.number(0)))?;
        let mut unread = UnreadDocuments::default();
        for _ in 0..it.number(0) % 3 {
            unread.add(UnreadKind::Document(".docx"));
            unread.add(UnreadKind::UnreadableDirectory);
        }
        same(&unread)?;
        same(&CheckSummary { unread: unread.clone(), ..CheckSummary::default() })?;
        same(&SummaryRecord {
            docs: it.number(0),
            links: it.number(1),
            warnings: it.number(2),
            messages: it.number(3) % 2,
            unread,
        })?;
        same(&Failure::whole(&it.text(0), "RFC 3986, 3"))?;
        for base in ["http://a.example/b", &it.texts[0]] {
            let base = RecordBase::new(base, Resolver::default());
            same(&base.resolve(&it.bytes(0).0))?;
            same(&base.relative(&it.bytes(1).0))?;
        }
        for &grammar in Grammar::ALL {
            same(&UriRecord::of_bytes(&it.bytes[0], grammar))?;
            let uri = format!("http://{}", it.texts[0]);
            same(&UriRecord::of_bytes(uri.as_bytes(), grammar))?;
        }
    }

    #[test]
    fn values_of_any_type_are_those_of_serde_json(
        text in hostile(), number in any::<i64>(), wide in any::<u128>(), float in any::<f64>(),
    ) {
        same(&Shapes::new(&text, number, wide, float))?;
    }
}

/// A value of each kind in the data model of serde.
#[derive(Serialize)]
struct Shapes<'t> {
    #[serde(rename = "\"\\\n a name that is escaped")]
    escaped_name: (),
    signed: (i8, i16, i32, i64, i128),
    unsigned: (u8, u16, u32, u64, u128),
    floats: [f64; 3],
    short_floats: (f32, f32),
    booleans: [bool; 2],
    characters: [char; 3],
    bytes: RawBytes<'t>,
    options: [Option<Option<&'t str>>; 3],
    unit: Unit,
    newtype: Newtype<'t>,
    tuple: Tuple<'t>,
    variants: [Variant<'t>; 4],
    empty: (Vec<u8>, BTreeMap<u8, u8>, Empty),
    texts: BTreeMap<&'t str, &'t str>,
    numbers: BTreeMap<i64, u8>,
    flags: BTreeMap<bool, char>,
    of_characters: BTreeMap<char, Unit>,
    of_newtypes: BTreeMap<Newtype<'t>, bool>,
    of_variants: BTreeMap<Key, bool>,
    value: serde_json::Value,
    #[serde(flatten)]
    flat: Empty,
}

#[derive(Serialize)]
struct Unit;

#[derive(Serialize)]
struct Empty {}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Newtype<'t>(&'t str);

#[derive(Serialize)]
struct Tuple<'t>(&'t str, i64);

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize)]
enum Key {
    #[serde(rename = "\"quoted\"")]
    Quoted,
    Plain,
}

#[derive(Serialize)]
enum Variant<'t> {
    Unit,
    Newtype(&'t str),
    Tuple(&'t str, i64),
    Struct { text: &'t str, number: i64 },
}

struct RawBytes<'t>(&'t [u8]);

impl Serialize for RawBytes<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

impl<'t> Shapes<'t> {
    fn new(text: &'t str, number: i64, wide: u128, float: f64) -> Self {
        let low = number as u64;
        Self {
            escaped_name: (),
            signed: (number as i8, number as i16, number as i32, number, wide as i128),
            unsigned: (number as u8, number as u16, number as u32, low, wide),
            floats: [float, f64::NAN, low as f64],
            short_floats: (float as f32, f32::INFINITY),
            booleans: [true, false],
            characters: ['"', '\n', text.chars().next().unwrap_or('é')],
            bytes: RawBytes(text.as_bytes()),
            options: [None, Some(None), Some(Some(text))],
            unit: Unit,
            newtype: Newtype(text),
            tuple: Tuple(text, number),
            variants: [
                Variant::Unit,
                Variant::Newtype(text),
                Variant::Tuple(text, number),
                Variant::Struct { text, number },
            ],
            empty: (Vec::new(), BTreeMap::new(), Empty {}),
            texts: BTreeMap::from([(text, "a"), ("\"", text)]),
            numbers: BTreeMap::from([(number, 0), (0, 1), (-1, 2)]),
            flags: BTreeMap::from([(false, '\\'), (true, 'a')]),
            of_characters: BTreeMap::from([('"', Unit), ('1', Unit)]),
            of_newtypes: BTreeMap::from([(Newtype(text), true)]),
            of_variants: BTreeMap::from([(Key::Quoted, true), (Key::Plain, false)]),
            value: serde_json::json!({"a": [text, number, null, float]}),
            flat: Empty {},
        }
    }
}

#[test]
fn values_that_json_cannot_have_are_refused() {
    let keys = BTreeMap::from([((1, 2), 3)]);
    assert!(serde_json::to_string(&keys).is_err());
    let mut out = Vec::new();
    assert!(keys.serialize(super::Json { out: &mut out }).is_err());
    let keys = BTreeMap::from([((), 3)]);
    assert!(serde_json::to_string(&keys).is_err());
    assert!(keys.serialize(super::Json { out: &mut out }).is_err());
}
