//! Links in formulas of spreadsheets.
//!
//! A string that is the first argument of a function such as `HYPERLINK` (ISO 29500-1, section
//! 18.17.7; OpenFormula, section 6.18.7), and the quoted name of a file before `#`, as in
//! `'file:///d/b.ods'#$Sheet1.A1`.

use std::ops::Range;

/// The functions whose first argument is a URL.
const FUNCTIONS: [&str; 3] = ["HYPERLINK", "IMAGE", "WEBSERVICE"];

/// A link in a formula.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FormulaLink {
    /// The place in the formula, without quotes.
    pub(super) place: Range<usize>,
    pub(super) reference: String,
    /// The quotes around it.
    pub(super) quote: u8,
    /// The name of the function. `None` for the name of a file.
    pub(super) function: Option<&'static str>,
    /// True if the formula appends more to it.
    pub(super) is_composed: bool,
}

/// The links in a formula. Cost: linear.
pub(super) fn links(formula: &str) -> Vec<FormulaLink> {
    let mut links = Vec::new();
    let mut at = 0;
    while let Some(next) = formula[at..].find(['"', '\'']) {
        let open = at + next;
        let quote = formula.as_bytes()[open];
        let Some(close) = closing_quote(formula, open + 1, quote) else {
            break;
        };
        let place = open + 1..close;
        let after = &formula[close + 1..];
        at = close + 1;
        if place.is_empty() {
            continue;
        }
        let function = match quote {
            b'"' => function_before(&formula[..open]),
            _ if after.starts_with('#') => None,
            _ => continue,
        };
        if quote == b'"' && function.is_none() {
            continue;
        }
        let place = match function {
            Some("HYPERLINK") => file_in_brackets(formula, place),
            _ => place,
        };
        let quoted = char::from(quote).to_string();
        links.push(FormulaLink {
            reference: formula[place.clone()].replace(&quoted.repeat(2), &quoted),
            place,
            quote,
            function,
            is_composed: after.trim_start().starts_with('&'),
        });
    }
    links
}

/// The offset of the quote that ends a string. A doubled quote is one in the string.
fn closing_quote(formula: &str, start: usize, quote: u8) -> Option<usize> {
    let mut at = start;
    loop {
        let found = at + memchr::memchr(quote, &formula.as_bytes()[at..])?;
        if formula.as_bytes().get(found + 1) != Some(&quote) {
            return Some(found);
        }
        at = found + 2;
    }
}

/// The function whose first argument begins after this text.
fn function_before(text: &str) -> Option<&'static str> {
    let name = text.trim_end().strip_suffix('(')?;
    let before = name.trim_end_matches(|it: char| it.is_ascii_alphabetic());
    let name = &name[before.len()..];
    let is_name_of_another = before.ends_with(|it: char| it.is_alphanumeric() || it == '_');
    let found = FUNCTIONS.into_iter().find(|it| it.eq_ignore_ascii_case(name));
    found.filter(|_| !is_name_of_another)
}

/// The file of a `[file]place`, which Excel reads as a place in another file.
fn file_in_brackets(formula: &str, place: Range<usize>) -> Range<usize> {
    let text = &formula[place.clone()];
    match text.strip_prefix('[').and_then(|it| it.find(']')) {
        Some(len @ 1..) => place.start + 1..place.start + 1 + len,
        _ => place,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_first_arguments_and_names_of_files() {
        for (formula, expected) in [
            (r#"HYPERLINK("http://h/a","t")"#, &["http://h/a"][..]),
            (r#"of:=HYPERLINK("http://h/a";"t")"#, &["http://h/a"]),
            (r#"=IF(A1,hyperlink( "http://h/""q"""),"http://h/no")"#, &["http://h/\"q\""]),
            (r#"HYPERLINK("[\\srv\s\b.xlsx]Sheet1!A1")"#, &[r"\\srv\s\b.xlsx"]),
            (
                r#"_xlfn.IMAGE("http://h/i")&_xlfn.WEBSERVICE("http://h/w")"#,
                &["http://h/i", "http://h/w"],
            ),
            (r#"COM.MICROSOFT.WEBSERVICE("http://h/w")"#, &["http://h/w"]),
            ("of:=['file:///d/b''s.ods'#$Sheet1.A1]+'Sheet 2'!A1", &["file:///d/b's.ods"]),
            (r#"MYHYPERLINK("http://h/a")+X_HYPERLINK("b")"#, &[]),
            (r#"HYPERLINK(A1,"http://h/a")"#, &[]),
            (r#"HYPERLINK("")+"HYPERLINK(""http://h/a"")""#, &[]),
            (r#"HYPERLINK("http://h/a"#, &[]),
        ] {
            let found: Vec<_> = links(formula).into_iter().map(|it| it.reference).collect();
            assert_eq!(found, expected, "{formula}");
        }
        let composed: Vec<_> = links(r#"HYPERLINK("http://h/" & A1)+HYPERLINK("b")"#)
            .into_iter()
            .map(|it| it.is_composed)
            .collect();
        assert_eq!(composed, [true, false]);
    }
}
