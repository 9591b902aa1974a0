//! Answers of a server: every file of a folder with its headers and encodings, and pages in memory.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use super::request::Request;
use crate::encoding::{brotli, compressible, files, gzip, is_compressed, sibling};
use crate::headers::HeaderRules;

/// Files and pages of a server, with their URL paths and headers.
#[derive(Debug)]
pub(super) struct Site {
    mount: String,
    files: BTreeMap<String, File>,
    pages: BTreeMap<String, String>,
    rules: HeaderRules,
}

#[derive(Debug)]
struct File {
    plain: Vec<u8>,
    brotli: Option<Vec<u8>>,
    gzip: Option<Vec<u8>>,
}

/// An HTTP answer: status, headers and body.
#[derive(Debug)]
pub(super) struct Answer<'a> {
    /// Status code and reason, for example `200 OK`.
    pub(super) status: &'static str,
    /// Headers, without `Content-Length` and `Connection`.
    pub(super) headers: Vec<(String, String)>,
    /// Body of the answer.
    pub(super) body: Cow<'a, [u8]>,
}

impl Site {
    /// Reads `folder`. For each file, uses the compressed form next to the file, if this form exists, and otherwise
    /// compresses the file quickly.
    pub(super) fn read(folder: &Path, mount: &str, pages: BTreeMap<String, String>) -> io::Result<Self> {
        if !mount.starts_with('/') || !mount.ends_with('/') {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{mount} needs a slash at both ends")));
        }
        let rules = HeaderRules::parse(&crate::text_if_there(&folder.join("_headers")));
        let mut found = BTreeMap::new();
        for path in files(folder).map_err(io::Error::other)? {
            let Ok(inside) = path.strip_prefix(folder) else { continue };
            let name = inside.to_string_lossy().replace('\\', "/");
            if name != "_headers" && !is_compressed(&path) {
                found.insert(name, File::read(&path)?);
            }
        }
        Ok(Self { mount: mount.to_owned(), files: found, pages, rules })
    }

    /// Returns an answer whose body contains only the status. The headers of the answer are the folder's headers for
    /// `/404.html`.
    pub(super) fn refusal(&self, status: &'static str) -> Answer<'static> {
        let mut headers = self.rules.of("/404.html");
        headers.push(("Content-Type".into(), mime("refusal.txt").into()));
        Answer { status, headers, body: Cow::Owned(format!("{status}\n").into_bytes()) }
    }

    /// Returns the answer to `request`.
    pub(super) fn answer(&self, request: &Request) -> Answer<'_> {
        if !request.is_for_this_machine() {
            return self.refusal("421 Misdirected Request");
        }
        if request.method != "GET" && request.method != "HEAD" {
            let mut answer = self.refusal("405 Method Not Allowed");
            answer.headers.push(("Allow".into(), "GET, HEAD".into()));
            return answer;
        }
        if let Some(html) = self.pages.get(&request.path) {
            let headers = vec![("Content-Type".into(), mime("page.html").into()), no_store()];
            return Answer { status: "200 OK", headers, body: Cow::Borrowed(html.as_bytes()) };
        }
        if format!("{}/", request.path) == self.mount {
            let mut answer = self.refusal("308 Permanent Redirect");
            answer.headers.push(("Location".into(), format!("{}{}", self.mount, request.query)));
            return answer;
        }
        let Some(name) = request.path.strip_prefix(&self.mount) else { return self.absent(request) };
        let index = if name.is_empty() || name.ends_with('/') { format!("{name}index.html") } else { name.to_owned() };
        match self.files.get(&index) {
            Some(file) => file.answer("200 OK", &index, self.rules.of(&format!("/{name}")), request),
            None => self.absent(request),
        }
    }

    /// Returns the answer for a path without a file: the folder's `404.html`, or only the status.
    fn absent(&self, request: &Request) -> Answer<'_> {
        const STATUS: &str = "404 Not Found";
        match self.files.get("404.html") {
            Some(file) => file.answer(STATUS, "404.html", self.rules.of("/404.html"), request),
            None => self.refusal(STATUS),
        }
    }
}

impl File {
    fn read(path: &Path) -> io::Result<Self> {
        let plain = fs::read(path)?;
        if !compressible(path) {
            return Ok(Self { plain, brotli: None, gzip: None });
        }
        let brotli = fs::read(sibling(path, "br")).or_else(|_| brotli(&plain, 3))?;
        let gzip = fs::read(sibling(path, "gz")).or_else(|_| gzip(&plain, 3))?;
        Ok(Self { plain, brotli: Some(brotli), gzip: Some(gzip) })
    }

    fn answer(
        &self,
        status: &'static str,
        name: &str,
        mut headers: Vec<(String, String)>,
        request: &Request,
    ) -> Answer<'_> {
        headers.push(("Content-Type".into(), mime(name).into()));
        if self.brotli.is_some() {
            headers.push(("Vary".into(), "Accept-Encoding".into()));
        }
        let (encoding, body) = match (&self.brotli, &self.gzip) {
            (Some(brotli), _) if request.brotli => ("br", brotli),
            (_, Some(gzip)) if request.gzip => ("gzip", gzip),
            _ => ("", &self.plain),
        };
        if !encoding.is_empty() {
            headers.push(("Content-Encoding".into(), encoding.into()));
        }
        Answer { status, headers, body: Cow::Borrowed(body) }
    }
}

fn no_store() -> (String, String) {
    ("Cache-Control".into(), "no-store".into())
}

/// Returns the media type for the ending of `name`.
fn mime(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
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
    }
}
