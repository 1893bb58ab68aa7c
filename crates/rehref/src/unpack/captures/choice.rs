//! The choice of one capture for each URL.

use std::collections::{HashMap, HashSet};

use super::Lack;
use super::index::{Bodies, Captures, Hash, Stored, StoredRevisit};
use super::joined::JoinedBodies;
use crate::source::CaptureDate;

/// The wishes of a user about the captures that are chosen.
#[derive(Clone, Copy, Debug, Default)]
pub struct CaptureChoice {
    /// The newest capture that is not later is chosen, otherwise the oldest. Without a date, the
    /// newest one.
    pub date: Option<CaptureDate>,
    /// True if a URL without any other capture gets the page of an error.
    pub errors: bool,
}

/// The value of a capture. A capture never displaces one with a greater value. A redirect whose end
/// has no file never displaces a page: see [`ends`](super::redirects::ends).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    /// The answer to a request with another method than GET.
    OtherMethod,
    /// A revisit whose body is in no archive.
    LostBody,
    /// The page of an error, or a redirect without a target.
    Error,
    /// An answer without a byte.
    Empty,
    /// A part of a body without its beginning, which no program plays or shows.
    Tail,
    /// The text of a page, which a program extracted.
    Converted,
    /// A page without a part of its body, also one that is shorter than its head declares.
    Truncated,
    /// A page or a redirect.
    Whole,
}

impl Value {
    /// The reason why the URL is missing, if this is its best capture.
    fn lack(self) -> Lack {
        match self {
            Self::OtherMethod => Lack::Method,
            Self::LostBody => Lack::Revisit,
            _ => Lack::Status,
        }
    }

    fn is_chosen(self, choice: &CaptureChoice) -> bool {
        self > Self::Error || self == Self::Error && choice.errors
    }
}

/// The chosen capture of a URL, and the one with its body, which differ for a revisit. The error is
/// the reason why no capture was chosen.
pub(super) type Outcome = Result<(u32, u32), Lack>;

/// The outcomes for all URLs.
pub(super) struct Outcomes {
    /// By the numbers of the URLs.
    pub(super) of_urls: Vec<Outcome>,
    /// The best page of each URL whose outcome is a redirect: the page, and the capture with its
    /// body.
    pub(super) pages: HashMap<u32, (u32, u32)>,
    pub(super) joined: JoinedBodies,
}

/// Chooses a capture for each URL.
pub(super) fn outcomes(captures: &Captures, choice: &CaptureChoice) -> Outcomes {
    let bodies = bodies(captures);
    let unread = unread(captures);
    let joined = JoinedBodies::of(captures, &unread);
    let mut best: Vec<Option<(Value, u32)>> = vec![None; captures.urls.len()];
    // Without redirects.
    let mut best_pages = best.clone();
    let improve = |place: &mut Option<(Value, u32)>, value: Value, number: u32| {
        let capture = &captures.stored[number as usize];
        let is_better = match *place {
            None => true,
            Some((other, _)) if other != value => value > other,
            Some((_, other)) => is_preferred(capture, &captures.stored[other as usize], choice),
        };
        if is_better {
            *place = Some((value, number));
        }
    };
    for (number, capture) in (0_u32..).zip(&captures.stored) {
        let body = match capture.revisit {
            None => Some(number),
            Some(revisit) => bodies[revisit as usize],
        };
        let body = body.map(|it| joined.first(it));
        let value = match body {
            _ if unread.contains(&number) => Value::OtherMethod,
            Some(body) if joined.get(body).is_some_and(|it| it.is_whole) => Value::Whole,
            Some(body) => value(captures, capture, &captures.stored[body as usize]),
            None if is_redirect(captures, capture) => Value::Whole,
            None => Value::LostBody,
        };
        improve(&mut best[capture.url as usize], value, number);
        if value > Value::Empty && !is_redirect(captures, capture) {
            improve(&mut best_pages[capture.url as usize], value, number);
        }
    }
    let with_body = |number: u32| {
        let revisit = captures.stored[number as usize].revisit;
        let body = revisit.and_then(|it| bodies[it as usize]);
        (number, joined.first(body.unwrap_or(number)))
    };
    let outcome = |best: &Option<(Value, u32)>| match *best {
        None => Err(Lack::NotCaptured),
        Some((value, number)) if value.is_chosen(choice) => Ok(with_body(number)),
        Some((value, _)) => Err(value.lack()),
    };
    let of_urls = best.iter().map(outcome).collect();
    let pages = (0_u32..).zip(best.iter().zip(&best_pages));
    let pages = pages.filter_map(|(url, (best, page))| {
        let best = &captures.stored[best.as_ref()?.1 as usize];
        let is_displaced = is_redirect(captures, best);
        page.filter(|_| is_displaced).map(|(_, page)| (url, with_body(page)))
    });
    let pages = pages.collect();
    Outcomes { of_urls, pages, joined }
}

/// The value of a capture whose body is in `body`.
fn value(captures: &Captures, capture: &Stored, body: &Stored) -> Value {
    if is_redirect(captures, capture) {
        return Value::Whole;
    }
    match capture.status_with(body) {
        Some(200..=203 | 206..=299) | None => {}
        Some(_) => return Value::Error,
    }
    match body {
        _ if !body.has_body => Value::Empty,
        _ if body.is_tail => Value::Tail,
        _ if body.is_converted => Value::Converted,
        _ if body.is_truncated || body.is_short => Value::Truncated,
        _ => Value::Whole,
    }
}

/// Returns true for a redirect to another URL. Servers redirect to the same URL to set a cookie.
fn is_redirect(captures: &Captures, capture: &Stored) -> bool {
    let location = capture.redirect.map(|it| &*captures.locations[it as usize]);
    let own = captures.urls.get_index(capture.url as usize);
    let is_other = |location: &str| {
        let end = location.find('#').unwrap_or(location.len());
        own.is_none_or(|own| location[..end] != **own)
    };
    location.is_some_and(is_other)
}

/// Returns true if a capture is preferred to another one of the same value, which precedes it in
/// the archives.
fn is_preferred(capture: &Stored, other: &Stored, choice: &CaptureChoice) -> bool {
    let (new, old) = (capture.date, other.date);
    let is_later = new > old || new == old && capture.position > other.position;
    match choice.date {
        None => is_later,
        Some(limit) => match (new <= limit, old <= limit) {
            (true, true) => is_later,
            (true, false) => true,
            (false, true) => false,
            (false, false) => new < old || new == old && capture.position > other.position,
        },
    }
}

/// The captures with the bodies of the revisits, by the numbers of these.
fn bodies(captures: &Captures) -> Vec<Option<u32>> {
    // Only the keys of revisits are collected.
    let ids = captures.revisits.iter().filter_map(|it| it.refers_to);
    let ids: HashSet<Hash> = ids.collect();
    let places = captures.revisits.iter();
    let places = places.filter_map(|it| Some((it.url?, it.date?)));
    let places: HashSet<(u32, CaptureDate)> = places.collect();
    let mut by_id = Bodies::default();
    let mut by_place = Bodies::default();
    for (number, capture) in (0_u32..).zip(&captures.stored) {
        if !capture.is_original() {
            continue;
        }
        if ids.contains(&capture.id) {
            by_id.add(capture.id, number, capture);
        }
        let place = (capture.url, capture.date);
        if places.contains(&place) {
            by_place.add(place, number, capture);
        }
    }
    let body = |revisit: &StoredRevisit| {
        let of_digest = || captures.by_digest.get(&revisit.digest?);
        let of_place = || by_place.get(&(revisit.url?, revisit.date?));
        let of_id = || by_id.get(&revisit.refers_to?);
        let found = [of_digest(), of_place(), of_id()].into_iter().flatten();
        // The first complete one, otherwise the first.
        Some(found.min_by_key(|it| !it.is_whole)?.capture)
    };
    captures.revisits.iter().map(body).collect()
}

/// The captures that are answers to requests with another method than GET.
fn unread(captures: &Captures) -> HashSet<u32> {
    let named = captures.concurrent.iter();
    let named = named.filter(|(_, id)| captures.not_read.contains(id));
    let mut unread: HashSet<u32> = named.map(|(number, _)| *number).collect();
    if !captures.not_read.is_empty() {
        let numbered = (0_u32..).zip(&captures.stored);
        let own = numbered.filter(|(_, it)| captures.not_read.contains(&it.id));
        unread.extend(own.map(|(number, _)| number));
    }
    unread
}
