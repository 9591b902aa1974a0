//! Parser for the head of an HTTP request, limited to the needs of a static server.

use percent_encoding::percent_decode_str;

/// Head of a request: method, host, path, and the encodings that the client accepts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// Method: `GET`, `HEAD` or any other word.
    pub(super) method: String,
    /// Value of the `Host` header, with the port. `None` if the request has no such header.
    pub(super) host: Option<String>,
    /// Decoded path, without the query.
    pub(super) path: String,
    /// Query with its question mark, or an empty string.
    pub(super) query: String,
    /// True if the client accepts brotli.
    pub(super) brotli: bool,
    /// True if the client accepts gzip.
    pub(super) gzip: bool,
}

/// Error for bytes that are not a request to a static server.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Malformed;

impl Request {
    /// Reads the head of a request, which ends with an empty line.
    pub(super) fn parse(head: &[u8]) -> Result<Self, Malformed> {
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut parsed = httparse::Request::new(&mut headers);
        if !parsed.parse(head).is_ok_and(|status| status.is_complete()) {
            return Err(Malformed);
        }
        let target = parsed.path.filter(|target| target.starts_with('/')).ok_or(Malformed)?;
        let values = |name: &str| -> Vec<String> {
            let named = parsed.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
            named.map(|header| String::from_utf8_lossy(header.value).into_owned()).collect()
        };
        let host = match values("host").as_slice() {
            [] => None,
            [host] => Some(host.clone()),
            // If a request has two hosts, two readers could choose different hosts.
            _ => return Err(Malformed),
        };
        let encodings = values("accept-encoding").join(",").to_ascii_lowercase();
        let at = target.find('?').unwrap_or(target.len());
        let path = percent_decode_str(&target[..at]).decode_utf8().map_err(|_| Malformed)?.into_owned();
        Ok(Self {
            method: parsed.method.unwrap_or("").to_owned(),
            host,
            path,
            query: target[at..].to_owned(),
            brotli: takes(&encodings, "br"),
            gzip: takes(&encodings, "gzip"),
        })
    }

    /// True if the request has no host, or a host that is a name of this machine.
    ///
    /// A foreign page can resolve its own domain name to the address of this machine, and then read files from this
    /// server (DNS rebinding). Requests of such a page have the foreign name as their host. The port is not compared,
    /// so that a forwarded port works.
    pub(super) fn is_for_this_machine(&self) -> bool {
        let Some(host) = &self.host else { return true };
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => host,
        };
        ["127.0.0.1", "localhost", "[::1]"].iter().any(|own| name.eq_ignore_ascii_case(own))
    }
}

/// True if a list such as `gzip, br;q=0.5` accepts `encoding`. Weight 0 refuses an encoding.
fn takes(list: &str, encoding: &str) -> bool {
    list.split(',').any(|item| {
        let mut parts = item.split(';').map(str::trim);
        parts.next() == Some(encoding)
            && parts.all(|part| part.strip_prefix("q=").is_none_or(|weight| weight.parse().is_ok_and(|w: f32| w > 0.0)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read() {
        let head = b"GET /a%20b?q=%20 HTTP/1.1\r\nAccept-Encoding: gzip, br;q=0\r\n\r\n";
        let request = Request::parse(head).unwrap();
        assert_eq!((request.path.as_str(), request.query.as_str()), ("/a b", "?q=%20"));
        assert!(request.gzip && !request.brotli);
        // A sign is no hexadecimal digit, so this names a file of seven characters.
        assert_eq!(Request::parse(b"GET /%+1.txt HTTP/1.1\r\n\r\n").unwrap().path, "/%+1.txt");
    }

    #[test]
    fn what_is_no_request_is_malformed() {
        for head in [
            "",
            "GET",
            "GET / ",
            "GET http://elsewhere/ HTTP/1.1\r\n\r\n",
            "GET /%ff HTTP/1.1\r\n\r\n",
            "GET / HTTP/2.0\r\n\r\n",
            "GET / HTTP/1.1\r\nno header\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: localhost\r\nHost: elsewhere\r\n\r\n",
        ] {
            assert_eq!(Request::parse(head.as_bytes()), Err(Malformed), "{head}");
        }
    }

    #[test]
    fn only_the_names_of_this_machine_are_its_own() {
        let is_own = |host: &str| {
            let head = format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n");
            Request::parse(head.as_bytes()).unwrap().is_for_this_machine()
        };
        for host in ["127.0.0.1", "127.0.0.1:8080", "LocalHost:9000", "[::1]:80", "[::1]"] {
            assert!(is_own(host), "{host}");
        }
        for host in ["", "elsewhere", "localhost.elsewhere:8080", "127.0.0.1.elsewhere", "127.0.0.1:x", "::1"] {
            assert!(!is_own(host), "{host}");
        }
    }
}
