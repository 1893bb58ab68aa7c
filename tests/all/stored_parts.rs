//! Messages and records as they are stored, with their documents.

use rehref::fs::{Message, Record};
use rehref::{Document, Mailbox, WebArchive};

const MAILBOX: &str = "corpus/mail/bakery/in.mbox";
const ARCHIVE: &str = "corpus/warc/bakery.warc.gz";

/// The URLs of documents, each with the name of its document.
fn urls<'d>(documents: impl IntoIterator<Item = &'d Document>) -> Vec<String> {
    let mut urls = Vec::new();
    for document in documents {
        let links = document.links();
        urls.extend(
            links.iter().map(|link| format!("{} {}", document.name(), link.url_or_reference())),
        );
    }
    urls
}

fn all(path: &str) -> Vec<Document> {
    let documents = rehref::open(path).expect("a file");
    documents.map(|it| it.expect("a document")).collect()
}

#[test]
fn messages_have_the_documents_of_the_mailbox() {
    let messages = Mailbox::open(MAILBOX).expect("a mailbox").messages();
    let messages = messages.expect("messages").map(|it| it.expect("a message"));
    let messages: Vec<Message> = messages.collect();
    let documents: Vec<Document> =
        (messages.iter().flat_map(Message::documents)).map(|it| it.expect("a document")).collect();
    assert!(messages.len() > 1);
    assert_eq!(urls(&documents), urls(&all(MAILBOX)));
    let bytes = std::fs::read(MAILBOX).expect("a fixture");
    let stored: Vec<u8> = messages.iter().flat_map(|it| it.bytes().to_vec()).collect();
    assert_eq!(stored, bytes);
    for message in &messages {
        let at = usize::try_from(message.offset()).expect("an offset");
        assert!(bytes[at..].starts_with(message.bytes()));
    }
}

#[test]
fn records_have_the_documents_of_the_archive() {
    let archive = || WebArchive::open(ARCHIVE).expect("an archive");
    let records: Vec<Record> = archive().records().map(|it| it.expect("a record")).collect();
    let documents: Vec<Document> = records.iter().flat_map(Record::documents).collect();
    assert_eq!(urls(&documents), urls(&all(ARCHIVE)));
    let page = records.iter().find(|it| it.fields().is("response")).expect("a response");
    assert!(page.target().is_some_and(|it| it.starts_with("http")));
    let response = page.response();
    assert_eq!(response.status, Some(200));
    assert!(!response.body.is_empty());
    assert!(page.named_fields().iter().any(|(name, _)| name == "WARC-Type"));
    assert!(response.fields().iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")));

    let len = std::fs::metadata(ARCHIVE).expect("a fixture").len();
    let mut sliced = Vec::new();
    for start in (0..len).step_by(200) {
        let records = archive().slice(start..start + 200).expect("a slice");
        sliced.extend(records.map(|it| it.expect("a record")));
    }
    let key = |record: &Record| (record.offset(), record.block().to_vec());
    assert_eq!(
        sliced.iter().map(key).collect::<Vec<_>>(),
        records.iter().map(key).collect::<Vec<_>>()
    );
}

#[test]
fn what_is_not_a_web_archive_is_an_error() {
    let error = WebArchive::open("corpus/sites/bakery/notes.txt").expect_err("no archive");
    assert_eq!(error.to_string(), "corpus/sites/bakery/notes.txt: not a web archive");
}
