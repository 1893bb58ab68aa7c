//! The integration tests, in one binary, so that they link once. Those that need more than the
//! repository are in tests/external.

#[macro_use]
#[path = "../support/mod.rs"]
mod support;

mod adjust_laws;
mod browser_captures;
mod check_laws;
mod checking;
mod checking_targets;
mod command_units;
mod commands;
mod compression;
mod construct_names;
mod counting;
mod crash;
mod css_oracle;
mod document_corpus;
mod examples;
mod exempt_links;
mod faults;
mod foreign_journals;
mod git_ignored;
mod grammar_oracle;
mod guide;
mod help;
mod hostile_families;
mod html_charsets;
mod html_hostile;
mod html_oracle;
mod html_soup;
mod in_memory;
mod integrity_laws;
#[cfg(unix)]
mod journal_laws;
mod laws;
mod layers;
mod linear;
mod link_contexts;
mod link_filters;
mod linkify;
mod linkify_documents;
mod linkify_existing;
mod linkify_laws;
mod mail_corpus;
mod mail_hostile;
mod mail_laws;
mod map_files;
mod map_laws;
mod markdown_bodies;
mod markdown_headings;
mod markdown_hostile;
mod markdown_mdx;
mod markdown_oracle;
mod markdown_rewrites;
mod markdown_soup;
mod marks;
mod memory;
mod mirror_auto;
mod mirror_laws;
mod mirror_log_laws;
mod moved_before;
mod moved_laws;
mod moving;
mod moving_bare_pages;
#[cfg(unix)]
mod moving_git;
#[cfg(unix)]
mod moving_symlinks;
mod name_laws;
mod names;
mod normalize_corpus;
mod normalize_laws;
mod packages;
mod packaging;
mod parse_corpus;
#[cfg(unix)]
mod preflight;
mod processes;
mod project_file;
mod record_schema;
mod redirects;
mod relocation;
mod relocation_laws;
mod report;
mod settings_laws;
mod site_configs;
mod site_growth;
mod site_kinds;
mod site_laws;
mod site_rewrite_laws;
mod site_spellings;
mod stored_parts;
mod stream_laws;
mod streams;
mod tables;
mod templates;
mod temporary;
#[cfg(unix)]
mod terminal;
mod text_corpus;
mod text_laws;
mod tier;
mod traps;
mod undecoded_growth;
mod unpack_laws;
mod unpack_memory;
mod unpack_runs;
mod unpacked_files;
mod unpacking;
mod unsaid;
mod uri_alloc;
mod uri_corpus;
mod uri_laws;
mod wacz;
mod web_archive_damage;
mod web_archive_laws;
mod web_archives;
mod web_files;
mod words;
#[cfg(unix)]
mod write_errors;
mod xml_oracle;
