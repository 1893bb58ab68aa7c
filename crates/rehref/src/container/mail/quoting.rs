//! Quoting of lines that begin with `From ` in mailboxes.

use memchr::memmem;

use super::format::MboxFormat;
use crate::bytes::{OffsetMap, OffsetMapBuilder};

/// Removes the quoting of a mailbox from a message, with a map. `None` if no line is quoted.
pub(super) fn unquoted(message: &[u8], format: MboxFormat) -> Option<(Vec<u8>, OffsetMap)> {
    if matches!(format, MboxFormat::Mboxcl2 | MboxFormat::Listserv | MboxFormat::Mmdf) {
        return None;
    }
    let mut text = Vec::new();
    let mut map = OffsetMapBuilder::default();
    let mut kept = 0;
    for found in memmem::find_iter(message, b">From ") {
        let marks = message[..=found].iter().rev();
        let marks = marks.take_while(|byte| **byte == b'>').count();
        let start = found + 1 - marks;
        let begins_line = start > 0 && message[start - 1] == b'\n';
        if !begins_line || marks > 1 && format == MboxFormat::Mboxo {
            continue;
        }
        text.extend_from_slice(&message[kept..start]);
        map.push(start - kept, 1, 1);
        map.push(1, 0, 1);
        kept = start + 1;
    }
    if kept == 0 {
        return None;
    }
    text.extend_from_slice(&message[kept..]);
    map.push(message.len() - kept, 1, 1);
    Some((text, map.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Span;

    #[test]
    fn quoting_is_removed() {
        let text = |format| {
            let found = unquoted(b"x\n>From a\n>>From b\nc >From d", format);
            found.map(|(text, map)| (String::from_utf8(text).unwrap(), map))
        };
        let (rd, map) = text(MboxFormat::Mboxrd).unwrap();
        assert_eq!(rd, "x\nFrom a\n>From b\nc >From d");
        let at = rd.find("c ").unwrap();
        assert_eq!(map.to_source(Span::new(at, at + 1)), Span::new(at + 2, at + 3));
        let (o, _) = text(MboxFormat::Mboxo).unwrap();
        assert_eq!(o, "x\nFrom a\n>>From b\nc >From d");
        assert_eq!(text(MboxFormat::Mboxcl2), None);
    }
}
