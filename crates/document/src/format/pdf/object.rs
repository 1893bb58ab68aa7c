//! What an object of a PDF file says about links.

use std::borrow::Cow;

use super::lexer::{Lexer, Notation, Token, name, text};
use crate::bytes::Span;

/// The links of an object, and the objects that it refers to.
#[derive(Debug, Default)]
pub(super) struct Object {
    /// The URIs of its actions (section 12.6.4.8).
    pub(super) links: Vec<Uri>,
    /// The numbers of the objects that it refers to.
    pub(super) references: Vec<u64>,
    /// Its entry `Base`, or that of its entry `URI`: in the catalog, the base of all URIs.
    pub(super) base: Option<Box<Uri>>,
    /// The dictionary with the base, if it is another object.
    pub(super) base_in: Option<u64>,
    /// The string that it is.
    pub(super) string: Option<Box<Uri>>,
}

/// A URI.
#[derive(Clone, Debug)]
pub(super) enum Uri {
    /// The text of a string, and its bytes in the file. `None` in a compressed object.
    Text(String, Option<Span>),
    /// An object that is a string.
    Object(u64),
}

/// The entries of a dictionary that say how to read its stream.
#[derive(Debug, Default)]
pub(super) struct Stream {
    pub(super) len: Option<Length>,
    /// The names of its filters.
    pub(super) filters: Vec<Vec<u8>>,
    /// True if a predictor changes the bytes before they are compressed.
    pub(super) has_predictor: bool,
    /// The offset of the first object in it.
    pub(super) first: u64,
    /// The number of objects in it.
    pub(super) count: u64,
    /// True if one of these entries, except the length, is in another object.
    pub(super) is_elsewhere: bool,
}

/// The length of a stream in the file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Length {
    Known(u64),
    /// The object that is the length.
    Object(u64),
}

/// The type of a dictionary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Other,
    /// A stream with objects (section 7.5.7).
    ObjectStream,
    /// A cross-reference stream, whose dictionary is a trailer (section 7.5.8).
    CrossReferences,
}

/// The entries of a trailer (section 7.5.5).
#[derive(Debug, Default)]
pub(super) struct Trailer {
    /// The object with the catalog of the document.
    pub(super) root: Option<u64>,
    pub(super) is_encrypted: bool,
}

/// An object that was read.
pub(super) struct Read {
    pub(super) object: Object,
    pub(super) kind: Kind,
    /// What it says as a trailer, and as the dictionary of a stream.
    pub(super) trailer: Trailer,
    pub(super) stream: Stream,
    /// True if dictionaries or arrays nest so deeply that some were not read.
    pub(super) is_deep: bool,
    /// The offset after it.
    pub(super) end: usize,
    /// The offset of its stream.
    pub(super) data: Option<usize>,
}

/// The most dictionaries and arrays inside one another that are read.
const DEEPEST: usize = 256;

/// Reads the object at an offset. `in_file` is true if the bytes are those of the file.
pub(super) fn read(bytes: &[u8], start: usize, in_file: bool) -> Read {
    let mut lexer = Lexer::new(bytes, start);
    let mut reader = Reader { bytes, in_file, ..Reader::default() };
    let mut end = start;
    while let Some(token) = lexer.next() {
        // The object has no end.
        if [&b"endobj"[..], b"obj", b"stream"].iter().any(|word| reader.is_word(token, word)) {
            break;
        }
        reader.token(token);
        end = lexer.at();
        if reader.open.is_empty() {
            break;
        }
    }
    let mut after = Lexer::new(bytes, end);
    let is_stream = reader.open.is_empty() && after.word() == b"stream";
    let data = is_stream.then(|| {
        let at = after.at();
        match &bytes[at..] {
            [b'\r', b'\n', ..] => at + 2,
            [b'\r' | b'\n', ..] => at + 1,
            _ => at,
        }
    });
    while !reader.open.is_empty() {
        reader.close();
    }
    let Reader { object, kind, trailer, stream, is_deep, .. } = reader;
    Read { object, kind, trailer, stream, is_deep, end, data }
}

#[derive(Default)]
struct Reader<'b> {
    bytes: &'b [u8],
    in_file: bool,
    object: Object,
    kind: Kind,
    trailer: Trailer,
    stream: Stream,
    is_deep: bool,
    /// The open dictionaries and arrays, innermost last.
    open: Vec<Open<'b>>,
    /// The number of open ones within these.
    deeper: usize,
    /// The last two numbers, which a reference has before its `R`.
    numbers: [Option<u64>; 2],
}

/// An open dictionary or array.
#[derive(Default)]
struct Open<'b> {
    is_array: bool,
    /// The key of the value in a dictionary.
    key: Option<Cow<'b, [u8]>>,
    /// True if the value was read. The next name is a key.
    has_value: bool,
    /// True if it is an action whose URI is opened.
    is_action: bool,
    uri: Option<Uri>,
}

impl<'b> Reader<'b> {
    fn token(&mut self, token: Token) {
        let numbers = std::mem::take(&mut self.numbers);
        match token {
            Token::OpenDictionary | Token::OpenArray if self.open.len() == DEEPEST => {
                (self.is_deep, self.deeper) = (true, self.deeper + 1);
                return;
            }
            Token::Close if self.deeper > 0 => {
                self.deeper -= 1;
                return;
            }
            _ if self.deeper > 0 => return,
            Token::Name(span) => {
                let name = name(&self.bytes[span.range()]);
                match self.open.last_mut() {
                    Some(open) if !open.is_array && (open.key.is_none() || open.has_value) => {
                        (open.key, open.has_value) = (Some(name), false);
                        return;
                    }
                    _ => self.name(&name),
                }
            }
            Token::OpenDictionary | Token::OpenArray => {
                if self.entry() == Some(b"Encrypt") {
                    self.trailer.is_encrypted = true;
                }
                let is_array = token == Token::OpenArray;
                self.open.push(Open { is_array, ..Open::default() });
                return;
            }
            Token::Close => self.close(),
            Token::String(span, notation) => self.string(span, notation),
            Token::Number(number) => {
                self.numbers = [numbers[1], number];
                if let Some(number) = number {
                    self.number(number);
                }
            }
            Token::Word(_) if self.is_word(token, b"R") => {
                if let [Some(number), Some(_)] = numbers {
                    self.reference(number);
                }
            }
            Token::Word(_) => {}
        }
        if let Some(open) = self.open.last_mut() {
            open.has_value = true;
        }
    }

    fn close(&mut self) {
        if let Some(Open { is_action: true, uri: Some(uri), .. }) = self.open.pop() {
            self.object.links.push(uri);
        }
    }

    fn is_word(&self, token: Token, word: &[u8]) -> bool {
        matches!(token, Token::Word(span) if &self.bytes[span.range()] == word)
    }

    /// The key of the value that is read, in the innermost dictionary.
    fn key(&self) -> Option<&[u8]> {
        self.open.last()?.key.as_deref()
    }

    /// The key of the value that is read, in the outermost dictionary. The value may be in an array.
    fn entry(&self) -> Option<&[u8]> {
        match self.open.as_slice() {
            [open] | [open, Open { is_array: true, .. }] => open.key.as_deref(),
            _ => None,
        }
    }

    /// Returns true for the entry `Base` of the dictionary, or of its entry `URI`.
    fn is_base(&self) -> bool {
        let outer = match self.open.as_slice() {
            [_] => true,
            [outer, _] => outer.key.as_deref() == Some(b"URI"),
            _ => false,
        };
        outer && self.key() == Some(b"Base")
    }

    /// Reads a name that is a value.
    fn name(&mut self, name: &[u8]) {
        match self.entry() {
            Some(b"Type") => {
                self.kind = match name {
                    b"ObjStm" => Kind::ObjectStream,
                    b"XRef" => Kind::CrossReferences,
                    _ => Kind::Other,
                }
            }
            Some(b"Filter") => self.stream.filters.push(name.to_owned()),
            _ => {}
        }
        if let Some(open) = self.open.last_mut()
            && open.key.as_deref() == Some(b"S")
        {
            open.is_action = name == b"URI";
        }
    }

    fn string(&mut self, span: Span, notation: Notation) {
        let place = self.in_file.then_some(span);
        let value = || Uri::Text(text(&self.bytes[span.range()], notation), place);
        match self.key() {
            Some(b"URI") => {
                let uri = Some(value());
                self.set_uri(uri);
            }
            _ if self.is_base() => self.object.base = Some(value().into()),
            None if self.open.is_empty() => self.object.string = Some(value().into()),
            _ => {}
        }
    }

    fn set_uri(&mut self, uri: Option<Uri>) {
        if let Some(open) = self.open.last_mut() {
            open.uri = uri;
        }
    }

    fn number(&mut self, number: u64) {
        // The first one may be that of an object.
        if self.open.last().is_none_or(|it| it.has_value) {
            return;
        }
        let is_outermost = self.open.len() == 1;
        match self.open.last().and_then(|it| it.key.as_deref()) {
            Some(b"Length") if is_outermost => self.stream.len = Some(Length::Known(number)),
            Some(b"First") if is_outermost => self.stream.first = number,
            Some(b"N") if is_outermost => self.stream.count = number,
            Some(b"Predictor") => self.stream.has_predictor |= number > 1,
            _ => {}
        }
    }

    fn reference(&mut self, number: u64) {
        let is_outermost = self.open.len() == 1;
        match self.entry() {
            Some(b"Root") => self.trailer.root = Some(number),
            Some(b"Encrypt") => self.trailer.is_encrypted = true,
            Some(b"Length") if is_outermost => self.stream.len = Some(Length::Object(number)),
            Some(b"Filter" | b"DecodeParms" | b"First" | b"N") => self.stream.is_elsewhere = true,
            Some(b"URI") if is_outermost => self.object.base_in = Some(number),
            _ => {}
        }
        if self.key() == Some(b"URI") {
            self.set_uri(Some(Uri::Object(number)));
        } else if self.is_base() {
            self.object.base = Some(Uri::Object(number).into());
        }
        self.object.references.push(number);
    }
}
