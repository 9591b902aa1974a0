//! The door `lesson`.

fn main() {
    afl::fuzz!(|bytes: &[u8]| (doors::Door::LESSON.enter)(bytes));
}
