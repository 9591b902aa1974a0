//! The entry point `message`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (entry_points::EntryPoint::MESSAGE.enter)(bytes));
}
