//! The entry point `lesson`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (entry_points::EntryPoint::LESSON.enter)(bytes));
}
