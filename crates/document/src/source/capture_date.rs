//! The dates of captures.

use std::fmt;
use std::str::FromStr;

/// The date of a capture, in UTC. Dates are compared by their digits. A date that is missing or not
/// a date precedes all others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CaptureDate {
    /// Year, month, day, hour, minute and second: 14 decimal digits.
    seconds: u64,
    nanoseconds: u32,
}

/// The digits of a date without a fraction.
const DIGITS: usize = 14;

/// The first moment of a year.
const FIRST: &str = "00000101000000";

/// The last moment of a year.
const LAST: &str = "99991231235959";

/// A text that is not a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidDate;

impl fmt::Display for InvalidDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a date such as 2024, 2024-05-31, 2024-05-31T12:00:00Z or 20240531120000")
    }
}

impl std::error::Error for InvalidDate {}

impl CaptureDate {
    /// The date of a WARC or ARC record as written, or the valid beginning of it. Missing digits at
    /// its end mean the beginning of the period: `2024` is the first second of that year.
    pub fn of_record(text: &str) -> Self {
        let digits = Digits::of(text).or_else(|| Digits::of_beginning(text));
        digits.map_or_else(Self::default, |digits| digits.filled_from(FIRST, '0'))
    }

    /// The first moment of a period: `2024` is the first second of that year.
    pub fn first_of(text: &str) -> Result<Self, InvalidDate> {
        Ok(Digits::of_calendar(text)?.filled_from(FIRST, '0'))
    }

    /// True if the date is missing, or not a date.
    pub fn is_unknown(self) -> bool {
        self == Self::default()
    }
}

/// The last moment of a period: `2024` is the last second of that year.
impl FromStr for CaptureDate {
    type Err = InvalidDate;

    fn from_str(text: &str) -> Result<Self, InvalidDate> {
        Ok(Digits::of_calendar(text)?.filled_from(LAST, '9'))
    }
}

/// The digits of a date, and those of its fraction of a second.
struct Digits {
    whole: String,
    fraction: String,
}

impl Digits {
    fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        let zones = ["Z", "z", "+00:00"];
        let mut without_zone = zones.iter().filter_map(|it| text.strip_suffix(it));
        let text = without_zone.next().unwrap_or(text);
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let is_separator = |it: char| matches!(it, '-' | ':' | 'T' | 't' | ' ');
        let has_fraction = text.len() > whole.len();
        let whole: String = whole.chars().filter(|it| !is_separator(*it)).collect();
        let is_number = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
        let is_length = matches!(whole.len(), 4 | 6 | 8 | 10 | 12 | DIGITS);
        let is_fraction = is_number(fraction) && (!has_fraction || whole.len() == DIGITS);
        let is_date = is_length && is_number(&whole) && is_fraction;
        is_date.then(|| Self { whole, fraction: fraction.to_owned() })
    }

    /// The digits at the beginning of another text: of `2024-5-31 12:00:00 UTC` those of May 31 and
    /// the time. Zones are ignored.
    fn of_beginning(text: &str) -> Option<Self> {
        let text = text.trim_start();
        let is_part =
            |it: char| it.is_ascii_digit() || matches!(it, '-' | '/' | ':' | 'T' | 't' | ' ');
        let end = text.find(|it| !is_part(it)).unwrap_or(text.len());
        let numbers = text[..end].split(|it: char| !it.is_ascii_digit());
        let mut whole = String::new();
        for number in numbers.filter(|it| !it.is_empty()) {
            match (whole.is_empty(), number.len()) {
                (true, ..4) => return None,
                (false, 1) => whole.push('0'),
                _ => {}
            }
            whole.push_str(number);
        }
        whole.truncate(DIGITS.min(whole.len() & !1));
        (!whole.is_empty()).then(|| Self { whole, fraction: String::new() })
    }

    fn of_calendar(text: &str) -> Result<Self, InvalidDate> {
        let digits = Self::of(text).filter(Self::are_in_calendar);
        digits.ok_or(InvalidDate)
    }

    /// True if month, day, hour, minute and second are in their ranges.
    fn are_in_calendar(&self) -> bool {
        let number = |at: usize| self.whole.get(at..at + 2)?.parse::<u32>().ok();
        let year = self.whole[..4].parse::<u32>().unwrap_or_default();
        let month = number(4).unwrap_or(1);
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            2 => 28 + u32::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        // A second may be a leap second.
        let rest = [(4, 1..=12), (6, 1..=days), (8, 0..=23), (10, 0..=59), (12, 0..=60)];
        let mut rest = rest.into_iter();
        rest.all(|(at, range)| number(at).is_none_or(|it| range.contains(&it)))
    }

    /// The date with the digits that are missing at its end.
    fn filled_from(&self, digits: &str, of_fraction: char) -> CaptureDate {
        let whole = self.whole.clone() + &digits[self.whole.len()..];
        // Without a fraction, a date of a record is the beginning of its second.
        let mut fraction = self.fraction.clone();
        fraction.extend(std::iter::repeat_n(of_fraction, 9));
        CaptureDate {
            seconds: whole.parse().unwrap_or_default(),
            nanoseconds: fraction[..9].parse().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_compared_in_every_spelling() {
        let ascending = [
            "not a date", "2023-12-31T23:59:59Z", "2024", "2024-05-31T12:00:00Z",
            "2024-05-31T12:00:00.25Z", "2024-05-31T12:00:00.5Z", "20240531120001", "2024-06",
        ];
        for pair in ascending.windows(2) {
            let [a, b] = [0, 1].map(|at| CaptureDate::of_record(pair[at]));
            assert!(a < b, "{pair:?}");
        }
        let same = [
            "2024-05-31T12:00:00Z", "20240531120000", "2024-05-31 12:00",
            "2024-05-31T12:00:00+00:00",
        ];
        let same = same.map(CaptureDate::of_record);
        assert!(same.iter().all(|it| *it == same[0]));
        for text in ["", "20", "x024", "Fri, 31 May 2024", "é", "-"] {
            assert!(CaptureDate::of_record(text).is_unknown(), "{text}");
            assert_eq!(text.parse::<CaptureDate>(), Err(InvalidDate));
        }
    }

    #[test]
    fn dates_of_records_may_be_of_another_form() {
        for (text, same) in [
            ("2024-05-31T12:00:00+02:00", "20240531120000"),
            ("2024-05-31T12:00:00-0500", "20240531120000"),
            ("2024-05-31 12:00:00 UTC", "20240531120000"),
            ("2024-05-31T12:00:00,123Z", "20240531120000"),
            ("2024-05-31T12:00:00Z ; x", "20240531120000"),
            ("2024/05/31 12:00:00", "20240531120000"),
            ("20240531120000123", "20240531120000"),
            ("2024053112000", "202405311200"),
            ("2024-5-31", "20240531"),
            ("2024-5", "202405"),
            ("2024.05", "2024"),
        ] {
            let date = CaptureDate::of_record(text);
            assert_eq!(date, CaptureDate::of_record(same), "{text}");
            assert_eq!(text.parse::<CaptureDate>(), Err(InvalidDate), "{text}");
            assert_eq!(CaptureDate::first_of(text), Err(InvalidDate), "{text}");
        }
    }

    #[test]
    fn a_limit_is_a_date_of_the_calendar() {
        for (text, is_date) in [
            ("2024-02-29", true),
            ("2023-02-29", false),
            ("1900-02-29", false),
            ("2000-02-29", true),
            ("2024-04-31", false),
            ("2024-13-45", false),
            ("2024-00", false),
            ("2024-01-00", false),
            ("2016-12-31T23:59:60Z", true),
            ("20240101240000", false),
            ("202401012360", false),
            ("2024-05-31T12:00:00:00", false),
            ("May", false),
        ] {
            assert_eq!(text.parse::<CaptureDate>().is_ok(), is_date, "{text}");
        }
        // Records may have any digits.
        assert!(!CaptureDate::of_record("2024-13-45").is_unknown());
    }

    #[test]
    fn a_limit_is_the_end_of_its_period() {
        let limit = |text: &str| text.parse::<CaptureDate>().unwrap();
        for (text, inside, outside) in [
            ("2024", "2024-12-31T23:59:59.9Z", "2025-01-01T00:00:00Z"),
            ("2024-05", "2024-05-31T00:00:00Z", "2024-06-01T00:00:00Z"),
            ("20240531", "2024-05-31T23:59:59Z", "2024-06-01T00:00:00Z"),
            ("2024-05-31T12:00:00Z", "2024-05-31T12:00:00.5Z", "2024-05-31T12:00:01Z"),
        ] {
            assert!(CaptureDate::of_record(inside) <= limit(text), "{text}");
            assert!(CaptureDate::of_record(outside) > limit(text), "{text}");
        }
    }

    #[test]
    fn a_first_date_is_the_beginning_of_its_period() {
        for (text, inside, outside) in [
            ("2024", "2024", "2023-12-31T23:59:59.9Z"),
            ("2024-05", "2024-05-01T00:00:00Z", "2024-04-30T23:59:59Z"),
            ("2024-05", "2024-05-01T00:00:00Z", "2024"),
            ("2024-05-31T12:00:00.5Z", "2024-05-31T12:00:00.5Z", "2024-05-31T12:00:00Z"),
        ] {
            let first = CaptureDate::first_of(text).unwrap();
            assert!(CaptureDate::of_record(inside) >= first, "{text}");
            assert!(CaptureDate::of_record(outside) < first, "{text}");
        }
        assert_eq!(CaptureDate::first_of("2023-02-29"), Err(InvalidDate));
    }
}
