//! Schemes: where one starts, and which may stand without `//`.

use super::Iri;
use super::chars::{Class, class, class_of, is_stop, is_trimmed, label_len, letter_width};

/// The longest scheme looked for, in bytes; IANA's longest has 36.
const LOOK_BACK: usize = 64;

/// How far after the colon the characters that a scheme demands are looked for, in bytes.
const LOOK_AHEAD: usize = 256;

/// The schemes people write most before `://`, of two that end alike the longer first. A word ends in one of
/// these, not in a scheme of its own, where the writer forgot the blank: `end.http://a/`.
const COMMON: [&[u8]; 6] = [b"https", b"http", b"sftp", b"ftps", b"ftp", b"file"];

/// Hierarchical schemes whose URLs name a host always; others may have `///path`.
const WITH_HOST: [&str; 10] = [
    "http", "https", "ftp", "gopher", "nntp", "telnet", "wais", "prospero", "ws", "wss",
];

/// What must follow the colon of a scheme without `//` for prose not to look like it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Demand {
    /// Any URL character.
    Any,
    /// One of these bytes somewhere.
    One(&'static [u8]),
    /// This at the start.
    Start(&'static str),
    /// At least three digits, with `+`, `-`, `.`, `(`, `)` among them, at the start.
    Digits,
    /// A path: `file:12:30`, `file:line:column`, `FILE:LINE` are places in files, or stand for those.
    Path,
    /// An address, with its dots in their places.
    Address,
    /// A media type or none, and a comma (RFC 2397).
    Data,
}

/// Schemes that are links without `//`: RFC 1738's, and the registered ones seen in text.
const OPAQUE: [(&str, Demand); 25] = [
    ("mailto", Demand::Address),
    ("news", Demand::One(b".@*")),
    ("file", Demand::Path),
    ("urn", Demand::One(b":")),
    ("tel", Demand::Digits),
    ("sms", Demand::Digits),
    ("sip", Demand::One(b"@.")),
    ("sips", Demand::One(b"@.")),
    ("xmpp", Demand::One(b"@.")),
    ("im", Demand::One(b"@")),
    ("pres", Demand::One(b"@")),
    ("acct", Demand::One(b"@")),
    ("cid", Demand::One(b"@.")),
    ("mid", Demand::One(b"@")),
    ("data", Demand::Data),
    ("tag", Demand::One(b",")),
    ("geo", Demand::One(b",")),
    ("doi", Demand::Start("10.")),
    ("magnet", Demand::Start("?")),
    ("matrix", Demand::One(b"/")),
    ("bitcoin", Demand::Any),
    ("openpgp4fpr", Demand::Any),
    ("opaquelocktoken", Demand::Any),
    ("thismessage", Demand::Start("/")),
    ("about", Demand::Start("blank")),
];

/// Words that stand before a colon in angle brackets and are no schemes: the customary prefixes of
/// XML elements, and placeholders of synopses such as `<host:port>`.
const NO_SCHEMES: [&str; 26] = [
    "dc", "dcterms", "fo", "html", "math", "mml", "owl", "rdf", "rdfs", "soap", "soapenv", "st1",
    "svg", "wsdl", "xhtml", "xi", "xml", "xmlns", "xs", "xsd", "xsi", "xsl", "host", "user", "key",
    "name",
];

/// The bytes of schemes.
static SCHEME_BYTES: [bool; 256] = {
    let mut bytes = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let it = byte as u8;
        bytes[byte] = it.is_ascii_alphanumeric() || matches!(it, b'+' | b'.' | b'-');
        byte += 1;
    }
    bytes
};

#[inline]
pub(super) fn is_scheme_byte(byte: u8) -> bool {
    SCHEME_BYTES[usize::from(byte)]
}

fn is_any_of(word: &str, list: &[&str]) -> bool {
    list.iter().any(|other| word.eq_ignore_ascii_case(other))
}

/// Where the scheme before the colon at `colon` starts, looking back to `floor` at most.
///
/// It is the longest that stands there (RFC 3986, Section 3.1), except that a known one wins over the
/// word it is glued to by a dot, a hyphen, or as the letter of an escape (`\nhttp:`). A scheme does
/// not start within a word that starts with a digit. Constant time.
pub(super) fn start(bytes: &[u8], floor: usize, colon: usize) -> Option<usize> {
    // Most are these, after a character that is in no scheme.
    if bytes[colon..].starts_with(b"://") {
        for common in [&b"http"[..], b"https"] {
            let word = &bytes[floor..colon];
            if word.ends_with(common) {
                let before = word.len() - common.len();
                if before == 0 || !is_scheme_byte(word[before - 1]) {
                    return Some(floor + before);
                }
            }
        }
    }
    let limit = floor.max(colon.saturating_sub(LOOK_BACK));
    let run = bytes[limit..colon].iter().rev();
    let run_start = colon - run.take_while(|byte| is_scheme_byte(**byte)).count();
    let colour = match bytes[run_start..colon].first() {
        Some(b'0'..=b'9' | b'm') => after_colour(bytes, floor, run_start, colon),
        _ => None,
    };
    if let Some(start) = colour {
        return bytes[start..colon]
            .first()?
            .is_ascii_alphabetic()
            .then_some(start);
    }
    let is_start = |at: usize| {
        let glued = at > floor && bytes[at - 1].is_ascii_alphanumeric();
        bytes[at].is_ascii_alphabetic() && !glued
    };
    let mut start = match bytes[run_start..colon].first() {
        Some(first) if first.is_ascii_alphabetic() && run_start > limit => run_start,
        _ => (run_start..colon).find(|at| is_start(*at))?,
    };
    let word = &bytes[start..colon];
    if bytes.get(colon + 1) == Some(&b'/') && !matches!(word, b"http" | b"https") {
        start = unglued(bytes, floor, start, colon);
    }
    let word = &bytes[start..colon];
    // `URL:` is the prefix of RFC 1738; the others are programs, no places.
    let never = match word.len() {
        3 => &b"url"[..],
        8 => b"vbscript",
        10 => b"javascript",
        _ => return Some(start),
    };
    (!word.eq_ignore_ascii_case(never)).then_some(start)
}

/// Where the text goes on after the sequence that sets a colour on a terminal, if a scheme that was read
/// back to `run_start` begins with its end: `ESC [ 3 6 m`.
fn after_colour(bytes: &[u8], floor: usize, run_start: usize, colon: usize) -> Option<usize> {
    let end = bytes[run_start..colon]
        .iter()
        .position(|byte| *byte == b'm')?;
    let parameters = bytes[floor..run_start + end].iter().rev();
    let parameters = parameters.take_while(|byte| byte.is_ascii_digit() || **byte == b';');
    let introducer = (run_start + end).checked_sub(parameters.take(LOOK_BACK).count())?;
    bytes[floor..introducer]
        .ends_with(b"\x1B[")
        .then_some(run_start + end + 1)
}

/// Where the common scheme starts that the word `start..colon` ends in, or `start`.
fn unglued(bytes: &[u8], floor: usize, start: usize, colon: usize) -> usize {
    let ends_at = |common: &[u8]| {
        let at = colon.checked_sub(common.len()).filter(|at| *at >= start)?;
        bytes[at..colon].eq_ignore_ascii_case(common).then_some(at)
    };
    let Some(at) = COMMON.iter().find_map(|common| ends_at(common)) else {
        return start;
    };
    // `\nhttp:` in code; `\fIhttp:`, `\(lqhttp:` in manual pages.
    let before = &bytes[floor..start];
    let escaped =
        before.ends_with(b"\\") && at <= start + 2 || before.ends_with(b"\\(") && at == start + 2;
    let label = bytes[start..at]
        .iter()
        .rposition(|byte| matches!(byte, b'.' | b'-'));
    // `example.orghttp:`: no scheme has a dot and ends so; `x-xhttp:` may be one.
    let glued = label.is_some_and(|mark| start + mark + 1 == at || bytes[start + mark] == b'.');
    if escaped || glued { at } else { start }
}

/// Whether `text` starts with what begins a link: a scheme and `://`, or one that may stand without. Constant
/// time.
pub(super) fn starts_link(text: &[u8]) -> bool {
    let scheme = text.iter().take(OPAQUE_INITIALS.len());
    let scheme = &text[..scheme.take_while(|byte| is_scheme_byte(**byte)).count()];
    let is_opaque = || std::str::from_utf8(scheme).is_ok_and(is_opaque);
    starts_url(text) || text.get(scheme.len()) == Some(&b':') && is_opaque()
}

/// Whether `text` starts with a scheme and `://`, perhaps after `URL:`. Constant time.
pub(super) fn starts_url(text: &[u8]) -> bool {
    let text = match text.get(..4) {
        Some(word) if word.eq_ignore_ascii_case(b"URL:") => &text[4..],
        _ => text,
    };
    let scheme = text
        .iter()
        .take(LOOK_BACK)
        .take_while(|byte| is_scheme_byte(**byte))
        .count();
    text.first().is_some_and(u8::is_ascii_alphabetic) && text[scheme..].starts_with(b"://")
}

/// The first letters of the schemes in [`OPAQUE`], a bit each, by the scheme's length.
const OPAQUE_INITIALS: [u32; 16] = {
    let mut initials = [0; 16];
    let mut at = 0;
    while at < OPAQUE.len() {
        let name = OPAQUE[at].0.as_bytes();
        initials[name.len()] |= 1 << (name[0] - b'a');
        at += 1;
    }
    initials
};

/// What is demanded of a URL with this scheme and without `//`, if it is one of those that may be.
fn demand(scheme: &str) -> Option<Demand> {
    let first = scheme.bytes().next()?.to_ascii_lowercase();
    let initials = OPAQUE_INITIALS.get(scheme.len())?;
    if !first.is_ascii_lowercase() || initials >> (first - b'a') & 1 == 0 {
        return None;
    }
    let mut known = OPAQUE.iter();
    let found = known.find(|(name, _)| scheme.eq_ignore_ascii_case(name));
    found.map(|(_, demand)| *demand)
}

/// Whether `scheme` is one of those that stand without `//`.
pub(super) fn is_opaque(scheme: &str) -> bool {
    demand(scheme).is_some()
}

/// Whether `rest`, what follows the colon, is nothing or an ellipsis: `<doi:...>`.
pub(super) fn is_left_out(rest: &str) -> bool {
    rest.chars().all(|c| matches!(c, '.' | '…'))
}

/// Whether this is `mailto:` without an address. With blanks after it that is how archives of mailing
/// lists hide one: `mailto:someone at example.org`.
pub(super) fn lacks_address(scheme: &str, rest: &str) -> bool {
    scheme.eq_ignore_ascii_case("mailto") && !rest.starts_with('?') && !rest.contains('@')
}

/// Whether `rest`, what follows the colon of `mailto`, begins with an address that has dots where none may
/// be (RFC 5322, 3.2.3). Constant time.
fn has_misplaced_dots(rest: &str) -> bool {
    let address = &rest.as_bytes()[..rest.len().min(LOOK_AHEAD)];
    let mut ends = address.iter().enumerate();
    let end = ends.find(|(_, byte)| matches!(byte, b'@' | b'?') || class(**byte) == Class::Stop);
    let Some((end, b'@')) = end else {
        return false;
    };
    let local = &address[..end];
    let doubled = local.windows(2).any(|pair| pair == b"..");
    local.starts_with(b".") || local.ends_with(b".") || doubled
}

/// How much of `rest`, what follows the colon of `scheme`, belongs to the URL: of `mailto` not what
/// follows an address, but for other addresses and a query (RFC 6068, section 2).
pub(super) fn addressed(scheme: &str, rest: &str) -> usize {
    if !scheme.eq_ignore_ascii_case("mailto") {
        return rest.len();
    }
    let to = rest.split('?').next().unwrap_or_default();
    let domain = to.split_once('@').map(|(_, domain)| domain);
    let path = domain.and_then(|domain| Some(to.len() - domain.len() + domain.find('/')?));
    path.unwrap_or(rest.len())
}

/// Whether `rest`, what follows the colon of `scheme`, makes it a link though no `//` stands there.
/// Constant time.
pub(super) fn admits_opaque(scheme: &str, rest: &str) -> bool {
    if !rest.starts_with(|c| !is_stop(c)) {
        return false;
    }
    let Some(demand) = demand(scheme) else {
        return false;
    };
    let url = &rest.as_bytes()[..rest.len().min(LOOK_AHEAD)];
    let stop = url.iter().position(|byte| class(*byte) == Class::Stop);
    let url = &url[..stop.unwrap_or(url.len())];
    match demand {
        Demand::Any => true,
        Demand::One(set) => url.iter().any(|byte| set.contains(byte)),
        Demand::Start(start) => url.starts_with(start.as_bytes()),
        Demand::Digits => {
            let number = url.iter().take_while(|byte| {
                byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'(' | b')')
            });
            number.filter(|byte| byte.is_ascii_digit()).count() >= 3
        }
        Demand::Path => {
            let named = url[0].is_ascii_alphabetic() && scheme.starts_with('f');
            let place = url[1..].iter().any(|byte| b":(".contains(byte));
            b"/.~%_".contains(&url[0]) || named && !place || url.get(1..3) == Some(b":/")
        }
        Demand::Address => !has_misplaced_dots(rest),
        Demand::Data => {
            let kind = url.split(|byte| *byte == b',').next().unwrap_or_default();
            kind.len() < url.len() && (kind.is_empty() || kind.contains(&b'/') || kind[0] == b';')
        }
    }
}

/// Whether `scheme` may be that of a URL `<scheme:rest>` though neither `//` nor the table says so;
/// `rest` is what follows the colon, without white space.
///
/// Any is, says RFC 3986, Appendix C; but much else stands in angle brackets with a colon inside.
pub(super) fn admits_unknown(scheme: &str, rest: &str) -> bool {
    let foreign = |c| matches!(c, '@' | '^' | '{' | '|' | '}' | '[' | ']') || is_stop(c);
    scheme.len() > 1
        && !is_left_out(rest)
        && !rest.starts_with(':')
        && !rest.ends_with('/')
        && !rest.contains(foreign)
        && !is_any_of(scheme, &NO_SCHEMES)
}

/// The authority of a URL, as far as the search cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Authority<'t> {
    /// It itself, as far as it is looked at.
    pub(super) text: &'t str,
    /// Where its host begins, after a userinfo if it has one.
    pub(super) host: usize,
    /// Whether all its characters are plain.
    pub(super) is_plain: bool,
    /// Whether a label of its host is empty but for the last.
    has_empty_label: bool,
}

/// How far an authority is looked at, in bytes. Some schemes have more than a host in it.
const AUTHORITY: usize = 4096;

impl<'t> Authority<'t> {
    /// What `rest` starts with. Linear in the length of the authority.
    pub(super) fn at_start(rest: &'t str) -> Self {
        let bytes = &rest.as_bytes()[..rest.len().min(AUTHORITY)];
        let mut authority = Self {
            text: "",
            host: 0,
            is_plain: true,
            has_empty_label: false,
        };
        let mut at = 0;
        loop {
            at += label_len(bytes.get(at..).unwrap_or_default());
            let Some(&byte) = bytes.get(at) else { break };
            at += match (byte, class(byte)) {
                (b'/' | b'?' | b'#', _) | (_, Class::Stop) => break,
                (b'.', _) => {
                    let dots = bytes[at..].iter().take_while(|byte| **byte == b'.').count();
                    // What ends in dots stands before an ellipsis.
                    let after = bytes.get(at + dots);
                    let ends = after.is_none_or(|after| {
                        matches!(after, b'/' | b'?' | b'#') || class(*after) == Class::Stop
                    });
                    authority.has_empty_label |= dots > 1 && !ends;
                    dots
                }
                (b'@', _) => {
                    authority.host = at + 1;
                    authority.has_empty_label = false;
                    1
                }
                (_, Class::Wide) => match letter_width(&bytes[at..]) {
                    0 => match rest[at..].chars().next() {
                        Some(c) if !is_stop(c) => {
                            authority.is_plain = false;
                            c.len_utf8()
                        }
                        _ => break,
                    },
                    width => {
                        authority.is_plain = false;
                        width
                    }
                },
                _ => {
                    authority.is_plain = false;
                    1
                }
            };
        }
        authority.text = rest.get(..at).unwrap_or(rest);
        authority
    }

    /// The userinfo is left out, a port is not.
    pub(super) fn host(&self) -> &'t str {
        self.text.get(self.host..).unwrap_or_default()
    }

    pub(super) fn has_user(&self) -> bool {
        self.host > 0
    }

    /// Whether its host starts like one, and no label is empty.
    pub(super) fn has_host(&self) -> bool {
        !self.has_empty_label && may_be_host(self.host())
    }
}

/// The authority that `rest`, what follows `scheme://`, starts with, or `None` if that is no URL: a
/// light check that turns away templates (`http://$HOST/`, `http://%s/`) and ellipses, not names that
/// no DNS would hold.
///
/// An empty user is fine (RFC 1738, Section 3.1), an empty host only where a path follows and the
/// scheme may do without.
pub(super) fn authority<'t>(scheme: &str, rest: &'t str) -> Option<Authority<'t>> {
    let authority = Authority::at_start(rest);
    let path = &rest[authority.text.len()..];
    // `C:////x` is a path.
    if scheme.len() == 1 && authority.text.is_empty() {
        return None;
    }
    let is_file = scheme.len() == 4 && scheme.eq_ignore_ascii_case("file");
    let holds = if authority.text.is_empty() {
        let goes_on = |path: &str| is_file || path.starts_with(|c| !is_stop(c));
        !is_any_of(scheme, &WITH_HOST) && path.strip_prefix('/').is_some_and(goes_on)
    } else if is_file {
        // `file://../a` is wrong and common: what was meant is clear.
        path.starts_with('/') || !authority.host().chars().all(|c| is_trimmed(c, Iri::Auto))
    } else {
        authority.has_host()
    };
    holds.then_some(authority)
}

/// Whether a host may start like this.
fn may_be_host(host: &str) -> bool {
    let Some(first) = host.chars().next() else {
        return false;
    };
    match first {
        '[' => host[1..]
            .split_once(']')
            .is_some_and(|(address, _)| is_address(address)),
        '%' => host
            .as_bytes()
            .get(1..3)
            .is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)),
        '_' | '+' => true,
        _ if first.is_ascii() => first.is_ascii_alphanumeric(),
        _ => class_of(first, Iri::Auto) == Class::Plain && !is_trimmed(first, Iri::Auto),
    }
}

/// An address in brackets (RFC 3986, Section 3.2.2), with a zone (RFC 6874).
fn is_address(address: &str) -> bool {
    let (address, _zone) = address.split_once('%').unwrap_or((address, ""));
    let is_v6 = |c: char| c.is_ascii_hexdigit() || matches!(c, ':' | '.');
    (address.contains(':') && address.chars().all(is_v6)) || address.starts_with(['v', 'V'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scheme_starts_at_its_word() {
        let scheme = |text: &'static str| {
            let colon = text.len() - 1;
            start(format!("{text}//").as_bytes(), 0, colon).map(|start| &text[start..colon])
        };
        assert_eq!(scheme("see http:"), Some("http"));
        assert_eq!(scheme("svn+ssh:"), Some("svn+ssh"));
        assert_eq!(scheme("-http:"), Some("http"));
        assert_eq!(scheme("1.http:"), Some("http"));
        assert_eq!(scheme("1abc:"), None);
        assert_eq!(scheme("end.http:"), Some("http"));
        assert_eq!(scheme("example.orghttps:"), Some("https"));
        assert_eq!(scheme("x.sftp:"), Some("sftp"));
        assert_eq!(scheme("ms-xhttp:"), Some("ms-xhttp"));
        assert_eq!(scheme("ms-settings:"), Some("ms-settings"));
        assert_eq!(scheme("xhttp:"), Some("xhttp"));
        assert_eq!(scheme("\\nhttp:"), Some("http"));
        assert_eq!(scheme("\\fIhttps:"), Some("https"));
        assert_eq!(scheme("\\f5https:"), Some("https"));
        assert_eq!(scheme("\\(lqftp:"), Some("ftp"));
        assert_eq!(scheme("\x1B[1;36mhttp:"), Some("http"));
        assert_eq!(scheme("\x1B[mftp:"), Some("ftp"));
        assert_eq!(scheme("x36mhttp:"), Some("x36mhttp"));
        assert_eq!(scheme("看http:"), Some("http"));
        assert_eq!(
            scheme("......................................................................http:"),
            Some("http")
        );
        assert_eq!(
            scheme("a23456789012345678901234567890123456789012345678901234567890123456789:"),
            None
        );
        assert_eq!(scheme("JavaScript:"), None);
        assert_eq!(scheme("URL:"), None);
        assert_eq!(scheme("12:"), None);
        assert_eq!(scheme(":"), None);
    }

    #[test]
    fn the_floor_is_not_crossed() {
        assert_eq!(start(b"http:", 2, 4), Some(2));
        assert_eq!(start(b"http:", 4, 4), None);
    }

    #[test]
    fn schemes_without_slashes_have_demands() {
        for (scheme, rest) in [
            ("mailto", "a@b"),
            ("MAILTO", "?subject=x"),
            ("news", "comp.infosystems"),
            ("news", "*"),
            ("urn", "isbn:0"),
            ("tel", "+49-30-1"),
            ("data", ",x"),
            ("data", "text/plain,x"),
            ("data", ";base64,x"),
            ("file", "/a"),
            ("file", "a"),
            ("file", "./a"),
            ("file", "C:/a"),
            ("file", "a/b"),
            ("about", "blank"),
        ] {
            assert!(admits_opaque(scheme, rest), "{scheme}:{rest}");
        }
        for (scheme, rest) in [
            ("mailto", ""),
            ("mailto", "\u{a0}a"),
            ("mailto", " a"),
            ("news", "we"),
            ("urn", "ashes"),
            ("tel", "12"),
            ("data", "the last"),
            ("data", "response,status"),
            ("file", "line:col"),
            ("file", "function(5)"),
            ("FILE", "LINE"),
            ("cid", "usize"),
            ("sip", "true"),
            ("file", "12:30"),
            ("http", "a"),
            ("Email", "a@b"),
            ("HTTP", ":Request"),
        ] {
            assert!(!admits_opaque(scheme, rest), "{scheme}:{rest}");
        }
    }

    #[test]
    fn an_address_ends() {
        let of = |rest: &'static str| &rest[..addressed("MailTo", rest)];
        assert_eq!(of("a@b/c?d"), "a@b");
        assert_eq!(of("a@b,c@d?e=/f"), "a@b,c@d?e=/f");
        assert_eq!(of("a/b@c"), "a/b@c");
        assert_eq!(of("?to=a@b/"), "?to=a@b/");
        assert_eq!(of("a"), "a");
        assert_eq!(addressed("news", ".a@b/c"), 6);
    }

    #[test]
    fn an_address_has_dots_between_others() {
        for rest in [".a@b", "a.@b", "a..b@c"] {
            assert!(!admits_opaque("mailto", rest), "{rest}");
        }
        for rest in ["a.b@c", "a", "a@b..c", "?to=.a@b"] {
            assert!(admits_opaque("mailto", rest), "{rest}");
        }
    }

    #[test]
    fn brackets_admit_what_looks_like_a_uri() {
        assert!(admits_unknown("foo", "bar"));
        assert!(admits_unknown("foo", "bar:1/ä?x"));
        for (scheme, rest) in [
            ("foo", ""),
            ("doi", "..."),
            ("std", ":vec"),
            ("a", "b"),
            ("foo", "bar@b"),
            ("foo", "bar/"),
            ("foo", "b\"c"),
            ("xsl", "template"),
            ("host", "port"),
        ] {
            assert!(!admits_unknown(scheme, rest), "{scheme}:{rest}");
        }
    }

    #[test]
    fn hosts_are_checked_lightly() {
        for (scheme, rest) in [
            ("http", "a/"),
            ("http", "a..."),
            ("http", "a_b:80"),
            ("http", "_x"),
            ("ftp", "@host/"),
            ("ftp", "foo:@host/"),
            ("http", "[::1]:80/"),
            ("http", "[fe80::1%25eth0]/"),
            ("http", "[v1.x]"),
            ("http", "中国"),
            ("http", "✪foo"),
            ("http", "%C3%BC.de"),
            ("file", "/"),
            ("file", "../x"),
            ("foo", "/bar"),
        ] {
            assert!(authority(scheme, rest).is_some(), "{scheme}://{rest}");
        }
        for (scheme, rest) in [
            ("http", ""),
            ("http", "/"),
            ("http", "/a"),
            ("http", "?a"),
            ("http", ".a"),
            ("http", "-a.b"),
            ("http", "a..b"),
            ("http", ":80"),
            ("http", "user@"),
            ("http", "[host]"),
            ("http", "$HOST/"),
            ("http", "%s/"),
            ("http", "{host}/"),
            ("http", "*:80"),
            ("http", "…"),
            ("foo", "/"),
            ("file", ""),
            ("file", "..."),
        ] {
            assert!(authority(scheme, rest).is_none(), "{scheme}://{rest}");
        }
    }

    #[test]
    fn a_url_is_told_by_its_first_bytes() {
        assert!(starts_url(b"http://"));
        assert!(starts_url(b"url:http://"));
        assert!(!starts_url(b"http:/a"));
        assert!(!starts_url(b"1http://"));
        assert!(!starts_url(b"://"));
        assert!(!starts_url(b""));
    }
}
