//! Logs of programs that copied a site: URLs and their files.

use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;

use regex::bytes::Regex;

use super::LocalNames;
use crate::uri::{Resolved, Resolver};

/// The number of redirects that wget follows from one URL, without `--max-redirect`.
pub(super) const MAX_REDIRECTS: usize = 20;

/// The log of a program that copied a site.
///
/// Supports the log of wget (English messages, with or without `--no-verbose`), HTTrack's
/// `hts-cache/new.txt`, and the index of a web archive (CDX). Unknown lines are skipped.
///
/// ```
/// use rehref::mirror::CrawlLog;
///
/// let log = b"2026-11-23 21:06:50 URL:http://a.example/d/ [291/291] -> \"a.example/d.html\" [1]\n";
/// let log = CrawlLog::parse(log).unwrap();
/// assert_eq!(log.saved, [("http://a.example/d/".to_owned(), b"a.example/d.html".to_vec())]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CrawlLog {
    /// URLs and the paths of their files, in the order of the log. A redirected URL has the file of
    /// its target.
    pub saved: Vec<(String, Vec<u8>)>,
    /// Retrieved URLs whose file is not named.
    pub retrieved: Vec<String>,
    /// Redirected URLs, with their targets if the log has them.
    pub redirects: Vec<(String, Option<String>)>,
    /// URLs that the server did not find.
    pub missing: Vec<String>,
    /// True if the program rewrote the links of saved files: HTTrack, or wget with
    /// `--convert-links`.
    pub is_converted: bool,
    /// The program's scheme of file names.
    pub names: LocalNames,
    /// The line, from 1, of a truncated last row of a CDX file, which is skipped. A killed crawl
    /// leaves one.
    pub cut_line: Option<usize>,
}

/// An error in a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CrawlLogError {
    /// The log contains no URL.
    NoUrl,
    /// The header of a CDX file has no column of URLs (`a`).
    NoUrlColumn,
    /// A row of a CDX file has fewer columns than its header.
    ShortRow {
        /// The line, from 1.
        line: usize,
    },
}

impl CrawlLogError {
    /// The line of the error, from 1.
    pub fn line(self) -> Option<usize> {
        match self {
            Self::NoUrl => None,
            Self::NoUrlColumn => Some(1),
            Self::ShortRow { line } => Some(line),
        }
    }
}

impl fmt::Display for CrawlLogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoUrl => {
                "no URL found; expected a log of wget in English (LC_ALL=C), hts-cache/new.txt or CDX"
            }
            Self::NoUrlColumn => "the CDX header has no column \"a\" (original URL)",
            Self::ShortRow { .. } => "fewer columns than the CDX header names",
        })
    }
}

impl std::error::Error for CrawlLogError {}

impl CrawlLog {
    /// Parses a log, whose format is detected by its first line. Linear.
    ///
    /// # Errors
    /// If the log contains no URL, or the header or a row of a CDX file lacks a column.
    pub fn parse(bytes: &[u8]) -> Result<Self, CrawlLogError> {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let first = bytes.split(|&byte| byte == b'\n').next();
        let first = first.unwrap_or_default().trim_ascii_start();
        let log = if first.starts_with(b"CDX ") {
            Self::of_cdx(bytes)?
        } else if first.starts_with(b"date\tsize") {
            Self::of_httrack(bytes)
        } else {
            Self::of_wget(bytes)
        };
        let has_url = !log.saved.is_empty()
            || !log.retrieved.is_empty()
            || !log.redirects.is_empty()
            || !log.missing.is_empty();
        has_url.then_some(log).ok_or(CrawlLogError::NoUrl)
    }

    fn of_httrack(bytes: &[u8]) -> Self {
        let mut log = Self { names: LocalNames::Httrack, is_converted: true, ..Self::default() };
        for line in lines(bytes).skip(1) {
            let columns: Vec<&[u8]> = line.split(|&byte| byte == b'\t').collect();
            let [_, _, _, status, _, _, _, url, file, ..] = columns[..] else {
                continue;
            };
            let Some(url) = text(url) else { continue };
            let url = match url.contains("://") {
                true => url,
                false => format!("http://{url}"),
            };
            match status {
                [b'2', ..] | b"304" if !file.is_empty() => log.saved.push((url, file.to_vec())),
                status if is_redirect(status) => log.redirects.push((url, None)),
                // HTTrack saves error pages under their URLs, and refers to them.
                _ => {}
            }
        }
        log
    }

    fn of_cdx(bytes: &[u8]) -> Result<Self, CrawlLogError> {
        let mut log = Self { names: LocalNames::Wget, ..Self::default() };
        let mut lines = lines(bytes);
        let header = lines.next().unwrap_or_default().trim_ascii();
        let header: Vec<&[u8]> = header.split(|&byte| byte == b' ').skip(1).collect();
        let column = |name: &[u8]| header.iter().position(|it| *it == name);
        let at = column(b"a").ok_or(CrawlLogError::NoUrlColumn)?;
        let (status, target) = (column(b"s"), column(b"r"));
        // A final line feed is followed by an empty line.
        let mut lines = lines.enumerate().peekable();
        while let Some((number, line)) = lines.next() {
            if line.trim_ascii().is_empty() {
                continue;
            }
            let columns: Vec<&[u8]> = line.split(|&byte| byte == b' ').collect();
            if columns.len() < header.len() {
                if lines.peek().is_none() {
                    log.cut_line = Some(number + 2);
                    break;
                }
                return Err(CrawlLogError::ShortRow { line: number + 2 });
            }
            let Some(url) = text(columns[at]) else {
                continue;
            };
            let target = target.map(|at| columns[at]).filter(|it| *it != b"-");
            log.outcome(url, status.map(|at| columns[at]), target.and_then(text));
        }
        Ok(log)
    }

    /// Adds a response without a file name.
    fn outcome(&mut self, url: String, status: Option<&[u8]>, target: Option<String>) {
        match status {
            Some(status) if is_redirect(status) => {
                let target = target.map(|it| absolute(&url, it));
                self.redirects.push((url, target));
            }
            Some([b'4' | b'5', ..]) => self.missing.push(url),
            // A URL that is not modified (304) was retrieved by an earlier run.
            Some([b'2', ..] | b"304") | None => self.retrieved.push(url),
            Some(_) => {}
        }
    }

    fn of_wget(bytes: &[u8]) -> Self {
        let mut log = Self { names: LocalNames::Wget, ..Self::default() };
        let Some(messages) = &*WGET else {
            return log;
        };
        // The current URL, after the URLs that were redirected to it.
        let mut chain: Vec<String> = Vec::new();
        let mut is_followed = false;
        for line in lines(bytes) {
            let Some(found) = messages.captures(line) else {
                continue;
            };
            let group = |name: &str| found.name(name).map(|it| it.as_bytes());
            if let Some(url) = group("url").and_then(text) {
                // A retry has the same URL.
                if chain.last() != Some(&url) {
                    if !is_followed {
                        chain.clear();
                    }
                    // Each URL of the chain gets a copy of the file name, which is quadratic
                    // without a limit. Pages refer to the first URLs.
                    chain.truncate(MAX_REDIRECTS);
                    chain.push(url);
                }
                is_followed = false;
            } else if group("followed").is_some() {
                is_followed = true;
            } else if let Some(url) = group("failed").and_then(text) {
                chain = vec![url];
                is_followed = false;
            } else if group("error").is_some() {
                log.missing.append(&mut chain);
                is_followed = false;
            } else if let Some(file) = group("file").or(group("kept")) {
                let file = unescaped(file);
                let saved = chain.drain(..).map(|url| (url, file.to_vec()));
                log.saved.extend(saved);
                is_followed = false;
            } else if let (Some(url), Some(file)) = (group("short").and_then(text), group("to")) {
                log.saved.push((url, unescaped(file).into_owned()));
            } else if group("converted").is_some() {
                log.is_converted = true;
            }
        }
        log
    }
}

/// The messages of wget 1.x with a URL or a file.
static WGET: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let quoted = "(?:\u{2018}|['`\"])";
    let end = "(?:\u{2019}|['\"])";
    let time = r"\d{4}-\d\d-\d\d\ \d\d:\d\d:\d\d";
    Regex::new(&format!(
        r#"(?x)^(?:
            --{time}--\ +(?:\(try:\ *\d+\)\ +)?(?<url>\S+)
            | Location:\ .*\[(?<followed>following)\]
            | Saving\ to:\ {quoted}(?<file>(?-u:.)*){end}
            | (?:Server\ file\ no\ newer\ than\ local\ file|File)\ {quoted}(?<kept>(?-u:.)*){end}
                \ ?(?:--\ not\ retrieving|already\ there;|not\ modified\ on\ server)
            | {time}\ URL:\s?(?<short>\S+)\ \[[^\]]*\]\ ->\ "(?<to>(?-u:.)*)"(?:\ \[\d+\])?
            | (?<failed>https?://\S+):
            | {time}\ (?<error>ERROR)\ \d+
            | (?<converted>Converted)\ (?:links\ in\ )?[1-9]\d*\ files\ in
        )\s*"#
    ))
    .ok()
});

/// Returns true for the status of a redirect to one other URL.
fn is_redirect(status: &[u8]) -> bool {
    matches!(status, b"301" | b"302" | b"303" | b"307" | b"308")
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = bytes.split(|&byte| byte == b'\n');
    lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

fn text(bytes: &[u8]) -> Option<String> {
    String::from_utf8(bytes.to_vec()).ok()
}

/// The target of a redirect.
fn absolute(url: &str, target: String) -> String {
    match Resolver::default().resolve(url, &target) {
        Ok(Resolved::Target(uri)) => uri,
        _ => target,
    }
}

/// Decodes a file name in which wget writes unprintable bytes as `\303`.
fn unescaped(name: &[u8]) -> Cow<'_, [u8]> {
    if !name.contains(&b'\\') {
        return name.into();
    }
    let mut out = Vec::with_capacity(name.len());
    let mut rest = name;
    while let Some((&byte, after)) = rest.split_first() {
        let octal = |it: &u8| matches!(it, b'0'..=b'7');
        rest = match after {
            [a @ b'0'..=b'3', b, c, after @ ..] if byte == b'\\' && octal(b) && octal(c) => {
                out.push((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'));
                after
            }
            _ => {
                out.push(byte);
                after
            }
        };
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved(log: &str) -> Vec<(String, String)> {
        let log = CrawlLog::parse(log.as_bytes()).unwrap();
        let name = |(url, path)| (url, String::from_utf8(path).unwrap());
        log.saved.into_iter().map(name).collect()
    }

    #[test]
    fn redirected_urls_of_wget_have_the_file_of_their_target() {
        let log = "\
--2026-11-23 20:28:51--  http://a.example/d
Connecting to a.example:80... connected.
HTTP request sent, awaiting response... 301 Moved Permanently
Location: /d/ [following]
--2026-11-23 20:28:51--  http://a.example/d/
Reusing existing connection to a.example:80.
HTTP request sent, awaiting response... 200 OK
Length: 92 [text/html]
Saving to: \u{2018}a.example/d.html\u{2019}

     0K                                                       100% 25.4M=0s

2026-11-23 20:28:51 (25.4 MB/s) - \u{2018}a.example/d.html\u{2019} saved [92/92]

--2026-11-23 20:28:51--  http://a.example/gone
HTTP request sent, awaiting response... 404 Not Found
2026-11-23 20:28:51 ERROR 404: Not Found.

--2026-11-23 20:28:52--  http://a.example/x
HTTP request sent, awaiting response... 200 OK
Server file no newer than local file 'a.example/x.html' -- not retrieving.

--2026-11-23 20:28:53--  (try: 2)  http://a.example/h\u{e9}
Saving to: `a.example/h\\303\\251'
";
        let expected = [
            ("http://a.example/d", "a.example/d.html"),
            ("http://a.example/d/", "a.example/d.html"),
            ("http://a.example/x", "a.example/x.html"),
            ("http://a.example/h\u{e9}", "a.example/h\u{e9}"),
        ];
        let expected = expected.map(|(url, path)| (url.to_owned(), path.to_owned()));
        assert_eq!(saved(log), expected);
        let log = CrawlLog::parse(log.as_bytes()).unwrap();
        assert_eq!(log.missing, ["http://a.example/gone"]);
    }

    #[test]
    fn converted_links_are_detected() {
        let saved =
            "2026-11-23 21:06:50 URL:http://a.example/ [5/5] -> \"a.example/index.html\" [1]\n";
        for (end, is_converted) in [
            ("", false),
            ("Converted links in 0 files in 0 seconds.\n", false),
            ("Converted links in 474 files in 2.0 seconds.\n", true),
            ("Converted 1 files in 0.002 seconds.\n", true),
        ] {
            let log = CrawlLog::parse(format!("{saved}{end}").as_bytes()).unwrap();
            assert_eq!(log.is_converted, is_converted, "{end}");
        }
    }

    #[test]
    fn short_messages_of_wget_are_read() {
        let log = "\
2026-11-23 21:06:50 URL:http://a.example/ [557/557] -> \"a.example/index.html\" [1]
http://a.example/nope:
2026-11-23 21:06:50 ERROR 404: Not Found.
";
        let first = ("http://a.example/".to_owned(), "a.example/index.html".to_owned());
        assert_eq!(saved(log), [first]);
        let log = CrawlLog::parse(log.as_bytes()).unwrap();
        assert_eq!(log.missing, ["http://a.example/nope"]);
    }

    #[test]
    fn a_chain_of_redirects_ends_with_its_file() {
        let hop = |number: usize| {
            format!("--2026-01-01 10:00:00--  http://a/{number}\nLocation: x [following]\n")
        };
        // Takes 12 s and 1.8 GB if each file is that of all URLs before it.
        let count = 40_000;
        let log: String = (0..count)
            .map(|number| hop(number) + "Saving to: \u{2018}a/p.html\u{2019}\n")
            .collect();
        let found = saved(&log);
        assert_eq!(found.len(), count);
        assert_eq!(found[count - 1].0, format!("http://a/{}", count - 1));

        // The first URLs of a chain that is too long, and the last one.
        let log: String = (0..100).map(hop).collect();
        let found = saved(&(log + "Saving to: \u{2018}a/p.html\u{2019}\n"));
        assert_eq!(found.len(), MAX_REDIRECTS + 1);
        assert_eq!(found[0].0, "http://a/0");
        assert_eq!(found[MAX_REDIRECTS].0, "http://a/99");
    }

    #[test]
    fn a_retry_does_not_end_a_chain_of_redirects() {
        let log = "\
--2026-11-23 20:28:51--  http://a.example/d
Location: /d/ [following]
--2026-11-23 20:28:51--  http://a.example/d/
Retrying.
--2026-11-23 20:28:52--  (try: 2)  http://a.example/d/
Saving to: \u{2018}a.example/d.html\u{2019}
--2026-11-23 20:28:53--  (try: 2)  http://a.example/d/
Saving to: \u{2018}a.example/d.html\u{2019}
";
        let urls: Vec<String> = saved(log).into_iter().map(|(url, _)| url).collect();
        let (first, target) = ("http://a.example/d", "http://a.example/d/");
        assert_eq!(urls, [first, target, target]);
    }

    #[test]
    fn not_modified_files_are_saved() {
        let log = "date\tsize'/'remotesize\tflags\n\
            20:44\t5/5\t---M--\t304\tcached\ttext/html\tdate\thttp://a.example/x\tcopy/x.html\t(from )\n";
        let first = ("http://a.example/x".to_owned(), "copy/x.html".to_owned());
        assert_eq!(saved(log), [first]);
        let log = " CDX a s r\nhttp://a/x 304 -\nhttp://a/y 300 -\n";
        let log = CrawlLog::parse(log.as_bytes()).unwrap();
        assert_eq!(log.retrieved, ["http://a/x"]);
        assert_eq!(log.redirects, []);
    }

    #[test]
    fn httrack_logs_are_read() {
        let log = "date\tsize'/'remotesize\tflags\n\
            20:44\t5/5\t---M--\t200\tadded\ttext/html\tdate\thttp://a.example/x.gif\tcopy/a.example/x.html\t(from )\n\
            20:44\t5/5\t---M--\t308\tmoved\ttext/html\tdate\thttp://a.example/d\tcopy/a.example/d.1.delayed\t(from )\n";
        let first = ("http://a.example/x.gif".to_owned(), "copy/a.example/x.html".to_owned());
        assert_eq!(saved(log), [first]);
        let log = CrawlLog::parse(log.as_bytes()).unwrap();
        assert_eq!(log.redirects, [("http://a.example/d".to_owned(), None)]);
        assert_eq!(log.names, LocalNames::Httrack);
    }

    #[test]
    fn cdx_files_have_urls_and_redirects() {
        let log = " CDX a b a m s k r M V g u\n\
            http://a/d 2026 http://a/d text/html 301 X /d/ - 8 w <u>\n\
            http://a/d/ 2026 http://a/d/ text/html 200 X - - 8 w <u>\n\
            http://a/n 2026 http://a/n text/html 404 X - - 8 w <u>\n";
        let log = CrawlLog::parse(log.as_bytes()).unwrap();
        let redirect = ("http://a/d".to_owned(), Some("http://a/d/".to_owned()));
        assert_eq!(log.redirects, [redirect]);
        assert_eq!(log.retrieved, ["http://a/d/"]);
        assert_eq!(log.missing, ["http://a/n"]);
    }

    #[test]
    fn a_truncated_row_is_skipped() {
        let log = " CDX a s r\nhttp://a/x 200 -\nhttp://a/y 2";
        let log = CrawlLog::parse(log.as_bytes()).unwrap();
        assert_eq!(log.retrieved, ["http://a/x"]);
        assert_eq!(log.cut_line, Some(3));
    }

    #[test]
    fn errors_have_a_line() {
        for (log, error, line) in [
            ("", CrawlLogError::NoUrl, None),
            ("hello\nworld\n", CrawlLogError::NoUrl, None),
            (" CDX b s\n", CrawlLogError::NoUrlColumn, Some(1)),
            (" CDX a s\nhttp://a/ 200\nhttp://b/\n", CrawlLogError::ShortRow { line: 3 }, Some(3)),
        ] {
            let found = CrawlLog::parse(log.as_bytes()).unwrap_err();
            assert_eq!((found, found.line()), (error, line), "{log}");
        }
    }
}
