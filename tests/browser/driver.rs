//! Driver of a browser: it starts on a free port and never outlives the test.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

/// Running driver of a browser.
pub(super) struct Driver {
    child: Child,
    port: u16,
    url: String,
    said: Arc<Mutex<Vec<String>>>,
}

impl Driver {
    /// Starts `program` and waits until the driver listens.
    pub(super) fn start(program: &Path) -> Self {
        // Another process may take the port before the driver listens, so several attempts are made.
        for _ in 0..5 {
            let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
                .and_then(|listener| listener.local_addr())
                .expect("the loopback address has a free port")
                .port();
            let mut command = Command::new(program);
            command.arg(format!("--port={port}")).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child =
                command.spawn().unwrap_or_else(|error| panic!("{} does not start: {error}", program.display()));
            let said = Arc::<Mutex<Vec<String>>>::default();
            let outputs: [Option<Box<dyn Read + Send>>; 2] = [
                child.stdout.take().map(|output| Box::new(output) as _),
                child.stderr.take().map(|output| Box::new(output) as _),
            ];
            for output in outputs.into_iter().flatten() {
                let said = Arc::clone(&said);
                thread::spawn(move || {
                    for line in BufReader::new(output).lines().map_while(Result::ok) {
                        said.lock().expect("no thread panics here").push(line);
                    }
                });
            }
            let mut driver = Self { child, port, url: format!("http://127.0.0.1:{port}"), said };
            if driver.listens() {
                return driver;
            }
        }
        panic!("{} does not listen", program.display());
    }

    /// Address of the driver.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Lines that the driver and its browsers wrote since the last call.
    pub(super) fn said(&self) -> Vec<String> {
        std::mem::take(&mut *self.said.lock().expect("no thread panics here"))
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

    /// Asks the driver to end its browsers and itself. A killed driver would leave the browsers running.
    pub(super) fn stop(&mut self) {
        if matches!(self.child.try_wait(), Ok(Some(_))) {
            return;
        }
        // Some drivers do not know this request. Their browsers end with their sessions.
        let ends = self.ask("/shutdown").is_some_and(|answer| answer.starts_with("HTTP/1.1 200"));
        let begun = Instant::now();
        while ends && begun.elapsed() < Duration::from_secs(10) {
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
        // The driver never closes the connection, so the announced length marks the end of the answer.
        for byte in BufReader::new(stream).bytes() {
            answer.push(byte.ok()?);
            if is_whole(&answer) {
                break;
            }
        }
        Some(String::from_utf8_lossy(&answer).into_owned())
    }
}

/// True if an answer has its header, and a body of the announced length.
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
