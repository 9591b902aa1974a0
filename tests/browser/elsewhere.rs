//! Whatever a browser asks of other machines, by any of its pages, frames and workers: it is told to ask a proxy on this
//! machine for it, which notes what is wanted and gives nothing. This machine itself is asked directly.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// What Chromium asks by itself, whatever it shows.
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

/// A proxy that leads nowhere.
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
                // A browser opens a connection before it knows what for, and may say nothing on it.
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

    /// The port that a browser is told to ask.
    pub(super) const fn port(&self) -> u16 {
        self.port
    }

    /// Forgets what was asked for.
    pub(super) fn forget(&self) {
        self.asked.lock().expect("no thread panics here").clear();
    }

    /// What was asked for so far, a line each: `GET http://…` or `CONNECT host:443`.
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
        // The thread sleeps until somebody calls.
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
        if let Some(listening) = self.listening.take() {
            let _ = listening.join();
        }
    }
}
