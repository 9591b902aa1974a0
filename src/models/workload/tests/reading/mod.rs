//! Reads a file in pieces, and measures calls and memory. The fuzzing programs for files (`fuzz`) read files in this
//! way, too.

use std::ops::Range;

use peak_alloc::PeakAlloc;
use workload::{Content, Import, import};

#[global_allocator]
static ALLOC: PeakAlloc = PeakAlloc;

/// Size of the longest piece that a reader requests.
const PIECE: u64 = 512 << 10;

/// Result and cost of reading a file.
pub(crate) struct Reading {
    pub(crate) content: Result<Content, import::Refusal>,
    pub(crate) calls: u64,
    /// Peak memory in bytes, without the memory that was in use before the file was read.
    pub(crate) peak: usize,
}

/// Reads a file, whose bytes `read` returns. Checks that calls and requested bytes are bounded. So the reader may
/// request a piece again only if it used little of that piece.
pub(crate) fn reading(size: u64, mut read: impl FnMut(Range<u64>) -> Vec<u8>) -> Reading {
    let before = ALLOC.current_usage();
    ALLOC.reset_peak_usage();
    let (mut import, mut calls, mut requested, mut refusal) = (Import::new(size), 0, 0, None);
    while let Some(wanted) = import.wants() {
        assert!(wanted.start <= wanted.end && wanted.end <= size && wanted.end - wanted.start <= PIECE, "{wanted:?}");
        assert!((0.0..=1.0).contains(&import.progress()));
        requested += wanted.end - wanted.start;
        calls += 1;
        assert!(requested <= 12 * size + 4 * PIECE, "{requested} of {size} bytes are requested");
        assert!(calls <= 100 + size / 2_000, "{calls} calls for {size} bytes");
        refusal = import.feed(&read(wanted)).err().or(refusal);
    }
    let peak = ALLOC.peak_usage().saturating_sub(before);
    let content = match refusal {
        Some(refusal) => {
            assert!(import.content().is_none(), "what is refused has no content");
            Err(refusal)
        }
        None => Ok(import.content().expect("what is read and not refused has content")),
    };
    Reading { content, calls, peak }
}

/// Reads a file in memory.
pub(crate) fn reading_of(bytes: &[u8]) -> Reading {
    let place = |at: u64| usize::try_from(at).expect("it is in memory");
    reading(bytes.len() as u64, |wanted| bytes[place(wanted.start)..place(wanted.end)].to_vec())
}
