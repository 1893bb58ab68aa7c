//! Destinations that a template engine fills in.

/// Returns true for a reference that is not the text that readers get: it contains `{{`, `{%`, `{<` or `${`, or begins with
/// an alias: `@site/` of Docusaurus, or `@/` of Zola and of bundlers. Its target is unknown.
pub fn is_template(reference: &str) -> bool {
    let bytes = reference.as_bytes();
    let is_opening = |at: usize| match bytes[at] {
        b'{' => matches!(bytes.get(at + 1), Some(b'{' | b'%' | b'<')),
        _ => bytes.get(at + 1) == Some(&b'{'),
    };
    ["@site/", "@/", "pathname://"]
        .iter()
        .any(|it| reference.starts_with(it))
        || memchr::memchr2_iter(b'{', b'$', bytes).any(is_opening)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_recognized() {
        for template in [
            "{{ site.url }}/a",
            "{% link a.md %}",
            "a/${x}.md",
            "{{< ref \"a\" >}}",
            "@site/a.md",
            "@/a.md",
            "pathname:///a.pdf",
            "x{{",
        ] {
            assert!(is_template(template), "{template}");
        }
        for other in [
            "a{b}.md",
            "a$b",
            "{",
            "$",
            "a/@site/x",
            "a/@/x",
            "@a/x",
            "%7B%7Bx%7D%7D",
            "",
        ] {
            assert!(!is_template(other), "{other}");
        }
    }
}
