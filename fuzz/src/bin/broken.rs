//! The entry point `broken`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (entry_points::EntryPoint::BROKEN.enter)(bytes));
}
