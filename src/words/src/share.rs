//! What is said where a run is passed on: links, code for other pages, files.

use crate::caption::clock;
use crate::label;
use display::number::grouped;
use studio::{Chrome, Deck, DeckProblem, Link, Lock, PagePart, Panel, Plan};
use systolic::Cycle;

/// The dialog.
pub const TITLE: &str = "Share";
/// Closes it.
pub const CLOSE: &str = "Close";
/// The link.
pub const LINK: &str = "Link to this view";
/// Puts a text on the clipboard.
pub const COPY: &str = "Copy";
/// The same for the code.
pub const COPY_CODE: &str = "Copy code";
/// Said once it is there.
pub const COPIED: &str = "Copied";
/// Said where a browser does not let a page copy.
pub const NOT_COPIED: &str = "Your browser blocked copying. The text is selected: press Ctrl+C.";
/// Whether a link opens with the colors of now.
pub const WITH_THEME: &str = "with these colors";
/// Said where the browser keeps the page.
pub const KEPT: &str = "This browser has saved the page: it opens without a network.";
/// The page that tests what is around it.
pub const TEST_HOST: &str = "Check your host page";
/// The page that lists the parameters of links.
pub const CAN_SAY: &str = "Link parameters";
/// What a camera makes of it.
pub const QR: &str = "QR code of the link";
/// Said where a link is too long for a code.
pub const NO_QR: &str = "This link is too long for a QR code because it contains matrices.";
/// The code for another page.
pub const EMBED: &str = "Embed in a page";
/// The choice of languages.
pub const LANGUAGE: &str = "Code for";
/// The choice of sizes.
pub const SIZE: &str = "Size";
/// What a screen reader calls a frame with questions about models, unless somebody names it.
pub const ANSWER_TITLE: &str = "A model on chips";
/// Such a frame without its entries.
pub const ANSWER_ALONE: &str = "only the answer";
/// The choice of what a frame shows.
pub const LOOK: &str = "Shows";
/// The choice of a tool.
pub const TOOL: &str = "Tool";
/// No tool.
pub const NO_TOOL: &str = "none";

/// What a frame shows.
#[must_use]
pub const fn look(chrome: Chrome) -> &'static str {
    match chrome {
        Chrome::Poster => "a still picture that plays on press",
        Chrome::Bare => "only the array",
        Chrome::Answer => "the answer and its entries",
        _ => "array and controls",
    }
}

/// A size that follows its place.
pub const FLUID: &str = "full width";
/// The name for screen readers.
pub const NAME: &str = "Title";
/// What readers may set.
pub const CHANGE: &str = "Readers can change";
/// What readers see.
pub const SHOWN: &str = "Readers see";
/// Opens the preview.
pub const PREVIEW: &str = "Preview";
/// What an embed never does.
pub const EMBED_NOTE: &str = "An embed never plays by itself and never takes the focus.";
/// Views one after the other.
pub const SLIDES: &str = "Slides";
/// What they are for.
pub const SLIDES_HINT: &str = "Put a whole lecture in one link: set up a view, add it as a slide, repeat. Present shows the slides full screen; use PageDown/PageUp or a clicker, or 1–9 to jump.";
/// Adds what is shown.
pub const ADD_SLIDE: &str = "Add this view";
/// The link that begins with the first slide.
pub const SLIDES_LINK: &str = "Link to the slides";
/// Saves the slides.
pub const SAVE_SLIDES: &str = "Save as a file";
/// Takes slides from a file, in the place of those that are there.
pub const OPEN_SLIDES: &str = "Open a file of slides";
/// Said where a file could not be read.
pub const NO_FILE: &str = "This browser could not read the file.";
/// The name of the file.
pub const SLIDES_FILE: &str = "systolic-slides.txt";

/// What is wrong with a file of slides.
#[must_use]
pub fn deck_problem(problem: &DeckProblem) -> String {
    let line = |line: &usize| grouped(u64::try_from(*line).unwrap_or(u64::MAX));
    match problem {
        DeckProblem::NoLink { line: at, given } => {
            format!("Line {} of the file is not a playground link: {given}", line(at))
        }
        DeckProblem::TooLong { line: at } => format!(
            "Line {} of the file would make the link of the slides longer than {} bytes.",
            line(at),
            grouped(u64::try_from(Deck::BYTES_MAX).unwrap_or(u64::MAX))
        ),
        DeckProblem::Empty => "The file has no slides: write one link per line.".to_owned(),
    }
}

/// The label of the button that starts the slide show.
pub const PRESENT_SLIDES: &str = "Present";
/// Shows one.
pub const SHOW_SLIDE: &str = "Show";
/// Lets one come before the one above it.
pub const SLIDE_UP: &str = "Move up";
/// Takes one out.
pub const REMOVE_SLIDE: &str = "Remove";
/// Said where no more fit.
pub const TOO_MANY_SLIDES: &str = "This slide would make the link too long. Remove a slide or use smaller matrices.";
/// Said where no more can be noted.
pub const TOO_LONG_NOTES: &str = "These notes would make the link too long; the previous notes are kept.";
/// What is said of a slide.
pub const NOTES: &str = "Notes";
/// Shows the slides, and the notes in a window of their own.
pub const SPEAKER: &str = "Present with notes";
/// What to do with two windows.
pub const SPEAKER_HINT: &str =
    "Two windows open: drag the window with the array to the projector and press F5 there. Keys work in both.";
/// Said where a browser opens no window.
pub const NO_SPEAKER: &str = "Your browser blocked the notes window: allow pop-ups for this page.";
/// Said in place of notes.
pub const NO_NOTES: &str = "No notes on this slide.";
/// What comes next.
pub const NEXT_SLIDE: &str = "Next";
/// Said in place of it.
pub const LAST_SLIDE: &str = "This is the last slide.";
/// Starts the clock of the show again.
pub const FROM_ZERO: &str = "Reset timer";
/// The slide before.
pub const SLIDE_BEFORE: &str = "Previous slide";
/// The slide after.
pub const SLIDE_AFTER: &str = "Next slide";
/// One cycle on.
pub const CYCLE_ON: &str = "Next cycle";
/// Blanks the hall's screen, and shows it again.
pub const BLANK: &str = "Blank";
/// The files.
pub const FILES: &str = "Download";
/// The choice of scales.
pub const SCALE: &str = "PNG scale";
/// Whether the films show tokens on their way between two cycles.
pub const WITH_MOTION: &str = "animate between cycles (GIF, video)";
/// Asks the browser to print.
pub const PRINT: &str = "Print";
/// Stops a file that is being made.
pub const CANCEL: &str = "Cancel";
/// Said where a browser has no encoder, with what to do instead.
pub const NO_VIDEO: &str = "This browser cannot encode video here. The GIF has the same frames.";
/// Said where a file could not be made.
pub const FAILED: &str = "This browser could not make the file.";

/// Whether a link opens at a cycle.
#[must_use]
pub fn at_cycle(cycle: u64) -> String {
    format!("open at cycle {}", grouped(cycle))
}

/// How long a show takes so far, as `3:07` or `1:03:07`.
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a day has few seconds")]
pub fn duration(seconds: f64) -> String {
    let seconds = seconds as u32;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// What a slide shows: the run, its moment, and the tool beside it.
#[must_use]
pub fn slide(link: &Link) -> String {
    let run = Plan::new(&link.scenario).map_or_else(|_| NO_RUN.to_owned(), |plan| label::headline(&plan));
    let of_tools = match &link.tools {
        tools if tools.compare.is_some() => Some(Panel::Compare),
        tools if tools.defect.is_some() => Some(Panel::Break),
        _ => None,
    };
    let tool = link.view.panel.or(of_tools).map_or_else(String::new, |panel| format!(" · {}", label::panel(panel)));
    format!("{run} · cycle {}{tool}", grouped(link.cycle.get()))
}

/// Said of a slide whose settings cannot run.
const NO_RUN: &str = "settings that cannot run";

/// What a lock is before.
#[must_use]
pub const fn lock(lock: Lock) -> &'static str {
    match lock {
        Lock::Sizes => "M, K, N",
        Lock::Numbers => "numbers",
        Lock::Array => "array",
        Lock::Dataflow => "dataflow",
        Lock::Format => "format",
        Lock::Padding => "padding",
        Lock::Design => "design",
        Lock::Chip => "chip",
    }
}

/// A part of the page.
#[must_use]
pub const fn part(part: PagePart) -> &'static str {
    match part {
        PagePart::Legend => "legend",
        PagePart::Caption => "caption",
        PagePart::Timeline => "timeline",
        PagePart::Controls => "controls",
        PagePart::Busy => "utilization",
        PagePart::Tools => "tools",
    }
}

/// Said where a table would be too long.
#[must_use]
pub fn too_long(lines: u64, most: u64) -> String {
    format!(
        "{} lines are too many for a file made in a tab (at most {}): use systolic export on the command line.",
        grouped(lines),
        grouped(most)
    )
}

/// Said where waveforms would be too long.
#[must_use]
pub fn too_many_pe_cycles(pe_cycles: u64, most: u64) -> String {
    format!(
        "{} PE-cycles are too many for waveforms made in a tab (at most {}): use systolic export --as vcd on the command line.",
        grouped(pe_cycles),
        grouped(most)
    )
}

/// How far a film is, in frames, and about how large it will be.
#[must_use]
pub fn film_progress(done: u64, all: u64, bytes: u64) -> String {
    let kilobytes = bytes * all / done.max(1) / 1_000;
    format!("frame {} of {}, about {} kB in all", grouped(done), grouped(all), grouped(kilobytes))
}

/// What stands under a frame of a film.
#[must_use]
pub fn film_caption(plan: &Plan, cycle: Cycle, headline: &str) -> String {
    format!("Cycle {}. {headline}", clock(plan, cycle))
}

/// Said once a file is saved.
#[must_use]
pub fn saved(name: &str) -> String {
    format!("Saved {name}.")
}

/// The same in a sandbox, which tells no page whether it lets files out.
#[must_use]
pub fn saved_in_sandbox(name: &str) -> String {
    format!(
        "Made {name}. Not in your downloads? The embedding page blocks downloads: open the playground in its own tab."
    )
}

/// Said where the browser does not open its dialog for printing.
pub const CANNOT_PRINT: &str = "The embedding page blocks printing: open the playground in its own tab.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slide_is_called_by_its_run_its_moment_and_its_tool() {
        let named = |query: &str| slide(&Link::parse(query, ""));
        assert_eq!(named("rows=8&cols=8&t=12"), "Weight-stationary 8×8 · 6×4×3 · 1 fold · cycle 12");
        assert!(named("break=no-skew").ends_with("· cycle 7 · Break it"), "{}", named("break=no-skew"));
    }

    #[test]
    fn a_show_is_timed_as_clocks_are_read() {
        assert_eq!([0.0, 187.4, 3787.0].map(duration), ["0:00", "3:07", "1:03:07"]);
    }
}
