//! The door `ask`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (doors::Door::ASK.enter)(bytes));
}
