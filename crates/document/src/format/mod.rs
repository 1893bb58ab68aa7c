//! The languages of documents. Each has a directory: it recognizes its documents, reads their links
//! and writes them.
//!
//! The table in this file has a row for each language. Code outside of a language's directory does
//! not match on a
//! [`Format`]: it uses what the row says.

mod batch;
mod binary;
mod called_text;
mod comments;
pub(crate) mod compare;
mod contexts;
pub(crate) mod css;
pub mod field;
pub mod header;
pub mod html;
pub mod http;
mod json;
mod json_document;
pub mod language;
pub mod mail;
pub mod markdown;
mod markup;
mod notebook;
mod options;
mod package;
mod parsed_links;
mod pdf;
mod preserved_escapes;
mod shortcut;
pub mod site_config;
#[cfg(test)]
mod tests;
pub mod text;
mod unread;
mod value;
mod web_archive;
pub mod written;
pub mod xml;

use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;
use std::str::FromStr;

use encoding_rs::Encoding;

use crate::bytes::Span;
use crate::link::ParsedLink;
use crate::source::Charset;
use crate::source::{Compression, Source, TextSyntax};
use crate::uri::{UnknownName, by_name};
use called_text::CalledText;
use language::Fault;

use language::{Compare, TagLinks};
use language::{Content, Language, ReadEach, Rewriting, Sniff};

pub(crate) use comments::Exempt;
pub use contexts::Contexts;
pub use language::Container;
pub(crate) use language::{LinkTag, LinkTags};
pub use markup::declared_encoding::byte_order_mark;
pub use options::{Extra, Options};

pub use self::{binary::is_binary, parsed_links::ParsedLinks};
pub use html::begins_as_page;
pub use unread::UnreadKind;
pub use unread::{is_binary_name, is_compressed};
pub use written::{CannotWrite, Written, replaceable};

/// Declares [`Format`] and its table: a variant and the row of its language.
macro_rules! languages {
    ($($(#[$docs:meta])* $format:ident = $language:expr,)*) => {
        /// The language of a document.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Format {
            $($(#[$docs])* $format,)*
        }

        impl Format {
            /// Every format. The first whose language recognizes a content wins.
            const TABLE: &'static [Self] = &[$(Self::$format,)*];

            /// The row of the table.
            const fn language(self) -> &'static Language {
                match self {
                    $(Self::$format => {
                        const LANGUAGE: &Language = &$language;
                        LANGUAGE
                    })*
                }
            }
        }
    };
}

languages! {
    /// Plain text, also source code.
    Text = text::LANGUAGE,
    /// HTML as browsers read it.
    Html = html::LANGUAGE,
    /// XML: feeds, sitemaps, SVG and XHTML files.
    Xml = xml::LANGUAGE,
    /// Markdown.
    Markdown = markdown::LANGUAGE,
    /// A notebook of Jupyter, with Markdown and HTML in its cells.
    Notebook = notebook::LANGUAGE,
    /// The configuration of a documentation site, some of whose settings are paths.
    SiteConfig = site_config::LANGUAGE,
    /// A web app manifest or a JSON Feed.
    Json = json_document::LANGUAGE,
    /// A style sheet.
    Css = css::LANGUAGE,
    /// A Windows Internet shortcut, or a desktop entry of freedesktop.org.
    Shortcut = shortcut::LANGUAGE,
    /// One mail message.
    Mail = mail::MESSAGE,
    /// Many mail messages in one file.
    Mbox = mail::MAILBOX,
    /// A web page with its parts in one message.
    Mhtml = mail::MHTML,
    /// A web archive: WARC, ARC or WACZ.
    Warc = web_archive::LANGUAGE,
    /// A document of Office, whose parts are XML.
    Ooxml = package::OOXML,
    /// A document of LibreOffice, whose parts are XML.
    Odf = package::ODF,
    /// A book, whose parts are pages and XML.
    Epub = package::EPUB,
    /// A PDF file.
    Pdf = pdf::LANGUAGE,
    /// The header of a message, or of a part of one. No file is in this format.
    Header = header::LANGUAGE,
    /// The head of an HTTP response. No file is in this format.
    Http = http::LANGUAGE,
}

impl Format {
    /// The formats that a file may have, in the order of the command line's help.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::table().filter(|format| format.language().has_files)
    }

    /// The places of links, by their names in records: the languages, except those that hold only
    /// documents of others.
    pub fn places() -> impl Iterator<Item = &'static str> {
        let has_places = |format: &Self| match format.container() {
            None => true,
            // The places of books are those of pages and of XML.
            Some(Container::Package) => *format != Self::Epub,
            Some(_) => false,
        };
        Self::table().filter(has_places).map(Self::as_str)
    }

    /// The rows of the table.
    fn table() -> impl Iterator<Item = Self> {
        Self::TABLE.iter().copied()
    }

    /// The file extensions, in lower case.
    pub fn extensions(self) -> impl Iterator<Item = &'static str> {
        self.language().extensions.iter().copied()
    }

    /// The name on the command line.
    pub const fn as_str(self) -> &'static str {
        self.language().name
    }

    /// The format of a document: by the extension of `name` (without that of a compression),
    /// otherwise by its content.
    ///
    /// Content is recognized in the first 1,024 bytes: HTML and XML by the patterns of the MIME
    /// Sniffing standard, section 7.1, HTML also by any other element without a namespace at its
    /// start, feeds, sitemaps and SVG also by their root, a message by
    /// fields that only mail has, a mailbox by its first line, a style sheet by an `@charset` or
    /// `@import` at its start, a shortcut by its first group. All other documents are text.
    ///
    /// The content of files with names of texts and their syntaxes does not count, such as `.log`,
    /// `.csv` and `.yaml`. Templates, such as `.php`, may begin as HTML.
    ///
    /// A `.txt`, `.log` or `.patch` file that begins as a mailbox is a mailbox, and one that begins with the
    /// header of a message is a message. A file without an extension is a message if it is named
    /// like one in a Maildir or an MH directory and begins with a mail field. Leading blank lines
    /// are ignored.
    pub fn detect(name: &Path, bytes: &[u8]) -> Self {
        let mut beginning = Sniff::new(name, bytes);
        let by_name = Self::from_extension(name).filter(|it| it.agrees(&beginning));
        if let Some(format) = by_name.filter(|it| !it.is_plain_text()) {
            return format;
        }
        beginning.called = extension_of(name).map_or(CalledText::No, CalledText::of_extension);
        let overrides = |it: &Self| (it.language().overrides)(&beginning);
        let begins = |it: &Self| (it.language().begins)(&beginning);
        let found = match beginning.called {
            CalledText::No => Self::table().find(overrides).or_else(|| Self::table().find(begins)),
            CalledText::Template => Self::table().find(|it| it.is_page() && begins(it)),
            CalledText::Prose | CalledText::Certain => Self::table().find(overrides),
        };
        found.unwrap_or(Self::Text)
    }

    /// Returns true if a document without a name is certainly plain text without a syntax, not
    /// compressed: it begins with two words, or has one line that begins with a URL. False says
    /// nothing.
    ///
    /// Finding that out by [`detect`](Self::detect) and [`text_syntax`](Self::text_syntax) takes
    /// longer than finding the links of a short text.
    pub fn is_begun_by_words(bytes: &[u8]) -> bool {
        let is_of_word = |byte: &&u8| byte.is_ascii_alphanumeric() || b",.'!?-".contains(byte);
        let (word, rest) = bytes.split_at(bytes.iter().take_while(is_of_word).count());
        let is_followed = match rest {
            // A mail field may have blanks before its colon.
            [b' ', next, ..] => !matches!(next, b':' | b' ' | b'\t' | b'-'),
            [b':', b'/', b'/', ..] => {
                matches!(word, b"http" | b"https") && memchr::memchr(b'\n', bytes).is_none()
            }
            _ => false,
        };
        // The first words of mailboxes, diffs and files of bzip2.
        let is_plain = !matches!(word, b"From" | b"commit") && !word.starts_with(b"BZh");
        is_followed && is_plain && word.first().is_some_and(u8::is_ascii_alphanumeric)
    }

    /// Returns true if the name of a document says nothing certain about its format, so that the
    /// content decides.
    pub fn is_by_content(name: &Path, bytes: &[u8]) -> bool {
        let called = extension_of(name).map(CalledText::of_extension);
        let is_certain = Self::from_extension_of(name, bytes).is_some();
        !is_certain || called == Some(CalledText::Template)
    }

    /// The markup that a document with the name of a text begins as, if it has elements.
    pub fn begun_under_name_of_text(name: &Path, bytes: &[u8]) -> Option<Self> {
        Self::from_extension(name).filter(|it| it.is_plain_text())?;
        let found = Self::detect(Path::new(""), bytes);
        (found.is_markup() && found.has_anchors()).then_some(found)
    }

    /// Returns the links of a document that comments exempt from checking and rewriting.
    pub(crate) fn exempt(self, source: &Source) -> Exempt {
        (self.language().exempt)(source)
    }

    /// Returns true if a document may have links that comments exempt.
    pub(crate) fn may_exempt(source: &Source) -> bool {
        Exempt::may_be_in(source)
    }

    /// Returns the kind of a document with references that are not read.
    pub fn unread(self, source: &Source) -> Option<UnreadKind> {
        (self.language().unread)(source)
    }

    /// The format for the extension of `name`, ignoring that of a compression (`.gz`, `.bz2`,
    /// `.xz`, `.zst`). In some formats a file with the extension may still be something else:
    /// [`detect`](Self::detect) also reads its content.
    pub fn from_extension(name: &Path) -> Option<Self> {
        let found = extension_of(name)?;
        let has = |known: &&str| known.eq_ignore_ascii_case(found);
        let is_text = || CalledText::of_extension(found) == CalledText::Certain;
        Self::table()
            .find(|format| format.language().extensions.iter().any(has))
            .or_else(|| is_text().then_some(Self::Text))
    }

    /// The format for the extension of `name`, if the content may be in that format.
    pub fn from_extension_of(name: &Path, bytes: &[u8]) -> Option<Self> {
        Self::from_extension(name).filter(|it| it.agrees(&Sniff::new(name, bytes)))
    }

    fn agrees(self, beginning: &Sniff<'_>) -> bool {
        (self.language().agrees)(beginning)
    }

    /// The format of a media type such as `text/html`, without parameters, in any case of letters.
    pub fn from_media_type(essence: &str) -> Option<Self> {
        let essence = essence.trim().to_ascii_lowercase();
        let matching = Self::table().filter_map(|format| {
            let rank = format.language().rank_of_media_type(&essence)?;
            Some((rank, format))
        });
        let best = matching.min_by_key(|(rank, _)| *rank);
        best.map(|(_, format)| format)
    }

    /// The format that a server has probably sent a document of this format in, if that differs. A
    /// server may send a page under each name of plain text.
    pub fn as_served(self, name: &Path, bytes: &[u8]) -> Option<Self> {
        if !self.is_plain_text() {
            return None;
        }
        let begins = |it: &Self| (it.language().begins_under_any_name)(bytes);
        let by_name = || {
            let name = name.file_name()?.to_str()?;
            let end = name.find(['?', '@']).filter(|&at| at > 0)?;
            let format = Self::from_extension_of(Path::new(&name[..end]), bytes);
            format.filter(|it| it.is_markup())
        };
        Self::table().find(begins).or_else(by_name)
    }

    /// The syntax of a text of this format: see [`TextSyntax::detect`]. Only plain text has one.
    pub fn text_syntax(self, name: &Path, bytes: &[u8]) -> Option<TextSyntax> {
        if !self.is_plain_text() {
            return None;
        }
        // A name of text is believed, also if the text begins like a man page.
        match TextSyntax::detect(name, bytes) {
            Some(TextSyntax::Roff) if Self::from_extension(name).is_some() => {
                TextSyntax::detect(name, b"")
            }
            found => found,
        }
    }

    /// Returns true if the format is a container of messages. Their parts are documents of their
    /// own.
    pub fn is_mail(self) -> bool {
        let is_mail = |it| !matches!(it, Container::Package | Container::WebArchive);
        self.container().is_some_and(is_mail)
    }

    /// Returns true if the format is a container of retrieved documents.
    pub fn is_web_archive(self) -> bool {
        self.container() == Some(Container::WebArchive)
    }

    /// Returns true if the format is a container of parts of one document.
    pub fn is_package(self) -> bool {
        self.container() == Some(Container::Package)
    }

    /// The content of the format, if it is a container.
    pub fn container(self) -> Option<Container> {
        match self.language().content {
            Content::Container(container) => Some(container),
            Content::Text | Content::Markup => None,
        }
    }

    /// Returns true if the format is plain text.
    pub fn is_plain_text(self) -> bool {
        self.language().content == Content::Text
    }

    /// Returns true if bytes are not text: [`is_binary`], but NULs alone do not make mail and HTML
    /// binary.
    pub fn is_binary(self, bytes: &[u8]) -> bool {
        is_binary(bytes) && !(self.language().may_have_nuls)(bytes)
    }

    /// Returns true if documents are pages that browsers show.
    pub fn is_page(self) -> bool {
        self.language().is_page
    }

    /// Returns true if links are read from text, including that of a message not split into parts.
    /// Such documents are read as streams.
    pub fn is_text(self) -> bool {
        self.is_plain_text() || self.is_mail()
    }

    /// Returns true if a document is markup or code, whose syntax determines the links.
    pub fn is_markup(self) -> bool {
        self.language().content == Content::Markup
    }

    /// Returns true if elements of a document have ids that fragments may name.
    pub fn has_anchors(self) -> bool {
        self.language().has_anchors
    }

    /// Returns true if the program that makes a site of documents decides how they are read.
    pub fn has_dialects(self) -> bool {
        self.language().has_dialects
    }

    /// Returns what keeps a document from being one of this format, so that links are missed, and
    /// its offset.
    pub fn fault(self, source: &Source) -> Option<(usize, String)> {
        let Fault { at, problem } = (self.language().fault?)(source)?;
        Some((at, problem))
    }

    /// Returns true if links of a document may be rewritten.
    pub fn is_rewritable(self) -> bool {
        !matches!(self.language().rewriting, Rewriting::Never)
    }

    /// Returns true if only rules that map URLs to URLs rewrite links of a document.
    pub fn is_rewritten_by_maps_only(self) -> bool {
        matches!(self.language().rewriting, Rewriting::Maps(_))
    }

    /// Returns true if records show a link as it is read and not as its bytes spell it, unless it
    /// has the note [`Unescaped`](crate::link::Note::Unescaped).
    pub(crate) fn shows_decoded(self) -> bool {
        self.language().shows_decoded
    }

    /// The maximum length of decompressed data held in memory, in bytes. Without a limit, a few
    /// megabytes could fill the memory: each link takes 176 bytes more.
    pub fn max_inflated(self) -> u64 {
        self.language().max_inflated
    }

    /// The function that finds the encoding that a document of this format declares.
    pub fn declared_charset(self) -> fn(&[u8]) -> Option<&'static Encoding> {
        self.language().declared_charset
    }

    /// Writes `reference` into the place of a link: see `language::Write`.
    pub fn write<'r>(
        self,
        source: &Source,
        link: &ParsedLink<'_>,
        reference: &'r str,
        options: &Options,
    ) -> Result<Written<'r>, CannotWrite> {
        match self.language().rewriting {
            Rewriting::Never => Err(CannotWrite::NotRewritten),
            Rewriting::Maps(write) | Rewriting::All(write) => {
                write(source, link, reference, options)
            }
        }
    }

    /// Finds the links of a document of this format.
    ///
    /// Cost: one pass over the bytes, and memory for the links found. A reference written without
    /// escapes in a UTF-8 document is borrowed.
    pub(crate) fn read<'d>(self, source: &'d Source, options: &Options) -> ParsedLinks<'d> {
        let options = options.for_source(source);
        match self.reads_mail_part(source) {
            true => ParsedLinks::collected(|take| mail::find_each(source, &options, take)),
            false => self.read_page(source, &options),
        }
    }

    /// Delivers the links that [`read`](Self::read) finds, as they are found: `take` moves them out
    /// of the vector. Returns the rest of the result.
    pub(crate) fn read_each<'d>(
        self,
        source: &'d Source,
        options: &Options,
        take: &mut dyn FnMut(&mut Vec<ParsedLink<'d>>),
    ) -> ParsedLinks<'d> {
        let read_each = match self.reads_mail_part(source) {
            true => Some(mail::find_each as ReadEach),
            false if self.has_footer(source) => None,
            false => self.language().read_each,
        };
        if let Some(read_each) = read_each {
            return read_each(source, &options.for_source(source), take);
        }
        let mut found = self.read(source, options);
        take(&mut found.links);
        found
    }

    /// Finds the links of a document that is not text of a message.
    fn read_page<'d>(self, source: &'d Source, options: &Options) -> ParsedLinks<'d> {
        let mut found = (self.language().read)(source, options);
        if self.has_footer(source) {
            mail::footer::add_links(source, options, &mut found);
        }
        found
    }

    /// Returns true if plain text follows a page in a message.
    fn has_footer(self, source: &Source) -> bool {
        self.is_page() && mail::footer::is_after_page(source)
    }

    /// Returns true if a document is text of a message, whose lines are joined by other rules.
    fn reads_mail_part(self, source: &Source) -> bool {
        source.mail_part.is_some() && self.language().content == Content::Text
    }

    /// Returns false if a document certainly has no base URL of its own. Cost: at most one search
    /// in the bytes.
    pub(crate) fn may_have_base(self, source: &Source) -> bool {
        (self.language().may_have_base)(source)
    }
}

/// Calls `each` with the links of a document that is read as text ([`Format::is_text`]) as they are
/// found, without collecting them: a long text may have more links than fit in memory.
///
/// Returns the offset of the first byte that is invalid in the document's charset. The links are
/// those of [`links_with`](crate::document::Document::links_with), relative to the base URL of the
/// document.
pub fn find_each_in_text<'d>(
    document: &'d Source,
    options: &Options,
    each: impl FnMut(ParsedLink<'d>),
) -> Option<usize> {
    let mut each = each;
    let mut take = |links: &mut Vec<ParsedLink<'d>>| links.drain(..).for_each(&mut each);
    Format::Text.read_each(document, options, &mut take).malformed
}

/// Functions for documents in markup, and for rewriting.
impl Format {
    /// Calls `take` with the links of a document, tag after tag: see `language::ReadByTag`.
    pub fn read_by_tag<'d>(
        self,
        source: &'d Source,
        options: &Options,
        take: &mut dyn FnMut(TagLinks<'_, 'd>) -> ControlFlow<()>,
    ) -> Option<usize> {
        (self.language().read_by_tag?)(source, &options.for_source(source), take)
    }

    /// Finds the links in text that may become elements: see `language::Linkable`. `None` if
    /// documents of this format have no such elements.
    pub(crate) fn linkable<'d>(
        self,
        source: &'d Source,
        options: &Options,
        skipped: &[String],
        wanted: &dyn Fn(&ParsedLink<'_>) -> bool,
    ) -> Option<Vec<ParsedLink<'d>>> {
        let find = self.language().linkable?;
        Some(find(source, &options.for_source(source), skipped, wanted))
    }

    /// Finds the start tags of links: see `language::FindLinkTags`. None if documents of this format
    /// have no such elements.
    pub(crate) fn link_tags(self, source: &Source, options: &Options) -> LinkTags {
        let find = self.language().link_tags;
        find.map_or_else(LinkTags::default, |find| find(source, &options.for_source(source)))
    }

    /// Returns true if browsers show documents of this format with their links.
    pub fn is_shown_by_browsers(self) -> bool {
        self.language().declare_charset.is_some()
    }

    /// The usual media type of documents of this format, if it has a type of its own.
    pub fn media_type(self) -> Option<&'static str> {
        let types = self.language().media_types.iter();
        types.copied().find(|it| !it.contains('*'))
    }

    /// Writes a declaration of an encoding into a document: see `language::Declare`.
    pub fn declare_charset(
        self,
        bytes: &[u8],
        encoding: &'static Encoding,
    ) -> Option<(Span, Vec<u8>)> {
        (self.language().declare_charset?)(bytes, encoding)
    }

    /// The encoding that a document of this format declares in its first 1,024 bytes.
    pub fn charset_declared_in(self, bytes: &[u8]) -> Option<&'static Encoding> {
        self.declared_charset()(&bytes[..bytes.len().min(Charset::PRESCAN)])
    }

    /// The contexts of the links in a document: see [`Contexts`]. Formats but HTML
    /// and Markdown have none.
    pub(crate) fn contexts(self, source: &Source, options: &Options) -> Contexts {
        (self.language().contexts)(source, options)
    }

    /// The function that compares rewritten documents with the old ones.
    pub(crate) fn comparison(self) -> Compare {
        self.language().compare
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Format {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        by_name(&Self::all().collect::<Vec<_>>(), Self::as_str, name)
    }
}

/// The extension of a name, without that of a compression.
fn extension_of(name: &Path) -> Option<&str> {
    Compression::stripped(name).extension()?.to_str()
}
