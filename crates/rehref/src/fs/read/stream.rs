//! Long texts, which are not held in memory.

use std::fmt;
use std::io::{Cursor, Read};

use super::content::Content;
use super::item::{Reader, kind_of};
use super::shared_file::SharedFile;
use crate::document::Document;
use crate::error::{Error, ErrorKind};

/// The length of the beginning of a text that shows whether it begins as another format, in bytes.
const BEGINNING: usize = 4096;

/// A text that is read as a stream: standard input or a pipe with more than 1 MiB, or a file of
/// more than 16 MiB.
pub struct Stream {
    /// The document without its bytes. Format and charset are those of its first MiB.
    pub document: Document,
    /// The first bytes of the text, at most [`BEGINNING`].
    pub(crate) beginning: Vec<u8>,
    /// The bytes read already.
    head: Cursor<Vec<u8>>,
    rest: Reader,
    file: Option<SharedFile>,
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream").field("document", &self.document).finish_non_exhaustive()
    }
}

impl Stream {
    /// A stream of the bytes of `head` and then of `rest`. `inflated` is the first part of the
    /// text, if they are compressed. `file` is the file of the text, if several threads can read it.
    pub(super) fn new(
        document: Document,
        inflated: Option<&[u8]>,
        head: Vec<u8>,
        rest: Reader,
        file: Option<SharedFile>,
    ) -> Self {
        let text = inflated.unwrap_or(&head);
        Self {
            document,
            beginning: text[..text.len().min(BEGINNING)].to_vec(),
            head: Cursor::new(head),
            rest,
            file,
        }
    }

    /// The file of the text, if it is one that several threads can read.
    pub(crate) fn file(&self) -> Option<&SharedFile> {
        self.file.as_ref()
    }

    /// A reader of its bytes.
    pub fn reader(self) -> impl Read + Send {
        self.head.chain(self.rest)
    }

    /// Reads all of its bytes. They are damaged if reading fails before the end.
    ///
    /// # Errors
    /// If there are more bytes than `limit`.
    pub fn whole(self, limit: u64) -> Result<Content, Error> {
        let document = self.document.clone();
        let mut bytes = Vec::new();
        let read = self.reader().take(limit.saturating_add(1)).read_to_end(&mut bytes);
        if bytes.len() as u64 > limit {
            return Err(Error::new(document.path(), ErrorKind::TooLong { limit }));
        }
        let document = document.with_bytes(bytes);
        Ok(match read {
            Ok(_) => Content::Document(document),
            Err(error) => {
                let error = Error::new(document.path(), kind_of(error));
                Content::Damaged(document, error)
            }
        })
    }
}
