//! The entry point `config`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (entry_points::EntryPoint::CONFIG.enter)(bytes));
}
