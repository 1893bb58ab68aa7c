//! Wild soup: pages of markup that a tree builder drops, moves, copies or reads as another
//! language, nested as such markup nests, and then damaged.
//!
//! It matters which tags count and what they are, so nearly every tag has a link: in an attribute
//! of its own, or in `xlink:href`, which is a link on tags of SVG and MathML. Values are numbered,
//! so that a failure names its tag.

use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Ordinary elements of HTML, with their link attributes.
const FLOW: [&str; 67] = strings![
    "a href=@" "a href=@" "a href=@" "a href=@ ping='@ @'" "area href=@"
    "applet code=@ archive=@,@" "audio src=@" "base href=@" "base href=@" "base" "bgsound src=@"
    "blockquote cite=@" "br" "button formaction=@" "center" "dd" "del cite=@" "details" "dialog"
    "div" "dl" "dt" "embed src=@" "fieldset" "figure" "form action=@" "form action=@" "h1" "h2"
    "hr" "image src=@" "img src=@" "img src=@ srcset='@ 1x, @'" "input src=@"
    "input src=@ type=hidden" "ins cite=@" "isindex action=@" "keygen" "layer src=@" "li"
    "link href=@" "listing" "main" "marquee" "menuitem icon=@"
    "meta http-equiv=refresh content='0;url=@'"
    "meta http-equiv=content-type content='text/html; charset'" "object data=@ codebase=@" "ol" "p"
    "param name=src value=@" "pre" "q cite=@" "rb" "rp" "rt" "rtc" "ruby" "search" "section"
    "source src=@" "span" "summary" "track src=@" "ul" "video src=@ poster=@" "wbr"
];

/// Elements that are copied into later elements. Their attributes may be equal.
const FORMATTING: [&str; 18] = [
    "b", "b", "i", "em class=c", "font", "font color=r", "font size=1", "font size=2",
    "font face=f", "nobr", "s", "strong class=c", "strong class=d", "tt", "u", "big", "code",
    "a href=same",
];

/// Elements of the page structure.
const PAGE: [&str; 9] = [
    "html manifest=@", "html manifest=@ profile=@", "head profile=@", "body background=@",
    "body background=@", "frameset", "frameset background=@", "frame src=@",
    "frame src=@ longdesc=@",
];

const TABLE: [&str; 10] = [
    "table background=@", "thead background=@", "tbody background=@", "tfoot background=@",
    "tr background=@", "td background=@", "th background=@", "caption", "col", "colgroup",
];

const SELECT: [&str; 7] =
    ["select", "select multiple", "option", "optgroup", "selectedcontent", "datalist", "hr"];

/// Elements whose content may be raw text.
const RAW: [&str; 13] = [
    "script src=@", "style", "title", "textarea", "xmp", "iframe src=@", "noembed", "noframes",
    "noscript", "noscript", "option", "template", "listing",
];

const SVG: [&str; 27] = strings![
    "a href=@" "a href=@" "path" "g" "g" "use href=@" "use" "image href=@" "script href=@" "style"
    "title" "title" "desc" "foreignObject" "FOREIGNOBJECT" "linearGradient href=@" "feImage href=@"
    "textPath href=@" "set href=@" "circle" "defs" "symbol" "svg" "font" "metadata" "base href=@"
    "annotation-xml encoding=text/html"
];

/// Those that are not raw text in HTML. An unclosed raw text element would be the rest of the page.
const DRAWING: [&str; 14] = [
    "a href=@", "path", "g", "use href=@", "use", "image href=@", "desc", "foreignObject",
    "linearGradient href=@", "feImage href=@", "textPath href=@", "set href=@", "svg", "font",
];

const MATH: [&str; 17] = strings![
    "mi" "mo" "mn" "ms" "mtext" "mrow" "mfrac" "semantics" "annotation" "annotation-xml"
    "annotation-xml encoding=text/html" "annotation-xml encoding='application/XHTML+xml'"
    "annotation-xml encoding=image/svg+xml" "mglyph" "malignmark" "math" "title"
];

const TEXTS: [&str; 15] = [
    "text", " ", "\n", "\0", "é", "&amp;", "&#32;", "&#10;x", "&#0;", "x ", "\r\n", " \0x",
    "&Tab;", "<", "&",
];

/// Damage to pages.
const SPOILERS: [&str; 32] = [
    "-->", "<!---->", "<!--x--!>", "<!doctype html>", "<!doctype x>", "]]>", "<![CDATA[x]]>",
    "<![CDATA[<a href=@>]]>", "<![CDATA[>]]>", "<?x?>", "</>", "</ x>", "<", ">", "/>", "\0",
    "<\0>", "<z\0 xlink:href=@>", "<zé xlink:href=@>", "</script>", "</style>", "</title>",
    "</noscript>", "</textarea>", "<svg>", "<math>", "<template>", "<table>", "<select>", "</p>",
    "</br>", "</body></html>",
];

/// Damage after which little of a page is left.
const ENDERS: [&str; 12] = [
    "<!--", "<!-->", "<![CDATA[", "<a href='", "<a href=\"", "<a ", "'", "\"", "<plaintext>",
    "<script>", "<title>", "<frameset>",
];

/// A start tag of one of these.
fn start(names: &'static [&'static str]) -> BoxedStrategy<String> {
    let tags = (select(names), 0..20u8).prop_map(|(tag, how)| match how {
        0 => format!("<{tag} />"),
        1..=2 => format!("<{tag}>"),
        3..=4 => format!("<{tag} id=@>"),
        5 => format!("<{} HREF=@ src=@>", tag.to_ascii_uppercase()),
        6..=10 => format!("<{tag} xlink:href=@>"),
        11 => format!("<{} name=@ id=\"@\">", quoted(tag)),
        12 => format!("<{}/>", quoted(tag)),
        13 => format!("<{} id=\"a>b\"  class=\"<c\">", quoted(tag)),
        14 => format!("<{} open>", quoted(tag)),
        15 => format!("<{}\nxlink:href=\"@\" />", quoted(tag)),
        _ => format!("<{}>", quoted(tag)),
    });
    tags.boxed()
}

/// The tag with its values in double quotes, as usual.
fn quoted(tag: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    let mut is_value = false;
    for character in tag.chars() {
        match character {
            '=' if !is_value => {
                is_value = true;
                out.push_str("=\"");
            }
            '\'' if is_value => quote = quote.xor(Some(())),
            ' ' if is_value && quote.is_none() => {
                is_value = false;
                out.push_str("\" ");
            }
            _ => out.push(character),
        }
    }
    out + if is_value { "\"" } else { "" }
}

/// A start tag of a formatting element, mostly without a number, because it matters which are
/// equal.
fn formatting() -> BoxedStrategy<String> {
    let equal = select(&FORMATTING[..]).prop_map(|tag| format!("<{tag}>"));
    prop_oneof![5 => equal, 1 => start(&FORMATTING)].boxed()
}

/// An end tag of one of these.
fn end(names: &'static [&'static str]) -> BoxedStrategy<String> {
    let tags = select(names).prop_map(|tag| format!("</{}>", name(tag)));
    tags.boxed()
}

/// A start tag with this name, or something similar to one.
fn name(tag: &str) -> &str {
    let tag = tag.trim_start_matches('<');
    tag.split([' ', '>']).next().unwrap_or_default()
}

fn any_start() -> impl Strategy<Value = String> {
    prop_oneof![
        10 => start(&FLOW),
        10 => formatting(),
        10 => start(&TABLE),
        10 => start(&SELECT),
        10 => start(&DRAWING),
        10 => start(&MATH[..16]),
        3 => start(&PAGE),
        1 => start(&RAW),
        1 => start(&SVG),
    ]
}

fn any_end() -> impl Strategy<Value = String> {
    prop_oneof![
        end(&FLOW),
        end(&FORMATTING),
        end(&TABLE),
        end(&SELECT),
        end(&RAW),
        end(&SVG),
        end(&MATH),
        end(&PAGE),
    ]
}

fn text() -> impl Strategy<Value = String> {
    select(&TEXTS[..]).prop_map(str::to_owned)
}

/// An element around what `inner` gives, sometimes unclosed, or closed by another end tag.
fn around(
    start: BoxedStrategy<String>,
    inner: impl Strategy<Value = String> + 'static,
) -> BoxedStrategy<String> {
    let pieces = prop::collection::vec(inner, 0..6);
    (start, pieces, 0..12u8)
        .prop_map(|(start, pieces, how)| {
            let name = name(&start).to_owned();
            let inner = pieces.concat();
            match how {
                // Raw text would be the rest of the page.
                0 if !RAW.iter().any(|raw| self::name(raw) == name) => format!("{start}{inner}"),
                1 => format!("{inner}</{name}>"),
                2 => format!("{start}{inner}</{name}/x=@ >"),
                _ => format!("{start}{inner}</{name}>"),
            }
        })
        .boxed()
}

fn piece() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        6 => start(&FLOW),
        2 => formatting(),
        1 => end(&FORMATTING),
        1 => end(&FLOW),
        3 => text(),
        2 => any_start(),
        1 => any_end(),
        1 => select(&SPOILERS[..]).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(5, 48, 6, |inner| {
        let svg_leaf = prop_oneof![4 => start(&DRAWING), 1 => end(&SVG), 1 => text()];
        let svg_part = prop_oneof![4 => around(start(&SVG), svg_leaf), 1 => inner.clone()];
        let math_leaf = prop_oneof![4 => start(&MATH[..16]), 1 => end(&MATH), 1 => inner.clone()];
        let math_part = prop_oneof![4 => around(start(&MATH), math_leaf), 1 => inner.clone()];
        let cell = around(start(&["td background=@", "th background=@"]), inner.clone());
        let row = around(start(&["tr background=@"]), prop_oneof![6 => cell, 1 => inner.clone()]).boxed();
        let part = prop_oneof![
            3 => row.clone(),
            3 => around(start(&["tbody background=@", "thead", "tfoot"]), row),
            1 => around(start(&["caption", "colgroup"]), inner.clone()),
            1 => inner.clone(),
            1 => start(&TABLE),
            1 => start(&["base href=@"]),
        ];
        let option = around(start(&SELECT), prop_oneof![inner.clone(), start(&SELECT)]);
        let frame = prop_oneof![3 => start(&PAGE), 1 => end(&PAGE), 1 => inner.clone()];
        prop_oneof![
            6 => around(start(&FLOW), inner.clone()),
            4 => around(formatting(), inner.clone()),
            4 => around(start(&["svg", "svg", "SVG href=@"]), svg_part),
            3 => around(start(&["math"]), math_part),
            5 => around(start(&["table background=@"]), part),
            2 => around(start(&["select", "select multiple", "datalist"]), option),
            3 => around(start(&["template", "template", "template shadowrootmode=open"]), inner.clone()),
            2 => around(start(&RAW), inner.clone()),
            1 => around(start(&PAGE), inner.clone()),
            1 => around(start(&["frameset"]), frame),
            // Misnested elements.
            2 => (formatting(), start(&FLOW), inner.clone()).prop_map(|(outer, within, piece)| {
                format!("{outer}{within}{piece}</{}>{piece}", name(&outer))
            }),
            // Deep nesting.
            1 => (any_start(), 2..30usize, inner, any_end(), 0..30usize).prop_map(
                |(start, depth, piece, end, up)| start.repeat(depth) + &piece + &end.repeat(up)
            ),
        ]
    })
}

/// Pages of wild soup.
pub(crate) fn wild_soup() -> impl Strategy<Value = String> {
    let prologue = select(
        &strings![
            "" "" "" "<!doctype html>" "<!doctype html><html manifest=@><head profile=@>"
            "<title>x</title>" "<head><noscript><link href=@>" "<html><head><base href=@></head>"
            "<table><tr><td><base href=@></td></tr><base href=@>"
            "<link href=@><body background=@>" "<head></head>" "<frameset>"
            "<!doctype html><table>" "<svg>" "<template>"
        ][..],
    );
    let pieces = prop::collection::vec(piece(), 1..8);
    let spoilt = prop::collection::vec(
        (any::<Index>(), prop_oneof![3 => select(&SPOILERS[..]), 1 => select(&ENDERS[..])]),
        0..3,
    );
    // The lexer looks 4 KiB ahead; sometimes its first look ends within a construct.
    let blank = prop_oneof![15 => Just(0), 1 => 3800..4097usize];
    (prologue, pieces, spoilt, 0..4u8, any::<Index>(), 0..5u8, blank).prop_map(
        |(prologue, pieces, spoilt, spoils, cut, cuts, blank)| {
            let mut page = "\n".repeat(blank) + prologue + &pieces.concat();
            for (at, spoiler) in spoilt.into_iter().filter(|_| spoils == 0) {
                let at = boundary(&page, at);
                page.insert_str(at, spoiler);
            }
            if cuts == 0 {
                page.truncate(boundary(&page, cut));
            }
            numbered(&page)
        },
    )
}

/// An offset between two characters of the page.
fn boundary(page: &str, at: Index) -> usize {
    let at = at.index(page.len() + 1);
    (0..=at).rev().find(|&at| page.is_char_boundary(at)).unwrap_or(0)
}

/// The page with numbers for the values.
fn numbered(page: &str) -> String {
    let mut out = String::with_capacity(page.len());
    for (number, piece) in page.split('@').enumerate() {
        if number > 0 {
            out.push_str(&number.to_string());
        }
        out.push_str(piece);
    }
    out
}
