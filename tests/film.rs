//! Film and pictures of the documents, made from the shipped page. `cargo xtask film` runs this program.
#![expect(clippy::print_stdout, reason = "a command prints")]

#[path = "film/camera.rs"]
mod camera;
#[path = "film/palette.rs"]
mod palette;
#[path = "film/reel.rs"]
mod reel;
#[path = "film/shot.rs"]
mod shot;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use whole::browser::{Page, ServerOptions, serve};

use camera::{Camera, SHOT_MS, shown, view};
use shot::Shot;

/// Largest size of the film in bytes; [`PICTURE_MAX`] limits each picture.
const FILM_MAX: usize = 1_500_000;
const PICTURE_MAX: usize = 150_000;
/// Shots per second of the film.
const SECOND: u32 = 1000 / SHOT_MS;

/// Course page around the embed; `LINK` is replaced by the address of the embed.
const COURSE: &str = include_str!("film/course.html");

fn main() {
    let docs = publish::root().join("docs");
    save(&docs.join("learn.png"), &learn(), PICTURE_MAX);
    save(&docs.join("embed.png"), &embed(), PICTURE_MAX);
    save(&docs.join("present.png"), &present(), PICTURE_MAX);
    save(&docs.join("film.gif"), &film(), FILM_MAX);
}

fn save(path: &Path, file: &[u8], bytes_max: usize) {
    assert!(file.len() <= bytes_max, "{} has {} bytes: at most {bytes_max}", path.display(), file.len());
    fs::write(path, file).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    println!("{:>9} bytes  {}", file.len(), path.display());
}

/// Films a run to its first result, a step back, more rows of A, and a large array.
fn film() -> Vec<u8> {
    let mut camera = Camera::new((960, 540), 0.75);
    camera.start([1120.0, 640.0], "?t=0");
    camera.roll(SECOND / 2);
    camera.point("#play", 4);
    camera.click();
    let is_first_result = |camera: &Camera| camera.page().text("#caption").starts_with("First result");
    for shot in 0.. {
        if is_first_result(&camera) {
            break;
        }
        assert!(shot < 6 * SECOND, "the first result is later than 6 s");
        camera.roll(1);
    }
    camera.click();
    camera.roll(SECOND);
    camera.point("#back", 3);
    camera.click();
    camera.roll(SECOND);
    camera.point("#m-more", 5);
    camera.press();
    camera.roll(2 * SECOND);
    camera.release();
    camera.roll(SECOND);
    camera.open("?rows=128&cols=128&m=1024&k=128&n=128&t=130&speed=max");
    camera.roll(SECOND / 2);
    camera.point("#play", 4);
    camera.click();
    camera.roll(5 * SECOND / 2);
    camera.click();
    camera.roll(SECOND);
    let reel = camera.finish();
    println!("{} frames in {:.1} s", reel.len(), reel.time_sec());
    reel.write().expect("a film has shots")
}

/// Waits for the array and for the fonts.
fn complete(page: &Page) {
    shown(page);
    page.js_async("while (document.fonts.size < 4) await new Promise(requestAnimationFrame)");
}

fn picture(page: &Page) -> Vec<u8> {
    page.js_async("await new Promise(done => setTimeout(done, 500))");
    Shot::read(&page.screenshot()).expect("a screenshot is a PNG").write().expect("a PNG can have the size of a view")
}

/// Picture of a lesson card with its question.
fn learn() -> Vec<u8> {
    let page = view((900, 560), 0.8);
    page.goto("?learn=multiply.5");
    page.wait_for("#lock");
    complete(&page);
    picture(&page)
}

/// Picture of a foreign page with an embed.
fn embed() -> Vec<u8> {
    let playground = serve(ServerOptions::default());
    let link = format!("{}?ui=embed&amp;rows=4&amp;cols=4&amp;m=6&amp;k=4&amp;n=3&amp;df=ws&amp;t=8", playground.url());
    let host = ServerOptions {
        pages: BTreeMap::from([("/course.html".to_owned(), COURSE.replace("LINK", &link))]),
        ..ServerOptions::default()
    };
    let host = serve(host);
    let page = view((900, 630), 0.9);
    page.visit(&format!("{}/course.html", host.origin()));
    page.enter_frame("iframe");
    complete(&page);
    page.leave_frame();
    picture(&page)
}

/// Picture of the first of three slides.
fn present() -> Vec<u8> {
    let page = view((960, 540), 0.5);
    page.goto("?ui=present&t=9#slides=t%3D9%0Adf%3Dos%26t%3D5%0Arows%3D8%26cols%3D8%26t%3D9");
    page.wait_until("its place", || page.text("#slide-number") == "1 of 3");
    complete(&page);
    picture(&page)
}
