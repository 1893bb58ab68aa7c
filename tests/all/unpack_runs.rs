//! Runs that unpack web archives: their bounds, and runs one after another.

use std::fs;

use rehref::jobs::UnpackEvent;

use crate::unpacking::Workplace;
use crate::web_archives::Archive;

#[test]
fn captures_with_long_urls_are_left_out_with_a_warning() {
    let long = format!("/{}", "x".repeat(17 << 10));
    let mut archive = Archive::default();
    archive
        .page("http://h.example/", "<a href=/r>r</a>")
        .page(&format!("http://h.example{long}"), "x")
        .redirect("http://h.example/r", &long);
    let work = Workplace::of(&archive);
    let mut warnings = Vec::new();
    let report = work.events(|event| {
        if let UnpackEvent::Warning(warning) = event {
            warnings.push(warning.to_string());
        }
    });
    assert_eq!((report.new, report.summary.errors), (1, 0));
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].ends_with("the URL has more than 16 KiB: left out"), "{warnings:?}");
    assert_eq!(work.missing()["http://h.example/r"].2, "status");
}

#[cfg(unix)]
#[test]
fn archives_that_are_not_regular_files_are_refused_before_writing() {
    let mut archive = Archive::default();
    archive.page("http://h.example/", "x");
    let mut work = Workplace::of(&archive);
    work.unpack.archives.push("/dev/null".into());
    let error = work.unpack.for_each(|_| {}).expect_err("a device");
    assert_eq!(error.to_string(), "/dev/null: not a regular file: archives are read twice");
    assert!(!work.out().exists());
}

#[test]
fn an_archive_that_changes_during_the_run_is_an_error_for_each_file() {
    let archive = |urls: &[&str]| {
        let mut archive = Archive::default();
        for url in urls {
            archive.page(&format!("http://h.example/{url}"), url);
        }
        archive.gzipped()
    };
    for (changed, lost) in [
        (None, vec!["a", "b"]),
        (Some(archive(&["a"])), vec!["b"]),
        (Some(archive(&["b", "a"])), vec!["a", "b"]),
        (Some(archive(&["x", "b"])), vec!["a"]),
    ] {
        let work = Workplace::new(&[archive(&["a", "b"]), archive(&["c"])]);
        let path = work.unpack.archives[0].name().to_owned();
        let mut errors = Vec::new();
        let report = work.events(|event| match event {
            UnpackEvent::Writing(3) => match &changed {
                None => fs::remove_file(&path).expect("removed"),
                Some(bytes) => fs::write(&path, bytes).expect("written"),
            },
            UnpackEvent::Error(error) => errors.push(error.to_string()),
            _ => {}
        });
        assert_eq!((report.new, report.summary.errors), (3 - lost.len(), errors.len()));
        if changed.is_none() {
            // The reason comes first.
            assert!(errors.remove(0).contains("cannot read"), "{errors:?}");
        }
        let expected = lost.iter().map(|url| {
            let path = path.display();
            format!(
                "{path}: changed during the run: the record of http://h.example/{url} was not found"
            )
        });
        assert_eq!(errors, expected.collect::<Vec<_>>());
    }
}

/// The lines of a file about the run.
fn state(work: &Workplace, name: &str) -> Vec<String> {
    let text = work.directory.read(format!("out/.rehref/{name}"));
    text.lines().map(str::to_owned).collect()
}

/// The URLs of the `file` records about the run.
fn recorded(work: &Workplace) -> Vec<String> {
    let records = state(work, "records.jsonl").into_iter();
    let records = records.map(|it| serde_json::from_str::<serde_json::Value>(&it).expect("JSON"));
    let files = records.filter(|it| it["type"] == "file");
    files.map(|it| it["uri"].as_str().expect("a URL").to_owned()).collect()
}

#[test]
fn a_failed_run_keeps_the_map_and_the_records_of_an_earlier_one() {
    let mut archive = Archive::default();
    archive
        .page("http://h.example/a.html", "<a href=b.html>b</a> <a href=/none>n</a>")
        .page("http://h.example/b.html", "b")
        .redirect("http://h.example/r", "b.html");
    let mut work = Workplace::of(&archive);
    work.run();
    let good = ["map.tsv", "records.jsonl"].map(|it| state(&work, it));
    assert_eq!(good[0].len(), 3);
    let archives = std::mem::replace(&mut work.unpack.archives, vec!["none".into()]);
    assert_eq!(work.errors().len(), 1);
    assert_eq!(["map.tsv", "records.jsonl"].map(|it| state(&work, it)), good);
    work.unpack.archives = archives;
    // An edited file is refused. It is still there, and pages refer to it.
    work.directory.write("out/http/h.example/b.html", "edited");
    assert_eq!(work.errors().len(), 1);
    assert_eq!(state(&work, "map.tsv"), good[0]);
    assert_eq!(recorded(&work), ["http://h.example/a.html", "http://h.example/b.html"]);
}

#[test]
fn runs_one_after_another_add_to_the_map_and_the_records() {
    let archive = |urls: &[&str]| {
        let mut archive = Archive::default();
        for url in urls {
            archive.page(&format!("http://h.example/{url}.html"), url);
        }
        archive.gzipped()
    };
    let mut work = Workplace::new(&[archive(&["a", "b", "c"]), archive(&["d", "b"])]);
    let second = work.unpack.archives.pop().expect("an archive");
    work.run();
    work.directory.remove("out/http/h.example/c.html");
    work.unpack.archives = vec![second];
    let expected = ["d", "b", "a"].map(|it| format!("http://h.example/{it}.html"));
    // A second run changes nothing.
    for _ in 0..2 {
        assert_eq!(work.run().summary.files, 2);
        assert_eq!(recorded(&work), expected);
        let lines = expected.clone().map(|url| {
            let path = url.replace("://", "/");
            format!("{url}\t{path}")
        });
        assert_eq!(state(&work, "map.tsv"), lines);
        let records = state(&work, "records.jsonl");
        let summaries = records.iter().filter(|it| it.contains("\"summary\""));
        assert_eq!(summaries.count(), 1);
        assert!(records[3].contains("\"summary\""), "{records:?}");
    }
}

#[test]
fn a_second_run_at_once_in_the_same_directory_is_refused() {
    let mut archive = Archive::default();
    archive.page("http://h.example/", "x");
    let work = Workplace::of(&archive);
    let mut refused = Vec::new();
    let report = work.events(|event| {
        if let UnpackEvent::Writing(_) = event {
            refused.push(work.unpack.for_each(|_| {}).expect_err("a second run"));
        }
    });
    assert_eq!(report.new, 1);
    assert!(
        refused.len() == 1 && refused[0].to_string().ends_with("another run is active here"),
        "{refused:?}"
    );
    assert_eq!(work.run().same, 1);
}

#[test]
fn a_directory_in_place_of_the_lock_is_refused_by_its_path() {
    let mut archive = Archive::default();
    archive.page("http://h.example/", "x");
    let work = Workplace::of(&archive);
    work.directory.make("out/.rehref/lock");
    let refused = work.unpack.for_each(|_| {}).expect_err("no lock");
    let lock = work.out().join(".rehref").join("lock");
    let message = format!("{}: not a regular file: left unchanged", lock.display());
    assert_eq!(refused.to_string(), message);
    assert_eq!(work.directory.count("out"), 1);
}
