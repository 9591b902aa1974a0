//! The door `stablehlo`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (doors::Door::STABLEHLO.enter)(bytes));
}
