//! Generated HTML pages, and sites of them.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;

use super::dice::Dice;
use super::words::{Language, url};

/// An icon, as pages repeat it.
const ICON: &str = "<svg class=\"icon\" viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path d=\"M12 2L2 7l10 5 10-5-10-5z\"/><use xlink:href=\"#i\"/></svg>";

/// Pages of about 20 kB until there are `size` bytes, with or without SVG.
pub(crate) fn pages(size: usize, has_svg: bool) -> Vec<String> {
    let mut dice = Dice::new(21);
    let (mut pages, mut total) = (Vec::new(), 0);
    while total < size {
        let page =
            page(&mut dice, 9, if has_svg { ICON } else { "" }, &mut |dice| match dice.below(4) {
                0 => url(dice),
                1 => format!("../{}/#s{}", dice.below(100), dice.below(9)),
                2 => format!("#s{}", dice.below(9)),
                _ => format!("page{}.html", dice.below(1000)),
            });
        total += page.len();
        pages.push(page);
    }
    pages
}

/// One page of about `size` bytes, with SVG.
pub(crate) fn long(size: usize) -> String {
    const MAIN: &str = "<main>\n";
    const END: &str = "</main>\n";
    let pages = pages(size, true);
    let mut long = String::with_capacity(size + 24_000);
    for (number, page) in pages.iter().enumerate() {
        let start = page.find(MAIN).filter(|_| number > 0).unwrap_or(0);
        let end = page.find(END).map_or(page.len(), |end| end + END.len());
        long.push_str(&page[start..end]);
    }
    long.push_str("</body>\n</html>\n");
    long
}

/// A page of mail.
pub(crate) fn small(dice: &mut Dice) -> String {
    let mut page = "<!DOCTYPE html>\n<html><body>\n".to_owned();
    for _ in 0..2 + dice.below(6) {
        page.push_str("<p style=\"margin:0\">");
        Language::Western.sentence(dice, &mut page);
        let _ = writeln!(page, " <a href=\"{}\">here</a>.</p>", url(dice));
    }
    page.push_str("</body></html>\n");
    page
}

/// A page with a head, a menu, sections from `s0` on, a table and a footer.
fn page(
    dice: &mut Dice,
    sections: usize,
    icon: &str,
    link: &mut dyn FnMut(&mut Dice) -> String,
) -> String {
    let mut page = String::with_capacity(24_000);
    page.push_str(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>A page</title>\n\
         <script>var a = \"<a href='no'>\"; for (var i = 0; i < 9; i++) { a += i; }</script>\n\
         <style>body { margin: 0 } .icon { width: 1em }</style>\n</head>\n<body class=\"page\">\n<nav><ul>\n",
    );
    for at in 0..20 {
        let _ = writeln!(
            page,
            "<li class=\"item level-{at}\" id=\"menu-{at}\" data-index=\"{at}\"><a class=\"link\" href=\"{}\">{icon}Item {at}</a></li>",
            link(dice)
        );
    }
    page.push_str("</ul></nav>\n<main>\n<!-- The text begins here. -->\n");
    for section in 0..sections {
        let _ = writeln!(page, "<h2 id=\"s{section}\">Section {section}</h2>");
        for _ in 0..4 {
            page.push_str("<p>");
            for _ in 0..4 {
                Language::English.sentence(dice, &mut page);
                page.push_str(" &amp; <em>");
                page.push_str(dice.pick(&["this", "that", "these"]));
                page.push_str("</em>. ");
            }
            let _ = writeln!(page, "<a href=\"{}\" title=\"More\">{icon}more</a></p>", link(dice));
        }
        let _ = writeln!(page, "<pre><code>if a &lt; {section} {{ b::c() }}</code></pre>");
    }
    page.push_str("<table class=\"t\">\n");
    for row in 0..12 {
        let _ = writeln!(
            page,
            "<tr><td>{row}</td><td align=right>{}</td><td><a href='{}'>row</a></td></tr>",
            dice.below(1000),
            link(dice)
        );
    }
    page.push_str("</table>\n</main>\n<footer><p>The end.</p></footer>\n</body>\n</html>\n");
    page
}

/// One page with a link every 150 bytes.
pub(crate) fn page_of_links(size: usize) -> String {
    let mut dice = Dice::new(22);
    let mut page = String::with_capacity(size + 256);
    page.push_str("<!DOCTYPE html>\n<title>Links</title>\n");
    while page.len() < size {
        let start = page.len();
        let (a, b) = (dice.below(100_000), dice.below(1000));
        let _ = write!(page, "<p><a href=\"../d{b}/page{a}.html#s1\">link</a> ");
        while page.len() < start + 144 {
            page.push_str(dice.pick(&["word ", "and ", "more ", "text "]));
        }
        page.push_str("</p>\n");
    }
    page
}

/// The number of pages of a generated site for each broken link.
const BROKEN_EVERY: usize = 20;

/// Writes a site of `count` pages that link to each other. Returns how many links are broken.
pub(crate) fn site(directory: &Path, count: usize) -> io::Result<usize> {
    site_of(directory, count, 9)
}

/// Like [`site`], with pages of 7 kB.
pub(crate) fn site_of_small(directory: &Path, count: usize) -> io::Result<usize> {
    site_of(directory, count, 2)
}

fn site_of(directory: &Path, count: usize, sections: usize) -> io::Result<usize> {
    let mut dice = Dice::new(23);
    let mut broken = 0;
    for number in 0..count {
        let mut page = page(&mut dice, sections, "", &mut |dice| {
            let other = dice.below(count);
            format!("../d{}/p{other}.html#s{}", other % 50, dice.below(9))
        });
        if number % BROKEN_EVERY == 0 {
            broken += 1;
            let _ = write!(page, "<a href=\"absent{number}.html\">broken</a>");
        }
        let parent = directory.join(format!("d{}", number % 50));
        fs::create_dir_all(&parent)?;
        fs::write(parent.join(format!("p{number}.html")), page)?;
    }
    Ok(broken)
}
