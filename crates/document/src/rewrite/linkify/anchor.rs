//! New links in text.

use std::borrow::Cow;

use super::attributes::{self, Attribute, escape, is_same};
use super::error::LinkifyError;
use crate::link::Delimiter;

/// A new link, for a function that changes or skips it: see
/// [`Linkify::html_with`](super::Linkify::html_with).
///
/// All values are escaped when they are written.
#[derive(Clone, Debug)]
pub struct Anchor<'a> {
    reference: &'a str,
    delimiter: Delimiter,
    href: Cow<'a, str>,
    text: Option<String>,
    attributes: Cow<'a, [Attribute]>,
}

/// The decision about a new link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnchorChoice {
    /// Make the link.
    Make,
    /// Leave the text unchanged.
    Skip,
}

impl<'a> Anchor<'a> {
    pub(super) fn new(
        reference: &'a str,
        delimiter: Delimiter,
        attributes: &'a [Attribute],
    ) -> Self {
        Self {
            reference,
            delimiter,
            href: delimiter.completed(reference),
            text: None,
            attributes: Cow::Borrowed(attributes),
        }
    }

    /// The URL or the mail address as the text spells it, without line breaks and with character
    /// references decoded.
    pub fn reference(&self) -> &str {
        self.reference
    }

    /// The delimiters of the URL in the text.
    pub fn delimiter(&self) -> Delimiter {
        self.delimiter
    }

    /// The target. At first it is the reference, with `http://`, `ftp://` or `mailto:` before it if
    /// it has no scheme.
    pub fn href(&self) -> &str {
        &self.href
    }

    /// Sets the target. A relative reference is allowed. No link is made if its scheme is not one
    /// of [`Linkify::schemes`](super::Linkify::schemes).
    pub fn set_href(&mut self, href: impl Into<String>) {
        self.href = Cow::Owned(href.into());
    }

    /// The visible text: the one that was set, or else the [reference](Self::reference).
    pub fn text(&self) -> &str {
        self.text.as_deref().unwrap_or(self.reference)
    }

    /// Sets the visible text. It replaces the URL and everything between its pieces. Without a
    /// call, the source of the URL is unchanged.
    pub fn set_text(&mut self, text: impl Into<String>) {
        self.text = Some(text.into());
    }

    /// The attributes except `href`, in the order in which they are written.
    pub fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes.iter().map(|(name, value)| (&**name, &**value))
    }

    /// The value of an attribute, by its name in any case of letters.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        match is_same(name, "href") {
            true => Some(&self.href),
            false => self.attributes().find(|it| is_same(it.0, name)).map(|it| it.1),
        }
    }

    /// Sets an attribute. The name `href` sets the target.
    ///
    /// # Errors
    /// If the name is not one of an attribute: [`LinkifyError::AttributeName`].
    pub fn set_attribute(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        value: impl Into<String>,
    ) -> Result<(), LinkifyError> {
        let name = name.into();
        if is_same(&name, "href") {
            self.set_href(value);
            return Ok(());
        }
        attributes::set(self.attributes.to_mut(), name, value.into())
    }

    /// Removes an attribute other than `href`. Returns true if it was set.
    pub fn remove_attribute(&mut self, name: &str) -> bool {
        let exists = self.attributes().any(|it| is_same(it.0, name));
        if exists {
            self.attributes.to_mut().retain(|it| !is_same(&it.0, name));
        }
        exists
    }

    /// The text that was set.
    pub(super) fn new_text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// Appends the start tag.
    pub(super) fn open(&self, out: &mut String) {
        out.push_str("<a href=\"");
        escape(&self.href, out);
        out.push('"');
        for (name, value) in self.attributes() {
            out.push(' ');
            out.push_str(name);
            out.push_str("=\"");
            escape(value, out);
            out.push('"');
        }
        out.push('>');
    }
}
