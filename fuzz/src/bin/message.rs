//! The door `message`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (doors::Door::MESSAGE.enter)(bytes));
}
