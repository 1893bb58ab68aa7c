//! The links of the messages, mailboxes and web archives in `corpus/mail`. corpus/README.md has the
//! files. `REHREF_BLESS=1` writes the results into them.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rehref::format::Format;
use rehref::fs::{Item, MailReader, ReadOptions, Reading};

use crate::document_corpus::{directories, expect, name};
use crate::support::mail::{Found, found_in, options};

/// A file of mail.
pub(crate) struct Mail {
    /// As failures name it.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
}

/// The files of the corpus, by name.
pub(crate) fn mails() -> Vec<Mail> {
    directories("mail").iter().map(|directory| mail_of(directory)).collect()
}

fn mail_of(directory: &Path) -> Mail {
    let mut found = ["eml", "mbox", "mht", "log", "txt"]
        .iter()
        .map(|extension| directory.join("in").with_extension(extension))
        .filter(|path| path.exists());
    let path = found.next().unwrap_or_else(|| panic!("{}: no in.*", name(directory)));
    assert!(found.next().is_none(), "{}: two of in.*", name(directory));
    Mail {
        name: name(directory),
        bytes: fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
        path,
    }
}

#[test]
fn mail_has_the_expected_links() {
    let mut report = String::new();
    for directory in directories("mail") {
        let mail = mail_of(&directory);
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
        if let Err(error) = expect(&directory, "links.jsonl", found.lines(), &mut report) {
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

/// The detected format of a file.
pub(crate) fn format(mail: &Mail) -> Format {
    Format::detect(&mail.path, &mail.bytes)
}
