//! Makes links in any HTML and any plain text. The DOM of html5ever without the new links is the
//! one before, with scripting on and off, as a page and as a fragment; only tags are new; a second
//! run changes nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rehref::Linkify;
use rehref::format::text::{Join, TextOptions};

#[path = "../../tests/support/unlinked_dom.rs"]
mod unlinked_dom;

use unlinked_dom::{MARK, assert_same, assert_text, has_touching_urls};

fuzz_target!(|data: (u8, &str)| {
    let (kind, text) = data;
    if text.to_ascii_lowercase().contains(MARK) {
        return;
    }
    let options = TextOptions {
        abbreviated: kind & 1 != 0,
        emails: kind & 1 != 0,
        strict: kind & 2 != 0,
        join: (kind & 4 != 0).then_some(Join::Guess),
        ..TextOptions::default()
    };
    let linkify = Linkify::new().text_options(options);
    let linkify = linkify.attribute(MARK, "").expect("a name");
    let linked = match kind & 8 {
        0 => {
            let linked = linkify.html(text);
            assert_same(text, &linked);
            linked
        }
        _ => {
            let linked = linkify.text(text);
            assert_text(text, &linked);
            linked
        }
    };
    if !has_touching_urls(&linked) {
        assert_eq!(linkify.html(&linked), linked);
    }
});
