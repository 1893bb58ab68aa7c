//! Constructs of documentation programs that name files.

/// A construct of a program that makes a site of Markdown files, which names another file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Directive {
    /// `{{#include f}}` of mdBook, the directives `include` and `literalinclude` of MyST, and
    /// similar constructs of VitePress, Quarto and GitBook.
    Include,
    /// `{{#playground f}}` of mdBook.
    Playground,
    /// `{{#rustdoc_include f}}` of mdBook.
    RustdocInclude,
    /// `--8<-- "f"` of MkDocs.
    Snippet,
    /// An item of the navigation in a configuration: a path of MkDocs, Quarto or MyST, the id of a
    /// document of Docusaurus, or a slug of Starlight.
    Nav,
    /// Another setting of a configuration that is the path of a file, such as `extra_css`.
    Setting,
    /// A setting of a configuration that is the address of a page or file, such as `link` in a
    /// sidebar.
    Address,
    /// `{{< ref "f" >}}` of Hugo.
    Ref,
    /// `{{< relref "f" >}}` of Hugo.
    Relref,
    /// `{{< figure src="f" >}}` of Hugo, and the directives `figure` and `image` of MyST.
    Figure,
    /// `{% link f %}` of Jekyll.
    Link,
    /// `{% post_url f %}` of Jekyll.
    PostUrl,
    /// `{% include_relative f %}` of Jekyll.
    IncludeRelative,
    /// The path from the root of the site after `{{ site.baseurl }}` of Jekyll, or before its filter
    /// `relative_url`. It may be percent-encoded.
    BaseUrl,
    /// The role `doc` of MyST.
    Doc,
    /// An entry of the directive `toctree` of MyST.
    Toctree,
    /// `import x from 'f'` in MDX.
    Import,
    /// `require('f')` in MDX.
    Require,
    /// `{% content-ref url="f" %}` of GitBook.
    ContentRef,
}

impl Directive {
    /// All constructs.
    pub const ALL: &'static [Self] = &[
        Self::Include,
        Self::Playground,
        Self::RustdocInclude,
        Self::Snippet,
        Self::Nav,
        Self::Setting,
        Self::Address,
        Self::Ref,
        Self::Relref,
        Self::Figure,
        Self::Link,
        Self::PostUrl,
        Self::IncludeRelative,
        Self::BaseUrl,
        Self::Doc,
        Self::Toctree,
        Self::Import,
        Self::Require,
        Self::ContentRef,
    ];

    /// The name in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Include => "include",
            Self::Playground => "playground",
            Self::RustdocInclude => "rustdoc_include",
            Self::Snippet => "snippet",
            Self::Nav => "nav",
            Self::Setting => "setting",
            Self::Address => "address",
            Self::Ref => "ref",
            Self::Relref => "relref",
            Self::Figure => "figure",
            Self::Link => "link",
            Self::PostUrl => "post_url",
            Self::IncludeRelative => "include_relative",
            Self::BaseUrl => "baseurl",
            Self::Doc => "doc",
            Self::Toctree => "toctree",
            Self::Import => "import",
            Self::Require => "require",
            Self::ContentRef => "content-ref",
        }
    }

    /// Returns true if its text is the path of a file, and not a URL: then nothing in it is
    /// percent-encoded.
    pub const fn is_path(self) -> bool {
        !matches!(self, Self::Figure | Self::Address)
    }

    /// Returns true if a fragment may follow the path.
    pub const fn has_fragment(self) -> bool {
        matches!(self, Self::Ref | Self::Relref | Self::ContentRef | Self::BaseUrl)
    }
}
