//! Texts of the dialog that shares a run: links, code for other pages, slides and files.

use crate::caption::clock;
use crate::label;
use display::number::grouped;
use studio::{Chrome, Deck, DeckProblem, Link, Lock, PagePart, Panel, Plan};
use systolic::Cycle;

/// Title of the dialog.
pub const TITLE: &str = "Share";
/// Label of the button that closes the dialog.
pub const CLOSE: &str = "Close";
/// Heading of the link.
pub const LINK: &str = "Link to this view";
/// Label of the button that copies a link to the clipboard.
pub const COPY: &str = "Copy";
/// Label of the button that copies the embed code to the clipboard.
pub const COPY_CODE: &str = "Copy code";
/// Message after the page has copied a text to the clipboard.
pub const COPIED: &str = "Copied";
/// Message if the browser blocks copying.
pub const NOT_COPIED: &str = "Your browser blocked copying. The text is selected: press Ctrl+C.";
/// Label of the checkbox that keeps the current colors in the link.
pub const WITH_THEME: &str = "with these colors";
/// Message if the browser has saved the page for offline use.
pub const KEPT: &str = "This browser has saved the page, so the page opens without a network.";
/// Label of the link to the page that checks a host page.
pub const TEST_HOST: &str = "Check your host page";
/// Label of the link to the page that lists the link parameters.
pub const CAN_SAY: &str = "Link parameters";
/// Accessible name of the QR code.
pub const QR: &str = "Enlarge the QR code of the link";
/// Hint below a link of a page that no web server sent.
pub const FROM_A_FILE: &str = "This page is a file on your disk, so the link begins at the question mark. Put the address of a published page before it.";
/// Message if a link is too long for a QR code.
pub const NO_QR: &str =
    "This link is too long for a QR code. Shorten its matrices, slides or notes, or hand on a file.";
/// Heading of the embed code.
pub const EMBED: &str = "Embed in a page";
/// Label of the menu that sets the language of the embed code.
pub const LANGUAGE: &str = "Code for";
/// Label of the menu that sets the size of the embed.
pub const SIZE: &str = "Size";
/// Default accessible name of an embed with an estimate of a model.
pub const ANSWER_TITLE: &str = "A model on chips";
/// Name of an embed that shows an estimate without its entries.
pub const ANSWER_ALONE: &str = "only the answer";
/// Label of the menu that sets the content of the embed.
pub const LOOK: &str = "Shows";
/// Label of the menu that sets the tool in the embed.
pub const TOOL: &str = "Tool";
/// Menu entry for an embed without a tool.
pub const NO_TOOL: &str = "none";

/// Returns the name of an embed's content.
#[must_use]
pub const fn look(chrome: Chrome) -> &'static str {
    match chrome {
        Chrome::Poster => "a still picture that plays when clicked",
        Chrome::Bare => "only the array",
        Chrome::Answer => "the answer and its inputs",
        _ => "array and controls",
    }
}

/// Name of the size that adapts to the host page.
pub const FLUID: &str = "full width";
/// Label of the field for the embed's title, which screen readers read aloud.
pub const NAME: &str = "Title";
/// Label that opens the options for readers of an embed.
pub const READERS: &str = "Options for readers";
/// Heading of the settings that readers can change.
pub const CHANGE: &str = "Readers can change";
/// Heading of the parts of the page that readers see.
pub const SHOWN: &str = "Readers see";
/// Label that opens the preview of an embed, and accessible name of the preview.
pub const PREVIEW: &str = "Preview";
/// Note about the behavior of an embed.
pub const EMBED_NOTE: &str = "An embedded array never starts by itself and never takes the focus.";
/// Heading of the list of slides.
pub const SLIDES: &str = "Slides";
/// Hint about the use of slides.
pub const SLIDES_HINT: &str = "Put a whole lecture in one link: set up a view, add the view as a slide, and repeat. The button Present shows the slides full screen. Change slides with PageDown, PageUp or a clicker; jump to a slide with its number.";
/// Label of the button that adds the current view as a slide.
pub const ADD_SLIDE: &str = "Add this view";
/// Label of the button that shows the words, the time and the order of the slides in a presentation.
pub const EDIT_SLIDES: &str = "Edit slides";
/// Accessible name of the field with the link to the slides.
pub const SLIDES_LINK: &str = "Link to the slides";
/// Label of the button that saves the slides as a file.
pub const SAVE_SLIDES: &str = "Save as a file";
/// Label of the field that opens a file of slides. The file replaces the current slides.
pub const OPEN_SLIDES: &str = "Open a file of slides";
/// Message if the browser could not read a file.
pub const NO_FILE: &str = "This browser could not read the file.";
/// Default name of the file of slides.
pub const SLIDES_FILE: &str = "systolic-slides.txt";

/// Returns the message about a file of slides that cannot be used.
#[must_use]
pub fn deck_problem(problem: &DeckProblem) -> String {
    let line = |line: &usize| grouped(u64::try_from(*line).unwrap_or(u64::MAX));
    match problem {
        DeckProblem::NoLink { line: at, given } => {
            format!("Line {} of the file is not a playground link: {given}", line(at))
        }
        DeckProblem::TooLong { line: at } => format!(
            "Line {} of the file would make the link of the slides longer than {} bytes: use fewer slides.",
            line(at),
            grouped(u64::try_from(Deck::BYTES_MAX).unwrap_or(u64::MAX))
        ),
        DeckProblem::Empty => "The file has no slides: write one link per line.".to_owned(),
    }
}

/// Label of the button that starts the slide show.
pub const PRESENT_SLIDES: &str = "Present";
/// Label of the button that shows a slide.
pub const SHOW_SLIDE: &str = "Show";
/// Label of the button that moves a slide toward the start.
pub const SLIDE_UP: &str = "Move forward";
/// Label of the sentence of a slide.
pub const SLIDE_TITLE: &str = "Sentence on the slide";
/// Label of the time of a slide.
pub const SLIDE_SECONDS: &str = "Planned seconds";
/// Label of the switch that plays the run of a slide.
pub const SLIDE_PLAYS: &str = "plays by itself";
/// Label of the switch that shows MFU and cost on a slide.
pub const SLIDE_MFU: &str = "MFU and cost";
/// Label of the button that removes a slide.
pub const REMOVE_SLIDE: &str = "Remove";
/// Message if another slide would make the link too long.
pub const TOO_MANY_SLIDES: &str = "This slide would make the link too long. Remove a slide or use smaller matrices.";
/// Message if longer notes would make the link too long.
pub const TOO_LONG_NOTES: &str =
    "These notes would make the link too long: write shorter notes. The previous notes are kept.";
/// Label of the notes of a slide.
pub const NOTES: &str = "Notes";
/// Label of the button that starts the slide show with the notes in a second window.
pub const SPEAKER: &str = "Present with notes";
/// Hint about the use of two windows: a window with the array, and a window with the notes.
pub const SPEAKER_HINT: &str = "The page opens a second window. Drag the window with the array to the projector. Then press F5 in the window with the array to start the slides. Keys work in both windows.";
/// Message if the browser blocks the window of the notes.
pub const NO_SPEAKER: &str = "Your browser blocked the notes window: allow pop-ups for this page.";
/// Text in place of the notes of a slide without notes.
pub const NO_NOTES: &str = "No notes on this slide.";
/// Heading of the next slide in the window of the notes.
pub const NEXT_SLIDE: &str = "Next";
/// Text in place of the next slide, if the current slide is the last one.
pub const LAST_SLIDE: &str = "This is the last slide.";
/// Label of the button that resets the timer of the slide show.
pub const FROM_ZERO: &str = "Reset timer";
/// Name of the time of day.
pub const CLOCK: &str = "clock";
/// Label of the button that goes to the previous slide.
pub const SLIDE_BEFORE: &str = "Previous slide";
/// Label of the button that goes to the next slide.
pub const SLIDE_AFTER: &str = "Next slide";
/// Label of the button that goes to the next cycle.
pub const CYCLE_ON: &str = "Next cycle";
/// Label of the button that blanks the projector, and that shows the picture again at the next click.
pub const BLANK: &str = "Blank";
/// Heading of the files to download.
pub const FILES: &str = "Download";
/// Label of the menu that sets the scale of a PNG.
pub const SCALE: &str = "PNG scale";
/// Label of the option to draw whole slides.
pub const AS_SLIDE: &str = "as a whole slide of 1920×1080 (PNG, SVG, GIF, WebM)";
/// Label of the switch that adds texts below an SVG or PNG.
pub const WITH_CAPTION: &str = "legend, caption and link below the array (SVG, PNG)";
/// Label of the checkbox that makes a GIF or a video show the movement of values between two cycles.
pub const WITH_MOTION: &str = "animate between cycles (GIF, video)";
/// Label of the button that prints the page.
pub const PRINT: &str = "Print";
/// Label of the button that cancels the creation of a file.
pub const CANCEL: &str = "Cancel";
/// Address of the trace viewer Perfetto.
pub const PERFETTO: &str = "https://ui.perfetto.dev/";
/// Label of the link that opens the trace of the run in Perfetto.
pub const OPEN_PERFETTO: &str = "Open in Perfetto";
/// Hint next to [`OPEN_PERFETTO`].
pub const PERFETTO_HINT: &str =
    "This link leaves the page: it opens ui.perfetto.dev in a new tab and sends the trace there.";
/// Hint next to [`OPEN_PERFETTO`] if Perfetto accepts no trace from the page.
pub const PERFETTO_REFUSES: &str =
    "Perfetto accepts no trace from a file or a sandboxed frame: download the trace, and open it in Perfetto.";
/// Message while Perfetto loads.
pub const PERFETTO_LOADS: &str = "Waiting for Perfetto.";
/// Message after the page has sent the trace to Perfetto.
pub const PERFETTO_READS: &str = "Perfetto has the trace, and may ask you to confirm.";
/// Message if the browser blocks the tab.
pub const PERFETTO_BLOCKED: &str =
    "Your browser or the host page blocked the new tab: download the trace, and open it in Perfetto.";
/// Message if Perfetto does not answer.
pub const PERFETTO_SILENT: &str = "Perfetto does not answer: download the trace, and open it in Perfetto.";
/// Message if the browser has no video encoder, with the alternative.
pub const NO_VIDEO: &str = "This browser cannot encode video. Download the GIF, which has the same frames.";
/// Message if the browser could not make a file.
pub const FAILED: &str = "This browser could not create the file.";

/// Returns the label of the checkbox that keeps the current cycle in the link.
#[must_use]
pub fn at_cycle(cycle: u64) -> String {
    format!("open at cycle {}", grouped(cycle))
}

/// Returns the time since the start of the slide show, as `3:07` or `1:03:07`.
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a day has few seconds")]
pub fn duration(seconds: f64) -> String {
    let seconds = seconds as u32;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// Returns the planned time from the start to the end of a slide, and to the end of the last slide. Empty if no slide
/// has a time.
#[must_use]
pub fn planned(deck: &Deck, at: usize) -> String {
    let seconds =
        |n_slides: usize| (0..n_slides).filter_map(|index| deck.said(index)).map(|said| f64::from(said.seconds));
    let [here, all] = [at + 1, deck.len()].map(|n_slides| seconds(n_slides).sum::<f64>());
    if all > 0.0 {
        format!("planned: {} at the end of this slide, {} in all", duration(here), duration(all))
    } else {
        String::new()
    }
}

/// Describes a slide: the run, its cycle, and the open tool.
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

/// Description of a slide whose settings cannot run.
const NO_RUN: &str = "settings that cannot run";

/// Returns the name of the group of settings that a lock in a link disables.
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

/// Returns the name of a part of the page.
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

/// Returns the message if a table would have too many lines for a file made in the browser.
#[must_use]
pub fn too_long(lines: u64, most: u64) -> String {
    format!(
        "The file would have {} lines, but a browser tab can write at most {}: use systolic export on the command line.",
        grouped(lines),
        grouped(most)
    )
}

/// Returns the message if a run has too many PE-cycles for waveforms made in the browser.
#[must_use]
pub fn too_many_pe_cycles(pe_cycles: u64, most: u64) -> String {
    format!(
        "The run has {} PE-cycles, but a browser tab can write waveforms of at most {} PE-cycles: use systolic export --as vcd on the command line.",
        grouped(pe_cycles),
        grouped(most)
    )
}

/// Returns the progress of a film (GIF or video) in frames, with an estimate of the final file size.
#[must_use]
pub fn film_progress(done: u64, all: u64, bytes: u64) -> String {
    let kilobytes = bytes * all / done.max(1) / 1_000;
    format!("frame {} of {}, about {} kB in all", grouped(done), grouped(all), grouped(kilobytes))
}

/// Returns the caption below a frame of a film.
#[must_use]
pub fn film_caption(plan: &Plan, cycle: Cycle, headline: &str) -> String {
    format!("Cycle {}. {headline}", clock(plan, cycle))
}

/// Returns the message after the page saved a file.
#[must_use]
pub fn saved(name: &str) -> String {
    format!("Saved {name}.")
}

/// Returns the message after the page saved a file in a sandboxed frame. The message is cautious, because the page
/// cannot detect if the sandbox blocks downloads.
#[must_use]
pub fn saved_in_sandbox(name: &str) -> String {
    format!(
        "Created {name}. If the file is not in your downloads, the host page blocks downloads: open the playground in its own tab."
    )
}

/// Message if the browser does not open the print dialog.
pub const CANNOT_PRINT: &str = "The host page blocks printing: open the playground in its own tab.";

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

    #[test]
    fn planned_times_add_up_to_the_end_of_a_slide_and_of_the_deck() {
        let deck = |slides: &str| Deck::of_file(slides).unwrap_or_else(|problem| panic!("{problem:?}"));
        let two = deck("?t=1\t# One\t@ 40 s\n?t=2\t# Two\n?t=3\t# Three\t@ 80 s plays");
        let planned = [0, 1, 2].map(|at| planned(&two, at));
        assert_eq!(planned[0], "planned: 0:40 at the end of this slide, 2:00 in all");
        assert_eq!(planned[1], planned[0], "a slide without a time adds none");
        assert_eq!(planned[2], "planned: 2:00 at the end of this slide, 2:00 in all");
        assert_eq!(super::planned(&deck("?t=1"), 0), "");
    }
}
