//! The entry point `ask`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (entry_points::EntryPoint::ASK.enter)(bytes));
}
