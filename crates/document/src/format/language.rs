//! The columns of the table of languages.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::path::Path;

use encoding_rs::Encoding;

use crate::bytes::Span;
use crate::format::called_text::CalledText;
use crate::format::comments::Exempt;
use crate::format::compare::{Difference, Pair, same_outside};
use crate::format::contexts::Contexts;
use crate::format::unread::UnreadKind;
use crate::format::written::{CannotWrite, Written};
use crate::format::{Options, ParsedLinks};
use crate::link::AttributeSpan;
use crate::link::ParsedLink;
use crate::source::Source;

/// Finds the links of a document.
///
/// It gets the [`Source`]: its bytes with their character encoding. [`Source::text`] decodes them
/// and maps the text back to the bytes. No input may make it panic, and its time must be linear.
///
/// It returns the links in the order of their first bytes. No two may overlap or begin at the same
/// byte. Each has these fields:
///
/// * `spans`: the bytes that spell the reference, without quotes, delimiters or surrounding white
///   space. A link has one span, unless other syntax divides it. An empty reference has an empty
///   span.
/// * `reference`: what these bytes spell, with escapes decoded. `bytes::join` borrows it if it is
///   written without any. `value::strip` removes blanks and line breaks that escapes spell, as in
///   HTML.
/// * `place`: how to write there, and what records say about the place: see
///   [`Place`](crate::link::Place).
/// * `role`: what programs do with the link.
/// * `absoluteness`: whether it must be an absolute URL.
/// * `base_scope`: the base of the link. A reader does not resolve references.
/// * `notes`: [`Undecodable`](crate::link::Note::Undecodable) if bytes of the link are invalid in
///   the character encoding, as `value::notes_of` says.
///
/// [`ParsedLink::new`] fills in the common ones. A value that cannot be a reference, such as a name
/// or a template, is no link. A reference that is not valid is one: resolving it adds a note.
///
/// [`ParsedLinks`] has the document's base: that of the source, unless the language has a BASE of
/// its own, and the offset of the first invalid byte
/// ([`Text::malformed`](crate::source::Text::malformed)).
pub(crate) type Read = for<'d> fn(&'d Source, &Options) -> ParsedLinks<'d>;

/// Calls a function with the links of a document, tag after tag, in the order in which [`Read`]
/// would return them. Memory does not grow with their number. Returns the estimated number of links
/// that scripts build ([`ParsedLinks::scripted`]).
///
/// `None` means that [`Read`] must be used: the document cannot be read in this way, or the
/// function broke. It may have got links before, and even links that [`Read`] does not return.
pub(crate) type ReadByTag = for<'d> fn(
    &'d Source,
    &Options,
    &mut dyn FnMut(TagLinks<'_, 'd>) -> ControlFlow<()>,
) -> Option<usize>;

/// The links of one tag, or of the content after it, and what there is about them in
/// [`ParsedLinks`].
#[derive(Clone, Copy, Debug)]
pub struct TagLinks<'t, 'd> {
    /// The links of the tag.
    pub links: &'t [ParsedLink<'d>],
    pub(crate) base_elements: &'t [AttributeSpan],
    /// Its `integrity` attributes.
    pub integrity: &'t [AttributeSpan],
    /// Its `crossorigin` attributes.
    pub cors: &'t [AttributeSpan],
}

/// Finds the links of a document as [`Read`] does, and delivers them as they are found, a few at
/// once: the function moves them out of the vector. Memory does not grow with their number. The
/// result has the rest that readers of links need: not the integrity of links, and at most one BASE
/// element.
pub(crate) type ReadEach =
    for<'d> fn(&'d Source, &Options, &mut dyn FnMut(&mut Vec<ParsedLink<'d>>)) -> ParsedLinks<'d>;

/// Writes a reference into the place of a link that [`Read`] found in this source.
///
/// It gets the new reference unescaped. It returns the bytes to replace and the new ones, escaped
/// for their place and in the character encoding of the document, and the reference that these
/// spell: characters that the place or the encoding cannot hold, such as a line break in a value of
/// one line, are percent-encoded. Replaced are the bytes of the link, and delimiters around them if
/// others are needed. Segments of the reference that do not change keep the spelling of the source
/// (`preserved_escapes::written_between`).
///
/// It may read more of the source than the link, such as the beginning for the dialect of the
/// document, but only a constant length: a document may have a link for every few bytes.
///
/// # Errors
/// If the place cannot hold the reference, or bytes of the link must stay. The link is skipped
/// then, with the reason.
///
/// It need not check the result. The plan proves it: the edited document is read again, and an edit
/// is dropped if its link is not read with the returned reference or another link changed. Only
/// [`Written::is_certain`] promises that this always succeeds.
pub(crate) type Write =
    for<'r> fn(&Source, &ParsedLink<'_>, &'r str, &Options) -> Result<Written<'r>, CannotWrite>;

/// Finds the links in text that may become elements of the page, of those that the last function
/// returns true for. The spans of each are those of the elements. The strings are names of elements
/// in which none is made, in lower case.
pub(crate) type Linkable = for<'d> fn(
    &'d Source,
    &Options,
    &[String],
    &dyn Fn(&ParsedLink<'_>) -> bool,
) -> Vec<ParsedLink<'d>>;

/// Finds the start tags `<a href>` of a document, in their order. It leaves out those that are hard
/// to change, and those that parsers read in different ways.
pub(crate) type FindLinkTags = fn(&Source, &Options) -> LinkTags;

/// The start tags of links.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkTags {
    pub(crate) tags: Vec<LinkTag>,
    /// The texts of the elements.
    pub(crate) contexts: Contexts,
}

/// The start tag of a link.
#[derive(Clone, Debug)]
pub(crate) struct LinkTag {
    /// The number in the contexts.
    pub(crate) number: usize,
    /// The bytes of the tag.
    pub(crate) span: Span,
    /// Those of its name.
    pub(crate) name: Span,
    /// The reference of the link.
    pub(crate) reference: String,
    /// The number of the attribute `href`.
    pub(crate) href: usize,
    /// The attributes, with duplicates.
    pub(crate) attributes: Vec<TagAttribute>,
}

/// An attribute of a [`LinkTag`].
#[derive(Clone, Debug)]
pub(crate) struct TagAttribute {
    /// The name, as written.
    pub(crate) name: String,
    /// The value, with character references decoded.
    pub(crate) value: String,
    /// The bytes of the name and of the value with its quotes.
    pub(crate) span: Span,
    /// True if the value is missing after `=`: an attribute that followed would be the value.
    pub(crate) is_open: bool,
}

/// The fault that keeps bytes from being a document of a language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The offset in the bytes.
    pub(crate) at: usize,
    /// The problem, as a message without its place.
    pub(crate) problem: String,
}

/// Compares a rewritten document with the old one.
pub(crate) type Compare = fn(&Pair<'_>) -> Result<(), Difference>;

/// Writes a declaration of the character encoding into a document, so that a browser reads it in
/// this encoding without a header. Returns the bytes to replace and the new ones. `None` if it
/// reads the document so already, or if its language cannot declare the encoding.
pub(crate) type Declare = fn(&[u8], &'static Encoding) -> Option<(Span, Vec<u8>)>;

/// A language of documents.
///
/// To add one, write a directory with a constant of this type and add a row to the table in
/// `format/mod.rs`. [`Language::new`] has the usual values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Language {
    /// The name on the command line, and that of the place of its links in records.
    pub(crate) name: &'static str,
    /// The file extensions, in lower case.
    pub(crate) extensions: &'static [&'static str],
    /// Returns true if a document with one of these extensions may be in this language. Otherwise
    /// the extension does not count.
    pub(crate) agrees: fn(&Sniff<'_>) -> bool,
    /// The media types without parameters, in lower case. `*` at one end matches any characters. A
    /// whole type goes before an end (`*+xml`), and that before a beginning (`text/*`), in whatever
    /// order the rows are.
    pub(crate) media_types: &'static [&'static str],
    /// Returns true if a document with this beginning is in this language, whose extension is
    /// unknown or does not count.
    pub(crate) begins: fn(&Sniff<'_>) -> bool,
    /// Returns true if a document is in this language although its extension is that of text of no
    /// particular kind ([`Sniff::called`]), or unknown. In the latter case it goes before
    /// `begins` of every language.
    pub(crate) overrides: fn(&Sniff<'_>) -> bool,
    /// Returns true if a document with these first bytes is in this language under any name of
    /// plain text. A server may send a page under each.
    pub(crate) begins_under_any_name: fn(&[u8]) -> bool,
    /// Returns the encoding that the first bytes of a document declare.
    pub(crate) declared_charset: fn(&[u8]) -> Option<&'static Encoding>,
    /// Declares the encoding of a document. None for languages that browsers do not show with their
    /// links.
    pub(crate) declare_charset: Option<Declare>,
    /// Finds the links of a document.
    pub(crate) read: Read,
    /// Returns what keeps bytes from being a document of this language, so that links are missed.
    /// None by default: most languages give a meaning to every text.
    pub(crate) fault: Option<fn(&Source) -> Option<Fault>>,
    /// Finds the links one tag after another, for rewriting.
    pub(crate) read_by_tag: Option<ReadByTag>,
    /// Finds the links of a document without collecting them. None if `read` collects them anyway.
    pub(crate) read_each: Option<ReadEach>,
    /// Returns false if a document certainly has no base URL of its own.
    pub(crate) may_have_base: fn(&Source) -> bool,
    /// True if records show a link as it is read and not as its bytes spell it, unless it has the
    /// note [`Unescaped`](crate::link::Note::Unescaped).
    pub(crate) shows_decoded: bool,
    /// The rules that may rewrite its links, and the function that writes.
    pub(crate) rewriting: Rewriting,
    /// Compares a rewritten document with the old one. By default, the bytes outside of links.
    pub(crate) compare: Compare,
    /// Finds the links in text that may become elements. None if its documents have no such
    /// elements.
    pub(crate) linkable: Option<Linkable>,
    /// Finds the start tags of links. None if documents have no such elements.
    pub(crate) link_tags: Option<FindLinkTags>,
    /// Finds the text around each link, and the headings before it.
    pub(crate) contexts: fn(&Source, &Options) -> Contexts,
    /// The kind of content.
    pub(crate) content: Content,
    /// Returns true if a document is not binary although it has NUL characters.
    pub(crate) may_have_nuls: fn(&[u8]) -> bool,
    /// Finds the links that comments exempt from checking and rewriting.
    pub(crate) exempt: fn(&Source) -> Exempt,
    /// Returns the kind of a document with references that `read` does not find.
    pub(crate) unread: fn(&Source) -> Option<UnreadKind>,
    /// True if its documents are pages that browsers show, and mail has as an alternative to its
    /// text.
    pub(crate) is_page: bool,
    /// True if its elements have ids that a fragment may name.
    pub(crate) has_anchors: bool,
    /// True if the program that makes a site of documents decides how they are read.
    pub(crate) has_dialects: bool,
    /// True if files are in this language. Others are only parts of documents.
    pub(crate) has_files: bool,
    /// The maximum length of decompressed data held in memory, in bytes.
    pub(crate) max_inflated: u64,
}

/// The kind of content of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Running text. The jobs read it in pieces, as [`TextStream`](crate::format::text::TextStream)
    /// does, so that a long document is not held in memory.
    Text,
    /// Markup, code or data with a syntax of its own. The document is held in memory.
    Markup,
    /// Other documents.
    Container(Container),
}

/// The content of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// Messages.
    Mailbox,
    /// One message, which programs may have appended others to.
    Message,
    /// One message that is a page with its parts.
    Page,
    /// Documents of the web, as they were retrieved.
    WebArchive,
    /// The parts of a document of an office or of a book.
    Package,
}

/// The rules that may rewrite the links of a language.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rewriting {
    /// None.
    Never,
    /// Those that map URLs to URLs.
    Maps(Write),
    /// All.
    All(Write),
}

/// The name of a document and its beginning.
#[derive(Clone, Debug)]
pub(crate) struct Sniff<'b> {
    /// The name of the document.
    pub(crate) name: &'b Path,
    /// The kind of text, by the extension of the name.
    pub(crate) called: CalledText,
    /// The document, or its first part if it is compressed or long.
    pub(crate) bytes: &'b [u8],
    /// The first 1,024 bytes without byte order mark, leading white space and the zero bytes of
    /// UTF-16.
    pub(crate) ascii: Cow<'b, [u8]>,
}

impl Language {
    /// A language with this name whose documents are read and never rewritten, and recognized by
    /// nothing.
    pub(crate) const fn new(name: &'static str, read: Read) -> Self {
        Self {
            name,
            extensions: &[],
            agrees: |_| true,
            media_types: &[],
            begins: |_| false,
            overrides: |_| false,
            begins_under_any_name: |_| false,
            declared_charset: |_| None,
            declare_charset: None,
            read,
            fault: None,
            read_by_tag: None,
            read_each: None,
            may_have_base: |_| false,
            shows_decoded: false,
            rewriting: Rewriting::Never,
            compare: same_outside,
            linkable: None,
            link_tags: None,
            contexts: |_, _| Contexts::default(),
            content: Content::Markup,
            may_have_nuls: |_| false,
            exempt: |_| Exempt::default(),
            unread: |_| None,
            is_page: false,
            has_anchors: false,
            has_dialects: false,
            has_files: true,
            max_inflated: 32 << 20,
        }
    }
}

impl Language {
    /// The rank of this language for a media type in lower case, if it has the type. The lowest
    /// rank wins.
    pub(crate) fn rank_of_media_type(&self, essence: &str) -> Option<u8> {
        let rank = |pattern: &&str| match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
            (None, None) => (*pattern == essence).then_some(0),
            (Some(end), _) => essence.ends_with(end).then_some(1),
            (None, Some(start)) => essence.starts_with(start).then_some(2),
        };
        self.media_types.iter().filter_map(rank).min()
    }
}

impl<'b> Sniff<'b> {
    /// The number of bytes used to detect a format by content. Mail detection uses more.
    const SNIFF: usize = 1024;

    /// The beginning of a document with this name.
    pub(crate) fn new(name: &'b Path, bytes: &'b [u8]) -> Self {
        let head = &bytes[..bytes.len().min(Self::SNIFF)];
        let ascii = match head {
            // The patterns are ASCII: in UTF-16 every other byte is zero.
            [0xFF, 0xFE, units @ ..] | [0xFE, 0xFF, units @ ..] => {
                let ascii = units.iter().copied().filter(|&byte| byte != 0);
                let is_space = u8::is_ascii_whitespace;
                Cow::Owned(ascii.skip_while(is_space).collect())
            }
            [0xEF, 0xBB, 0xBF, rest @ ..] => rest.trim_ascii_start().into(),
            _ => head.trim_ascii_start().into(),
        };
        Self { name, called: CalledText::default(), bytes, ascii }
    }
}

impl Sniff<'_> {
    /// Returns true if the document begins with one of these start tags, in any case.
    pub(crate) fn is_tag_of(&self, names: &[&str]) -> bool {
        let Some(after) = self.ascii.strip_prefix(b"<") else {
            return false;
        };
        names.iter().any(|name| {
            let end = after.get(name.len());
            after.get(..name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name.as_bytes()))
                && (end.is_some_and(|end| end.is_ascii_whitespace() || *end == b'>')
                    || after[name.len()..].starts_with(b"/>"))
        })
    }
}
