//! The languages of documents. Each has a directory: what finds its links, and what writes them.

pub(crate) mod css;
mod findings;
mod header;
pub mod html;
mod options;
pub mod text;
mod value;
pub(crate) mod xml;

use crate::document::{Document, Format};
use crate::format::text::in_text;

pub use findings::Links;
pub use options::{Extra, FindOptions};

/// Finds the links of a document in the way of its kind.
///
/// Cost: one pass over the bytes, and memory for the links found. Where the document is UTF-8 and a
/// reference stands in it as it is, the reference borrows from the document.
///
/// ```
/// use rehref::document::Document;
/// use rehref::format::{FindOptions, find};
///
/// let page = Document::new("a.html", b"<a href='b?x=1&amp;y=2'>".to_vec());
/// let found = find(&page, &FindOptions::default());
/// assert_eq!(found.links[0].reference, "b?x=1&y=2");
/// assert_eq!(found.links[0].extent().range(), 9..22);
/// ```
pub fn find<'d>(document: &'d Document, options: &FindOptions) -> Links<'d> {
    let of_mail;
    let options = match &document.carrier {
        Some(carrier) => {
            of_mail = options.in_mail(document.media, carrier);
            &of_mail
        }
        None => options,
    };
    let options = &*options.in_charset(document.charset);
    match document.media {
        Format::Html => html::find(document, options),
        Format::Css => css::find(document),
        Format::Xml => xml::find(document, options),
        Format::Header => header::find(document, options),
        Format::Text | Format::Mail | Format::Mbox | Format::Mhtml => {
            in_text::find(document, options)
        }
    }
}
