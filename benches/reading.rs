//! Native benchmark of the longest calls of reading files. Run with `cargo bench -p benches --bench reading`.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use benches::{Line, import};

fn main() {
    println!("{}", Line::HEADER);
    for line in import::lines() {
        println!("{line}");
    }
}
