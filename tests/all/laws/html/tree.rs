//! Readings of the tree of a page: verification, and the contexts of links.

use std::hint::black_box;

use proptest::prelude::*;
use rehref::document::Document;
use rehref::rewrite::{Plan, Rules};

use super::{any_page, soup};
use crate::linear::assert_linear;
use crate::support::charsets::page_of;
use crate::tier;

fn any_document() -> impl Strategy<Value = Document> {
    prop_oneof![any_page(), soup().prop_map(|html| page_of(html.into_bytes(), "utf-8"))]
}

proptest! {
    #![proptest_config(tier::cases(tier::pick(256, 4000)))]

    #[test]
    fn every_link_has_a_context(page in any_document()) {
        let links = page.links();
        let contexts = page.contexts(links.options());
        prop_assert!(links.found().links.iter().all(|link| contexts.of_link(link).is_some()));
    }
}

#[test]
fn verifying_hostile_pages_costs_linear_time() {
    for family in strings![
        "⟦<div>⟧" "⟦<a href=x>⟧" "⟦<b>⟧" "⟦<b><p>⟧" "⟦<a href=x><p></a>⟧" "⟦<h1>x<a href=x>y</a>⟧"
        "⟦<h1>x</h1>⟧" "<table>⟦<b></b>⟧" "<table>⟦<b>x</b>⟧" "<table>⟦x<tr>⟧" "⟦<table>x⟧"
        "<select>⟦<option></option>⟧" "<select><selectedcontent>⟦<option>x⟧"
        "<img title='⟦x⟧' srcset='a, b, c'>" "<img srcset='⟦x, ⟧' alt=x>" "⟦<template>⟧"
        "⟦<template><h1>x</h1><a href=x>y</a></template>⟧" "⟦<a href=x>x ⟧" "<a href=x>⟦x ⟧"
        "<p>⟦<!--x-->x⟧" "<iframe srcdoc='⟦<a href=x>y</a>⟧'>" "<style>⟦@import 'x';⟧"
    ] {
        assert_linear(family, |html| {
            let document = page_of(html.into(), "utf-8");
            let links = document.links();
            let contexts = document.contexts(links.options());
            for link in &links.found().links {
                black_box(contexts.of_link(link));
            }
            let _ = black_box(Plan::new(&links, &Rules::new().absolute()).verify());
        });
    }
}
