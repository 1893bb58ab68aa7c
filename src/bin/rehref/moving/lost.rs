//! Links that lead to something before a move, and will not after it.

use std::borrow::Cow;
use std::path::Path;

use rehref::document::Document;
use rehref::error::Error;
use rehref::format::Format;
use rehref::format::FoundLinks;
use rehref::fs::{Content, GZIP, Item, ReadOptions, path_of_bytes};
use rehref::link::{LinkData, Role, Target};
use rehref::rewrite::Plan;
use rehref::rewrite::{Mapper, OutputBases};
use rehref::site::{Entry, Located, Site};

use super::{Done, Moving};
use crate::render::terminal::warn;
use crate::show;

impl Moving<'_> {
    /// Tells of links that lead to something now, and will not any more.
    pub(super) fn tell_broken(
        &self,
        document: &Document,
        findings: &FoundLinks<'_>,
        plan: &Plan,
        done: &mut Done,
    ) {
        let mut lines = document.lines();
        for number in self.lost(document, findings, plan, plan.bases.as_ref()) {
            done.totals.broken += 1;
            let link = &findings.links[number];
            show::breaks(document, link, &mut lines, &mut done.messages);
        }
    }

    /// Reports how many links of a document that is not rewritten, since it is compressed or has bytes that no text has,
    /// will be broken.
    pub(super) fn tell_not_rewritten(
        &self,
        path: &[u8],
        lies_at: &Path,
        bytes: &[u8],
        done: &mut Done,
    ) -> Result<(), Error> {
        let by_name = Format::from_extension(lies_at);
        let (why, format) = match by_name {
            _ if bytes.starts_with(&GZIP) => ("compressed", None),
            Some(Format::Html | Format::Css | Format::Xml) => ("binary", by_name),
            _ => return Ok(()),
        };
        let inflating = ReadOptions {
            format,
            max_document: self.options.max_document,
            ..ReadOptions::default()
        };
        let file = show::joined(self.root, lies_at);
        let Content::Document(mut document) = inflating.read(&Item::Path(file))? else {
            return Ok(());
        };
        document.base = Some(self.base_of(path));
        let findings = document.links_with(&self.find);
        let mapper = self.relocation.of_document(path);
        // Its BASE is not rewritten either.
        let bases = mapper.output_bases(&document, &findings);
        let bases = bases.map(|bases| {
            OutputBases::retrieved_from(bases.retrieval, &findings, self.find.resolver)
        });
        let lost = self.lost(&document, &findings, &Plan::default(), bases.as_ref());
        let lost = lost.len();
        if lost > 0 {
            done.totals.broken += lost;
            let name = document.name.display();
            let plural = if lost == 1 { "link" } else { "links" };
            done.messages.note(format!(
                "{name}: {why}, and so not rewritten: {lost} {plural} would not lead where they lead now"
            ));
        }
        Ok(())
    }

    /// The numbers of the links that lead to something, and will not any more, or to something else.
    ///
    /// New references are resolved again, as readers of the rewritten document will.
    fn lost(
        &self,
        document: &Document,
        findings: &FoundLinks<'_>,
        plan: &Plan,
        bases: Option<&OutputBases>,
    ) -> Vec<usize> {
        let mut old = findings.resolving(document, self.find.resolver).unchecked();
        let mut new = match bases {
            Some(bases) => bases.resolving(document, self.find.resolver),
            None => old.clone(),
        };
        let mut edits = plan.edits.iter().peekable();
        let mut lost = Vec::new();
        for (number, link) in findings.links.iter().enumerate() {
            let edit = edits.next_if(|edit| edit.link == number);
            let target = old.target(link);
            let Target { uri: Some(uri), .. } = target else {
                continue;
            };
            // Without a URL it leads out of the tree, and what lies there does not move.
            let base = target.base.map(|(base, _)| base.as_str());
            if Site::is_private(uri) && self.before.is_above(&link.reference, base) {
                continue;
            }
            let led = self.before.locate(uri);
            // A base leads where what is relative to it says.
            if !led.is_there() || link.role == Role::Base {
                continue;
            }
            let leads = match edit {
                Some(edit) => {
                    let rewritten = LinkData {
                        reference: Cow::Borrowed(edit.reference),
                        ..link.clone()
                    };
                    let uri = new.target(&rewritten).uri;
                    uri.map_or(Located::Outside, |uri| self.after.locate(uri))
                }
                None if bases.is_none() => self.after.locate(uri),
                None => match new.target(link).uri {
                    Some(uri) => self.after.locate(uri),
                    None => continue,
                },
            };
            if self.is_lost(led, leads) {
                lost.push(number);
            }
        }
        lost
    }

    /// Tells of symbolic links that lead to something now, and will not any more: they are not written anew.
    pub(super) fn tell_dangling(&self) {
        let listing = self.before.listing();
        for (_, path, entry) in listing.iter() {
            let new = self.after.listing().id(&self.moves.new_path(path));
            let led = matches!(entry, Entry::Link(_));
            if led && new.map(|id| self.after.listing().entry(id)) == Some(Entry::Nowhere) {
                let path = show::joined(self.root, &path_of_bytes(path));
                let path = path.display();
                warn(format_args!(
                    "{path}: a symbolic link that would lead nowhere"
                ));
            }
        }
    }

    /// Whether what a link led to before is not what it leads to after.
    fn is_lost(&self, led: Located, leads: Located) -> bool {
        let name = |site: &Site, located: Located| {
            let file = located.file();
            file.map(|id| site.listing().name(id).to_vec())
        };
        match name(self.before, led) {
            Some(old) => name(self.after, leads).as_deref() != Some(&*self.moves.new_path(&old)),
            None => leads.is_missing(),
        }
    }
}
