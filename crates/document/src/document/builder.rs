//! Building documents from bytes and their metadata.

use std::path::{Path, PathBuf};

use super::content_type::charset_parameter;
use super::{Base, BaseFrom, BuildError, Charset, Document, UnknownCharset};
use crate::format::{Format, Options};
use crate::source::Source;
use crate::uri::Parts;

/// The bytes of a document and their metadata. [`Document::from_bytes`] begins one.
///
/// A property that is not set is detected from the name and the content.
#[derive(Clone, Debug, Default)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct DocumentBuilder {
    bytes: Vec<u8>,
    name: PathBuf,
    format: Option<Format>,
    content_type: Option<String>,
    charset: Option<String>,
    url: Option<String>,
    options: Options,
}

impl DocumentBuilder {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, ..Self::default() }
    }

    /// Sets the name in messages and records: a path, or an invented name. Its extension determines
    /// the format. Without a name, the extension of the [`url`](Self::url) does.
    pub fn name(self, name: impl Into<PathBuf>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// Sets the format. It overrides media type, name, URL and content.
    pub fn format(self, format: Format) -> Self {
        Self { format: Some(format), ..self }
    }

    /// Sets the media type, with its `charset` if it has one: the value of a `Content-Type` header
    /// (RFC 9110, section 8.3). The type of a [`Format`] decides, for any content. Any other is
    /// ignored, and so is a `charset` with an unknown label, or of bytes with a byte order mark.
    pub fn content_type(self, content_type: impl Into<String>) -> Self {
        Self { content_type: Some(content_type.into()), ..self }
    }

    /// Sets the character encoding by a label of the Encoding standard. It overrides every other
    /// source of the encoding.
    pub fn charset(self, label: impl Into<String>) -> Self {
        Self { charset: Some(label.into()), ..self }
    }

    /// Sets the URL that the document was retrieved from. Relative references are resolved against
    /// it, unless the document contains a base URL (RFC 3986, section 5.1). A text that is not an
    /// absolute URL is kept, but resolves nothing.
    pub fn url(self, url: impl Into<String>) -> Self {
        Self { url: Some(url.into()), ..self }
    }

    /// Sets the options that the links are found with.
    pub fn options(self, options: Options) -> Self {
        Self { options, ..self }
    }

    /// Builds the document. Detects the properties that are not set.
    ///
    /// # Errors
    /// If the label given to [`charset`](Self::charset) is unknown, if the bytes are mail, whose
    /// links are in its parts (`open` and `Mailbox` read them),
    /// and if this build of the library lacks the feature to read the format: then set the format
    /// to [`Text`](Format::Text) to read the document as plain text.
    pub fn build(self) -> Result<Document, BuildError> {
        let Self { bytes, name, format, content_type, charset, url, options } = self;
        BuildError::check_compression(&bytes)?;
        let content_type = content_type.as_deref().unwrap_or_default();
        let (essence, parameters) = content_type.split_once(';').unwrap_or((content_type, ""));
        let is_set = format.is_some();
        let named = match &url {
            Some(url) if name.as_os_str().is_empty() => Path::new(Parts::split(url).path),
            _ => &name,
        };
        let format = format
            .or_else(|| Format::from_media_type(essence))
            .unwrap_or_else(|| Format::detect(named, &bytes));
        if format.is_mail() {
            return Err(BuildError::Mail);
        }
        let declared = format.declared_charset();
        let charset = match (&charset, charset_parameter(parameters)) {
            (Some(label), _) => Charset::named(label, &bytes)
                .map_err(|UnknownCharset| BuildError::UnknownCharset(label.clone()))?,
            (None, Some(label)) => Charset::of_transport(label, &bytes, declared),
            (None, None) => Charset::detect(&bytes, true, declared),
        };
        let syntax = match is_set {
            true => None,
            false => format.text_syntax(named, &bytes),
        };
        let from = BaseFrom::Retrieval;
        let base = url.map(|uri| Base { uri, from });
        let source = Source { name, syntax, base, ..Source::new(bytes, charset) };
        Ok(Document { source, format, options })
    }
}
