//! The links of a mailbox in memory, beside mail-parser with linkify on the text of each part.

use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

use linkify::{LinkFinder, LinkKind};
use mail_parser::{Message, MessageParser, MessagePart, PartType};
use rehref::container::mail::{MailOptions, Mbox, MboxFormat, MessageReader, RawMessage};
use rehref::format::Options;
use rehref::format::find_each_in_text;
use rehref::link::{LinkResolver, ParsedLink};

use crate::agreement::{Agreement, ascii_beginning};
use crate::inputs::{mailbox, real};
use crate::machine;
use crate::report::{Contest, Input, Measure, Section};
use crate::rounds::Contender;
use crate::settings::{Settings, given};

const ABOUT: &str = "A mailbox in memory. rehref does all that `rehref extract` does except for output: it splits messages, \
    decodes, finds links in headers, texts and HTML parts, resolves and renders. The peers are given split messages, and \
    look for URLs in the text of each part and in the source of HTML parts. \"MIME headers\" is mail-parser without the \
    headers that URLs are not looked for in; by default it parses all. Differences: URLs in HTML parts that are no links, \
    such as namespaces, where a URL in a sentence ends, and parts that mail-parser does not decode.";

/// The share of the URLs of mail-parser and linkify that rehref finds.
const SHARED: f64 = 0.9;

pub(crate) fn run(settings: &Settings) -> Section {
    let mut section = Section::new("Links of mail", Measure::Faster, ABOUT);
    let size = settings.size(48);
    let mut boxes = vec![("mailbox".to_owned(), mailbox::mailbox(size))];
    for (at, path) in settings.mail.iter().enumerate() {
        let once = real::mailbox(path);
        boxes.push((given("mail", at), once.repeat(size.div_ceil(once.len().max(1)))));
    }
    for (name, mailbox) in boxes {
        compare(settings, &mut section, &name, &mailbox);
    }
    section
}

fn compare(settings: &Settings, section: &mut Section, name: &str, mailbox: &[u8]) {
    section.inputs.push(Input::new(name, [mailbox]));
    let mail_parser = machine::named("mail-parser");
    let both = format!("{mail_parser} + {}", machine::named("linkify"));
    let few_headers = format!("{both}, MIME headers");
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]);
    let finder = &finder;
    let every_header = || MessageParser::default();
    let mime_headers = || MessageParser::new().with_mime_headers().default_header_ignore();
    let linked = |parser: MessageParser| {
        let mut count = 0;
        theirs(mailbox, &parser, finder, |url| {
            black_box(url);
            count += 1;
        });
        count
    };
    let contenders = vec![
        Contender::ours(|| {
            let mut count = 0;
            ours(mailbox, |url| {
                black_box(url);
                count += 1;
            });
            count
        }),
        Contender::peer(&both, || linked(every_header())),
        Contender::peer(&few_headers, || linked(mime_headers())),
        Contender::bound(format!("{mail_parser} without URLs"), || parsed(mailbox)),
    ];
    let (mut our_urls, mut their_urls) = (Vec::new(), Vec::new());
    ours(mailbox, |url| our_urls.push(ascii_beginning(url.as_bytes())));
    theirs(mailbox, &every_header(), finder, |url| {
        their_urls.push(ascii_beginning(url.as_bytes()))
    });
    let agreement = Agreement::new(&our_urls, &their_urls, SHARED);
    section.compare(
        settings.rounds,
        Contest {
            input: name,
            size: mailbox.len(),
            contenders,
            agreements: vec![(&both, agreement)],
            goals: &[(&both, 1.5)],
        },
    );
}

/// Calls `each` with the messages of a mailbox.
fn messages(mailbox: &[u8], mut each: impl FnMut(RawMessage<'_>)) {
    for batch in Mbox::new(mailbox, MboxFormat::Auto).flatten() {
        batch.messages().for_each(&mut each);
    }
}

fn ours(mailbox: &[u8], mut each: impl FnMut(&str)) {
    let archive: Arc<Path> = Path::new("list.mbox").into();
    let options =
        MailOptions { headers: true, quoting: Some(MboxFormat::Auto), ..MailOptions::default() };
    let find_options = Options::default();
    let mut reader = MessageReader::new(&archive, &options);
    let mut resolver = LinkResolver::new(find_options.resolver, None, None).unchecked();
    messages(mailbox, |message| {
        reader.read(message, |part| {
            let document = &part.document;
            let mut pass = |link: &ParsedLink<'_>, resolver: &mut LinkResolver| {
                let uri = resolver.target(link).uri;
                each(uri.unwrap_or(&link.reference));
            };
            let base = document.base();
            if document.format().is_text() {
                resolver.set_document(base, base);
                find_each_in_text(document.source(), &find_options, |link| {
                    pass(&link, &mut resolver);
                });
            } else {
                let found = document.found(&find_options);
                resolver.set_document(found.base.as_ref(), base);
                found.links.iter().for_each(|link| pass(link, &mut resolver));
            }
            Some(part)
        });
    });
}

fn parsed(mailbox: &[u8]) -> usize {
    let mut parts = 0;
    messages(mailbox, |message| {
        let parsed = MessageParser::default().parse(message.bytes);
        parts += black_box(parsed).map_or(0, |it| it.parts.len());
    });
    parts
}

fn theirs(mailbox: &[u8], parser: &MessageParser, finder: &LinkFinder, mut each: impl FnMut(&str)) {
    messages(mailbox, |message| {
        if let Some(parsed) = parser.parse(message.bytes) {
            links_of(&parsed, finder, &mut each);
        }
    });
}

fn links_of(message: &Message<'_>, finder: &LinkFinder, each: &mut dyn FnMut(&str)) {
    let mut of_part = |part: &MessagePart<'_>| match &part.body {
        PartType::Text(text) | PartType::Html(text) => {
            finder.links(text).for_each(|it| each(it.as_str()))
        }
        PartType::Message(message) => links_of(message, finder, each),
        _ => {}
    };
    message.parts.iter().for_each(&mut of_part);
}
