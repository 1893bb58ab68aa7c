//! Schemes without `//`, and the form that each requires, so that words before a colon are not read
//! as schemes. Where a standard defines the form, that form is required.

use super::chars::{Class, class, is_stop};

/// The number of bytes after the colon in which the required characters are searched.
const LOOK_AHEAD: usize = 256;

/// The form required after the colon of a scheme without `//`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Demand {
    /// One of these bytes somewhere.
    One(&'static [u8]),
    /// One of these strings at the start.
    Start(&'static [&'static str]),
    /// One of these words, without a path after it (RFC 6694).
    Word(&'static [&'static str]),
    /// At least three digits, with `+`, `-`, `.`, `(`, `)` among them, at the start.
    Digits,
    /// A path from the root, optionally with a drive letter (RFC 8089). `file:12:30`,
    /// `file:line:column` and `FILE:LINE` are places in files, and `file:amd64` is a package.
    Path,
    /// An address with its dots in valid places, or header fields (RFC 6068).
    Address,
    /// An optional media type and a comma (RFC 2397).
    Data,
    /// An article, a group of more than one word, or `*` (RFC 5538).
    News,
    /// A namespace name, and text after it (RFC 8141).
    Namespace,
    /// An authority, a comma and a date (RFC 4151).
    Tag,
    /// Two numbers (RFC 5870).
    Coordinates,
}

/// Schemes that are links without `//`: those of RFC 1738, and registered ones seen in text.
const OPAQUE: [(&str, Demand); 25] = [
    ("mailto", Demand::Address),
    ("news", Demand::News),
    ("file", Demand::Path),
    ("urn", Demand::Namespace),
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
    ("tag", Demand::Tag),
    ("geo", Demand::Coordinates),
    ("doi", Demand::Start(&["10."])),
    ("magnet", Demand::Start(&["?"])),
    ("matrix", Demand::Start(&["u/", "r/", "e/", "user/", "room/", "roomid/"])),
    ("bitcoin", Demand::One(b"0123456789?")),
    ("openpgp4fpr", Demand::One(b"0123456789")),
    ("opaquelocktoken", Demand::One(b"-")),
    ("thismessage", Demand::Start(&["/"])),
    ("about", Demand::Word(&["blank", "config", "srcdoc"])),
];

/// The first letters of the schemes in [`OPAQUE`], one bit each, by the length of the scheme.
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

/// More than the length of the longest scheme in [`OPAQUE`].
pub(super) const LONGEST: usize = OPAQUE_INITIALS.len();

/// The form required of a URL with this scheme and without `//`; `None` if the scheme needs `//`.
fn demand(scheme: &[u8]) -> Option<Demand> {
    let first = scheme.first()?.to_ascii_lowercase();
    let initials = OPAQUE_INITIALS.get(scheme.len())?;
    if !first.is_ascii_lowercase() || initials >> (first - b'a') & 1 == 0 {
        return None;
    }
    // Few words have the same beginning, and most schemes are in lower case.
    let is =
        |name: &[u8]| name[0] == first && (scheme == name || scheme.eq_ignore_ascii_case(name));
    let found = OPAQUE.iter().find(|(name, _)| is(name.as_bytes()));
    found.map(|(_, demand)| *demand)
}

/// Returns true if `scheme` may occur without `//`.
pub(super) fn is_known(scheme: &[u8]) -> bool {
    demand(scheme).is_some()
}

/// Returns true if `rest`, the text after the colon, is empty or an ellipsis: `<doi:...>`.
pub(super) fn is_elided(rest: &str) -> bool {
    rest.chars().all(|c| matches!(c, '.' | '…'))
}

/// Returns true for `mailto:` without an address. With spaces after it, this is how mailing list
/// archives obfuscate one: `mailto:someone at example.org`.
pub(super) fn lacks_address(scheme: &str, rest: &str) -> bool {
    is_mailto(scheme) && !rest.starts_with('?') && !rest.contains('@')
}

/// Returns true if `after`, the text after a `mailto:` without an address, continues an obfuscated
/// one.
pub(super) fn continues_obfuscated(after: &str) -> bool {
    [" at ", " (at) ", " [at] "].iter().any(|at| after.starts_with(at))
}

/// Returns true if `scheme:` and a single word are a URL where they are the whole text: `file:a`.
pub(super) fn may_be_word(scheme: &str, rest: &str) -> bool {
    let is_word = !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphanumeric());
    scheme.eq_ignore_ascii_case("file") && is_word
}

/// The length of the part of `rest`, the text after the colon of `scheme`, that belongs to the URL.
/// A `mailto` URL ends with the domain of an address, except before further addresses and header
/// fields (RFC 6068, section 2).
pub(super) fn addressed(scheme: &str, rest: &str) -> usize {
    match is_mailto(scheme) {
        true => addresses(rest).len(rest),
        false => rest.len(),
    }
}

/// Returns true if the part of a `mailto` URL that [`addressed`] returns does not depend on the
/// text after `rest`.
pub(super) fn ends_within(rest: &str) -> bool {
    match addresses(rest) {
        Addresses::End { seen, .. } => rest.len() - seen > LOOK_AHEAD,
        Addresses::Whole | Addresses::Unfinished(_) => false,
    }
}

/// Returns true for the scheme whose URLs are addresses.
pub(super) fn is_mailto(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("mailto")
}

/// The end of a `mailto` URL after its addresses.
enum Addresses {
    /// No end: header fields or other text belong to the URL.
    Whole,
    /// The URL ends after `len` bytes. The bytes up to `seen` decided that.
    End { len: usize, seen: usize },
    /// The URL ends after this number of bytes if the text ends there. More text may contain
    /// another address.
    Unfinished(usize),
}

impl Addresses {
    fn len(self, rest: &str) -> usize {
        match self {
            Self::Whole => rest.len(),
            Self::End { len, .. } | Self::Unfinished(len) => len,
        }
    }
}

fn addresses(rest: &str) -> Addresses {
    let to = rest.split('?').next().unwrap_or_default();
    let mut end = 0;
    loop {
        let Some(sign) = to[end..].find('@') else {
            // The text after a comma is an address or another sentence.
            return match end {
                0 => Addresses::Whole,
                end if to.len() < rest.len() => Addresses::End { len: end - 1, seen: to.len() },
                end => Addresses::Unfinished(end - 1),
            };
        };
        let domain = end + sign + 1;
        end = domain + domain_len(&rest[domain..]);
        if end == domain {
            return Addresses::Whole;
        }
        match rest.as_bytes().get(end) {
            Some(b',' | b';') => end += 1,
            Some(b'?' | b'#') | None => return Addresses::Whole,
            // `&quot;` is a character of a page, but `&subject=a` was meant as a header field.
            Some(b'&') if is_field(&rest.as_bytes()[end + 1..]) => return Addresses::Whole,
            Some(_) => {
                let name = rest[domain..end].trim_end_matches(['.', '-']);
                return Addresses::End { len: domain + name.len(), seen: end };
            }
        }
    }
}

/// Returns true if `text` begins with `name=`.
fn is_field(text: &[u8]) -> bool {
    let name = text.iter().take(LOOK_AHEAD);
    let name = name.take_while(|it| it.is_ascii_alphanumeric() || **it == b'-');
    let len = name.count();
    len > 0 && text.get(len) == Some(&b'=')
}

/// The length of the leading domain: a name, or an address in brackets.
fn domain_len(rest: &str) -> usize {
    if rest.starts_with('[') {
        return rest.find(']').map_or(0, |end| end + 1);
    }
    let part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '.' | '_' | '%');
    rest.find(|c| !part(c)).unwrap_or(rest.len())
}

/// Returns true if `scheme:` with `rest`, the text after the colon, is a link without `//`. `rest`
/// may be longer than the URL; then its beginning decides. Constant time.
pub(super) fn admits(scheme: &str, rest: &str) -> bool {
    if !rest.starts_with(|c| !is_stop(c) && c != ':') {
        return false;
    }
    let Some(demand) = demand(scheme.as_bytes()) else {
        return false;
    };
    let url = &rest.as_bytes()[..rest.len().min(LOOK_AHEAD)];
    let stop = url.iter().position(|byte| class(*byte) == Class::Stop);
    let url = &url[..stop.unwrap_or(url.len())];
    match demand {
        Demand::One(set) => url.iter().any(|byte| set.contains(byte)) && !has_choice(url),
        Demand::Start(starts) => starts.iter().any(|start| url.starts_with(start.as_bytes())),
        Demand::Word(words) => {
            let len = url.iter().take_while(|byte| byte.is_ascii_alphabetic());
            let (word, after) = url.split_at(len.count());
            let continues = matches!(after, [b'/' | b'-' | b'_' | b':' | b'0'..=b'9', ..]);
            !continues && words.iter().any(|it| it.as_bytes() == word)
        }
        Demand::Digits => {
            // `%28202%29%20366`
            let is_part = |byte: &u8| byte.is_ascii_digit() || b"+-.()%ABCDEFabcdef".contains(byte);
            let number = url.iter().take_while(|byte| is_part(byte));
            let starts = !url[0].is_ascii_alphabetic();
            starts && number.filter(|byte| byte.is_ascii_digit()).count() >= 3
        }
        Demand::Path => match url {
            [drive, b':' | b'|', b'/', ..] => drive.is_ascii_alphabetic(),
            _ => url[0] == b'/',
        },
        Demand::Address => {
            !matches!(url[0], b'#' | b'/' | b'|' | b'^' | b'$')
                && !has_misplaced_dots(url)
                && !has_choice(url)
        }
        Demand::Data => is_data(url),
        Demand::News => is_news(url),
        Demand::Namespace => is_name(url),
        Demand::Tag => is_tag(url),
        Demand::Coordinates => {
            let number = |number: &[u8]| {
                let digits = number.strip_prefix(b"-").unwrap_or(number);
                digits.first().is_some_and(u8::is_ascii_digit)
            };
            let mut numbers = url.splitn(2, |byte| *byte == b',');
            numbers.next().is_some_and(number) && numbers.next().is_some_and(number)
        }
    }
}

/// Returns true for an address with alternatives, as people hide it from programs:
/// `a@b.{com|org}`. None of these marks is valid in an address (RFC 6068, section 2; RFC 5122).
fn has_choice(url: &[u8]) -> bool {
    memchr::memchr(b'{', url).is_some_and(|open| {
        let mut inside = url[open..].iter().take_while(|byte| **byte != b'}');
        inside.any(|byte| *byte == b'|')
    })
}

/// Returns true if `url`, the text after the colon of `mailto`, begins with an address with
/// misplaced dots (RFC 5322, 3.2.3).
fn has_misplaced_dots(url: &[u8]) -> bool {
    let end = url.iter().position(|byte| matches!(byte, b'@' | b'?'));
    let Some(local) = end.filter(|end| url[*end] == b'@').and_then(|end| url.get(..end)) else {
        return false;
    };
    let doubled = local.windows(2).any(|pair| pair == b"..");
    local.starts_with(b".") || local.ends_with(b".") || doubled
}

/// `[ type "/" subtype ] *( ";" attribute "=" value ) [ ";base64" ] ","`
fn is_data(url: &[u8]) -> bool {
    let Some(comma) = memchr::memchr(b',', url) else {
        return false;
    };
    let is_token = |token: &[u8]| {
        let foreign = |byte: &u8| b"/=:;?@()[]".contains(byte);
        !token.is_empty() && !token.iter().any(foreign)
    };
    let mut pieces = url[..comma].split(|byte| *byte == b';');
    let media = pieces.next().unwrap_or_default();
    let mut types = media.splitn(2, |byte| *byte == b'/');
    let is_media = types.next().is_some_and(is_token) && types.next().is_some_and(is_token);
    (is_media || media.is_empty()) && pieces.all(|parameter| !parameter.is_empty())
}

/// A message id, a group name with a dot, or `*`, complete if it ends within [`LOOK_AHEAD`].
fn is_news(url: &[u8]) -> bool {
    if url.contains(&b'@') {
        return true;
    }
    let is_part =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"+-_.*%".contains(byte) || *byte >= 0x80;
    let len = url.iter().take_while(|byte| is_part(byte)).count();
    let (group, after) = url.split_at(len);
    let is_end = |byte: &u8| b".,;!?)]}'|".contains(byte);
    let name = group.iter().rposition(|byte| *byte != b'.').map_or(0, |last| last + 1);
    let group = &group[..name];
    let components = group.split(|byte| *byte == b'.');
    let is_group = group.contains(&b'.') && components.clone().all(|it| !it.is_empty());
    (is_group || group == b"*") && after.first().is_none_or(is_end)
}

/// A namespace name and `:`, with text after it.
fn is_name(url: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    let name = url.iter().take_while(|byte| is_part(byte)).count();
    url[0].is_ascii_alphanumeric() && url[name..].len() > 1 && url[name] == b':'
}

/// `authority "," year [ "-" month [ "-" day ]] ":"`. The colon may belong to the sentence.
fn is_tag(url: &[u8]) -> bool {
    let Some(comma) = memchr::memchr(b',', url) else {
        return false;
    };
    let (authority, rest) = (&url[..comma], &url[comma + 1..]);
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._@+%".contains(byte);
    let is_named = authority.iter().any(u8::is_ascii_alphanumeric) && authority.iter().all(is_part);
    let end = rest.iter().position(|byte| !(byte.is_ascii_digit() || *byte == b'-'));
    let (date, after) = rest.split_at(end.unwrap_or(rest.len()));
    let mut parts = date.split(|byte| *byte == b'-').map(<[u8]>::len);
    let is_date =
        parts.next() == Some(4) && parts.clone().count() <= 2 && parts.all(|digits| digits == 2);
    let is_end = |byte: &u8| b":#.,;!?)]}'|*".contains(byte);
    is_named && is_date && after.first().is_none_or(is_end)
}

/// Returns true if an unknown scheme may be that of a URL `<URL:scheme:rest>`. `rest` is the text
/// after the colon, without white space.
pub(super) fn admits_unknown(rest: &str) -> bool {
    let foreign = |c| matches!(c, '^' | '{' | '|' | '}' | '[' | ']') || is_stop(c);
    !is_elided(rest) && !rest.starts_with(':') && !rest.contains(foreign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_without_slashes_require_a_form() {
        for (scheme, rest) in [
            ("mailto", "a@b"),
            ("MAILTO", "?subject=x"),
            ("news", "comp.infosystems"),
            ("news", "comp.infosystems."),
            ("news", "*"),
            ("news", "*)"),
            ("news", "1@a"),
            ("urn", "isbn:0"),
            ("tel", "+49-30-1"),
            ("tel", "%28202%29%20366"),
            ("data", ",x"),
            ("data", "text/plain,x"),
            ("data", ";base64,x"),
            ("data", "text/plain;charset=utf-8;base64,x"),
            ("file", "/a"),
            ("file", "C:/a"),
            ("tag", "a@b.c,2005:x"),
            ("tag", "b.c,2005-01-31#"),
            ("tag", "b.c,2005-01"),
            ("geo", "-1.5,2"),
            ("about", "blank"),
            ("about", "blank)"),
            ("about", "blank#a"),
        ] {
            assert!(admits(scheme, rest), "{scheme}:{rest}");
        }
        for (scheme, rest) in [
            ("mailto", ""),
            ("mailto", "\u{a0}a"),
            ("mailto", " a"),
            ("mailto", "#1"),
            ("news", "we"),
            ("news", "*:1"),
            ("news", "a..b"),
            ("news", "a.b/c"),
            ("urn", "ashes"),
            ("urn", "a:"),
            ("urn", ":a"),
            ("tel", "12"),
            ("tel", "a123"),
            ("data", "the last"),
            ("data", "response,status"),
            ("data", "a/,x"),
            ("data", "/,x"),
            ("data", "a/b;,x"),
            ("data", ":a/b,x"),
            ("file", "line:col"),
            ("file", "function(5)"),
            ("file", "a"),
            ("file", "./a"),
            ("FILE", "LINE"),
            ("tag", "Owner,Values"),
            ("tag", "a,200:x"),
            ("tag", "a,2005-1:x"),
            ("tag", "a,2005-01-01-01:x"),
            ("tag", "a/b,2005:x"),
            ("geo", "lat,lon"),
            ("geo", "1"),
            ("about", "blanks"),
            ("about", "blank/a"),
            ("cid", "usize"),
            ("sip", "true"),
            ("file", "12:30"),
            ("http", "a"),
            ("Email", "a@b"),
            ("HTTP", ":Request"),
        ] {
            assert!(!admits(scheme, rest), "{scheme}:{rest}");
        }
    }

    #[test]
    fn mail_address_ends_with_its_domain() {
        let of = |rest: &'static str| &rest[..addressed("MailTo", rest)];
        assert_eq!(of("a@b/c?d"), "a@b");
        assert_eq!(of("a@b,c@d?e=/f"), "a@b,c@d?e=/f");
        assert_eq!(of("a@b,c@d|e"), "a@b,c@d");
        assert_eq!(of("a@b,c"), "a@b");
        assert_eq!(of("a@b&c=d"), "a@b&c=d");
        assert_eq!(of("a@b&quot;&gt;c@d"), "a@b");
        assert_eq!(of("a@b,[c]"), "a@b");
        assert_eq!(of("a@b.[c]"), "a@b");
        assert_eq!(of("a@[::1]b"), "a@[::1]");
        assert_eq!(of("a@b?c|d"), "a@b?c|d");
        assert_eq!(of("a@{b}"), "a@{b}");
        assert_eq!(of("a/b@c"), "a/b@c");
        assert_eq!(of("?to=a@b/"), "?to=a@b/");
        assert_eq!(of("a"), "a");
        assert_eq!(addressed("news", ".a@b/c"), 6);
    }

    #[test]
    fn misplaced_dots_reject_mailto() {
        for rest in [".a@b", "a.@b", "a..b@c"] {
            assert!(!admits("mailto", rest), "{rest}");
        }
        for rest in ["a.b@c", "a", "a@b..c", "?to=.a@b"] {
            assert!(admits("mailto", rest), "{rest}");
        }
    }

    #[test]
    fn prefixed_brackets_accept_any_scheme() {
        for rest in ["bar", "bar:1/ä?x", "bar/", "a@b"] {
            assert!(admits_unknown(rest), "{rest}");
        }
        for rest in ["", "...", ":vec", "b\"c", "{b}"] {
            assert!(!admits_unknown(rest), "{rest}");
        }
    }
}
