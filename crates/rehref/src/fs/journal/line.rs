//! The lines of a journal: planned steps and completed phases.

use std::fmt;
use std::ops::Range;

use serde::ser::{Serialize, Serializer};

use super::changes::Changes;
use super::origin::Origin;
use super::values::{Borrowed, Fingerprint, Text, Time};

/// The version of the format. Other versions are rejected.
pub(super) const VERSION: u32 = 2;

/// A line of a journal.
#[derive(Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Line {
    /// The first line.
    Journal {
        version: u32,
        by: String,
        /// The nonce in the names of this run's temporary files: letters and digits.
        #[serde(default)]
        nonce: String,
        /// The directory and machine where it was written. Missing in older journals.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        origin: Option<Origin>,
    },
    Edit(EditStep),
    Create(CreateStep),
    // The name in existing journals.
    #[serde(rename = "make_folder")]
    MakeDirectory(MakeStep),
    Move(MoveStep),
    #[serde(rename = "remove_folder")]
    RemoveDirectory(RemoveStep),
    /// The last line of the plan, with the number of steps.
    Planned(Counts),
    /// A phase has been done, and synced to disk.
    Done(Phase),
    /// The edits, counted from 0, that were skipped because their files had changed.
    Skipped(Vec<u64>),
    /// All phases have been done.
    Finished,
    /// The run is undone from here on, starting with this phase, which may be partly done.
    Undo(Phase),
    /// A phase has been undone, and synced to disk.
    Undone(Phase),
}

/// The number of steps of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Counts {
    /// Edited files.
    pub files: u64,
    /// Changes in these files.
    pub changes: u64,
    /// Moved files, directories and symbolic links.
    pub moves: u64,
    /// Created files.
    pub created: u64,
    /// Created directories.
    pub made: u64,
    /// Removed directories.
    pub removed: u64,
}

/// `5 links in 3 files, 2 moved`
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: u64| if count == 1 { "" } else { "s" };
        let (changes, files) = (self.changes, self.files);
        write!(f, "{changes} link{} in {files} file{}", plural(changes), plural(files))?;
        for (count, one, many) in [
            (self.moves, "moved", "moved"),
            (self.created, "created", "created"),
            (self.made, "new directory", "new directories"),
            (self.removed, "removed directory", "removed directories"),
        ] {
            match count {
                0 => {}
                1 => write!(f, ", 1 {one}")?,
                _ => write!(f, ", {count} {many}")?,
            }
        }
        Ok(())
    }
}

/// The phases of a run, in order.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub(super) enum Phase {
    /// Edit files.
    Edits,
    /// Move entries to the stage.
    Leave,
    /// Create directories.
    // The name in existing journals.
    #[serde(rename = "folders")]
    Directories,
    /// Move the other entries.
    Moves,
    /// Remove directories.
    Removals,
    /// Move entries from the stage.
    Arrive,
    /// Create files.
    Creates,
}

impl Phase {
    pub(super) const ALL: [Self; 7] = [
        Self::Edits,
        Self::Leave,
        Self::Directories,
        Self::Moves,
        Self::Removals,
        Self::Arrive,
        Self::Creates,
    ];
}

/// An edit of a file.
#[derive(Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct EditStep {
    pub(super) path: Text,
    pub(super) old: Fingerprint,
    pub(super) new: Fingerprint,
    /// The modification time of the old content.
    pub(super) time: Option<Time>,
    /// The path of its backup, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) backup: Option<Text>,
    /// The number of links that the changes are of, unless each is of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) links: Option<u64>,
    /// The offset of each change in the old content, the old bytes, and the new bytes.
    pub(super) changes: Changes,
    /// The whole old content of a file that is written in place. Otherwise the file is replaced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) content: Option<Text>,
}

/// A [`Line::Edit`] for writing, without a copy of its changes.
#[derive(serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum NewLine<C: Serialize> {
    Edit(NewEdit<C>),
}

/// An [`EditStep`] for writing.
#[derive(serde::Serialize)]
pub(super) struct NewEdit<C: Serialize> {
    pub(super) path: Text,
    pub(super) old: Fingerprint,
    pub(super) new: Fingerprint,
    pub(super) time: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) backup: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) links: Option<u64>,
    pub(super) changes: C,
}

/// The [`Changes`] of an [`EditStep`] for writing: the old content, and its ranges with their
/// replacements.
pub(super) struct NewChanges<'c, I>(pub(super) &'c [u8], pub(super) I);

impl<'n, I> Serialize for NewChanges<'_, I>
where
    I: IntoIterator<Item = (Range<usize>, &'n [u8])> + Clone,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let changes = self.1.clone().into_iter();
        serializer.collect_seq(changes.map(|(range, new)| {
            let old = Borrowed(&self.0[range.clone()]);
            (range.start as u64, old, Borrowed(new))
        }))
    }
}

/// The creation of a file.
#[derive(Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct CreateStep {
    pub(super) path: Text,
    pub(super) content: Text,
}

/// The creation of a directory.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct MakeStep {
    pub(super) path: Text,
    /// True if it is in a directory that arrives from the stage, so that it is created in that
    /// phase.
    #[serde(default)]
    pub(super) staged: bool,
}

/// A move of a file, directory or symbolic link.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct MoveStep {
    pub(super) from: Text,
    pub(super) to: Text,
    /// Its name on the stage, if it uses the stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) stage: Option<u64>,
}

/// The removal of a directory.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct RemoveStep {
    pub(super) path: Text,
    pub(super) mode: Option<u32>,
    /// True if it is in a directory that leaves for the stage, so that it is removed in that phase.
    #[serde(default)]
    pub(super) staged: bool,
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn lines_are_read_as_they_were_written() {
        let text = |bytes: &[u8]| Text(bytes.to_vec());
        for line in [
            Line::Journal { version: VERSION, by: "x".into(), nonce: "0a".into(), origin: None },
            Line::Edit(EditStep {
                path: text(b"a\xFF\n"),
                old: Fingerprint::of([&b"abc"[..]]),
                new: Fingerprint::of([&b"a"[..], b"d"]),
                time: Time::new(UNIX_EPOCH - Duration::from_millis(1)),
                backup: None,
                links: Some(2),
                changes: [(1, &b"bc"[..], &b"\xE9"[..])].into_iter().collect(),
                content: None,
            }),
            Line::Move(MoveStep { from: text(b"a"), to: text(b"b"), stage: Some(3) }),
            Line::Done(Phase::Edits),
            Line::Skipped(vec![1, 2]),
            Line::Undo(Phase::Moves),
        ] {
            let json = serde_json::to_string(&line).unwrap();
            assert!(!json.contains('\n'));
            if let Line::Edit(step) = &line {
                let content = b"abc";
                let changes = [(1..3, &b"\xE9"[..])];
                let new = NewLine::Edit(NewEdit {
                    path: step.path.clone(),
                    old: step.old,
                    new: step.new,
                    time: step.time,
                    backup: None,
                    links: step.links,
                    changes: NewChanges(content, changes),
                });
                assert_eq!(serde_json::to_string(&new).unwrap(), json);
            }
            assert_eq!(serde_json::from_str::<Line>(&json).unwrap(), line, "{json}");
        }
    }

    #[test]
    fn times_before_1970_are_supported() {
        for time in [
            UNIX_EPOCH - Duration::from_nanos(1_500_000_000),
            UNIX_EPOCH - Duration::from_secs(2),
            UNIX_EPOCH,
            UNIX_EPOCH + Duration::from_nanos(1_500_000_001),
        ] {
            assert_eq!(Time::new(time).and_then(Time::system), Some(time));
        }
    }

    #[test]
    fn changed_content_has_the_fingerprint_of_the_result() {
        let of = |changes: &[(Range<usize>, &'static [u8])]| {
            Fingerprint::of_changed(b"abcdef", changes.iter().cloned())
        };
        assert_eq!(of(&[]), Fingerprint::of([&b"abcdef"[..]]));
        assert_eq!(
            of(&[(0..1, b"xy"), (1..3, b""), (6..6, b"!")]),
            Fingerprint::of([&b"xydef!"[..]])
        );
    }

    /// Other versions resume and undo the runs of these journals.
    #[test]
    fn names_in_journals_do_not_change() {
        let names = Phase::ALL.map(|phase| serde_json::to_string(&Line::Done(phase)).unwrap());
        let expected = ["edits", "leave", "folders", "moves", "removals", "arrive", "creates"];
        assert_eq!(names, expected.map(|name| format!("{{\"done\":\"{name}\"}}")));
        for (line, is_expected) in [
            (
                r#"{"make_folder":{"path":"a","staged":false}}"#,
                (|it| matches!(it, Line::MakeDirectory(_))) as fn(&Line) -> bool,
            ),
            (r#"{"remove_folder":{"path":"a","mode":null,"staged":false}}"#, |it| {
                matches!(it, Line::RemoveDirectory(_))
            }),
        ] {
            let read: Line = serde_json::from_str(line).unwrap();
            assert!(is_expected(&read), "{line}");
        }
    }
}
