//! The first part of an HTTP request, as far as a static server needs it.

/// Method, path and the encodings the peer takes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// `GET`, `HEAD` or anything else.
    pub(super) method: String,
    /// The path, decoded, without the query.
    pub(super) path: String,
    /// The query with its question mark, or nothing.
    pub(super) query: String,
    /// Whether brotli is taken.
    pub(super) brotli: bool,
    /// Whether gzip is taken.
    pub(super) gzip: bool,
}

impl Request {
    /// Reads the head of a request; none when it is not one.
    pub(super) fn parse(head: &str) -> Option<Self> {
        let mut lines = head.split("\r\n");
        let mut first = lines.next()?.split(' ');
        let (method, target, version) = (first.next()?, first.next()?, first.next()?);
        if !target.starts_with('/') || !version.starts_with("HTTP/1.") {
            return None;
        }
        let encodings: String = lines
            .filter_map(|line| line.split_once(':'))
            .filter(|(name, _)| name.eq_ignore_ascii_case("accept-encoding"))
            .map(|(_, value)| format!("{},", value.to_ascii_lowercase()))
            .collect();
        let at = target.find('?').unwrap_or(target.len());
        Some(Self {
            method: method.to_owned(),
            path: decode(&target[..at])?,
            query: target[at..].to_owned(),
            brotli: takes(&encodings, "br"),
            gzip: takes(&encodings, "gzip"),
        })
    }
}

/// Whether a list such as `gzip, br;q=0.5` takes `encoding`; weight 0 refuses it.
fn takes(list: &str, encoding: &str) -> bool {
    list.split(',').any(|item| {
        let mut parts = item.split(';').map(str::trim);
        parts.next() == Some(encoding)
            && parts.all(|part| part.strip_prefix("q=").is_none_or(|weight| weight.parse().is_ok_and(|w: f32| w > 0.0)))
    })
}

/// `%2F` and the like as the characters they stand for; none when that is not text.
fn decode(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            let digits = std::str::from_utf8(&digits).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read() {
        let request = Request::parse("GET /a%20b?q=%20 HTTP/1.1\r\nAccept-Encoding: gzip, br;q=0\r\n\r\n").unwrap();
        assert_eq!((request.path.as_str(), request.query.as_str()), ("/a b", "?q=%20"));
        assert!(request.gzip && !request.brotli);
    }

    #[test]
    fn what_is_not_a_request_is_none() {
        for head in ["", "GET", "GET /", "GET http://elsewhere/ HTTP/1.1", "GET /%zz HTTP/1.1", "GET /%ff HTTP/1.1"] {
            assert_eq!(Request::parse(head), None, "{head}");
        }
    }
}
