//! Tests that no file makes a reader panic, use much memory, or work for long. The tests count bytes and calls, and
//! time nothing.
#![cfg(not(target_arch = "wasm32"))]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use workload::foreign::Foreign;
use workload::{Content, Import, import};

mod hostile;
mod reading;

use reading::{Reading, reading, reading_of};

/// The memory of the whole process is counted, so only one test runs at a time.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

const MIB: usize = 1 << 20;
#[test]
fn the_hardest_files_take_little_memory_and_a_bounded_number_of_calls() {
    let _alone = alone();
    // The benchmarks time longer files. These files reach every memory limit.
    for file in hostile::all(12 << 20) {
        let Reading { content, calls, peak } = reading(file.size(), |wanted| file.read(wanted));
        let name = file.name;
        assert!(peak <= 48 * MIB, "{name}: {peak} bytes, after {calls} calls");
        if let Err(refusal) = content {
            let said = refusal.to_string();
            assert!(said.ends_with(['.', '?']) && said.len() < 2_000, "{name}: {said}");
        }
    }
}

#[test]
fn files_up_to_the_limits_are_read_and_those_beyond_are_refused() {
    let _alone = alone();
    let products = |files: Vec<hostile::File>, name: &str| {
        let file = files.into_iter().find(|file| file.name == name).expect(name);
        match reading(file.size(), |wanted| file.read(wanted)).content {
            Ok(Content::Products(work)) => Ok(work.products.len()),
            Ok(_) => panic!("{name} holds products"),
            Err(refusal) => Err(refusal.to_string()),
        }
    };
    assert_eq!(products(hostile::programs(12 << 20), "a constant of 1 GB"), Ok(1));
    assert_eq!(products(hostile::programs(12 << 20), "products up to the limit"), Ok(10_000));
    let beyond = "The file has 24\u{202f}000 matmuls: use at most 10\u{202f}000.";
    assert_eq!(products(hostile::programs(12 << 20), "products beyond the limit"), Err(beyond.to_owned()));
    assert!(
        products(hostile::programs(12 << 20), "products without end")
            .is_err_and(|said| said.starts_with("The program has too many operations"))
    );
    assert_eq!(products(hostile::programs(12 << 20), "a function of many arguments"), Ok(10));
    assert_eq!(products(hostile::lists(12 << 20), "layers up to the limit"), Ok(9_998));
    let beyond = "Line 10\u{202f}001: the list is too long: use at most 10\u{202f}000 lines.";
    assert_eq!(products(hostile::lists(12 << 20), "layers without end"), Err(beyond.to_owned()));
    let long = "Line 2: the line is longer than 32\u{202f}768 bytes: put one layer on each line.";
    assert_eq!(products(hostile::lists(12 << 20), "one line"), Err(long.to_owned()));
}

#[test]
fn a_file_that_ends_too_early_is_refused() {
    let mut import = Import::new(1_000);
    assert_eq!(import.feed(b"M,K,N\n"), Err(import::Refusal::Cut));
    assert_eq!(import.wants(), None);
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
    assert_eq!(Content::of(pointer), Err(import::Refusal::Foreign { kind: Foreign::LfsPointer, file: String::new() }));
    assert_eq!(Content::of(b""), Err(import::Refusal::NoFormat));
    assert_eq!(Content::of(&[0xff; 40]), Err(import::Refusal::NoFormat));
    assert_eq!(Content::of(b"{\"model_type\": \"\xff\"}"), Err(import::Refusal::NoFormat));
}

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/golden")
}

/// Returns small files of every supported format.
fn samples() -> Vec<Vec<u8>> {
    let names = [
        "configs/llama.json",
        "configs/deepseek_v3.json",
        "topologies/own/bom_crlf.csv",
        "topologies/conv_nets/UNet_maestro.csv",
        "topologies/sparsity/gemm.csv",
        "stablehlo/training.mlir",
        "stablehlo/nested.generic.mlir",
        "stablehlo/convolution.mlir",
        "traced/llama.csv",
    ];
    let mut all: Vec<Vec<u8>> = names.iter().map(|name| fs::read(golden().join(name)).expect(name)).collect();
    all.push(b"| name | M | K | N |\n|--|--|--|--|\n| a | 1 | 2 | 3 |\n".to_vec());
    all
}

/// Pseudorandom numbers (Marsaglia's xorshift). A failure prints their seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).expect("48 bits") % bound.max(1)
    }

    /// Returns a file with changed, moved, cut or repeated parts, some of them from another file.
    fn changed(&mut self, files: &[Vec<u8>]) -> Vec<u8> {
        const WORDS: [&[u8]; 12] = [
            b"\xff",
            b"\x00",
            b"\n",
            b"{",
            b"}",
            b"\"",
            b"99999999999999999999",
            b"-1",
            b"tensor<?x4xf32>",
            b"[[",
            b",,",
            b"\x80",
        ];
        let mut bytes = files[self.below(files.len())].clone();
        for _ in 0..=self.below(8) {
            let at = self.below(bytes.len() + 1);
            let end = (at + 1 + self.below(200)).min(bytes.len());
            match self.below(6) {
                0 if at < bytes.len() => bytes[at] = u8::try_from(self.below(256)).expect("a byte"),
                1 => bytes.truncate(at),
                2 => drop(bytes.drain(at.min(end)..end)),
                3 => {
                    let word = WORDS[self.below(WORDS.len())].repeat(1 + self.below(50));
                    bytes.splice(at..at, word);
                }
                4 => {
                    let part = bytes[at.min(end)..end].repeat(1 + self.below(20));
                    bytes.splice(at..at, part);
                }
                _ => {
                    let other = &files[self.below(files.len())];
                    let from = self.below(other.len());
                    bytes.splice(at.., other[from..].iter().copied());
                }
            }
        }
        bytes
    }
}

#[test]
fn no_changed_file_makes_a_reader_panic_or_hold_much() {
    let _alone = alone();
    let files = samples();
    // SEED=… cargo test starts at another seed.
    let first = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    for seed in first..first + 6_000 {
        let bytes = Random(u64::wrapping_mul(seed, 0x9e37_79b9_7f4a_7c15) | 1).changed(&files);
        let outcome = std::panic::catch_unwind(|| {
            let found = reading_of(&bytes);
            assert!(found.peak <= 16 * MIB, "{} bytes", found.peak);
            match found.content {
                Ok(Content::Products(work)) => assert!(work.flops().is_finite()),
                Ok(Content::Transformer(_)) => {}
                Err(refusal) => assert!(refusal.to_string().ends_with(['.', '?']), "{refusal}"),
            }
        });
        assert!(outcome.is_ok(), "seed {seed} of {} bytes", bytes.len());
    }
}

#[test]
fn a_file_says_the_same_in_whatever_pieces_it_comes() {
    let _alone = alone();
    // Lines without meaning before the program move the borders of the pieces.
    let program = fs::read(golden().join("stablehlo/training.mlir")).expect("it is there");
    let plain = Content::of(&program).expect("jax wrote it");
    let Content::Products(plain) = plain else { panic!("it holds products") };
    for empty in [1usize, 65_500, 65_536, 131_000, 262_144, 524_000, 1_000_003] {
        let moved = [&vec![b'\n'; empty][..], &program].concat();
        // The first piece shows the format.
        let moved = [&b"// func.func\n"[..], &moved].concat();
        match Content::of(&moved) {
            Ok(Content::Products(work)) => assert_eq!(work.products, plain.products, "{empty}"),
            other => panic!("{empty}: {other:?}"),
        }
    }
}
