//! The `Content-Type` of a part (RFC 2045, section 5), parsed by `mail_parser`.

use std::path::Path;

use mail_parser::parsers::MessageStream;
use mail_parser::{ContentType, HeaderValue};
use memchr::memmem;

use crate::format::{Container, Format};
use crate::source::{Fields, Flowed, TextSyntax};

/// The maximum length of a value, in bytes. Mail programs write much shorter ones.
const LONGEST: usize = 16 << 10;

/// The content type of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Content {
    kind: ContentKind,
    /// The label of its charset.
    pub(crate) charset: Option<String>,
    boundary: Option<String>,
    /// The parameters of `format=flowed`, if present (RFC 3676).
    pub(crate) flowed: Option<Flowed>,
    /// The syntax that the type names.
    syntax: Option<TextSyntax>,
    /// True if the type is a default, not declared.
    pub(crate) is_default: bool,
    /// The file name, if its extension identifies the type or may identify the syntax.
    name: Option<String>,
    /// True if the file name identified the type.
    is_by_name: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ContentKind {
    /// A document of this format.
    Document(Format),
    Multipart(Subtype),
    Message,
    /// A message in data of S/MIME, if that is only signed.
    Signed,
    /// Bytes of undeclared type. A file name may identify it.
    Unknown,
    /// Not searched for links.
    Other,
}

/// The multiparts with a special meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subtype {
    Alternative,
    Digest,
    Other,
}

impl Content {
    const TEXT: Self = Self::of_kind(ContentKind::Document(Format::Text));

    const fn of_kind(kind: ContentKind) -> Self {
        Self {
            kind,
            charset: None,
            boundary: None,
            flowed: None,
            syntax: None,
            is_default: true,
            name: None,
            is_by_name: false,
        }
    }

    /// The content type of a part that declares none. In a digest it is a message (RFC 2046,
    /// section 5.1.5).
    pub(crate) const fn undeclared(in_digest: bool) -> Self {
        match in_digest {
            true => Self::of_kind(ContentKind::Message),
            false => Self::TEXT,
        }
    }

    /// Uses the file name of an attachment to identify its type. `disposition` is the value of its
    /// `Content-Disposition` (RFC 2183, section 2.3).
    pub(crate) fn named_by(mut self, disposition: Option<&[u8]>) -> Self {
        if let Some(value) = disposition.filter(|_| self.needs_name())
            && memmem::find(value, b"=").is_some()
            && let Some(found) = parse(&line_of(value))
        {
            self.take_name(attribute(&found, "filename"));
        }
        self
    }

    /// Returns true if a file name may identify the type or the syntax.
    fn needs_name(&self) -> bool {
        self.name.is_none()
            && match self.kind {
                ContentKind::Document(format) => format.is_plain_text() && self.syntax.is_none(),
                ContentKind::Unknown | ContentKind::Other => true,
                ContentKind::Multipart(_) | ContentKind::Message | ContentKind::Signed => false,
            }
    }

    /// Uses a file name, if its extension identifies the type or the syntax.
    fn take_name(&mut self, name: Option<&str>) {
        let Some(name) = name.filter(|_| self.needs_name()) else {
            return;
        };
        let path = Path::new(name);
        let is_signed = || path.extension().is_some_and(|it| it.eq_ignore_ascii_case("p7m"));
        if self.kind == ContentKind::Unknown && is_signed() {
            self.kind = ContentKind::Signed;
            return;
        }
        let identified = match self.kind {
            ContentKind::Unknown => {
                Format::from_extension(path).filter(|format| format.container().is_none())
            }
            // Programs send calendars and cards under types of any kind.
            ContentKind::Other => {
                let syntax = Format::Text.text_syntax(path, b"");
                matches!(syntax, Some(TextSyntax::Fields(_))).then_some(Format::Text)
            }
            _ => None,
        };
        if let Some(format) = identified {
            (self.kind, self.is_by_name) = (ContentKind::Document(format), true);
        }
        if matches!(self.kind, ContentKind::Document(_)) && path.extension().is_some() {
            self.name = Some(name.to_owned());
        }
    }

    /// Returns true if a part with these bytes may be of the type of its file name's extension.
    pub(crate) fn agrees(&self, bytes: &[u8]) -> bool {
        let name = self.name.as_deref().filter(|_| self.is_by_name);
        name.is_none_or(|name| {
            let format = Format::from_extension_of(Path::new(name), bytes);
            format.is_some_and(|it| !it.is_plain_text() || !it.is_binary(bytes))
        })
    }

    /// The syntax of the part with these bytes, if it is plain text.
    pub(crate) fn syntax(&self, bytes: &[u8]) -> Option<TextSyntax> {
        let by_name = |name: &str| Format::Text.text_syntax(Path::new(name), bytes);
        let named = || self.name.as_deref().and_then(by_name);
        self.syntax.or_else(named).or_else(|| TextSyntax::in_message(bytes))
    }

    /// The format to search it by, if it is a document.
    pub(crate) fn format(&self) -> Option<Format> {
        match self.kind {
            ContentKind::Document(format) => Some(format),
            // A multipart without parts, or with an invalid one.
            ContentKind::Multipart(_) | ContentKind::Message => Some(Format::Text),
            ContentKind::Signed | ContentKind::Unknown | ContentKind::Other => None,
        }
    }

    pub(crate) fn boundary(&self) -> Option<&[u8]> {
        self.boundary.as_deref().map(str::as_bytes)
    }

    pub(crate) fn is_multipart(&self) -> bool {
        matches!(self.kind, ContentKind::Multipart(_))
    }

    pub(crate) fn is_alternative(&self) -> bool {
        self.kind == ContentKind::Multipart(Subtype::Alternative)
    }

    pub(crate) fn is_digest(&self) -> bool {
        self.kind == ContentKind::Multipart(Subtype::Digest)
    }

    pub(crate) fn is_message(&self) -> bool {
        self.kind == ContentKind::Message
    }

    /// Returns true if the part may be a message in data of S/MIME.
    pub(crate) fn is_signed(&self) -> bool {
        self.kind == ContentKind::Signed
    }
}

/// Reads content types, and remembers some: most parts of a mailbox have one of a few.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContentTypes {
    remembered: Vec<(Box<[u8]>, Option<Content>)>,
    /// The number of types that were added.
    added: usize,
}

impl ContentTypes {
    /// The number of types that are remembered.
    const MOST: usize = 8;

    /// The maximum length of a value that is remembered, in bytes.
    const LONGEST: usize = 128;

    /// The content type by its field's value. `None` if it has no type.
    pub(crate) fn read(&mut self, value: &[u8]) -> Option<Content> {
        let remembered = self.remembered.iter().find(|(remembered, _)| **remembered == *value);
        if let Some((_, content)) = remembered {
            return content.clone();
        }
        let content = read(value);
        // Each boundary is another one.
        let is_common = content.as_ref().is_none_or(|it| it.boundary.is_none());
        if is_common && value.len() <= Self::LONGEST {
            let entry = (value.into(), content.clone());
            match self.remembered.get_mut(self.added % Self::MOST) {
                Some(oldest) => *oldest = entry,
                None => self.remembered.push(entry),
            }
            self.added += 1;
        }
        content
    }
}

/// A field's value as one line, also if its folding lost the leading spaces.
fn line_of(value: &[u8]) -> Vec<u8> {
    let is_break = |byte: &u8| matches!(byte, b'\r' | b'\n');
    let mut line: Vec<u8> = value[..value.len().min(LONGEST)].to_vec();
    line.iter_mut().filter(|byte| is_break(byte)).for_each(|byte| *byte = b' ');
    line.push(b'\n');
    line
}

fn parse(line: &[u8]) -> Option<ContentType<'_>> {
    match MessageStream::new(line).parse_content_type() {
        HeaderValue::ContentType(found) => Some(found),
        _ => None,
    }
}

/// Parses the value of a field. `None` if it has no type.
fn read(value: &[u8]) -> Option<Content> {
    let line = line_of(value);
    let found = parse(&line)?;
    // Without a subtype it is text (RFC 2045, section 5.2).
    let subtype = found.c_subtype.as_deref().map(str::trim)?;
    let syntax = syntax_of(found.c_type.trim(), subtype);
    let kind = kind_of(found.c_type.trim(), subtype);
    let text = |name| attribute(&found, name).filter(|it| !it.is_empty());
    let is = |name, value: &str| text(name).is_some_and(|it| it.eq_ignore_ascii_case(value));
    let mut content = Content {
        kind: if syntax.is_some() { ContentKind::Document(Format::Text) } else { kind },
        charset: text("charset").map(str::to_owned),
        boundary: text("boundary").map(str::to_owned),
        syntax,
        flowed: is("format", "flowed").then(|| Flowed { delsp: is("delsp", "yes") }),
        is_default: false,
        name: None,
        is_by_name: false,
    };
    content.take_name(attribute(&found, "name"));
    Some(content)
}

/// The media type in lower case and the file name of a part, by the values of its `Content-Type`
/// and `Content-Disposition`.
pub(super) fn described(kind: Option<&[u8]>, disposition: Option<&[u8]>) -> (String, String) {
    let kind = kind.map(line_of);
    let kind = kind.as_deref().and_then(parse);
    let disposition = disposition.map(line_of);
    let disposition = disposition.as_deref().and_then(parse);
    let essence = kind.as_ref().map(|it| {
        let subtype = it.c_subtype.as_deref().unwrap_or_default().trim();
        format!("{}/{subtype}", it.c_type.trim()).to_ascii_lowercase()
    });
    let named = disposition.as_ref().and_then(|it| attribute(it, "filename"));
    let name = named.or_else(|| attribute(kind.as_ref()?, "name"));
    (essence.unwrap_or_default(), name.unwrap_or_default().to_owned())
}

fn attribute<'c>(content: &'c ContentType<'_>, name: &str) -> Option<&'c str> {
    content.attribute(name).map(str::trim)
}

fn kind_of(main: &str, subtype: &str) -> ContentKind {
    let is_xml = subtype == "xml" || subtype.ends_with("+xml");
    match (main, subtype) {
        ("multipart", "alternative") => ContentKind::Multipart(Subtype::Alternative),
        ("multipart", "digest") => ContentKind::Multipart(Subtype::Digest),
        ("multipart", _) => ContentKind::Multipart(Subtype::Other),
        ("application", "octet-stream") => ContentKind::Unknown,
        ("application", "pkcs7-mime" | "x-pkcs7-mime") => ContentKind::Signed,
        // XML of other types is data of programs, such as models. Types of messages are text.
        _ if is_xml && main == "message" => ContentKind::Document(Format::Text),
        _ if is_xml && !matches!(main, "text" | "application" | "image") => ContentKind::Other,
        _ => match Format::from_media_type(&format!("{main}/{subtype}")) {
            Some(format) => match format.container() {
                None => ContentKind::Document(format),
                Some(Container::Message) => ContentKind::Message,
                Some(_) => ContentKind::Other,
            },
            None => ContentKind::Other,
        },
    }
}

/// The syntax of a type that consists of fields. Many programs use unregistered types.
fn syntax_of(main: &str, subtype: &str) -> Option<TextSyntax> {
    let plain = subtype.strip_prefix("x-").unwrap_or(subtype);
    let fields = match (main, plain) {
        (
            "text" | "application",
            "calendar" | "ics" | "ical" | "vcalendar" | "vcard" | "directory",
        ) => Fields::Directory,
        ("text" | "application", "ldif") => Fields::Ldif,
        ("text", "rfc822-headers")
        | (
            "message",
            "delivery-status"
            | "disposition-notification"
            | "feedback-report"
            | "global-headers"
            | "global-delivery-status",
        ) => Fields::Header,
        _ => return None,
    };
    Some(TextSyntax::Fields(fields))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Literals;

    fn of(value: &str) -> Content {
        read(value.as_bytes()).unwrap_or(Content::TEXT)
    }

    #[test]
    fn content_types_have_kinds() {
        let format = |value| of(value).format();
        assert_eq!(format("text/plain"), Some(Format::Text));
        assert_eq!(format("TEXT/HTML; charset=x"), Some(Format::Html));
        assert_eq!(format("text/calendar"), Some(Format::Text));
        assert_eq!(format("text/css"), Some(Format::Css));
        assert_eq!(format("application/xhtml+xml"), Some(Format::Xml));
        assert_eq!(format("image/svg+xml"), Some(Format::Xml));
        assert_eq!(format("image/png"), None);
        assert_eq!(format("message/delivery-status"), Some(Format::Text));
        assert_eq!(format("application/octet-stream; name=a.html"), Some(Format::Html));
        assert_eq!(format("application/octet-stream; name=a.bin"), None);
        for name in ["a.ics", "a.vcf"] {
            let value = format!("application/octet-stream; name={name}");
            assert_eq!(of(&value).format(), Some(Format::Text), "{name}");
        }
        let named =
            |value: &str| of(value).named_by(Some(b"attachment; filename=\"a.html\"")).format();
        assert_eq!(named("application/octet-stream"), Some(Format::Html));
        assert_eq!(named("application/octet-stream; name=a.txt"), Some(Format::Text));
        assert_eq!(named("application/pdf"), None);
        assert!(of("multipart/mixed; boundary=a").is_multipart());
        assert!(of("multipart/alternative").is_alternative());
        assert!(of("message/rfc822").is_message());
        for nothing in ["", "text", "; charset=x", "=?"] {
            assert_eq!(of(nothing), Content::TEXT, "{nothing}");
        }
        assert!(Content::undeclared(true).is_message());
        assert_eq!(Content::undeclared(false), Content::TEXT);
    }

    #[test]
    fn types_of_fields_are_recognized() {
        for value in [
            "text/calendar; method=REQUEST",
            "TEXT/X-VCARD",
            "application/ics",
            "text/x-vcalendar",
            "application/octet-stream; name=\"a.ICS\"",
            "application/x-msdownload; name=a.vcf",
            "text/plain; name=a.ics",
            "application/octet-stream; name*0=\"in\"; name*1=\"vite.ics\"",
            "application/octet-stream; name*=utf-8''f%C3%AAte.ics",
        ] {
            assert_eq!(of(value).format(), Some(Format::Text), "{value}");
            assert_eq!(
                of(value).syntax(b""),
                Some(TextSyntax::Fields(Fields::Directory)),
                "{value}"
            );
        }
        let syntax = |value: &str| of(value).syntax(b"");
        let ldif = Some(TextSyntax::Fields(Fields::Ldif));
        assert_eq!(syntax("application/x-ldif"), ldif);
        assert_eq!(syntax("application/octet-stream; name=a.ldif"), ldif);
        let header = Some(TextSyntax::Fields(Fields::Header));
        assert_eq!(syntax("text/rfc822-headers"), header);
        assert_eq!(syntax("message/delivery-status"), header);
        assert_eq!(syntax("text/plain"), None);
        assert_eq!(syntax("text/plain; name=a.c"), Some(TextSyntax::Code(Literals::C)));
    }

    #[test]
    fn names_of_attachments_count() {
        let named =
            |value: &str, disposition: &str| of(value).named_by(Some(disposition.as_bytes()));
        let ics = Some(TextSyntax::Fields(Fields::Directory));
        for disposition in [
            "attachment; filename=\"a.ics\"",
            "attachment;\n filename*=UTF-8''f%C3%AAte.ics",
            "attachment; filename*0*=UTF-8''f%C3%AAte; filename*1=.ics",
        ] {
            for value in ["application/octet-stream", "application/x-y", "text/plain"] {
                let content = named(value, disposition);
                assert_eq!(content.format(), Some(Format::Text), "{value} {disposition}");
                assert_eq!(content.syntax(b""), ics, "{value} {disposition}");
            }
            assert!(!named("application/x-y", disposition).agrees(b"\0\x01\x02"));
        }
        assert_eq!(named("application/x-y", "attachment; filename=a.txt").format(), None);
        assert!(of("application/x-pkcs7-mime; smime-type=signed-data").is_signed());
        assert!(named("application/octet-stream", "attachment; filename=smime.P7M").is_signed());
        assert_eq!(named("text/html", "attachment; filename=a.ics").format(), Some(Format::Html));
    }

    #[test]
    fn parameters_are_read() {
        let content = of("multipart/mixed;\n boundary=\"a b\"");
        assert_eq!(content.boundary(), Some(&b"a b"[..]));
        assert_eq!(of("multipart/mixed;\r\nboundary=c").boundary(), Some(&b"c"[..]));
        assert_eq!(of("text/plain; CHARSET=\"utf-8\"; x").charset.as_deref(), Some("utf-8"));
        assert_eq!(of("text/plain; format=fixed").flowed, None);
        let delsp = |delsp| Some(Flowed { delsp });
        assert_eq!(of("text/plain; format=Flowed").flowed, delsp(false));
        assert_eq!(of("text/plain; DelSp=yes; format=flowed").flowed, delsp(true));
    }

    #[test]
    fn remembered_types_are_those_of_their_values() {
        let values: Vec<String> = (0..20)
            .map(|at| format!("text/plain; charset=c{at}"))
            .chain(["multipart/mixed; boundary=a", "", "x", "text/html"].map(str::to_owned))
            .collect();
        let mut types = ContentTypes::default();
        for at in [0, 1, 0, 23, 2, 20, 20, 21, 22, 23, 0].into_iter().chain(0..24).chain(0..24) {
            let value = values[at].as_bytes();
            assert_eq!(types.read(value), read(value), "{}", values[at]);
            assert!(types.remembered.len() <= ContentTypes::MOST);
        }
    }
}
