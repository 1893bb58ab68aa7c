//! The languages of documents. Each has a directory: what finds its links, and what writes them.

pub(crate) mod css;
mod findings;
pub(crate) mod header;
pub mod html;
mod options;
pub mod text;
mod value;
pub(crate) mod xml;

use crate::format::text::in_text;
use crate::source::{Format, Source};

pub use findings::FoundLinks;
pub use options::{Extra, Options};

/// Finds the links of a document in the way of its kind.
///
/// Cost: one pass over the bytes, and memory for the links found. Where the document is UTF-8 and a
/// reference stands in it as it is, the reference borrows from the document.
///
/// ```
/// use rehref::source::Source;
/// use rehref::format::{Options, find};
///
/// let page = Source::new("a.html", b"<a href='b?x=1&amp;y=2'>".to_vec());
/// let found = find(&page, &Options::default());
/// assert_eq!(found.links[0].reference, "b?x=1&y=2");
/// assert_eq!(found.links[0].extent().range(), 9..22);
/// ```
pub fn find<'d>(document: &'d Source, options: &Options) -> FoundLinks<'d> {
    let of_mail;
    let options = match &document.carrier {
        Some(carrier) => {
            of_mail = options.in_mail(document.format, carrier);
            &of_mail
        }
        None => options,
    };
    let options = &*options.in_charset(document.charset);
    match document.format {
        Format::Html => html::find(document, options),
        Format::Css => css::find(document),
        Format::Xml => xml::find(document, options),
        Format::Header => header::find(document, options),
        Format::Text | Format::Mail | Format::Mbox | Format::Mhtml => {
            in_text::find(document, options)
        }
    }
}
