//! The entry point `file`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (entry_points::EntryPoint::FILE.enter)(bytes));
}
