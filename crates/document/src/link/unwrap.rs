//! URIs that mail gateways substitute for the original ones.
//!
//! A gateway that checks links when they are followed rewrites them: each points to the gateway and
//! contains the original URI. So do the redirectors of some sites. No specification exists. This
//! module follows the decoders that Microsoft and Proofpoint publish, and URIs in real mail.
//!
//! * Safe Links, also of Teams, Barracuda, Symantec, Google, Facebook and Instagram: a parameter of
//!   the query, percent-encoded ([`GATEWAYS`]).
//! * Sophos: the parameter `u` in base64. The parameter `d` is only the host.
//! * Cisco: a token, and the URI as the next segment of the path, percent-encoded.
//! * URL Defense 1: the parameter `u`, percent-encoded.
//! * URL Defense 2: the same with `-` for `%` and `_` for `/`.
//! * URL Defense 3: `/v3/__` and the URI, in which `*` replaces characters that mail programs might
//!   change. These characters follow after `__;` in base64, then `!` and data of the gateway.

use mail_parser::decoders::base64::base64_decode;

use crate::bytes::percent;
use crate::uri::Parts;

/// The maximum number of nested wraps to undo.
const MAX_NESTED: usize = 5;

/// A gateway or redirector that puts the original URI into a parameter.
struct Gateway {
    host: Host,
    /// The beginning of its path.
    path: &'static str,
    /// The names of the parameter.
    parameters: &'static [&'static str],
}

/// The hosts of a gateway.
enum Host {
    One(&'static str),
    /// This one and its subdomains.
    Below(&'static str),
    /// `google.com`, `www.google.co.uk` and others.
    Google,
}

const fn gateway(host: Host, path: &'static str, parameters: &'static [&'static str]) -> Gateway {
    Gateway { host, path, parameters }
}

const GATEWAYS: [Gateway; 14] = [
    // Safe Links.
    gateway(Host::Below("safelinks.protection.outlook.com"), "", &["url"]),
    gateway(Host::Below("safelinks.protection.office365.us"), "", &["url"]),
    gateway(Host::Below("safelinks.protection.partner.outlook.cn"), "", &["url"]),
    gateway(Host::One("statics.teams.cdn.office.net"), "/evergreen-assets/safelinks/", &["url"]),
    gateway(Host::One("statics.teams.microsoft.com"), "/evergreen-assets/safelinks/", &["url"]),
    // Barracuda Link Protection.
    gateway(Host::One("linkprotect.cudasvc.com"), "/url", &["a"]),
    // Symantec Click-time Protection.
    gateway(Host::One("clicktime.symantec.com"), "", &["u"]),
    gateway(Host::One("clicktime.cloud.postoffice.net"), "", &["u"]),
    gateway(Host::Google, "/url", &["q", "url"]),
    gateway(Host::One("l.facebook.com"), "/l.php", &["u"]),
    gateway(Host::One("lm.facebook.com"), "/l.php", &["u"]),
    gateway(Host::One("www.facebook.com"), "/l.php", &["u"]),
    gateway(Host::One("l.instagram.com"), "", &["u"]),
    gateway(Host::One("l.messenger.com"), "/l.php", &["u"]),
];

/// The domain below which Sophos has a host for each region.
const SOPHOS: Host = Host::Below("protection.sophos.com");

const CISCO: Host = Host::One("secure-web.cisco.com");

/// The hosts of URL Defense.
const URL_DEFENSE: [&str; 3] = ["urldefense.proofpoint.com", "urldefense.com", "urldefense.us"];

/// Returns the original URI of a link wrapped by a mail gateway (Safe Links, URL Defense and others)
/// or a redirector (Google, Facebook). None if `uri` is not wrapped, is damaged, or does not contain
/// the whole original.
///
/// Undoes up to five nested wraps. The result has the scheme `http`,
/// `https`, `ftp` or `mailto`. Spaces, control characters and bytes that are not UTF-8 are
/// percent-encoded, since URIs cannot contain them.
///
/// ```
/// use rehref_document::link::unwrapped;
///
/// let wrapped = "https://urldefense.com/v3/__https://a.example/b*c__;Iw!!x!y$";
/// assert_eq!(unwrapped(wrapped).as_deref(), Some("https://a.example/b#c"));
/// assert_eq!(unwrapped("https://a.example/"), None);
/// ```
pub fn unwrapped(uri: &str) -> Option<String> {
    let mut found = unwrapped_once(uri)?;
    for _ in 1..MAX_NESTED {
        let Some(next) = unwrapped_once(&found) else {
            break;
        };
        found = next;
    }
    Some(found)
}

fn unwrapped_once(uri: &str) -> Option<String> {
    let parts = Parts::split(uri);
    if !parts.is_web() {
        return None;
    }
    let host = parts.host()?;
    let target = if is_url_defense(host) {
        of_url_defense(uri, parts)?
    } else if SOPHOS.is(host) {
        of_sophos(parameter(parts, "u")?)?
    } else if CISCO.is(host) {
        of_cisco(uri, parts)?
    } else {
        let gateway = GATEWAYS.iter().find(|it| it.host.is(host))?;
        let mut values = gateway.parameters.iter().filter_map(|name| parameter(parts, name));
        let value = values.find(|value| !value.is_empty())?;
        decoded(value).filter(|_| parts.path.starts_with(gateway.path))?
    };
    let target = to_text(&target);
    leads_anywhere(&target).then_some(target)
}

/// Undoes percent-encoding. `None` if an escape is incomplete: the value was cut.
fn decoded(value: &str) -> Option<Vec<u8>> {
    let is_whole = |at: usize| {
        let digits = value.as_bytes().get(at + 1..at + 3);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    let is_complete = memchr::memchr_iter(b'%', value.as_bytes()).all(is_whole);
    is_complete.then(|| percent::decode(value).into_owned())
}

/// The URI in base64, whose padding may be absent. Sophos encodes what was percent-encoded, too.
fn of_sophos(value: &str) -> Option<Vec<u8>> {
    let base64 = decoded(value)?;
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(byte);
    let digits = base64.trim_ascii_end().iter().take_while(|byte| is_digit(byte)).count();
    let (digits, padding) = base64.trim_ascii_end().split_at(digits);
    if digits.len() % 4 == 1 || padding.iter().any(|byte| *byte != b'=') {
        return None;
    }
    let digits: Vec<u8> = digits.iter().map(|byte| standard_digit(*byte)).collect();
    base64_decode(&digits)
}

/// A digit of base64url as one of base64.
fn standard_digit(digit: u8) -> u8 {
    match digit {
        b'-' => b'+',
        b'_' => b'/',
        other => other,
    }
}

/// The URI in the path after a token. Some mail programs decode it, so that it is the whole rest.
fn of_cisco(uri: &str, parts: Parts<'_>) -> Option<Vec<u8>> {
    let (_, wrapped) = parts.path.strip_prefix('/')?.split_once('/')?;
    match leads_anywhere(wrapped) {
        true => Some(uri.as_bytes()[uri.find(wrapped)?..].to_vec()),
        false => decoded(wrapped),
    }
}

fn of_url_defense(uri: &str, parts: Parts<'_>) -> Option<Vec<u8>> {
    if parts.path.starts_with("/v3/__") {
        // The wrapped URI may have a query and a fragment, so it is the whole rest.
        let (_, wrapped) = uri.split_once("/v3/__")?;
        return version_3(wrapped);
    }
    let value = parameter(parts, "u")?;
    let decoded = match parts.path.get(..4)? {
        "/v1/" => percent::decode(value).into_owned(),
        "/v2/" => {
            let value = value.replace('-', "%").replace('_', "/");
            percent::decode(&value).into_owned()
        }
        _ => return None,
    };
    // These gateways wrapped attribute values without decoding them.
    let text = String::from_utf8(decoded);
    Some(match text {
        Ok(text) => text.replace("&amp;", "&").into_bytes(),
        Err(error) => error.into_bytes(),
    })
}

/// Unwraps `URI__;BASE64!...`.
fn version_3(wrapped: &str) -> Option<Vec<u8>> {
    // The last separator: a nested wrap contains one, too.
    let (uri, rest) = wrapped.rsplit_once("__;")?;
    let base64 = rest.split_once('!').map_or(rest, |(base64, _)| base64);
    let base64: Vec<u8> = base64.bytes().map(standard_digit).collect();
    let characters = base64_decode(&base64)?;
    // Some programs merge the two slashes.
    let uri = match uri.split_once(":/") {
        Some((scheme, rest)) if is_scheme(scheme) && !rest.starts_with('/') => {
            format!("{scheme}://{rest}")
        }
        _ => uri.to_owned(),
    };
    // The gateway also replaces `%`, so an escape that is present was added later.
    expand(&percent::decode(&uri), &characters)
}

/// Restores the replaced characters: one for `*`, and for `**` the number that the letter after it
/// encodes.
///
/// Counts bytes of UTF-8, as the gateway does, although a run may end inside a character.
/// Proofpoint's published decoder counts whole characters; that is used if only that count matches.
fn expand(uri: &[u8], characters: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(characters).ok();
    let wanted = Tokens { rest: uri }.try_fold(0, |sum, token| match token {
        Token::Plain(_) => Some(sum),
        Token::Run(count) => Some(sum + count?),
    })?;
    let by_character = text.filter(|it| wanted != it.len() && wanted == it.chars().count());
    let mut left = characters;
    let mut out = Vec::with_capacity(uri.len() + characters.len());
    for token in (Tokens { rest: uri }) {
        let count = match token {
            Token::Plain(byte) => {
                out.push(byte);
                continue;
            }
            Token::Run(count) => count?,
        };
        let len = match by_character {
            Some(_) => {
                let begins = |byte: &u8| byte & 0xC0 != 0x80;
                let mut starts = left.iter().enumerate().filter(|(_, byte)| begins(byte));
                starts.nth(count).map_or(left.len(), |(at, _)| at)
            }
            None => count,
        };
        let (run, after) = left.split_at_checked(len)?;
        out.extend_from_slice(run);
        left = after;
    }
    Some(out)
}

/// A token of a URI of version 3.
enum Token {
    Plain(u8),
    /// The number of replaced characters. None if the count is invalid.
    Run(Option<usize>),
}

struct Tokens<'u> {
    rest: &'u [u8],
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let (token, rest) = match self.rest {
            [] => return None,
            [b'*', b'*', count, rest @ ..] => (Token::Run(run_len(*count)), rest),
            [b'*', b'*'] => (Token::Run(None), &[][..]),
            [b'*', rest @ ..] => (Token::Run(Some(1)), rest),
            [byte, rest @ ..] => (Token::Plain(*byte), rest),
        };
        self.rest = rest;
        Some(token)
    }
}

/// The number of characters that `**` and `letter` replace: a base64url digit, counted from 2.
fn run_len(letter: u8) -> Option<usize> {
    let digit = match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    };
    Some(usize::from(digit) + 2)
}

/// The value of the first query parameter called `name`. Separators may still be character
/// references (`&amp;`).
fn parameter<'u>(parts: Parts<'u>, name: &str) -> Option<&'u str> {
    let pairs = parts.query?.split('&').map(|pair| {
        let pair = pair.strip_prefix("amp;").unwrap_or(pair);
        pair.split_once('=').unwrap_or((pair, ""))
    });
    let mut of_name = pairs.filter(|(key, _)| key.eq_ignore_ascii_case(name));
    of_name.next().map(|(_, value)| value)
}

/// Returns true if [`unwrapped`] may have a result for URLs with this host.
pub(crate) fn is_gateway(host: &str) -> bool {
    let is_one = GATEWAYS.iter().any(|it| it.host.is(host));
    is_one || is_url_defense(host) || SOPHOS.is(host) || CISCO.is(host)
}

fn is_url_defense(host: &str) -> bool {
    URL_DEFENSE.iter().any(|it| host.eq_ignore_ascii_case(it))
}

impl Host {
    /// Returns true if `host` is one of these.
    fn is(&self, host: &str) -> bool {
        match self {
            Self::One(name) => host.eq_ignore_ascii_case(name),
            Self::Below(name) => {
                let below = host.len().checked_sub(name.len());
                let end = below.and_then(|at| host.get(at..));
                end.is_some_and(|it| it.eq_ignore_ascii_case(name))
                    && below.is_some_and(|at| at == 0 || host[..at].ends_with('.'))
            }
            Self::Google => {
                let host = strip_ignoring_case(host, "www.").unwrap_or(host);
                let domain = strip_ignoring_case(host, "google.");
                domain.is_some_and(|domain| {
                    let mut names = domain.split('.');
                    let is_name = |name: &str| name.bytes().all(|it| it.is_ascii_alphabetic());
                    // A country, possibly after `co` or `com`.
                    domain.eq_ignore_ascii_case("com")
                        || names.clone().count() <= 2
                            && names.clone().all(|it| (2..=3).contains(&it.len()) && is_name(it))
                            && names.next_back().is_some_and(|it| it.len() == 2)
                })
            }
        }
    }
}

fn strip_ignoring_case<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let start = text.get(..prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then(|| &text[prefix.len()..])
}

/// Decodes `bytes` as UTF-8, percent-encoding spaces, control characters and invalid bytes.
fn to_text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\0'..=' ' | '\x7F' => percent::encode_byte(character as u8, &mut text),
                _ => text.push(character),
            }
        }
        for &byte in chunk.invalid() {
            percent::encode_byte(byte, &mut text);
        }
    }
    text
}

/// Returns true if `uri` has a scheme that is used for links in mail, and a target after it.
fn leads_anywhere(uri: &str) -> bool {
    let parts = Parts::split(uri);
    if has_scheme(parts, &["http", "https", "ftp"]) {
        return parts.host().is_some_and(|host| !host.is_empty());
    }
    has_scheme(parts, &["mailto"]) && (!parts.path.is_empty() || parts.query.is_some())
}

fn has_scheme(parts: Parts<'_>, schemes: &[&str]) -> bool {
    let is_one = |scheme: &str| schemes.iter().any(|it| scheme.eq_ignore_ascii_case(it));
    parts.scheme.is_some_and(is_one)
}

fn is_scheme(text: &str) -> bool {
    let is_scheme_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    !text.is_empty() && text.bytes().all(is_scheme_byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SAFE: &str = "eur01.safelinks.protection.outlook.com";

    fn safe(target: &str) -> String {
        let mut out = format!("https://{SAFE}/?url=");
        target.bytes().for_each(|byte| percent::encode_byte(byte, &mut out));
        out + "&data=05%7C01&reserved=0"
    }

    fn version_2(target: &str) -> String {
        let mut out = String::from("https://urldefense.proofpoint.com/v2/url?u=");
        for byte in target.bytes() {
            match byte {
                b'/' => out.push('_'),
                b'.' => out.push('.'),
                byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
                byte => out.push_str(&format!("-{byte:02X}")),
            }
        }
        out + "&d=DwIDaQ&c=x&e="
    }

    #[test]
    fn safe_links_are_unwrapped() {
        let target = "https://a.example/b?c=d&e=%41#f";
        for host in [
            SAFE,
            "safelinks.protection.outlook.com",
            "GCC02.SafeLinks.Protection.Outlook.com:443",
            "x.safelinks.protection.office365.us",
            "x.safelinks.protection.partner.outlook.cn",
        ] {
            for before in ["?url=", "?x=y&url=", "?x=y&amp;url=", "ap/t-1/?URL="] {
                let wrapped = safe(target).replace(SAFE, host).replace("?url=", before);
                assert_eq!(unwrapped(&wrapped).as_deref(), Some(target), "{wrapped}");
            }
        }
        let amp = "http://x.safelinks.protection.outlook.com/?data=1&amp;url=http%3A%2F%2Fa.example%2F&amp;sdata=";
        assert_eq!(unwrapped(amp).as_deref(), Some("http://a.example/"));
    }

    #[test]
    fn url_defense_1_and_2_are_unwrapped() {
        for (wrapped, target) in [
            (
                "https://urldefense.proofpoint.com/v2/url?u=https-3A__mablab.org_survey_index.php_759774-3Flang-3Den&d=DwIDaQ&c=x",
                "https://mablab.org/survey/index.php/759774?lang=en",
            ),
            (
                "https://urldefense.com/v2/url?u=http-3A__a.example_b-5Fc-2Dd-2520-3Fe-26amp-3Bf&amp;d=x",
                "http://a.example/b_c-d%20?e&f",
            ),
            (
                "https://urldefense.proofpoint.com/v1/url?u=http%3A%2F%2Fa.example%2Fb-c_d&k=x%3D%0A&r=y",
                "http://a.example/b-c_d",
            ),
            (
                "https://urldefense.proofpoint.com/v1/url?u=http://a.example/&amp;k=x&amp;r=y",
                "http://a.example/",
            ),
        ] {
            assert_eq!(unwrapped(wrapped).as_deref(), Some(target), "{wrapped}");
        }
    }

    #[test]
    fn url_defense_3_is_unwrapped() {
        for (wrapped, target) in [
            ("__https://a.example/__;!!x!y$", "https://a.example/"),
            ("__https://a.example/?q=1&r#f__;!!x!y$", "https://a.example/?q=1&r#f"),
            ("__https:/a.example/__;!!x!y$", "https://a.example/"),
            ("__http://a.example/_b__c__;!!x", "http://a.example/_b__c"),
            ("__https://a.example/?q=a*b__;Kw!-x!y$", "https://a.example/?q=a+b"),
            ("__https://a.example/*2F*41__;JSU!!x!y$", "https://a.example/%2F%41"),
            ("__https://a.example/**Aa*__;w60j!!x!y$", "https://a.example/\u{ed}a#"),
            ("__https://a.example/**C__;w60jIw!!x!y$", "https://a.example/\u{ed}##"),
            ("__https://a.example/**E__;5L2g5aW9!!x!y$", "https://a.example/\u{4f60}\u{597d}"),
            // Counted in characters: three, not five.
            ("__https://a.example/**B__;w78_w74!!x!y$", "https://a.example/\u{ff}?\u{fe}"),
            ("__https://a.example/**D__;w78_w74!!x!y$", "https://a.example/\u{ff}?\u{fe}"),
            ("__https://a.example/*b__;Kg==!!x!y$", "https://a.example/*b"),
            ("__mailto:u@a.example__;!!x!y$", "mailto:u@a.example"),
            ("__https://a.example/%5Bb%5D__;!!x", "https://a.example/[b]"),
            ("__https://a.example/*__;IA!!x", "https://a.example/%20"),
        ] {
            for host in ["urldefense.com", "URLDEFENSE.us:443", "urldefense.proofpoint.com"] {
                let wrapped = format!("https://{host}/v3/{wrapped}");
                assert_eq!(unwrapped(&wrapped).as_deref(), Some(target), "{wrapped}");
            }
        }
        let long = "IyMj".repeat(22) + "Iw";
        let wrapped = format!("https://urldefense.com/v3/__http://a.example/**_**__;{long}!!x");
        assert_eq!(unwrapped(&wrapped), None, "a run without a count");
        let wrapped = format!("https://urldefense.com/v3/__http://a.example/**_**A__;{long}!!x");
        let target = format!("http://a.example/{}", "#".repeat(67));
        assert_eq!(unwrapped(&wrapped), Some(target));
    }

    #[test]
    fn other_gateways_are_unwrapped() {
        let target = "https://a.example/b?c=d&e=%41#f";
        let mut encoded = String::new();
        target.bytes().for_each(|byte| percent::encode_byte(byte, &mut encoded));
        let lower = encoded.replace('%', "%25").to_lowercase().replace("%25", "%");
        for wrapped in [
            format!("https://linkprotect.cudasvc.com/url?a={lower}&c=E,1,x&typo=1"),
            format!("https://secure-web.cisco.com/1AbC-d_e/{encoded}"),
            format!("https://secure-web.cisco.com/1AbC-d_e/{target}"),
            format!("https://clicktime.symantec.com/15xVc?h=x=&u={encoded}"),
            format!("https://clicktime.cloud.postoffice.net/clicktime.php?U={encoded}&E=x"),
            format!("https://www.google.com/url?sa=t&q={encoded}&sa=D&usg=x"),
            format!("https://www.google.co.uk/url?sa=t&rct=j&q=&esrc=s&url={encoded}&usg=x"),
            format!("http://google.de/url?q={encoded}"),
            format!("https://l.facebook.com/l.php?u={encoded}&h=AT0x&s=1"),
            format!("https://lm.facebook.com/l.php?u={encoded}&amp;h=AT0x"),
            format!("https://www.facebook.com/l.php?u={encoded}"),
            format!("https://l.instagram.com/?u={encoded}&e=x"),
            format!(
                "https://statics.teams.cdn.office.net/evergreen-assets/safelinks/1/atp-safelinks.html?url={encoded}&locale=en-us&dest=https%3A%2F%2Fteams.microsoft.com%2F"
            ),
        ] {
            assert_eq!(unwrapped(&wrapped).as_deref(), Some(target), "{wrapped}");
        }
        // Only a part of it is encoded.
        let symantec = "https://clicktime.symantec.com/15x?h=y=&u=https://a.example/b?c%3Dd";
        assert_eq!(unwrapped(symantec).as_deref(), Some("https://a.example/b?c=d"));
        for base64 in [
            "aHR0cHM6Ly9hLmV4YW1wbGUvYj9jPWQ=",
            "aHR0cHM6Ly9hLmV4YW1wbGUvYj9jPWQ",
            "aHR0cHM6Ly9hLmV4YW1wbGUvYj9jPWQ%3D",
        ] {
            for path in ["?", "/?"] {
                let sophos = format!(
                    "https://eu-west-1.protection.sophos.com{path}d=a.example&u={base64}&i=x&t=y&h=z"
                );
                assert_eq!(
                    unwrapped(&sophos).as_deref(),
                    Some("https://a.example/b?c=d"),
                    "{sophos}"
                );
            }
        }
    }

    #[test]
    fn no_target_is_invented() {
        for uri in [
            "https://linkprotect.cudasvc.com/url?b=https%3A%2F%2Fa.example%2F",
            "https://linkprotect.cudasvc.com/url?a=https%3a%2f%2fa.example%2",
            "https://linkprotect.cudasvc.com/other?a=https%3a%2f%2fa.example%2f",
            "https://secure-web.cisco.com/1AbC",
            "https://secure-web.cisco.com/1AbC/",
            "https://secure-web.cisco.com/1AbC/a.example",
            "https://secure-web.cisco.com/1AbC/https%3A%2F%2Fa.example%2",
            "https://eu.protection.sophos.com/?d=a.example&i=x",
            "https://eu.protection.sophos.com/?d=a.example&u=https%3A%2F%2Fa.example",
            "https://eu.protection.sophos.com/?d=a.example&u=YS5leGFtcGxl",
            "https://eu.protection.sophos.com/?d=a.example&u=aHR0cHM6Ly9hLmV4YW1wbGUvY",
            "https://clicktime.symantec.com/15x?h=y",
            "https://www.google.com/search?q=https%3A%2F%2Fa.example%2F",
            "https://www.google.com/url?q=a.example",
            "https://www.google.com/url?q=/search",
            "https://www.google.a.example/url?q=https%3A%2F%2Fa.example%2F",
            "https://docs.google.com/url?q=https%3A%2F%2Fa.example%2F",
            "https://www.google.example/url?q=https%3A%2F%2Fa.example%2F",
            "https://www.facebook.com/sharer.php?u=https%3A%2F%2Fa.example%2F",
            "https://statics.teams.cdn.office.net/other?url=https%3A%2F%2Fa.example%2F",
        ] {
            assert_eq!(unwrapped(uri), None, "{uri}");
        }
    }

    #[test]
    fn nested_wraps_are_undone() {
        let target = "https://a.example/b_c?d-e=f";
        let third = |target: &str| format!("https://urldefense.com/v3/__{target}__;!!x!y$");
        assert_eq!(unwrapped(&third(&third(target))).as_deref(), Some(target));
        assert_eq!(unwrapped(&safe(&third(target))).as_deref(), Some(target));
        assert_eq!(unwrapped(&version_2(&safe(target))).as_deref(), Some(target));
        assert_eq!(unwrapped(&third(&version_2(target))).as_deref(), Some(target));
        let deep = (0..7).fold(target.to_owned(), |it, _| third(&it));
        assert_eq!(unwrapped(&deep), Some(third(&third(target))), "five times");
    }

    #[test]
    fn other_and_damaged_urls_are_not_unwrapped() {
        for uri in [
            "",
            "https://a.example/",
            "https://a.example/?url=https%3A%2F%2Fb.example%2F",
            "https://xsafelinks.protection.outlook.com/?url=https%3A%2F%2Fb.example%2F",
            "https://safelinks.protection.outlook.com.a.example/?url=https%3A%2F%2Fb.example%2F",
            "https://x.safelinks.protection.outlook.com/",
            "https://x.safelinks.protection.outlook.com/?data=x",
            "https://x.safelinks.protection.outlook.com/?url=",
            "https://x.safelinks.protection.outlook.com/?url=b.example",
            "https://x.safelinks.protection.outlook.com/?url=javascript%3Ax",
            "https://x.safelinks.protection.outlook.com/?url=https%3A%2F",
            "ftp://x.safelinks.protection.outlook.com/?url=https%3A%2F%2Fb.example%2F",
            "https://\u{e9}.example/?url=x",
            "https://urldefense.com/",
            "https://urldefense.com/v2/url?d=x",
            "https://urldefense.com/v2/url?u=https-3A",
            "https://urldefense.com/v4/url?u=https-3A__a.example_",
            "https://urldefense.com/v3/",
            "https://urldefense.com/v3/__https://a.example/",
            "https://urldefense.com/v3/____;!!x",
            "https://urldefense.com/v3/__b.example__;!!x",
            "https://urldefense.com/v3/__https://a.example/*b*__;Iw!!x",
            "https://urldefense.com/v3/__https://a.example/*b__;!!x",
            "https://urldefense.com/v3/__https://a.example/*b__;\u{e9}!!x",
            "https://urldefense.com/v3/__https://a.example/**~__;IyMj!!x",
            "https://urldefense.com/\u{e9}?u=x",
        ] {
            assert_eq!(unwrapped(uri), None, "{uri}");
        }
    }

    proptest! {
        #[test]
        fn wrapped_urls_are_restored(path in "[!-~]{0,30}") {
            let target = format!("https://a.example/{path}");
            prop_assert_eq!(unwrapped(&safe(&target)), Some(target.clone()));
            let amp = target.replace("&amp;", "&");
            prop_assert_eq!(unwrapped(&version_2(&target)), Some(amp));
        }

        #[test]
        fn arbitrary_input_does_not_panic(
            host in proptest::sample::select(vec![
                "urldefense.com", "x.safelinks.protection.outlook.com", "secure-web.cisco.com",
                "x.protection.sophos.com", "www.google.com",
            ]),
            rest in "(/v[123]/(__|url\\?u=)|\\?url=|/1/|/url\\?q=|\\?u=)?[*A-_%;!é-]{0,20}(__;)?[A-Za-z!*]{0,10}",
        ) {
            for scheme in ["", "http://a.example/", "https:/a.example/*"] {
                unwrapped(&format!("https://{host}{}", rest.replacen("__", &format!("__{scheme}"), 1)));
            }
        }
    }
}
