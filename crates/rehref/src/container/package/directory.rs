//! The directory of a ZIP file, with the place of each field (APPNOTE.TXT 6.3.10).

use std::collections::HashMap;
use std::ops::Range;

use memchr::memmem;

/// The length of a comment at the end of the file at most, in bytes.
const MAX_COMMENT: usize = u16::MAX as usize;

/// The most files of a package.
const MAX_ENTRIES: u64 = 65_535;

/// The compression methods of packages (section 4.4.5).
pub(super) const STORED: u16 = 0;
pub(super) const DEFLATED: u16 = 8;

/// The bit of encrypted files (section 4.4.4).
const ENCRYPTED: u16 = 1;

/// The bit of files whose lengths follow their data.
const HAS_DESCRIPTOR: u16 = 1 << 3;

/// The value of a field whose value is in a field of 64 bits (section 4.5.3).
const IN_ZIP64: u32 = u32::MAX;

/// The number of this extra field.
const ZIP64: u16 = 1;

const LOCAL: &[u8] = b"PK\x03\x04";
const CENTRAL: &[u8] = b"PK\x01\x02";
const SIGNATURE: &[u8] = b"PK\x05\x05";
const END: &[u8] = b"PK\x05\x06";
const END_64: &[u8] = b"PK\x06\x06";
const LOCATOR_64: &[u8] = b"PK\x06\x07";
const DESCRIPTOR: &[u8] = b"PK\x07\x08";

/// The files of a ZIP file, and where their fields are. Offsets are those in the bytes that were
/// read, from 0.
#[derive(Clone, Debug)]
pub(super) struct Directory {
    /// The files, in the order of the directory.
    pub(super) entries: Vec<Entry>,
    /// Their numbers.
    pub(super) by_name: HashMap<Vec<u8>, usize>,
    /// The offset of the directory, in which the fields of `starts` say where it is.
    pub(super) start: usize,
    pub(super) starts: Vec<Field>,
    /// The offset of the end record of ZIP64 and the field that says where it is.
    pub(super) end_64: Option<(usize, Field)>,
}

/// A file.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) name: Vec<u8>,
    pub(super) is_encrypted: bool,
    /// The number of the compression method: 0 for none, 8 for deflate.
    pub(super) method: u16,
    pub(super) checksum: u32,
    /// The length of its content, in bytes.
    pub(super) len: u64,
    /// The offset of its local header, and the field of the directory that says where it is.
    pub(super) local: usize,
    pub(super) local_field: Field,
    /// Its compressed bytes.
    pub(super) data: Range<usize>,
    /// The fields in the directory.
    pub(super) central_lengths: Lengths,
    /// Those in the local header, unless they are after the data.
    pub(super) local_lengths: Option<Lengths>,
    /// Those after the data.
    pub(super) descriptor: Option<Lengths>,
    /// The end of the file with its descriptor.
    end: usize,
}

/// The fields of a file that depend on its content.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    /// The offset of the checksum, which has 4 bytes.
    pub(super) checksum: usize,
    pub(super) compressed: Field,
    pub(super) len: Field,
}

/// A field with a length or an offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) at: usize,
    /// True for 8 bytes, false for 4.
    pub(super) is_long: bool,
}

/// An edit of the bytes of a ZIP file: a range, and its new bytes.
pub type Edit = (Range<usize>, Vec<u8>);

impl Field {
    /// The value.
    pub(super) fn read(self, bytes: &[u8]) -> u64 {
        let mut value = [0; 8];
        let len = self.len();
        value[..len].copy_from_slice(&bytes[self.at..self.at + len]);
        u64::from_le_bytes(value)
    }

    /// Sets the field.
    pub(super) fn edit(self, value: u64) -> Result<Edit, String> {
        let len = self.len();
        // The greatest value of a short field means that the value is in a longer one.
        if !self.is_long && value >= u32::MAX.into() {
            return Err("the ZIP file would be longer than 4 GiB".to_owned());
        }
        Ok((self.at..self.at + len, value.to_le_bytes()[..len].to_vec()))
    }

    fn len(self) -> usize {
        if self.is_long { 8 } else { 4 }
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

fn offset_at(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u64_at(bytes, at)?).ok()
}

/// The records at the end of a ZIP file.
struct End {
    count: u64,
    len: usize,
    /// The offset of the directory as written.
    offset: usize,
    /// The offset of the first of these records.
    start: usize,
    starts: Vec<Field>,
    end_64: Option<(usize, Field)>,
}

impl Directory {
    /// Reads the directory.
    ///
    /// # Errors
    /// If these bytes are not a whole ZIP file, or ambiguous.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let end = End::find(bytes)?;
        let cut = || "the directory of the ZIP file is cut".to_owned();
        let start = end.start.checked_sub(end.len).ok_or_else(cut)?;
        // Bytes before the ZIP file, which offsets do not count.
        let shift = start.checked_sub(end.offset).ok_or_else(cut)?;
        if end.count > MAX_ENTRIES {
            return Err(format!("more than {MAX_ENTRIES} files in the ZIP file"));
        }
        let mut entries = Vec::new();
        let mut at = start;
        for _ in 0..end.count {
            let (entry, next) = Entry::read(bytes, at, shift).ok_or_else(|| {
                format!("the record of a file at byte {at} of the ZIP file is damaged")
            })?;
            if next > end.start {
                return Err(cut());
            }
            entries.push(entry);
            at = next;
        }
        // A signature of the directory may follow (section 4.3.13).
        if at != end.start && !bytes[at..].starts_with(SIGNATURE) {
            return Err("the end record of the ZIP file does not count all files".to_owned());
        }
        let names = entries.iter().enumerate().map(|(number, it)| (it.name.clone(), number));
        let by_name = names.collect();
        let directory = Self { entries, by_name, start, starts: end.starts, end_64: end.end_64 };
        directory.check()?;
        Ok(directory)
    }

    /// Refuses files with one name, which programs choose from in different ways, and files that
    /// share bytes.
    fn check(&self) -> Result<(), String> {
        if self.by_name.len() < self.entries.len() {
            let is_first = |(number, it): &(usize, &Entry)| self.by_name[&it.name] == *number;
            let twice = self.entries.iter().enumerate().find(|it| !is_first(it));
            let name = twice.map_or("".into(), |(_, it)| String::from_utf8_lossy(&it.name));
            return Err(format!("{name} is in the ZIP file twice"));
        }
        let mut in_order: Vec<&Entry> = self.entries.iter().collect();
        in_order.sort_unstable_by_key(|it| it.local);
        let nexts = in_order.iter().skip(1).map(|it| it.local).chain([self.start]);
        for (entry, next) in in_order.iter().zip(nexts) {
            if entry.end > next {
                let name = String::from_utf8_lossy(&entry.name);
                return Err(format!("{name} has bytes of another file in the ZIP file"));
            }
        }
        Ok(())
    }
}

impl End {
    /// Finds the end records. A comment may contain bytes that look like one.
    fn find(bytes: &[u8]) -> Result<Self, String> {
        let from = bytes.len().saturating_sub(END_LEN + MAX_COMMENT);
        let mut whole = Vec::new();
        let mut last = None;
        for found in memmem::find_iter(&bytes[from..], END) {
            let at = from + found;
            let Some(comment) = u16_at(bytes, at + 20) else {
                continue;
            };
            last = Some(at);
            if at + END_LEN + usize::from(comment) == bytes.len() {
                whole.push(at);
            }
        }
        let no_end = || "no end record: not a ZIP file, or a cut one".to_owned();
        let at = match whole[..] {
            [] => last.ok_or_else(no_end)?,
            [at] => at,
            // Programs disagree about which one counts.
            _ => return Err("the comment of the ZIP file looks like its end record".to_owned()),
        };
        Self::read(bytes, at)
            .ok_or_else(|| "the end record of the ZIP file is damaged".to_owned())?
    }

    /// Reads the end record at an offset, and that of ZIP64 before it.
    fn read(bytes: &[u8], at: usize) -> Option<Result<Self, String>> {
        let disks = [u16_at(bytes, at + 4)?, u16_at(bytes, at + 6)?];
        if disks.into_iter().any(|it| !matches!(it, 0 | u16::MAX)) {
            return Some(Err("one of several files of a divided ZIP file".to_owned()));
        }
        let field = Field { at: at + 16, is_long: false };
        let (count, len, offset) =
            (u16_at(bytes, at + 10)?, u32_at(bytes, at + 12)?, u32_at(bytes, field.at)?);
        let locator = at.checked_sub(LOCATOR_LEN);
        let locator = locator.filter(|&it| bytes[it..].starts_with(LOCATOR_64));
        let Some(locator) = locator else {
            return Some(Ok(Self {
                count: count.into(),
                len: len as usize,
                offset: offset as usize,
                start: at,
                starts: vec![field],
                end_64: None,
            }));
        };
        let field_64 = Field { at: locator + 8, is_long: true };
        let is_there = |it: &usize| bytes.get(*it..).is_some_and(|it| it.starts_with(END_64));
        let at_64 = offset_at(bytes, field_64.at).filter(is_there).or_else(|| {
            // There are bytes before the ZIP file.
            memmem::rfind(&bytes[..locator], END_64)
        })?;
        let count_64 = u64_at(bytes, at_64 + 32)?;
        if count != u16::MAX && u64::from(count) != count_64 {
            return Some(Err("the end records of the ZIP file differ".to_owned()));
        }
        let mut starts = vec![Field { at: at_64 + 48, is_long: true }];
        if offset != IN_ZIP64 {
            starts.push(field);
        }
        Some(Ok(Self {
            count: count_64,
            len: offset_at(bytes, at_64 + 40)?,
            offset: offset_at(bytes, at_64 + 48)?,
            start: at_64,
            starts,
            end_64: Some((at_64, field_64)),
        }))
    }
}

/// The length of the end record without its comment, and of the locator of ZIP64.
const END_LEN: usize = 22;
const LOCATOR_LEN: usize = 20;

/// The values of a header that may be in its extra field.
struct Long {
    len: (u64, Field),
    compressed: (u64, Field),
    local: (u64, Field),
}

/// Reads the lengths of a file and its offset, by the offsets of their short fields. The extra field
/// has those that do not fit, in this order. A local header has no offset.
fn long(bytes: &[u8], fields: [usize; 3], extra: Range<usize>) -> Option<Long> {
    let mut more = None;
    let mut at = extra.start;
    while at + 4 <= extra.end {
        let (number, len) = (u16_at(bytes, at)?, usize::from(u16_at(bytes, at + 2)?));
        if number == ZIP64 && more.is_none() {
            more = Some(at + 4..(at + 4 + len).min(extra.end));
        }
        at += 4 + len;
    }
    let mut read = |at: usize| {
        let short = u32_at(bytes, at)?;
        if short != IN_ZIP64 {
            return Some((short.into(), Field { at, is_long: false }));
        }
        let Some(more) = more.as_mut().filter(|it| it.len() >= 8) else {
            return Some((short.into(), Field { at, is_long: false }));
        };
        let field = Field { at: more.start, is_long: true };
        more.start += 8;
        Some((u64_at(bytes, field.at)?, field))
    };
    let [len, compressed, local] = fields;
    Some(Long { len: read(len)?, compressed: read(compressed)?, local: read(local)? })
}

impl Entry {
    /// Reads a record of the directory, and the local header of its file. Returns the offset of the
    /// next record, too.
    fn read(bytes: &[u8], at: usize, shift: usize) -> Option<(Self, usize)> {
        if !bytes.get(at..)?.starts_with(CENTRAL) {
            return None;
        }
        let flags = u16_at(bytes, at + 8)?;
        let method = u16_at(bytes, at + 10)?;
        let checksum = u32_at(bytes, at + 16)?;
        let lens = [u16_at(bytes, at + 28)?, u16_at(bytes, at + 30)?, u16_at(bytes, at + 32)?];
        let [name_len, extra_len, comment_len] = lens.map(usize::from);
        let name = bytes.get(at + 46..at + 46 + name_len)?;
        let extra = at + 46 + name_len..at + 46 + name_len + extra_len;
        let next = extra.end + comment_len;
        bytes.get(..next)?;
        let central = long(bytes, [at + 24, at + 20, at + 42], extra)?;
        let local = usize::try_from(central.local.0).ok()?.checked_add(shift)?;
        if !bytes.get(local..)?.starts_with(LOCAL) {
            return None;
        }
        let lens = [u16_at(bytes, local + 26)?, u16_at(bytes, local + 28)?].map(usize::from);
        let extra = local + 30 + lens[0]..local + 30 + lens[0] + lens[1];
        // A reader of a stream would find another file.
        let has_name = bytes.get(local + 30..local + 30 + lens[0])? == name;
        if !has_name || u16_at(bytes, local + 8)? != method {
            return None;
        }
        let data_len = usize::try_from(central.compressed.0).ok()?;
        let data = extra.end..extra.end.checked_add(data_len)?;
        bytes.get(data.clone())?;
        let in_local = long(bytes, [local + 22, local + 18, local + 18], extra)?;
        let is_same = in_local.compressed.0 == central.compressed.0
            && in_local.len.0 == central.len.0
            && u32_at(bytes, local + 14)? == checksum;
        if !is_same && flags & HAS_DESCRIPTOR == 0 {
            return None;
        }
        let lengths = |checksum, long: &Long| Lengths {
            checksum,
            compressed: long.compressed.1,
            len: long.len.1,
        };
        let mut entry = Self {
            name: name.to_owned(),
            is_encrypted: flags & ENCRYPTED != 0,
            method,
            checksum,
            len: central.len.0,
            local,
            local_field: central.local.1,
            end: data.end,
            central_lengths: lengths(at + 16, &central),
            local_lengths: None,
            descriptor: None,
            data,
        };
        let has_descriptor = flags & HAS_DESCRIPTOR != 0;
        if has_descriptor {
            let (descriptor, end) = entry.descriptor_at(bytes, data_len as u64)?;
            entry.descriptor = Some(descriptor);
            entry.end = end;
        }
        if !has_descriptor || u32_at(bytes, local + 14)? != 0 {
            entry.local_lengths = Some(lengths(local + 14, &in_local));
        }
        Some((entry, next))
    }

    /// Reads the descriptor after the data (section 4.3.9): its signature may be missing, and its
    /// lengths have 4 or 8 bytes. Returns its end, too.
    fn descriptor_at(&self, bytes: &[u8], compressed: u64) -> Option<(Lengths, usize)> {
        let at = self.data.end;
        let signed = bytes.get(at..)?.starts_with(DESCRIPTOR).then_some(at + DESCRIPTOR.len());
        signed.into_iter().chain([at]).find_map(|at| {
            if u32_at(bytes, at)? != self.checksum {
                return None;
            }
            let fields = |is_long: bool| {
                let len = if is_long { 8 } else { 4 };
                let compressed = Field { at: at + 4, is_long };
                let lengths =
                    Lengths { checksum: at, compressed, len: Field { at: at + 4 + len, is_long } };
                (lengths, at + 4 + 2 * len)
            };
            let short = [u32_at(bytes, at + 4)?, u32_at(bytes, at + 8)?].map(u64::from);
            let (short, long) = (short == [compressed, self.len], {
                let long = [u64_at(bytes, at + 4), u64_at(bytes, at + 12)];
                long == [Some(compressed), Some(self.len)]
            });
            // The lengths of an empty file match both. A record follows.
            let is_before_record = |it: &(Lengths, usize)| bytes[it.1..].starts_with(b"PK");
            match (short, long) {
                (true, true) => Some(fields(true)).filter(is_before_record).or(Some(fields(false))),
                (true, false) => Some(fields(false)),
                (false, true) => Some(fields(true)),
                (false, false) => None,
            }
        })
    }
}
