//! The door `topology`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (doors::Door::TOPOLOGY.enter)(bytes));
}
