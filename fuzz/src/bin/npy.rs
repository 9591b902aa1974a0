//! The entry point `npy`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (entry_points::EntryPoint::NPY.enter)(bytes));
}
