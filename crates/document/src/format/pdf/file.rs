//! The objects of a PDF file, and its links.
//!
//! Objects are found where they begin, `12 0 obj`, and not by the cross-reference table: then a
//! damaged table loses nothing, and no table makes the same bytes be read again and again. Of
//! objects with one number, the last one counts, as after an incremental update. Only links of
//! objects that are reached from the catalog count.
//!
//! Cost: linear in the file and in its inflated object streams.

use std::collections::{HashMap, HashSet};
use std::io::Read as _;

use flate2::read::ZlibDecoder;
use foldhash::fast::RandomState;
use memchr::memmem::{self, Finder};

use super::lexer::{Lexer, Token};
use super::object::{self, Kind, Length, Object, Read, Stream, Trailer, Uri};
use crate::bytes::Span;

/// The length up to which an object stream is inflated whatever its length in the file, and the most
/// times its length that a longer one has.
const SHORT: u64 = 16 << 20;
const MOST_TIMES: u64 = 200;

/// The most bytes of all object streams of a file.
const MAX_INFLATED: u64 = 64 << 20;

/// The most times the length of the file that is searched for the lengths of streams.
const SEARCHES: usize = 4;

/// The links of a PDF file.
#[derive(Debug, Default)]
pub(super) struct Pdf {
    /// The URIs of actions, with their bytes in the file. First those of compressed objects, which
    /// have none; then the others in the order of the file.
    pub(super) links: Vec<(String, Option<Span>)>,
    /// The base of relative URIs.
    pub(super) base: Option<String>,
    /// True if it is encrypted. Then it has no links here.
    pub(super) is_encrypted: bool,
    /// A reason why links may be missing.
    pub(super) problem: Option<&'static str>,
}

/// Reads a file.
pub(super) fn read(bytes: &[u8]) -> Pdf {
    let mut file = File {
        bytes,
        objects: HashMap::default(),
        count: 0,
        root: None,
        is_encrypted: false,
        problem: None,
        left: MAX_INFLATED,
        search: bytes.len().saturating_mul(SEARCHES),
        end_of_stream: Next { finder: Finder::new("endstream"), found: 0 },
    };
    file.find_objects();
    file.into_links()
}

struct File<'b> {
    bytes: &'b [u8],
    /// The objects by their numbers, each with its place in the order of the file.
    objects: HashMap<u64, (usize, Object), RandomState>,
    /// The number of objects that were found.
    count: usize,
    /// The number of the catalog.
    root: Option<u64>,
    is_encrypted: bool,
    problem: Option<&'static str>,
    /// The number of bytes that may still be inflated.
    left: u64,
    /// The number of bytes that may still be searched for the lengths of streams.
    search: usize,
    end_of_stream: Next,
}

/// The next occurrence of some bytes, which is not searched again before it is passed.
struct Next {
    finder: Finder<'static>,
    /// 0 before the first search.
    found: usize,
}

impl Next {
    /// The offset of the first one from an offset on, which is not less than that of the last call.
    /// The length of the bytes if there is none.
    fn from(&mut self, bytes: &[u8], at: usize) -> usize {
        if self.found < at {
            self.found = self.finder.find(&bytes[at..]).map_or(bytes.len(), |it| at + it);
        }
        self.found
    }
}

impl File<'_> {
    /// Finds all objects and trailers.
    fn find_objects(&mut self) {
        let bytes = self.bytes;
        let mut lexer = Lexer::new(bytes, 0);
        let mut numbers = [None; 2];
        while lexer.at() < bytes.len() {
            let word = lexer.word();
            let at = lexer.at();
            let end = match (word, numbers) {
                (b"obj", [Some(number), Some(_)]) => self.object_at(number, at),
                (b"trailer", _) => {
                    let read = object::read(bytes, at, true);
                    self.add_trailer(&read.trailer);
                    read.end
                }
                // Between objects, brackets have no meaning.
                (b"", _) => {
                    lexer.skip();
                    numbers = [None; 2];
                    continue;
                }
                _ => {
                    let digits = word.iter().all(u8::is_ascii_digit).then_some(word);
                    let number = digits.and_then(|it| str::from_utf8(it).ok()?.parse().ok());
                    numbers = [numbers[1], number];
                    continue;
                }
            };
            numbers = [None; 2];
            lexer = Lexer::new(bytes, end);
        }
        let end = &bytes[bytes.len().saturating_sub(1 << 10)..];
        if memmem::find(end, b"startxref").is_none() {
            self.problem
                .get_or_insert("a PDF file that is damaged, perhaps cut: its end is missing");
        }
    }

    /// Reads the object with this content, and those in its stream. Returns the offset after it.
    fn object_at(&mut self, number: u64, at: usize) -> usize {
        let read = object::read(self.bytes, at, true);
        let mut end = read.end;
        if let Some(start) = read.data {
            end = self.end_of_stream(&read.stream, start);
            if read.kind == Kind::ObjectStream {
                self.objects_in_stream(&self.bytes[start..end], &read.stream);
            }
        }
        if read.kind == Kind::CrossReferences {
            self.add_trailer(&read.trailer);
        }
        self.add(number, read);
        end
    }

    fn add(&mut self, number: u64, read: Read) {
        if read.is_deep {
            self.problem = Some("a PDF file whose objects nest too deeply: links may be missing");
        }
        self.count += 1;
        self.objects.insert(number, (self.count, read.object));
    }

    fn add_trailer(&mut self, trailer: &Trailer) {
        self.root = trailer.root.or(self.root);
        self.is_encrypted |= trailer.is_encrypted;
    }

    /// The end of a stream: where its length says, or else the next `endstream`.
    fn end_of_stream(&mut self, stream: &Stream, start: usize) -> usize {
        let by_length = match stream.len {
            Some(Length::Known(len)) => end_by_length(self.bytes, start, len),
            // Compressed data hardly ever has the word, and a file within this one has.
            Some(Length::Object(number)) if stream.filters.is_empty() => {
                self.end_by_object(start, number)
            }
            _ => None,
        };
        by_length.unwrap_or_else(|| self.end_of_stream.from(self.bytes, start))
    }

    /// The end of a stream whose length is an object, which mostly follows.
    fn end_by_object(&mut self, start: usize, number: u64) -> Option<usize> {
        let head = format!("{number} 0 obj");
        let most = self.bytes.len().min(start.saturating_add(self.search));
        let found = memmem::find_iter(&self.bytes[start..most], &head).find_map(|at| {
            let at = start + at;
            let digits = Lexer::new(self.bytes, at + head.len()).word();
            let len = str::from_utf8(digits).ok()?.parse().ok()?;
            Some((at, end_by_length(self.bytes, start, len)?))
        });
        let searched = found.map_or(most, |(at, _)| at) - start;
        self.search = self.search.saturating_sub(searched);
        found.map(|(_, end)| end)
    }

    /// Adds the objects of an object stream.
    fn objects_in_stream(&mut self, data: &[u8], stream: &Stream) {
        let content = match self.inflated(data, stream) {
            Ok(content) => content,
            Err(problem) => {
                self.problem = Some(problem);
                return;
            }
        };
        let first = usize::try_from(stream.first).unwrap_or(usize::MAX).min(content.len());
        let mut lexer = Lexer::new(&content[..first], 0);
        let mut starts = Vec::new();
        while let (Some(Token::Number(Some(number))), Some(Token::Number(Some(offset)))) =
            (lexer.next(), lexer.next())
        {
            let start = usize::try_from(offset).unwrap_or(usize::MAX).saturating_add(first);
            starts.push((start.min(content.len()), number));
        }
        if (starts.len() as u64) < stream.count {
            self.problem = Some(DAMAGED);
        }
        starts.sort_unstable();
        starts.dedup_by_key(|(start, _)| *start);
        let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([content.len()]);
        for (&(start, number), end) in starts.iter().zip(ends) {
            self.add(number, object::read(&content[..end], start, false));
        }
    }

    /// The content of an object stream.
    ///
    /// # Errors
    /// If it is compressed in another way than usual, or too long. A text that says so.
    fn inflated(&mut self, data: &[u8], stream: &Stream) -> Result<Vec<u8>, &'static str> {
        let most = (data.len() as u64).saturating_mul(MOST_TIMES).max(SHORT).min(self.left);
        let is_flate = |it: &[u8]| matches!(it, b"FlateDecode" | b"Fl");
        let mut content = Vec::new();
        match stream.filters.as_slice() {
            _ if self.left == 0 => return Err(TOO_LONG),
            _ if stream.is_elsewhere || stream.has_predictor => return Err(UNUSUAL),
            [] => content.extend_from_slice(data),
            [filter] if is_flate(filter) => {
                let read = ZlibDecoder::new(data).take(most + 1).read_to_end(&mut content);
                if read.is_err() {
                    self.problem = Some(DAMAGED);
                }
            }
            _ => return Err(UNUSUAL),
        }
        self.left = self.left.saturating_sub(content.len() as u64);
        if content.len() as u64 > most {
            return Err(TOO_LONG);
        }
        Ok(content)
    }

    /// The links of the objects that are reached from the catalog.
    fn into_links(mut self) -> Pdf {
        if self.is_encrypted {
            return Pdf { is_encrypted: true, ..Pdf::default() };
        }
        self.root = self.root.filter(|root| self.objects.contains_key(root));
        if self.root.is_none() {
            self.problem.get_or_insert("a PDF file that is damaged: it has no catalog");
        }
        let mut objects = self.reached();
        objects.sort_unstable_by_key(|(place, _)| *place);
        // Many actions may share a string.
        let mut shared: HashSet<u64, RandomState> = HashSet::default();
        let links =
            objects.iter().flat_map(|(_, object)| &object.links).filter(|link| match link {
                Uri::Object(number) => shared.insert(*number),
                Uri::Text(..) => true,
            });
        let mut links: Vec<_> = links.filter_map(|link| self.text(link)).collect();
        links.sort_by_key(|(_, span)| span.map(|it| it.start));
        Pdf { links, base: self.base(), problem: self.problem, is_encrypted: false }
    }

    /// The text of a URI and its bytes.
    fn text(&self, uri: &Uri) -> Option<(String, Option<Span>)> {
        match uri {
            Uri::Text(text, span) => Some((text.clone(), *span)),
            Uri::Object(number) => match self.objects.get(number)?.1.string.as_deref()? {
                Uri::Text(text, span) => Some((text.clone(), *span)),
                Uri::Object(_) => None,
            },
        }
    }

    /// The base in the catalog.
    fn base(&self) -> Option<String> {
        let (_, catalog) = self.objects.get(&self.root?)?;
        let elsewhere = || self.objects.get(&catalog.base_in?)?.1.base.as_deref();
        let (base, _) = self.text(catalog.base.as_deref().or_else(elsewhere)?)?;
        Some(base)
    }

    /// The objects that are reached from the catalog, with their places. All objects if there is no
    /// catalog.
    fn reached(&self) -> Vec<&(usize, Object)> {
        let Some(root) = self.root else {
            return self.objects.values().collect();
        };
        let mut seen: HashSet<u64, RandomState> = HashSet::default();
        let mut next = vec![root];
        let mut objects = Vec::new();
        while let Some(number) = next.pop() {
            if let Some(object) = self.objects.get(&number)
                && seen.insert(number)
            {
                next.extend(&object.1.references);
                objects.push(object);
            }
        }
        objects
    }
}

const DAMAGED: &str = "a PDF file with damaged objects: links may be missing";
const TOO_LONG: &str = "a PDF file whose compressed objects inflate too far: links may be missing";
const UNUSUAL: &str =
    "a PDF file with objects that are compressed in an unusual way: links may be missing";

/// The end of a stream of this length, if it ends there.
fn end_by_length(bytes: &[u8], start: usize, len: u64) -> Option<usize> {
    let end = start.checked_add(usize::try_from(len).ok()?)?;
    let after = bytes.get(end..)?;
    let after = &after[..after.len().min(16)];
    after.trim_ascii_start().starts_with(b"endstream").then_some(end)
}
