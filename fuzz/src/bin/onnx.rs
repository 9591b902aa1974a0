//! The entry point `onnx`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (entry_points::EntryPoint::ONNX.enter)(bytes));
}
