//! A connection with a deadline, so that neither a slow client nor a long request blocks a thread.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

/// Largest size of a head in bytes: a link of 1 MiB in its first line, and space for the other headers.
const HEAD_BYTES_MAX: usize = (1 << 20) + (64 << 10);

/// Result of reading the head of a request.
pub(super) enum Head {
    /// No bytes: the client connected in advance and sent no request, as browsers do to save time later.
    Nothing,
    /// Bytes of the head, with the empty line at its end.
    Whole(Vec<u8>),
    /// More than [`HEAD_BYTES_MAX`] bytes without an empty line.
    TooLong,
    /// The deadline passed before the empty line arrived.
    TooSlow,
}

/// A connection with a time limit for each of its two directions.
pub(super) struct Wire {
    stream: TcpStream,
    patience: Duration,
    deadline: Instant,
}

impl Wire {
    /// Starts the time limit for the request: the client has `patience` from now.
    pub(super) fn new(stream: TcpStream, patience: Duration) -> Self {
        Self { stream, patience, deadline: Instant::now() + patience }
    }

    /// Reads the head of a request, up to the empty line. The deadline applies to the whole head, even if the bytes
    /// arrive one by one.
    pub(super) fn head(&mut self) -> io::Result<Head> {
        let mut bytes = Vec::new();
        let mut piece = [0; 8 << 10];
        loop {
            let n_bytes = match self.read(&mut piece) {
                Ok(0) if bytes.is_empty() => return Ok(Head::Nothing),
                Ok(0) => return Ok(Head::Whole(bytes)),
                Ok(n_bytes) => n_bytes,
                Err(error) if is_late(&error) && bytes.is_empty() => return Ok(Head::Nothing),
                Err(error) if is_late(&error) => return Ok(Head::TooSlow),
                Err(error) => return Err(error),
            };
            // The empty line may have begun in the piece before.
            let from = bytes.len().saturating_sub(3);
            bytes.extend_from_slice(&piece[..n_bytes]);
            if let Some(at) = bytes[from..].windows(4).position(|four| four == b"\r\n\r\n") {
                bytes.truncate(from + at + 4);
                return Ok(Head::Whole(bytes));
            }
            if bytes.len() > HEAD_BYTES_MAX {
                return Ok(Head::TooLong);
            }
        }
    }

    /// Sends `parts` one after the other, with one deadline for all parts.
    pub(super) fn send(&mut self, parts: &[&[u8]]) -> io::Result<()> {
        self.deadline = Instant::now() + self.patience;
        for part in parts {
            let mut rest = *part;
            while !rest.is_empty() {
                self.stream.set_write_timeout(Some(self.left()?))?;
                let n_bytes = self.stream.write(rest)?;
                rest = &rest[n_bytes..];
            }
        }
        self.stream.flush()
    }

    /// Reads the rest of an incomplete request that was already answered, and then closes the connection. Without this
    /// reading, the system resets the connection and the client loses the answer.
    pub(super) fn hang_up(mut self) -> io::Result<()> {
        self.stream.shutdown(Shutdown::Write)?;
        self.deadline = Instant::now() + Duration::from_secs(1);
        let mut piece = [0; 8 << 10];
        while self.read(&mut piece)? > 0 {}
        Ok(())
    }

    fn read(&mut self, piece: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(self.left()?))?;
        self.stream.read(piece)
    }

    /// Returns the time left until the deadline. Fails if no time is left, because the system accepts no timeout of
    /// zero.
    fn left(&self) -> io::Result<Duration> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(ErrorKind::TimedOut.into()) } else { Ok(left) }
    }
}

/// True if an error is a timeout, which has different names on Windows and on other systems.
fn is_late(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;
    use std::thread;

    /// Both ends of a connection, ours with `patience`.
    fn connected(patience: Duration) -> (Wire, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let peer = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (Wire::new(listener.accept().unwrap().0, patience), peer)
    }

    #[test]
    fn a_peer_that_sends_byte_after_byte_meets_the_deadline() {
        let (mut wire, mut peer) = connected(Duration::from_millis(200));
        let sender = thread::spawn(move || {
            while peer.write_all(b"x").is_ok() {
                thread::sleep(Duration::from_millis(5));
            }
        });
        assert!(matches!(wire.head().unwrap(), Head::TooSlow));
        drop(wire);
        sender.join().unwrap();
    }

    #[test]
    fn a_head_may_carry_a_link_of_one_mebibyte_and_no_more_than_the_limit() {
        for (n_bytes, is_whole) in [(1 << 20, true), (2 << 20, false)] {
            let (mut wire, mut peer) = connected(Duration::from_secs(60));
            let sender = thread::spawn(move || peer.write_all(&[&vec![b'x'; n_bytes][..], b"\r\n\r\nrest"].concat()));
            match wire.head().unwrap() {
                Head::Whole(bytes) => assert!(is_whole && bytes.len() == n_bytes + 4, "{n_bytes}"),
                Head::TooLong => assert!(!is_whole, "{n_bytes}"),
                Head::Nothing | Head::TooSlow => panic!("the head of {n_bytes} bytes came at once"),
            }
            drop(wire);
            let _ = sender.join().unwrap();
        }
    }

    #[test]
    fn a_peer_that_leaves_without_a_word_gets_none() {
        let (mut wire, peer) = connected(Duration::from_secs(60));
        drop(peer);
        assert!(matches!(wire.head().unwrap(), Head::Nothing));
    }
}
