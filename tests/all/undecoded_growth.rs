//! Texts that are searched undecoded take linear time where much of them must be decoded.

use std::hint::black_box;

use rehref::document::Document;
use rehref::format::Options;
use rehref::source::Charset;

use crate::linear::assert_linear_in;

#[test]
fn decoded_windows_take_linear_time() {
    // Each character is a byte.
    let run = |unit: &str| unit.repeat(5000 / unit.len()) + "a:/ ";
    let kana = "\u{83}\u{5C}".repeat(30);
    for (label, unit) in [
        ("windows-1252", "\u{AB}http://a.b/c\u{E9} \u{BB}".to_owned()),
        ("windows-1252", run("\u{E9}")),
        ("shift_jis", "\u{83}\u{5C}:\u{83}\u{5C}".to_owned()),
        ("shift_jis", format!("\u{81}\u{75}http://a.b/{kana}\u{81}\u{76}{kana}<a:{kana}")),
        ("shift_jis", run("\u{83}\u{5C}")),
        ("gb18030", "\u{A1}\u{B0}http://a.b/\u{81}\u{30}\u{81}\u{30}<a:/ ".to_owned()),
        ("gb18030", run("\u{81}0")),
        ("euc-jp", run("\u{8F}")),
        ("utf-8", run("\u{80}")),
        ("utf-8", run("\u{E3}\u{81}")),
    ] {
        let work = |text: &str| {
            let bytes: Vec<u8> = text.chars().map(|c| c as u8).collect();
            let charset = Charset::named(label, &bytes).expect("a label");
            let document = Document::new("a.txt", bytes).with_charset(charset);
            black_box(document.found(&Options::default()).links.len());
        };
        let text = |len: usize| unit.repeat(len.div_ceil(unit.chars().count()));
        assert_linear_in(&format!("{label} {unit:.40}"), text, work);
    }
}
