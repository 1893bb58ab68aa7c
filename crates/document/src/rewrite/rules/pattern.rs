//! URI maps by regular expressions.

use std::fmt;

use regex::Regex;

/// A map of URIs by regular expressions. The first expression that matches a URI applies.
///
/// Its first match in the URI is replaced by its template, as by `s` of sed without `g`; `^` and
/// `$` are the ends of the URI. In the template, `$1` and `${name}` insert groups, and `$$` is a
/// `$`. The rest of the URI stays. A group name extends over letters, digits and `_`; use braces if
/// one of these follows.
///
/// ```
/// use rehref_document::rewrite::PatternMap;
///
/// let mut map = PatternMap::default();
/// map.insert_entry(r"^http://(\w+)\.old\.example/=https://new.example/$1/")?;
/// assert_eq!(map.get("http://a.old.example/b?c").as_deref(), Some("https://new.example/a/b?c"));
/// assert_eq!(map.get("http://old.example/"), None);
/// # Ok::<(), rehref_document::rewrite::PatternMapError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PatternMap {
    entries: Vec<(Regex, String)>,
}

/// The reason an entry was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatternMapError {
    /// The entry has no `=`.
    NoSeparator,
    /// The expression is empty.
    Empty,
    /// The text before the `=` is not a regular expression, for this reason.
    Pattern(String),
    /// The template has a group that the expression lacks.
    NoGroup(String),
    /// The template has a group in the syntax of sed: `\\1`.
    Backslash(char),
}

impl fmt::Display for PatternMapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSeparator => f.write_str("no `=` between RE and TEMPLATE"),
            Self::Empty => f.write_str("RE is empty"),
            Self::Pattern(why) => f.write_str(why),
            Self::NoGroup(name) => write!(f, "RE has no group `{name}`"),
            Self::Backslash(digit) => {
                write!(f, "groups of TEMPLATE are ${{{digit}}}, not \\{digit}")
            }
        }
    }
}

impl std::error::Error for PatternMapError {}

impl PatternMap {
    /// Adds an entry written `RE=TEMPLATE`. The first `=` without a backslash before it is the
    /// separator; `\=` matches a `=`.
    ///
    /// # Errors
    /// Those of [`PatternMap::insert`], and an entry without a separator.
    pub fn insert_entry(&mut self, entry: &str) -> Result<(), PatternMapError> {
        let mut is_escaped = false;
        let at = entry.bytes().position(|byte| {
            let is_separator = byte == b'=' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            is_separator
        });
        let at = at.ok_or(PatternMapError::NoSeparator)?;
        self.insert(&entry[..at], &entry[at + 1..])
    }

    /// Maps matches of `pattern` to `template`.
    ///
    /// # Errors
    /// If `pattern` is empty or not a regular expression, or lacks a group of `template`.
    pub fn insert(&mut self, pattern: &str, template: &str) -> Result<(), PatternMapError> {
        if pattern.is_empty() {
            return Err(PatternMapError::Empty);
        }
        let after_backslash = |at: usize| template[at + 1..].chars().next();
        let mut groups_of_sed =
            template.match_indices('\\').filter_map(|(at, _)| after_backslash(at));
        if let Some(digit) = groups_of_sed.find(char::is_ascii_digit) {
            return Err(PatternMapError::Backslash(digit));
        }
        let regex = Regex::new(pattern).map_err(|error| {
            // The last line of the message describes the problem.
            let text = error.to_string();
            let line = text.lines().last().unwrap_or_default();
            PatternMapError::Pattern(line.trim_start_matches("error: ").to_owned())
        })?;
        if let Some(name) = groups(template).find(|name| !has_group(&regex, name)) {
            return Err(PatternMapError::NoGroup(name.to_owned()));
        }
        self.entries.push((regex, template.to_owned()));
        Ok(())
    }

    /// Returns true if the map is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Maps `uri` by the first expression that matches it. The result may be invalid.
    ///
    /// Cost: linear in the URI for each expression.
    pub fn get(&self, uri: &str) -> Option<String> {
        self.entries.iter().find_map(|(regex, template)| {
            let found = regex.captures(uri)?;
            let whole = found.get(0)?;
            let mut out = uri[..whole.start()].to_owned();
            found.expand(template, &mut out);
            out.push_str(&uri[whole.end()..]);
            Some(out)
        })
    }
}

/// The names of groups in a template, as [`regex::Captures::expand`] reads them.
fn groups(template: &str) -> impl Iterator<Item = &str> {
    let mut rest = template;
    std::iter::from_fn(move || {
        loop {
            rest = &rest[rest.find('$')? + 1..];
            if let Some(after) = rest.strip_prefix('$') {
                rest = after;
                continue;
            }
            let (name, after) = match rest.strip_prefix('{') {
                Some(inner) => match inner.split_once('}') {
                    Some(found) => found,
                    None => continue,
                },
                None => {
                    let goes_on = |it: char| it.is_ascii_alphanumeric() || it == '_';
                    rest.split_at(rest.find(|it| !goes_on(it)).unwrap_or(rest.len()))
                }
            };
            rest = after;
            if !name.is_empty() {
                return Some(name);
            }
        }
    })
}

fn has_group(regex: &Regex, name: &str) -> bool {
    match name.parse::<usize>() {
        Ok(number) => number < regex.captures_len(),
        Err(_) => regex.capture_names().flatten().any(|it| it == name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(entries: &[&str]) -> PatternMap {
        let mut map = PatternMap::default();
        for entry in entries {
            map.insert_entry(entry).expect("an entry");
        }
        map
    }

    #[test]
    fn first_matching_expression_replaces_its_first_match() {
        let map = map(&["(?<page>b)=${page}$1$$x", r"^http:=https:"]);
        assert_eq!(map.get("http://h/abcb").as_deref(), Some("http://h/abb$xcb"));
        assert_eq!(map.get("http://h/").as_deref(), Some("https://h/"));
        assert_eq!(map.get("ftp://h/"), None);
    }

    #[test]
    fn entries_split_at_the_first_equals_sign_that_is_not_escaped() {
        let of = |entry, uri| map(&[entry]).get(uri);
        let uri = "http://h/?a=1";
        assert_eq!(of(r"\?a\=(\d)=$1", uri).as_deref(), Some("http://h/1"));
        assert_eq!(of(r"\?a.(\d)$=?b=$1=c", uri).as_deref(), Some("http://h/?b=1=c"));
        assert_eq!(of(r"h/\\?=n/", uri).as_deref(), Some("http://n/?a=1"));
        assert_eq!(of("^http=x", uri).as_deref(), Some("x://h/?a=1"));
        assert_eq!(of("1=", uri).as_deref(), Some("http://h/?a="));
    }

    #[test]
    fn invalid_entries_are_refused() {
        let refused = |entry| PatternMap::default().insert_entry(entry).unwrap_err();
        assert_eq!(refused("abc"), PatternMapError::NoSeparator);
        assert_eq!(refused(r"a\=b"), PatternMapError::NoSeparator);
        assert_eq!(refused("=b"), PatternMapError::Empty);
        assert_eq!(refused(r"(a)=\1"), PatternMapError::Backslash('1'));
        assert_eq!(refused("(a)=$2"), PatternMapError::NoGroup("2".into()));
        assert_eq!(refused("(a)=$1b"), PatternMapError::NoGroup("1b".into()));
        assert_eq!(refused("(a=http://h/"), PatternMapError::Pattern("unclosed group".into()));
    }
}
