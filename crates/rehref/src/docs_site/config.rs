//! Single values of configuration files.
//!
//! Sites need a few scalars at known places. A parser of the whole language would reject files that
//! the program itself accepts, such as YAML with Python tags.

/// The value of a key in a table of TOML; the table "" has the keys before the first header.
/// Strings only.
pub(super) fn toml_value<'t>(text: &'t str, table: &str, key: &str) -> Option<&'t str> {
    let mut here = "";
    for line in text.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            here = header.split(']').next().unwrap_or_default().trim();
        } else if here.eq_ignore_ascii_case(table)
            && let Some(value) = value_after(line, key, '=')
        {
            return Some(value);
        }
    }
    None
}

/// The scalar of a top-level key of YAML.
pub(super) fn yaml_value<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    text.lines().find_map(|line| value_after(line, key, ':'))
}

/// The scalar of a top-level key of a configuration that is in TOML or YAML.
pub(super) fn top_value<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    toml_value(text, "", key).or_else(|| yaml_value(text, key))
}

/// The items of a top-level key of YAML: a scalar, `[a, b]`, or the lines that begin with `-`.
pub(super) fn yaml_list<'t>(text: &'t str, key: &str) -> Vec<&'t str> {
    let Some((value, rest)) = value_and_rest(text, key, ':') else {
        return Vec::new();
    };
    if rest.trim_start().starts_with('[') {
        return items_in_brackets(rest);
    }
    if !value.is_empty() {
        return vec![value];
    }
    let lines = rest.lines().skip(1).map(str::trim_start);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let items = lines.map_while(|line| line.strip_prefix('-')).map(unquoted);
    items.filter(|it| !it.is_empty()).collect()
}

/// The items of a key of TOML before the first table: a string, or an array of strings.
pub(super) fn toml_list<'t>(text: &'t str, key: &str) -> Vec<&'t str> {
    let end = match text.starts_with('[') {
        true => 0,
        false => text.find("\n[").unwrap_or(text.len()),
    };
    match value_and_rest(&text[..end], key, '=') {
        Some((_, rest)) if rest.trim_start().starts_with('[') => items_in_brackets(rest),
        Some((value, _)) if !value.is_empty() => vec![value],
        _ => Vec::new(),
    }
}

/// The value of a top-level key in its line, and all the text after the mark.
fn value_and_rest<'t>(text: &'t str, key: &str, mark: char) -> Option<(&'t str, &'t str)> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some(value) = value_after(line.trim_end(), key, mark) {
            let after = line.find(mark).map_or(0, |at| at + 1);
            return Some((value, &text[start + after..]));
        }
        start += line.len();
    }
    None
}

/// The items of a list in brackets, which may have several lines.
fn items_in_brackets(text: &str) -> Vec<&str> {
    let list = text.trim_start().trim_start_matches('[');
    let list = list.split(']').next().unwrap_or_default();
    let lines = list.lines().filter(|it| !it.trim_start().starts_with('#'));
    // A comment may follow a comma.
    let lines = lines.filter_map(|line| line.split(" #").next());
    let items = lines.flat_map(|line| line.split(',')).map(unquoted);
    items.filter(|it| !it.is_empty()).collect()
}

/// The values of a table: of TOML after its header, of YAML below its top-level key. `None` if
/// there is no such table.
pub(super) fn table_values<'t>(text: &'t str, table: &str) -> Option<Vec<&'t str>> {
    let mut lines = text.lines();
    let header = format!("[{table}]");
    let is_header = |line: &str| line.trim() == header || value_after(line, table, ':') == Some("");
    let is_yaml = !lines.find(|line| is_header(line))?.starts_with('[');
    let is_end = |line: &str| match is_yaml {
        true => !line.trim().is_empty() && !line.starts_with([' ', '\t', '#']),
        false => line.trim_start().starts_with('['),
    };
    let lines = lines.take_while(|line| !is_end(line));
    let values = lines.filter_map(|line| line.split_once(if is_yaml { ':' } else { '=' }));
    Some(values.map(|(_, value)| unquoted(value)).collect())
}

/// The names of the tables in a table of TOML: `a` for `[table.a]`.
pub(super) fn toml_tables<'t>(text: &'t str, table: &str) -> Vec<&'t str> {
    let mut names: Vec<&str> = Vec::new();
    for line in text.lines() {
        let header = line.trim().strip_prefix('[').and_then(|it| it.split(']').next());
        let below = header.and_then(|it| {
            let (name, below) = it.trim().split_at_checked(table.len())?;
            below.strip_prefix('.').filter(|_| name.eq_ignore_ascii_case(table))
        });
        let name = below.and_then(|it| it.split('.').next());
        names.extend(name.filter(|it| !it.is_empty() && !names.contains(it)));
    }
    names
}

/// The lines below a top-level key of YAML, with the names of the tables that they are in.
fn yaml_lines<'t>(text: &'t str, table: &str) -> Vec<(&'t str, &'t str)> {
    let mut lines = text.lines();
    let mut below = Vec::new();
    if !lines.any(|line| value_after(line, table, ':') == Some("")) {
        return below;
    }
    let mut outer = usize::MAX;
    let mut name = "";
    for line in lines {
        let content = line.trim_start();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let indent = line.len() - content.len();
        if indent == 0 {
            break;
        }
        if indent <= outer {
            outer = indent;
            name = unquoted(content.split(':').next().unwrap_or_default());
            below.push((name, ""));
        } else {
            below.push((name, content));
        }
    }
    below
}

/// The names of the tables below a top-level key of YAML.
pub(super) fn yaml_tables<'t>(text: &'t str, table: &str) -> Vec<&'t str> {
    let lines = yaml_lines(text, table).into_iter();
    let names = lines.filter(|(_, line)| line.is_empty());
    names.map(|(name, _)| name).collect()
}

/// The scalars of a key in the tables of a top-level key of YAML, with the names of the tables.
pub(super) fn yaml_nested(text: &str, table: &str, key: &str) -> Vec<(String, String)> {
    let lines = yaml_lines(text, table).into_iter();
    let values = lines.filter_map(|(name, line)| Some((name, value_after(line, key, ':')?)));
    values.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// The value of a line `key = value` or `key: value`. Case does not count: it does not in Hugo, and
/// other programs have no keys that differ only in it.
pub(super) fn value_after<'t>(line: &'t str, key: &str, mark: char) -> Option<&'t str> {
    let (name, rest) = line.split_at_checked(key.len())?;
    if !name.eq_ignore_ascii_case(key) {
        return None;
    }
    let value = rest.trim_start().strip_prefix(mark)?;
    if mark == ':' && !value.is_empty() && !value.starts_with([' ', '\t']) {
        return None;
    }
    Some(unquoted(value))
}

/// A scalar without its quotes or the comment after it.
fn unquoted(value: &str) -> &str {
    let value = value.trim();
    match value.chars().next() {
        Some(quote @ ('\'' | '"')) => value[1..].split(quote).next().unwrap_or_default(),
        _ => value.split(" #").next().unwrap_or_default().trim_end(),
    }
}

/// The front matter of a document: the lines between `---` or `+++`, with true for YAML.
pub(super) fn front_matter(text: &str) -> Option<(&str, bool)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (fence, is_yaml) in [("---", true), ("+++", false)] {
        let Some(rest) = text.strip_prefix(fence) else {
            continue;
        };
        let (line, rest) = rest.split_once('\n')?;
        if !line.trim().is_empty() {
            return None;
        }
        let mut end = 0;
        for line in rest.split_inclusive('\n') {
            if line.trim_end() == fence {
                return Some((&rest[..end], is_yaml));
            }
            end += line.len();
        }
        return None;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_from_their_place() {
        let toml = "src = \"no\"\n[book]\ntitle = \"a # b\"\nsrc = 'text' # here\n[output.html]\nsrc = \"other\"\n";
        assert_eq!(toml_value(toml, "book", "src"), Some("text"));
        assert_eq!(toml_value(toml, "", "src"), Some("no"));
        assert_eq!(toml_value(toml, "book", "title"), Some("a # b"));
        assert_eq!(toml_value(toml, "build", "src"), None);
        let yaml = "site_name: x\nplugins:\n  - docs_dir: no\ndocs_dir: \"manual\" # here\nsite_url:https\n";
        assert_eq!(yaml_value(yaml, "docs_dir"), Some("manual"));
        assert_eq!(yaml_value(yaml, "site_url"), None);
        assert_eq!(yaml_value(yaml, "plugins"), Some(""));
    }

    #[test]
    fn tables_end_at_the_next_one() {
        let toml = "a = 1\n[t]\nx = 'b' # c\n\ny = \"d\"\n[u]\nz = 'e'\n";
        assert_eq!(table_values(toml, "t"), Some(vec!["b", "d"]));
        let yaml = "a: 1\nt:\n  x: b\n\n  y: 'd'\nu:\n  z: e\n";
        assert_eq!(table_values(yaml, "t"), Some(vec!["b", "d"]));
        assert_eq!(table_values("t: {}\n[tt]\n", "t"), None);
        assert_eq!(table_values("t:\n", "t"), Some(vec![]));
    }

    #[test]
    fn lists_have_three_forms() {
        for text in [
            "a: x",
            "a: [x]",
            "a:\n  - x",
            "b: 1\na:\n- 'x'\nc: 2",
            "A: [\n  # no\n  \"x\", # no, no\n]\nb: 1",
            "a:\n\n  # no\n  - x\n",
        ] {
            assert_eq!(yaml_list(text, "a"), ["x"], "{text}");
        }
        for text in ["a = 'x'", "b = 1\nA = [\n\"x\",\n]\n[t]\na = 'no'"] {
            assert_eq!(toml_list(text, "a"), ["x"], "{text}");
        }
        for text in ["a: []", "a:", "a: ''", "b: x", "[t]\na = 'no'"] {
            assert!(yaml_list(text, "a").is_empty(), "{text}");
            assert!(toml_list(text, "a").is_empty(), "{text}");
        }
        assert_eq!(yaml_list("a: [x, \"y\"]", "a"), ["x", "y"]);
        assert!(yaml_list("b: x", "a").is_empty());
    }

    #[test]
    fn tables_are_nested() {
        let text = "a:\n  b: {}\n\ncollections:\n  docs:\n    output: true\n    permalink: /x/:path/ # y\n  # z\n  \
            notes:\n    output: true\nc:\n  d:\n    permalink: no\n";
        let expected = [("docs".to_owned(), "/x/:path/".to_owned())];
        assert_eq!(yaml_nested(text, "collections", "permalink"), expected);
        assert!(yaml_nested(text, "other", "permalink").is_empty());
    }

    #[test]
    fn front_matter_is_between_fences() {
        assert_eq!(front_matter("---\nslug: x\n---\ntext"), Some(("slug: x\n", true)));
        assert_eq!(front_matter("+++\r\nslug = \"x\"\r\n+++"), Some(("slug = \"x\"\r\n", false)));
        for none in ["", "---\nslug: x\n", "--- x\n---\n", "text\n---\n---\n"] {
            assert_eq!(front_matter(none), None, "{none:?}");
        }
    }
}
