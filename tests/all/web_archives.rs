//! Web archives for tests: records as a crawler writes them.

use crate::support::compressed::gzip;

/// An archive in memory, with records of version 1.1.
#[derive(Clone, Debug, Default)]
pub(crate) struct Archive {
    records: Vec<Vec<u8>>,
}

/// A response, which [`Archive::add`] adds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Response<'r> {
    pub(crate) url: &'r str,
    pub(crate) date: &'r str,
    pub(crate) status: u16,
    /// The fields of the HTTP response, each with its line end.
    pub(crate) fields: &'r str,
    /// The further fields of the record, each with its line end.
    pub(crate) record_fields: &'r str,
    pub(crate) body: &'r [u8],
}

impl Default for Response<'_> {
    fn default() -> Self {
        Self {
            url: "http://h.example/",
            date: "2024-05-01T12:00:00Z",
            status: 200,
            fields: "Content-Type: text/html\r\n",
            record_fields: "",
            body: b"",
        }
    }
}

impl Archive {
    /// Adds a record with these fields, each with its line end.
    pub(crate) fn record(&mut self, fields: &str, block: &[u8]) -> &mut Self {
        let number = self.records.len();
        let id = match fields.contains("WARC-Record-ID") {
            true => String::new(),
            false => format!("WARC-Record-ID: <urn:uuid:{number}>\r\n"),
        };
        let head = format!("WARC/1.1\r\n{fields}{id}Content-Length: {}\r\n\r\n", block.len());
        let record = [head.as_bytes(), block, b"\r\n\r\n"].concat();
        self.records.push(record);
        self
    }

    /// Adds a record of this type with an HTTP response.
    pub(crate) fn http(&mut self, record_type: &str, response: Response<'_>) -> &mut Self {
        let Response { url, date, status, fields, record_fields, body } = response;
        let head = format!("HTTP/1.1 {status} OK\r\n{fields}\r\n");
        let fields = format!(
            "WARC-Type: {record_type}\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n\
             Content-Type: application/http; msgtype=response\r\n{record_fields}"
        );
        self.record(&fields, &[head.as_bytes(), body].concat())
    }

    /// Adds a response.
    pub(crate) fn add(&mut self, response: Response<'_>) -> &mut Self {
        self.http("response", response)
    }

    /// Adds a page.
    pub(crate) fn page(&mut self, url: &str, body: &str) -> &mut Self {
        self.add(Response { url, body: body.as_bytes(), ..Response::default() })
    }

    /// Adds a redirect.
    pub(crate) fn redirect(&mut self, url: &str, to: &str) -> &mut Self {
        self.add(Response {
            url,
            status: 301,
            fields: &format!("Location: {to}\r\n"),
            ..Response::default()
        })
    }

    /// The archive with a gzip member for each record.
    pub(crate) fn gzipped(&self) -> Vec<u8> {
        self.records.iter().flat_map(gzip).collect()
    }

    /// The offsets of the members of [`gzipped`](Self::gzipped).
    pub(crate) fn member_offsets(&self) -> Vec<u64> {
        let mut offsets = Vec::new();
        let mut end = 0;
        for record in &self.records {
            offsets.push(end);
            end += gzip(record).len() as u64;
        }
        offsets
    }

    /// The archive, not compressed.
    pub(crate) fn plain(&self) -> Vec<u8> {
        self.records.concat()
    }
}

/// The archive in corpus/warc, of two visits of a bakery.
pub(crate) fn bakery() -> Archive {
    let page = |url, date, body| Response { url, date, body, ..Response::default() };
    let (may, july) = ("1997-05-01T12:00:00Z", "1997-07-21T12:00:00Z");
    let digest = "WARC-Payload-Digest: sha1:BREADBREADBREADBREADBREADBREADBR\r\n";
    let style = Response {
        url: "http://bakery.example/style.css",
        date: may,
        fields: "Content-Type: text/css\r\n",
        record_fields: digest,
        body: b"body { background: url(img/paper.gif) }\n",
        ..Response::default()
    };
    let mut archive = Archive::default();
    archive.record(
        "WARC-Type: warcinfo\r\nWARC-Date: 1997-05-01T12:00:00Z\r\nContent-Type: application/warc-fields\r\n",
        b"software: by hand\r\n",
    );
    archive
        .add(page(
            "http://bakery.example/",
            may,
            b"<html><head><title>Bakery</title><link rel=stylesheet href=/style.css></head>\n\
              <body><p><a href=bread.html>Bread</a>, <a href='order?kind=rye'>order</a></p></body></html>\n",
        ))
        .add(style)
        .add(page(
            "http://bakery.example/bread.html",
            may,
            b"<html><head><base href='http://bakery.example/shop/'></head>\n\
              <body><h1 id=rye>Rye</h1> <img src=../img/oven.png> <a href=../>Home</a> <a href=../old>Old</a></body></html>\n",
        ))
        .add(Response {
            url: "http://bakery.example/img/oven.png",
            date: may,
            fields: "Content-Type: image/png\r\n",
            body: b"\x89PNG\r\n\x1A\n",
            ..Response::default()
        })
        .add(Response {
            url: "http://bakery.example/old",
            date: may,
            status: 301,
            fields: "Location: /bread.html#rye\r\n",
            ..Response::default()
        })
        .add(page(
            "http://bakery.example/order?kind=rye",
            may,
            b"<p>Order rye by <a href=mailto:orders@bakery.example>mail</a>, or <a href=/>return</a>.</p>\n",
        ))
        .add(page(
            "http://bakery.example/",
            july,
            b"<html><head><title>Bakery</title><link rel=stylesheet href=/style.css></head>\n\
              <body><p><a href=bread.html>Bread</a>, <a href='/order?kind=rye'>order</a>, <a href=prices.html>prices</a>,\n\
              flour from the <a href=http://mill.example/>mill</a></p></body></html>\n",
        ))
        .http(
            "revisit",
            Response {
                date: july,
                record_fields: &format!(
                    "{digest}WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n"
                ),
                body: b"",
                ..style
            },
        )
        .add(Response {
            url: "http://bakery.example/prices.html",
            date: july,
            status: 404,
            body: b"<p>Not found</p>\n",
            ..Response::default()
        });
    archive
}

/// The archive in corpus/warc is this one.
#[test]
fn the_bakery_of_the_corpus_is_up_to_date() {
    let path = std::path::Path::new("corpus/warc/bakery.warc.gz");
    let expected = bakery().plain();
    let read = std::fs::read(path).unwrap_or_default();
    let mut found = Vec::new();
    let mut decoder = flate2::read::MultiGzDecoder::new(&*read);
    let is_same = std::io::Read::read_to_end(&mut decoder, &mut found).is_ok() && found == expected;
    if !is_same && std::env::var_os("REHREF_BLESS").is_some() {
        std::fs::create_dir_all("corpus/warc").expect("a directory");
        std::fs::write(path, bakery().gzipped()).expect("written");
        return;
    }
    assert!(is_same, "REHREF_BLESS=1 writes it");
}
