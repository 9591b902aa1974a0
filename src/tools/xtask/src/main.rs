//! `cargo xtask`: the project's commands by name.

fn main() -> std::process::ExitCode {
    xtask::main()
}
