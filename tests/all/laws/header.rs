//! Generated headers of messages.

use proptest::prelude::*;
use proptest::sample::select;
use rehref::format::Format;

use super::Row;

laws! { headers: ROW; }

const ROW: Row = Row {
    // A link in an encoded word has the span of the word.
    read_back: |_, link, spelled| {
        let is_encoded = spelled.contains("=?");
        (!is_encoded || link.reference == spelled).then(|| spelled.replace(['\t', ' '], ""))
    },
    hostile: &[
        "⟦Subject: http://h/ \n⟧",
        "Subject: ⟦=?utf-8?q?http://h/?= ⟧",
        "Subject: ⟦=?utf-8?b?aHR0cDovL2gv?=\n ⟧",
        "Subject: ⟦=?⟧",
        "List-Help: ⟦<http://h/>, ⟧",
        "List-Help: ⟦<http:\n ⟧",
        "Content-Location: ⟦a\n b⟧",
    ],
    ..Row::new(
        Format::Header,
        "head",
        |row| row.encoded(headers(), &["utf-8", "windows-1252", "iso-2022-jp"]),
        || field().boxed(),
    )
};

fn field() -> impl Strategy<Value = String> {
    let name = select(
        strings![
            "Subject: " "List-Unsubscribe: " "list-help:" "Content-Location: " "Content-Base: "
            "Content-Type: message/external-body; URL=\"" "Comments: " "X: " ""
        ]
        .to_vec(),
    );
    let piece = select(vec![
        "http://h/d", "<http://h/>", "<http://h/a\n b>", "=?utf-8?q?http://h/=C3=A9?=",
        "=?utf-8?b?aHR0cDovL2gv?=", "=?x?q?a?=", "=?", "?=", "mailto:a@b", ", ", " ", "\n ",
        "\n\t", "/b?c=d", "é", "(c)", ">", "\"", "../a",
    ]);
    (name, prop::collection::vec(piece, 0..6))
        .prop_map(|(name, pieces)| format!("{name}{}\n", pieces.concat()))
}

fn headers() -> impl Strategy<Value = String> {
    prop::collection::vec(field(), 0..5).prop_map(|fields| fields.concat())
}
