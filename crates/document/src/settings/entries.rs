//! Which lines of a text have the entries of some keys, so that the others need not be parsed: most
//! of the cost of front matter, which each page of a site has.

/// The entries of these keys of a block mapping of YAML whose keys are words. The case of keys is
/// ignored. `None` for other texts, and for entries that may need other ones.
pub(super) fn of_yaml(text: &str, keys: &[&str]) -> Option<String> {
    let bytes = text.as_bytes();
    if memchr::memchr_iter(b'\r', bytes).any(|at| bytes.get(at + 1) != Some(&b'\n')) {
        // It ends a line, too.
        return None;
    }
    let mut kept = String::new();
    let (mut is_begun, mut is_kept) = (false, false);
    for line in text.split_inclusive('\n') {
        // Lines that are not indented begin an entry, or an item of its value (YAML 1.2.2, sections
        // 8.2.1 and 8.2.2).
        match line.as_bytes() {
            [b' ' | b'\t' | b'\r' | b'\n' | b'#', ..] | [b'-', b' ', ..] if is_begun => {}
            [b'\r' | b'\n' | b'#', ..] => {}
            _ => {
                let (key, rest) = word_of(line);
                let value = rest.strip_prefix(':')?;
                let is_key = !key.is_empty() && !key.starts_with('-');
                if !is_key || !value.is_empty() && !value.starts_with([' ', '\t', '\r', '\n']) {
                    return None;
                }
                is_begun = true;
                is_kept = keys.iter().any(|it| it.eq_ignore_ascii_case(key));
            }
        }
        if is_kept {
            kept.push_str(line);
        }
    }
    // The anchor of an alias may be in another entry.
    (!kept.contains('*')).then_some(kept)
}

/// The entries of these keys of TOML, which are before its headers. The case of keys is ignored.
/// `None` for texts with strings over several lines, inline tables, keys that are not words, and
/// tables with these keys.
pub(super) fn of_toml(text: &str, keys: &[&str]) -> Option<String> {
    if ["\"\"\"", "'''", "{", "\u{feff}"].iter().any(|it| text.contains(it)) {
        return None;
    }
    let mut kept = String::new();
    let (mut is_below, mut is_kept) = (false, false);
    for line in text.split_inclusive('\n') {
        let line = line.trim_start_matches([' ', '\t']);
        let is_in =
            |words: &[&str], word: &str| words.iter().any(|it| it.eq_ignore_ascii_case(word));
        // Other lines continue an array.
        match line.as_bytes() {
            [b'[', ..] => {
                let (word, _) = word_of(line.trim_start_matches(['[', ' ', '\t']));
                let is_name = word.starts_with(|it: char| it.is_ascii_alphabetic());
                let is_value = is_in(&["true", "false", "inf", "nan"], word);
                if !is_name || is_value || is_in(keys, word) {
                    return None;
                }
                (is_below, is_kept) = (true, false);
            }
            _ if is_below => {}
            [b'"' | b'\'', ..] if line.contains('=') => return None,
            _ => {
                let (word, rest) = word_of(line);
                match rest.trim_start_matches([' ', '\t']).as_bytes() {
                    [b'=', ..] if !word.is_empty() => is_kept = is_in(keys, word),
                    [b'.', ..] if !word.is_empty() => return None,
                    _ => {}
                }
            }
        }
        if is_kept {
            kept.push_str(line);
        }
    }
    Some(kept)
}

/// The word that a text begins with, and the rest.
fn word_of(text: &str) -> (&str, &str) {
    let is_word = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-');
    text.split_at(text.find(|it| !is_word(it)).unwrap_or(text.len()))
}
