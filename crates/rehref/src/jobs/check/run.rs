//! Runs: surveying all documents, then reporting in order.

use std::collections::{BTreeSet, HashSet};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;

use super::anchor_cache::AnchorCache;
use super::copies::Copies;
use super::documents::{Candidate, Documents, SurveyedDocument};
use super::event::{CheckEvent, CheckSink, Surveyed};
use super::options::Check;
use super::package;
use super::package_cache::PackageCache;
use super::surveying::{Found, survey};
use super::trees::{Tree, Trees};
use crate::check::{CheckOptions, Checker, Survey};
use crate::fs::{ignores_case, layouts};
use crate::jobs::ordered::{self, Bounds};
use crate::jobs::sink::{lock, no_piece};
use crate::jobs::unread::kind_of_unreadable_directory;
use crate::listing::{Id, Listing};
use crate::records::{CheckSummary, UnreadDocuments};
use crate::site::Site;

impl Check {
    /// Checks the documents and calls `each` with the events, in order and on one thread.
    ///
    /// Uses one thread. [`run`](Self::run) uses all.
    pub fn for_each(mut self, each: impl FnMut(CheckEvent<'_>) + Send) -> CheckSummary {
        self.inputs.threads = NonZeroUsize::MIN;
        let each = Mutex::new(each);
        self.run(|event, ()| lock(&each)(event), no_piece)
    }

    /// Checks the documents in parallel.
    ///
    /// `render` is called in the worker threads with each event of a document and the document's
    /// piece, such as a buffer of output. `take` gets the finished pieces in order, one at a time.
    /// If it breaks, the run ends.
    pub fn run<P: Default + Send>(
        &self,
        render: impl Fn(CheckEvent<'_>, &mut P) + Sync,
        mut take: impl FnMut(P) -> ControlFlow<()> + Send,
    ) -> CheckSummary {
        let sink = CheckSink::new(&render, &mut take);
        let mut unlisted = HashSet::new();
        let mut unread = UnreadDocuments::default();
        let Trees { trees, inputs } = Trees::new(self);
        let sites: Vec<(Site, usize, CheckOptions)> = trees
            .iter()
            .map(|tree| {
                let mut listing = tree.list(|error| {
                    sink.event(CheckEvent::Error(&error));
                    if let Some(kind) = kind_of_unreadable_directory(&error) {
                        unread.add(kind);
                    }
                    unlisted.insert(error.path().to_owned());
                });
                let files = listing.len();
                package::add_parts(self, tree, &mut listing);
                let (site, options) = self.site(tree, listing);
                (site, files, options)
            })
            .collect();
        let looks: Vec<_> = trees.iter().map(|tree| |path: &[u8]| tree.look(path)).collect();
        let trees = trees.iter().zip(&sites).zip(&looks);
        let trees: Vec<Documents<'_>> = trees
            .enumerate()
            .map(|(number, ((tree, (site, files, options)), look))| Documents {
                check: self,
                number,
                tree,
                site,
                files: *files,
                checker: Checker::new(site, options.clone()).with_look(look),
                anchors: AnchorCache::default(),
                packages: PackageCache::default(),
            })
            .collect();
        // In boxes, since another thread may have allocated them: see `ordered`.
        let mut surveyed: Vec<(&Documents<'_>, Box<SurveyedDocument>)> = Vec::new();
        let threads = self.inputs.threads;
        let mut flow = ControlFlow::Continue(());
        let mut copies = Copies::default();
        let mut packages = 0;
        let is_only_input = inputs.iter().map(|(_, inputs)| inputs.len()).sum::<usize>() == 1;
        let inputs = inputs.iter().flat_map(|(number, inputs)| {
            let documents = &trees[*number];
            documents.divided(inputs).map(move |it| (documents, it))
        });
        for (documents, inputs) in inputs {
            let (listed, walked) = match inputs {
                [input] if documents.is_listed(input) => {
                    // To make a vector longer, an allocator may have to wait for another thread.
                    surveyed.reserve(documents.site.listing().len());
                    (Some(documents.listed(input)), None)
                }
                _ => (None, Some(self.inputs.walk.walk(inputs.to_vec()))),
            };
            let walked = walked.into_iter().flatten().map(Candidate::Walked);
            let candidates = listed.into_iter().flatten().chain(walked);
            // Most trees have no compressed copies. Then the set of their files is not made, which
            // takes long.
            let may_be_copies = !is_only_input || Copies::may_be_in(documents.site.listing());
            let candidates = candidates.filter(|candidate| match candidate {
                Candidate::Walked(Ok(found)) => {
                    let file = found.item.file();
                    !file.is_some_and(|path| copies.takes(path, found.root.is_none()))
                }
                // Errors of the listing are reported already.
                Candidate::Walked(Err(error)) => !unlisted.contains(error.path()),
                Candidate::Listed(path, _) => !(may_be_copies && copies.takes(path, false)),
            });
            let work = |candidate| survey(documents, candidate);
            ordered::for_each(Bounds::of_small(threads), candidates, work, |result| {
                flow?;
                flow = match result {
                    Found::Document(document) => {
                        let kind = document.unread;
                        let name = documents.name(&document);
                        let flow = kind.map_or(ControlFlow::Continue(()), |kind| {
                            unread.add(kind);
                            sink.deliver(CheckEvent::Unread(name, kind))
                        });
                        surveyed.push((documents, document));
                        flow
                    }
                    Found::Package(package) => {
                        packages += 1;
                        let mut flow = ControlFlow::Continue(());
                        for kind in package.unread {
                            unread.add(kind);
                            flow = sink.deliver(CheckEvent::Unread(&package.name, kind));
                            flow?;
                        }
                        for error in package.errors {
                            flow = sink.deliver(CheckEvent::Error(&error));
                            flow?;
                        }
                        surveyed.extend(
                            package.documents.into_iter().map(|it| (documents, Box::new(it))),
                        );
                        flow
                    }
                    Found::Unread(name, kind) => {
                        unread.add(kind);
                        sink.deliver(CheckEvent::Unread(&name, kind))
                    }
                    Found::Failed(error, kind) => {
                        kind.into_iter().for_each(|kind| unread.add(kind));
                        sink.deliver(CheckEvent::Error(&error))
                    }
                    Found::Other => ControlFlow::Continue(()),
                };
                flow?;
                flow = sink.deliver(CheckEvent::Progress);
                flow?;
                flow = self.flow();
                flow
            });
        }
        surveyed.retain(|(documents, document)| !documents.is_unused(document));
        let mut targets: Vec<BTreeSet<Id>> = vec![BTreeSet::new(); trees.len()];
        for (documents, document) in &surveyed {
            let files = documents.checker.without_anchors(&document.survey);
            targets[documents.number].extend(files);
        }
        for (documents, document) in &surveyed {
            targets[documents.number].remove(&document.file);
        }
        for (documents, files) in trees.iter().zip(targets) {
            let read = |file| documents.read_anchors(file);
            ordered::for_each(Bounds::of_files(threads), files.into_iter(), read, |()| self.flow());
        }
        unread.add_ignored(&self.inputs.walk.gitignore);
        let sum = |number: fn(&Survey) -> usize| {
            surveyed.iter().map(|(_, document)| number(&document.survey)).sum()
        };
        let mut totals = CheckSummary {
            docs: packages + { surveyed.iter() }.filter(|(_, it)| it.part.is_none()).count(),
            links: sum(|it| it.links),
            local: sum(|it| it.local),
            excluded: sum(|it| it.excluded),
            exempt: sum(|it| it.exempt),
            rootless: sum(|it| it.rootless),
            templates: sum(|it| it.templates),
            generated: sum(|it| it.generated),
            fragments: sum(|it| it.fragments),
            unused: sum(|it| it.unused),
            unread,
            ..CheckSummary::default()
        };
        let fails = |(documents, document): &&(&Documents<'_>, Box<SurveyedDocument>)| {
            documents.fails(document)
        };
        let failed = || surveyed.iter().filter(fails).count();
        let mut flow = sink.deliver(CheckEvent::Surveyed(&Surveyed {
            documents: surveyed.len(),
            failed: &failed,
        }));
        let work = |(documents, document): &(&Documents<'_>, Box<SurveyedDocument>)| {
            sink.piece(|event| documents.results(document, event))
        };
        // No more threads than documents that are read again: the other results take less time than
        // starting a thread.
        let again = surveyed
            .iter()
            .filter(|(documents, document)| documents.checker.is_broken(&document.survey));
        let threads = NonZeroUsize::new(again.take(threads.get()).count());
        ordered::for_each(
            Bounds::of_files(threads.unwrap_or(NonZeroUsize::MIN)),
            surveyed.iter(),
            work,
            |(piece, found)| {
                flow?;
                totals.broken += found.broken;
                totals.orphans += found.orphans;
                totals.accepted += found.accepted;
                totals.warnings += found.warnings;
                flow = sink.take(piece);
                flow?;
                self.flow()
            },
        );
        totals
    }

    /// The URLs of a tree with this listing, and how its links are checked.
    fn site(&self, tree: &Tree, listing: Listing) -> (Site, CheckOptions) {
        let options = CheckOptions {
            find: self.options.clone(),
            slugs_of_site: self.slugs_of_site,
            index: self.needs_index,
            clean_urls: self.clean_urls,
            case: self.case,
            folds: ignores_case(tree.root(), &listing),
            confined: self.url.is_none(),
            outside: self.root.is_some(),
            rootless: tree.is_of_files,
            filter: self.filter.clone(),
            prefix: self.prefix_of(tree),
        };
        let index = self.index.clone();
        let layouts = layouts(tree.root(), self.site, &listing);
        let site = match &self.url {
            Some(url) => Site::new(url, listing, index),
            None => Site::private(listing, index),
        };
        (site.with_layouts(layouts), options)
    }

    /// The beginning of the names of files below a root, as documents are shown.
    fn prefix_of(&self, tree: &Tree) -> String {
        let root = tree.root();
        let is_hidden = root == Path::new(".") && (self.strips_dot || tree.is_of_files);
        match root.to_string_lossy() {
            root if is_hidden || root.is_empty() => String::new(),
            root if root.ends_with(std::path::MAIN_SEPARATOR) => root.into_owned(),
            root => format!("{root}{}", std::path::MAIN_SEPARATOR),
        }
    }

    fn flow(&self) -> ControlFlow<()> {
        match self.stop.is_stopped() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Tree;

    /// All events of a run, and its numbers.
    fn events(check: Check) -> Vec<String> {
        let mut events = Vec::new();
        let summary = check.for_each(|event| {
            // Those of a link are long, and refer to memory.
            events.push(match event {
                CheckEvent::Broken(it) => format!("{} {:?}", it.link.reference(), it.why),
                event => format!("{event:?}"),
            });
        });
        events.push(format!("{summary:?}"));
        events
    }

    #[test]
    fn listed_files_are_those_that_a_walk_finds() {
        let files = Tree::site_within(tempfile::tempdir().unwrap());
        let root = files.path();
        let page =
            "<a href=a.html>1</a><a href=none>2</a><a href=d/b.html#x>3</a><img src=../e.gz>";
        for path in [
            "a.html", "a.html.gz", "a.html.gz.gz", "alone.html.gz", "d/b.html", "d/b.HTML.xz",
            "d.html", "d/.hidden.html", "d.gz/x.html", "dir.html/y.html", "dir.html.gz",
            ".git/c.html", ".rehref-left.html", "e.css", "e.gz", "z/z/z.xhtml",
        ] {
            files.write(path, page);
        }
        #[cfg(unix)]
        for (to, link) in [("a.html", "l.html"), ("d", "m"), ("../x", "out.html"), ("no", "n")] {
            files.symlink(to, link);
        }
        let sub = root.join("d");
        let file = root.join("e.css");
        let mut count = 0;
        let copy = root.join("a.html.gz");
        let inputs: [&[&Path]; 8] = [
            &[root],
            &[root, root],
            &[&sub, root, &file],
            &[&file, &file, root],
            &[&file],
            &[&root.join("missing"), &sub],
            &[&copy, root],
            &[root, &copy, root],
        ];
        for inputs in inputs {
            for given in [None, Some(root.to_owned()), Some(root.join("."))] {
                let run = |max_depth| {
                    let mut check = Check::new(".");
                    check.inputs.items.clear();
                    inputs.iter().for_each(|it| check.inputs.add_path(it));
                    check.inputs.walk.max_depth = max_depth;
                    check.root = given.clone();
                    check.orphans = true;
                    events(check)
                };
                // With a maximum depth, directories are walked.
                let walked = run(Some(100));
                assert_eq!(run(None), walked, "{inputs:?} {given:?}");
                count += walked.len();
            }
        }
        assert!(count > 200, "{count}");
    }
}
