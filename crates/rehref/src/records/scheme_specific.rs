//! The part of a record that depends on the scheme of a URL (RFC 1738).

use std::borrow::Cow;

use serde::ser::{Serialize, Serializer};

use super::Bytes;
use crate::bytes::percent;
use crate::uri::rfc1738::{Command, HostPort, Login, News, SchemeSpecific, WaisForm};
use crate::uri::rfc1738::{Ftp, Gopher, Http, Nntp, Prospero, Telnet, Wais};

/// The components of a URL that are specific to its scheme. Components that may be encoded have
/// their text and, as `_decoded`, the decoded bytes.
#[derive(Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct SchemeRecord<'r>(Fields<'r>);

impl<'r> SchemeRecord<'r> {
    /// The record, if RFC 1738 defines the scheme.
    pub fn new(url: &SchemeSpecific<'r>) -> Option<Self> {
        Fields::new(url).map(Self)
    }
}

/// The bytes of a decoded component.
#[derive(Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transparent))]
struct Decoded<'r>(#[cfg_attr(feature = "schema", schemars(with = "Bytes<'r>"))] Cow<'r, [u8]>);

impl Serialize for Decoded<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Bytes::new(&self.0).serialize(serializer)
    }
}

/// Decodes a component.
fn decoded(written: &str) -> Decoded<'_> {
    Decoded(percent::decode(written))
}

/// The fields of each scheme.
#[derive(Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "scheme", rename_all = "lowercase")]
enum Fields<'r> {
    Ftp {
        #[serde(flatten)]
        server: ServerFields<'r>,
        #[serde(flatten)]
        user: UserFields<'r>,
        login_user: Decoded<'r>,
        url_path: Option<&'r str>,
        cwd: Vec<&'r str>,
        cwd_decoded: Vec<Decoded<'r>>,
        name: Option<&'r str>,
        name_decoded: Option<Decoded<'r>>,
        typecode: Option<&'r str>,
        commands: Option<Vec<(&'static str, Decoded<'r>)>>,
    },
    Http {
        #[serde(flatten)]
        server: ServerFields<'r>,
        path: Option<&'r str>,
        searchpart: Option<&'r str>,
        segments_decoded: Vec<Decoded<'r>>,
    },
    Gopher {
        #[serde(flatten)]
        server: ServerFields<'r>,
        gopher_path: Option<&'r str>,
        gtype: &'r str,
        gtype_defaulted: bool,
        selector: &'r str,
        selector_decoded: Decoded<'r>,
        search: Option<&'r str>,
        search_decoded: Option<Decoded<'r>>,
        gopher_plus: Option<&'r str>,
        gopher_plus_decoded: Option<Decoded<'r>>,
    },
    Mailto {
        addr: &'r str,
        addr_decoded: Decoded<'r>,
    },
    News {
        kind: &'static str,
        group: Option<&'r str>,
        message_id: Option<&'r str>,
        #[serde(flatten)]
        article: Option<ArticleFields<'r>>,
    },
    Nntp {
        #[serde(flatten)]
        server: ServerFields<'r>,
        group: &'r str,
        article: Option<&'r str>,
        article_number: Option<u64>,
    },
    Telnet {
        #[serde(flatten)]
        server: ServerFields<'r>,
        #[serde(flatten)]
        user: UserFields<'r>,
    },
    Wais {
        #[serde(flatten)]
        server: ServerFields<'r>,
        form: &'static str,
        database: &'r str,
        database_decoded: Decoded<'r>,
        search: Option<&'r str>,
        search_decoded: Option<Decoded<'r>>,
        wtype: Option<&'r str>,
        wtype_decoded: Option<Decoded<'r>>,
        wpath: Option<&'r str>,
        wpath_decoded: Option<Decoded<'r>>,
    },
    File {
        host: &'r str,
        local: bool,
        path: &'r str,
        segments: Vec<&'r str>,
        segments_decoded: Vec<Decoded<'r>>,
    },
    Prospero {
        #[serde(flatten)]
        server: ServerFields<'r>,
        hsoname: &'r str,
        hsoname_decoded: Decoded<'r>,
        fields: Vec<(&'r str, &'r str)>,
        fields_decoded: Vec<(Decoded<'r>, Decoded<'r>)>,
    },
}

/// Where a server is.
#[derive(Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ServerFields<'r> {
    host: &'r str,
    port: Option<&'r str>,
    effective_port: Option<u64>,
}

impl<'r> ServerFields<'r> {
    fn new(server: HostPort<'r>, default_port: u16) -> Self {
        Self { host: server.host, port: server.port, effective_port: server.port_or(default_port) }
    }
}

/// Who logs in.
#[derive(Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct UserFields<'r> {
    user: Option<&'r str>,
    password: Option<&'r str>,
    user_decoded: Option<Decoded<'r>>,
    password_decoded: Option<Decoded<'r>>,
}

impl<'r> UserFields<'r> {
    fn new(login: Login<'r>) -> Self {
        Self {
            user: login.user,
            password: login.password,
            user_decoded: login.user_decoded().map(Decoded),
            password_decoded: login.password_decoded().map(Decoded),
        }
    }
}

/// The fields that only articles have.
#[derive(Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ArticleFields<'r> {
    message_id_decoded: Decoded<'r>,
    unique: &'r str,
    domain: &'r str,
}

impl<'r> Fields<'r> {
    fn new(url: &SchemeSpecific<'r>) -> Option<Self> {
        Some(match *url {
            SchemeSpecific::Ftp(ftp) => Self::ftp(ftp),
            SchemeSpecific::Http(http) => Self::Http {
                server: ServerFields::new(http.server, Http::PORT),
                path: http.path,
                searchpart: http.searchpart,
                segments_decoded: http.segments().map(decoded).collect(),
            },
            SchemeSpecific::Gopher(gopher) => Self::Gopher {
                server: ServerFields::new(gopher.server, Gopher::PORT),
                gopher_path: gopher.gopher_path,
                gtype: gopher.gtype_or_default(),
                gtype_defaulted: gopher.gtype.is_none(),
                selector: gopher.selector,
                selector_decoded: decoded(gopher.selector),
                search: gopher.search,
                search_decoded: gopher.search.map(decoded),
                gopher_plus: gopher.gopher_plus,
                gopher_plus_decoded: gopher.gopher_plus.map(decoded),
            },
            SchemeSpecific::Mailto(mailto) => {
                Self::Mailto { addr: mailto.addr, addr_decoded: decoded(mailto.addr) }
            }
            SchemeSpecific::News(news) => Self::news(news),
            SchemeSpecific::Nntp(nntp) => Self::Nntp {
                server: ServerFields::new(nntp.server, Nntp::PORT),
                group: nntp.group,
                article: nntp.article,
                article_number: nntp.article_number(),
            },
            SchemeSpecific::Telnet(telnet) => Self::Telnet {
                server: ServerFields::new(telnet.login.server, Telnet::PORT),
                user: UserFields::new(telnet.login),
            },
            SchemeSpecific::Wais(wais) => Self::wais(wais),
            SchemeSpecific::File(file) => Self::File {
                host: file.host,
                local: file.is_local(),
                path: file.path,
                segments: file.segments().collect(),
                segments_decoded: file.segments().map(decoded).collect(),
            },
            SchemeSpecific::Prospero(prospero) => Self::Prospero {
                server: ServerFields::new(prospero.server, Prospero::PORT),
                hsoname: prospero.hsoname,
                hsoname_decoded: decoded(prospero.hsoname),
                fields: prospero.fields().collect(),
                fields_decoded: prospero
                    .fields()
                    .map(|(name, value)| (decoded(name), decoded(value)))
                    .collect(),
            },
            SchemeSpecific::Other => return None,
        })
    }

    fn ftp(ftp: Ftp<'r>) -> Self {
        let commands = ftp.commands().map(|commands| {
            let pair = |command: Command<'r>| (command.verb(), Decoded(command.into_argument()));
            commands.into_iter().map(pair).collect()
        });
        Self::Ftp {
            server: ServerFields::new(ftp.login.server, Ftp::PORT),
            user: UserFields::new(ftp.login),
            login_user: Decoded(ftp.login_user()),
            url_path: ftp.url_path,
            cwd: ftp.cwd().collect(),
            cwd_decoded: ftp.cwd().map(decoded).collect(),
            name: ftp.name(),
            name_decoded: ftp.name().map(decoded),
            typecode: ftp.typecode,
            commands,
        }
    }

    fn news(news: News<'r>) -> Self {
        let (kind, group, message_id, article) = match news {
            News::All => ("all", Some("*"), None, None),
            News::Group(group) => ("group", Some(group), None, None),
            News::Article { message_id, unique, domain } => {
                let article =
                    ArticleFields { message_id_decoded: decoded(message_id), unique, domain };
                ("article", None, Some(message_id), Some(article))
            }
        };
        Self::News { kind, group, message_id, article }
    }

    fn wais(wais: Wais<'r>) -> Self {
        let (form, search, wtype, wpath) = match wais.form {
            WaisForm::Database => ("database", None, None, None),
            WaisForm::Index { search } => ("index", Some(search), None, None),
            WaisForm::Doc { wtype, wpath } => ("doc", None, Some(wtype), Some(wpath)),
        };
        Self::Wais {
            server: ServerFields::new(wais.server, Wais::PORT),
            form,
            database: wais.database,
            database_decoded: decoded(wais.database),
            search,
            search_decoded: search.map(decoded),
            wtype,
            wtype_decoded: wtype.map(decoded),
            wpath,
            wpath_decoded: wpath.map(decoded),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::records::write_json;
    use crate::uri::Grammar;

    /// The JSON of a valid URL.
    fn record(url: &str) -> Value {
        let parsed = Grammar::Rfc1738.parse(url);
        let parts = parsed.scheme_specific.expect("a valid URL");
        let mut out = Vec::new();
        write_json(&SchemeRecord::new(&parts), &mut out);
        serde_json::from_slice(&out).expect("JSON")
    }

    #[test]
    fn other_schemes_have_no_record() {
        assert_eq!(record("x-foo:bar"), Value::Null);
    }

    #[test]
    fn bytes_not_in_utf_8_are_in_base64() {
        let record = record("ftp://u%FF@h/%FF/a%2Fb;type=i");
        let bytes = json!({"bytes": "/w=="});
        assert_eq!(record["scheme"], "ftp");
        assert_eq!(record["login_user"], json!({"bytes": "df8="}));
        assert_eq!(record["cwd_decoded"], json!([bytes]));
        let commands = json!([["CWD", bytes], ["TYPE", "i"], ["RETR", "a/b"]]);
        assert_eq!(record["commands"], commands);
    }

    #[test]
    fn missing_paths_and_ports_without_end() {
        let http = record("http://h:99999999999999999999");
        assert_eq!(
            http,
            json!({
                "scheme": "http", "host": "h", "port": "99999999999999999999",
                "effective_port": null, "path": null, "searchpart": null, "segments_decoded": [],
            })
        );
        let gopher = record("gopher://h");
        assert_eq!(
            gopher,
            json!({
                "scheme": "gopher", "host": "h", "port": null, "effective_port": 70,
                "gopher_path": null, "gtype": "1", "gtype_defaulted": true,
                "selector": "", "selector_decoded": "", "search": null, "search_decoded": null,
                "gopher_plus": null, "gopher_plus_decoded": null,
            })
        );
    }
}
