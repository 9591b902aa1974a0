//! The door `link`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (doors::Door::LINK.enter)(bytes));
}
