//! Documents of Word.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::dice::Dice;
use super::words::ENGLISH;

/// The number of links of a document.
const LINKS: usize = 20;

/// The number of styles. Their part inflates to about 800,000 bytes, as those of usual templates do.
const STYLES: usize = 2_000;

/// A document of Word with links, which is the same for each seed.
pub(crate) fn document(seed: u64) -> Vec<u8> {
    let dice = &mut Dice::new(seed);
    let (mut text, mut links) = (String::new(), String::new());
    for number in 0..LINKS {
        let words: Vec<_> = (0..25).map(|_| dice.pick(ENGLISH)).collect();
        text += &format!(
            "<w:p><w:r><w:t>{}</w:t></w:r><w:hyperlink r:id=\"r{number}\"><w:r><w:t>a</w:t></w:r></w:hyperlink></w:p>",
            words.join(" ")
        );
        links += &format!(
            "<Relationship Id=\"r{number}\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink\" \
             Target=\"http://old.example/page{}.html\" TargetMode=\"External\"/>",
            dice.below(1_000_000)
        );
    }
    let styles: String = (0..STYLES).map(|_| style(dice)).collect();
    let word = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" \
                xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"";
    let parts = [
        ("[Content_Types].xml", "<Types/>".to_owned()),
        ("word/document.xml", format!("<w:document {word}><w:body>{text}</w:body></w:document>")),
        (
            "word/_rels/document.xml.rels",
            format!(
                "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{links}</Relationships>"
            ),
        ),
        ("word/styles.xml", format!("<w:styles {word}>{styles}</w:styles>")),
    ];
    let mut package = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        package.start_file(name, SimpleFileOptions::default()).expect("a name");
        package.write_all(content.as_bytes()).expect("memory");
    }
    package.finish().expect("memory").into_inner()
}

fn style(dice: &mut Dice) -> String {
    let size = dice.pick(&[20, 22, 24, 28, 36]);
    format!(
        "<w:style w:type=\"paragraph\" w:styleId=\"Style{}\"><w:name w:val=\"{}\"/><w:basedOn w:val=\"Normal\"/>\
         <w:uiPriority w:val=\"99\"/><w:pPr><w:spacing w:before=\"120\" w:after=\"240\" w:line=\"276\" w:lineRule=\"auto\"/>\
         <w:ind w:left=\"720\" w:hanging=\"360\"/></w:pPr><w:rPr><w:rFonts w:asciiTheme=\"majorHAnsi\" w:hAnsiTheme=\"majorHAnsi\"/>\
         <w:b/><w:sz w:val=\"{size}\"/><w:szCs w:val=\"{size}\"/></w:rPr></w:style>",
        dice.below(100),
        dice.pick(ENGLISH)
    )
}
