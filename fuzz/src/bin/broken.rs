//! The door `broken`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (doors::Door::BROKEN.enter)(bytes));
}
