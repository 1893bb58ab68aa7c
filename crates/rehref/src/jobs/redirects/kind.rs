//! The forms of redirects.

use crate::docs_site::SiteKind;

/// The form of redirects: rules of a web server, pages, or what the program of a documentation site
/// reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Redirects {
    /// Rules in the file `_redirects`.
    Netlify,
    /// Rules in the file `.htaccess`.
    Apache,
    /// Rules in the file `redirects.nginx.conf`, which a server block includes.
    Nginx,
    /// A page at each old path of a page.
    Html,
    /// The table `output.html.redirect` in `book.toml`.
    MdBook,
    /// `redirect_maps` of the plugin `redirects` in `mkdocs.yml`.
    MkDocs,
    /// `redirect_from` in the front matter of the page, for the plugin `jekyll-redirect-from`.
    Jekyll,
    /// `aliases` in the front matter of the page.
    Hugo,
    /// `redirects` of the plugin `client-redirects` in `docusaurus.config.*`.
    Docusaurus,
    /// `redirects` of `sphinx_reredirects`, or `rediraffe_redirects`, in `conf.py`.
    Sphinx,
}

impl Redirects {
    /// All forms.
    pub const ALL: &'static [Self] = &[
        Self::Netlify,
        Self::Apache,
        Self::Nginx,
        Self::Html,
        Self::MdBook,
        Self::MkDocs,
        Self::Jekyll,
        Self::Hugo,
        Self::Docusaurus,
        Self::Sphinx,
    ];

    /// The name on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Netlify => "netlify",
            Self::Apache => "apache",
            Self::Nginx => "nginx",
            Self::Html => "html",
            Self::MdBook => "mdbook",
            Self::MkDocs => "mkdocs",
            Self::Jekyll => "jekyll",
            Self::Hugo => "hugo",
            Self::Docusaurus => "docusaurus",
            Self::Sphinx => "sphinx",
        }
    }

    /// The form in a few words.
    pub const fn description(self) -> &'static str {
        match self {
            Self::Netlify => "Rules in the file `_redirects`",
            Self::Apache => "Rules in the file `.htaccess`",
            Self::Nginx => {
                "Rules in the file `redirects.nginx.conf`, to be included in a server block"
            }
            Self::Html => "A page at each old path of a page",
            Self::MdBook => "Entries of output.html.redirect in `book.toml`",
            Self::MkDocs => "Entries of redirect_maps in `mkdocs.yml`",
            Self::Jekyll => "`redirect_from` in the front matter of the page",
            Self::Hugo => "`aliases` in the front matter of the page",
            Self::Docusaurus => "Entries of client-redirects in `docusaurus.config.*`",
            Self::Sphinx => "Entries of redirects or rediraffe_redirects in `conf.py`",
        }
    }

    /// The kind of site whose program reads the form.
    pub(super) fn site_kind(self) -> Option<SiteKind> {
        match self {
            Self::MdBook => Some(SiteKind::MdBook),
            Self::MkDocs => Some(SiteKind::MkDocs),
            Self::Jekyll => Some(SiteKind::Jekyll),
            Self::Hugo => Some(SiteKind::Hugo),
            Self::Docusaurus => Some(SiteKind::Docusaurus),
            Self::Sphinx => Some(SiteKind::Sphinx),
            Self::Netlify | Self::Apache | Self::Nginx | Self::Html => None,
        }
    }
}

rehref_uri::from_name!(Redirects);
