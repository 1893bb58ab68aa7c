use super::*;
use crate::listing::Listing;

#[test]
fn links_that_the_survey_found_to_work_need_no_second_look() {
    let names = ["a.html", "b.html", "c.html", "d/e.html", "f.css"];
    let pages = [
        "<a name=x href=b.html#y>1</a><a href=#x>2</a><a href=#z>3</a><a href=none>4</a>",
        "<base href=d/><a id=y href=e.html#q>1</a><a href=../a.html#x>2</a><a href=c.html>3</a>",
        "<a href=a.html#none>1</a><a href=f.css#none>2</a><a href=skip-1>3</a><a href=d>4</a>",
        "<a id=q href=../c.html>1</a><a href=../../above>2</a><a href='http://['>3</a>",
    ];
    let site = Site::new("http://h/", Listing::of_files(names), Vec::new());
    let mut options = CheckOptions::default();
    options.filter.patterns.except = vec![regex::Regex::new("skip").unwrap()];
    options.find.anchors = true;
    let checker = Checker::new(&site, options);
    let surveyed: Vec<(Id, Document, Survey)> = (names.iter().zip(pages))
        .map(|(name, page)| {
            let file = site.listing().id(name.as_bytes()).unwrap();
            let uri = site.uri_of(name.as_bytes());
            let page = Document::new(*name, page.into()).retrieved_from(uri);
            let survey = checker.survey(file, &page);
            (file, page, survey)
        })
        .collect();
    let broken = |file: Id, survey: &Survey, page: &Document| {
        let mut found = Vec::new();
        let report = |finding: Finding<'_>| match finding {
            Finding::Broken(it) => found.push((it.link.data().reference.to_string(), it.why)),
            Finding::Unknown(link) => panic!("{link:?}"),
        };
        checker.broken(file, survey, page, |_| None, report);
        found
    };
    let mut count = 0;
    for (file, page, survey) in &surveyed {
        let of_suspects = broken(*file, survey, page);
        let mut all = survey.clone();
        all.suspects = (0..survey.links as u32).collect();
        assert!(survey.suspects.len() < survey.links);
        assert_eq!(of_suspects, broken(*file, &all, page));
        count += of_suspects.len();
        // Of a document with another number of links, all are checked.
        let changed = format!("<a href=new></a>{}", pages[0]).into_bytes();
        let changed = page.with_bytes(changed);
        assert!(broken(*file, survey, &changed).iter().any(|(it, _)| it == "new"));
    }
    assert_eq!(count, 5);
}

#[test]
fn suggestions_differ_from_the_reference() {
    let listing = Listing::of_files(["a.html", "b.html"]);
    let site = Site::new("http://h/", listing, Vec::new());
    let checker = Checker::new(&site, CheckOptions::default());
    let page = "<a href=a.html/>1</a><a href=b.html/>2</a><a href=bb.html>3</a>";
    let page = Document::new("a.html", page.into()).retrieved_from(site.uri_of(b"a.html"));
    let file = site.listing().id(b"a.html").unwrap();
    let survey = checker.survey(file, &page);
    let mut near = Vec::new();
    checker.broken(
        file,
        &survey,
        &page,
        |_| None,
        |it| match it {
            Finding::Broken(it) => near.push(it.near),
            Finding::Unknown(link) => panic!("{link:?}"),
        },
    );
    let b = Some("b.html".to_owned());
    assert_eq!(near, [None, b.clone(), b]);
}
