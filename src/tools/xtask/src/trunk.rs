//! `cargo xtask trunk`: builds and serves the page with Trunk in a copy of the project without build folders, like a
//! contributor with a fresh clone.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use crate::process::{run as run_program, step};
use crate::{Error, files, tools};

/// Longest time until `trunk serve` answers, in seconds. The page is already compiled.
const PATIENCE_S: u32 = 300;

/// Builds the page, then serves the page until the server answers with the page.
///
/// # Errors
/// Fails if a tool cannot be installed, or if Trunk fails or serves another page.
pub(crate) fn run(root: &Path) -> Result<(), Error> {
    // Trunk finds wasm-bindgen next to the test runner.
    let path = tools::with_runner(root)?;
    let program = tools::trunk(root)?;
    let home = crate::target(root).join("trunk");
    let copy = home.join("copy");
    files::renewed(&copy)?;
    files::sources(root, &copy)?;
    let trunk = |arguments: &[&str]| {
        let mut trunk = Command::new(&program);
        trunk.current_dir(&copy).args(arguments).env("PATH", &path).env("CARGO_TARGET_DIR", home.join("build"));
        trunk.env("TRUNK_SKIP_VERSION_CHECK", "true");
        trunk
    };
    step("trunk build", || run_program("trunk build", &mut trunk(&["build"])))?;
    step("trunk serve", || serves(&trunk))
}

/// Starts `trunk serve`, waits until the server answers with the page, and stops the server.
fn serves(trunk: &dyn Fn(&[&str]) -> Command) -> Result<(), Error> {
    // The port is free again when the listener is dropped.
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
    let port = free.map_err(Error::io("find a free port"))?.port();
    let mut server = trunk(&["serve", "--port", &port.to_string()]).spawn().map_err(Error::io("start trunk serve"))?;
    let mut is_served = false;
    for _ in 0..PATIENCE_S {
        sleep(Duration::from_secs(1));
        is_served = page(port).is_some_and(|answer| answer.contains("<title>Systolic Playground</title>"));
        if is_served || server.try_wait().is_ok_and(|end| end.is_some()) {
            break;
        }
    }
    // Fails only if the server has ended.
    let _ = server.kill();
    let _ = server.wait();
    let verdict = format!("trunk serve ended, or does not answer with the page after {PATIENCE_S} s");
    is_served.then_some(()).ok_or(Error::Verdict(verdict))
}

/// Returns the server's answer to a request for the page.
fn page(port: u16) -> Option<String> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).ok()?;
    stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    Some(answer)
}
