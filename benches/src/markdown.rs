//! BENCHMARKS.md.

use std::fmt::Write;

use crate::machine;
use crate::report::{Measure, Row, Section};
use crate::rounds::Spread;

const INTRODUCTION: &str = "\
# Benchmarks

Each benchmark runs rehref and its peers on the same input in one process or one run. The rounds alternate. A result is the
median of the ratios of at least 9 rounds, with the least and the most; the number is given where rounds take so long that there
are fewer. Absolute times depend on the machine; ratios are what counts.

`just peers` runs all of them and writes this file; without just:

```
cargo bench -p rehref-benches --bench peers -- --pages DIR --texts PATH --markdown PATH --mail PATH --tree DIR --archive PATH
```

Each option may be repeated or left out: generated inputs are always used, the same bytes in every run. `--quick` has smaller
files. `cargo bench -p rehref-benches --bench NAME -- PATH...` runs a single task; each section below has its
NAME. The environment variables `RG`, `HYPERLINK`, `LYCHEE` and `PYTHON` name the programs of peers, `SCRATCH` a directory for
large files.

A run fails, and does not write this file, if rehref or a peer finds nothing, or if rehref lacks too many of the results of a
peer. The column *shared* has the share of the peer's results that rehref has too.
";

/// The whole file.
pub(crate) fn render(sections: &[Section]) -> String {
    let mut out = INTRODUCTION.to_owned();
    let _ = write!(
        out,
        "\n## This run\n\n- rehref {}\n- {}\n- {}\n",
        machine::rehref(),
        machine::date(),
        machine::class(),
    );
    let missing: Vec<&String> = sections.iter().flat_map(|it| &it.missing).collect();
    for missing in &missing {
        let _ = writeln!(out, "- {missing}");
    }
    for section in sections {
        table(section, &mut out);
    }
    inputs(sections, &mut out);
    out
}

fn table(section: &Section, out: &mut String) {
    let heading = section.measure.heading();
    let _ = write!(out, "\n## {} (`{}`)\n\n{}\n\n", section.title, section.task, section.about);
    if !section.table.is_empty() {
        out.push_str(&section.table);
    } else if section.measure == Measure::Memory {
        let _ = writeln!(out, "| input | way | {heading} | goal |\n|---|---|---|---|");
    } else {
        let _ = writeln!(
            out,
            "| input | peer | threads | {heading} | goal | rehref | found | shared |\n|---|---|---|---|---|---|---|---|"
        );
    }
    for row in &section.rows {
        let Row { input, peer, threads, value, .. } = row;
        let spread = spread(*value);
        let goal = goal(row, section.measure);
        let _ = if section.measure == Measure::Memory {
            writeln!(out, "| {input} | `{peer}` | {spread} | {goal} |")
        } else {
            let speed = row.speed.map_or(String::new(), |it| format!("{:.0} MB/s", it / 1e6));
            let shared = row.shared.map_or(String::new(), |it| format!("{:.1} %", 100.0 * it));
            let [ours, theirs] = row.found;
            writeln!(
                out,
                "| {input} | {peer} | {threads} | {spread} | {goal} | {speed} | {ours}, {theirs} | {shared} |"
            )
        };
    }
    for missing in &section.missing {
        let _ = writeln!(out, "\n{missing}.");
    }
}

fn spread(value: Spread) -> String {
    let Spread { median, least, most, count } = value;
    let few = if count < 9 { format!(" of {count}") } else { String::new() };
    format!("**{median:.2}** [{least:.2}, {most:.2}]{few}")
}

fn goal(row: &Row, measure: Measure) -> String {
    let Some(goal) = row.goal else {
        return String::new();
    };
    let sign = if measure == Measure::Faster { "≥" } else { "≤" };
    let missed = if row.is_met(measure) == Some(false) { ", missed" } else { "" };
    format!("{sign} {goal}{missed}")
}

fn inputs(sections: &[Section], out: &mut String) {
    let _ = write!(
        out,
        "\n## Inputs\n\nInputs whose name begins with *given* are directories of the machine, the others are generated. The hash \
         is the beginning of SHA-256.\n\n| task | input | bytes | hash | |\n|---|---|---|---|---|\n"
    );
    for section in sections {
        for input in &section.inputs {
            let _ = writeln!(
                out,
                "| {} | {} | {} | `{}` | {} |",
                section.title, input.name, input.size, input.hash, input.note
            );
        }
    }
}
