//! The entry point `topology`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (entry_points::EntryPoint::TOPOLOGY.enter)(bytes));
}
