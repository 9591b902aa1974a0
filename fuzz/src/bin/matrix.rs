//! The entry point `matrix`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (entry_points::EntryPoint::MATRIX.enter)(bytes));
}
