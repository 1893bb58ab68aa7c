//! A generated mailbox.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::dice::Dice;
use super::pages;
use super::texts;
use super::words::{Language, url};

/// Messages of several kinds: plain text in 7bit, 8bit, quoted-printable and base64; text with
/// HTML; with an attachment.
pub(crate) fn mailbox(size: usize) -> Vec<u8> {
    let mut dice = Dice::new(31);
    let mut mailbox = String::with_capacity(size + 65536);
    while mailbox.len() < size {
        mailbox.push_str("From writer@a.example Mon Jul 21 10:42:07 1997\n");
        let mut headers = String::new();
        texts::headers(&mut dice, &mut headers);
        mailbox.push_str(headers.trim_end());
        mailbox.push_str("\nMIME-Version: 1.0\n");
        match dice.below(10) {
            0..5 => part("7bit", &text(Language::English, &mut dice), &mut mailbox),
            5 => part("8bit", &text(Language::Russian, &mut dice), &mut mailbox),
            6 => {
                let text = text(Language::Western, &mut dice);
                part("quoted-printable", &quoted_printable(&text), &mut mailbox);
            }
            7 => {
                let text = text(Language::Japanese, &mut dice);
                part("base64", &base64(text.as_bytes()), &mut mailbox);
            }
            8 => with_html(&mut dice, &mut mailbox),
            _ => with_attachment(&mut dice, &mut mailbox),
        }
        mailbox.push('\n');
    }
    mailbox.into_bytes()
}

/// The text of a message: each has URLs of its own. A line that begins with `From ` would end the
/// message.
fn text(language: Language, dice: &mut Dice) -> String {
    let mut text = String::new();
    for _ in 0..2 + dice.below(8) {
        language.sentence(dice, &mut text);
        text.push_str(language.full_stop());
        let _ = writeln!(text, "\n  {}", url(dice));
    }
    text
}

fn part(encoding: &str, body: &str, out: &mut String) {
    let _ = write!(
        out,
        "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: {encoding}\n\n{body}\n"
    );
}

fn with_html(dice: &mut Dice, out: &mut String) {
    out.push_str("Content-Type: multipart/alternative; boundary=\"b1\"\n\n--b1\n");
    part("7bit", &text(Language::English, dice), out);
    let page = quoted_printable(&pages::small(dice));
    let _ = write!(
        out,
        "--b1\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n{page}\n--b1--\n"
    );
}

fn with_attachment(dice: &mut Dice, out: &mut String) {
    out.push_str("Content-Type: multipart/mixed; boundary=\"b2\"\n\n--b2\n");
    part("7bit", &text(Language::English, dice), out);
    let bytes: Vec<u8> = (0..8000).map(|_| dice.below(256) as u8).collect();
    let _ = write!(
        out,
        "--b2\nContent-Type: image/png; name=\"a.png\"\nContent-Transfer-Encoding: base64\n\n{}--b2--\n",
        base64(&bytes)
    );
}

fn base64(bytes: &[u8]) -> String {
    let lines = bytes.chunks(57).map(|line| STANDARD.encode(line) + "\n");
    lines.collect()
}

fn quoted_printable(text: &str) -> String {
    let mut out = String::with_capacity(2 * text.len());
    let mut column = 0;
    for byte in text.bytes() {
        if column >= 72 && byte != b'\n' {
            out.push_str("=\n");
            column = 0;
        }
        match byte {
            b'\n' => {
                out.push('\n');
                column = 0;
            }
            b' '..=b'~' if byte != b'=' => {
                out.push(char::from(byte));
                column += 1;
            }
            _ => {
                let _ = write!(out, "={byte:02X}");
                column += 3;
            }
        }
    }
    out
}
