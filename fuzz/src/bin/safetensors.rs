//! The entry point `safetensors`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (entry_points::EntryPoint::SAFETENSORS.enter)(bytes));
}
