//! Constructs of the programs that make sites of Markdown files. Each is found in the text of a
//! document, also in code: the programs replace most of them before they read Markdown.
//!
//! Time is linear: a search that fails is not repeated from the next position.

mod gitbook;
mod hugo;
mod jekyll;
mod mdbook;
mod mkdocs;
mod myst;
mod scan;
mod template;
mod vitepress;

use self::scan::Found;
pub(super) use self::template::destinations;
use crate::format::options::Dialect;

/// The constructs in a text, in order.
pub(super) fn constructs(dialect: Dialect, text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    match dialect {
        // MDX is read with the Markdown around it.
        Dialect::None | Dialect::Mdx | Dialect::Starlight | Dialect::Wiki => {}
        Dialect::MdBook => mdbook::find(text, &mut found),
        Dialect::MkDocs => mkdocs::find(text, &mut found),
        Dialect::Hugo => hugo::find(text, &hugo::OF_HUGO, &mut found),
        Dialect::Quarto => hugo::find(text, &hugo::OF_QUARTO, &mut found),
        Dialect::GitBook | Dialect::HonKit => gitbook::find(text, &mut found),
        Dialect::Jekyll => jekyll::find(text, &mut found),
        Dialect::Myst => myst::find(text, &mut found),
        Dialect::VitePress => vitepress::find(text, &mut found),
    }
    found.sort_by_key(|(span, _)| span.start);
    // URLs, and text with expressions of a template engine, are not paths.
    found.retain(|(span, _)| {
        let path = &text[span.range()];
        !path.is_empty() && !path.contains("://") && !path.contains(['{', '*', '\n'])
    });
    found
}

/// The path from the root of the site in a destination that a program completes with its base URL.
pub(super) fn path_after_base(dialect: Dialect, destination: &str) -> Option<&str> {
    let path = match dialect {
        Dialect::Jekyll => jekyll::path_after_base(destination),
        _ => None,
    };
    path.filter(|it| it.starts_with('/') && !it.starts_with("//") && !it.contains(['{', ' ']))
}

/// Returns true if a destination in a text may have such a path.
pub(super) fn may_have_base(dialect: Dialect, text: &str) -> bool {
    let has = |word: &str| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some();
    dialect == Dialect::Jekyll && (has("site.baseurl") || has("_url"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(dialect: Dialect, text: &str) -> Vec<(&str, &'static str)> {
        let found = constructs(dialect, text).into_iter();
        found.map(|(span, it)| (&text[span.range()], it.as_str())).collect()
    }

    #[test]
    fn mdbook_includes_files_also_in_code() {
        let text = "{{#include a.md}}\n```rust\n{{#rustdoc_include ../b.rs:1:20}}\n{{#playground c.rs editable}}\n```\n\
            \\{{#include no.md}} {{#include d e.md}} {{#other x}} {{#include";
        let expected = [
            ("a.md", "include"),
            ("../b.rs", "rustdoc_include"),
            ("c.rs", "playground"),
            ("d", "include"),
        ];
        assert_eq!(found(Dialect::MdBook, text), expected);
        let text =
            "{{ #include a.md }} {{\n#playground b.rs}} \\{{ #include c.md}} {{ include no.md}}";
        let expected = [("a.md", "include"), ("b.rs", "playground"), ("c.md", "include")];
        assert_eq!(found(Dialect::MdBook, text), expected);
    }

    #[test]
    fn mkdocs_has_snippets() {
        let text = "--8<-- \"a.md\"\n  -8<- 'b.md:part'\n;--8<-- \"no.md\"\ntext --8<-- \"no\"\n\
            --8<--\nc.md\n\n; no.md\nd.md:3\n--8<--\n--8<-- \"http://h/x\"\n";
        let expected = ["a.md", "b.md", "c.md", "d.md"].map(|it| (it, "snippet"));
        assert_eq!(found(Dialect::MkDocs, text), expected);
    }

    #[test]
    fn hugo_has_shortcodes() {
        let text = "[x]({{< ref \"a b.md\" >}}) {{% relref `/c` %}} {{<relref path=\"d.md\" lang=\"en\">}} \
            {{< figure alt=\"no\" src=\"e.png\" >}} {{</* ref \"no\" */>}} {{< other \"no\" >}} {{< ref f.md >}} {{< ref";
        let expected = [
            ("a b.md", "ref"),
            ("/c", "relref"),
            ("d.md", "relref"),
            ("e.png", "figure"),
            ("f.md", "ref"),
        ];
        assert_eq!(found(Dialect::Hugo, text), expected);
    }

    #[test]
    fn jekyll_has_tags() {
        let text = "[x]({% link _docs/a.md %}) {%- post_url 2020-01-02-b -%} {% include_relative c.md x=1 %} \
            {% include no.html %} {% link {{ page.x }} %} {% link";
        let expected =
            [("_docs/a.md", "link"), ("2020-01-02-b", "post_url"), ("c.md", "include_relative")];
        assert_eq!(found(Dialect::Jekyll, text), expected);
        let text = "{% link a b.md -%} {% raw %}{% link no.md %}{% comment %}{% endraw %} {% link c-.md%} \
            {% comment %} {% link no.md %} {%- comment -%} {% endcomment %} {% link no.md %} {% endcomment %} \
            {% post_url d/2020-01-02-e %} {% include_relative f-.md-%} {% raw %} {% link no.md %}";
        let expected = [
            ("a b.md", "link"),
            ("c-.md", "link"),
            ("d/2020-01-02-e", "post_url"),
            ("f-.md", "include_relative"),
        ];
        assert_eq!(found(Dialect::Jekyll, text), expected);
    }

    #[test]
    fn myst_has_roles_and_directives() {
        let text = "{doc}`a` {doc}`text <../b>` {ref}`no`\n```{include} c.md\n```\n:::{figure} d.png\n:alt: no\n:::\n\
            ```{toctree}\n:maxdepth: 2\n:caption: no\n\ne\nTitle <f>\nglob/*\nself\nh <https://h.example>\n```\n`{doc}` ``{doc}`no` ``\n";
        let expected = [
            ("a", "doc"),
            ("../b", "doc"),
            ("c.md", "include"),
            ("d.png", "figure"),
            ("e", "toctree"),
            ("f", "toctree"),
        ];
        assert_eq!(found(Dialect::Myst, text), expected);
        let text = "````md\n{doc}`no`\n```{include} no.md\n```\n````\n```{note}\n{doc}`a`\n```\nodd ``` and {doc}`b`\n\
            ```{code-block}\n{doc}`no`\n```\n~~~\n{doc}`no`\n~~~\n{doc}`c`\n";
        let expected = ["a", "b", "c"].map(|it| (it, "doc"));
        assert_eq!(found(Dialect::Myst, text), expected);
        let text = "{doc}`text\n<a>` odd ` tick\n- {doc}`b`\n\n{doc}`long\ntext <c>`\n# x\n";
        assert_eq!(found(Dialect::Myst, text), expected);
        let text = "<project:a.md> [x](project:b.md#y) <project:no> (x project:no.md) `<project:no.md>` <project:n%20o.md>\n\
            [x](<project:c d.md> \"t\") <path:e.pdf>\n\n[f]: project:/f.md\n";
        let expected = [
            ("a.md", "doc"),
            ("b.md", "doc"),
            ("c d.md", "doc"),
            ("e.pdf", "include"),
            ("/f.md", "doc"),
        ];
        assert_eq!(found(Dialect::Myst, text), expected);
        let text = "```{eval-rst}\n.. include:: a b.rst\n:doc:`c` {doc}`no`\n.. |d| image:: d.png\n   :alt: no\n```\n:doc:`no`\n\
            .. include:: no.rst\n";
        let expected = [("a b.rst", "include"), ("c", "doc"), ("d.png", "figure")];
        assert_eq!(found(Dialect::Myst, text), expected);
    }

    #[test]
    fn vitepress_includes_files() {
        let text = "<!--@include: ./a.md--> <!-- @include: ../b.md#part{1,10} -->\n<<< @/c.js#region{2}\n\
            ```md\n<<< no.js\n<!--@include: @/d.md-->\n```\n<<< ./e.ts [Title]\n<!-- include: no.md -->\n<!--@include: ";
        let expected = ["./a.md", "../b.md", "/c.js", "/d.md", "./e.ts"].map(|it| (it, "include"));
        assert_eq!(found(Dialect::VitePress, text), expected);
    }

    #[test]
    fn quarto_has_shortcodes() {
        let text = "{{< include _a.qmd >}}\n{{< embed b.ipynb#fig-x echo=true >}} {{< video c.mp4 >}}\n\
            {{{< include no.qmd >}}} {{< meta no >}} {{< video https://h.example/x >}} {{< include \"d e.md\" >}}";
        let expected = [
            ("_a.qmd", "include"),
            ("b.ipynb", "include"),
            ("c.mp4", "figure"),
            ("d e.md", "include"),
        ];
        assert_eq!(found(Dialect::Quarto, text), expected);
    }

    #[test]
    fn gitbook_has_blocks() {
        let text = "{% content-ref url=\"guide.md#x\" %}\n[no](guide.md)\n{% endcontent-ref %}\n\
            {% file src=\".gitbook/assets/a b.pdf\" caption=\"no\" %} {% include \"../.gitbook/includes/c.md\" %}\n\
            {% openapi path=\"/no\" src=\"d.yaml\" %} {% hint style=\"info\" %} {% embed url=\"https://h.example\" %} {% file src=\"";
        let expected = [
            ("guide.md#x", "content-ref"),
            (".gitbook/assets/a b.pdf", "include"),
            ("../.gitbook/includes/c.md", "include"),
            ("d.yaml", "include"),
        ];
        assert_eq!(found(Dialect::GitBook, text), expected);
    }

    #[test]
    fn hostile_texts_take_linear_time() {
        let dialects = [
            Dialect::MdBook,
            Dialect::MkDocs,
            Dialect::Hugo,
            Dialect::Jekyll,
            Dialect::Myst,
            Dialect::VitePress,
            Dialect::Quarto,
            Dialect::GitBook,
        ];
        for piece in [
            "{{#include ", "{{ ", "(<project:", "{% raw %}", "{{< ref ", "{% link ", "{doc}`",
            "--8<--\n", "require(", "```{toctree}\n", "import '", "<!--@include: ", "<<< a",
            "{% file src=\"", "{% file a=",
        ] {
            let text = piece.repeat(200_000);
            for dialect in dialects {
                let _ = constructs(dialect, &text);
            }
        }
    }
}
