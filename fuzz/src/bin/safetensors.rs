//! The door `safetensors`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (doors::Door::SAFETENSORS.enter)(bytes));
}
