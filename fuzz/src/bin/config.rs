//! The door `config`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (doors::Door::CONFIG.enter)(bytes));
}
