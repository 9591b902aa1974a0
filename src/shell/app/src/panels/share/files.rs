//! Files of the current run.

use std::rc::Rc;
use std::sync::Arc;

use ::words::share;
use export::film::Reel;
use export::{File, Job, Limits, Refused, SIZE, View, frames, png, webm, words};
use leptos::ev::MouseEvent;
use leptos::prelude::*;
use studio::{Chrome, Link, Plan};

use super::{link_of, tick};
use crate::browser::gif::Gif;
use crate::browser::perfetto::{self, Viewer};
use crate::browser::snapshot::OffscreenCanvas;
use crate::browser::video::Video;
use crate::browser::{download, location, pieces, snapshot};
use crate::ctx::use_ctx;
use crate::effects::{address, print};

/// Choices for the number of PNG pixels per pixel of the drawing.
const SCALES: [u8; 3] = [1, 2, 4];

/// A run with its link, which contains the cycle.
#[derive(Clone)]
struct Run {
    plan: Arc<Plan>,
    link: Link,
}

impl Run {
    fn view(&self) -> View<'_> {
        View { plan: &self.plan, link: &self.link, size: SIZE }
    }

    fn name(&self, file: File) -> String {
        export::file_name(&self.plan, &format!(".{}", file.ending()))
    }
}

/// Result of making one piece of a file.
enum Step {
    /// Piece that is not the last piece, with a text about the progress.
    More(String),
    /// Last piece of the file.
    Last,
    /// Piece that could not be made, so that the file would not be complete.
    Failed,
}

/// Returns the result of a piece that was made: `Last`, or `More` with its progress.
fn step(is_last: bool, progress: impl FnOnce() -> String) -> Step {
    if is_last { Step::Last } else { Step::More(progress()) }
}

/// The status line of the current export.
#[derive(Clone, Copy)]
struct ExportStatus {
    text: RwSignal<String>,
    /// Number of the export that is being made. `None` stops the export.
    making: RwSignal<Option<u32>>,
    /// Number of exports that were made in pieces.
    n_made: StoredValue<u32>,
}

impl ExportStatus {
    fn done(self, name: &str) {
        self.making.set(None);
        self.text.set(if download::is_in_sandbox() { share::saved_in_sandbox(name) } else { share::saved(name) });
    }

    fn save(self, name: &str, file: File, bytes: &[u8]) {
        match download::save_bytes(name, file.media_type(), bytes) {
            Ok(()) => self.done(name),
            Err(_) => self.fail(),
        }
    }

    fn fail(self) {
        self.say(share::FAILED);
    }

    fn say(self, text: &str) {
        self.making.set(None);
        self.text.set(text.to_owned());
    }

    /// Makes the pieces of a file in order, and shows the progress. Ends when all pieces are made, when a piece fails,
    /// or when a person stops the export.
    fn make(self, mut piece: impl FnMut() -> Step + 'static, finish: impl FnOnce() + 'static) {
        let number = self.n_made.try_update_value(|n| {
            *n += 1;
            *n
        });
        self.making.set(number);
        let mut finish = Some(finish);
        pieces::run(Box::new(move || {
            if self.making.try_get_untracked().flatten() != number {
                return false;
            }
            match piece() {
                Step::More(progress) => {
                    self.text.set(progress);
                    true
                }
                Step::Last => {
                    if let Some(finish) = finish.take() {
                        finish();
                    }
                    false
                }
                Step::Failed => {
                    self.fail();
                    false
                }
            }
        }));
    }
}

/// The buttons that save files, with one button for each file format.
#[component]
pub(super) fn Files() -> impl IntoView {
    let ctx = use_ctx();
    let said =
        ExportStatus { text: RwSignal::new(String::new()), making: RwSignal::new(None), n_made: StoredValue::new(0) };
    let scale = RwSignal::new(2u8);
    let with_motion = RwSignal::new(false);
    let with_caption = RwSignal::new(false);
    let is_slide = RwSignal::new(false);
    let address = move || location::absolute_link(&address::text_of(&untrack(|| link_of(ctx))));
    // The browser history or the host page can change the run while the dialog is open.
    let size = move || {
        ctx.plan.with(|plan| {
            let schedule = plan.schedule();
            (schedule.cycles().get(), schedule.pe_cycles().get())
        })
    };
    let save = move |file: File| {
        let mut run = Run { plan: ctx.plan.get_untracked(), link: untrack(|| link_of(ctx)) };
        if is_slide.get_untracked() {
            run.link.view.chrome = Chrome::Present;
        }
        let with_caption = with_caption.get_untracked() && !run.view().is_slide();
        let name = run.name(file);
        match file {
            File::Png => {
                let link = address();
                let save = move |bytes: Option<Vec<u8>>| match bytes {
                    Some(bytes) => said.save(&name, file, &png::with_link(&bytes, &link)),
                    None => said.fail(),
                };
                let picture = if with_caption {
                    export::explained::picture(&run.view(), &address())
                } else {
                    run.view().picture()
                };
                // A slide states its size in pixels, so the chosen scale does not apply.
                let scale = if run.view().is_slide() { 1 } else { scale.get_untracked() };
                snapshot::png(&picture, f64::from(scale), Box::new(save));
            }
            File::Film => save_film(said, &run, with_motion.get_untracked(), name),
            File::Video => save_video(said, &run, with_motion.get_untracked(), name),
            _ => save_job(said, run, file, with_caption.then(address), name),
        }
    };
    let buttons = File::ALL.map(|file| {
        let content = move || {
            let (cycles, lines) = size();
            words::content(file, cycles, cycles.min(frames::CYCLES_MAX), lines)
        };
        view! {
            <button id=format!("save-{}", file.ending().replace('.', "-")) type="button" on:click=move |_| save(file)>
                <b>{words::name(file)}</b>
                <span>{content}</span>
            </button>
        }
    });
    let scales = SCALES.map(|one| {
        view! { <option value=one.to_string() selected=one == 2>{format!("{one}×")}</option> }
    });
    let print = move |_| said.text.set(if print::print() { String::new() } else { share::CANNOT_PRINT.to_owned() });
    let choose = move |event| {
        if let Ok(chosen) = event_target_value(&event).parse() {
            scale.set(chosen);
        }
    };
    let cancel = move || {
        said.making.get().map(|_| {
            let stop = move |_| {
                said.making.set(None);
                said.text.set(String::new());
            };
            view! { <button id="save-cancel" type="button" on:click=stop>{share::CANCEL}</button> }
        })
    };
    view! {
        <section aria-labelledby="share-files-title">
            <h3 id="share-files-title">{share::FILES}</h3>
            <div class="share-files">{buttons.into_iter().collect_view()}</div>
            <PerfettoLink said />
            <p class="share-row">
                <label class="field">{share::SCALE} <select id="png-scale" on:change=choose>{scales.into_iter().collect_view()}</select></label>
                {tick("as-slide".to_owned(), share::AS_SLIDE.to_owned(), false, move |is_on| is_slide.set(is_on))}
                {tick("with-caption".to_owned(), share::WITH_CAPTION.to_owned(), false, move |is_on| with_caption.set(is_on))}
                {tick("film-motion".to_owned(), share::WITH_MOTION.to_owned(), false, move |is_on| with_motion.set(is_on))}
                <button id="share-print" type="button" on:click=print>{share::PRINT}</button>
                <span class="said" role="status">{said.text}</span>
                {cancel}
            </p>
        </section>
    }
}

/// The link that opens the trace of the run in Perfetto.
#[component]
fn PerfettoLink(said: ExportStatus) -> impl IntoView {
    let ctx = use_ctx();
    let open = move |event: MouseEvent| {
        let Some(link) = event.target().filter(|_| perfetto::accepts_traces()) else { return };
        event.prevent_default();
        let run = Run { plan: ctx.plan.get_untracked(), link: untrack(|| link_of(ctx)) };
        let name = run.name(File::Trace);
        let job = match Job::new(File::Trace, run.plan, run.link, SIZE, Limits::TAB) {
            Ok(job) => job,
            Err(why) => return said.text.set(refused(why)),
        };
        // A browser opens the tab only during the click, so the tab opens before the trace is complete.
        let Some(viewer) = Viewer::open(&link) else { return said.say(share::PERFETTO_BLOCKED) };
        make_in_pieces(said, job, move |trace| {
            said.say(share::PERFETTO_LOADS);
            viewer.send(&name, trace, move |is_sent| {
                // The dialog may be closed by now.
                let text = if is_sent { share::PERFETTO_READS } else { share::PERFETTO_SILENT };
                said.text.try_set(text.to_owned());
            });
        });
    };
    let where_to = if perfetto::accepts_traces() { share::PERFETTO_HINT } else { share::PERFETTO_REFUSES };
    view! {
        <p class="hint">
            <a id="open-perfetto" href=share::PERFETTO target="_blank" rel="noopener noreferrer" on:click=open>{share::OPEN_PERFETTO}</a>
            " "
            {where_to}
        </p>
    }
}

/// Makes a GIF of the run, one frame at a time, and saves the GIF. The GIF plays at the speed of the page.
fn save_film(said: ExportStatus, run: &Run, with_motion: bool, name: String) {
    let run = run.clone();
    let Some(gif) = Gif::new(&run.view(), with_motion) else { return said.fail() };
    let made = Rc::new(std::cell::RefCell::new(Some(gif)));
    let kept = Rc::clone(&made);
    let piece = move || {
        let mut made = made.borrow_mut();
        let Some(gif) = made.as_mut() else { return Step::Failed };
        let Some(is_last) = gif.step(&run.view()) else { return Step::Failed };
        let (done, all, bytes) = gif.progress();
        step(is_last, || share::film_progress(done, all, bytes))
    };
    let finish = move || match kept.take().and_then(Gif::finish) {
        Some(bytes) => said.save(&name, File::Film, &bytes),
        None => said.fail(),
    };
    said.make(piece, finish);
}

/// Saves a WebM video of the run, as fast as the browser encodes.
fn save_video(said: ExportStatus, run: &Run, with_motion: bool, name: String) {
    let run = run.clone();
    let reel = Reel::new(&run.view(), run.link.speed.cycles_per_sec(&run.plan), with_motion);
    let (all, speed) = (reel.frames(), reel.frames_per_sec());
    let Some(mut easel) = OffscreenCanvas::new(&reel.picture(&run.view(), 0), 1.0) else { return said.fail() };
    let size = easel.size();
    let Some(video) = Video::new(size, speed) else { return said.text.set(share::NO_VIDEO.to_owned()) };
    let made = Rc::new(std::cell::RefCell::new(Some(video)));
    let kept = Rc::clone(&made);
    let (mut done, mut drawn) = (0, None::<Vec<u8>>);
    let piece = move || {
        let mut made = made.borrow_mut();
        let Some(video) = made.as_mut() else { return Step::Failed };
        let added = match (video.takes(), drawn.take()) {
            (Some(true), Some(pixels)) => video.add(&pixels).map(|()| 1),
            // The next piece adds the frame, so that no piece takes long.
            (Some(true), None) => easel.pixels(&reel.picture(&run.view(), done)).map(|pixels| {
                drawn = Some(pixels);
                0
            }),
            (takes, pixels) => {
                drawn = pixels;
                takes.map(|_| 0)
            }
        };
        let Some(added) = added else { return Step::Failed };
        done += added;
        let bytes = u64::try_from(video.len()).unwrap_or(u64::MAX);
        step(done == all, || share::film_progress(done, all, bytes))
    };
    let finish = move || {
        let Some(video) = kept.take() else { return said.fail() };
        video.finish(move |chunks| match chunks.filter(|chunks| chunks.len() as u64 == all) {
            Some(chunks) => said.save(&name, File::Video, &webm::file(size, reel.lasts_ms(), &chunks)),
            None => said.fail(),
        });
    };
    said.make(piece, finish);
}

/// Returns the sentence that explains why a file cannot be made.
fn refused(why: Refused) -> String {
    match why {
        Refused::Lines(lines) => share::too_long(lines, Limits::TAB.lines),
        Refused::Waveforms(pe_cycles) => share::too_many_pe_cycles(pe_cycles, Limits::TAB.waveforms),
        Refused::Hardware(refusal) => refusal.to_string(),
        Refused::NeedsCanvas => share::FAILED.to_owned(),
    }
}

/// Saves a file that needs no canvas, with a caption below the drawing if there is an address for the caption.
fn save_job(said: ExportStatus, run: Run, file: File, address: Option<String>, name: String) {
    match Job::new(file, run.plan, run.link, SIZE, Limits::TAB) {
        Ok(job) => {
            let job = if let Some(address) = address { job.explained(address) } else { job };
            make_in_pieces(said, job, move |bytes| said.save(&name, file, bytes));
        }
        Err(why) => said.text.set(refused(why)),
    }
}

/// Makes a file that needs no canvas, and passes its bytes to `finish`. A file of one piece is made at once, because some
/// browsers save only during a click. Other files are made a few cycles at a time.
fn make_in_pieces(said: ExportStatus, mut job: Job, finish: impl FnOnce(&[u8]) + 'static) {
    let mut first = Vec::new();
    match job.step(&mut first) {
        Ok(made) if made.is_done() => return finish(&first),
        Ok(_) => {}
        Err(_) => return said.fail(),
    }
    let bytes = Rc::new(std::cell::RefCell::new(first));
    let written = Rc::clone(&bytes);
    let piece = move || match job.step(&mut *written.borrow_mut()) {
        Ok(made) => step(made.is_done(), || words::progress(made)),
        Err(_) => Step::Failed,
    };
    said.make(piece, move || finish(&bytes.borrow()));
}
