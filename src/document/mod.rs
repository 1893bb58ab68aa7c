//! Documents: bytes with a format.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};

use crate::format::html::Contexts;
use crate::format::{Format, FoundLinks, Options, begins_as_page};
use crate::link::{LinkData, Note};
use crate::source::{Charset, Source, TextSyntax};

/// A document in memory: its bytes, its format, its character encoding and its base URL.
#[derive(Clone, Debug)]
pub struct Document {
    source: Source,
    /// The language that the links are read in.
    pub format: Format,
}

impl Document {
    /// A document whose format, syntax and character encoding are detected from its name and content: see
    /// [`Format::detect`] and [`TextSyntax::detect`].
    pub fn new(name: impl Into<PathBuf>, bytes: Vec<u8>) -> Self {
        let name = name.into();
        let format = Format::detect(&name, &bytes);
        let syntax = match format {
            Format::Text => TextSyntax::detect(&name, &bytes),
            _ => None,
        };
        let charset = Charset::detect(&bytes, true, format.declared_charset());
        Self::from_source(
            Source {
                name,
                bytes,
                syntax,
                charset,
                base: None,
                carrier: None,
            },
            format,
        )
    }

    /// The document in `source`, which is in this format.
    pub(crate) fn from_source(source: Source, format: Format) -> Self {
        Self { source, format }
    }

    /// The same document with the URL that it was retrieved from.
    pub fn retrieved_from(self, url: impl Into<String>) -> Self {
        Self {
            source: self.source.retrieved_from(url),
            ..self
        }
    }

    /// The same document with other bytes: the result of an edit.
    pub fn with_bytes(&self, bytes: Vec<u8>) -> Self {
        Self {
            source: self.source.with_bytes(bytes),
            format: self.format,
        }
    }

    /// The source, without its format.
    pub(crate) fn into_source(self) -> Source {
        self.source
    }

    /// The source.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// The bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.source.bytes
    }

    /// Finds the links.
    ///
    /// Cost: one pass over the bytes, and memory for the links found. Where the document is UTF-8 and a reference
    /// stands in it as it is, the reference borrows from the document.
    pub fn links_with(&self, options: &Options) -> FoundLinks<'_> {
        self.format.read(&self.source, options)
    }

    /// The same document, read as what a server has probably sent: where its name says plain text or nothing, as HTML if
    /// its content begins with `<!DOCTYPE html` or `<html`, else as the name before a query says (`style.css?ver=2`, or
    /// `style.css@ver=2` in names for Windows). A server may send a page under any name, such as `/log/main.rs`.
    #[must_use]
    pub fn as_served(self) -> Self {
        let by_name = || {
            let name = self.name.file_name()?.to_str()?;
            let end = name.find(['?', '@']).filter(|&at| at > 0)?;
            let format = Format::from_extension(Path::new(&name[..end]));
            format.filter(|it| it.is_markup())
        };
        let format = match self.format {
            Format::Text if begins_as_page(&self.bytes) => Format::Html,
            Format::Text => match by_name() {
                Some(format) => format,
                None => return self,
            },
            _ => return self,
        };
        let charset = Charset::detect(&self.bytes, true, format.declared_charset());
        let source = Source {
            charset,
            syntax: None,
            ..self.source
        };
        Self::from_source(source, format)
    }

    /// The text around each link, and the headings before it. Formats but HTML have none, and neither has a page that
    /// nests too deep to build its tree.
    ///
    /// Cost: linear in the document, about ten times that of finding the links, and memory for the tree.
    pub fn contexts(&self, options: &Options) -> Contexts {
        self.format.contexts(&self.source, options)
    }

    /// The bytes under the spans of a link as text, joined: the reference as the document spells it, with its character
    /// references, escapes and white space.
    pub fn raw<'l>(&'l self, link: &'l LinkData<'_>) -> Cow<'l, str> {
        match link.spans.as_slice() {
            // A text without escapes spells what is read.
            _ if !self.format.is_markup() && !link.notes.contains(Note::Unescaped) => {
                Cow::Borrowed(&link.reference)
            }
            [span] => self.decode(*span),
            spans => spans
                .iter()
                .map(|&span| self.decode(span))
                .collect::<String>()
                .into(),
        }
    }
}

impl Deref for Document {
    type Target = Source;

    fn deref(&self) -> &Source {
        &self.source
    }
}

impl DerefMut for Document {
    fn deref_mut(&mut self) -> &mut Source {
        &mut self.source
    }
}
