//! `cargo xtask serve`: serves the published page on this machine, as a web host does.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::server::{Options, Server};
use crate::{Error, book, page, process, tools};

const PORT: u16 = 8080;

/// Builds the page and serves it until the program is stopped.
pub(crate) fn run(root: &Path, port: Option<u16>, opens: bool) -> Result<(), Error> {
    tools::ensure(root)?;
    page::build_to_serve(root)?;
    let serve = |port| Server::start(&page::dist(root), Options { port, ..Options::default() });
    // Port 0 is any free port.
    let server = port.map_or_else(|| serve(PORT).or_else(|_| serve(0)), serve).map_err(Error::io("serve dist"))?;
    println!("\nSystolic Playground is at {} (Ctrl+C stops it)", server.url());
    if opens {
        open(&server.url());
    }
    // Both compile for a minute, and a reader can already use the page.
    for chore in [page::check_lessons, book::run] {
        chore(root).unwrap_or_else(|error| println!("{error}"));
    }
    server.reread(&page::dist(root)).map_err(Error::io("serve dist"))?;
    loop {
        std::thread::park();
    }
}

/// Opens the user's browser if the machine has a display. Ignores failures, because the address is also printed.
fn open(url: &str) {
    let has_display = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| env::var_os(name).is_some());
    let (program, arguments) = match env::consts::OS {
        "macos" => ("open", &[][..]),
        "windows" => ("cmd", &["/C", "start", ""][..]),
        _ if has_display => ("xdg-open", &[][..]),
        _ => return,
    };
    let _ = process::answer(Command::new(program).args(arguments).arg(url));
}
