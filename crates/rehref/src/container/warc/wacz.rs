//! Archives in a WACZ: a ZIP file with WARC files below `archive/` (WACZ 1.1.1, section 5.1), or with
//! other WACZ files (Multi-WACZ 0.1.0).
//!
//! The index of a WACZ may be wrong or missing, so it is not read. Names in the file never become
//! paths: nothing is written under them.

use std::io::{self, Read, Seek, SeekFrom};

use zip::CompressionMethod;
use zip::result::ZipError;

/// The length of a header in the directory of a ZIP file, without the fields whose lengths it has,
/// in bytes.
const HEADER: usize = 46;

/// The first bytes of this header.
const HEADER_MAGIC: &[u8] = b"PK\x01\x02";

/// An archive in a WACZ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaczEntry {
    /// The name in the ZIP file, such as `archive/data.warc.gz`.
    pub name: String,
    /// The byte offset of its data in the file, from 0.
    pub offset: u64,
    /// The length of its data in the file, in bytes.
    pub len: u64,
    /// True if it is compressed once more, by deflate.
    pub is_deflated: bool,
    /// The CRC-32 of its content.
    pub checksum: u32,
}

/// The contents of a WACZ.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Wacz {
    /// The archives, in the order of the ZIP file. An error is about one archive: it is encrypted,
    /// compressed by another method than deflate, or shares its data with another one; or a later
    /// archive has the same name and is read instead.
    pub archives: Vec<Result<WaczEntry, String>>,
    /// The WACZ files in it.
    pub nested: Vec<WaczEntry>,
    /// The names of files that have the extension of an archive, and are not below `archive/`.
    pub misplaced: Vec<String>,
}

impl Wacz {
    /// Reads the directory of the ZIP file.
    ///
    /// # Errors
    /// If the file is not a whole ZIP file.
    pub fn read(file: impl Read + Seek) -> Result<Self, String> {
        let mut zip = zip::ZipArchive::new(file).map_err(problem)?;
        let mut contents = Self::default();
        // True for a WACZ file.
        let mut entries: Vec<Result<(WaczEntry, bool), String>> = Vec::new();
        for index in 0..zip.len() {
            let entry = match zip.by_index_raw(index) {
                Ok(entry) => entry,
                Err(error) => {
                    entries.push(Err(problem(error)));
                    continue;
                }
            };
            let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
            let is_nested = has_extension_of_wacz(&name);
            if entry.is_dir() || !is_archive(&name) && !is_nested {
                if !entry.is_dir() && has_extension(&name) {
                    contents.misplaced.push(name);
                }
                continue;
            }
            let method = entry.compression();
            let is_deflated = method == CompressionMethod::Deflated;
            let is_readable = is_deflated || method == CompressionMethod::Stored;
            let entry = match entry.data_start() {
                _ if is_nested && method != CompressionMethod::Stored => {
                    Err(format!("{name} is compressed in the WACZ: unzip it"))
                }
                _ if entry.encrypted() => Err(format!("{name} is encrypted")),
                _ if !is_readable => {
                    Err(format!("{name} is compressed by a method other than deflate"))
                }
                None => Err(format!("{name} has no data")),
                Some(offset) => Ok(WaczEntry {
                    name,
                    offset,
                    len: entry.compressed_size(),
                    is_deflated,
                    checksum: entry.crc32(),
                }),
            };
            entries.push(entry.map(|entry| (entry, is_nested)));
        }
        refuse_shared(&mut entries);
        for entry in entries {
            match entry {
                Ok((entry, true)) => contents.nested.push(entry),
                Ok((entry, false)) => contents.archives.push(Ok(entry)),
                Err(problem) => contents.archives.push(Err(problem)),
            }
        }
        if zip.has_duplicate_names() {
            let start = zip.central_directory_start();
            let repeated = repeated_archives(zip.into_inner(), start);
            let repeated = repeated.map_err(|error| error.to_string())?;
            let problem = |name| format!("{name} occurs several times: only the last one is read");
            let problems = repeated.into_iter().map(|name| Err(problem(name)));
            contents.archives.extend(problems);
        }
        Ok(contents)
    }
}

/// Replaces archives that share their data with another one by errors: a short file could have any
/// number of links.
fn refuse_shared(archives: &mut [Result<(WaczEntry, bool), String>]) {
    let mut in_order: Vec<&mut Result<(WaczEntry, bool), String>> = archives.iter_mut().collect();
    in_order.sort_by_key(|it| it.as_ref().map_or(0, |(entry, _)| entry.offset));
    let mut end = 0;
    for archive in in_order {
        let Ok((entry, _)) = archive else {
            continue;
        };
        match entry.offset < end && entry.len > 0 {
            true => *archive = Err(format!("{} has the data of another archive", entry.name)),
            false => end = entry.offset.saturating_add(entry.len).max(end),
        }
    }
}

/// The names of several archives, by the directory of a ZIP file. A [`zip::ZipArchive`] has only
/// the last file of each name.
fn repeated_archives(file: impl Read + Seek, start: u64) -> io::Result<Vec<String>> {
    let mut file = file;
    file.seek(SeekFrom::Start(start))?;
    let mut names = Vec::new();
    let mut header = [0; HEADER];
    while file.read_exact(&mut header).is_ok() && header.starts_with(HEADER_MAGIC) {
        let len = |at: usize| usize::from(u16::from_le_bytes([header[at], header[at + 1]]));
        let (name, extra, comment) = (len(28), len(30), len(32));
        let mut fields = vec![0; name + extra + comment];
        file.read_exact(&mut fields)?;
        let name = String::from_utf8_lossy(&fields[..name]).into_owned();
        if is_archive(&name) || has_extension_of_wacz(&name) {
            names.push(name);
        }
    }
    names.sort();
    let of_one_name = names.chunk_by(|name, next| name == next);
    let repeated = of_one_name.filter(|it| it.len() > 1);
    Ok(repeated.map(|it| it[0].clone()).collect())
}

/// Returns true if a name is that of an archive: below `archive/`, in any directory.
fn is_archive(name: &str) -> bool {
    let name = name.replace('\\', "/").to_ascii_lowercase();
    let Some((directory, file)) = name.rsplit_once('/') else {
        return false;
    };
    directory.split('/').any(|it| it == "archive") && has_extension(file)
}

fn has_extension_of_wacz(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".wacz")
}

/// Returns true if a name has the extension of an archive.
fn has_extension(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = name.trim_end_matches(".gz").trim_end_matches(".zst");
    name.ends_with(".warc") || name.ends_with(".arc")
}

/// The longest file about pages that is read, in bytes.
const MAX_PAGES: u64 = 1 << 20;

/// The URLs at which to begin to read the pages of a WACZ, the first one first: its main page (WACZ
/// 1.1.1, section 5.4), and those of `pages/pages.jsonl` (section 5.3). Of each file, the first MiB
/// is read.
pub(crate) fn entry_points(file: impl Read + Seek) -> Vec<String> {
    let Ok(mut zip) = zip::ZipArchive::new(file) else {
        return Vec::new();
    };
    let mut text = |name: &str| {
        let mut text = Vec::new();
        let entry = zip.by_name(name).ok()?;
        entry.take(MAX_PAGES).read_to_end(&mut text).ok()?;
        Some(text)
    };
    let url = |text: &[u8], key: &str| {
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        let values: serde_json::Value = serde_json::from_slice(text).ok()?;
        Some(values.get(key)?.as_str()?.to_owned())
    };
    let main = text("datapackage.json").and_then(|it| url(&it, "mainPageUrl"));
    let pages = text("pages/pages.jsonl").unwrap_or_default();
    let lines = pages.split(|byte| *byte == b'\n');
    main.into_iter().chain(lines.filter_map(|line| url(line, "url"))).collect()
}

fn problem(error: ZipError) -> String {
    error.to_string()
}
