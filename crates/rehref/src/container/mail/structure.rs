//! The parts of a message and their positions (RFC 2046).
//!
//! Makes one pass over the lines that begin with `--` and compares them with the open boundaries.
//! So time is linear for any nesting and any missing boundary, and no part is decoded.
//! `mail_parser` parses the rest of MIME. Its traversal is not used: it decodes all parts, searches
//! the rest of the message for each missing boundary, and nests messages without a limit.

use std::ops::Range;

use memchr::memmem;
use smallvec::SmallVec;

use super::content::{Content, ContentTypes};
use super::transfer::Encoding;
use crate::format::header::{FieldKind, Header, begin_of_header};
use crate::format::mail::lines::{line_at, name_len, trim_line_end};

/// The maximum nesting of parts.
pub const MAX_DEPTH: usize = 64;

/// The maximum number of parts of a message.
pub const MAX_PARTS: usize = 10_000;

/// The number of bytes of a body that are searched for an undeclared boundary.
const LOOK_FOR_BOUNDARY: usize = 64 << 10;

/// The maximum length of a boundary, in bytes; RFC 2046 allows 70.
const LONGEST_BOUNDARY: usize = 512;

/// A message or a part of one.
#[derive(Clone, Debug)]
pub(crate) struct Entity {
    /// The header and its fields.
    pub(crate) header: Header,
    /// The byte range of the header.
    pub(crate) head: Range<usize>,
    /// The byte range of the body.
    pub(crate) body: Range<usize>,
    pub(crate) content: Content,
    pub(crate) encoding: Encoding,
    /// The index of the enclosing entity.
    pub(crate) parent: Option<usize>,
    /// The number among the parts of the parent, from 1; 0 for the message in a message part.
    pub(crate) place: usize,
    pub(crate) kind: EntityKind,
}

/// The kind of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntityKind {
    /// A body.
    Leaf,
    /// Parts.
    Multipart,
    /// A message, which is the next entity.
    Message,
}

/// The parts of a message.
#[derive(Clone, Debug, Default)]
pub(crate) struct Structure {
    /// The entities: the message first, and each part before the parts within it.
    pub(crate) entities: Vec<Entity>,
    /// True if parts were not read because of [`MAX_PARTS`] or [`MAX_DEPTH`].
    pub(crate) is_limited: bool,
    types: ContentTypes,
}

/// An open multipart.
struct Open {
    entity: usize,
    boundary: Vec<u8>,
    parts: usize,
}

/// A boundary line.
#[derive(Clone, Copy, Debug)]
struct Delimiter {
    /// The start of the line.
    at: usize,
    /// The end of the line.
    end: usize,
    /// The index of its multipart among the open ones.
    open: usize,
    /// True if it ends the multipart.
    closes: bool,
}

/// The next step of reading.
enum Next {
    /// A header of an entity in `parent`.
    Header { at: usize, parent: Option<usize> },
    /// The body of the last entity.
    Body,
    /// The text after a delimiter.
    Delimiter(Option<Delimiter>),
}

impl Structure {
    /// Replaces the parts with those of `message`, which begins with its header.
    pub(crate) fn read(&mut self, message: &[u8]) {
        self.entities.clear();
        self.is_limited = false;
        let mut reading = Reading { message, structure: self, open: Vec::new(), depth: 0 };
        let mut next = Some(Next::Header { at: begin_of_header(message, 0), parent: None });
        while let Some(step) = next {
            next = match step {
                Next::Header { at, parent } => reading.header(at, parent),
                Next::Body => reading.body(),
                Next::Delimiter(Some(delimiter)) => reading.after(delimiter),
                Next::Delimiter(None) => {
                    reading.close(0, message.len());
                    None
                }
            };
        }
    }

    /// Appends the part number of an entity in IMAP (RFC 9051, section 6.4.5.1).
    pub(crate) fn write_number(&self, entity: usize, number: &mut String) {
        let mut separator = "";
        for place in self.places(entity).iter().rev() {
            number.push_str(separator);
            match u8::try_from(*place) {
                Ok(digit @ 0..10) => number.push(char::from(b'0' + digit)),
                _ => number.push_str(&place.to_string()),
            }
            separator = ".";
        }
    }

    /// Returns true if an entity has no part number: it is a multipart message.
    pub(crate) fn is_unnumbered(&self, entity: usize) -> bool {
        self.places(entity).is_empty()
    }

    /// The elements of the part number of an entity, the last one first.
    fn places(&self, entity: usize) -> SmallVec<[usize; 8]> {
        let mut places = SmallVec::new();
        let mut at = Some(entity);
        while let Some(entity) = at.and_then(|at| self.entities.get(at)) {
            // The body of a message without parts is part 1. A multipart message has the same
            // number as the message.
            match entity.place {
                0 if entity.kind == EntityKind::Multipart => {}
                0 => places.push(1),
                place => places.push(place),
            }
            at = entity.parent;
        }
        places
    }

    /// The alternatives of this message that an entity is part of, from the inside to the outside:
    /// the index of each `multipart/alternative`, and the number of its part with the entity.
    pub(crate) fn alternatives_around(&self, at: usize) -> impl Iterator<Item = (usize, usize)> {
        let entities = &self.entities;
        let mut entity = &entities[at];
        std::iter::from_fn(move || {
            let parent = entity.parent?;
            let place = entity.place;
            entity = &entities[parent];
            let is_one = entity.content.is_alternative() && entity.kind == EntityKind::Multipart;
            Some(is_one.then_some((parent, place)))
        })
        .flatten()
    }
}

struct Reading<'m> {
    message: &'m [u8],
    structure: &'m mut Structure,
    open: Vec<Open>,
    /// The number of multiparts and messages that enclose the next header.
    depth: usize,
}

impl Reading<'_> {
    /// Reads the header of an entity.
    fn header(&mut self, at: usize, parent: Option<usize>) -> Option<Next> {
        if self.structure.entities.len() >= MAX_PARTS {
            self.structure.is_limited = true;
            return Some(Next::Delimiter(None));
        }
        let open = &self.open;
        let message = self.message;
        let header = Header::read(message, at, |at| delimiter_at(message, at, open).is_some());
        let parent_kind = parent.map(|parent| {
            let parent = &self.structure.entities[parent];
            (parent.kind, parent.content.is_digest())
        });
        let value = header.value(FieldKind::ContentType, message);
        let in_digest = parent_kind == Some((EntityKind::Multipart, true));
        let declared = value.and_then(|value| self.structure.types.read(value));
        let content = declared.unwrap_or(Content::undeclared(in_digest));
        let content = content.named_by(header.value(FieldKind::Disposition, message));
        let place = match (parent_kind, self.open.last_mut()) {
            (Some((EntityKind::Multipart, _)), Some(open)) => {
                open.parts += 1;
                open.parts
            }
            _ => 0,
        };
        let encoding = header.value(FieldKind::TransferEncoding, message);
        self.structure.entities.push(Entity {
            head: header.start..header.end,
            body: header.end..message.len(),
            encoding: encoding.map_or(Encoding::Identity, Encoding::of),
            header,
            content,
            parent,
            place,
            kind: EntityKind::Leaf,
        });
        Some(Next::Body)
    }

    /// Reads the body of the last entity.
    fn body(&mut self) -> Option<Next> {
        let entity = self.structure.entities.len() - 1;
        let Entity { content, body, encoding, .. } = self.structure.entities.last()?;
        let at = body.start;
        let is_deep = self.depth >= MAX_DEPTH;
        let is_encoded = matches!(encoding, Encoding::Base64 | Encoding::QuotedPrintable);
        if content.is_multipart() {
            if is_deep {
                self.structure.is_limited = true;
                return Some(self.leaf(entity, at));
            }
            let boundary = content.boundary().map(<[u8]>::to_vec);
            if let Some(found) = self.multipart(entity, at, boundary) {
                return Some(Next::Delimiter(Some(found)));
            }
        } else if content.is_message() && !is_encoded {
            if is_deep {
                self.structure.is_limited = true;
                return Some(self.leaf(entity, at));
            }
            self.depth += 1;
            self.structure.entities[entity].kind = EntityKind::Message;
            return Some(Next::Header {
                at: begin_of_header(self.message, at),
                parent: Some(entity),
            });
        }
        Some(self.leaf(entity, at))
    }

    /// Opens a multipart whose body begins at `at`, if it has a boundary line. Returns the first
    /// boundary line.
    fn multipart(
        &mut self,
        entity: usize,
        at: usize,
        boundary: Option<Vec<u8>>,
    ) -> Option<Delimiter> {
        let outer = self.open.len();
        let enter = |reading: &mut Self, boundary: Vec<u8>| {
            reading.open.push(Open { entity, boundary, parts: 0 });
            let found = reading.next_delimiter(at);
            if found.is_none_or(|found| found.open != outer) {
                reading.open.pop();
            }
            found
        };
        let usable = |it: &Vec<u8>| (1..=LONGEST_BOUNDARY).contains(&it.len());
        let mut found = boundary.filter(usable).and_then(|it| enter(self, it));
        if self.open.len() == outer {
            // In case of a damaged header, the body may still show its boundary.
            let end = found.map_or(self.message.len(), |found| found.at);
            let boundary = boundary_of_body(&self.message[at..end])?;
            found = enter(self, boundary);
        }
        if self.open.len() == outer {
            return None;
        }
        self.depth += 1;
        self.structure.entities[entity].kind = EntityKind::Multipart;
        found
    }

    /// Skips a body without parts.
    fn leaf(&mut self, entity: usize, at: usize) -> Next {
        let found = self.next_delimiter(at);
        let end = found.map_or(self.message.len(), |found| self.before(at, found.at));
        self.structure.entities[entity].body = at..end;
        Next::Delimiter(found)
    }

    /// Continues after a boundary line.
    fn after(&mut self, delimiter: Delimiter) -> Option<Next> {
        self.close(delimiter.open + 1, delimiter.at);
        let entity = self.open.last()?.entity;
        if delimiter.closes {
            self.close(delimiter.open, delimiter.end);
            // The text after it belongs to no part, up to the next boundary of an enclosing
            // multipart.
            let found = match self.open.is_empty() {
                true => None,
                false => self.next_delimiter(delimiter.end),
            };
            return Some(Next::Delimiter(found));
        }
        // Messages between this multipart and the part that ended are complete.
        self.depth = self.depth_of(entity) + 1;
        Some(Next::Header { at: delimiter.end, parent: Some(entity) })
    }

    /// Closes the open multiparts except the first `kept` ones, at `end`.
    fn close(&mut self, kept: usize, end: usize) {
        for open in self.open.drain(kept.min(self.open.len())..) {
            self.structure.entities[open.entity].body.end = end;
        }
    }

    /// The number of multiparts and messages that enclose an entity, at most [`MAX_DEPTH`].
    fn depth_of(&self, entity: usize) -> usize {
        let parent = |at: &usize| self.structure.entities[*at].parent;
        std::iter::successors(parent(&entity), parent).count()
    }

    /// The end of a body before the boundary line at `at`: the line break before it belongs to the
    /// boundary (RFC 2046, section 5.1.1).
    fn before(&self, start: usize, at: usize) -> usize {
        let body = &self.message[start..at];
        start + trim_line_end(body).len()
    }

    /// The first boundary line of an open multipart, from the line at `at` on.
    fn next_delimiter(&self, at: usize) -> Option<Delimiter> {
        if self.open.is_empty() {
            return None;
        }
        let here = delimiter_at(self.message, at, &self.open);
        here.or_else(|| {
            let rest = &self.message[at..];
            let mut lines = memmem::find_iter(rest, b"\n--").map(|found| at + found + 1);
            lines.find_map(|line| delimiter_at(self.message, line, &self.open))
        })
    }
}

/// Parses the line at `at` as a boundary line. Only white space may follow the boundary (RFC 2046,
/// section 5.1.1).
fn delimiter_at(message: &[u8], at: usize, open: &[Open]) -> Option<Delimiter> {
    let rest = message.get(at..)?.strip_prefix(b"--")?;
    let line = line_at(rest, 0);
    let text = trim_line_end(&rest[line.clone()]).trim_ascii_end();
    // If one boundary is a prefix of another, the longer one counts.
    let mut found: Option<(usize, usize, bool)> = None;
    for (at, Open { boundary, .. }) in open.iter().enumerate().rev() {
        let Some(rest_of_line) = text.strip_prefix(boundary.as_slice()) else {
            continue;
        };
        let closes = rest_of_line == b"--";
        let is_longest = found.is_none_or(|(len, ..)| boundary.len() > len);
        if (rest_of_line.is_empty() || closes) && is_longest {
            found = Some((boundary.len(), at, closes));
        }
    }
    let (_, open, closes) = found?;
    Some(Delimiter { at, end: message.len() - rest.len() + line.end, open, closes })
}

/// The boundary of a body by its content: the first line that begins with `--` before a field of a
/// part header.
fn boundary_of_body(body: &[u8]) -> Option<Vec<u8>> {
    let head = &body[..body.len().min(LOOK_FOR_BOUNDARY)];
    let lines = memmem::find_iter(head, b"\n--").map(|found| found + 1);
    std::iter::once(0).chain(lines).find_map(|at| {
        let line = line_at(head, at);
        let boundary = trim_line_end(&head[line.clone()]).strip_prefix(b"--")?;
        let boundary = boundary.trim_ascii_end();
        let next = &head[line_at(head, line.end)];
        let is_field = name_len(next) > 0
            && next.get(..8).is_some_and(|it| it.eq_ignore_ascii_case(b"content-"));
        let usable = (1..=LONGEST_BOUNDARY).contains(&boundary.len());
        (is_field && usable).then(|| boundary.to_vec())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number and body of each entity that has no parts.
    fn leaves(message: &str) -> Vec<(String, &str)> {
        let structure = read(message);
        let entities = structure.entities.iter().enumerate();
        let leaves = entities.filter(|(_, entity)| entity.kind == EntityKind::Leaf);
        let leaf = |(at, entity): (usize, &Entity)| {
            let mut number = String::new();
            structure.write_number(at, &mut number);
            (number, &message[entity.body.clone()])
        };
        leaves.map(leaf).collect()
    }

    fn read(message: &str) -> Structure {
        let mut structure = Structure::default();
        structure.read(message.as_bytes());
        structure
    }

    fn named(leaves: &[(&str, &'static str)]) -> Vec<(String, &'static str)> {
        leaves.iter().map(|(number, body)| ((*number).to_owned(), *body)).collect()
    }

    #[test]
    fn a_message_without_parts_is_part_one() {
        assert_eq!(leaves("Subject: a\n\nb\n"), named(&[("1", "b\n")]));
        assert_eq!(leaves(""), named(&[("1", "")]));
    }

    const NESTED: &str = "Content-Type: multipart/mixed; boundary=a\n\npreamble\n\
        --a\n\nfirst\n\
        --a\nContent-Type: multipart/alternative; boundary=aa\n\n\
        --aa\n\nplain\n--aa\nContent-Type: text/html\n\nhtml\n--aa--\nbetween\n\
        --a\nContent-Type: message/rfc822\n\nSubject: x\n\ninner\n\
        --a\nContent-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=b\n\n\
        --b\n\ndeep\n--b--\n\
        --a--\nepilogue\n";

    #[test]
    fn parts_are_numbered_as_in_imap() {
        let expected = named(&[
            ("1", "first"),
            ("2.1", "plain"),
            ("2.2", "html"),
            ("3.1", "inner"),
            ("4.1", "deep"),
        ]);
        assert_eq!(leaves(NESTED), expected);
        let crlf = NESTED.replace('\n', "\r\n");
        assert_eq!(leaves(&crlf), expected);
    }

    #[test]
    fn missing_boundaries_are_recovered() {
        // Neither inner nor outer multipart is closed.
        let open = &NESTED[..NESTED.find("--aa--").unwrap()];
        assert_eq!(leaves(open).len(), 3);
        let unknown = NESTED.replace("; boundary=a\n", "\n");
        assert_eq!(leaves(&unknown), leaves(NESTED));
        let shown = "Content-Type: multipart/mixed\n\n--x\nContent-Type: text/html\n\nb\n--x--\n";
        assert_eq!(leaves(shown), named(&[("1", "b")]));
        let wrong = shown.replace("mixed", "mixed; boundary=y");
        assert_eq!(leaves(&wrong), named(&[("1", "b")]));
        let none = "Content-Type: multipart/mixed; boundary=y\n\nwords\n";
        assert_eq!(leaves(none), named(&[("1", "words\n")]));
        let header = "Content-Type: multipart/mixed; boundary=y\n\n--y\nSubject: x\n--y--\n";
        assert_eq!(leaves(header), named(&[("1", "")]));
    }

    #[test]
    fn digests_contain_messages() {
        let digest =
            "Content-Type: multipart/digest; boundary=y\n\n--y\n\nSubject: x\n\nb\n--y--\n";
        assert_eq!(leaves(digest), named(&[("1.1", "b")]));
    }

    #[test]
    fn depth_and_number_are_limited() {
        let mut deep = String::new();
        for at in 0..10_000 {
            deep += &format!("Content-Type: multipart/mixed; boundary=b{at}\n\n--b{at}\n");
        }
        let structure = read(&deep);
        assert!(structure.is_limited);
        assert!(structure.entities.len() <= MAX_DEPTH + 1);
        let messages = "Content-Type: message/rfc822\n\n".repeat(100_000);
        assert!(read(&messages).is_limited);
        let many = format!(
            "Content-Type: multipart/mixed; boundary=b\n\n{}",
            "--b\n\nx\n".repeat(MAX_PARTS + 1)
        );
        let structure = read(&many);
        assert!(structure.is_limited);
        assert_eq!(structure.entities.len(), MAX_PARTS);
    }
}
