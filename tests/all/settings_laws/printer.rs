//! Printing settings in any spelling.

use super::Tree;

/// Prints a tree in spellings that are chosen by bytes.
pub(super) struct Printer<'c> {
    choices: std::iter::Cycle<std::slice::Iter<'c, u8>>,
    out: String,
    /// The values with anchors, whose number is their name.
    anchors: Vec<Tree>,
    /// True if the last line is in a block scalar, which has no comments.
    is_literal: bool,
}

impl<'c> Printer<'c> {
    pub(super) fn new(choices: &'c [u8]) -> Self {
        Self {
            choices: choices.iter().cycle(),
            out: String::new(),
            anchors: Vec::new(),
            is_literal: false,
        }
    }

    fn choose(&mut self, count: usize) -> usize {
        usize::from(*self.choices.next().expect("a byte")) % count
    }

    fn one_of(&mut self, texts: &[&'static str]) -> &'static str {
        texts[self.choose(texts.len())]
    }

    fn add_one_of(&mut self, texts: &[&'static str]) {
        let text = self.one_of(texts);
        self.out.push_str(text);
    }

    /// Adds a text in double quotes. `hex` are the letters of escapes with numbers.
    fn add_escaped(&mut self, text: &str, escapes: &[(char, char)], hex: &[(char, usize)]) {
        self.out.push('"');
        for character in text.chars() {
            let short = escapes.iter().find(|it| it.0 == character);
            let is_safe = !character.is_control() && !matches!(character, '"' | '\\');
            match (short, self.choose(4)) {
                (Some((_, letter)), 0 | 1) => self.out.extend(['\\', *letter]),
                (_, 1..) if is_safe => self.out.push(character),
                _ => {
                    let number = u32::from(character);
                    let fits = hex.iter().filter(|it| it.1 > 7 || number >> (4 * it.1) == 0);
                    let fits: Vec<_> = fits.collect();
                    match fits.as_slice() {
                        // JSON has pairs of surrogates.
                        [] => {
                            for unit in character.encode_utf16(&mut [0; 2]) {
                                self.out.push_str(&format!("\\u{unit:04x}"));
                            }
                        }
                        fits => {
                            let (letter, width) = fits[self.choose(fits.len())];
                            self.out.push_str(&format!("\\{letter}{number:0width$x}"));
                        }
                    }
                }
            }
        }
        self.out.push('"');
    }

    pub(super) fn json_document(mut self, tree: &Tree) -> String {
        self.json(tree);
        self.out
    }

    fn json(&mut self, tree: &Tree) {
        const BLANKS: [&str; 5] = ["", " ", "\n", "\t", "\r\n  "];
        let add_text = |printer: &mut Self, text: &str| {
            let escapes = [('"', '"'), ('\\', '\\'), ('/', '/'), ('\n', 'n'), ('\t', 't')];
            printer.add_escaped(text, &escapes, &[('u', 4)]);
        };
        self.add_one_of(&BLANKS);
        match tree {
            Tree::Null => self.out.push_str("null"),
            Tree::Text(text) => add_text(self, text),
            Tree::List(items) => {
                self.out.push('[');
                for (number, item) in items.iter().enumerate() {
                    self.out.push_str(if number > 0 { "," } else { "" });
                    self.json(item);
                }
                self.add_one_of(&BLANKS);
                self.out.push(']');
            }
            Tree::Table(entries) => {
                self.out.push('{');
                for (number, (key, value)) in entries.iter().enumerate() {
                    self.out.push_str(if number > 0 { "," } else { "" });
                    self.add_one_of(&BLANKS);
                    add_text(self, key);
                    self.add_one_of(&BLANKS);
                    self.out.push(':');
                    self.json(value);
                }
                self.add_one_of(&BLANKS);
                self.out.push('}');
            }
        }
        self.add_one_of(&BLANKS);
    }

    pub(super) fn yaml_document(mut self, tree: &Tree) -> String {
        self.add_one_of(&["", "\u{feff}", "---\n", "--- # a\n", "# a\n\n", "%YAML 1.2\n---\n"]);
        match self.choose(3) {
            0 => self.yaml_flow(tree),
            _ => self.yaml_block(tree, 0),
        }
        self.add_one_of(&["\n", "\n\n# a\n", "\n...\n", "\n---\nother: document\n"]);
        match self.choose(3) {
            0 => self.out.replace('\n', "\r\n"),
            _ => self.out,
        }
    }

    /// A scalar on one line.
    fn yaml_scalar(&mut self, text: &str) {
        let is_word = |it: char| it.is_ascii_alphanumeric() || "./é😀".contains(it);
        let is_plain = text.starts_with(is_word) && text.chars().all(is_word) && text != "null";
        let is_printable = !text.contains(|it: char| it.is_control());
        match self.choose(3) {
            0 if is_plain => self.out.push_str(text),
            0 | 1 if is_printable => {
                self.out.push_str(&format!("'{}'", text.replace('\'', "''")));
            }
            _ => {
                let escapes =
                    [('"', '"'), ('\\', '\\'), ('/', '/'), ('\n', 'n'), ('\t', 't'), (' ', ' ')];
                self.add_escaped(text, &escapes, &[('x', 2), ('u', 4), ('U', 8)]);
            }
        }
    }

    /// The properties of a value, or an alias in its place. Returns true after an alias.
    fn yaml_properties(&mut self, tree: &Tree) -> bool {
        let known = self.anchors.iter().rposition(|it| it == tree);
        match (self.choose(4), known) {
            (0, Some(number)) => {
                self.out.push_str(&format!("*a{number} "));
                return true;
            }
            (1, _) => {
                // The number of the anchor, which is known after the value.
                self.out.push_str(&format!("&a{} ", self.anchors.len()));
                self.anchors.push(tree.clone());
            }
            (2, _) if matches!(tree, Tree::Text(_)) => self.add_one_of(&["!!str ", "!t ", "! "]),
            _ => {}
        }
        false
    }

    fn yaml_flow(&mut self, tree: &Tree) {
        const BLANKS: [&str; 4] = ["", " ", "\n ", " # a\n "];
        if self.yaml_properties(tree) {
            return;
        }
        match tree {
            Tree::Null => self.add_one_of(&["null", "~", "NULL"]),
            Tree::Text(text) => self.yaml_scalar(text),
            Tree::List(items) => {
                self.out.push('[');
                for item in items {
                    self.add_one_of(&BLANKS);
                    self.yaml_flow(item);
                    self.add_one_of(&["", " ", "\n "]);
                    self.out.push(',');
                }
                self.add_one_of(&BLANKS);
                self.out.push(']');
            }
            Tree::Table(entries) => {
                self.out.push('{');
                for (key, value) in entries {
                    self.add_one_of(&BLANKS);
                    self.add_one_of(&["", "? "]);
                    self.yaml_scalar(key);
                    self.add_one_of(&[": ", " : ", ":\n "]);
                    self.yaml_flow(value);
                    self.add_one_of(&["", " ", "\n "]);
                    self.out.push(',');
                }
                self.add_one_of(&BLANKS);
                self.out.push('}');
            }
        }
    }

    /// A line break, perhaps after a comment, and an indent.
    fn yaml_line(&mut self, indent: usize) {
        match std::mem::take(&mut self.is_literal) {
            true => self.out.push('\n'),
            false => self.add_one_of(&["\n", "\n\n", " # a\n", "\n# a: b\n"]),
        }
        self.out.push_str(&" ".repeat(indent));
    }

    /// A value whose lines have an indent. It begins in one.
    fn yaml_block(&mut self, tree: &Tree, indent: usize) {
        match tree {
            Tree::List(items) if !items.is_empty() => {
                for (number, item) in items.iter().enumerate() {
                    if number > 0 {
                        self.yaml_line(indent);
                    }
                    self.out.push('-');
                    self.yaml_value(item, indent, indent + 2);
                }
            }
            Tree::Table(entries) if !entries.is_empty() => {
                let merged = match self.choose(3) {
                    0 => self.choose(entries.len()),
                    _ => entries.len(),
                };
                for (number, (key, value)) in entries[..merged].iter().enumerate() {
                    if number > 0 {
                        self.yaml_line(indent);
                    }
                    match self.choose(6) {
                        0 => {
                            self.out.push_str("? ");
                            self.yaml_scalar(key);
                            self.yaml_line(indent);
                        }
                        _ => self.yaml_scalar(key),
                    }
                    self.out.push(':');
                    self.yaml_value(value, indent, indent + 1);
                }
                if merged < entries.len() {
                    if merged > 0 {
                        self.yaml_line(indent);
                    }
                    self.out.push_str("<<: ");
                    self.yaml_flow(&Tree::Table(entries[merged..].to_vec()));
                }
            }
            other => self.yaml_flow(other),
        }
    }

    /// A value after `-` or a key, which have the indent `above`. That of the value is at least
    /// `least`.
    fn yaml_value(&mut self, tree: &Tree, above: usize, least: usize) {
        let indent = least + self.choose(3);
        let is_block = match tree {
            Tree::List(items) => !items.is_empty(),
            Tree::Table(entries) => !entries.is_empty(),
            _ => false,
        };
        match (self.choose(4), tree) {
            (0, Tree::Null) => {}
            (0 | 1, Tree::Text(text)) if is_literal(text) => {
                let (lines, chomp) = match text.strip_suffix('\n') {
                    Some(lines) => (lines, ""),
                    None => (text.as_str(), "-"),
                };
                let style = if lines.contains('\n') { "|" } else { self.one_of(&["|", ">"]) };
                let width = indent + 1 - above;
                let explicit = if self.choose(2) == 0 { width.to_string() } else { String::new() };
                self.out.push_str(&format!(" {style}{explicit}{chomp}"));
                for line in lines.split('\n') {
                    self.out.push_str(&format!("\n{}{line}", " ".repeat(above + width)));
                }
                self.is_literal = true;
            }
            (0 | 1, _) if is_block => {
                self.yaml_line(indent);
                self.yaml_block(tree, indent);
            }
            _ => {
                self.add_one_of(&[" ", "\t", "  "]);
                self.yaml_flow(tree);
            }
        }
    }

    pub(super) fn toml_document(mut self, tree: &Tree) -> String {
        self.add_one_of(&["", "\u{feff}", "# a\n", "\n"]);
        let Tree::Table(entries) = tree else { panic!("{tree:?}") };
        self.toml_table(entries, &mut Vec::new());
        match self.choose(3) {
            0 => self.out.replace('\n', "\r\n"),
            _ => self.out,
        }
    }

    fn toml_text(&mut self, text: &str, is_key: bool) {
        let is_bare = |it: char| it.is_ascii_alphanumeric() || it == '-';
        let is_literal = !text.contains(|it: char| it.is_control() && it != '\t');
        let escapes = [('"', '"'), ('\\', '\\'), ('\n', 'n'), ('\t', 't')];
        let hex = [('u', 4), ('U', 8)];
        match self.choose(4) {
            0 if is_key && !text.is_empty() && text.chars().all(is_bare) => {
                self.out.push_str(text);
            }
            1 if is_literal && !text.contains('\'') => self.out.push_str(&format!("'{text}'")),
            2 if is_literal && !is_key && !text.contains("'''") && !text.ends_with('\'') => {
                let start = self.one_of(&["", "\n"]);
                self.out.push_str(&format!("'''{start}{text}'''"));
            }
            3 if !is_key => {
                match text.starts_with(' ') {
                    true => self.out.push_str("\"\"\n"),
                    false => self.add_one_of(&["\"\"\n", "\"\"\\\n   "]),
                }
                self.swap_quotes(|printer| printer.add_escaped(text, &escapes, &hex));
            }
            _ => self.add_escaped(text, &escapes, &hex),
        }
    }

    /// Adds a string in three quotes after two of them and a line break.
    fn swap_quotes(&mut self, add: impl FnOnce(&mut Self)) {
        let start = self.out.len();
        add(self);
        let string = self.out.split_off(start);
        let before = self.out.rfind("\"\"").expect("two quotes");
        self.out.insert(before, '"');
        self.out.push_str(&string[1..]);
        self.out.push_str("\"\"");
    }

    fn toml_keys(&mut self, keys: &[&str]) {
        for (number, key) in keys.iter().enumerate() {
            if number > 0 {
                self.add_one_of(&[".", " . "]);
            }
            self.toml_text(key, true);
        }
    }

    fn toml_inline(&mut self, tree: &Tree) {
        match tree {
            Tree::Null => panic!("TOML has no null"),
            Tree::Text(text) => self.toml_text(text, false),
            Tree::List(items) => {
                self.out.push('[');
                for item in items {
                    self.add_one_of(&["", " ", "\n", " # a\n"]);
                    self.toml_inline(item);
                    self.add_one_of(&[",", " ,", "\n,"]);
                }
                self.out.push(']');
            }
            Tree::Table(entries) => {
                self.out.push('{');
                for (number, (key, value)) in entries.iter().enumerate() {
                    self.out.push_str(if number > 0 { "," } else { "" });
                    self.toml_keys(&[key]);
                    self.add_one_of(&["=", " = "]);
                    self.toml_inline(value);
                }
                self.out.push('}');
            }
        }
    }

    /// The entries of the table at a path, whose header is printed: first the values, then the
    /// tables with headers of their own.
    fn toml_table<'t>(&mut self, entries: &'t [(String, Tree)], path: &mut Vec<&'t str>) {
        let mut below: Vec<&'t (String, Tree)> = Vec::new();
        for entry in entries {
            let (key, value) = entry;
            let is_tables = match value {
                Tree::List(items) => {
                    !items.is_empty() && items.iter().all(|it| matches!(it, Tree::Table(_)))
                }
                value => matches!(value, Tree::Table(_)),
            };
            match (value, self.choose(3)) {
                (_, 0) if is_tables => below.push(entry),
                // Dotted keys.
                (Tree::Table(inner), 1) if !inner.is_empty() => {
                    for (last, value) in inner {
                        self.toml_keys(&[key, last]);
                        self.out.push('=');
                        self.toml_inline(value);
                        self.add_one_of(&["\n", " # a\n", "\n\n"]);
                    }
                }
                (value, _) => {
                    self.add_one_of(&["", "  ", "\t"]);
                    self.toml_keys(&[key]);
                    self.add_one_of(&["=", " = ", "\t= "]);
                    self.toml_inline(value);
                    self.add_one_of(&["\n", " # a\n", "\n\n"]);
                }
            }
        }
        for (key, value) in below {
            path.push(key);
            let (open, close, tables) = match value {
                Tree::List(items) => ("[[", "]]\n", items.as_slice()),
                table => ("[", "] # a\n", std::slice::from_ref(table)),
            };
            for table in tables {
                let Tree::Table(entries) = table else { panic!("{table:?}") };
                self.out.push_str(open);
                self.toml_keys(path);
                self.out.push_str(close);
                self.toml_table(entries, path);
            }
            path.pop();
        }
    }
}

/// Returns true for a text that block scalars of YAML have without changes.
fn is_literal(text: &str) -> bool {
    let is_printable = |it: char| !it.is_control() || it == '\n';
    text.starts_with(|it: char| it.is_alphanumeric())
        && text.chars().all(is_printable)
        && !text.ends_with("\n\n")
}
