//! Tag soup: pages of random tags and text in which a tree builder drops nothing and moves nothing
//! out of HTML, so that the links of the DOM are those of the tags. [`wild`] has all other pages.

mod wild;

use proptest::prelude::*;

pub(crate) use wild::wild_soup;

/// Elements that a tree builder never drops or moves out of HTML.
const ELEMENTS: [&str; 45] = [
    "a", "A", "area", "applet", "audio", "b", "base", "bgsound", "blockquote", "br", "button",
    "center", "command", "del", "div", "em", "embed", "font", "h1", "hr", "i", "ilayer", "image",
    "img", "IMG", "input", "ins", "isindex", "layer", "li", "link", "menuitem", "meta", "noscript",
    "object", "p", "param", "pre", "q", "source", "span", "template", "track", "ul", "video",
];

/// Elements with their link attributes. A randomly picked attribute rarely belongs to its element.
const LINKS: [(&str, &str); 28] = [
    ("a", "href"),
    ("A", "hreF"),
    ("a", "ping"),
    ("area", "href"),
    ("img", "src"),
    ("img", "srcset"),
    ("image", "SRC"),
    ("image", "longdesc"),
    ("source", "srcset"),
    ("link", "href"),
    ("link", "imagesrcset"),
    ("base", "href"),
    ("blockquote", "cite"),
    ("q", "cite"),
    ("object", "data"),
    ("object", "codebase"),
    ("object", "archive"),
    ("applet", "archive"),
    ("input", "formaction"),
    ("video", "poster"),
    ("embed", "pluginspage"),
    ("track", "src"),
    ("layer", "background"),
    ("isindex", "action"),
    ("menuitem", "icon"),
    ("meta", "http-equiv=refresh content"),
    ("meta", "content='0;u' HTTP-EQUIV=Refresh content"),
    ("param", "name=Movie value"),
];

/// Elements whose content is raw text.
const RAW: [&str; 9] =
    ["iframe", "noembed", "noframes", "script", "Script", "style", "textarea", "title", "xmp"];

const ATTRIBUTES: [&str; 39] = [
    "id", "ID", "Name", "href", "HREF", "src", "Src", "srcset", "imagesrcset", "action", "archive",
    "cite", "classid", "code", "codebase", "content", "data", "dynsrc", "formaction", "http-equiv",
    "icon", "longdesc", "lowsrc", "name", "object", "ping", "pluginspage", "poster", "background",
    "usemap", "value", "valuetype", "xlink:href", "manifest", "profile", "class", "hre", "hrefs",
    "data-src",
];

const VALUES: [&str; 41] = [
    "a (b, c", "d, e),f ", "5;url='g", "a", "b/c", "http://h/", "?x=1", "&amp;", "&copy", "&copy;",
    "&notit;", "&lt", "&#47;", "&#x3A", "&#0;", "&NewLine;", "&", "=", ",", ", ", " ", "\t", "\n",
    "\r\n", "1x", " 2x,", "(", ")", "refresh", "0;url=", "5 ,", ".", "url", "ref", "movie", "é",
    "\0", "/", "\x0C", "&#13;", "&gt",
];

/// Damage to tags and text. No two pieces form a tag of the elements that are left out above.
const SPOILERS: [&str; 44] = [
    "text", "&amp;", "<", ">", "\"", "'", "=", "/", "\0", "\r", " ", "<!--", "-->", "--!>", "-",
    "--", "<!-->", "<!--->", "<!", "<?", "<?z?>", "</", "</>", "</ z>", "<z", "<z\0>", "<zé>",
    "<![CDATA[", "]]>", "<!doctype z \">", "</script>", "</SCRIPT ", "<script>", "<!-- <script>",
    "</title>", "</style/", "</scriptz>", "<a href=", "<img src='", "<a href=\"", "</textarea>",
    "</a href=z>", "<a/href=z/>", "</template>",
];

fn value() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&VALUES[..]), 0..6).prop_map(|it| it.concat())
}

/// An attribute with this name, with any quotes.
fn attribute(name: impl Strategy<Value = &'static str>) -> impl Strategy<Value = String> {
    let space = prop::sample::select(vec![" ", " ", "\n", "/", "\t ", "\x0C", "\r\n", ""]);
    let equals = prop::sample::select(vec!["=", "=", "=", " = ", "=\n", "\t="]);
    (space, name, equals, value(), 0..7).prop_map(|(space, name, equals, value, quoting)| {
        match quoting {
            0 => format!("{space}{name}"),
            1 | 2 => format!("{space}{name}{equals}'{value}'"),
            3 => {
                let value = value.replace(|it: char| it.is_ascii_whitespace(), "");
                format!("{space}{name}{equals}{value}")
            }
            _ => format!("{space}{name}{equals}\"{value}\""),
        }
    })
}

fn attributes() -> impl Strategy<Value = String> {
    prop::collection::vec(attribute(prop::sample::select(&ATTRIBUTES[..])), 0..3)
        .prop_map(|it| it.concat())
}

/// Pages of tag soup.
pub(crate) fn soup() -> impl Strategy<Value = String> {
    let end = || prop::sample::select(vec![">", ">", ">", "/>", " >", " / >"]);
    let start = (prop::sample::select(&ELEMENTS[..]), attributes(), end())
        .prop_map(|(name, attributes, end)| format!("<{name}{attributes}{end}"));
    let link = prop::sample::select(&LINKS[..])
        .prop_flat_map(move |(name, link)| (Just(name), attribute(Just(link)), attributes(), end()))
        .prop_map(|(name, link, others, end)| format!("<{name} {link}{others}{end}"));
    let raw = (prop::sample::select(&RAW[..]), attributes(), value(), 0..5).prop_map(
        |(name, attributes, text, closed)| {
            let close = if closed > 0 { "</" } else { "" };
            format!("<{name}{attributes}><a href='{text}'>{close}{name}>")
        },
    );
    let close = prop::sample::select(&ELEMENTS[..]).prop_map(|name| format!("</{name}>"));
    let spoiler = prop::sample::select(&SPOILERS[..]).prop_map(str::to_owned);
    let piece = prop_oneof![2 => start, 12 => link, 1 => raw, 2 => close, 2 => spoiler];
    let pieces = prop::collection::vec(piece, 1..24);
    (pieces, any::<prop::sample::Index>(), 0..4).prop_map(|(pieces, cut, cuts)| {
        let mut page = pieces.concat();
        if cuts == 0 {
            let ends: Vec<usize> = page.char_indices().map(|(at, _)| at).collect();
            page.truncate(*cut.get(&ends));
        }
        page
    })
}
