//! A small static file server on the loopback address: what a static host does, for trying and testing the page.
//!
//! Everything it can answer is read into memory when it starts, so a request names a file that was found then or
//! nothing at all; no path reaches the file system.

mod request;
mod site;
mod wire;

use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use request::Request;
use site::Site;
use wire::{Head, Wire};

/// How long a peer may take for its whole request, and again for the whole answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Connections at a time. A browser opens six to a host; a page with frames and a second browser stay far below.
const CONNECTIONS_MAX: usize = 128;

/// How a [`Server`] shows its folder.
#[derive(Debug, Clone)]
pub struct Options {
    /// The port; 0 takes any free one.
    pub port: u16,
    /// The path that the folder appears under, with a slash at both ends.
    pub mount: String,
    /// Pages that exist in memory only, as HTML by absolute path. They carry none of the folder's headers, so a page
    /// that frames the folder's pages can be one.
    pub pages: BTreeMap<String, String>,
}

impl Default for Options {
    fn default() -> Self {
        Self { port: 0, mount: "/".to_owned(), pages: BTreeMap::new() }
    }
}

/// A running server; dropping it stops it.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    mount: String,
    stopping: Arc<AtomicBool>,
    accepting: Option<JoinHandle<()>>,
}

impl Server {
    /// Reads `folder` and serves it. Another server is another port, hence another origin.
    ///
    /// # Errors
    /// The folder cannot be read or the port is taken.
    pub fn start(folder: &Path, options: Options) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))?;
        let address = listener.local_addr()?;
        let site = Arc::new(Site::read(folder, &options.mount, options.pages)?);
        let stopping = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&stopping);
        let accepting = thread::Builder::new().name("server".into()).spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::SeqCst) {
                    break;
                }
                let Ok(stream) = stream else { continue };
                // The site is shared by this thread and by one thread per open connection.
                if Arc::strong_count(&site) > CONNECTIONS_MAX {
                    continue;
                }
                let site = Arc::clone(&site);
                // A peer that goes away in the middle concerns nobody but itself.
                thread::spawn(move || drop(converse(stream, &site)));
            }
        })?;
        Ok(Self { address, mount: options.mount, stopping, accepting: Some(accepting) })
    }

    /// Where the folder is, as `http://127.0.0.1:8080/`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.mount)
    }

    /// The origin of everything served here, as `http://127.0.0.1:8080`.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Serves until the program ends.
    pub fn wait(mut self) {
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::SeqCst);
        // The accepting thread sleeps until somebody calls.
        let _ = TcpStream::connect(self.address);
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

/// One request, one answer, and the connection ends.
fn converse(stream: TcpStream, site: &Site) -> io::Result<()> {
    let mut wire = Wire::new(stream, PATIENCE);
    let head = match wire.head()? {
        Head::Nothing => return Ok(()),
        Head::Whole(bytes) => Request::parse(&bytes).map_err(|_| "400 Bad Request"),
        Head::TooLong => Err("431 Request Header Fields Too Large"),
        Head::TooSlow => Err("408 Request Timeout"),
    };
    let answer = head.as_ref().map_or_else(|status| site.refusal(status), |request| site.answer(request));
    let with_body = head.as_ref().map_or(true, |request| request.method != "HEAD");
    let mut out = format!("HTTP/1.1 {}\r\n", answer.status);
    for (name, value) in &answer.headers {
        out.push_str(&format!("{name}: {value}\r\n"));
    }
    out.push_str(&format!("Content-Length: {}\r\nConnection: close\r\n\r\n", answer.body.len()));
    wire.send(&[out.as_bytes(), if with_body { &answer.body } else { &[] }])?;
    if head.is_err() { wire.hang_up() } else { Ok(()) }
}

#[cfg(test)]
mod tests;
