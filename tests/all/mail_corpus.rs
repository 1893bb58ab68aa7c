//! `corpus/mail/*/`: messages, mailboxes and web pages as mail, with the links that they hold; see
//! `corpus/README.md`. `REHREF_BLESS=1` writes what is found over what is expected.

use std::fmt::Write as _;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rehref::container::mail::{MailOptions, Mbox, MboxFormat, Part, RawMessage, documents};
use rehref::format::Format;
use rehref::format::Options;
use rehref::fs::{Item, MailReader, ReadOptions, Reading};
use rehref::records::{LinkRecord, Report};
use rehref::uri::Resolver;
use serde_json::{Value, to_value};

use crate::html_corpus::{expect, folders_of, name};

/// A file of mail.
pub(crate) struct Mail {
    /// As failures name it.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
}

/// The files of the corpus, by name.
pub(crate) fn mails() -> Vec<Mail> {
    folders_of("mail")
        .iter()
        .map(|folder| mail_of(folder))
        .collect()
}

fn mail_of(folder: &Path) -> Mail {
    let mut found = ["eml", "mbox", "mht", "log", "txt"]
        .iter()
        .map(|extension| folder.join("in").with_extension(extension))
        .filter(|path| path.exists());
    let path = found
        .next()
        .unwrap_or_else(|| panic!("{}: no in.*", name(folder)));
    assert!(found.next().is_none(), "{}: two of in.*", name(folder));
    Mail {
        name: name(folder),
        bytes: fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
        path,
    }
}

#[test]
fn mail_holds_what_is_expected() {
    let mut report = String::new();
    for folder in folders_of("mail") {
        let mail = mail_of(&folder);
        let mut found = Found::default();
        let mut archive = archive(&mail.path);
        let options = archive.options(&options());
        let name = Arc::clone(archive.name());
        for batch in &mut archive {
            let batch = batch.expect("a file of the corpus is read");
            for message in batch.messages() {
                found.take(message, &name, &options);
            }
        }
        if let Err(error) = expect(&folder, "links.jsonl", found.lines(), &mut report) {
            let _ = writeln!(report, "{}: {error}", mail.name);
        }
        let in_memory = found_in(&mail.bytes, format(&mail));
        assert_eq!(in_memory.lines(), found.lines(), "{}: in memory", mail.name);
    }
    assert!(
        report.is_empty(),
        "\n{report}(REHREF_BLESS=1 cargo test mail_holds_what_is_expected rewrites the files; \
         read what changes)"
    );
}

/// The file as a mailbox or as a message.
fn archive(path: &Path) -> MailReader {
    let item = Item::Path(path.to_owned());
    match ReadOptions::default().read_or_stream(&item) {
        Ok(Reading::Mail(archive)) => archive,
        other => panic!("{}: {other:?}", path.display()),
    }
}

/// As what the file is read.
pub(crate) fn format(mail: &Mail) -> Format {
    Format::detect(&mail.path, &mail.bytes)
}

/// With headers.
pub(crate) fn options() -> MailOptions {
    MailOptions {
        headers: true,
        ..MailOptions::default()
    }
}

/// What was found in a file.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The links, each as `rehref extract --json` has it.
    pub(crate) links: Vec<Value>,
    /// The documents with a transfer encoding that had to be repaired.
    pub(crate) repaired: Vec<String>,
    /// The messages of which something could not be read.
    pub(crate) unread: Vec<usize>,
    pub(crate) messages: usize,
}

impl Found {
    /// Takes what is in a message.
    pub(crate) fn take(
        &mut self,
        message: RawMessage<'_>,
        name: &Arc<Path>,
        options: &MailOptions,
    ) {
        self.messages += 1;
        let unread = documents(message, name, options, |part| self.take_part(&part));
        if unread.is_cut || unread.has_too_many_parts {
            self.unread.push(message.number);
        }
    }

    fn take_part(&mut self, part: &Part) {
        let document = &part.document;
        let findings = document.links_with(&Options::default());
        let mut resolving = findings.resolving(document, Resolver::default());
        let mut lines = document.lines();
        let charset = document.charset.name();
        for link in &findings.links {
            let report = Report {
                document,
                link,
                target: resolving.target(link),
                position: lines.position(link.extent().start),
                context: None,
                unwrapped: None,
            };
            let record = LinkRecord::new(&report, &charset);
            self.links.push(to_value(record).expect("a record is JSON"));
        }
        if part.is_repaired || part.is_unknown {
            let carrier = document.carrier.as_ref().expect("it is in mail");
            self.repaired
                .push(format!("!{}!{}", carrier.message, carrier.part));
        }
    }

    /// The links, each with these fields: those that say something.
    pub(crate) fn records(&self, fields: &str) -> Vec<String> {
        let record = |link: &Value| {
            let mut record = Vec::new();
            for field in fields.split_whitespace() {
                let value = match field {
                    "doc" => Value::from(doc(link)),
                    _ => link[field].clone(),
                };
                let says_nothing = match &value {
                    Value::Array(items) => items.is_empty(),
                    other => other.is_null() || *other == false,
                };
                if !says_nothing {
                    record.push(format!("\"{field}\":{value}"));
                }
            }
            format!("{{{}}}", record.join(","))
        };
        self.links.iter().map(record).collect()
    }

    /// What `links.jsonl` holds.
    fn lines(&self) -> Vec<u8> {
        const FIELDS: &str = "doc message message_offset message_id part header place cue element attr role \
             ref uri base_from charset spans file_spans target_part \
             same_document notes";
        let mut lines = self.records(FIELDS);
        for doc in &self.repaired {
            lines.push(format!("{{\"doc\":\"{doc}\",\"repaired\":true}}"));
        }
        lines.push(format!("{{\"messages\":{}}}", self.messages));
        assert!(self.unread.is_empty(), "all of a message is read");
        lines.push(String::new());
        lines.join("\n").into_bytes()
    }
}

/// The name of the document after that of the file.
fn doc(link: &Value) -> String {
    let doc = link["doc"].as_str().expect("a name in UTF-8");
    let archive = link["archive"].as_str().expect("a name in UTF-8");
    doc.strip_prefix(archive)
        .expect("it begins with that of the file")
        .to_owned()
}

/// How the messages of a mailbox that begins like this are parted and quoted.
pub(crate) fn format_of(bytes: &[u8]) -> MboxFormat {
    match bytes.trim_ascii_start() {
        [b'=', b'=', b'=', b'=', ..] => MboxFormat::Listserv,
        [1, 1, 1, 1, ..] => MboxFormat::Mmdf,
        _ => MboxFormat::Auto,
    }
}

/// Calls `each` with every message that `reader` reads: a mailbox.
pub(crate) fn for_each_message(
    reader: impl Read,
    format: MboxFormat,
    mut each: impl FnMut(RawMessage<'_>),
) {
    for batch in Mbox::new(reader, format) {
        batch.expect("nothing fails").messages().for_each(&mut each);
    }
}

/// Calls `each` with the messages of a file in memory, and how they are taken apart.
pub(crate) fn for_each_message_of(
    bytes: &[u8],
    format: Format,
    mut each: impl FnMut(RawMessage<'_>, &MailOptions),
) {
    if format == Format::Mbox {
        let format = format_of(bytes);
        let options = MailOptions {
            quoting: Some(format),
            ..options()
        };
        for_each_message(bytes, format, |message| each(message, &options));
        return;
    }
    let batch = rehref::container::mail::Batch::of_one(bytes.to_vec(), 0, false);
    batch
        .messages()
        .for_each(|message| each(message, &options()));
}

/// What is found in a file of these bytes.
pub(crate) fn found_in(bytes: &[u8], format: Format) -> Found {
    let name: Arc<Path> = Path::new("in").into();
    let mut found = Found::default();
    for_each_message_of(bytes, format, |message, options| {
        found.take(message, &name, options);
    });
    found
}
