//! Sentences in several languages, of random words.

use super::dice::Dice;

/// A language, for a text in a character encoding that can spell it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    /// French and German: a few letters in a hundred are not ASCII.
    Western,
    Russian,
    Japanese,
    Chinese,
}

#[rustfmt::skip]
pub(super) const ENGLISH: &[&str] = &[
    "the", "of", "and", "to", "in", "a", "is", "that", "for", "with", "reference", "server", "document",
    "address", "we", "should", "resolve", "name", "relative", "path", "archive", "page", "list", "message",
    "who", "wrote", "about", "draft", "section", "syntax", "must", "not", "be", "changed", "between",
    "versions", "I", "think", "there", "are", "several", "problems", "here", "thanks", "regards", "proposal",
    "implementation", "browser", "network", "protocol",
];

#[rustfmt::skip]
const WESTERN: &[&str] = &[
    "le", "la", "les", "des", "et", "dans", "référence", "serveur", "adresse", "nous", "être", "où", "page",
    "déjà", "liste", "message", "für", "und", "der", "die", "das", "nicht", "größer", "Verzeichnis", "über",
    "mit", "können", "Adresse", "Zeichen", "réseau", "protocole", "est", "pour", "avec", "sont", "plusieurs",
    "merci", "version", "changer", "entre",
];

#[rustfmt::skip]
const RUSSIAN: &[&str] = &[
    "и", "в", "не", "на", "что", "адрес", "сервер", "страница", "список", "письмо", "сообщение", "протокол",
    "имя", "путь", "документ", "версия", "если", "можно", "нужно", "также", "которые", "между", "ответ",
    "вопрос", "спасибо", "почта", "сеть", "ссылка", "файл", "каталог",
];

#[rustfmt::skip]
const JAPANESE: &[&str] = &[
    "資源の場所は", "名前と", "ページを", "参照して", "ください", "サーバーに", "文書が", "あります", "これは", "相対的な", "パスから", "解決される", "ものです",
    "メールの", "一覧", "ネットワーク", "仕様書では", "続きを", "読むことが", "できます",
];

#[rustfmt::skip]
const CHINESE: &[&str] = &[
    "统一资源", "定位符", "是互联网上", "标准的", "地址", "服务器", "文件", "页面", "请参阅", "列表", "我们", "需要", "解析", "相对", "路径", "然后",
    "继续", "阅读", "协议", "名称", "邮件", "版本",
];

impl Language {
    fn words(self) -> &'static [&'static str] {
        match self {
            Self::English => ENGLISH,
            Self::Western => WESTERN,
            Self::Russian => RUSSIAN,
            Self::Japanese => JAPANESE,
            Self::Chinese => CHINESE,
        }
    }

    /// Returns true if words have no spaces between them.
    pub(crate) fn is_dense(self) -> bool {
        matches!(self, Self::Japanese | Self::Chinese)
    }

    /// Adds a sentence without its full stop.
    pub(crate) fn sentence(self, dice: &mut Dice, out: &mut String) {
        for at in 0..6 + dice.below(14) {
            if at > 0 {
                if dice.one_in(12) {
                    out.push_str(if self.is_dense() { "、" } else { "," });
                }
                if dice.one_in(60) {
                    out.push(':');
                }
                if !self.is_dense() {
                    out.push(' ');
                }
            }
            out.push_str(dice.pick(self.words()));
        }
    }

    pub(crate) fn full_stop(self) -> &'static str {
        if self.is_dense() { "。" } else { ". " }
    }
}

/// A URL, different nearly every time.
pub(crate) fn url(dice: &mut Dice) -> String {
    let scheme = dice.pick(&["http", "http", "https", "https", "https", "ftp"]);
    let host = dice.pick(&["www", "lists", "docs", "archive", "pub"]);
    let path = dice.pick(&["hypermail", "pub/ietf/uri", "a/b", "wiki", "2024/07"]);
    let end = match dice.below(5) {
        0 => "/".to_owned(),
        1 => format!("/index.html#part{}", dice.below(30)),
        2 => format!("/search?q=a{}&page=2", dice.below(1000)),
        _ => format!("/{}/page{}.html", dice.below(100), dice.below(1000)),
    };
    format!("{scheme}://{host}.example.org/{path}{end}")
}
