//! `cargo xtask serve`: serves the published page on this machine, as a web host does.

use std::env;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use xtask::server::{Options, Server};
use xtask::steps::Steps;
use xtask::{Error, page, process, tools};

const PORT: u16 = 8080;

/// Options of `serve`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Request {
    port: Option<u16>,
    open: bool,
}

impl Request {
    /// Reads `--port N` and `--no-open`.
    pub(crate) fn parse(arguments: &[&str]) -> Result<Self, Error> {
        let mut request = Self { port: None, open: true };
        let mut rest = arguments;
        while let [first, more @ ..] = rest {
            rest = match (*first, more) {
                ("--no-open", _) => {
                    request.open = false;
                    more
                }
                ("--port", [number, more @ ..]) => {
                    let port = number.parse();
                    request.port =
                        Some(port.map_err(|_| Error::Usage(format!("{number} is not a port: use 1 to 65535")))?);
                    more
                }
                ("--port", []) => return Err(Error::Usage("--port needs a number".into())),
                (unknown, _) => return Err(Error::Usage(format!("`serve` knows no {unknown}"))),
            };
        }
        Ok(request)
    }
}

/// Builds the page and serves it until the program is stopped.
pub(crate) fn run(root: &Path, request: &Request) -> Result<(), Error> {
    let mut steps = steps(root)?;
    tools::ensure(root, &mut steps)?;
    page::build(root, &mut steps)?;
    let server = start(&page::dist(root), request.port)?;
    println!("\nSystolic Playground is at {} (Ctrl+C stops it)", server.url());
    if request.open {
        open(&server.url());
    }
    server.wait();
    Ok(())
}

/// Returns the steps from a fresh clone to the built page, with an estimated duration for each step.
pub(crate) fn steps(root: &Path) -> Result<Steps, Error> {
    Ok(Steps::estimated([&tools::estimates(root)?[..], &page::estimates(root)].concat()))
}

/// Starts the server on `port`, or by default on the first free port from 8080.
fn start(dist: &Path, port: Option<u16>) -> Result<Server, Error> {
    let serve = |port| Server::start(dist, Options { port, ..Options::default() });
    let free = || {
        (PORT..PORT + 100)
            .map(serve)
            .find(|tried| !matches!(tried, Err(error) if error.kind() == io::ErrorKind::AddrInUse))
            .unwrap_or_else(|| serve(0))
    };
    let doing = port.map_or_else(|| "serve dist".to_owned(), |port| format!("serve dist on port {port}"));
    port.map_or_else(free, serve).map_err(Error::io(doing))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_in_any_order() {
        assert_eq!(Request::parse(&[]).unwrap(), Request { port: None, open: true });
        let both = Request { port: Some(9000), open: false };
        assert_eq!(Request::parse(&["--no-open", "--port", "9000"]).unwrap(), both);
        assert_eq!(Request::parse(&["--port", "9000", "--no-open"]).unwrap(), both);
    }

    #[test]
    fn a_wrong_option_says_what_is_wrong() {
        for (arguments, word) in [(&["--port"][..], "number"), (&["--port", "x"], "x is not a port"), (&["-z"], "-z")] {
            assert!(Request::parse(arguments).unwrap_err().to_string().contains(word));
        }
    }
}
