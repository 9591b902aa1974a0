//! Requests of a browser to other machines, from any page, frame or worker. The browser sends them to a proxy on this
//! machine, which records each request and returns nothing. Requests to this machine bypass the proxy.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Hosts that Chromium contacts by itself, whatever it shows.
const OF_THE_BROWSER: [&str; 8] = [
    "accounts.google.com",
    "clients2.google.com",
    "content-autofill.googleapis.com",
    "edgedl.me.gvt1.com",
    "optimizationguide-pa.googleapis.com",
    "redirector.gvt1.com",
    "safebrowsing.googleapis.com",
    "update.googleapis.com",
];

/// Proxy that records requests and forwards none of them.
pub(super) struct Elsewhere {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
    stopping: Arc<AtomicBool>,
    listening: Option<JoinHandle<()>>,
}

impl Elsewhere {
    pub(super) fn new() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("the loopback address has a free port");
        let port = listener.local_addr().expect("an address").port();
        let (asked, stopping) = (Arc::<Mutex<Vec<String>>>::default(), Arc::<AtomicBool>::default());
        let (note, stop) = (Arc::clone(&asked), Arc::clone(&stopping));
        let listening = thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if stop.load(Ordering::SeqCst) {
                    break;
                }
                // A browser may open a connection before it needs it, and may send nothing.
                let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
                let note = Arc::clone(&note);
                thread::spawn(move || {
                    let mut line = String::new();
                    if BufReader::new(stream).read_line(&mut line).is_ok_and(|length| length > 0) {
                        note.lock().expect("no thread panics here").push(line.trim().to_owned());
                    }
                });
            }
        });
        Self { port, asked, stopping, listening: Some(listening) }
    }

    /// Port of the proxy.
    pub(super) const fn port(&self) -> u16 {
        self.port
    }

    /// Forgets the recorded requests.
    pub(super) fn forget(&self) {
        self.asked.lock().expect("no thread panics here").clear();
    }

    /// Requests of the pages so far, one line each: `GET http://…` or `CONNECT host:443`.
    pub(super) fn asked(&self) -> Vec<String> {
        let all = self.asked.lock().expect("no thread panics here");
        let host = |line: &str| {
            let (_, address) = line.split_once(' ')?;
            let address = address.strip_prefix("http://").unwrap_or(address);
            address.split(['/', ':', ' ']).next().map(str::to_owned)
        };
        let is_of_pages = |line: &&String| host(line).is_none_or(|host| !OF_THE_BROWSER.contains(&&*host));
        all.iter().filter(is_of_pages).cloned().collect()
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::SeqCst);
        // The thread sleeps until a connection arrives.
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
        if let Some(listening) = self.listening.take() {
            let _ = listening.join();
        }
    }
}
