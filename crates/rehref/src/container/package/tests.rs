//! Archives of any form, built here.

use std::io::{Cursor, Read, Write};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

/// A file of an archive.
#[derive(Clone, Debug)]
struct File {
    name: String,
    content: Vec<u8>,
    is_deflated: bool,
    descriptor: Descriptor,
    /// True if the lengths are in extra fields.
    is_long: bool,
    /// Bytes of another extra field in the local header: Office has some to grow.
    extra: usize,
    /// Bytes before the file that belong to none.
    gap: usize,
}

/// The lengths after the data of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Descriptor {
    None,
    Signed,
    Unsigned,
    /// With lengths of 8 bytes.
    Long,
    /// The local header has the lengths, too.
    Repeated,
}

#[derive(Clone, Debug)]
struct Archive {
    files: Vec<File>,
    /// The numbers of the files in the order of their data.
    prefix: usize,
    is_reversed: bool,
    has_zip64_end: bool,
    comment: String,
}

fn deflated(content: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

impl Archive {
    fn bytes(&self) -> Vec<u8> {
        let mut out = vec![b'#'; self.prefix];
        let mut centrals = vec![Vec::new(); self.files.len()];
        let mut order: Vec<usize> = (0..self.files.len()).collect();
        if self.is_reversed {
            order.reverse();
        }
        for number in order {
            out.extend(vec![b'P'; self.files[number].gap]);
            let offset = (out.len() - self.prefix) as u64;
            centrals[number] = self.files[number].write(&mut out, offset);
        }
        let start = (out.len() - self.prefix) as u64;
        let central = centrals.concat();
        out.extend_from_slice(&central);
        let count = self.files.len() as u64;
        if self.has_zip64_end {
            let end = (out.len() - self.prefix) as u64;
            out.extend_from_slice(b"PK\x06\x06");
            out.extend_from_slice(&44_u64.to_le_bytes());
            out.extend_from_slice(&[45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            for value in [count, count, central.len() as u64, start] {
                out.extend_from_slice(&value.to_le_bytes());
            }
            out.extend_from_slice(b"PK\x06\x07\0\0\0\0");
            out.extend_from_slice(&end.to_le_bytes());
            out.extend_from_slice(&1_u32.to_le_bytes());
        }
        out.extend_from_slice(b"PK\x05\x06\0\0\0\0");
        let short = |value: u64| if self.has_zip64_end { u32::MAX } else { value as u32 };
        let count = if self.has_zip64_end { u16::MAX } else { count as u16 };
        out.extend_from_slice(&[count.to_le_bytes(), count.to_le_bytes()].concat());
        out.extend_from_slice(&short(central.len() as u64).to_le_bytes());
        out.extend_from_slice(&short(start).to_le_bytes());
        out.extend_from_slice(&(self.comment.len() as u16).to_le_bytes());
        out.extend_from_slice(self.comment.as_bytes());
        out
    }

    /// The archive with other contents.
    fn with(&self, contents: &[(usize, Vec<u8>)]) -> Self {
        let mut new = self.clone();
        for (number, content) in contents {
            new.files[*number].content.clone_from(content);
        }
        new
    }
}

impl File {
    /// Writes the local header and the data. Returns the record of the directory.
    fn write(&self, out: &mut Vec<u8>, offset: u64) -> Vec<u8> {
        let data = match self.is_deflated {
            true => deflated(&self.content),
            false => self.content.clone(),
        };
        let checksum = crc32fast::hash(&self.content);
        let lens = [data.len() as u64, self.content.len() as u64];
        let has_descriptor = self.descriptor != Descriptor::None;
        let head = |flags: u16, is_known: bool| {
            let method: u16 = if self.is_deflated { 8 } else { 0 };
            let mut head = [20, flags, method, 1, 33].map(u16::to_le_bytes).concat();
            head.extend_from_slice(&(if is_known { checksum } else { 0 }).to_le_bytes());
            for len in lens {
                let len = if is_known { len as u32 } else { 0 };
                let len = if self.is_long { u32::MAX } else { len };
                head.extend_from_slice(&len.to_le_bytes());
            }
            head.extend_from_slice(&(self.name.len() as u16).to_le_bytes());
            head
        };
        // A local header has both lengths; the directory has the offset, too.
        let long = |lens: &[u64]| {
            let mut extra = Vec::new();
            if self.is_long {
                extra.extend([[1, 0], (8 * lens.len() as u16).to_le_bytes()].concat());
                extra.extend(lens.iter().flat_map(|it| it.to_le_bytes()));
            }
            extra
        };
        let is_known = !has_descriptor || self.descriptor == Descriptor::Repeated;
        let flags = if has_descriptor { 8 } else { 0 };
        out.extend_from_slice(b"PK\x03\x04");
        out.extend_from_slice(&head(flags, is_known));
        let known = |len: u64| if is_known { len } else { 0 };
        let mut extra = long(&[known(lens[1]), known(lens[0])]);
        extra.extend([[0x20, 0xA2], (self.extra as u16).to_le_bytes()].concat());
        extra.extend(vec![0; self.extra]);
        out.extend_from_slice(&(extra.len() as u16).to_le_bytes());
        out.extend_from_slice(self.name.as_bytes());
        out.extend_from_slice(&extra);
        out.extend_from_slice(&data);
        if has_descriptor {
            if self.descriptor != Descriptor::Unsigned {
                out.extend_from_slice(b"PK\x07\x08");
            }
            out.extend_from_slice(&checksum.to_le_bytes());
            for len in lens {
                match self.descriptor {
                    Descriptor::Long => out.extend_from_slice(&len.to_le_bytes()),
                    _ => out.extend_from_slice(&(len as u32).to_le_bytes()),
                }
            }
        }
        let mut central = b"PK\x01\x02\x14\x03".to_vec();
        central.extend_from_slice(&head(flags, true));
        let extra = long(&[lens[1], lens[0], offset]);
        central.extend_from_slice(&(extra.len() as u16).to_le_bytes());
        central.extend_from_slice(&[2, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let offset = if self.is_long { u32::MAX } else { offset as u32 };
        central.extend_from_slice(&offset.to_le_bytes());
        central.extend_from_slice(self.name.as_bytes());
        central.extend_from_slice(&extra);
        central.extend_from_slice(b"ab");
        central
    }
}

fn content() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        Just(Vec::new()),
        prop::collection::vec(any::<u8>(), 0..60),
        Just(b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec()),
        (1..9_usize).prop_map(|it| "http://a.example/".repeat(it).into_bytes()),
    ]
}

fn file() -> impl Strategy<Value = File> {
    use Descriptor::{Long, None, Repeated, Signed, Unsigned};
    let descriptor = select(vec![None, None, Signed, Unsigned, Long, Repeated]);
    (content(), any::<[bool; 2]>(), descriptor, 0..9_usize, select(vec![0, 0, 5])).prop_map(
        |(content, [is_deflated, is_long], descriptor, extra, gap)| {
            // Repeated lengths of an empty file look like missing ones, and long ones before a gap like
            // short ones.
            let is_unclear = content.is_empty() && matches!(descriptor, Long | Repeated);
            let descriptor = if is_unclear { Signed } else { descriptor };
            let name = String::new();
            File { name, content, is_deflated, descriptor, is_long, extra, gap }
        },
    )
}

prop_compose! {
    fn archive()(
        files in prop::collection::vec(file(), 0..6),
        prefix in select(vec![0, 0, 7]),
        [is_reversed, has_zip64_end] in any::<[bool; 2]>(),
        comment in select(vec!["", "a comment", "PK\x05\x06"]),
    ) -> Archive {
        let mut files = files;
        for (number, file) in files.iter_mut().enumerate() {
            file.name = format!("word/{number}.xml");
        }
        Archive { files, prefix, is_reversed, has_zip64_end, comment: comment.to_owned() }
    }
}

/// The bytes with these edits.
fn edited(bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::new(), 0);
    for (range, new) in edits {
        out.extend_from_slice(&bytes[at..range.start]);
        out.extend_from_slice(new);
        at = range.end;
    }
    out.extend_from_slice(&bytes[at..]);
    out
}

proptest! {
    #![proptest_config(crate::tier::cases(4_000))]

    /// Edits make the archive that its writer makes of the new contents.
    #[test]
    fn edited_archive_is_the_one_with_the_new_contents(
        archive in archive(),
        new in prop::collection::vec((any::<prop::sample::Index>(), content()), 0..4),
    ) {
        let bytes = archive.bytes();
        let package = Package::read(bytes.clone()).unwrap();
        prop_assert_eq!(package.count(), archive.files.len());
        for (number, file) in archive.files.iter().enumerate() {
            prop_assert_eq!(package.name(number), file.name.as_bytes());
            prop_assert_eq!(&*package.content(number).unwrap(), &*file.content);
        }
        let mut contents = std::collections::BTreeMap::new();
        if package.count() > 0 {
            contents.extend(new.into_iter().map(|(it, new)| (it.index(package.count()), new)));
        }
        let contents: Vec<_> = contents.into_iter().collect();
        let edits = package.edits(&contents).unwrap();
        let expected = archive.with(&contents).bytes();
        prop_assert_eq!(edited(&bytes, &edits), expected);
    }

    /// Another reader finds the same files, where it can read the archive.
    #[test]
    fn files_are_those_of_another_reader(archive in archive()) {
        let bytes = archive.bytes();
        let Ok(mut other) = zip::ZipArchive::new(Cursor::new(&bytes)) else {
            return Ok(());
        };
        let package = Package::read(bytes.clone()).unwrap();
        prop_assert_eq!(other.len(), package.count());
        for number in 0..other.len() {
            let mut file = other.by_index(number).unwrap();
            prop_assert_eq!(file.name_raw(), package.name(number));
            let mut content = Vec::new();
            file.read_to_end(&mut content).unwrap();
            prop_assert_eq!(&*content, &*package.content(number).unwrap());
        }
    }

    /// No bytes make it panic.
    #[test]
    fn damaged_archives_do_no_harm(
        archive in archive(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        cut in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
    ) {
        let mut bytes = archive.bytes();
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if is_cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(package) = Package::read(bytes.clone()) {
            for number in 0..package.count() {
                if let Ok(content) = package.content(number) {
                    let edits = package.edits(&[(number, [&content, &b"x"[..]].concat())]);
                    let Ok(edits) = edits else { continue };
                    let new = edited(&bytes, &edits);
                    let new = Package::read(new).unwrap();
                    prop_assert_eq!(new.content(number).unwrap().len(), content.len() + 1);
                }
            }
        }
    }
}

#[test]
fn ambiguous_archives_are_refused() {
    let file = |name: &str| File {
        name: name.to_owned(),
        content: b"http://a.example/".to_vec(),
        is_deflated: false,
        descriptor: Descriptor::None,
        is_long: false,
        extra: 0,
        gap: 0,
    };
    let archive = |files: Vec<File>| Archive {
        files,
        prefix: 0,
        is_reversed: false,
        has_zip64_end: false,
        comment: String::new(),
    };
    let problem = |bytes: &[u8]| Package::read(bytes.to_vec()).unwrap_err().problem;
    let twice = archive(vec![file("a.xml"), file("a.xml")]).bytes();
    assert_eq!(problem(&twice), "a.xml is in the ZIP file twice");
    let mut shared = archive(vec![file("a.xml"), file("b.xml")]).bytes();
    let second = shared.windows(4).rposition(|it| it == b"PK\x01\x02").unwrap();
    // The second file is in the first one.
    shared[second + 42] = 0;
    assert!(problem(&shared).contains("is damaged"), "{}", problem(&shared));
    let mut cut = archive(vec![file("a.xml")]).bytes();
    cut.truncate(cut.len() - 1);
    assert_eq!(problem(&cut), "no end record: not a ZIP file, or a cut one");
    let mut comment = archive(vec![file("a.xml")]);
    comment.comment = "PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".to_owned();
    assert_eq!(problem(&comment.bytes()), "the comment of the ZIP file looks like its end record");
}

#[test]
fn contents_are_bounded() {
    let archive = |content: Vec<u8>| {
        let file = File {
            name: "a.xml".to_owned(),
            content,
            is_deflated: true,
            descriptor: Descriptor::None,
            is_long: false,
            extra: 0,
            gap: 0,
        };
        let files = vec![file];
        let comment = String::new();
        Archive { files, prefix: 0, is_reversed: false, has_zip64_end: false, comment }.bytes()
    };
    let content =
        |bytes: &[u8]| Package::read(bytes.to_vec()).unwrap().content(0).map(|it| it.len());
    assert_eq!(content(&archive(vec![0; 1 << 20])), Ok(1 << 20));
    let bomb = archive(vec![0; 17 << 20]);
    assert_eq!(content(&bomb).unwrap_err(), PartError::TooLong(16 << 20));
    // A length that is too small does not hide the others.
    let mut bomb = bomb;
    let central = bomb.windows(4).rposition(|it| it == b"PK\x01\x02").unwrap();
    for field in [22, central + 24] {
        bomb[field..field + 4].copy_from_slice(&9_u32.to_le_bytes());
    }
    assert!(content(&bomb).is_err());
}
