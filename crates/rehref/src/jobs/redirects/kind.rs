//! The forms of redirects.

/// The form of redirects: rules of a web server, or pages.
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
}

impl Redirects {
    /// All forms.
    pub const ALL: &'static [Self] = &[Self::Netlify, Self::Apache, Self::Nginx, Self::Html];

    /// The name on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Netlify => "netlify",
            Self::Apache => "apache",
            Self::Nginx => "nginx",
            Self::Html => "html",
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
        }
    }
}

rehref_uri::from_name!(Redirects);
