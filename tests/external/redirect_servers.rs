//! Servers read the rules of `rehref move --redirects`: each old URL delivers the file that was
//! there.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use rehref::bytes::percent;

use crate::needs;
use crate::support::tree::{Has, Tree};

/// Names that need escapes in URLs, regular expressions or configuration files.
const NAMES: [&str; 36] = [
    "plain.html", "a b.html", "a  b ", "100%.html", "a%2Fb.html", "%41.html", "%1%%.html",
    "é.html", "日本.html", "q?x.html", "x.html?", "h#x.html", "s;t&u.html", "a+b.html",
    "q\"t.html", "q't.html", "d$1.html", "$x.html", "${x}.html", "$&.html", "b\\x.html", "b\\",
    "a\\1.html", "c:d.html", "st*.html", "pipe|.html", "~u.html", "{b}.html", "[b]^.html",
    "(p).html", "..dots.html", "a,b=c!.html", "<lt>`.html", "%{HTTP_HOST}", "tab\t.html",
    "ctl\x01\x7F",
];

/// A running server. Dropping it stops the server.
struct Server {
    child: Child,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let _ = self.child.wait();
    }
}

impl Server {
    /// Runs a server with the configuration that `configuration` gives for a port.
    fn start(program: &Path, scratch: &Path, configuration: impl Fn(u16) -> String) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let file = scratch.join("conf");
        fs::write(&file, configuration(port)).expect("written");
        let mut command = Command::new(program);
        match program.ends_with("nginx") {
            true => command.arg("-c").arg(&file),
            false => command.arg("-f").arg(&file).arg("-DFOREGROUND"),
        };
        let child = command.stdin(Stdio::null()).spawn().expect("it runs");
        let server = Self { child, port };
        for _ in 0..200 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return server;
            }
            sleep(Duration::from_millis(50));
        }
        panic!("{} does not listen", program.display());
    }

    /// Requests a path: the status, the `Location` and the body.
    fn get(&self, path: &str) -> (u16, Option<String>, Vec<u8>) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        write!(stream, "GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n").expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("answered");
        let end = memchr::memmem::find(&answer, b"\r\n\r\n").expect("a head");
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
        let location =
            head.lines().find_map(|line| line.strip_prefix("Location: ")).map(str::to_owned);
        (status.expect("a status"), location, answer[end + 4..].to_vec())
    }

    /// Requests a path and follows redirects: the status, the query of the last URL, and the body.
    fn followed(&self, path: &str) -> (u16, String, Vec<u8>) {
        let mut path = path.to_owned();
        for _ in 0..5 {
            let (status, location, body) = self.get(&path);
            let Some(location) = location else {
                let query = path.split_once('?').map_or("", |(_, query)| query);
                return (status, query.to_owned(), body);
            };
            let local = location
                .split_once("//")
                .map_or(&*location, |(_, rest)| &rest[rest.find('/').unwrap_or(rest.len())..]);
            path = local.to_owned();
        }
        panic!("{path} redirects in a circle");
    }
}

fn program(name: &str) -> PathBuf {
    needs::program(name).expect("it is installed")
}

/// A tree and its moves: single files, also to other names, directories with files, index files,
/// and a directory with files of all names.
struct Site {
    files: BTreeMap<String, String>,
    /// The rows of `--from-list`.
    list: String,
}

impl Site {
    fn new() -> Self {
        let mut site = Self { files: BTreeMap::new(), list: String::new() };
        for (number, name) in NAMES.iter().enumerate() {
            let other = NAMES[(number * 5 + 7) % NAMES.len()];
            site.add(format!("same/{name}"));
            site.moves(&format!("same/{name}"), &format!("moved/{name}"));
            site.add(format!("file/{name}"));
            site.moves(&format!("file/{name}"), &format!("renamed/{other}"));
            site.add(format!("dir/{name}/x y%"));
            site.add(format!("dir/{name}/{other}"));
            site.moves(&format!("dir/{name}"), &format!("new dir/{other}"));
            site.add(format!("all/{name}"));
            site.add(format!("all/sub/{name}"));
        }
        site.add("index/a/index.html".into());
        site.add("index/a/stays".into());
        site.moves("index/a/index.html", "index/b c.html");
        site.moves("all", "all %");
        site
    }

    fn add(&mut self, path: String) {
        let content = format!("content {}", self.files.len());
        self.files.insert(path, content);
    }

    fn moves(&mut self, from: &str, to: &str) {
        let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
        self.list += &format!("{},{}\n", quoted(from), quoted(to));
    }
}

/// Moves a tree with redirects of this kind, and requests each old URL from a server.
fn assert_old_urls_deliver(kind: &str, start: impl Fn(&Path, &Path) -> Server) {
    let site = Site::new();
    let files: Vec<(&str, &str)> = site.files.iter().map(|(a, b)| (&**a, &**b)).collect();
    let tree = Tree::new(&files);
    let line = format!("move -w --redirects {kind} --from-list -");
    tree.run_reading(line, &site.list).ends(0).err.lacks("no redirect");
    let scratch = Tree::empty();
    let server = start(tree.path(), scratch.path());
    let mut addresses: Vec<(String, &str)> = Vec::new();
    for (path, content) in &site.files {
        let mut address = String::new();
        for name in path.split('/') {
            address.push('/');
            percent::encode_path_segment(name.as_bytes(), &mut address);
        }
        if let Some(directory) = address.strip_suffix("/index.html") {
            addresses
                .extend([(directory.to_owned(), &**content), (format!("{directory}/"), content)]);
        }
        addresses.push((address, content));
    }
    for (address, content) in addresses {
        let (status, query, body) = server.followed(&format!("{address}?k=v%2F1"));
        let body = String::from_utf8_lossy(&body);
        assert_eq!((status, &*body), (200, content), "{address}");
        assert_eq!(query, "k=v%2F1", "{address}");
    }
}

pub(crate) fn apache_follows_redirect_rules() {
    assert_old_urls_deliver("apache", |root, scratch| {
        let program = program("apache2");
        let (root, scratch_name) = (root.display(), scratch.display());
        Server::start(&program, scratch, |port| {
            let modules = ["mpm_event", "authz_core", "alias", "dir"];
            let load = modules
                .map(|it| format!("LoadModule {it}_module /usr/lib/apache2/modules/mod_{it}.so\n"));
            format!(
                "ServerName localhost\nListen 127.0.0.1:{port}\nPidFile {scratch_name}/pid\n\
                 ErrorLog {scratch_name}/error\n{}DocumentRoot {root}\nDirectoryIndex index.html\n\
                 <Directory {root}>\nAllowOverride All\nRequire all granted\n</Directory>\n",
                load.concat()
            )
        })
    });
}

pub(crate) fn nginx_follows_redirect_rules() {
    assert_old_urls_deliver("nginx", |root, scratch| {
        let program = program("nginx");
        let (root, scratch_name) = (root.display(), scratch.display());
        Server::start(&program, scratch, |port| {
            format!(
                "pid {scratch_name}/pid; error_log {scratch_name}/error; daemon off; user root;\nevents {{}}\n\
                 http {{ access_log off; server {{ listen 127.0.0.1:{port}; root {root};\n\
                 include {root}/redirects.nginx.conf; }} }}\n"
            )
        })
    });
}
