//! The film and the pictures of the documents, made from the shipped page: run by `cargo xtask film`.
#![expect(clippy::print_stdout, reason = "a command prints")]

#[path = "film/camera.rs"]
mod camera;
#[path = "film/shot.rs"]
mod shot;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use whole::browser::{Page, ServerOptions, Setting, serve};

use camera::{Camera, FRAMES_PER_SEC, numbers, shown, view};
use shot::Shot;

/// Bytes of the film, and of a picture, at most.
const FILM_MAX: usize = 1_500_000;
const PICTURE_MAX: usize = 150_000;
/// Frames of a cycle at the speed of the first screen: two cycles a second.
const PER_CYCLE: u32 = FRAMES_PER_SEC / 2;

fn main() {
    let docs = xtask::root().join("docs");
    save(&docs.join("film.gif"), &film(), FILM_MAX);
    save(&docs.join("learn.png"), &learn(), PICTURE_MAX);
    save(&docs.join("embed.png"), &embed(), PICTURE_MAX);
    save(&docs.join("present.png"), &present(), PICTURE_MAX);
}

fn save(path: &Path, file: &[u8], bytes_max: usize) {
    assert!(file.len() <= bytes_max, "{} has {} of {bytes_max} bytes", path.display(), file.len());
    fs::write(path, file).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    println!("{:>9} bytes  {}", file.len(), path.display());
}

/// A run to its first result, a step back, more rows of A, and a large array.
fn film() -> Vec<u8> {
    let mut camera = Camera::new((960, 540), 0.75);
    camera.open("?t=0");
    camera.go([560.0, 600.0], 1);
    camera.point("#play", 4);
    camera.click();
    camera.roll(1);
    while !camera.page().text("#caption").starts_with("First result") {
        camera.roll(1);
    }
    camera.click();
    camera.roll(2 * PER_CYCLE);
    camera.point("#back", 3);
    camera.click();
    camera.roll(2 * PER_CYCLE);
    camera.point("#m-slider", 5);
    camera.roll(5);
    camera.open("?rows=128&cols=128&m=1024&k=128&n=128&t=130&speed=max");
    camera.point("#play", 2);
    camera.click();
    camera.roll(25);
    let (film, n_shots) = camera.finish();
    println!("{n_shots} shots, {} s", n_shots as f64 / f64::from(FRAMES_PER_SEC));
    film
}

fn picture(page: &Page) -> Vec<u8> {
    page.js_async("await document.fonts.ready; await new Promise(done => setTimeout(done, 500))");
    Shot::read(&page.screenshot()).expect("a screenshot is a PNG").write().expect("memory takes a PNG")
}

fn learn() -> Vec<u8> {
    let page = view((900, 560), 0.8);
    page.goto("?learn=wave.5");
    page.wait_for("#lock");
    picture(&page)
}

fn embed() -> Vec<u8> {
    vec![]
}
fn present() -> Vec<u8> {
    vec![]
}
