//! The entry point `stablehlo`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (entry_points::EntryPoint::STABLEHLO.enter)(bytes));
}
