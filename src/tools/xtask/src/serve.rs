//! `cargo xtask serve`: serves the published page on this machine, as a web host does.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::server::{Options, Server};
use crate::{Error, page, process, tools};

const PORT: u16 = 8080;

/// Builds the page and serves it until the program is stopped.
pub(crate) fn run(root: &Path, port: Option<u16>, opens: bool) -> Result<(), Error> {
    tools::ensure(root)?;
    page::build(root, None)?;
    let serve = |port| Server::start(&page::dist(root), Options { port, ..Options::default() });
    // Port 0 is any free port.
    let server = port.map_or_else(|| serve(PORT).or_else(|_| serve(0)), serve).map_err(Error::io("serve dist"))?;
    println!("\nSystolic Playground is at {} (Ctrl+C stops it)", server.url());
    if opens {
        open(&server.url());
    }
    server.wait();
    Ok(())
}

/// Opens the user's browser if the machine has a display. Ignores failures, because the address is also printed.
fn open(url: &str) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", "start", ""]);
        command
    } else if env::var_os("DISPLAY").is_some() || env::var_os("WAYLAND_DISPLAY").is_some() {
        Command::new("xdg-open")
    } else {
        return;
    };
    let _ = process::answer(command.arg(url).stdin(Stdio::null()));
}
