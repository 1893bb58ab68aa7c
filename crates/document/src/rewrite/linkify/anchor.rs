//! Links to make and existing links, for functions that change them.

use std::borrow::Cow;

use super::attributes::{self, Attribute, is_same, write};
use super::error::LinkifyError;
use crate::format::LinkTag;
use crate::link::Delimiter;

/// A link to make, or an existing one, for a function that changes or skips it: see
/// [`Linkify::html_with`](super::Linkify::html_with).
///
/// All values are escaped when they are written.
#[derive(Clone, Debug)]
pub struct Anchor<'a> {
    reference: &'a str,
    /// None if the link exists.
    delimiter: Option<Delimiter>,
    href: Cow<'a, str>,
    old_text: &'a str,
    text: Option<String>,
    attributes: Cow<'a, [Attribute]>,
}

/// The decision about a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnchorChoice {
    /// Make the link. Of an existing one, write the changes.
    Make,
    /// Leave the document unchanged.
    Skip,
    /// Make no link. Of an existing one, remove the `href` and an `xlink:href`. Its text stays.
    Unlink,
}

impl<'a> Anchor<'a> {
    pub(super) fn new(
        reference: &'a str,
        delimiter: Delimiter,
        attributes: &'a [Attribute],
    ) -> Self {
        Self {
            reference,
            delimiter: Some(delimiter),
            href: delimiter.completed(reference),
            old_text: reference,
            text: None,
            attributes: Cow::Borrowed(attributes),
        }
    }

    /// An existing link with this text.
    pub(super) fn of_tag(tag: &'a LinkTag, text: &'a str) -> Self {
        let mut attributes: Vec<Attribute> = Vec::with_capacity(tag.attributes.len());
        for attribute in &tag.attributes {
            let is_set = |it: &Attribute| is_same(&it.0, &attribute.name);
            // Of several attributes with one name, the first counts.
            if !is_same(&attribute.name, "href") && !attributes.iter().any(is_set) {
                attributes.push((Cow::Owned(attribute.name.clone()), attribute.value.clone()));
            }
        }
        Self {
            reference: &tag.reference,
            delimiter: None,
            href: Cow::Borrowed(&tag.reference),
            old_text: text,
            text: None,
            attributes: Cow::Owned(attributes),
        }
    }

    /// Returns true for a link that the page has, and false for one to make: see
    /// [`Linkify::existing`](super::Linkify::existing).
    pub fn is_existing(&self) -> bool {
        self.delimiter.is_none()
    }

    /// The URL or the mail address as the text spells it, without line breaks and with character
    /// references decoded. Of an existing link, what browsers read of the `href`: without white space
    /// at its ends and line breaks.
    pub fn reference(&self) -> &str {
        self.reference
    }

    /// The delimiters of the URL in the text. `None` for an existing link.
    pub fn delimiter(&self) -> Option<Delimiter> {
        self.delimiter
    }

    /// The target. At first it is the reference, with `http://`, `ftp://` or `mailto:` before it if
    /// it has no scheme.
    pub fn href(&self) -> &str {
        &self.href
    }

    /// Sets the target. A relative reference is allowed. If its scheme is not one of
    /// [`Linkify::schemes`](super::Linkify::schemes), the result is that of
    /// [`AnchorChoice::Unlink`].
    pub fn set_href(&mut self, href: impl Into<String>) {
        self.href = Cow::Owned(href.into());
    }

    /// The visible text: the one that was set, or else the [reference](Self::reference). The text
    /// of an existing link is that of its element with white space collapsed, at most 4 KiB.
    pub fn text(&self) -> &str {
        self.text.as_deref().unwrap_or(self.old_text)
    }

    /// Sets the visible text. It replaces the URL and everything between its pieces. Without a
    /// call, the source of the URL is unchanged. The text of an existing link never changes.
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
        out.push_str("<a ");
        write("href", &self.href, out);
        for (name, value) in self.attributes() {
            out.push(' ');
            write(name, value, out);
        }
        out.push('>');
    }
}
