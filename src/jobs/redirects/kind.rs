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
