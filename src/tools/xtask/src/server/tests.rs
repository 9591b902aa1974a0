//! The server answers over a real socket, as it does to a browser.

use super::*;
use std::path::PathBuf;

/// A folder with a page, a module and rules, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("xtask-server-{name}-{}", std::process::id()));
        fs::create_dir_all(path.join("deep")).unwrap();
        fs::write(path.join("index.html"), "<p>page</p>".repeat(50)).unwrap();
        fs::write(path.join("app-1_bg.wasm"), b"\0asm").unwrap();
        fs::write(path.join("app-1_bg.wasm.br"), b"as it lies there").unwrap();
        fs::write(path.join("deep/index.html"), "deep").unwrap();
        fs::write(path.join("_headers"), "/*\n  X-Everywhere: yes\n/*.wasm\n  Cache-Control: immutable\n").unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn answer_to(server: &Server, request: &str) -> String {
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

fn get(server: &Server, path: &str, more: &str) -> String {
    answer_to(server, &format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n"))
}

#[test]
fn files_come_with_type_length_and_the_headers_of_the_folder() {
    let folder = Folder::new("files");
    let server = Server::start(&folder.0, Options::default()).unwrap();
    let answer = get(&server, "/?k=4", "");
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    for line in
        ["Content-Type: text/html; charset=utf-8", "Content-Length: 550", "X-Everywhere: yes", "Connection: close"]
    {
        assert!(answer.contains(&format!("{line}\r\n")), "{line} is not in {answer}");
    }
    assert!(answer.ends_with("<p>page</p>"));
    let wasm = get(&server, "/app-1_bg.wasm", "");
    assert!(wasm.contains("application/wasm\r\n") && wasm.contains("Cache-Control: immutable"), "{wasm}");
    assert!(get(&server, "/deep/", "").ends_with("deep"));
}

#[test]
fn a_folder_that_is_read_again_has_its_new_files() {
    let folder = Folder::new("again");
    let pages = BTreeMap::from([("/own".to_owned(), "own".to_owned())]);
    let server = Server::start(&folder.0, Options { pages, ..Options::default() }).unwrap();
    fs::write(folder.0.join("deep/later.svg"), "<svg/>").unwrap();
    assert!(get(&server, "/deep/later.svg", "").starts_with("HTTP/1.1 404 "));
    server.reread(&folder.0).unwrap();
    let answer = get(&server, "/deep/later.svg", "");
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains("image/svg+xml\r\n"), "{answer}");
    assert!(get(&server, "/own", "").ends_with("own"));
    assert!(server.reread(&folder.0.join("none")).is_err());
    assert!(get(&server, "/own", "").ends_with("own"), "the files stay");
}

#[test]
fn encodings_are_taken_from_the_disk_or_made() {
    let folder = Folder::new("encodings");
    let server = Server::start(&folder.0, Options::default()).unwrap();
    let ready = get(&server, "/app-1_bg.wasm", "accept-encoding: gzip, br\r\n");
    assert!(ready.contains("Content-Encoding: br\r\n") && ready.ends_with("as it lies there"), "{ready}");
    let made = get(&server, "/", "Accept-Encoding: gzip\r\n");
    assert!(made.contains("Content-Encoding: gzip\r\n") && !made.contains("Content-Length: 550"), "{made}");
}

#[test]
fn nothing_outside_the_folder_is_reachable() {
    let folder = Folder::new("outside");
    let server = Server::start(&folder.0, Options::default()).unwrap();
    for path in ["/../Cargo.toml", "/..%2f..%2fetc/passwd", "/deep/../index.html", "/_headers", "/app-1_bg.wasm.br"] {
        assert!(get(&server, path, "").starts_with("HTTP/1.1 404"), "{path}");
    }
    assert!(answer_to(&server, "POST / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405"));
    assert!(answer_to(&server, "nonsense\r\n\r\n").starts_with("HTTP/1.1 400"));
    let head = answer_to(&server, "HEAD / HTTP/1.1\r\n\r\n");
    assert!(head.contains("Content-Length: 550\r\n") && head.ends_with("\r\n\r\n"), "{head}");
}

#[test]
fn a_folder_may_appear_below_a_path_beside_pages_in_memory() {
    let folder = Folder::new("mount");
    let pages = [("/host.html".to_owned(), "<iframe></iframe>".to_owned())].into();
    let options = Options { mount: "/some/sub-path/".into(), pages, ..Options::default() };
    let server = Server::start(&folder.0, options).unwrap();
    assert!(server.url().ends_with("/some/sub-path/") && server.url().starts_with(&server.origin()));
    assert!(get(&server, "/some/sub-path/", "").starts_with("HTTP/1.1 200"));
    assert!(get(&server, "/some/sub-path?a=b", "").contains("Location: /some/sub-path/?a=b\r\n"));
    assert!(get(&server, "/", "").starts_with("HTTP/1.1 404"));
    let host = get(&server, "/host.html", "");
    assert!(host.ends_with("<iframe></iframe>") && !host.contains("X-Everywhere"), "{host}");
}

#[test]
fn every_answer_carries_the_headers_of_the_folder() {
    let folder = Folder::new("refusals");
    let options = Options { mount: "/below/".into(), ..Options::default() };
    let server = Server::start(&folder.0, options).unwrap();
    for (request, status) in [
        ("GET /below/ HTTP/1.1\r\n\r\n", "200 OK"),
        ("GET /below HTTP/1.1\r\n\r\n", "308 Permanent Redirect"),
        ("nonsense\r\n\r\n", "400 Bad Request"),
        ("GET /absent HTTP/1.1\r\n\r\n", "404 Not Found"),
        ("PUT /below/ HTTP/1.1\r\n\r\n", "405 Method Not Allowed"),
        ("GET /below/ HTTP/1.1\r\nHost: elsewhere\r\n\r\n", "421 Misdirected Request"),
    ] {
        let answer = answer_to(&server, request);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}\r\n")), "{request} {answer}");
        assert_eq!(answer.matches("X-Everywhere: yes\r\n").count(), 1, "{request} {answer}");
    }
}

#[test]
fn a_head_without_end_is_refused_and_the_refusal_arrives() {
    let folder = Folder::new("endless");
    let server = Server::start(&folder.0, Options::default()).unwrap();
    let long = format!("GET /?{} HTTP/1.1\r\n\r\n", "x".repeat(2 << 20));
    assert!(answer_to(&server, &long).starts_with("HTTP/1.1 431"));
    // A link may have one mebibyte.
    let link = format!("GET /?{} HTTP/1.1\r\n\r\n", "x".repeat(1 << 20));
    assert!(answer_to(&server, &link).starts_with("HTTP/1.1 200"));
}

#[test]
fn dropping_a_server_frees_its_port() {
    let folder = Folder::new("drop");
    let server = Server::start(&folder.0, Options::default()).unwrap();
    let port = server.address.port();
    assert!(Server::start(&folder.0, Options { port, ..Options::default() }).is_err());
    drop(server);
    Server::start(&folder.0, Options { port, ..Options::default() }).unwrap();
}

#[test]
fn a_request_is_read() {
    let head = b"GET /a%20b?q=%20 HTTP/1.1\r\nAccept-Encoding: gzip, br;q=0\r\n\r\n";
    let request = Request::parse(head).unwrap();
    assert_eq!((request.path.as_str(), request.query.as_str()), ("/a b", "?q=%20"));
    assert!(request.takes("gzip") && !request.takes("br"));
    // A plus sign is not a hexadecimal digit, so this path names a file of seven characters.
    assert_eq!(Request::parse(b"GET /%+1.txt HTTP/1.1\r\n\r\n").unwrap().path, "/%+1.txt");
}

#[test]
fn what_is_no_request_is_malformed() {
    for head in [
        "",
        "GET",
        "GET / ",
        "GET http://elsewhere/ HTTP/1.1\r\n\r\n",
        "GET /%ff HTTP/1.1\r\n\r\n",
        "GET / HTTP/2.0\r\n\r\n",
        "GET / HTTP/1.1\r\nno header\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: localhost\r\nHost: elsewhere\r\n\r\n",
    ] {
        assert_eq!(Request::parse(head.as_bytes()).err(), Some(MALFORMED), "{head}");
    }
}

#[test]
fn only_the_names_of_this_machine_are_its_own() {
    let is_own = |host: &str| {
        let head = format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n");
        Request::parse(head.as_bytes()).unwrap().is_for_this_machine()
    };
    for host in ["127.0.0.1", "127.0.0.1:8080", "LocalHost:9000", "[::1]:80", "[::1]"] {
        assert!(is_own(host), "{host}");
    }
    for host in ["", "elsewhere", "localhost.elsewhere:8080", "127.0.0.1.elsewhere", "127.0.0.1:x", "::1"] {
        assert!(!is_own(host), "{host}");
    }
}

/// Both ends of a connection: ours, and the peer's.
fn connected() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let peer = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    (listener.accept().unwrap().0, peer)
}

#[test]
fn a_peer_that_sends_byte_after_byte_meets_the_deadline() {
    let (mut stream, mut peer) = connected();
    let sender = thread::spawn(move || {
        while peer.write_all(b"x").is_ok() {
            thread::sleep(Duration::from_millis(5));
        }
    });
    assert_eq!(head(&mut stream, Duration::from_millis(200)), Err("408 Request Timeout"));
    drop(stream);
    sender.join().unwrap();
}

#[test]
fn a_peer_that_leaves_without_a_word_gets_none() {
    let (mut stream, peer) = connected();
    drop(peer);
    assert_eq!(head(&mut stream, Duration::from_secs(60)), Ok(Vec::new()));
}
