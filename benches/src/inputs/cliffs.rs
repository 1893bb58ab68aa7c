//! Large documents, and constructs that have an effect on what follows in their languages.

use std::fmt::Write;

use super::dice::Dice;
use super::words::{Language, url};
use super::{markdown, pages, texts};

/// A document in a language.
pub(crate) struct Input {
    /// The name of the document.
    pub(crate) name: &'static str,
    /// Makes a document of about this size.
    pub(crate) text: fn(usize) -> String,
    pub(crate) constructs: &'static [&'static str],
}

pub(crate) const INPUTS: &[Input] = &[
    Input { name: "a.txt", text: prose, constructs: TEXT },
    Input { name: "a.csv", text: table, constructs: CSV },
    Input { name: "a.html", text: pages::long, constructs: HTML },
    Input { name: "a.css", text: sheet, constructs: CSS },
    Input { name: "a.xml", text: feed, constructs: XML },
    Input { name: "a.md", text: markdown::manual, constructs: MARKDOWN },
    Input { name: "a.eml", text: message, constructs: MAIL },
];

#[rustfmt::skip]
const TEXT: &[&str] = &[
    "http://a.example/", "http://a.example/(", "<http://a.example/", "\"http://a.example/", "http://[::1", "www.",
    "\u{FEFF}", "\u{1B}$B", "\u{1B}[31m", "\r", "\r\n", "\n\n\n", "\u{C}", "é", "日本", "\u{202E}", "%PDF-1.4\n",
    "From a@b.example Mon Jul 21 10:42:00 1997\n", "<!doctype html>\n", "<html>", "<?xml version=\"1.0\"?>\n", "{", "[", "(",
    "<", "`", "```\n", "'''", "\"\"\"", "/*", "data:text/plain;base64,", "mailto:", "\u{0}\u{0}",
];

#[rustfmt::skip]
const CSV: &[&str] = &[
    "\"", "\"\"", "a,\"b", ";", ";;;;;;;;\n", "\t\t\t\t\n", "|", "\r", "\r\n", "\n\n", "'", "#", "sep=;\n", "é", "日本", "\u{FEFF}",
    "\\", "\\\"", "http://a.example/,b", "\"http://a.example/\n",
];

#[rustfmt::skip]
const HTML: &[&str] = &[
    // SVG and MathML.
    "<svg>", "<svg/>", "</svg>", "<svg><g><path>", "<svg><g></svg>", "<div><svg></div>", "<svg><path></p>", "<svg><p></svg>",
    "<svg><foreignObject><div>a</div></foreignObject></svg>", "<svg><foreignObject><div>", "<svg><foreignObject><p>a<p>b</svg>",
    "<svg><foreignObject><div></foreignObject></svg>", "<svg><desc><b>a</b></desc></svg>", "<svg><title>a</title></svg>",
    "<svg><title><p>", "<svg><style>a{}</style></svg>", "<svg><script>a</script></svg>", "<svg><font color=a></svg>",
    "<svg><a href=a><p></svg>", "<svg><![CDATA[", "<svg><html manifest=a></svg>", "<foreignObject>", "</foreignObject>",
    "<math>", "</math>", "<math><mi>a</mi></math>", "<math><mi><b>a</b></mi></math>", "<math><mtext><p>", "<math><mtext><p>a</p></mtext></math>",
    "<math><annotation-xml>", "<annotation-xml>", "<math><annotation-xml encoding=text/html><p>a</p></annotation-xml></math>",
    "<math><annotation-xml><svg></svg></annotation-xml></math>", "<math><mglyph></math>",
    // Templates.
    "<template>", "</template>", "<template><p>a</template>", "<template><tr>", "<template><tr><td>a</template>",
    "<template><tr><td background=a></template>", "<template><col>", "<template><col></template>",
    "<template><form action=a></form></template>", "<template><body background=a></template>", "<template><select></template>",
    "<template><template><td></template><tr></template>", "<template><table><form action=a></template>",
    // The page.
    "<frameset>", "<frameset><frame src=a></frameset>", "<frame src=a>", "<noframes>", "<html manifest=a>", "<head profile=a>", "<body background=a>",
    "</body>", "</html>", "</head>", "<!doctype html>", "<base href=a>", "<base href=a><base href=b>", "<title>", "<meta charset=latin1>",
    // Tables, forms and formatting elements.
    "<table>", "</table>", "<table><a href=a>", "<td background=a>", "<tr>", "<caption>", "<table><select>", "<form action=a>", "</form>", "<select>",
    "<select><option><a href=a>", "<b>", "<a href=a>", "<a href=a><a href=b>", "<nobr><nobr>", "<p>", "</p>", "</br>", "<button>", "<li>",
    // Raw text, comments and damage.
    "<noscript>", "<noscript><a href=a>b</a></noscript>", "<script>", "<script><!--", "<style>", "<textarea>", "<iframe>", "<plaintext>", "<xmp>", "<!--",
    "<!-->", "<!--[if IE]>", "<![CDATA[", "<?", "</", "<", "<a href=\"", "<a href='", "&", "&#x", "<wbr>", "<iframe srcdoc='<a href=a>'></iframe>",
    "<a href=\"é\">", "<image href=a>", "<isindex>", "<listing>",
];

#[rustfmt::skip]
const CSS: &[&str] = &[
    "\"", "'", "/*", "*/", "(", ")", "{", "}", "[", ";", "url(", "url( ", "url(\"", "url(a b", "image-set(", "image-set('a'", "@import", "@import 'a'",
    "@import url(", "@namespace", "@charset \"latin1\";", "<!--", "-->", "\\", "\\26", "#url(", "é", "日本", "\u{FEFF}", "\\\n", "'\n", "expression(",
];

#[rustfmt::skip]
const XML: &[&str] = &[
    "<a>", "</a>", "</channel>", "<!--", "<![CDATA[", "<![CDATA[a]]>", "<?", "<?a?>", "<!DOCTYPE a [<!ENTITY b \"c\">]>", "&b;", "&", "&#0;", "<", "<a b=\"", "<a b='c'>",
    "<a xmlns=\"http://www.w3.org/1999/xhtml\"><b/></a>", "<svg xmlns=\"http://www.w3.org/2000/svg\">", "<a xml:base=\"b\"/>", "<a xml:base=\"b\">",
    "<a:b/>", "<a xmlns:b=\"c\">", "<description>&lt;a href=\"b\"&gt;</description>", "<description><![CDATA[<svg>]]></description>", "é", "\u{FEFF}", "]]>",
];

#[rustfmt::skip]
const MARKDOWN: &[&str] = &[
    "```\n", "~~~\n", "```", "`", "``", "$$\n", "---\n", "***\n", "===\n", "> ", "- ", "1. ", "    a\n", "[", "]", "![", "[a](", "[a](<", "[a]: b\n", "[a]:\n",
    "[^a]: b\n", "[[", "<", "<a href=b>", "<div>\n", "<div>\n\n", "<pre>\n", "<script>\n", "<!--", "<!--\n", "<?\n", "<![CDATA[\n", "<svg>\n\n", "<template>\n\n",
    "<details>\n\n", "*", "**", "_", "~~", "\\", "&amp;", "| a | b |\n|---|---|\n", "{{< a >}}", "{% raw %}\n", "{#a}", ":::a\n", "import a from 'b'\n", "http://a.example/(",
    "<http://a.example/>", "\t", "é", "\u{FEFF}", "\r\n", "<table>\n", "<svg><foreignObject><div>\n",
];

#[rustfmt::skip]
const MAIL: &[&str] = &[
    "--\n", "-- \n", "--a\n", "--a--\n", "> ", "From a\n", ">From a\n", ".\n", "Content-Type: text/html\n\n", "begin 644 a\n", "<", "<html>", "=\n", "=3D", "=C3", "\u{1B}$B",
    "http://a.example/\n", "<http://a.example/\n", "\r\n", "\r", "\n\n", "é", "日本", "+ADw-", "\u{C}",
];

fn prose(size: usize) -> String {
    texts::prose(Language::English, size)
}

fn table(size: usize) -> String {
    let mut dice = Dice::new(31);
    let mut text = "id,name,page,about\n".to_owned();
    while text.len() < size {
        let (id, url) = (dice.below(100_000), url(&mut dice));
        let _ = write!(text, "{id},name {id},{url},\"");
        Language::English.sentence(&mut dice, &mut text);
        text.push_str("\"\n");
    }
    text
}

fn sheet(size: usize) -> String {
    let mut dice = Dice::new(32);
    let mut text = "body { margin: 0 }\n".to_owned();
    while text.len() < size {
        let (class, color, image) = (dice.below(1000), dice.below(1000), dice.below(1000));
        let _ = writeln!(
            text,
            ".c{class} > a:hover, #i{class} {{ color: #{color:03}; margin: 0 auto; background: url(img/{image}.png) no-repeat }}\n\
             /* Section {class} */\n@media (min-width: {color}px) {{ .d{class} {{ content: \"x\"; width: calc(1px + 2em) }} }}"
        );
    }
    text
}

fn feed(size: usize) -> String {
    let mut dice = Dice::new(33);
    let mut text = "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel>\n".to_owned();
    while text.len() < size {
        let _ = write!(text, "<item><link>{}</link>\n<title>", url(&mut dice));
        Language::English.sentence(&mut dice, &mut text);
        text.push_str("</title>\n<description>");
        Language::English.sentence(&mut dice, &mut text);
        let _ = writeln!(
            text,
            "&lt;p&gt;&lt;a href=\"{}\"&gt;</description>\n<enclosure url=\"{}\"/></item>",
            url(&mut dice),
            url(&mut dice)
        );
    }
    text.push_str("</channel></rss>\n");
    text
}

fn message(size: usize) -> String {
    let mut text = String::from(
        "From a@a.example Mon Jul 21 10:42:00 1997\nFrom: a@a.example\nTo: b@b.example\nSubject: c\nMIME-Version: 1.0\n",
    );
    text.push_str("Content-Type: text/plain; charset=utf-8\n\n");
    text.push_str(&texts::prose(Language::English, size));
    text
}
