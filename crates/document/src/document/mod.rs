//! Documents and their links.
//!
//! A [`Document`] is bytes with a format, a character encoding and a base URL. [`Document::links`]
//! finds its [`Links`].

mod builder;
pub mod content_type;
mod error;
mod links;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

pub use builder::DocumentBuilder;
pub use error::{BuildError, Compression};
pub use links::{Link, LinkIter, Links};

pub use crate::source::{
    ArchiveRecord, Base, BaseFrom, Charset, CharsetFrom, MailPart, Text, UnknownCharset,
};

use crate::bytes::{LineIndex, Span};
use crate::format::Contexts;
use crate::format::{Format, Options, ParsedLinks};
use crate::link::{Note, ParsedLink};
use crate::source::{PackagePart, RelationshipUses, Source, TextSyntax};

/// A document in memory: its bytes, its format, its character encoding and its base URL.
#[derive(Clone, Debug)]
pub struct Document {
    source: Source,
    format: Format,
    options: Options,
}

impl Document {
    /// Begins a document with these bytes.
    ///
    /// Detection by content recognizes whole pages, feeds and mail, but not HTML fragments or style
    /// sheets. Without a format, media type, or name or URL with an extension, these are read as
    /// plain text, where relative references are not links. For the bytes of a `str`, set
    /// [`charset("utf-8")`](DocumentBuilder::charset): a page may declare another encoding.
    /// Compressed bytes are not decompressed; `open` does that for files.
    ///
    /// ```
    /// use rehref_document::Document;
    ///
    /// let page = Document::from_bytes(b"<a href=../c>".to_vec())
    ///     .content_type("text/html; charset=utf-8")
    ///     .url("http://a.example/b/")
    ///     .build()?;
    /// assert_eq!(page.links().len(), 1);
    /// # Ok::<(), rehref_document::BuildError>(())
    /// ```
    pub fn from_bytes(bytes: Vec<u8>) -> DocumentBuilder {
        DocumentBuilder::new(bytes)
    }

    /// Finds the links, by the options that the document was built with.
    ///
    /// Cost: one pass over the bytes, and memory for the links.
    pub fn links(&self) -> Links<'_> {
        Links::new(self, &self.options)
    }

    /// Appends the document to `out` with its links rewritten, by the options that it was built
    /// with. Other bytes are copied.
    ///
    /// The bytes are those of [`Links::rewrite`], which also shows the edits and the skipped links.
    /// Use this method where they are not needed. For HTML, it keeps only `out` and the numbers,
    /// for any number of links.
    ///
    /// ```
    /// use rehref_document::{Document, Rules};
    ///
    /// let page = Document::from_bytes(b"<a href=../c>".to_vec()).content_type("text/html").url("http://a.example/b/");
    /// let mut out = Vec::new();
    /// let numbers = page.build()?.rewrite_into(&Rules::new().absolute(), &mut out);
    /// assert_eq!(out, b"<a href=http://a.example/c>");
    /// assert_eq!(numbers.edits(), 1);
    /// # Ok::<(), rehref_document::BuildError>(())
    /// ```
    ///
    /// Cost: one pass over HTML where each link is decided by itself, and memory for `out`.
    /// Otherwise that of [`links`](Self::links) and [`Links::rewrite`]: for functions, for other
    /// formats, and for pages that need to be read as a whole. These are pages where BASE follows
    /// other links or changes, where the tree decides about tags, with pages in attributes, and
    /// where an edit must be read back.
    pub fn rewrite_into<R: Rewriter>(&self, rules: &R, out: &mut Vec<u8>) -> R::Rewritten {
        rules.rewrite_into(self, &self.options, out)
    }

    /// Calls `each` with the links as they are found, in the order of [`links`](Self::links), and
    /// returns the base URL of the document.
    ///
    /// A link has no URL yet, because a BASE element may follow it. Links of markup are not
    /// collected.
    ///
    /// Cost: one pass over the bytes; three where the tree of a page decides, and over Markdown.
    ///
    /// ```
    /// use rehref_document::Document;
    ///
    /// let page = Document::from_bytes(b"<body>Go <a href=b>there</a> or <a href=c>back</a>".to_vec())
    ///     .content_type("text/html; charset=utf-8")
    ///     .build()?;
    /// let mut references = Vec::new();
    /// page.each_link(|link| references.push(link.reference.into_owned()));
    /// assert_eq!(references, ["b", "c"]);
    /// # Ok::<(), rehref_document::BuildError>(())
    /// ```
    pub fn each_link<'d>(&'d self, mut each: impl FnMut(ParsedLink<'d>)) -> Option<Base> {
        let mut take = |links: &mut Vec<ParsedLink<'d>>| {
            links.drain(..).for_each(&mut each);
        };
        self.format.read_each(&self.source, &self.options, &mut take).base
    }

    /// The name in messages and records: a path, or that of a part of a message
    /// (`list.mbox!3!1.2`).
    pub fn name(&self) -> std::path::Display<'_> {
        self.source.name.display()
    }

    /// The name as a path.
    pub fn path(&self) -> &Path {
        &self.source.name
    }

    /// The bytes, as stored; decompressed if the file was compressed. All spans count them.
    pub fn bytes(&self) -> &[u8] {
        &self.source.bytes
    }

    /// The language that the links are read in.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The syntax around the URLs of a plain text.
    pub fn syntax(&self) -> Option<TextSyntax> {
        self.source.syntax
    }

    /// The character encoding.
    pub fn charset(&self) -> Charset {
        self.source.charset
    }

    /// The base URL from outside the document: where it was retrieved from. A base URL in the
    /// document takes precedence: see [`Links::base`].
    pub fn base(&self) -> Option<&Base> {
        self.source.base.as_ref()
    }

    /// The message that the document is a part of.
    pub fn mail_part(&self) -> Option<&MailPart> {
        self.source.mail_part.as_deref()
    }

    /// The record of a web archive that the document is from.
    pub fn archive_record(&self) -> Option<&ArchiveRecord> {
        self.source.record.as_deref()
    }

    /// The part of a package that the document is.
    pub fn package_part(&self) -> Option<&PackagePart> {
        self.source.package_part.as_deref()
    }

    /// The source, for a reader of a container that reuses the memory of a document.
    pub fn source_mut(&mut self, format: Format) -> &mut Source {
        (self.format, self.options) = (format, Options::default());
        &mut self.source
    }

    /// The decoded text, with a map to the bytes.
    ///
    /// Cost: linear; without a copy if the bytes are UTF-8.
    pub fn text(&self) -> Text<'_> {
        self.source.text()
    }

    /// The bytes of `span` as text. Bytes that are invalid in the character encoding are decoded as
    /// U+FFFD.
    pub fn decode(&self, span: Span) -> Cow<'_, str> {
        self.source.decode(span)
    }

    /// The lines and columns of byte offsets.
    pub fn lines(&self) -> LineIndex<'_> {
        self.source.lines()
    }

    /// The `Message-ID` of the message that the document is a part of, as written, with its angle
    /// brackets. A message within a message has that of the outer one.
    pub fn message_id(&self) -> Option<Cow<'_, str>> {
        let part = self.source.mail_part.as_ref()?;
        Some(String::from_utf8_lossy(part.message_id.as_ref()?))
    }

    /// Returns the document with other options for finding its links.
    #[must_use]
    pub fn with_options(self, options: Options) -> Self {
        Self { options, ..self }
    }

    /// Returns the document with another name.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<PathBuf>) -> Self {
        self.source.name = name.into();
        self
    }

    /// Returns the document with another syntax around the URLs of a plain text.
    pub fn with_syntax(mut self, syntax: Option<TextSyntax>) -> Self {
        self.source.syntax = syntax;
        self
    }

    /// Returns the document in another character encoding.
    #[must_use]
    pub fn with_charset(mut self, charset: Charset) -> Self {
        self.source.charset = charset.of_bytes(&self.source.bytes);
        self
    }

    /// Returns the document with another base URL from outside.
    #[must_use]
    pub fn with_base(mut self, base: Option<Base>) -> Self {
        self.source.base = base;
        self
    }

    /// Returns the document with the URL that it was retrieved from.
    #[must_use]
    pub fn retrieved_from(self, url: impl Into<String>) -> Self {
        let source = self.source.retrieved_from(url);
        Self { source, ..self }
    }

    /// Returns a copy of the document with other bytes: the result of an edit.
    pub fn with_bytes(&self, bytes: Vec<u8>) -> Self {
        Self {
            source: self.source.with_bytes(bytes),
            format: self.format,
            options: self.options.clone(),
        }
    }

    /// Returns a part with relationships of a package with their uses.
    #[must_use]
    pub fn with_uses(mut self, uses: RelationshipUses) -> Self {
        if let Some(part) = &mut self.source.package_part {
            part.uses = Some(uses);
        }
        self
    }

    /// The source, without its format.
    pub fn into_source(self) -> Source {
        self.source
    }

    /// The source.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.source.bytes
    }

    /// Finds the links by other options than those that the document was built with.
    pub fn links_with(&self, options: &Options) -> Links<'_> {
        Links::new(self, options)
    }

    /// Returns true if a comment may exempt links from rewriting.
    pub(crate) fn may_have_exempt_links(&self) -> bool {
        Format::may_exempt(&self.source)
    }

    /// Finds the links, and everything else that the format reports, such as the base and anchors.
    pub fn found(&self, options: &Options) -> ParsedLinks<'_> {
        self.format.read(&self.source, options)
    }

    /// Finds the links as [`found`](Self::found) does, but delivers them as they are found: `take`
    /// moves them out of the vector.
    pub fn found_each<'d>(
        &'d self,
        options: &Options,
        take: &mut dyn FnMut(&mut Vec<ParsedLink<'d>>),
    ) -> ParsedLinks<'d> {
        self.format.read_each(&self.source, options, take)
    }

    /// Returns the result without the links, which are not held, and the number of links. The base
    /// may come last.
    pub(crate) fn count_links(&self, options: &Options) -> (ParsedLinks<'_>, usize) {
        let mut count = 0;
        let found = self.found_each(options, &mut |links| {
            count += links.len();
            links.clear();
        });
        (found, count)
    }

    /// The base URL, and the number of links if it is needed. The links are not held.
    pub fn base_and_count(&self, options: &Options, counts: bool) -> (Option<Base>, usize) {
        if !counts && !self.format.may_have_base(&self.source) {
            return (self.source.base.clone(), 0);
        }
        let (found, count) = self.count_links(options);
        (found.base, count)
    }

    /// The bytes under the spans of a link as text, joined: the reference as the document spells
    /// it, with its character references, escapes and white space. The document of a stream has no
    /// bytes: then it is the decoded reference.
    pub fn raw<'l>(&'l self, link: &'l ParsedLink<'_>) -> Cow<'l, str> {
        match link.spans.as_slice() {
            // A text without escapes is spelled as it is read. Encoded words of a header are
            // reported as decoded.
            _ if self.format.shows_decoded() && !link.notes.contains(Note::Unescaped) => {
                Cow::Borrowed(&link.reference)
            }
            _ if link.extent().end > self.source.bytes.len() => Cow::Borrowed(&link.reference),
            [span] => self.decode(*span),
            spans => spans.iter().map(|&span| self.decode(span)).collect::<String>().into(),
        }
    }
}

/// Documents of any format.
impl Document {
    /// A document whose format, syntax and character encoding are detected from its name and
    /// content: see [`Format::detect`].
    pub fn new(name: impl Into<PathBuf>, bytes: Vec<u8>) -> Self {
        let name = name.into();
        let format = Format::detect(&name, &bytes);
        let syntax = format.text_syntax(&name, &bytes);
        let charset = Charset::detect(&bytes, true, format.declared_charset());
        Self::from_source(Source { name, syntax, ..Source::new(bytes, charset) }, format)
    }

    /// The document in `source`, which is in this format.
    pub fn from_source(source: Source, format: Format) -> Self {
        Self { source, format, options: Options::default() }
    }

    /// Returns the document in another language.
    #[must_use]
    pub fn with_format(self, format: Format) -> Self {
        Self { format, ..self }
    }

    /// The text around each link, and the headings before it. Formats but HTML have none, and
    /// neither has a page that nests too deep to build its tree.
    ///
    /// Cost: linear in the document, about ten times that of finding the links, and memory for the
    /// tree.
    pub fn contexts(&self, options: &Options) -> Contexts {
        self.format.contexts(&self.source, options)
    }
}

/// A set of rules that plans edits: see [`Links::rewrite`] and [`Document::rewrite_into`]. Needs
/// the feature `html`.
pub trait Rewriter {
    /// The plan of a document.
    type Plan<'l>;

    /// The numbers of a rewritten document.
    type Rewritten;

    /// Plans the edits of a document.
    fn plan<'l>(&self, links: &'l Links<'_>) -> Self::Plan<'l>;

    /// Appends a document with its edits applied to `out`. Its links are found by `options`.
    fn rewrite_into(
        &self,
        document: &Document,
        options: &Options,
        out: &mut Vec<u8>,
    ) -> Self::Rewritten;
}
