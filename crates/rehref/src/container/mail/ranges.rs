//! The messages of a mailbox by ranges of its bytes, which any thread can split.

use std::io::{self, Read};
use std::ops::Range;

use super::batch::Batch;
use super::format::{NextMessage, Splitting};
use super::mbox::Mbox;

/// The messages that begin in a range of a mailbox, before it is known where the messages before
/// them end.
///
/// A range is split as if a message might begin at each separator in it. In most mailboxes it does.
/// [`follow`](Self::follow) corrects the others.
pub(crate) struct RangeOfMailbox {
    pub(crate) batches: Vec<Batch>,
    pub(crate) error: Option<io::Error>,
    range: Range<u64>,
    next: NextMessage,
}

impl RangeOfMailbox {
    /// Splits a range. `open` opens the mailbox at an offset.
    pub(crate) fn split<R: Read>(
        splitting: Splitting,
        range: Range<u64>,
        open: impl FnOnce(u64) -> R,
    ) -> Self {
        let from = range.start.saturating_sub(Mbox::<R>::LOOK_BACK);
        Self::of(splitting, Mbox::part(open(from), splitting.format, from, range.clone()), range)
    }

    /// The end of the range.
    pub(crate) fn end(&self) -> u64 {
        self.range.end
    }

    fn of<R: Read>(splitting: Splitting, mbox: Mbox<R>, range: Range<u64>) -> Self {
        let mut mbox = mbox.with_first_end(splitting.first_end);
        if splitting.counts_lines {
            mbox = mbox.counting_lines();
        }
        let (mut batches, mut error) = (Vec::new(), None);
        for batch in &mut mbox {
            match batch {
                Ok(batch) => batches.push(batch),
                Err(failure) => error = Some(failure),
            }
        }
        let next = mbox.next_message();
        Self { batches, error, range, next }
    }

    /// Corrects the messages, where the messages before them end at `next`, and moves that to the
    /// end of these. `None` is the beginning of the first range. `open` opens the mailbox at an
    /// offset.
    pub(crate) fn follow<R: Read>(
        &mut self,
        next: &mut Option<NextMessage>,
        splitting: Splitting,
        open: impl FnOnce(u64) -> R,
    ) {
        match *next {
            Some(before) if before.offset >= self.range.end => {
                self.batches.clear();
                self.error = None;
                return;
            }
            Some(before) => self.begin_at(before, splitting, open),
            None => {}
        }
        *next = Some(self.next);
        if self.error.is_some() {
            // Nothing is read after an error.
            *next = Some(NextMessage { offset: u64::MAX, ..self.next });
        }
    }

    /// Corrects the messages if the first one begins at `before`.
    fn begin_at<R: Read>(
        &mut self,
        before: NextMessage,
        splitting: Splitting,
        open: impl FnOnce(u64) -> R,
    ) {
        let begins = self.batches.first().map_or(self.next.offset, |batch| batch.offset);
        if !before.is_known || begins != before.offset {
            let Range { start, end } = self.range;
            let mbox = Mbox::after(open(before.offset), splitting.format, before, end);
            *self = Self::of(splitting, mbox, start..end);
            return;
        }
        // Lines were counted from the beginning of the range.
        let counted = self.batches.first().map_or(self.next.line_feeds, |it| it.line - 1);
        let line_feeds = before.line_feeds.wrapping_sub(counted);
        for batch in &mut self.batches {
            batch.number += before.number - 1;
            batch.line = batch.line.wrapping_add(line_feeds);
        }
        self.next.number += before.number - 1;
        self.next.line_feeds = self.next.line_feeds.wrapping_add(line_feeds);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::container::mail::MboxFormat;

    /// The number, line, offset and bytes of each message.
    type Found = Vec<(usize, usize, u64, Vec<u8>)>;

    fn collect(batches: impl IntoIterator<Item = Batch>) -> Found {
        let messages = |batch: Batch| {
            let line = batch.line;
            let of_batch = batch.messages().enumerate().map(|(at, it)| {
                // Batches have the line of their first message.
                (it.number, if at == 0 { line } else { 0 }, it.offset, it.bytes.to_vec())
            });
            of_batch.collect::<Vec<_>>()
        };
        batches.into_iter().flat_map(messages).collect()
    }

    /// Without the lines, which only the first messages of batches have.
    fn without_lines(found: &Found) -> Vec<(usize, u64, &[u8])> {
        found.iter().map(|(number, _, offset, bytes)| (*number, *offset, &bytes[..])).collect()
    }

    fn piece() -> impl Strategy<Value = String> {
        let separator = "From a Mon Jul 21 10:00:00 1997\n";
        let rule = format!("{}\nDate: Mon, 21 Jul 1997\n", "=".repeat(73));
        prop_oneof![
            4 => Just(separator.to_owned()),
            1 => Just(rule),
            4 => (0..200_usize).prop_map(move |len| format!("{separator}Content-Length: {len}\nX: y\n\n")),
            8 => prop::sample::select(vec![
                "\n", "Subject: a\n", "\n\n", "words\n", "From here on\n", ">From a Mon Jul 21 10:00:00 1997\n", "\r\n", "x",
            ]).prop_map(str::to_owned),
            1 => (0..300_usize).prop_map(|times| "a line of words\n".repeat(times)),
        ]
    }

    proptest! {
        #![proptest_config(crate::tier::cases(1_000))]

        #[test]
        fn ranges_of_a_mailbox_have_its_messages(
            pieces in prop::collection::vec(piece(), 0..40),
            distance in 1..3_000_u64,
            format in prop::sample::select(MboxFormat::ALL.to_vec()),
        ) {
            let text = pieces.concat();
            let bytes = text.as_bytes();
            let format = format.of_head(bytes);
            let all = Mbox::new(bytes, format).counting_lines().map(Result::unwrap);
            let all = collect(all);
            let splitting = Splitting { format, first_end: 0, counts_lines: true };
            let open = |offset: u64| bytes.get(usize::try_from(offset).unwrap()..).unwrap_or_default();
            let (mut next, mut found) = (None, Vec::new());
            let mut from = 0;
            while from < bytes.len() as u64 {
                let range = from..from + distance;
                from = range.end;
                let mut split = RangeOfMailbox::split(splitting, range, open);
                split.follow(&mut next, splitting, open);
                found.extend(collect(split.batches));
            }
            prop_assert_eq!(without_lines(&found), without_lines(&all), "{}", text);
            for (_, line, offset, _) in found.iter().filter(|(_, line, ..)| *line > 0) {
                let before = &bytes[..usize::try_from(*offset).unwrap()];
                prop_assert_eq!(*line, 1 + before.iter().filter(|byte| **byte == b'\n').count());
            }
        }
    }
}
