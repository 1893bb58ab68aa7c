//! The needs of tests, such as shared data and programs, and where these are.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Completion, Trial};

/// Something that a test cannot run without.
#[derive(Clone, Copy)]
pub(crate) enum Need {
    /// A file or directory of the shared data.
    Shared(&'static str),
    /// A directory of HTML pages.
    Pages,
    /// A program in PATH, or a file by its absolute path.
    Program(&'static str),
    /// A module of Python 3.
    PythonModule(&'static str),
    /// The deep tier of the tests.
    DeepTier,
    /// The right to run programs as another user.
    #[cfg(unix)]
    Superuser,
    /// A file system with extended attributes and access control lists.
    #[cfg(target_os = "linux")]
    Attributes,
}

impl Need {
    /// The reason to ignore a test, if this is missing.
    fn missing(self) -> Option<String> {
        let reason = match self {
            Self::Shared(path) => match shared(path) {
                path if path.exists() => return None,
                path => format!("needs {}", path.display()),
            },
            Self::Pages => match pages() {
                path if path.is_dir() => return None,
                path => format!("needs pages in {}", path.display()),
            },
            Self::Program(name) => match program(name) {
                Some(_) => return None,
                None => format!("needs {name}"),
            },
            Self::PythonModule(name) => {
                let import = format!("import {name}");
                let used = Command::new("python3").args(["-c", &import]).output();
                match used.is_ok_and(|it| it.status.success()) {
                    true => return None,
                    false => format!("needs python3 with {name}"),
                }
            }
            Self::DeepTier => match is_deep() {
                true => return None,
                false => "needs REHREF_DEEP=1".to_owned(),
            },
            #[cfg(unix)]
            Self::Superuser => match crate::other_user::is_supported() {
                true => return None,
                false => "needs the superuser".to_owned(),
            },
            #[cfg(target_os = "linux")]
            Self::Attributes => match crate::attributes::are_supported() {
                true => return None,
                false => "needs a file system with extended attributes".to_owned(),
            },
        };
        Some(reason)
    }
}

/// A test that is ignored if anything that it needs is missing.
pub(crate) fn trial(
    name: &str,
    needs: &'static [Need],
    test: impl FnOnce() + Send + 'static,
) -> Trial {
    Trial::ignorable_test(name, move || {
        if let Some(reason) = needs.iter().find_map(|need| need.missing()) {
            return Ok(Completion::ignored_with(reason));
        }
        test();
        Ok(Completion::Completed)
    })
}

/// Returns true if the deep tier runs.
pub(crate) fn is_deep() -> bool {
    env::var_os("REHREF_DEEP").is_some_and(|it| !it.is_empty() && it != "0")
}

/// A path in the shared data: the directory that the environment variable `REHREF_SHARED` names, or
/// `../shared`.
pub(crate) fn shared(path: &str) -> PathBuf {
    let shared = env::var_os("REHREF_SHARED").map(PathBuf::from);
    let shared = shared.unwrap_or_else(|| repository().join("../shared"));
    shared.join(path)
}

/// The directory of pages that the environment variable `REHREF_PAGES` names, or those of a mailing
/// list archive.
pub(crate) fn pages() -> PathBuf {
    let pages = env::var_os("REHREF_PAGES").map(PathBuf::from);
    pages.unwrap_or_else(|| shared("corpora/sites/mhonarc"))
}

pub(crate) fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The file of a program. Servers are often in `/usr/sbin`, which is not in the PATH of users.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut directories: Vec<PathBuf> = env::split_paths(&path).collect();
    directories.push("/usr/sbin".into());
    let name = format!("{name}{}", env::consts::EXE_SUFFIX);
    let mut files = directories.iter().map(|directory| directory.join(&name));
    files.find(|file| file.is_file())
}
