//! The door `onnx`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (doors::Door::ONNX.enter)(bytes));
}
