//! A chromedriver of one's own: started on a free port, and never left behind.

use std::io::{BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A running chromedriver.
pub(super) struct Driver {
    child: Child,
    port: u16,
    url: String,
}

impl Driver {
    /// Starts `program` and waits until it listens.
    pub(super) fn start(program: &Path) -> Self {
        // Between this and the start somebody else may take the port, hence more than one attempt.
        for _ in 0..5 {
            let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
                .and_then(|listener| listener.local_addr())
                .expect("the loopback address has a free port")
                .port();
            let child = Command::new(program)
                .arg(format!("--port={port}"))
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap_or_else(|error| panic!("{} does not start: {error}", program.display()));
            let mut driver = Self { child, port, url: format!("http://127.0.0.1:{port}") };
            if driver.listens() {
                return driver;
            }
        }
        panic!("{} does not listen", program.display());
    }

    /// Where it listens.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    fn listens(&mut self) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(20) {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return false;
            }
            if self.ask("/status").is_some_and(|answer| answer.contains("\"ready\":true")) {
                return true;
            }
            sleep(Duration::from_millis(20));
        }
        false
    }

    /// Asks it to end its browsers and itself. Killed outright it would leave the browsers running.
    pub(super) fn stop(&mut self) {
        if matches!(self.child.try_wait(), Ok(Some(_))) {
            return;
        }
        self.ask("/shutdown");
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(10) {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    fn ask(&self, path: &str) -> Option<String> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).ok()?;
        stream.set_read_timeout(Some(Duration::from_secs(10))).ok()?;
        let host = format!("127.0.0.1:{}", self.port);
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").ok()?;
        let mut answer = Vec::new();
        // It keeps the connection whatever it is asked, so the end is where the announced length says.
        for byte in BufReader::new(stream).bytes() {
            answer.push(byte.ok()?);
            if is_whole(&answer) {
                break;
            }
        }
        Some(String::from_utf8_lossy(&answer).into_owned())
    }
}

/// Whether head and announced length are there.
fn is_whole(answer: &[u8]) -> bool {
    let text = String::from_utf8_lossy(answer);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length =
        head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok());
    length.is_none_or(|length: usize| body.len() >= length)
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.stop();
    }
}
