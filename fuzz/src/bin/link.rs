//! The entry point `link`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (entry_points::EntryPoint::LINK.enter)(bytes));
}
