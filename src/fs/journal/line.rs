//! The lines of a journal: what is to be done, and what has been.

use std::ops::Range;

use serde::ser::{Serialize, Serializer};

use super::origin::Origin;
use super::values::{Borrowed, Fingerprint, Text, Time};

/// The version of the format. Another one is not read.
pub(super) const VERSION: u32 = 2;

/// A line of a journal.
#[derive(Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Line {
    /// The first one.
    Journal {
        version: u32,
        by: String,
        /// What the names of this run's temporary files are known by: letters and digits.
        #[serde(default)]
        nonce: String,
        /// Where it was written. Older journals do not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        origin: Option<Origin>,
    },
    Edit(EditStep),
    Create(CreateStep),
    MakeFolder(MakeStep),
    Move(MoveStep),
    RemoveFolder(RemoveStep),
    /// The last one of the plan, with how many steps there are.
    Planned(Counts),
    /// That a phase has been done, and is on the disk.
    Done(Phase),
    /// Which edits, counted from 0, were left alone, since their files had changed.
    Skipped(Vec<u64>),
    /// That all phases have been done.
    Finished,
    /// That from here on the run is taken back, from this phase on, of which a part may have been done.
    Undo(Phase),
    /// That a phase has been taken back, and is on the disk.
    Undone(Phase),
}

/// How many steps there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Counts {
    /// Files that are edited.
    pub files: u64,
    /// Changes in these files.
    pub changes: u64,
    /// Files, folders and symbolic links that are moved.
    pub moves: u64,
    /// Files that are created.
    pub created: u64,
    /// Folders that are made.
    pub made: u64,
    /// Folders that are removed.
    pub removed: u64,
}

/// What is done together, in this order.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub(super) enum Phase {
    /// Files are edited.
    Edits,
    /// What is moved by way of the stage leaves its place.
    Leave,
    /// Folders are made.
    Folders,
    /// What needs no stage is moved.
    Moves,
    /// Folders are removed.
    Removals,
    /// What is on the stage arrives.
    Arrive,
    /// New files are created.
    Creates,
}

impl Phase {
    pub(super) const ALL: [Self; 7] = [
        Self::Edits,
        Self::Leave,
        Self::Folders,
        Self::Moves,
        Self::Removals,
        Self::Arrive,
        Self::Creates,
    ];
}

/// A file that is edited.
#[derive(Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct EditStep {
    pub(super) path: Text,
    pub(super) old: Fingerprint,
    pub(super) new: Fingerprint,
    /// When the old content was written.
    pub(super) time: Option<Time>,
    /// Where it is kept besides, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) backup: Option<Text>,
    /// Where the old bytes stand in the old content, they, and the new ones.
    pub(super) changes: Vec<(u64, Text, Text)>,
}

/// A [`Line::Edit`] that is written, without a copy of its changes.
#[derive(serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum NewLine<C: Serialize> {
    Edit(NewEdit<C>),
}

/// An [`EditStep`] that is written.
#[derive(serde::Serialize)]
pub(super) struct NewEdit<C: Serialize> {
    pub(super) path: Text,
    pub(super) old: Fingerprint,
    pub(super) new: Fingerprint,
    pub(super) time: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) backup: Option<Text>,
    pub(super) changes: C,
}

/// The changes of an [`EditStep`]: the old content, and which ranges of it give way to what.
pub(super) struct Changes<'c, I>(pub(super) &'c [u8], pub(super) I);

impl<'n, I> Serialize for Changes<'_, I>
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

/// A file that is created.
#[derive(Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct CreateStep {
    pub(super) path: Text,
    pub(super) content: Text,
}

/// A folder that is made.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct MakeStep {
    pub(super) path: Text,
    /// Whether it lies in what arrives from the stage, and so is made in that phase.
    #[serde(default)]
    pub(super) staged: bool,
}

/// A file, folder or symbolic link that is moved.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct MoveStep {
    pub(super) from: Text,
    pub(super) to: Text,
    /// Its name on the stage, if it goes by way of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) stage: Option<u64>,
}

/// A folder that is removed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct RemoveStep {
    pub(super) path: Text,
    pub(super) mode: Option<u32>,
    /// Whether it lies in what leaves for the stage, and so is removed in that phase.
    #[serde(default)]
    pub(super) staged: bool,
}

/// Where the new bytes of changes stand in the new content, given where the old ones stand in the old.
pub(super) fn reversed(changes: &[(u64, Text, Text)]) -> Vec<(u64, &[u8], &[u8])> {
    let mut grown = 0_i128;
    let mut reversed = Vec::with_capacity(changes.len());
    for (start, old, new) in changes {
        let there = u64::try_from(i128::from(*start) + grown).unwrap_or(u64::MAX);
        reversed.push((there, &*new.0, &*old.0));
        grown += new.0.len() as i128 - old.0.len() as i128;
    }
    reversed
}

/// A content with changes made, each in its place; nothing where the old bytes are not there.
pub(super) fn changed<'c>(
    content: &[u8],
    changes: impl Iterator<Item = (u64, &'c [u8], &'c [u8])>,
) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(content.len());
    let mut copied = 0;
    for (start, old, new) in changes {
        let start = usize::try_from(start).ok()?;
        out.extend_from_slice(content.get(copied..start)?);
        copied = start.checked_add(old.len())?;
        if content.get(start..copied)? != old {
            return None;
        }
        out.extend_from_slice(new);
    }
    out.extend_from_slice(content.get(copied..)?);
    Some(out)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn lines_are_read_as_they_were_written() {
        let text = |bytes: &[u8]| Text(bytes.to_vec());
        for line in [
            Line::Journal {
                version: VERSION,
                by: "x".into(),
                nonce: "0a".into(),
                origin: None,
            },
            Line::Edit(EditStep {
                path: text(b"a\xFF\n"),
                old: Fingerprint::of([&b"abc"[..]]),
                new: Fingerprint::of([&b"a"[..], b"d"]),
                time: Time::new(UNIX_EPOCH - Duration::from_millis(1)),
                backup: None,
                changes: vec![(1, text(b"bc"), text(b"\xE9"))],
            }),
            Line::Move(MoveStep {
                from: text(b"a"),
                to: text(b"b"),
                stage: Some(3),
            }),
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
                    changes: Changes(content, changes),
                });
                assert_eq!(serde_json::to_string(&new).unwrap(), json);
            }
            assert_eq!(serde_json::from_str::<Line>(&json).unwrap(), line, "{json}");
        }
    }

    #[test]
    fn times_before_1970_are_times() {
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
    fn what_changes_has_the_fingerprint_of_what_it_becomes() {
        let of = |changes: &[(Range<usize>, &'static [u8])]| {
            Fingerprint::of_changed(b"abcdef", changes.iter().cloned())
        };
        assert_eq!(of(&[]), Fingerprint::of([&b"abcdef"[..]]));
        assert_eq!(
            of(&[(0..1, b"xy"), (1..3, b""), (6..6, b"!")]),
            Fingerprint::of([&b"xydef!"[..]])
        );
    }

    #[test]
    fn changes_are_made_and_unmade() {
        let text = |it: &str| Text(it.as_bytes().to_vec());
        let changes = vec![
            (0, text("a"), text("xyz")),
            (2, text("cd"), text("")),
            (5, text(""), text("!")),
        ];
        let given = changes.iter().map(|(at, old, new)| (*at, &*old.0, &*new.0));
        let new = changed(b"abcdef", given).unwrap();
        assert_eq!(new, b"xyzbe!f");
        let back = changed(&new, reversed(&changes).into_iter()).unwrap();
        assert_eq!(back, b"abcdef");
        assert_eq!(changed(b"ab", [(1, &b"x"[..], &b""[..])].into_iter()), None);
    }
}
