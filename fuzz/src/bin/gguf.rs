//! The entry point `gguf`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (entry_points::EntryPoint::GGUF.enter)(bytes));
}
