//! Links that scripts build, counted by what the source of a script looks like.

/// How many links a script seems to build: nobody can know without running it, but where there are any a reader
/// of links should know that these are not all.
///
/// Counted are, outside of comments, an assignment to what ends in `.href`, `.src` or `.action` or to `location`; a
/// call of `location.assign`, `location.replace`, `window.open`, `fetch` or `import`; of `setAttribute` with one of
/// the names `href`, `src` and `action`; and within strings and templates `href=`, `src=` and `action=` after a
/// blank, as in markup. What it takes for regular expressions is not known, so a quote in one may hide
/// what follows up to the end of its line.
///
/// Cost: one pass.
///
/// ```
/// use rehref::find::scripted_links;
///
/// let script = "a.href = base + '/x'; document.write('<img src=\"' + y + '\">'); // fetch(z)";
/// assert_eq!(scripted_links(script.as_bytes()), 2);
/// ```
pub fn scripted_links(script: &[u8]) -> usize {
    let mut count = 0;
    // The quote of the string that is open.
    let mut quote = None;
    let mut at = 0;
    while let Some(&byte) = script.get(at) {
        let rest = &script[at..];
        match (byte, quote) {
            (b'\\', _) => at += 1,
            (b'\'' | b'"' | b'`', None) => quote = Some(byte),
            (_, Some(open)) if byte == open => quote = None,
            // Only a template goes on after a line.
            (b'\n', Some(b'\'' | b'"')) => quote = None,
            (b'/', None) if rest.starts_with(b"//") => at += end_of(rest, b"\n"),
            (b'/', None) if rest.starts_with(b"/*") => at += end_of(rest, b"*/"),
            (b'h' | b's' | b'a', Some(_)) => {
                let is_attribute = is_after(script, at, |it| it.is_ascii_whitespace())
                    && NAMES.iter().any(|name| {
                        let after = rest.strip_prefix(*name);
                        after.is_some_and(|it| it.starts_with(b"="))
                    });
                count += usize::from(is_attribute);
            }
            (b'.', None) => {
                let is_set = NAMES.iter().any(|name| {
                    let after = rest[1..].strip_prefix(*name);
                    after.is_some_and(is_assigned)
                });
                count += usize::from(is_set);
            }
            (b'l' | b'w' | b'f' | b'i' | b's', None) if begins_name(script, at) => {
                count += usize::from(is_built(rest));
            }
            _ => {}
        }
        at += 1;
    }
    count
}

const NAMES: [&[u8]; 3] = [b"href", b"src", b"action"];

/// Whether a name begins here and with it something that leads elsewhere.
fn is_built(rest: &[u8]) -> bool {
    const CALLS: [&[u8]; 5] = [
        b"location.assign",
        b"location.replace",
        b"window.open",
        b"fetch",
        b"import",
    ];
    let call = |name: &[u8]| {
        let after = rest.strip_prefix(name)?.trim_ascii_start();
        Some(after.strip_prefix(b"(")?.trim_ascii_start())
    };
    if let Some(argument) = call(b"setAttribute") {
        let name = argument.get(1..).unwrap_or_default();
        return NAMES.iter().any(|it| {
            let after = name.strip_prefix(*it);
            after.is_some_and(|it| it.starts_with(b"'") || it.starts_with(b"\""))
        });
    }
    rest.strip_prefix(b"location").is_some_and(is_assigned)
        || CALLS.iter().any(|it| call(it).is_some())
}

/// Whether an assignment follows, and no comparison.
fn is_assigned(after: &[u8]) -> bool {
    let after = after.trim_ascii_start();
    let value = after.strip_prefix(b"=").or(after.strip_prefix(b"+="));
    value.is_some_and(|it| !it.starts_with(b"=") && !it.starts_with(b">"))
}

/// Whether a name begins at `at`; it may be that of a property.
fn begins_name(script: &[u8], at: usize) -> bool {
    let is_within = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'$') || it > 0x7F;
    !is_after(script, at, is_within)
}

fn is_after(script: &[u8], at: usize, what: impl Fn(u8) -> bool) -> bool {
    at.checked_sub(1).is_some_and(|before| what(script[before]))
}

/// How far it is to the last byte of `end`.
fn end_of(rest: &[u8], end: &[u8]) -> usize {
    let found = memchr::memmem::find(&rest[2..], end);
    found.map_or(rest.len(), |at| at + 1 + end.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_link_is_counted() {
        let cases = [
            ("a.href = b; c.src='d'; e.src += f", 3),
            ("if (a.href == b || c.src === d) f(a.href)", 0),
            ("location='x'; window.location = y; mylocation = z", 2),
            (
                "location.replace(x);location.assign (y);location.reload()",
                2,
            ),
            ("window.open(x); fetch(y); prefetch(z); import('m')", 3),
            ("e.setAttribute('href', x); e.setAttribute('class', y)", 1),
            ("w('<a href=\"' + x + '\" class=c><img src=y>')", 2),
            ("let href = 'x', src='y'", 0),
            ("// a.href = b\n/* c.src = d */ e.src = f", 1),
            ("'// ' + (a.href = b)", 1),
            ("'it\\'s' + `<form\n action=x>`", 1),
            ("'open\na.href = b", 1),
            ("/*", 0),
            ("\\", 0),
            ("", 0),
        ];
        for (script, count) in cases {
            assert_eq!(scripted_links(script.as_bytes()), count, "{script}");
        }
    }
}
