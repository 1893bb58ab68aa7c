//! `file` URLs by the states that the URL Standard has for them alone (4.4: "file state", "file
//! slash state", "file host state"). The crate `url` deviates from them: it keeps `|` in a drive
//! letter, removes the host next to one, and removes empty segments at the beginning of a path.

use url::{Host, ParseError, Url};

/// A parsed `file` URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct FileUrl {
    /// `None` is the empty host, and `localhost`.
    host: Option<Host>,
    path: Vec<String>,
    query: Option<String>,
    fragment: Option<String>,
}

impl FileUrl {
    /// Parses `text`: the text after `file:`, or a reference without a scheme against `base`. Tabs,
    /// line breaks and surrounding white space must have been removed.
    ///
    /// # Errors
    /// That of the host parser.
    pub(super) fn parse(text: &str, base: Option<&Self>) -> Result<Self, ParseError> {
        let (text, fragment) = split_before(text, '#');
        let (text, query) = split_before(text, '?');
        let mut url = Self {
            host: None,
            path: Vec::new(),
            query: query.map(str::to_owned),
            fragment: fragment.map(str::to_owned),
        };
        let Some(after_slash) = text.strip_prefix(SLASHES) else {
            if let Some(base) = base {
                url.host.clone_from(&base.host);
                if !begins_with_drive_letter(text) {
                    url.path.clone_from(&base.path);
                }
                if text.is_empty() {
                    url.query = url.query.or_else(|| base.query.clone());
                    return Ok(url);
                }
                url.shorten();
            }
            url.append(text);
            return Ok(url);
        };
        let Some(authority) = after_slash.strip_prefix(SLASHES) else {
            if let Some(base) = base {
                url.host.clone_from(&base.host);
                let drive = base.path.first().filter(|name| is_normalized_drive(name));
                if !begins_with_drive_letter(after_slash) {
                    url.path.extend(drive.cloned());
                }
            }
            url.append(after_slash);
            return Ok(url);
        };
        let end = authority.find(SLASHES).unwrap_or(authority.len());
        let (host, path) = authority.split_at(end);
        if is_drive_letter(host) {
            url.append(authority);
            return Ok(url);
        }
        if !host.is_empty() {
            let is_local = |host: &Host| matches!(host, Host::Domain(name) if name == "localhost");
            url.host = Some(Host::parse(host)?).filter(|host| !is_local(host));
        }
        url.append(path.strip_prefix(SLASHES).unwrap_or(path));
        Ok(url)
    }

    pub(super) fn host(&self) -> Option<&Host> {
        self.host.as_ref()
    }

    /// The text of the URL ("URL serializing", 4.5), percent-encoded as the standard requires.
    ///
    /// # Errors
    /// None in practice: the parser accepts the URL that is used for encoding.
    pub(super) fn serialize(&self) -> Result<String, ParseError> {
        // Path, query and fragment are encoded in the same way for every special scheme.
        let mut encoded = Url::parse("https://h/")?;
        encoded.set_path(&format!("/{}", self.path.join("/")));
        encoded.set_query(self.query.as_deref());
        encoded.set_fragment(self.fragment.as_deref());
        let encoded = super::encoded(encoded);
        let host = self.host.as_ref().map(Host::to_string).unwrap_or_default();
        Ok(format!("file://{host}{}", &encoded["https://h".len()..]))
    }

    /// The "path state", for all segments of `text`.
    fn append(&mut self, text: &str) {
        let mut segments = text.split(SLASHES).peekable();
        while let Some(segment) = segments.next() {
            let is_last = segments.peek().is_none();
            let dots = segment.to_ascii_lowercase().replace("%2e", ".");
            match dots.as_str() {
                "." | ".." => {
                    if dots == ".." {
                        self.shorten();
                    }
                    if is_last {
                        self.path.push(String::new());
                    }
                }
                _ if self.path.is_empty() && is_drive_letter(segment) => {
                    self.path.push(segment.replace('|', ":"));
                }
                _ => self.path.push(segment.to_owned()),
            }
        }
    }

    /// Removes the last segment, but not a drive letter that is the only segment ("shorten a URL's
    /// path").
    fn shorten(&mut self) {
        if !matches!(self.path.as_slice(), [name] if is_normalized_drive(name)) {
            self.path.pop();
        }
    }
}

/// The slashes of special URLs.
const SLASHES: [char; 2] = ['/', '\\'];

fn split_before(text: &str, delimiter: char) -> (&str, Option<&str>) {
    match text.split_once(delimiter) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// Returns true for a "Windows drive letter": an ASCII letter and `:` or `|`.
fn is_drive_letter(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

fn is_normalized_drive(text: &str) -> bool {
    is_drive_letter(text) && text.ends_with(':')
}

/// Returns true if the first segment of `text` is a drive letter ("starts with a Windows drive
/// letter").
fn begins_with_drive_letter(text: &str) -> bool {
    text.split(SLASHES).next().is_some_and(is_drive_letter)
}
