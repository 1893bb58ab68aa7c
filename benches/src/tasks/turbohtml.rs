//! The links of pages with turbohtml in a Python process.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use rehref::document::Document;

use crate::machine;
use crate::rounds::Pass;

/// Reads pages, each after its length, up to a length of 0. Then runs a pass for each line.
const SCRIPT: &str = include_str!("turbohtml.py");

/// A Python process that has the pages in memory.
pub(crate) struct Turbohtml {
    pub(crate) name: String,
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Turbohtml {
    /// Starts the process, with pages as `str` or as `bytes`. An error says what is missing.
    ///
    /// # Panics
    /// If the process ends before it has the pages.
    pub(crate) fn start(pages: &[Document], is_decoded: bool) -> Result<Self, String> {
        let python = env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
        let version = "import turbohtml; print(turbohtml.__version__)";
        let version = machine::first_line(Command::new(&python).args(["-c", version]))
            .ok_or("turbohtml: missing; set PYTHON to a Python that has the module turbohtml")?;
        let kind = if is_decoded { "str" } else { "bytes" };
        let mut command = Command::new(python);
        command.args(["-c", SCRIPT, kind]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("Python starts");
        let mut to = process.stdin.take().expect("a pipe");
        let from = BufReader::new(process.stdout.take().expect("a pipe"));
        for bytes in pages.iter().map(Document::bytes).chain([&[][..]]) {
            let sent = writeln!(to, "{}", bytes.len()).and_then(|()| to.write_all(bytes));
            sent.expect("Python reads the pages");
        }
        to.flush().expect("Python reads the pages");
        Ok(Self { name: format!("turbohtml {version}, {kind}"), process, to, from })
    }

    fn answer(&mut self, request: &str) -> String {
        let mut answer = String::new();
        let sent = writeln!(self.to, "{request}").and_then(|()| self.to.flush());
        let read = sent.and_then(|()| self.from.read_line(&mut answer));
        assert!(read.is_ok_and(|it| it > 0), "the script of turbohtml failed");
        answer
    }

    /// One pass over all pages, timed in Python.
    ///
    /// # Panics
    /// If the script fails.
    pub(crate) fn pass(&mut self) -> Pass {
        let answer = self.answer("pass");
        let mut numbers = answer.split_whitespace().map(|it| it.parse::<u64>().expect("a number"));
        let mut number = || numbers.next().expect("two numbers");
        Pass { time: Duration::from_nanos(number()), found: number() as usize }
    }

    /// The links of all pages.
    ///
    /// # Panics
    /// If the script fails.
    pub(crate) fn links(&mut self) -> Vec<String> {
        let links: Vec<String> =
            serde_json::from_str(&self.answer("links")).expect("a list in JSON");
        links.into_iter().map(|it| it.trim().to_owned()).collect()
    }
}

impl Drop for Turbohtml {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
