//! Defanged URLs in the text and the code of a document. No program makes links of them.

use crate::format::text::{self, TextOptions, TextUrl};
use crate::link::{Note, ParsedLink};

/// The defanged URLs of `text`, in order. Linear.
pub(super) fn defanged_urls(text: &str, options: &TextOptions) -> Vec<TextUrl> {
    let mut urls = Vec::new();
    text::scan(text, options, |url| {
        if url.notes().contains(Note::Defanged) {
            urls.push(url);
        }
    });
    urls
}

/// Adds those of `urls` that are in none of `links`. Both are in the order of `text`.
pub(super) fn add<'t>(text: &'t str, urls: Vec<TextUrl>, links: &mut Vec<ParsedLink<'t>>) {
    let mut all = Vec::with_capacity(links.len() + urls.len());
    let mut links_left = std::mem::take(links).into_iter().peekable();
    let mut end = 0;
    for url in urls {
        let Some((start, stop)) = url.spans.first().zip(url.spans.last()) else {
            continue;
        };
        let (start, stop) = (start.start, stop.end);
        while let Some(link) = links_left.next_if(|link| link.extent().start < start) {
            end = link.extent().end;
            all.push(link);
        }
        let is_free = links_left.peek().is_none_or(|link| link.extent().start >= stop);
        if end <= start && is_free {
            let (spans, reference) = (url.spans.clone(), url.reference(text));
            all.push(text::link_of_url(&url, text, spans, reference));
        }
    }
    all.extend(links_left);
    *links = all;
}
