//! MDX: what has links, and what ends a tag, an expression or statements.

use rehref::document::Document;
use rehref::format::Options;
use rehref::format::markdown::{Dialect, Slugs};

pub(crate) fn options() -> Options {
    let mut options = Options::default();
    options.markdown.dialect = Dialect::Mdx;
    options.anchors = true;
    options
}

/// The links of a document of MDX: each with its element and attribute, or with how it is written.
fn found(text: &str) -> Vec<(String, String)> {
    let document = Document::new("a.mdx", text.as_bytes().to_vec());
    let links = document.links_with(&options());
    let found = links.iter().map(|link| {
        let place = link.place();
        let name = match place.markup() {
            Some(markup) => format!("{} {}", markup.element, markup.attribute),
            None => place.cue().unwrap_or_default().to_owned(),
        };
        let spans = link.spans();
        let source = text[spans[0].range()].replace('\\', "");
        assert_eq!(source, link.reference(), "{text}");
        (link.reference().to_owned(), name)
    });
    found.collect()
}

#[track_caller]
fn assert_found(text: &str, expected: &[(&str, &str)]) {
    let found = found(text);
    let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (&**a, &**b)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn statements_have_paths() {
    assert_found(
        "import A from './a';\nimport {B} from \"@site/src/b\"\nimport './c.css'\nimport D from 'no'\nexport {e} from '../e'\n\
        export * from './f'\nexport const g = import('./g'), h = require(\"./h\").default\n",
        &[
            ("./a", "import"),
            ("@site/src/b", "import"),
            ("./c.css", "import"),
            ("../e", "import"),
            ("./f", "import"),
            ("./g", "import"),
            ("./h", "require"),
        ],
    );
}

#[test]
fn statements_have_several_lines_in_brackets() {
    assert_found(
        "import {\n  a,\n\n  b, // './no'\n} from './x.mdx'\n\nexport const C = () => {\n  /* './no' */\n\n  return <Link to=\"/c\">don't</Link>\n}\n\n[d](d)\n",
        &[("./x.mdx", "import"), ("/c", "Link to"), ("d", "inline")],
    );
}

#[test]
fn statements_end_at_blank_lines_and_begin_lines() {
    assert_found(
        "import a from './a'\n[no](no)\n\n[b](b)\nimport c from './no'\n\n> import d from './no'\n\n import e from './no'\n\n```js\nimport f from './no'\n```\nexport const g = (\n\n[h](h)\n",
        &[("./a", "import"), ("b", "inline"), ("h", "inline")],
    );
}

#[test]
fn loaders_and_queries_are_no_part_of_a_path() {
    assert_found(
        "import a from '!!raw-loader!./a.js'\nimport b from \"-!svg-loader?x!@site/b.svg\"\nimport c from './c.md?raw'\nimport d from '!!raw-loader!d'\n\
        import e from './\\_e.md'\nimport f from './no\\n.md'\n",
        &[
            ("./a.js", "import"),
            ("@site/b.svg", "import"),
            ("./c.md", "import"),
            ("./_e.md", "import"),
        ],
    );
}

#[test]
fn attributes_have_links() {
    assert_found(
        "<Link to=\"/docs/x\">a</Link> <a href='./b.md'>b</a> <img src={\"./c.png\"} /> <Foo src={'./d'} href={ `./e` } />\n\
        <img srcSet=\"f 1x, g 2x\" src={`./${no}`} alt=\"no\" /> <Foo.Bar href=\"h.md#x\" to=\"no\" image=\"no\" srcSet=\"i 2x\" />\n\
        <Foo to=\"/j\" {...{href: 'no'}} href={no} /> <video poster=\"k\" /> <A href=\"http://l/\" src=\"no\"/><Link href=\"m\"/>\n",
        &[
            ("/docs/x", "Link to"),
            ("./b.md", "a href"),
            ("./c.png", "img src"),
            ("./d", "Foo src"),
            ("./e", "Foo href"),
            ("f", "img srcset"),
            ("g", "img srcset"),
            ("h.md#x", "Foo.Bar href"),
            ("i", "Foo.Bar srcSet"),
            ("/j", "Foo to"),
            ("k", "video poster"),
            ("http://l/", "A href"),
            ("m", "Link href"),
        ],
    );
}

#[test]
fn expressions_have_paths_and_tags_and_no_markdown() {
    assert_found(
        "<img src={require('./a.png').default} /> {require(\"../b.json\").x} [c](c) {`[no](no)`} {'http://no.example'}\n\n\
        {cond && <a href=\"d\">[no](no), it's {i <n ? <B href=\"/e\"/> : '}'}</a>}\n\n{\n\n[no](no)\n\n}\n\n<A b={<C href=\"/f\" />} href=\"/g\" />\n\n\
        <img src={useBaseUrl('/h.png')} alt={useBaseUrl('no')} />\n",
        &[
            ("./a.png", "require"),
            ("../b.json", "require"),
            ("c", "inline"),
            ("d", "a href"),
            ("/e", "B href"),
            ("/f", "C href"),
            ("/g", "A href"),
            ("/h.png", "img src"),
        ],
    );
}

#[test]
fn comments_have_no_links() {
    assert_found(
        "{/* <a href=\"no\"> [no](no) */}\n\na {/* [no](no) } */} [a](a)\n\n<!-- [no](no)\n\n[no](no) --> \n[b](b)\n\n<!-- no --> [c](c)\n<A /* > href=\"no\" */ href=\"/d\" // >\n />\n",
        &[("a", "inline"), ("b", "inline"), ("c", "inline"), ("/d", "A href")],
    );
}

#[test]
fn tags_have_several_lines() {
    assert_found(
        "<Card\n  href=\"./a\"\n  title=\"a > b\"\n\n  x={() => {\n\n  }}\n>\n  # [b](b)\n</Card>\n\n- <A\n    href=\"/c\"\n  />\n\n> <A\n>   x\n> href=\"#d\"\n> >\n> [e](e)\n> </A>\n",
        &[
            ("./a", "Card href"),
            ("b", "inline"),
            ("/c", "A href"),
            ("#d", "A href"),
            ("e", "inline"),
        ],
    );
}

#[test]
fn what_is_between_tags_is_markdown_whatever_its_indent() {
    assert_found(
        "<Tabs>\n  <Tab>\n\n      [a](a)\n\n      ```\n      [no](no)\n      ```\n\n      > [b](b)\n\n      -     [c](c)\n\n  </Tab>\n</Tabs>\n<div>\n[d](d)\n</div>\n\ntext\n<div>\n# [e](e)\n</div>\n<table>\n<tr><td>[f](f)</td></tr>\n",
        &["a", "b", "c", "d", "e", "f"].map(|it| (it, "inline")),
    );
}

#[test]
fn what_is_invalid_is_read_as_markdown() {
    assert_found(
        "{ [a](a)\n\n<img src=b.png> [c](c)\n\n<A href=\"d\n\n\\{ [e](e) \\<b href=\"no\"/>\n\n2 < 3 [f](f) } <https://g.example> {unclosed\n",
        &[
            ("a", "inline"),
            ("b.png", "img src"),
            ("c", "inline"),
            ("e", "inline"),
            ("f", "inline"),
            ("https://g.example", "angle"),
        ],
    );
}

#[test]
fn ids_of_headings_are_no_expressions() {
    let mut options = options();
    options.markdown.slugs = Slugs::Docusaurus;
    let text = "## One {#first}\n\n## <b>T</b>wo {x}\n\n<a id=\"three\" />\n\n<Step id='four' />\n";
    let document = Document::new("a.mdx", text.as_bytes().to_vec());
    let links = document.links_with(&options);
    let mut ids: Vec<&str> = links.anchors().collect();
    ids.sort_unstable();
    assert_eq!(ids, ["first", "four", "three", "two-x"]);
}
