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
    assert!(
        warnings[0].ends_with("the URL has more than 16 KiB: left out"),
        "{warnings:?}"
    );
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
    assert_eq!(
        error.to_string(),
        "/dev/null: not a regular file: archives are read twice"
    );
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
        let path = work.unpack.archives[0].clone();
        let mut errors = Vec::new();
        let report = work.events(|event| match event {
            UnpackEvent::Writing(3) => match &changed {
                None => fs::remove_file(&path).expect("removed"),
                Some(bytes) => fs::write(&path, bytes).expect("written"),
            },
            UnpackEvent::Error(error) => errors.push(error.to_string()),
            _ => {}
        });
        let expected = lost.iter().map(|url| {
            let path = path.display();
            format!(
                "{path}: changed during the run: the record of http://h.example/{url} was not found"
            )
        });
        assert_eq!(errors, expected.collect::<Vec<_>>());
        assert_eq!(
            (report.new, report.summary.errors),
            (3 - lost.len(), lost.len())
        );
    }
}
