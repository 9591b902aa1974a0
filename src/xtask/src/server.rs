//! A small static file server on the loopback address, which replaces a static web host in trials and tests.
//!
//! The server reads all files into memory when it starts. A request can only get one of these files, because no path
//! from a request reaches the file system.

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

/// Time limit for a client's whole request, and separately for the whole answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Largest number of connections at the same time. A browser opens six connections to a host. Even a
/// page with frames in two browsers stays far below this limit.
const CONNECTIONS_MAX: usize = 128;

/// Options of a [`Server`].
#[derive(Debug, Clone)]
pub struct Options {
    /// Port of the server, or 0 for any free port.
    pub port: u16,
    /// URL path of the folder, with a slash at both ends.
    pub mount: String,
    /// Pages that exist only in memory: HTML text, by absolute path. The folder's headers do not apply to these pages,
    /// so they may show the folder's pages in frames.
    pub pages: BTreeMap<String, String>,
}

impl Default for Options {
    fn default() -> Self {
        Self { port: 0, mount: "/".to_owned(), pages: BTreeMap::new() }
    }
}

/// A running server. Dropping this value stops the server.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    mount: String,
    stopping: Arc<AtomicBool>,
    accepting: Option<JoinHandle<()>>,
}

impl Server {
    /// Reads `folder` and serves it. Each server has its own port, and so its own origin.
    ///
    /// # Errors
    /// Fails if the folder cannot be read, the port is in use, or `options.mount` does not begin and end with a slash.
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
                // An error of one connection does not affect other connections.
                thread::spawn(move || drop(converse(stream, &site)));
            }
        })?;
        Ok(Self { address, mount: options.mount, stopping, accepting: Some(accepting) })
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
        // The accepting thread sleeps until a client connects.
        let _ = TcpStream::connect(self.address);
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

/// Reads one request, sends one answer, and closes the connection.
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
