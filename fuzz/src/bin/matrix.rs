//! The door `matrix`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (doors::Door::MATRIX.enter)(bytes));
}
