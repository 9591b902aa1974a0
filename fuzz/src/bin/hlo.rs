//! The entry point `hlo`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (entry_points::EntryPoint::HLO.enter)(bytes));
}
