//! The bytes of a page, and the decoding of its values.

use std::borrow::Cow;
use std::sync::Arc;

use encoding_rs::{Encoding, UTF_8};

use super::simd::Vector;
use crate::bytes::Span;
use crate::format::Options;
use crate::format::markup::charref::{self, Within};
use crate::format::markup::value::Value;
use crate::link::{Form, Language, Markup, Quoting};
use crate::source::{Source, from_utf8};

/// The greatest depth of pages in pages; deeper ones are skipped.
pub(super) const MOST_NESTED: usize = 8;

/// A page to read.
#[derive(Clone, Debug)]
pub(super) struct Page<'s, 'o> {
    pub(super) bytes: &'s [u8],
    /// The bytes as text, if they are valid UTF-8 and that is the charset.
    pub(super) text: Option<&'s str>,
    pub(super) encoding: &'static Encoding,
    pub(super) options: &'o Options,
    /// True if its anchors are requested; never for a page in a page.
    pub(super) anchors: bool,
    /// The attribute with the page, if it is in one.
    pub(super) within: Option<Arc<Markup>>,
    /// The number of pages around it.
    pub(super) depth: usize,
}

impl<'s, 'o> Page<'s, 'o> {
    /// The page that is a document, after its byte order mark. `None` if its markup is not ASCII.
    pub(super) fn of_document(document: &'s Source, options: &'o Options) -> Option<Self> {
        let charset = document.charset;
        if !charset.is_ascii_compatible() {
            return None;
        }
        let bytes = &document.bytes[charset.bom_len()..];
        let encoding = charset.encoding();
        let text = (encoding == UTF_8).then(|| from_utf8(bytes)).flatten();
        Some(Self {
            bytes,
            text,
            encoding,
            options,
            anchors: options.anchors,
            within: None,
            depth: 0,
        })
    }

    /// A page that is the text of a value.
    pub(super) fn of_text(text: &'s str, options: &'o Options) -> Self {
        Self {
            bytes: text.as_bytes(),
            text: Some(text),
            encoding: UTF_8,
            options,
            anchors: options.anchors,
            within: None,
            depth: 0,
        }
    }

    /// A place in the page.
    pub(super) fn markup(
        &self,
        element: Cow<'static, str>,
        attribute: &'static str,
        quoting: Quoting,
        form: Form,
    ) -> Markup {
        Markup {
            language: Language::Html,
            element,
            attribute: Cow::Borrowed(attribute),
            quoting,
            form,
            within: self.within.clone(),
            rel: None,
            fragment: None,
        }
    }

    /// The content of an element as a place of links.
    pub(super) fn content(&self, element: &'static str, quoting: Quoting, form: Form) -> Markup {
        let element = Cow::Borrowed(element);
        self.markup(element, Markup::CONTENT, quoting, form)
    }

    pub(super) fn decode(&self, span: Span, within: Within) -> Value<'s> {
        let decode = |text: &str| charref::decode(text, within);
        self.decode_plain(span).decoded(decode)
    }

    /// The value without decoding character references.
    pub(super) fn decode_plain(&self, span: Span) -> Value<'s> {
        match self.undecoded(span) {
            Some(text) => Value::of_text(text, span.start),
            None => Value::of_bytes(self.bytes, span, self.encoding),
        }
    }

    /// The bytes as text, if they are that in the charset.
    #[inline]
    pub(super) fn undecoded(&self, span: Span) -> Option<&'s str> {
        match self.text {
            Some(text) => Some(&text[span.range()]),
            None => {
                let bytes = &self.bytes[span.range()];
                bytes.is_ascii().then(|| from_utf8(bytes)).flatten()
            }
        }
    }
}

/// Returns true if a value needs no decoding and no stripping.
pub(super) fn is_literal(value: &str) -> bool {
    Vector::none(value.as_bytes(), |bytes| bytes.up_to(b' ').or(bytes.equal(b'&')))
}
