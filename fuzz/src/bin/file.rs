//! The door `file`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (doors::Door::FILE.enter)(bytes));
}
