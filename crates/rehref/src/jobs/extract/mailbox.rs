//! The messages of a long mailbox. Each range is split, parsed and searched by one thread.

use std::sync::Arc;

use super::container::Container;
use super::document::{LARGE, Worker};
use super::event::ExtractEvent;
use super::rendered::{Rendered, Worked};
use crate::container::mail::{MailOptions, NextMessage, RangeOfMailbox};
use crate::error::Error;
use crate::fs::{MailRanges, kind_of};
use crate::jobs::chain::Chain;
use crate::jobs::ordered::Turn;

/// A long mailbox in a file.
pub(super) struct Mailbox {
    container: Arc<Container>,
    options: MailOptions,
    ranges: MailRanges,
    /// The beginning of the next message.
    next: Chain<Option<NextMessage>>,
}

impl Mailbox {
    pub(super) fn new(
        container: &Arc<Container>,
        options: MailOptions,
        ranges: MailRanges,
    ) -> Arc<Self> {
        let (container, next) = (Arc::clone(container), Chain::new(None));
        Arc::new(Self { container, options, ranges, next })
    }

    /// Renders the events of the messages of a range.
    pub(super) fn range<'w, P: Default>(
        &self,
        worker: &Worker<'_, P>,
        number: u64,
        turn: &mut Turn<'_, Worked<'w, P>>,
    ) -> Worked<'w, P> {
        let container = &self.container;
        let mut out = Rendered::default();
        let RangeOfMailbox { batches, error, .. } = self.split(number, turn);
        for batch in batches {
            // The links in a message may take many times its memory.
            if batch.byte_len() > LARGE && turn.wait().is_break() {
                break;
            }
            let flush = &mut |out: &mut Rendered<P>| worker.flush(out, turn, container);
            worker.messages(&batch, &container.name, &self.options, &mut out, flush);
            worker.progress(container, batch.end(), &mut out);
        }
        if let Some(error) = error {
            let error = Error::new(&*container.name, kind_of(error));
            worker.event(ExtractEvent::Error(&error), &mut out);
        }
        Worked::Part(Arc::clone(container), out)
    }

    fn split<P>(&self, number: u64, turn: &mut Turn<'_, Worked<'_, P>>) -> RangeOfMailbox {
        let next = self.next.link(number);
        let mut messages = self.ranges.split(number, || turn.wait());
        next.pass(|next| {
            self.ranges.follow(&mut messages, next, || turn.wait());
        });
        messages
    }
}
