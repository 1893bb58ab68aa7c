//! The links of compressed files in `corpus/compressed`, which gzip, bzip2, xz and zstd wrote.

use std::fs;
use std::path::{Path, PathBuf};

use rehref::error::{Error, ErrorKind};
use rehref::jobs::{Extract, ExtractEvent};

use crate::support::compressed::gzip;
use crate::support::tree::{Ran, Tree, rehref};

const EXTENSIONS: [&str; 4] = ["gz", "bz2", "xz", "zst"];

fn fixture(name: &str) -> PathBuf {
    Path::new("corpus/compressed").join(name)
}

/// The links of a file, each with its part and its offset, and the errors and warnings of the run.
fn read(path: &Path) -> (Vec<String>, Vec<String>) {
    let (mut links, mut errors) = (Vec::new(), Vec::new());
    Extract::new().path(path).for_each(|event| match event {
        ExtractEvent::Link(link, _) => {
            let part = link.document().mail_part();
            let part = part.map(|it| format!("{} {}", it.message_or_offset(), it.part));
            let (at, url) = (link.offset(), link.url_or_reference());
            links.push(format!("{} {at} {url}", part.unwrap_or_default()));
        }
        ExtractEvent::Error(error) => errors.push(error.to_string()),
        // Damaged data may have NULs.
        ExtractEvent::Warning(_, _, warning) => errors.push(warning.text().to_owned()),
        _ => {}
    });
    (links, errors)
}

fn extract(path: &Path) -> Ran {
    Ran::of(rehref(Path::new("."), "extract").arg(path))
}

#[test]
fn compressed_files_have_the_links_of_their_content() {
    for (name, links) in [("page.html", 4), ("list.mbox", 2)] {
        let plain = read(&fixture(name));
        assert_eq!((plain.0.len(), plain.1.len()), (links, 0), "{name}");
        for extension in EXTENSIONS {
            let name = format!("{name}.{extension}");
            assert_eq!(read(&fixture(&name)), plain, "{name}");
        }
    }
}

#[test]
fn members_of_a_compressed_file_are_one_document_and_frames_without_data_are_skipped() {
    for extension in EXTENSIONS {
        let (links, errors) = read(&fixture(&format!("members.txt.{extension}")));
        let expected = [" 0 http://one.example/", " 20 http://two.example/"];
        assert_eq!(links, expected, "{extension}");
        assert!(errors.is_empty(), "{errors:?}");
    }
}

#[test]
fn incomplete_files_have_the_links_up_to_their_end_and_are_an_error() {
    let tree = Tree::empty();
    for name in ["page.html", "list.mbox", "members.txt"] {
        for extension in EXTENSIONS {
            let name = format!("{name}.{extension}");
            let bytes = fs::read(fixture(&name)).expect("a fixture");
            let (all, _) = read(&fixture(&name));
            // Shorter ones are not recognized as compressed.
            for end in 10..bytes.len() {
                tree.write(&name, &bytes[..end]);
                let (links, errors) = read(&tree.at(&name));
                // Between two members, or before padding, the data is whole.
                let is_whole = name.starts_with("members") && errors.is_empty();
                // The last one may be cut.
                let whole = &links[..links.len().saturating_sub(1)];
                assert!(all.starts_with(whole), "{name} to {end}: {links:?}");
                assert!(is_whole || errors.len() == 1, "{name} to {end}: {errors:?}");
                if let [error] = &errors[..] {
                    assert!(error.contains(" data: read up to "), "{name} to {end}: {error}");
                }
            }
        }
    }
    let bytes = fs::read(fixture("members.txt.zst")).expect("a fixture");
    tree.write("members.txt.zst", &bytes[..bytes.len() - 1]);
    let output = extract(&tree.at("members.txt.zst")).ends(2).out;
    assert_eq!(output, "http://one.example/\nhttp://two.example/\n");
}

#[test]
fn damaged_files_never_panic_and_are_reported() {
    let tree = Tree::empty();
    for name in ["page.html", "list.mbox"] {
        for extension in EXTENSIONS {
            let name = format!("{name}.{extension}");
            let bytes = fs::read(fixture(&name)).expect("a fixture");
            let plain = read(&fixture(&name));
            // The magic numbers stay, which make it compressed.
            for at in 10..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[at] ^= 0x24;
                tree.write(&name, &damaged);
                let read = read(&tree.at(&name));
                assert!(read == plain || !read.1.is_empty(), "{name} at {at}: {read:?}");
            }
            tree.write(&name, [&bytes[..], b"no member, but some text"].concat());
            let (links, errors) = read(&tree.at(&name));
            assert_eq!(links, plain.0, "{name}");
            assert_eq!(errors.len(), 1, "{name}: {errors:?}");
        }
    }
}

#[test]
fn text_that_inflates_too_far_is_read_up_to_the_limit() {
    for extension in ["bz2", "xz", "zst"] {
        let (links, errors) = read(&fixture(&format!("bomb.txt.{extension}")));
        assert_eq!(links, [" 0 http://a.example/"], "{extension}");
        let [error] = &errors[..] else { panic!("{extension}: {errors:?}") };
        assert!(error.ends_with("inflates to more than 200 times its size"), "{error}");
    }
}

#[test]
fn window_that_does_not_fit_the_memory_limit_is_refused() {
    for extension in ["xz", "zst"] {
        let path = fixture(&format!("window.txt.{extension}"));
        let refused = rehref::open(&path).expect("a file").next().expect("an error");
        let kind = refused.err().map(|error: Error| matches!(error.kind(), ErrorKind::CompressionWindow { limit } if *limit == 128 << 20));
        assert_eq!(kind, Some(true), "{extension}");
        extract(&path).ends(2);
    }
}

#[test]
fn archives_of_files_are_binary_and_not_decompressed_whole() {
    let tree = Tree::empty();
    let mut bytes = gzip(b"page.html\0\0\0http://a.example/");
    // The end of a long archive is not read: its damage is not noticed.
    bytes.truncate(bytes.len() - 8);
    tree.write("files.tar.gz", bytes);
    let (links, warnings) = read(&tree.at("files.tar.gz"));
    assert_eq!(links, [""; 0]);
    assert!(warnings[0].starts_with("binary file"), "{warnings:?}");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
}
