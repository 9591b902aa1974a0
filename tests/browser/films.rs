//! Tests that read back the films of the shipped page. The browser's decoders compare pixels, ffmpeg reads the frames,
//! and Tesseract reads the captions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use publish::process::find;
use studio::{Link, Plan};
use systolic::Cycle;
use whole::browser::Page;

use crate::share::{FIRST, keep_files, opened, saved};
use crate::shown;

/// Script that computes the average distance between the pixels of an image and those of each given picture. The
/// pictures show only the array.
const DISTANCE: &str = "const pixels = (image, width, height) => { const canvas = new OffscreenCanvas(width, height); \
      const context = canvas.getContext('2d'); context.drawImage(image, 0, 0); \
      return context.getImageData(0, 0, width, height).data; }; \
    const alone = []; \
    for (const bytes of pictures) { const image = await createImageBitmap(new Blob([new Uint8Array(bytes)])); \
      alone.push([image.width, image.height, pixels(image, image.width, image.height)]); } \
    const distances = image => alone.map(([width, height, wanted]) => { const found = pixels(image, width, height); \
      let sum = 0; for (let at = 0; at < wanted.length; at++) sum += Math.abs(wanted[at] - found[at]); \
      return sum / wanted.length; });";

/// Script that reads each frame with the browser's decoder: its duration in milliseconds, and its distances from the
/// pictures.
const READ_GIF: &str = "const decoder = new ImageDecoder({ data: new Uint8Array(film), type: 'image/gif' }); \
    await decoder.tracks.ready; await decoder.completed; const frames = []; \
    for (let frameIndex = 0; frameIndex < decoder.tracks.selectedTrack.frameCount; frameIndex++) { \
      const { image } = await decoder.decode({ frameIndex }); \
      frames.push([image.duration / 1000, ...distances(image)]); image.close(); } \
    return frames;";

/// Script that reads a frame in the middle of each quarter of a second: the film's duration in seconds, and the
/// distances from the pictures.
const READ_VIDEO: &str = "const video = document.createElement('video'); \
    video.src = URL.createObjectURL(new Blob([new Uint8Array(film)], { type: 'video/webm' })); \
    const once = name => new Promise((done, fail) => { video.addEventListener(name, done, { once: true }); \
      video.addEventListener('error', () => fail(video.error.message), { once: true }); }); \
    await once('loadeddata'); const frames = []; \
    for (let at = 0.125; at < video.duration; at += 0.25) { video.currentTime = at; await once('seeked'); \
      frames.push([video.duration, ...distances(video)]); } \
    return frames;";

/// Pictures of some cycles of the run, as the page saves them as PNG files.
fn pictures(page: &Page, cycles: [usize; 3]) -> [Vec<u8>; 3] {
    cycles.map(|cycle| {
        page.goto(&FIRST.replace("t=7", &format!("t={cycle}")));
        shown(page);
        page.click("#to-share");
        page.wait_for("#share-address");
        keep_files(page);
        page.js("const scale = document.querySelector('#png-scale'); scale.value = '1'; scale.dispatchEvent(new Event('change'))");
        saved(page, "#save-png")
    })
}

/// Numbers of each frame that a script has read.
fn frames(page: &Page, script: &str, film: &[u8], pictures: &[Vec<u8>; 3]) -> Vec<Vec<f64>> {
    let (film, pictures) = (serde_json::json!(film), serde_json::json!(pictures));
    let frames = page.js_async(&format!("const film = {film}, pictures = {pictures}; {DISTANCE} {script}"));
    let number = |value: &serde_json::Value| value.as_f64().unwrap_or(f64::NAN);
    let numbers = |frame: &serde_json::Value| frame.as_array().expect("numbers").iter().map(number).collect();
    frames.as_array().expect("frames").iter().map(numbers).collect()
}

/// Checks that each picture is nearest to the frame of its cycle, with an average distance below `most`.
fn each_shows_its_own(frames: &[Vec<f64>], cycles: [usize; 3], most: f64) {
    for (nth, cycle) in cycles.into_iter().enumerate() {
        let off: Vec<f64> = frames.iter().map(|frame| frame[nth + 1]).collect();
        let nearest = (0..frames.len()).min_by(|one, other| off[*one].total_cmp(&off[*other]));
        assert_eq!(nearest, Some(cycle), "{off:?}");
        assert!(off[cycle] < most, "the picture of cycle {cycle} is another one in the film: {off:?}");
    }
}

#[test]
fn a_film_has_one_frame_for_each_cycle_and_each_shows_its_own() {
    let page = opened(&format!("{FIRST}&speed=4"));
    keep_files(&page);
    let film = saved(&page, "#save-gif");
    let cycles = [0, 6, 15];
    let frames = frames(&page, READ_GIF, &film, &pictures(&page, cycles));
    assert_eq!(frames.len(), 16);
    let lasts: Vec<f64> = frames.iter().map(|frame| frame[0]).collect();
    assert_eq!((&lasts[..15], lasts[15]), (&[250.0; 15][..], 2500.0), "milliseconds at four cycles a second");
    each_shows_its_own(&frames, cycles, 0.05);
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

/// Script that compares a cycle of the video with its picture: the mean color of the video for each color that fills a
/// part of the picture. Edges do not count, because four pixels of the video share one hue.
const READ_COLORS: &str = "const video = document.createElement('video'); \
    video.src = URL.createObjectURL(new Blob([new Uint8Array(film)], { type: 'video/webm' })); \
    await new Promise((done, fail) => { video.onloadeddata = done; video.onerror = () => fail(video.error.message); }); \
    video.currentTime = 1.625; await new Promise(done => { video.onseeked = done; }); \
    const image = await createImageBitmap(new Blob([new Uint8Array(picture)])); \
    const pixels = source => { const context = new OffscreenCanvas(image.width, image.height).getContext('2d'); \
      context.drawImage(source, 0, 0); return context.getImageData(0, 0, image.width, image.height).data; }; \
    const [wanted, found] = [pixels(image), pixels(video)]; const colors = new Map(); \
    const colorAt = at => wanted.slice(at, at + 3).join(); const row = 4 * image.width; \
    for (let at = 4 * row; at < wanted.length - 4 * row; at += 4) { \
      const color = colorAt(at); const sums = colors.get(color) ?? [0, 0, 0, 0]; \
      if ([-16, 16, -4 * row, 4 * row].some(by => colorAt(at + by) !== color)) continue; \
      for (let part = 0; part < 3; part++) sums[part] += found[at + part]; \
      sums[3]++; colors.set(color, sums); } \
    return [...colors].filter(([, sums]) => sums[3] > 500).map(([color, [red, green, blue, n]]) => \
      [color.split(',').map(Number), [red / n, green / n, blue / n]]);";

/// Folder for the frames of a film, removed when the value is dropped.
struct Frames(PathBuf);

impl Frames {
    /// Reads the frames of a film with ffmpeg. Each frame is cut to the strip with the caption at the bottom, and
    /// enlarged by a factor of three.
    fn of(name: &str, film: &[u8]) -> Self {
        let folder = std::env::temp_dir().join(format!("playground-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(name), film).expect("written");
        let mut read = Command::new("ffmpeg");
        read.current_dir(&folder).args(["-v", "error", "-i", name, "-fps_mode", "passthrough"]);
        read.args(["-vf", "crop=iw:56:0:ih-56,scale=3*iw:-1:flags=lanczos", "%03d.png"]);
        let read = read.output().expect("ffmpeg");
        assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
        Self(folder)
    }

    fn paths(&self) -> Vec<PathBuf> {
        let files = fs::read_dir(&self.0).expect("a folder").map(|entry| entry.expect("a file").path());
        let mut pictures: Vec<PathBuf> =
            files.filter(|path| path.extension().is_some_and(|end| end == "png")).collect();
        pictures.sort();
        pictures
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        // Files that remain in a temporary folder do no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Text that Tesseract reads in a line of letters.
fn read_line(picture: &Path) -> String {
    let read = Command::new("tesseract").arg(picture).args(["stdout", "--psm", "7"]).output().expect("tesseract");
    String::from_utf8_lossy(&read.stdout).trim().to_owned()
}

/// True if ffmpeg and Tesseract are installed. `cargo xtask test` installs them if it can, and otherwise says so in its
/// last lines.
fn has_readers() -> bool {
    ["ffmpeg", "tesseract"].iter().all(|program| find(&[program]).is_some())
}

/// Numbers of a text, in order, with signs. A dash after a digit separates two numbers.
fn numbers(text: &str) -> Vec<i64> {
    let mut words = String::new();
    for sign in text.chars() {
        match sign {
            '−' | '-' | '–' | '—' if words.ends_with(|last: char| last.is_ascii_digit()) => words.push(' '),
            '−' | '-' | '–' | '—' => words.push('-'),
            sign => words.push(sign),
        }
    }
    words.split(|sign: char| !(sign.is_ascii_digit() || sign == '-')).filter_map(|word| word.parse().ok()).collect()
}

/// Tests that only `cargo xtask long` runs.
mod long {
    use super::*;

    #[test]
    fn another_program_reads_as_many_frames_and_the_numbers_of_their_captions() {
        if !has_readers() {
            return;
        }
        let link = Link::parse(FIRST, "");
        let plan = Plan::new(&link.scenario).expect("a run");
        let page = opened(&format!("{FIRST}&speed=4"));
        keep_files(&page);
        let trace = String::from_utf8(saved(&page, "#save-csv")).expect("text");
        let rows: Vec<Vec<&str>> = trace.lines().skip(1).map(|line| line.split(',').collect()).collect();
        for (button, name) in [("#save-gif", "film.gif"), ("#save-webm", "film.webm")] {
            let frames = Frames::of(name, &saved(&page, button));
            let pictures = frames.paths();
            assert_eq!(pictures.len(), 16, "{name}: a frame a cycle");
            let (mut n_working, mut n_results) = (0, 0);
            for (cycle, picture) in (0..).zip(&pictures) {
                // The reader of the pictures mistakes the digit 0 of this font for a letter.
                let read = read_line(picture).replace("Cycle O ", "Cycle 0 ");
                let headline = words::caption::caption(&plan, Cycle(cycle), None).headline;
                let caption = words::share::film_caption(&plan, Cycle(cycle), &headline);
                assert_eq!(numbers(&read), numbers(&caption), "{name}, frame {cycle}: {read}");
                // Columns of the trace that the page saves: cycle, row, col, a, b, psum, phase.
                let now = || rows.iter().filter(|row| row[0] == cycle.to_string());
                if let [_, 15, working, .., 16] = numbers(&read)[..]
                    && read.contains("are multiplying")
                {
                    let filled = now().filter(|row| row[3..6].iter().all(|register| !register.is_empty()));
                    assert_eq!(i64::try_from(filled.count()).ok(), Some(working), "{name}, frame {cycle}: {read}");
                    n_working += 1;
                }
                if read.contains("First result") {
                    let south = now().find(|row| row[1..3] == ["3", "0"]).expect("the corner");
                    assert_eq!(numbers(&read).last().map(i64::to_string).as_deref(), Some(south[5]), "{read}");
                    n_results += 1;
                }
            }
            assert_eq!((n_working, n_results), (8, 1), "{name}");
        }
    }

    #[test]
    fn with_motion_a_film_has_more_frames_that_say_the_same() {
        if !has_readers() {
            return;
        }
        let page = opened(&format!("{FIRST}&speed=4"));
        keep_files(&page);
        page.click("#film-motion");
        let frames = Frames::of("moving.gif", &saved(&page, "#save-gif"));
        // A cycle takes a quarter of a second, and a frame forty milliseconds.
        let pictures = frames.paths();
        assert_eq!(pictures.len(), 16 * 6);
        for cycle in [0, 7, 15] {
            let first = fs::read(&pictures[cycle * 6]).expect("a picture");
            let same = pictures[cycle * 6..][..6].iter().all(|path| fs::read(path).is_ok_and(|one| one == first));
            assert!(same, "the captions of cycle {cycle} are one");
            let read = numbers(&read_line(&pictures[cycle * 6]));
            let cycle = i64::try_from(cycle).expect("small");
            assert_eq!(read[..2], [cycle, 15], "{read:?}");
        }
    }

    #[test]
    fn a_player_shows_the_colors_of_the_page() {
        let page = opened(&format!("{FIRST}&speed=4"));
        keep_files(&page);
        let film = saved(&page, "#save-webm");
        let [picture, ..] = pictures(&page, [6, 0, 0]);
        page.visit("about:blank");
        let (film, picture) = (serde_json::json!(film), serde_json::json!(picture));
        let colors = page.js_async(&format!("const film = {film}, picture = {picture}; {READ_COLORS}"));
        let colors: Vec<[Vec<f64>; 2]> = serde_json::from_value(colors).expect("colors");
        let tint = [234.0, 240.0, 255.0];
        assert!(colors.iter().any(|[wanted, _]| wanted[..] == tint), "PEs at work: {colors:?}");
        for [wanted, found] in &colors {
            // With a wrong range or matrix of colors, a color is 8 to 31 levels off.
            let off = wanted.iter().zip(found).map(|(wanted, found)| (wanted - found).abs()).fold(0.0, f64::max);
            assert!(off < 6.0, "{wanted:?} is shown as {found:?}");
        }
    }

    #[test]
    fn so_has_a_video_as_a_player_shows_it() {
        let page = opened(&format!("{FIRST}&speed=4"));
        keep_files(&page);
        let film = saved(&page, "#save-webm");
        let cycles = [0, 6, 15];
        let pictures = pictures(&page, cycles);
        assert_eq!(page.console_errors(), Vec::<String>::new());
        // An empty page has no policy; the policy of the page would not let the video play.
        page.visit("about:blank");
        let frames = frames(&page, READ_VIDEO, &film, &pictures);
        // Sixteen cycles take a quarter of a second each, and the last one stays for two seconds and a half.
        assert_eq!(frames.iter().map(|frame| frame[0]).collect::<Vec<_>>(), [6.25; 25], "seconds of the whole film");
        each_shows_its_own(&frames[..16], cycles, 3.0);
    }
}
