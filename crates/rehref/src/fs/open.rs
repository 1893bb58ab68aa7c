//! Opening a file as the documents in it.

use std::collections::VecDeque;
use std::ops::Range;
use std::path::PathBuf;

use super::messages::{Messages, as_mailbox};
use super::read::{Content, Item, ReadOptions, Reading, Slice};
use super::read::{WebArchiveReader, error_of};
use crate::container::warc::{DocumentReader, Entry, RecordFilter};
use crate::document::Document;
use crate::error::{Error, ErrorKind};
use crate::format::Options;

/// Opens a file and returns the documents in it: one for a page or a text, the headers and text
/// parts of each message for a mailbox or a message, the pages of a web archive. Files compressed
/// by gzip, bzip2, xz or zstd are decompressed.
///
/// Messages are read one after another. A document is held in memory; a mailbox is not.
///
/// An error in the iteration is about one part of the file, such as a message that is too long.
/// Other documents follow:
///
/// ```no_run
/// for document in rehref::open("list.mbox")? {
///     let document = match document {
///         Ok(document) => document,
///         Err(error) => {
///             eprintln!("{error}");
///             continue;
///         }
///     };
///     for link in &document.links() {
///         println!("{}:{}: {}", document.name(), link.line(), link.url_or_reference());
///     }
/// }
/// # Ok::<(), rehref::error::Error>(())
/// ```
///
/// Only the job [`Extract`](crate::jobs::Extract) reports [warnings](crate::error::Warning), such
/// as one about a damaged transfer encoding.
///
/// # Errors
/// If the system refuses to read the file, if it is binary, and if it is longer than
/// [`MAX_DOCUMENT`](super::MAX_DOCUMENT) and not mail.
pub fn open(path: impl Into<PathBuf>) -> Result<Documents, Error> {
    Documents::new(Item::Path(path.into()), ReadOptions::default())
}

/// The documents of a file, in order: see [`open`]. An item is an error where a part of the file
/// could not be read; the iteration continues after it.
#[derive(Debug)]
pub struct Documents {
    /// Documents and errors that were read and not returned.
    ready: VecDeque<Result<Document, Error>>,
    rest: Rest,
    options: Options,
}

/// The part that was not read yet.
#[derive(Debug)]
enum Rest {
    Nothing,
    Mail(Box<Messages>),
    WebArchive(WebArchive),
}

/// The rest of a web archive.
#[derive(Debug)]
struct WebArchive {
    reader: Box<WebArchiveReader>,
    filter: RecordFilter,
}

impl Documents {
    /// The documents of an item, such as a slice of a file or bytes in memory.
    ///
    /// # Errors
    /// As for [`open`].
    pub fn new(item: Item, options: ReadOptions) -> Result<Self, Error> {
        let mut ready = VecDeque::new();
        let content = match options.read_or_stream(&item)? {
            Reading::Mail(reader) => {
                return Ok(Self {
                    ready,
                    rest: Rest::Mail(Box::new(Messages::of_reader(reader, &options))),
                    options: Options::default(),
                });
            }
            Reading::WebArchive(reader) => {
                let filter = RecordFilter::default();
                return Ok(Self {
                    ready,
                    rest: Rest::WebArchive(WebArchive { reader, filter }),
                    options: Options::default(),
                });
            }
            Reading::Whole(content) => content,
            Reading::Stream(_) => options.read(&item)?,
        };
        match content {
            Content::Document(document) => ready.push_back(Ok(document)),
            // Nothing was decompressed.
            Content::Damaged(document, error) if document.bytes().is_empty() => {
                ready.push_back(Err(error));
            }
            Content::Damaged(document, error) => ready.extend([Ok(document), Err(error)]),
            Content::Package(package) => {
                ready.extend(package.documents().map(|(_, document)| document));
            }
            Content::Refused(_, error) => return Err(error),
            Content::Binary(_) => return Err(Error::new(item.name(), ErrorKind::Binary)),
        }
        Ok(Self { ready, rest: Rest::Nothing, options: Options::default() })
    }

    /// Returns the documents with other options for finding their links.
    #[must_use]
    pub fn options(self, options: Options) -> Self {
        Self { options, ..self }
    }
}

impl Iterator for Documents {
    type Item = Result<Document, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() {
            match &mut self.rest {
                Rest::Nothing => return None,
                Rest::Mail(messages) => match messages.next()? {
                    Ok(message) => self.ready.extend(message.documents()),
                    Err(error) => self.ready.push_back(Err(error)),
                },
                Rest::WebArchive(archive) => archive.read_batch(&mut self.ready)?,
            }
        }
        let document = self.ready.pop_front()?;
        Some(document.map(|document| document.with_options(self.options.clone())))
    }
}

impl WebArchive {
    /// Adds the documents of the next records. `None` at the end of the file.
    fn read_batch(&mut self, ready: &mut VecDeque<Result<Document, Error>>) -> Option<()> {
        let batch = match self.reader.next()? {
            Ok(batch) => batch,
            Err(error) => {
                ready.push_back(Err(error));
                return Some(());
            }
        };
        let mut documents = DocumentReader::new(batch.archive(), &self.filter);
        for entry in batch.entries() {
            match entry {
                Entry::Record(record) => {
                    documents.read(&record, |document| ready.push_back(Ok(document.clone())));
                }
                Entry::Flaw(flaw) if flaw.kind.is_loss() => {
                    ready.push_back(Err(error_of(&batch, flaw)));
                }
                Entry::Flaw(_) => {}
            }
        }
        Some(())
    }
}

/// A file of messages, or a part of one.
///
/// Character encodings, the variant of the mbox format and base URLs are detected. To set them, use
/// a job such as [`Extract`](crate::jobs::Extract) with [`ReadOptions`]. After an error, the
/// iteration continues: see [`open`].
///
/// ```no_run
/// use rehref::Mailbox;
///
/// for document in Mailbox::open("list.mbox")?.slice(0..1 << 20) {
///     let document = document?;
///     println!("{}: {} links", document.name(), document.links().len());
/// }
/// # Ok::<(), rehref::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Mailbox(Documents, PathBuf);

impl Mailbox {
    /// Opens a mailbox, also one that neither its name nor its beginning shows to be mail.
    ///
    /// # Errors
    /// If the system refuses to read the file.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, Error> {
        let path = path.into();
        let documents = Documents::new(Item::Path(path.clone()), ReadOptions::default());
        let documents = match documents {
            Ok(documents) if matches!(documents.rest, Rest::Mail(_)) => documents,
            _ => Documents::new(Item::Path(path.clone()), as_mailbox(ReadOptions::default()))?,
        };
        Ok(Self(documents, path))
    }

    /// The messages as stored, each with its documents.
    ///
    /// # Errors
    /// If the system refuses to read the file.
    pub fn messages(self) -> Result<Messages, Error> {
        Messages::new(&Item::Path(self.1), &ReadOptions::default())
    }

    /// The messages that begin in this range of bytes. Slices that together are the whole file have
    /// each message once.
    ///
    /// # Errors
    /// The first item is an error if the range begins past the end of the file.
    #[must_use]
    pub fn slice(self, range: Range<u64>) -> Documents {
        let Self(documents, path) = self;
        let slice = Slice::of_range(path, range);
        let sliced = Documents::new(Item::Slice(slice), as_mailbox(ReadOptions::default()));
        let failed = |error| Documents {
            ready: VecDeque::from([Err(error)]),
            rest: Rest::Nothing,
            options: Options::default(),
        };
        sliced.unwrap_or_else(failed).options(documents.options)
    }
}

impl IntoIterator for Mailbox {
    type Item = Result<Document, Error>;
    type IntoIter = Documents;

    fn into_iter(self) -> Documents {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Tree;

    #[test]
    fn compressed_file_without_data_is_an_error_and_no_document() {
        // The header of gzip without data.
        let header = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3];
        let files = Tree::of_bytes(&[("a.txt.gz", &header)]);
        let found: Vec<_> = open(files.at("a.txt.gz")).expect("the documents").collect();
        assert!(matches!(found.as_slice(), [Err(_)]), "{found:?}");
    }
}
