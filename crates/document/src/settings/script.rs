//! The literal values of configurations that are programs in JavaScript or TypeScript.
//!
//! Only the tokens are read: a value belongs to the key before it, and to those of the brackets
//! around it. Values that are computed are unknown.

use crate::bytes::Span;

/// A token of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'t> {
    /// A string, without its quotes. It has no escapes.
    Text(&'t str),
    /// A name, a keyword or a number.
    Word(&'t str),
    /// A sign of ASCII, or the quote of a string that is computed or has escapes.
    Mark(u8),
}

/// The literal values of a configuration, in order.
#[derive(Debug, Default)]
pub struct Literals<'t> {
    values: Vec<Literal<'t>>,
}

/// A value, or the beginning of an object or array.
#[derive(Debug)]
struct Literal<'t> {
    /// The keys of the objects around it, and its own. An item of an array has that of the array.
    /// The name of a variable is the first one.
    keys: Vec<&'t str>,
    is_in_variable: bool,
    /// `None` for an object or array.
    value: Option<Token<'t>>,
    /// The bytes of the value, without quotes.
    span: Span,
    role: LiteralRole,
}

/// The use of a literal value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiteralRole {
    /// The whole value of a key.
    Value,
    /// An item of an array.
    Item,
    /// A part of an expression, such as an argument of a function.
    Part,
}

/// The maximum number of values that are read.
const MOST_VALUES: usize = 200_000;

/// The maximum depth of keys.
const DEEPEST: usize = 16;

impl<'t> Literals<'t> {
    /// Reads a script. Linear in it.
    pub fn of(text: &'t str) -> Self {
        let mut values = Vec::new();
        let mut keys: Vec<&str> = Vec::new();
        // For each open bracket, the number of keys outside of it, and the bracket.
        let mut open: Vec<(usize, u8)> = Vec::new();
        let mut before = None;
        let mut tokens = tokens(text).into_iter().peekable();
        let mut key = None;
        let mut is_in_variable = false;
        while let Some((span, token)) = tokens.next() {
            let mark = tokens.peek().map(|it| it.1);
            let last = before.replace(token);
            match token {
                Token::Text(name) | Token::Word(name) if mark == Some(Token::Mark(b':')) => {
                    tokens.next();
                    key = Some(name);
                    continue;
                }
                Token::Word(name) if keys.is_empty() && mark == Some(Token::Mark(b'=')) => {
                    tokens.next();
                    key = Some(name);
                    is_in_variable = true;
                    continue;
                }
                Token::Mark(bracket @ (b'{' | b'[' | b'(')) => {
                    open.push((keys.len(), bracket));
                    if let Some(key) = key.filter(|_| keys.len() < DEEPEST) {
                        keys.push(key);
                        values.push(Literal {
                            keys: keys.clone(),
                            is_in_variable,
                            value: None,
                            span,
                            role: LiteralRole::Part,
                        });
                    }
                }
                Token::Mark(b'}' | b']' | b')') => {
                    keys.truncate(open.pop().map_or(0, |it| it.0));
                }
                Token::Mark(_) => {}
                Token::Text(_) | Token::Word(_) => {
                    let ends = |marks: &[u8]| match mark {
                        Some(Token::Mark(mark)) => marks.contains(&mark),
                        _ => true,
                    };
                    let is_item = matches!(open.last(), Some((_, b'[')))
                        && matches!(last, Some(Token::Mark(b'[' | b',')));
                    let role = match key {
                        Some(_) if ends(b",})];") => LiteralRole::Value,
                        None if is_item && ends(b",]") => LiteralRole::Item,
                        _ => LiteralRole::Part,
                    };
                    let keys: Vec<&str> = keys.iter().copied().chain(key).collect();
                    let is_in_variable = is_in_variable && !keys.is_empty();
                    values.push(Literal { keys, is_in_variable, value: Some(token), span, role });
                }
            }
            if values.len() > MOST_VALUES {
                break;
            }
            key = None;
            is_in_variable &= !keys.is_empty();
        }
        Self { values }
    }

    /// Returns true if all values of the script were read.
    pub fn is_whole(&self) -> bool {
        self.values.len() <= MOST_VALUES
    }

    fn at<'s>(&'s self, keys: &'s [&str]) -> impl Iterator<Item = Token<'t>> + 's {
        let found =
            self.values.iter().filter(move |it| it.keys[usize::from(it.is_in_variable)..] == *keys);
        found.filter_map(|it| it.value)
    }

    /// The first text with exactly these keys.
    pub fn text(&self, keys: &[&str]) -> Option<&'t str> {
        self.texts(keys).next()
    }

    /// The texts with exactly these keys.
    pub fn texts<'s>(&'s self, keys: &'s [&str]) -> impl Iterator<Item = &'t str> + 's {
        self.at(keys).filter_map(|it| match it {
            Token::Text(text) => Some(text),
            _ => None,
        })
    }

    /// The first truth value with exactly these keys.
    pub fn flag(&self, keys: &[&str]) -> Option<bool> {
        self.at(keys).find_map(|it| match it {
            Token::Word(word) => word.parse().ok(),
            _ => None,
        })
    }

    /// The texts of the object whose last keys are these, with their own keys.
    pub fn entries<'s>(
        &'s self,
        keys: &'s [&str],
    ) -> impl Iterator<Item = (&'t str, &'t str)> + 's {
        self.values.iter().filter_map(move |it| {
            let (own, above) = it.keys.split_last()?;
            match it.value {
                Some(Token::Text(text)) if above.ends_with(keys) => Some((*own, text)),
                _ => None,
            }
        })
    }

    /// The texts with all of their keys, their bytes without quotes, and their use.
    pub fn all_texts(&self) -> impl Iterator<Item = (&[&'t str], &'t str, Span, LiteralRole)> {
        self.values.iter().filter_map(|it| match it.value {
            Some(Token::Text(text)) => Some((it.keys.as_slice(), text, it.span, it.role)),
            _ => None,
        })
    }

    /// The texts of a key of objects, if the next value in the object is that of another key.
    pub fn before<'s>(&'s self, key: &'s str, next: &'s str) -> impl Iterator<Item = &'t str> + 's {
        self.values.windows(2).filter_map(move |pair| {
            let (own, above) = pair[0].keys.split_last()?;
            let (other, above_other) = pair[1].keys.split_last()?;
            match pair[0].value {
                Some(Token::Text(text))
                    if *own == key && *other == next && above == above_other =>
                {
                    Some(text)
                }
                _ => None,
            }
        })
    }

    /// Returns true if the object whose last keys are these has this key, or the function or
    /// variable of this name.
    pub fn names(&self, keys: &[&str], name: &str) -> bool {
        self.values.iter().any(|it| match it.keys.split_last() {
            Some((own, above)) if *own == name => above.ends_with(keys),
            _ => it.value == Some(Token::Word(name)) && it.keys.ends_with(keys),
        })
    }

    /// The keys of the objects in the object whose last keys are these.
    pub fn objects<'s>(&'s self, keys: &'s [&str]) -> impl Iterator<Item = &'t str> + 's {
        self.values.iter().filter_map(move |it| {
            let (own, above) = it.keys.split_last()?;
            (it.value.is_none() && above.ends_with(keys)).then_some(*own)
        })
    }
}

/// The tokens of a script with their bytes, without comments.
pub fn tokens(text: &str) -> Vec<(Span, Token<'_>)> {
    let bytes = text.as_bytes();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    let mut tokens: Vec<(Span, Token<'_>)> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = &text.as_bytes()[at..];
        let find = |end: &[u8]| memchr::memmem::find(rest, end).unwrap_or(rest.len());
        match byte {
            b'/' if rest.starts_with(b"//") => at += find(b"\n"),
            b'/' if rest.starts_with(b"/*") => at = (at + find(b"*/") + 2).min(bytes.len()),
            b'/' => {
                let before = tokens.last().map(|it| &it.1);
                let len = expression_len(rest, before).unwrap_or(1);
                tokens.push((Span::new(at, at + len), Token::Mark(byte)));
                at += len;
            }
            quote @ (b'"' | b'\'' | b'`') => {
                let mut end = at + 1;
                while bytes.get(end).is_some_and(|it| *it != quote) {
                    let is_escape = bytes[end] == b'\\';
                    end += 1 + usize::from(is_escape);
                }
                end = end.min(bytes.len());
                let value = text.get(at + 1..end).unwrap_or_default();
                let is_computed = quote == b'`' && value.contains("${");
                let token = match is_computed || value.contains('\\') {
                    true => Token::Mark(quote),
                    false => Token::Text(value),
                };
                tokens.push((Span::new(at + 1, end), token));
                at = end + 1;
            }
            byte if is_word(&byte) => {
                let len = rest.iter().take_while(|it| is_word(it)).count();
                tokens.push((Span::new(at, at + len), Token::Word(&text[at..at + len])));
                at += len;
            }
            byte => {
                if byte.is_ascii_punctuation() {
                    tokens.push((Span::new(at, at + 1), Token::Mark(byte)));
                }
                at += 1;
            }
        }
    }
    tokens
}

/// The maximum length of a regular expression.
const MOST_OF_EXPRESSION: usize = 1000;

/// The length of a regular expression after this token. `None` for another slash.
fn expression_len(rest: &[u8], before: Option<&Token<'_>>) -> Option<usize> {
    let may_begin = match before {
        None | Some(Token::Word("return")) => true,
        Some(Token::Mark(mark)) => !matches!(mark, b')' | b']' | b'}' | b'"' | b'\'' | b'`'),
        Some(_) => false,
    };
    if !may_begin {
        return None;
    }
    let rest = &rest[..rest.len().min(MOST_OF_EXPRESSION)];
    let mut is_in_class = false;
    let mut at = 1;
    loop {
        match rest.get(at)? {
            b'\n' => return None,
            b'/' if !is_in_class => return Some(at + 1),
            b'[' => is_in_class = true,
            b']' => is_in_class = false,
            b'\\' => at += 1,
            _ => {}
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_expressions_are_no_strings() {
        let text = "const r = /[/`\"\\]]+'/g, a = x.replace(/'/, '') / 2\nreturn /{\"/\nexport default { k: 'v', q: 4 / 2, s: 't' }";
        let literals = Literals::of(text);
        assert_eq!(literals.text(&["k"]), Some("v"));
        assert_eq!(literals.text(&["s"]), Some("t"));
        assert_eq!(Literals::of("{ a: / 'x',\nk: 'v' }").text(&["k"]), Some("v"));
    }

    #[test]
    fn literals_have_the_keys_around_them() {
        let text = "export default defineConfig({\n  base: '/p/', // base: '/no/'\n  'srcDir': \"src\",\n\
            cleanUrls: true, title: t, rewrites: { 'a/:b': ':b' },\n\
            integrations: [starlight({ locales: { root: { lang: 'en' }, de: { lang: 'de' } } })],\n\
            sidebar: [{ base: '/x/', items: ['q'] }] })";
        let literals = Literals::of(text);
        assert_eq!(literals.text(&["base"]), Some("/p/"));
        assert_eq!(literals.text(&["srcDir"]), Some("src"));
        assert_eq!(literals.text(&["title"]), None);
        assert_eq!(literals.flag(&["cleanUrls"]), Some(true));
        assert_eq!(literals.flag(&["base"]), None);
        assert_eq!(literals.text(&["sidebar", "base"]), Some("/x/"));
        let rewrites: Vec<_> = literals.entries(&["rewrites"]).collect();
        assert_eq!(rewrites, [("a/:b", ":b")]);
        let locales: Vec<_> = literals.objects(&["locales"]).collect();
        assert_eq!(locales, ["root", "de"]);
        let literals = Literals::of(
            "export const locales = { de: { lang: 'de' } };\nconst x = 'y', config = { base: '/p' }\n\
            const { a = 'b' } = c;\nmodule.exports = nextra({ b: 'q' })\n\
            (function () { d = e(); f = 1; g })",
        );
        assert_eq!(literals.objects(&["locales"]).collect::<Vec<_>>(), ["de"]);
        assert_eq!(literals.text(&["base"]), Some("/p"));
        assert_eq!(literals.text(&["b"]), Some("q"));
        for text in [
            "s: f",
            "s: (t) => t",
            "s",
            "s(t) { return t }, x: 1",
            "x: { y: 1 }, s: function () {}",
        ] {
            let text = format!("const c = {{ markdown: {{ a: {{ {text} }} }} }}");
            assert!(Literals::of(&text).names(&["a"], "s"), "{text}");
        }
        for text in ["a: { b: { s: f } }", "b: { s: f }", "a: 's'", "a: { t: f }", "s: f"] {
            assert!(!Literals::of(text).names(&["a"], "s"), "{text}");
        }
        let text = "x({ async r() { return [{ source: '/a', destination: '/b' }, { source: `/${c}`, destination: '/d' }, { source: '/e' }] } })";
        assert_eq!(Literals::of(text).before("source", "destination").collect::<Vec<_>>(), ["/a"]);
        for text in ["", "a: {b: 'c", "}])", "a: [", "`${", "/*", "a:"] {
            assert_eq!(Literals::of(text).text(&["a"]), None, "{text}");
        }
    }
}
