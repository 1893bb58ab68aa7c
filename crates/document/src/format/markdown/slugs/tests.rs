use proptest::prelude::*;

use super::*;

fn rule(slugs: Slugs) -> MarkdownOptions {
    MarkdownOptions { slugs, ..MarkdownOptions::default() }
}

/// The ids of headings without markup, whose source is their text.
fn ids_of(slugs: Slugs, sources: &[&str]) -> Vec<String> {
    let headings: Vec<_> = sources.iter().map(|it| Heading::Markdown((*it).into())).collect();
    ids(rule(slugs), &headings, |source, _| source.to_owned())
}

#[test]
fn names_are_read_and_written() {
    for &slugs in Slugs::ALL {
        assert_eq!(slugs.to_string().parse(), Ok(slugs));
    }
    let error = "Github".parse::<Slugs>().expect_err("not a name");
    assert!(error.to_string().contains("mdbook"), "{error}");
}

/// The ids that the programs give to these headings.
#[test]
fn texts_have_the_ids_of_the_programs() {
    let punctuation = "1.2 What's (new)? \u{2014} C++ & a_b";
    let unicode = "½ É² Ⅷ ٣ ⓐ e\u{301} 日\u{A0}x 🚀";
    let greek = "İ ΑΣ ς";
    for (slugs, expected) in [
        (Slugs::Github, ["12-whats-new--c--a_b", "-é-ⅷ-٣-ⓐ-e\u{301}-日x-", "i̇-ασ-ς"]),
        (Slugs::Gitlab, ["12-whats-new-c-a_b", "-é-ⅷ-٣-ⓐ-e\u{301}-日x-", "i̇-ασ-ς"]),
        (Slugs::Mdbook, ["12-whats-new--c--a_b", "½-é²-ⅷ-٣-ⓐ-e-日-x-", "i-ας-ς"]),
        (Slugs::Mkdocs, ["12-whats-new-c-a_b", "12-e2-viii-a-e-x", "i"]),
        (Slugs::Docusaurus, ["12-whats-new--c--a_b", "-é-ⅷ-٣-ⓐ-e\u{301}-日x-", "i̇-ας-ς"]),
        (Slugs::Jekyll, ["12-whats-new--c--a_b", "-é-ⅷ-٣-ⓐ-e\u{301}-日x-", "i̇-ασ-ς"]),
        (Slugs::Hugo, ["12-whats-new--c--a_b", "-é--٣--e-日x-", "i-ασ-ς"]),
        (Slugs::Pandoc, ["whats-new-c-a_b", "é²-ⅷ-٣-e-日-x", "i-ασ-ς"]),
        (Slugs::Kramdown, ["whats-new--c--ab", "e-x-", "section"]),
        (
            Slugs::Vitepress,
            ["_1-2-what-s-new-\u{2014}-c-a-b", "_1\u{2044}2-e2-viii-٣-a-e-日-x-🚀", "i-ας-ς"],
        ),
        (Slugs::Astro, ["12-whats-new--c--a_b", "-é-ⅷ-٣-ⓐ-e\u{301}-日x-", "i̇-ας-ς"]),
        (Slugs::Nextra, ["12-whats-new--c--a_b", "-é-ⅷ-٣-ⓐ-e\u{301}-日x-", "i̇-ας-ς"]),
        (Slugs::Docsify, ["_12-whats-new--c--a_b", "½-É²-Ⅷ-٣-ⓐ-é-日-x-", "İ-ΑΣ-ς"]),
        (
            Slugs::Honkit,
            ["12-whats-new-\u{2014}-c--ab", "½-é²-ⅷ-٣-ⓐ-e\u{301}-日\u{A0}x-🚀", "i̇-ας-ς"],
        ),
        (
            Slugs::Jupyter,
            ["1.2-What's-(new)?-\u{2014}-C++-&-a_b", "½-É²-Ⅷ-٣-ⓐ-e\u{301}-日\u{A0}x-🚀", "İ-ΑΣ-ς"],
        ),
    ] {
        let headings = [punctuation, unicode, greek];
        assert_eq!(ids_of(slugs, &headings), expected, "{slugs}");
    }
    let obsidian =
        ["1 2 What's new \u{2014} C a_b", unicode.replace('\u{A0}', " ").as_str(), greek]
            .map(str::to_owned);
    assert_eq!(ids_of(Slugs::Obsidian, &[punctuation, unicode, greek]), obsidian);
    assert_eq!(ids_of(Slugs::Obsidian, &["a", "a", "*"]), ["a", "a"]);
    assert!(ids_of(Slugs::None, &[punctuation]).is_empty());
}

/// Some headings are numbered already. The ids are those that the programs give.
#[test]
fn repeated_texts_have_the_ids_of_the_programs() {
    let headings = ["a", "A", "a-1", "a", "a-1", "a_1", "a"];
    for (slugs, expected) in [
        (Slugs::Github, ["a", "a-1", "a-1-1", "a-2", "a-1-2", "a_1", "a-3"]),
        (Slugs::Gitlab, ["a", "a-1", "a-1", "a-2", "a-1-1", "a_1", "a-3"]),
        (Slugs::Mdbook, ["a", "a-1", "a-1-1", "a-2", "a-1-2", "a_1", "a-3"]),
        (Slugs::Mkdocs, ["a", "a_1", "a-1", "a_2", "a-1_1", "a_3", "a_4"]),
        (Slugs::Docusaurus, ["a", "a-1", "a-1-1", "a-2", "a-1-2", "a_1", "a-3"]),
        (Slugs::Jekyll, ["a", "a-1", "a-1", "a-2", "a-1-1", "a_1", "a-3"]),
        (Slugs::Hugo, ["a", "a-1", "a-1-1", "a-2", "a-1-2", "a_1", "a-3"]),
        (Slugs::Pandoc, ["a", "a-1", "a-1-1", "a-2", "a-1-2", "a_1", "a-3"]),
        (Slugs::Kramdown, ["a", "a-1", "a-1", "a-2", "a-1-1", "a1", "a-3"]),
        (Slugs::Vitepress, ["a", "a-1", "a-1-1", "a-2", "a-1-2", "a-1-3", "a-3"]),
        (Slugs::Astro, ["a", "a-1", "a-1-1", "a-2", "a-1-2", "a_1", "a-3"]),
        (Slugs::Docsify, ["a", "a-1", "a-1", "a-2", "a-1-1", "a_1", "a-3"]),
        (Slugs::Honkit, ["a", "a", "a-1", "a", "a-1", "a1", "a"]),
    ] {
        assert_eq!(ids_of(slugs, &headings), expected, "{slugs}");
    }
}

#[test]
fn explicit_ids_count_as_the_programs_count_them() {
    let headings = ["x {#a}", "a", "a", "y {#a-2}", "a"];
    for (slugs, expected) in [
        (Slugs::Github, ["x-a", "a", "a-1", "y-a-2", "a-2"]),
        (Slugs::Mdbook, ["a", "a", "a-1", "a-2", "a-2"]),
        (Slugs::Mkdocs, ["a", "a_1", "a_2", "a-2", "a_3"]),
        (Slugs::Docusaurus, ["a", "a", "a-1", "a-2", "a-2"]),
        (Slugs::Jekyll, ["a", "a", "a-1", "a-2", "a-2"]),
        (Slugs::Hugo, ["a", "a-1", "a-2", "a-2", "a-3"]),
        (Slugs::Pandoc, ["a", "a-1", "a-2", "a-2", "a-3"]),
        (Slugs::Kramdown, ["a", "a", "a-1", "a-2", "a-2"]),
    ] {
        assert_eq!(ids_of(slugs, &headings), expected, "{slugs}");
    }
    assert_eq!(ids_of(Slugs::Mkdocs, &["a", "x {#a}"]), ["a_1", "a"]);
    assert_eq!(ids_of(Slugs::Pandoc, &["a", "x {#a}"]), ["a", "a"]);
}

#[test]
fn texts_without_letters_have_the_ids_of_the_programs() {
    for (slugs, expected) in [
        (Slugs::Github, &["1", "-1", "2"][..]),
        (Slugs::Gitlab, &["anchor-1", "-1", "anchor-2"]),
        (Slugs::Mdbook, &["1", "section", "section-1", "2"]),
        (Slugs::Mkdocs, &["1", "_1", "_2", "2"]),
        (Slugs::Hugo, &["1", "heading", "heading-1", "2"]),
        (Slugs::Pandoc, &["section", "section-1", "section-2", "section-3"]),
        (Slugs::Kramdown, &["section", "section-1", "section-2", "section-3"]),
    ] {
        assert_eq!(ids_of(slugs, &["1", "", "!", "2"]), expected, "{slugs}");
    }
}

#[test]
fn headings_of_several_lines_are_read_as_the_programs_read_them() {
    for (slugs, expected) in [
        (Slugs::Github, &["ab"][..]),
        (Slugs::Mdbook, &["a-b"]),
        (Slugs::Hugo, &["b"]),
        (Slugs::Mkdocs, &[]),
        (Slugs::Pandoc, &[]),
        (Slugs::Kramdown, &[]),
    ] {
        assert_eq!(ids_of(slugs, &["a\nb"]), expected, "{slugs}");
    }
}

#[test]
fn headings_of_html_have_ids_on_some_sites() {
    let headings = [Heading::Html("A b".into()), Heading::Markdown("A b".into())];
    let of = |slugs| ids(rule(slugs), &headings, |source, _| source.to_owned());
    assert_eq!(of(Slugs::Github), ["a-b", "a-b-1"]);
    assert_eq!(of(Slugs::Mdbook), ["a-b"]);
}

#[test]
fn blanks_that_markup_leaves_may_count_or_not() {
    assert_eq!(ids_of(Slugs::Github, &["a ", "b"]), ["a", "a-", "b"]);
    assert_eq!(ids_of(Slugs::Gitlab, &["a "]), ["a"]);
}

/// Dashes change an id of mdBook, depending on its settings.
#[test]
fn renderings_differ_by_program() {
    let of = |slugs| {
        ids(rule(slugs), &[Heading::Markdown("x".into())], |_, rendering| {
            let image = if rendering.has_image_texts { "i" } else { "" };
            let (dashes, hyphens) = rendering.dashes.of(4);
            format!("a{}{}b{image}", "–".repeat(dashes), "-".repeat(hyphens))
        })
    };
    assert_eq!(of(Slugs::Github), ["a----b"]);
    assert_eq!(of(Slugs::Mdbook), ["a----b", "ab"]);
    assert_eq!(of(Slugs::Docusaurus), ["a----bi"]);
    assert_eq!(of(Slugs::Jekyll), ["a-b"]);
    assert_eq!(of(Slugs::Pandoc), ["a-bi"]);
}

proptest! {
    /// No two headings have one id, except where a program counts repeated texts only.
    #[test]
    fn ids_are_distinct(sources in prop::collection::vec("(a|b|1|-1|_2|é| |\\{#a\\}){0,3}", 0..12)) {
        let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
        for slugs in [Slugs::Mdbook, Slugs::Mkdocs, Slugs::Hugo, Slugs::Pandoc] {
            let sources: Vec<&str> = sources.iter().copied().filter(|it| !it.contains('{')).collect();
            let mut found = ids_of(slugs, &sources);
            let count = found.len();
            prop_assert_eq!(count, sources.len());
            found.sort();
            found.dedup();
            prop_assert_eq!(found.len(), count, "{}: {:?}", slugs, sources);
        }
        for &slugs in Slugs::ALL {
            ids_of(slugs, &sources);
        }
    }

    /// An id contains no white space, except other than blanks in Jupyter and HonKit, and single blanks in
    /// Obsidian; its length is linear in that of its heading.
    #[test]
    fn ids_have_no_blanks(source in "\\PC{0,40}") {
        for &slugs in Slugs::ALL {
            for id in ids_of(slugs, &[&source]) {
                // One character of a heading decomposes into at most 18 in MkDocs.
                prop_assert!(id.len() <= 18 * source.len() + 9, "{}: {}", slugs, id);
                let is_explicit = source.contains(&id);
                let keeps_space = match slugs {
                    Slugs::Jupyter | Slugs::Honkit => !id.contains(' '),
                    Slugs::Obsidian => !id.contains("  "),
                    _ => false,
                };
                prop_assert!(is_explicit || keeps_space || !id.contains(char::is_whitespace), "{}: {:?}", slugs, id);
            }
        }
    }
}
