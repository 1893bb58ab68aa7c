//! Estimates the number of links that scripts build, from their source.

use super::token::Attribute;
use crate::bytes::Span;
use crate::link::ParsedLink;

/// Estimates the number of links that a script builds. The exact number is unknown without running
/// it, but a positive estimate shows that the links of the page are not complete.
///
/// Outside of comments, this counts an assignment to something that ends in `.href`, `.src` or
/// `.action`, or to `location`; a call of `location.assign`, `location.replace`, `window.open`,
/// `fetch` or `import`; and a call of `setAttribute` with `href`, `src` or `action`. It counts the
/// path of a module that is imported or exported, as in `from './x.js'`. Within strings
/// and templates it counts `href=`, `src=` and `action=` after white space, as in markup. Regular
/// expressions are not recognized, so a quote in one may hide the rest of its line.
///
/// Cost: one pass.
///
/// ```
/// use rehref_document::format::html::scripted_links;
///
/// let script = "a.href = base + '/x'; document.write('<img src=\"' + y + '\">'); // fetch(z)";
/// assert_eq!(scripted_links(script.as_bytes()), 2);
/// ```
pub fn scripted_links(script: &[u8]) -> usize {
    let mut count = 0;
    each_link(script, &mut |link| count += usize::from(!matches!(link, Scripted::ImportCall(_))));
    count
}

/// The paths of the modules that a script imports or exports from: `import './x.js'`,
/// `export * from "../y.js"`, `import('/z.js')`. Bare names are not paths. Escapes are not decoded.
///
/// ```
/// use rehref_document::format::html::module_imports;
///
/// let script = b"import a from './a.js'; import b from 'b'; // import '/c.js'";
/// let paths: Vec<&[u8]> = module_imports(script).iter().map(|it| &script[it.range()]).collect();
/// assert_eq!(paths, [b"./a.js"]);
/// ```
pub fn module_imports(script: &[u8]) -> Vec<Span> {
    let mut imports = Vec::new();
    each_link(script, &mut |link| match link {
        Scripted::Import(span) | Scripted::ImportCall(span) => imports.push(span),
        Scripted::Built => {}
    });
    imports
}

/// A link in a script.
enum Scripted {
    /// The path of an imported module.
    Import(Span),
    /// That of a call of `import`, which is a [`Built`](Self::Built) link, too.
    ImportCall(Span),
    /// A link that the script builds.
    Built,
}

/// Passes the links in a script.
fn each_link(script: &[u8], found: &mut dyn FnMut(Scripted)) {
    let mut at = 0;
    while let Some(next) = script[at..].iter().position(|&byte| RELEVANT[byte as usize]) {
        at += next;
        let rest = &script[at..];
        at += match rest[0] {
            b'\\' => 2,
            b'/' if rest.starts_with(b"//") => 1 + end_of(rest, b"\n"),
            b'/' if rest.starts_with(b"/*") => 1 + end_of(rest, b"*/"),
            quote @ (b'\'' | b'"' | b'`') => {
                let (len, links) = string(&rest[1..], quote);
                (0..links).for_each(|_| found(Scripted::Built));
                let end = at + len;
                if script.get(end) == Some(&quote)
                    && let Some(import) = import(&script[..at], Span::new(at + 1, end), &rest[1..])
                {
                    found(import);
                }
                1 + len
            }
            b'=' => {
                if is_assignment(&script[..at], &rest[1..]) {
                    found(Scripted::Built);
                }
                1
            }
            b'(' => {
                if is_call(&script[..at], &rest[1..]) {
                    found(Scripted::Built);
                }
                1
            }
            _ => 1,
        };
        // An escape at the end may be incomplete.
        at = at.min(script.len());
    }
}

/// The bytes that matter in a program here.
const RELEVANT: [bool; 256] = {
    let mut relevant = [false; 256];
    let bytes = b"\\'\"`/=(";
    let mut at = 0;
    while at < bytes.len() {
        relevant[bytes[at] as usize] = true;
        at += 1;
    }
    relevant
};

const NAMES: [&[u8]; 3] = [b"href", b"src", b"action"];

/// The length of the string that is open here, with its end, and the number of attributes in it
/// that are probably links.
fn string(text: &[u8], quote: u8) -> (usize, usize) {
    let (mut at, mut count) = (0, 0);
    loop {
        let found = memchr::memchr3(quote, b'\\', b'=', &text[at..]);
        let next = found.map_or(text.len(), |found| at + found);
        // Only a template continues after a line break.
        let line = memchr::memchr(b'\n', &text[at..next]).filter(|_| quote != b'`');
        if let Some(line) = line {
            return (at + line + 1, count);
        }
        match text.get(next) {
            None => return (next, count),
            Some(b'\\') => at = (next + 2).min(text.len()),
            Some(b'=') => {
                count += usize::from(is_attribute(&text[..next]));
                at = next + 1;
            }
            Some(_) => return (next + 1, count),
        }
    }
}

/// Returns true if the text before a `=` in a string ends with the name of a link attribute.
fn is_attribute(before: &[u8]) -> bool {
    NAMES.iter().any(|name| {
        let before = before.strip_suffix(*name).unwrap_or_default();
        before.last().is_some_and(u8::is_ascii_whitespace)
    })
}

/// Returns true if the `=` between these two assigns to a link and is not part of a comparison.
fn is_assignment(before: &[u8], after: &[u8]) -> bool {
    if matches!(after.first(), Some(b'=' | b'>')) {
        return false;
    }
    let place = before.strip_suffix(b"+").unwrap_or(before);
    let place = place.trim_ascii_end();
    let is_property = |name: &&[u8]| {
        let object = place.strip_suffix(*name);
        object.is_some_and(|it| it.ends_with(b"."))
    };
    NAMES.iter().any(is_property) || ends_with_name(place, b"location")
}

/// Returns true if the `(` between these two calls a function that follows a link.
fn is_call(before: &[u8], after: &[u8]) -> bool {
    const CALLS: [&[u8]; 5] =
        [b"location.assign", b"location.replace", b"window.open", b"fetch", b"import"];
    let function = before.trim_ascii_end();
    if ends_with_name(function, b"setAttribute") {
        let argument = after.trim_ascii_start();
        let name = argument.get(1..).unwrap_or_default();
        return NAMES.iter().any(|it| {
            let after = name.strip_prefix(*it);
            after.is_some_and(|it| it.starts_with(b"'") || it.starts_with(b"\""))
        });
    }
    CALLS.iter().any(|name| ends_with_name(function, name))
}

/// The import of the string at `span`, if it is the path of a module. `before` is the script before
/// its quote, and `after` after it. A bare name is not a path.
fn import(before: &[u8], span: Span, after: &[u8]) -> Option<Scripted> {
    let before = before.trim_ascii_end();
    if ![&b"./"[..], b"../", b"/"].iter().any(|it| after.starts_with(it)) {
        return None;
    }
    if ends_with_name(before, b"from") || ends_with_name(before, b"import") {
        return Some(Scripted::Import(span));
    }
    let call = before.strip_suffix(b"(")?.trim_ascii_end();
    ends_with_name(call, b"import").then_some(Scripted::ImportCall(span))
}

/// Returns true if the last name, which may be that of a property, is `name`.
fn ends_with_name(text: &[u8], name: &[u8]) -> bool {
    let is_within = |it: &u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'$' | 0x80..);
    let before = text.strip_suffix(name);
    before.is_some_and(|before| !before.last().is_some_and(is_within))
}

/// The distance to the last byte of `end`.
fn end_of(rest: &[u8], end: &[u8]) -> usize {
    let found = memchr::memmem::find(&rest[2..], end);
    found.map_or(rest.len(), |at| at + 1 + end.len())
}

/// Returns true if a `script` element of this type contains a program.
pub(super) fn is_program(kind: &str) -> bool {
    let kind = kind.trim().to_ascii_lowercase();
    matches!(&*kind, "" | "module")
        || ["javascript", "ecmascript", "jscript"].iter().any(|it| kind.contains(it))
}

/// Estimates the number of links that the event handlers and `javascript:` URLs of a tag build.
/// `links` are those of the tag.
pub(super) fn links_of_tag(
    bytes: &[u8],
    attributes: &[Attribute],
    links: &[ParsedLink<'_>],
) -> usize {
    const SCHEME: &str = "javascript:";
    let handlers = attributes.iter().filter(|it| {
        let name = &bytes[it.name.range()];
        matches!(name, [b'o' | b'O', b'n' | b'N', _, ..])
    });
    let handlers = handlers.map(|it| scripted_links(&bytes[it.value.range()]));
    let urls = links.iter().filter_map(|link| {
        let scheme = link.reference.get(..SCHEME.len())?;
        let is_code = scheme.eq_ignore_ascii_case(SCHEME);
        is_code.then(|| scripted_links(&link.reference.as_bytes()[SCHEME.len()..]))
    });
    handlers.sum::<usize>() + urls.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_have_their_paths() {
        let script = "import './a.js'\nimport x from 'x'; export {y} from \"../b.js\"; import('/c.js');\
            /* import './no' */ f('./no'); `import './no'`; import './open";
        let paths = module_imports(script.as_bytes());
        let paths: Vec<&str> = paths.iter().map(|it| &script[it.range()]).collect();
        assert_eq!(paths, ["./a.js", "../b.js", "/c.js"]);
    }

    #[test]
    fn likely_links_are_counted() {
        let cases = [
            ("a.href = b; c.src='d'; e.src += f", 3),
            ("if (a.href == b || c.src === d) f(a.href)", 0),
            ("location='x'; window.location = y; mylocation = z", 2),
            ("location.replace(x);location.assign (y);location.reload()", 2),
            ("window.open(x); fetch(y); prefetch(z); import('m')", 3),
            ("e.setAttribute('href', x); e.setAttribute('class', y)", 1),
            ("w('<a href=\"' + x + '\" class=c><img src=y>')", 2),
            ("let href = 'x', src='y'", 0),
            ("import {a} from './a.js'; export * from \"../b.js\"; import '/c.js'", 3),
            ("import {a} from 'a'; xfrom './a.js'; from = './a.js'", 0),
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
