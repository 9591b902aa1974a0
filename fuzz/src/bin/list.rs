//! The door `list`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (doors::Door::LIST.enter)(bytes));
}
