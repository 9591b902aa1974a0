//! The entry point `list`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (entry_points::EntryPoint::LIST.enter)(bytes));
}
