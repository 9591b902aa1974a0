//! A small static file server on the loopback address, which replaces a static web host in trials and tests.
//!
//! The server reads all files into memory when it starts, and again if [`Server::reread`] asks for it. A request can only
//! get one of these files, because no path from a request reaches the file system.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use percent_encoding::percent_decode_str;

use crate::encoding::{brotli, compressible, files, gzip, is_compressed, sibling};
use crate::headers;

/// Time limit for a client's whole request, and separately for each piece of the answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Largest number of connections at the same time. A browser opens six connections to a host. Even a
/// page with frames in two browsers stays far below this limit.
const CONNECTIONS_MAX: usize = 128;
/// Largest size of a head in bytes: a link of 1 MiB in its first line, and space for the other headers.
const HEAD_BYTES_MAX: usize = (1 << 20) + (64 << 10);
const MALFORMED: &str = "400 Bad Request";

/// Options of a [`Server`].
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Port of the server, or 0 for any free port.
    pub port: u16,
    /// URL path of the folder, with a slash at both ends. Empty for `/`.
    pub mount: String,
    /// Pages that exist only in memory: HTML text, by absolute path. The folder's headers do not apply to these pages,
    /// so they may show the folder's pages in frames.
    pub pages: BTreeMap<String, String>,
}

/// A running server. Dropping this value stops the server.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    mount: String,
    site: Arc<RwLock<Arc<Site>>>,
    stopping: Arc<AtomicBool>,
    accepting: Option<JoinHandle<()>>,
}

impl Server {
    /// Reads `folder` and serves it. Each server has its own port, and so its own origin.
    ///
    /// # Errors
    /// Fails if the folder cannot be read, the port is in use, or `options.mount` does not begin and end with a slash.
    pub fn start(folder: &Path, options: Options) -> io::Result<Self> {
        let mount = if options.mount.is_empty() { "/".to_owned() } else { options.mount };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))?;
        let address = listener.local_addr()?;
        let site = Arc::new(RwLock::new(Arc::new(Site::read(folder, &mount, options.pages)?)));
        let shared = Arc::clone(&site);
        let stopping = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&stopping);
        let accepting = thread::Builder::new().name("server".into()).spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::SeqCst) {
                    break;
                }
                let Ok(stream) = stream else { continue };
                let site = Arc::clone(&shared.read().unwrap_or_else(PoisonError::into_inner));
                // The site is shared by the server, this thread and one thread per open connection.
                if Arc::strong_count(&site) > CONNECTIONS_MAX + 1 {
                    continue;
                }
                // An error of one connection does not affect other connections.
                thread::spawn(move || drop(converse(stream, &site)));
            }
        })?;
        Ok(Self { address, mount, site, stopping, accepting: Some(accepting) })
    }

    /// Reads the folder again. Connections that are open get the files as they were.
    ///
    /// # Errors
    /// Fails if the folder cannot be read. The server then goes on with the files as they were.
    pub fn reread(&self, folder: &Path) -> io::Result<()> {
        let pages = self.site.read().unwrap_or_else(PoisonError::into_inner).pages.clone();
        let site = Arc::new(Site::read(folder, &self.mount, pages)?);
        *self.site.write().unwrap_or_else(PoisonError::into_inner) = site;
        Ok(())
    }

    /// Returns the URL of the folder, for example `http://127.0.0.1:8080/`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.mount)
    }

    /// Returns the origin of the server, for example `http://127.0.0.1:8080`.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::SeqCst);
        // The accepting thread sleeps until a client connects.
        let _ = TcpStream::connect(self.address);
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

/// Reads one request, sends one answer, and closes the connection.
fn converse(mut stream: TcpStream, site: &Site) -> io::Result<()> {
    let request = match head(&mut stream, PATIENCE) {
        Ok(bytes) if bytes.is_empty() => return Ok(()),
        Ok(bytes) => Request::parse(&bytes),
        Err(status) => Err(status),
    };
    let answer = request.as_ref().map_or_else(|status| site.refusal(status), |request| site.answer(request));
    let mut out = format!("HTTP/1.1 {}\r\n", answer.status);
    for (name, value) in &answer.headers {
        out.push_str(&format!("{name}: {value}\r\n"));
    }
    out.push_str(&format!("Content-Length: {}\r\nConnection: close\r\n\r\n", answer.body.len()));
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.write_all(out.as_bytes())?;
    if request.as_ref().map_or(true, |request| request.method != "HEAD") {
        stream.write_all(answer.body)?;
    }
    if request.is_err() {
        // If a part of the request is unread, the system resets the connection and the client loses the answer.
        stream.shutdown(Shutdown::Write)?;
        stream.set_read_timeout(Some(Duration::from_secs(1)))?;
        io::copy(&mut stream.take(HEAD_BYTES_MAX as u64), &mut io::sink())?;
    }
    Ok(())
}

/// Reads the head of a request, up to the empty line. The time limit applies to the whole head, even if the bytes arrive
/// one by one. The head is empty if the client connected in advance and sent no request, as browsers do to save time.
fn head(stream: &mut TcpStream, patience: Duration) -> Result<Vec<u8>, &'static str> {
    let deadline = Instant::now() + patience;
    let (mut bytes, mut piece) = (Vec::new(), [0; 8 << 10]);
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        // The system accepts no timeout of zero.
        let read =
            stream.set_read_timeout(Some(left.max(Duration::from_millis(1)))).and_then(|()| stream.read(&mut piece));
        let n_bytes = match read {
            Ok(0) => return Ok(bytes),
            Ok(n_bytes) if !left.is_zero() => n_bytes,
            _ if bytes.is_empty() => return Ok(bytes),
            _ => return Err("408 Request Timeout"),
        };
        // The empty line may have begun in the piece before.
        let from = bytes.len().saturating_sub(3);
        bytes.extend_from_slice(&piece[..n_bytes]);
        if let Some(at) = bytes[from..].windows(4).position(|four| four == b"\r\n\r\n") {
            bytes.truncate(from + at + 4);
            return Ok(bytes);
        }
        if bytes.len() > HEAD_BYTES_MAX {
            return Err("431 Request Header Fields Too Large");
        }
    }
}

/// Head of a request.
#[derive(Debug)]
struct Request {
    method: String,
    /// Value of the `Host` header, with the port. `None` if the request has no such header.
    host: Option<String>,
    /// Decoded path, without the query.
    path: String,
    /// Query with its question mark, or an empty string.
    query: String,
    /// Encodings that the client accepts, in lower case, for example `gzip, br;q=0.5`.
    encodings: String,
}

impl Request {
    /// Reads the head of a request. Fails with a status for bytes that are not a request to a static server.
    fn parse(head: &[u8]) -> Result<Self, &'static str> {
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut parsed = httparse::Request::new(&mut headers);
        if !parsed.parse(head).is_ok_and(|status| status.is_complete()) {
            return Err(MALFORMED);
        }
        let target = parsed.path.filter(|target| target.starts_with('/')).ok_or(MALFORMED)?;
        let values = |name: &str| -> Vec<String> {
            let named = parsed.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
            named.map(|header| String::from_utf8_lossy(header.value).into_owned()).collect()
        };
        let hosts = values("host");
        // If a request has two hosts, two readers could choose different hosts.
        if hosts.len() > 1 {
            return Err(MALFORMED);
        }
        let (path, query) = target.split_at(target.find('?').unwrap_or(target.len()));
        Ok(Self {
            method: parsed.method.unwrap_or("").to_owned(),
            host: hosts.into_iter().next(),
            path: percent_decode_str(path).decode_utf8().map_err(|_| MALFORMED)?.into_owned(),
            query: query.to_owned(),
            encodings: values("accept-encoding").join(",").to_ascii_lowercase(),
        })
    }

    /// True if the request has no host, or a host that is a name of this machine.
    ///
    /// A foreign page can resolve its own domain name to the address of this machine, and then read files from this
    /// server (DNS rebinding). Requests of such a page have the foreign name as their host. The port is not compared,
    /// so that a forwarded port works.
    fn is_for_this_machine(&self) -> bool {
        let Some(host) = &self.host else { return true };
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => host,
        };
        ["127.0.0.1", "localhost", "[::1]"].iter().any(|own| name.eq_ignore_ascii_case(own))
    }

    /// True if the client accepts `encoding`. Weight 0 refuses an encoding.
    fn takes(&self, encoding: &str) -> bool {
        self.encodings.split(',').any(|item| {
            let mut parts = item.split(';').map(str::trim);
            let is_weight = |part: &str| part.strip_prefix("q=").is_none_or(|q| q.parse().is_ok_and(|q: f32| q > 0.0));
            parts.next() == Some(encoding) && parts.all(is_weight)
        })
    }
}

/// An HTTP answer: status, headers without `Content-Length` and `Connection`, and body.
struct Answer<'a> {
    status: &'static str,
    headers: Vec<(String, String)>,
    body: &'a [u8],
}

/// Files and pages of a server, with their URL paths and headers.
#[derive(Debug)]
struct Site {
    mount: String,
    files: BTreeMap<String, File>,
    pages: BTreeMap<String, String>,
    /// Text of the file `_headers`.
    rules: String,
}

/// A file, with its compressed forms by encoding. The best encoding comes first.
#[derive(Debug)]
struct File {
    plain: Vec<u8>,
    packed: Vec<(&'static str, Vec<u8>)>,
}

impl Site {
    /// Reads `folder`. For each file, uses the compressed form next to the file, if this form exists, and otherwise
    /// compresses the file quickly.
    fn read(folder: &Path, mount: &str, pages: BTreeMap<String, String>) -> io::Result<Self> {
        if !mount.starts_with('/') || !mount.ends_with('/') {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{mount} needs a slash at both ends")));
        }
        let rules = crate::text_if_there(&folder.join("_headers"));
        let mut found = BTreeMap::new();
        for path in files(folder).map_err(io::Error::other)?.iter().filter(|path| !is_compressed(path)) {
            let name = path.strip_prefix(folder).unwrap_or(path).to_string_lossy().replace('\\', "/");
            let plain = fs::read(path)?;
            let mut packed = Vec::new();
            if compressible(path) {
                packed.push(("br", fs::read(sibling(path, "br")).or_else(|_| brotli(&plain, 3))?));
                packed.push(("gzip", fs::read(sibling(path, "gz")).or_else(|_| gzip(&plain, 3))?));
            }
            found.insert(name, File { plain, packed });
        }
        found.remove("_headers");
        Ok(Self { mount: mount.to_owned(), files: found, pages, rules })
    }

    /// Returns an answer whose body is the status. The headers of the answer are the folder's headers for `/404.html`.
    fn refusal(&self, status: &'static str) -> Answer<'static> {
        let mut headers = headers::of(&self.rules, "/404.html");
        headers.push(content_type("refusal.txt"));
        Answer { status, headers, body: status.as_bytes() }
    }

    fn answer(&self, request: &Request) -> Answer<'_> {
        if !request.is_for_this_machine() {
            return self.refusal("421 Misdirected Request");
        }
        if request.method != "GET" && request.method != "HEAD" {
            let mut answer = self.refusal("405 Method Not Allowed");
            answer.headers.push(("Allow".to_owned(), "GET, HEAD".to_owned()));
            return answer;
        }
        if let Some(html) = self.pages.get(&request.path) {
            let headers = vec![content_type("page.html"), ("Cache-Control".to_owned(), "no-store".to_owned())];
            return Answer { status: "200 OK", headers, body: html.as_bytes() };
        }
        if format!("{}/", request.path) == self.mount {
            let mut answer = self.refusal("308 Permanent Redirect");
            answer.headers.push(("Location".to_owned(), format!("{}{}", self.mount, request.query)));
            return answer;
        }
        let name = request.path.strip_prefix(&self.mount);
        let found = name.and_then(|name| {
            let index = if name.is_empty() || name.ends_with('/') { "index.html" } else { "" };
            Some((name, self.files.get_key_value(&format!("{name}{index}"))?))
        });
        // A folder can have its own page for paths without a file.
        let absent = || Some(("404 Not Found", "404.html", self.files.get_key_value("404.html")?));
        let found = found.map(|(name, file)| ("200 OK", name, file)).or_else(absent);
        let Some((status, name, (path, file))) = found else { return self.refusal("404 Not Found") };
        let mut headers = headers::of(&self.rules, &format!("/{name}"));
        headers.push(content_type(path));
        if !file.packed.is_empty() {
            headers.push(("Vary".to_owned(), "Accept-Encoding".to_owned()));
        }
        let Some((encoding, body)) = file.packed.iter().find(|(encoding, _)| request.takes(encoding)) else {
            return Answer { status, headers, body: &file.plain };
        };
        headers.push(("Content-Encoding".to_owned(), (*encoding).to_owned()));
        Answer { status, headers, body }
    }
}

/// Returns the header with the media type for the ending of `name`.
fn content_type(name: &str) -> (String, String) {
    let mime = match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "md" => "text/plain; charset=utf-8",
        "xml" => "application/xml",
        _ => "application/octet-stream",
    };
    ("Content-Type".to_owned(), mime.to_owned())
}

#[cfg(test)]
mod tests;
