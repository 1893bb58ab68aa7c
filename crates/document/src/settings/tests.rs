//! Settings in the spellings of their syntaxes.

use super::*;

/// Adds a tree to `out`, as JSON without quotes. With the text that it is read from, scalars are
/// followed by the bytes that spell them, if these differ.
fn add(setting: &Setting, text: Option<&str>, out: &mut String) {
    match setting {
        Setting::Null => out.push_str("null"),
        Setting::Text(value, span) => {
            out.push_str(value);
            let spelled = text.map(|it| &it[span.range()]);
            if let Some(spelled) = spelled.filter(|it| it != value) {
                out.push_str(&format!("<{spelled}>"));
            }
        }
        Setting::List(items) => {
            out.push('[');
            for item in items {
                add(item, text, out);
                out.push(',');
            }
            out.push(']');
        }
        Setting::Table(table) => {
            out.push('{');
            for (key, value) in table {
                out.push_str(&format!("{key}:"));
                add(value, text, out);
                out.push(',');
            }
            out.push('}');
        }
    }
}

fn shown(text: &str, syntax: Syntax) -> String {
    let mut out = String::new();
    add(&read(text, syntax), Some(text), &mut out);
    out
}

#[test]
fn a_scalar_of_yaml_has_many_spellings() {
    for text in [
        "dir: text",
        "\u{feff}dir: text\n",
        "dir: text\r\n",
        "# a\n\n---\ndir:\ttext # b\n...\n",
        "--- # a\ndir: text\n---\ndir: no\n",
        "%YAML 1.2\n---\ndir: text\n",
        "'dir': 'text'",
        "\"dir\" : \"text\" # b",
        "\"d\\x69r\": text",
        "? dir\n: text\n",
        "dir:\n  text\n",
        "dir: &d text",
        "dir: !!str text",
        "dir: !t text",
        "dir: &d !<tag:yaml.org,2002:str> text",
        "dir: !ENV [NAME, text]",
        "dir: !ENV\n- NAME\n- OTHER\n- text\n",
        "{dir: text}",
        "{\"dir\":\"text\"}",
        "{\n\tdir: text,\n}\n",
        "dir: >-\n  text\n",
        "dir: |-\n  text\n",
        "dir: no\ndir: text",
        "&k dir: text",
        "<<: {dir: text}",
        "<<: [{dir: text}, {dir: no}]",
        "dir: text\n<<: {dir: no}",
        "<<: {dir: no}\ndir: text",
    ] {
        assert_eq!(shown(text, Syntax::Yaml), "{dir:text,}", "{text:?}");
    }
    for (text, value) in [
        ("dir: \"te\\x78t\\/\\u00e9\\\n  \\ b\"", "text/é b<te\\x78t\\/\\u00e9\\\n  \\ b>"),
        ("dir: 'it''s'", "it's<it''s>"),
        ("dir: a\n  b\n\n  c", "a b\nc<a\n  b\n\n  c>"),
        ("dir: \"a\n  b\"", "a b<a\n  b>"),
        ("dir: |\n  a\n  b\n", "a\nb\n<a\n  b>"),
        ("dir: >+\n  a\n  b\n\n", "a b\n\n<a\n  b>"),
        ("dir: http://h/a:b#c", "http://h/a:b#c"),
        ("dir: 2020-01-02", "2020-01-02"),
        ("dir: \"null\"", "null"),
        ("dir: !!str null", "null"),
        ("dir: ! null", "null"),
        ("dir: !!str", ""),
        ("dir: ''", ""),
        ("dir: no # yes", "no"),
    ] {
        assert_eq!(shown(text, Syntax::Yaml), format!("{{dir:{value},}}"), "{text:?}");
    }
}

#[test]
fn values_of_yaml_are_nested() {
    for (text, tree) in [
        ("", "null"),
        ("---\n---\na: b", "null"),
        ("a", "a"),
        ("- a\n- [b, {c: d}]\n-\n  - e", "[a,[b,{c:d,},],[e,],]"),
        ("a:\n- b\n-   c: d\n    e: f\n", "{a:[b,{c:d,e:f,},],}"),
        ("a: ~\nb: null\nc:\nd: !!python/name:x.y\n", "{a:null,b:null,c:null,d:null,}"),
        ("a: !ENV NAME\nb: !ENV [NAME]\n", "{a:null,b:null,}"),
        ("a: &x [b]\nc: *x\nd: *y\n", "{a:[b,],c:[b,],d:null,}"),
        ("a: &x b\nc: &x d\ne: *x\n", "{a:b,c:d,e:d,}"),
        ("a: &x {b: c}\nd: {<<: *x, e: f}\n", "{a:{b:c,},d:{e:f,b:c,},}"),
        (
            "x: &x {a: 1, b: 1}\ny: &y {a: 2, c: 2}\nz:\n  <<: [*x, *y]\n  b: 3\n",
            "{x:{a:1,b:1,},y:{a:2,c:2,},z:{b:3,a:1,c:2,},}",
        ),
        ("\"<<\": {a: b}", "{<<:{a:b,},}"),
        ("[a, b]: c\n{d: e}: f\n~: g\nh: i", "{h:i,}"),
        ("a: &x [*x, b]", "{a:[null,b,],}"),
        (
            "{\"a\": \"\\ud83d\\ude00\", \"b\"\n:\n[1,\t-2.5e3], \"c\": {}, \"d\": []}",
            "{a:😀<\\ud83d\\ude00>,b:[1,-2.5e3,],c:{},d:[],}",
        ),
    ] {
        assert_eq!(shown(text, Syntax::Yaml), tree, "{text:?}");
    }
}

#[test]
fn yaml_with_faults_has_the_settings_around_them() {
    for (text, tree) in [
        ("a: b\nc: d: e\nf: g\n", "{a:b,c:d,f:g,}"),
        ("a: b\nc: {{ d }} e\n  f: g\n'h': i\n", "{a:b,c:{},h:i,}"),
        ("a: b\nc: \"d\ne: f\n", "{a:b,e:f,}"),
        ("a: b\n@c\n# e: f\n\n  g: h\ni: j\n", "{a:b,i:j,}"),
        ("a: [b, c, d\n", "{a:[b,c,],}"),
        ("a: [b, }\nc: d\n", "{a:[b,],c:d,}"),
        ("a: b\nc: {d: [e,\n\"f", "{a:b,c:{d:[e,],},}"),
        ("a: b\n{% if c %}\nd: e\n{% endif %}\n---\nf: g\n", "{a:b,d:e,}"),
        ("a: b\n- c\nd: e\na: f\n", "{a:b,d:e,}"),
    ] {
        assert_eq!(shown(text, Syntax::Yaml), tree, "{text:?}");
    }
}

#[test]
fn values_of_toml_have_many_spellings() {
    for text in [
        "a.dir = \"text\"",
        "\u{feff}a.dir = 'text'\r\n",
        "[a]\ndir = \"text\" # b\n",
        "# c\n[ 'a' ] # d\n\"dir\" = '''text'''",
        "[a]\n\"d\\u0069r\" = \"\"\"text\"\"\"\n",
        "a = {dir = \"text\"}",
        "a = { \"dir\"='text' }\n",
        "\"a\" . dir = \"text\"",
        "a.dir = \"text\"\na.dir = \"no\"",
        "[a]\ndir = text\n",
    ] {
        assert_eq!(shown(text, Syntax::Toml), "{a:{dir:text,},}", "{text:?}");
    }
    for (text, tree) in [
        ("", "{}"),
        ("a = \"te\\u0078t\\U0001F600\\\\\"", "{a:text😀\\<te\\u0078t\\U0001F600\\\\>,}"),
        ("a = '\\x'", "{a:\\x,}"),
        ("a = \"\"\"\nb\\\n  c\"\"\"\nd = '''\ne'''", "{a:bc<\nb\\\n  c>,d:e<\ne>,}"),
        ("a = \"\"\nb = ''\nc = \"# d\"", "{a:,b:,c:# d,}"),
        ("a = true\nb = 1_0\nc = 1979-05-27 07:32:00\n", "{a:true,b:1_0,c:1979-05-27 07:32:00,}"),
        ("a = [\n  'b', # c\n  [\"d\"],\n]\n", "{a:[b,[d,],],}"),
        (
            "a.b.c = 1\na.d = 2\n[e.f]\ng = 3\n[e]\nh = 4\n",
            "{a:{b:{c:1,},d:2,},e:{f:{g:3,},h:4,},}",
        ),
        (
            "[[a]]\nb = 1\n[a.c]\nd = 2\n[[a]]\n[[a.e]]\n[[a.e]]\n",
            "{a:[{b:1,c:{d:2,},},{e:[{},{},],},],}",
        ),
        ("a = {b = {c = 1}, d = [{e.f = 2}]}", "{a:{b:{c:1,},d:[{e:{f:2,},},],},}"),
        // Faults.
        (
            "a = 1\nb c\nd =\ne = 2 f\n= g\n[h\ni = 3\n[j]]\nk = 4",
            "{a:1,d:,e:2 f,:g,i:3,j:{k:4,},}",
        ),
        ("a = 1\n[a]\nb = 2\n[[a]]\nc = 3\n[d]\ne = 4", "{a:1,d:{e:4,},}"),
        ("a = \"b\nc = 1\n", "{a:b,c:1,}"),
        ("a = [1, \"b", "{a:[1,b,],}"),
    ] {
        assert_eq!(shown(text, Syntax::Toml), tree, "{text:?}");
    }
}

#[test]
fn settings_are_looked_up() {
    let text = "a: {b: c, e: ''}\nl: ['', x, [y], ~, z]\nt: Yes\nf: off\n";
    let settings = read(text, Syntax::Yaml);
    assert_eq!(settings.text(&["a", "b"]), Some("c"));
    assert_eq!(settings.text(&["a", "B"]), None);
    assert_eq!((settings.text(&["a", "e"]), settings.scalar(&["a", "e"])), (None, Some("")));
    assert_eq!(settings.text(&["a"]), None);
    assert_eq!(settings.text(&["a", "b", "c"]), None);
    assert_eq!(settings.texts(&["l"]), ["x", "z"]);
    assert_eq!(settings.texts(&["t"]), ["Yes"]);
    assert_eq!((settings.flag(&["t"]), settings.flag(&["f"])), (Some(true), Some(false)));
    assert_eq!(settings.flag(&["l"]), None);
    let keys: Vec<&str> = settings.entries(&["a"]).map(|(key, _)| key).collect();
    assert_eq!(keys, ["b", "e"]);
    assert_eq!(settings.entries(&["l"]).count(), 0);
}

#[test]
fn settings_are_laid_over_others() {
    let read = |text| read(text, Syntax::Yaml);
    let mut settings = read("a: {b: 1, c: 2}\nd: [1]\ne: 1");
    settings.overlay(read("a: {b: 3, f: 4}\nd: [2]\ng: 5"));
    let mut tree = String::new();
    add(&settings, None, &mut tree);
    assert_eq!(tree, "{a:{b:3,c:2,f:4,},d:[2,],e:1,g:5,}");
    let lower = read("A: [{B: C}]").with_keys_in_lower_case();
    let Some(Setting::List(items)) = lower.get(&["a"]) else { panic!("{lower:?}") };
    assert_eq!(items[0].text(&["b"]), Some("C"));
}

#[test]
fn syntaxes_have_extensions() {
    for (name, syntax) in [
        ("mkdocs.yml", Some(Syntax::Yaml)),
        ("a.b.yaml", Some(Syntax::Yaml)),
        ("hugo.json", Some(Syntax::Yaml)),
        ("book.toml", Some(Syntax::Toml)),
        ("conf.py", None),
        ("config/_default", None),
    ] {
        assert_eq!(Syntax::of(name), syntax, "{name}");
    }
}

#[test]
fn some_keys_are_read_as_in_the_whole_text() {
    for (text, syntax, is_less) in [
        ("title: a: b\nslug: c\nother:\n- slug: no\n\n# d\nurl: e\n", Syntax::Yaml, true),
        ("tags:\n- a\n- b\nslug:\n- c\n# d\n- e\n  f\nx: |\n  url: g\n", Syntax::Yaml, true),
        ("x: [a,\n b]\nSLUG: 'c\n  url: d'\r\ny: e\r\n", Syntax::Yaml, true),
        ("url:\nx: y\nslug: a\nslug: b", Syntax::Yaml, true),
        ("title: x\n", Syntax::Yaml, true),
        ("", Syntax::Yaml, true),
        ("x: &x a\nslug: *x\n", Syntax::Yaml, false),
        ("x: &x {slug: a}\n<<: *x\n", Syntax::Yaml, false),
        ("\"sl\\x75g\": a\nx: b\n", Syntax::Yaml, false),
        ("{x: y, slug: a}", Syntax::Yaml, false),
        ("x: y\n? slug\n: a\n", Syntax::Yaml, false),
        ("x: 'y\nslug: no'\n'url': a\n", Syntax::Yaml, false),
        ("x: y\n---\nslug: a", Syntax::Yaml, false),
        ("# b\n\n  slug: a\n  x: y\n", Syntax::Yaml, false),
        ("- slug: a\n", Syntax::Yaml, false),
        ("x: y\rslug: a\n", Syntax::Yaml, false),
        ("x: y\n...\nslug: a", Syntax::Yaml, false),
        ("-x: y\nslug: a", Syntax::Yaml, false),
        ("x:y\nslug: a", Syntax::Yaml, false),
        ("x = 1\n\tSlug = 'a' # b\nurl= [\n'c',\n1,\n]\ny=1\n[z]\nslug = 1", Syntax::Toml, true),
        ("title = 'slug = 1'\n[[x]]\ny = 1", Syntax::Toml, true),
        ("", Syntax::Toml, true),
        ("\u{feff}slug = 'a'\n", Syntax::Toml, false),
        (" \"url\" = 1\n", Syntax::Toml, false),
        ("\"sl\\u0075g\" = 'a'\n", Syntax::Toml, false),
        ("x = \"\"\"\nslug = 'no'\"\"\"\nslug = 'a'\n", Syntax::Toml, false),
        ("x = {\nslug = 'no'\n}\n", Syntax::Toml, false),
        ("slug.a = 'b'\n", Syntax::Toml, false),
        ("[a]\nx = 1\n[[slug.b]]\n", Syntax::Toml, false),
        ("[ slug ]\na = 'b'\n", Syntax::Toml, false),
        ("x = [\n[true],\n]\nslug = 'a'\n", Syntax::Toml, false),
        ("['slug']\na = 'b'\n", Syntax::Toml, false),
    ] {
        let keys = ["url", "slug"];
        let some = read_keys(text, syntax, &keys).with_keys_in_lower_case();
        let whole = read(text, syntax).with_keys_in_lower_case();
        for key in keys {
            let shown = |it: &Setting| {
                it.get(&[key]).map(|it| {
                    let mut out = String::new();
                    add(it, None, &mut out);
                    out
                })
            };
            assert_eq!(shown(&some), shown(&whole), "{text}");
        }
        let is_cut = match syntax {
            Syntax::Yaml => entries::of_yaml(text, &keys).is_some(),
            Syntax::Toml => entries::of_toml(text, &keys).is_some(),
        };
        assert_eq!(is_cut, is_less, "{text}");
    }
}

/// The number of values in a tree.
fn size(setting: &Setting) -> usize {
    1 + match setting {
        Setting::List(items) => items.iter().map(size).sum(),
        Setting::Table(table) => table.values().map(size).sum(),
        _ => 0,
    }
}

#[test]
fn anchors_and_nesting_have_limits() {
    let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    let mut merges = "a0: &a0 {x: y}\n".to_owned();
    let mut chain = "a0: &a0 [x]\n".to_owned();
    for level in 1..200 {
        let below = level - 1;
        let nine = format!("*a{below}, ").repeat(9);
        laughs.push_str(&format!("a{level}: &a{level} [{nine}]\n"));
        merges.push_str(&format!(
            "a{level}: &a{level} {{<<: [{nine}], k{level}: {{<<: *a{below}}}}}\n"
        ));
        chain.push_str(&format!("a{level}: &a{level} [*a{below}]\n"));
    }
    for text in [laughs, merges, chain] {
        let settings = read(&(text + "end: z\n"), Syntax::Yaml);
        assert_eq!(settings.text(&["end"]), Some("z"));
        assert!(size(&settings) < 300_000, "{}", size(&settings));
    }
    for (unit, end) in [("[", "]"), ("{a: ", "}"), ("- ", ""), ("? ", ""), ("&a [*a, ", "]")] {
        for count in [60, 100_000] {
            let text = format!("x: y\nb:\n  {}z{}\nc: d\n", unit.repeat(count), end.repeat(count));
            let settings = read(&text, Syntax::Yaml);
            assert_eq!(settings.text(&["x"]), Some("y"), "{unit}");
            assert_eq!(settings.text(&["c"]), Some("d"), "{unit}");
        }
    }
    for (unit, end) in [("[", "]"), ("{a = ", "}"), ("a.", "a = 1"), ("a = [{", "")] {
        for count in [60, 100_000] {
            let text =
                format!("x = 'y'\nb = {}z{}\n[c]\nd = 1\n", unit.repeat(count), end.repeat(count));
            let settings = read(&text, Syntax::Toml);
            assert_eq!(settings.text(&["x"]), Some("y"), "{unit}");
        }
    }
    let deep = format!("[{}a]\nb = 1\n[c]\nd = 'e'\n", "a.".repeat(100_000));
    assert_eq!(read(&deep, Syntax::Toml).text(&["c", "d"]), Some("e"));
}
