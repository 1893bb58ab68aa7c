//! Maps by regular expressions.

use std::fmt;

use regex::Regex;

use crate::uri::Parts;

/// Which parts of URIs become which others, by regular expressions in order: the first that matches a URI counts.
///
/// What it matches there first is replaced by its template, in which `$1` and `${name}` are what a group matched,
/// and `$$` is a `$`; what is outside of the match stays. A name goes on as far as there are letters, digits and
/// `_`: before one of these it needs braces.
///
/// ```
/// use rehref::rewrite::PatternMap;
///
/// let mut map = PatternMap::default();
/// map.insert_entry(r"^http://(\w+)\.old\.example/=https://new.example/$1/")?;
/// assert_eq!(map.get("http://a.old.example/b?c").as_deref(), Some("https://new.example/a/b?c"));
/// assert_eq!(map.get("http://old.example/"), None);
/// # Ok::<(), rehref::rewrite::PatternMapError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PatternMap {
    entries: Vec<(Regex, String)>,
}

/// Why an entry is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatternMapError {
    /// There is no `=` in it.
    NoSeparator,
    /// After none of its `=` an absolute URI or a `$` begins.
    NoTemplate,
    /// What stands before the `=` is no regular expression: why not.
    Pattern(String),
    /// The template names a group that the expression does not have.
    NoGroup(String),
}

impl fmt::Display for PatternMapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSeparator => f.write_str("no `=` between RE and TEMPLATE"),
            Self::NoTemplate => f.write_str("TEMPLATE begins neither with a scheme nor with a `$`"),
            Self::Pattern(why) => f.write_str(why),
            Self::NoGroup(name) => write!(f, "RE has no group `{name}`"),
        }
    }
}

impl std::error::Error for PatternMapError {}

impl PatternMap {
    /// Adds an entry written `RE=TEMPLATE`. Of several `=` the last one separates the two after which an absolute
    /// URI or a `$` begins, and before which a regular expression stands.
    ///
    /// # Errors
    /// As [`PatternMap::insert`], and where there is no such `=`.
    pub fn insert_entry(&mut self, entry: &str) -> Result<(), PatternMapError> {
        let mut failure = None;
        for (at, _) in entry.rmatch_indices('=') {
            let (pattern, template) = (&entry[..at], &entry[at + 1..]);
            let begins = template.starts_with('$') || Parts::split(template).scheme.is_some();
            if !begins {
                failure = failure.or(Some(PatternMapError::NoTemplate));
                continue;
            }
            match self.insert(pattern, template) {
                Ok(()) => return Ok(()),
                Err(PatternMapError::Pattern(why)) => {
                    failure = match failure {
                        Some(PatternMapError::Pattern(first)) => {
                            Some(PatternMapError::Pattern(first))
                        }
                        _ => Some(PatternMapError::Pattern(why)),
                    };
                }
                Err(error) => return Err(error),
            }
        }
        Err(failure.unwrap_or(PatternMapError::NoSeparator))
    }

    /// Lets what `pattern` matches become `template`.
    ///
    /// # Errors
    /// When `pattern` is no regular expression, or has not all groups that `template` names.
    pub fn insert(&mut self, pattern: &str, template: &str) -> Result<(), PatternMapError> {
        let regex = Regex::new(pattern).map_err(|error| {
            // Of several lines the last one says what is wrong.
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

    /// Whether it has no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What `uri` becomes by the first expression that matches it; that may be anything.
    ///
    /// Linear in the URI, for each expression.
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
    fn the_first_expression_replaces_what_it_matches_first() {
        let map = map(&["(?<page>b)=${page}$1$$x", r"^http:=https:"]);
        assert_eq!(
            map.get("http://h/abcb").as_deref(),
            Some("http://h/abb$xcb")
        );
        assert_eq!(map.get("http://h/").as_deref(), Some("https://h/"));
        assert_eq!(map.get("ftp://h/"), None);
    }

    #[test]
    fn entries_split_at_the_last_equals_sign_that_can_be_meant() {
        let of = |entry, uri| map(&[entry]).get(uri);
        let uri = "http://h/?a=1";
        assert_eq!(of(r"\?a=(\d)=$1", uri).as_deref(), Some("http://h/1"));
        let with_query = of("^http://h/.*=http://n/?b=http", uri);
        assert_eq!(with_query.as_deref(), Some("http://n/?b=http"));
        // A group that would end behind it is none.
        assert_eq!(of("(?:a=$|1)=$0", uri).as_deref(), Some(uri));
    }

    #[test]
    fn what_is_no_entry() {
        let refused = |entry| PatternMap::default().insert_entry(entry).unwrap_err();
        assert_eq!(refused("abc"), PatternMapError::NoSeparator);
        assert_eq!(refused("a=b"), PatternMapError::NoTemplate);
        assert_eq!(refused("(a)=$2"), PatternMapError::NoGroup("2".into()));
        assert_eq!(refused("(a)=$1b"), PatternMapError::NoGroup("1b".into()));
        assert_eq!(
            refused("(a=http://h/"),
            PatternMapError::Pattern("unclosed group".into())
        );
    }
}
