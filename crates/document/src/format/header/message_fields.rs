//! Reading the fields that describe a message to its readers.

use super::words;
use crate::format::contexts::collapsed;
use crate::source::MessageFields;

/// The fields of a decoded header, the first of each name. Linear.
pub fn message_fields(header: &str) -> MessageFields {
    let mut values: [Option<String>; 3] = [None, None, None];
    // The field that the next line may continue.
    let mut last = None;
    for line in header.lines() {
        if line.starts_with([' ', '\t']) {
            if let Some(value) = last.and_then(|at: usize| values[at].as_mut()) {
                value.push_str(line);
            }
            continue;
        }
        let (name, value) = line.split_once(':').unwrap_or_default();
        let is = |it: &&str| it.eq_ignore_ascii_case(name.trim_end());
        let at = ["date", "from", "subject"].iter().position(is);
        last = at.filter(|&at| values[at].is_none());
        if let Some(at) = last {
            values[at] = Some(value.to_owned());
        }
    }
    let [date, from, subject] = values.map(|value| {
        let value = value?;
        let decoded = words::decode(&value).map(|(text, _)| text);
        collapsed([decoded.as_deref().unwrap_or(&value)])
    });
    MessageFields { date, from, subject }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_unfolded_and_decoded() {
        let header = "Received: x\r\nFROM : =?utf-8?Q?Zo=C3=AB?=\r\n <zoe@a.example>\r\nSubject:\r\n\
                      Date: Tue, 1 Jul\r\n\t1997\r\nDate: never\r\nX: y\r\n z\r\n";
        let fields = message_fields(header);
        assert_eq!(fields.from.as_deref(), Some("Zoë <zoe@a.example>"));
        assert_eq!(fields.date.as_deref(), Some("Tue, 1 Jul 1997"));
        assert_eq!(fields.subject, None);
    }
}
