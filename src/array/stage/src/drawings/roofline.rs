//! The matmul as a dot on the roofline of its chip, and the efficiency breakdown from the peak to its MFU.
//!
//! A tall drawing also has the times of the matmul. While a lesson card asks a question, the drawing has only the
//! roofline, axes without numbers, and empty bars. After the answer, a card that changes settings also has the dot of
//! the earlier run, and the earlier roof if this roof was different.

use core::ops::Range;

use display::Tone;
use display::picture::{Anchor, Dash, Mark, Outline, Picture, Rect, Stroke, between, px};
use display::words::ladder;
use words::drawing;

use crate::cells::text_width;
use crate::{Frame, GLYPH};

/// Text sizes: axes, and names of lines and bars.
const SMALL: f32 = 11.0;
const TEXT: f32 = 12.0;
/// Narrowest view with the bars next to the plot.
const BESIDE: f32 = 620.0;
/// Smallest height of a view with the bars below the plot.
const WITH_LADDER: f32 = 420.0;
/// Narrowest breakdown with the factors of the steps.
const WITH_FACTORS: f32 = 300.0;
/// Height of one bar of the times with its space, and height of all these bars with their heading.
const TIME: f32 = 24.0;
const TIMES: f32 = 22.0 + 4.0 * TIME;
/// Width of the band below the roof at the matmul's intensity.
const BAND: f32 = 44.0;

/// A plot with two logarithmic axes.
struct Plot {
    place: Rect,
    /// Powers of ten at the ends of the axes: FLOP per byte, FLOP per second.
    x: Range<f64>,
    y: Range<f64>,
}

impl Plot {
    #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
    fn at(&self, intensity: f64, rate: f64) -> (f32, f32) {
        let share = |value: f64, axis: &Range<f64>| {
            ((value.max(1e-300).log10() - axis.start) / (axis.end - axis.start)).clamp(0.0, 1.0) as f32
        };
        let (across, up) = (share(intensity, &self.x), share(rate, &self.y));
        (self.place.x + across * self.place.w, self.place.y + (1.0 - up) * self.place.h)
    }

    /// Draws the axes with a line for each power of ten. While a card asks, the lines have no numbers, because a reader
    /// could read the roof and its ridge off the axes.
    fn axes(&self, asks: bool, picture: &mut Picture) {
        let Rect { x, y, w, h } = self.place;
        picture.shape(self.place, Outline::Box(0), Tone::Ground, Stroke::solid(Tone::Faint, 1.0));
        let faint = Stroke::solid(Tone::Ghost, 1.0);
        for (axis, is_across) in [(&self.x, true), (&self.y, false)] {
            let n = axis.end - axis.start;
            // At most nine numbers fit next to an axis.
            let every = (n / 9.0).ceil().max(1.0);
            let mut power = axis.start;
            while power <= axis.end {
                let value = 10f64.powf(power);
                let (at_x, at_y) =
                    self.at(if is_across { value } else { 1e-300 }, if is_across { 1e-300 } else { value });
                let number = if is_across { value } else { value / 1e12 };
                let number = if asks { String::new() } else { display::number::readable(number, 3) };
                if is_across {
                    picture.line((at_x, y), (at_x, y + h), faint);
                    picture.text((at_x, y + h + 11.0), number, SMALL, Anchor::Middle, Tone::Quiet);
                } else {
                    picture.line((x, at_y), (x + w, at_y), faint);
                    picture.text((x - 6.0, at_y), number, SMALL, Anchor::End, Tone::Quiet);
                }
                power += every;
            }
        }
        picture.text((x + w, y + h + 26.0), drawing::INTENSITY_AXIS, SMALL, Anchor::End, Tone::Quiet);
        picture.text((x - 40.0, y - 20.0), drawing::RATE_AXIS, SMALL, Anchor::Start, Tone::Quiet);
    }
}

/// Draws the roofline of the chip with the matmul, and the efficiency breakdown.
pub(super) fn draw(frame: &Frame<'_>, width: f32, height: f32, picture: &mut Picture) {
    let Ok(on) = frame.plan.on_chip() else {
        picture.text((width / 2.0, height / 2.0), drawing::UNKNOWN, TEXT, Anchor::Middle, Tone::Quiet);
        return;
    };
    let is_beside = width >= BESIDE;
    let has_ladder = is_beside || height >= WITH_LADDER;
    let plot_width = if is_beside { width * 0.6 } else { width };
    let plot_height = if is_beside || !has_ladder { height } else { height * 0.54 };
    let place = Rect::new(56.0, 30.0, (plot_width - 76.0).max(40.0), (plot_height - 70.0).max(40.0));
    let (peak, bandwidth) = (on.time.peak.0, on.numbers.bytes_per_sec);
    let (intensity, rate) = (on.useful_flops / on.numbers.least_bytes, on.useful_flops / on.time.total.0);
    let ridge = peak / bandwidth;
    let least = intensity.log10().floor().min(-1.0);
    let before = frame.before.and_then(|before| before.on_chip().ok());
    let was =
        before.as_ref().map(|was| (was.useful_flops / was.numbers.least_bytes, was.useful_flops / was.time.total.0));
    let (peak_before, bandwidth_before) =
        before.as_ref().map_or((peak, bandwidth), |was| (was.time.peak.0, was.numbers.bytes_per_sec));
    let least = was.map_or(least, |(intensity, _)| least.min(intensity.log10().floor()));
    let rate_min = was.map_or(rate, |(_, rate_before)| rate.min(rate_before));
    let low = rate_min.min(peak / 1e3).max(1.0).log10().floor();
    let most = ridge.max(intensity).max(peak_before / bandwidth_before).max(1e4).log10().ceil();
    let plot = Plot { place, x: least..most, y: low..peak.max(peak_before).log10().ceil() };
    let asks = !frame.filter.judges();
    plot.axes(asks, picture);
    let roof = (intensity * bandwidth).min(peak);
    if !asks {
        ridge_line(&plot, peak, ridge, picture);
        band(&plot, intensity, rate, roof, picture);
    }
    if !asks && (peak_before, bandwidth_before) != (peak, bandwidth) {
        roof_before(&plot, peak_before, bandwidth_before, picture);
    }
    roof_lines(&plot, peak, bandwidth, asks, picture);
    if !asks {
        let (x, y) = plot.at(intensity, rate);
        let gemm = frame.plan.schedule().gemm();
        let lines = drawing::matmul((gemm.m(), gemm.k(), gemm.n()), rate, on.time.total.0);
        let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let wide = px(longest as u64) * GLYPH * TEXT;
        let is_left = x + BAND / 2.0 + 8.0 + wide > place.x + place.w;
        let side = BAND / 2.0 + 8.0;
        let (at, anchor) = if is_left { (x - side, Anchor::End) } else { (x + side, Anchor::Start) };
        // The texts are near the bottom, where the lines of the roof are far away.
        let top = place.y + place.h - 64.0;
        let left = if is_left { at - wide } else { at };
        // The line of the ridge does not cross the texts.
        let ground = Rect::new(left - 2.0, top - 8.0, wide + 4.0, 32.0);
        picture.shape(ground, Outline::Box(0), Tone::Ground, Stroke::solid(Tone::Clear, 0.0));
        let [first, second] = lines;
        picture.bold((at, top), first, TEXT, anchor, Tone::Ink);
        picture.text((at, top + 16.0), second, TEXT, anchor, Tone::Ink);
        if let Some((intensity, rate)) = was {
            let before = plot.at(intensity, rate);
            picture.marks.push(Mark::Line {
                from: before,
                to: (x, y),
                stroke: Stroke { dash: Dash::Dashed, ..Stroke::solid(Tone::Quiet, 1.5) },
                arrow: true,
            });
            dot(before, (Tone::Ground, Tone::Quiet), picture);
            let below = (before.0, before.1 + 18.0);
            picture.text(below, drawing::BEFORE, SMALL, Anchor::Middle, Tone::Quiet);
        }
        dot((x, y), (Tone::Useful, Tone::Ink), picture);
    }
    let ladder = if is_beside {
        Rect::new(plot_width + 8.0, 24.0, width - plot_width - 20.0, (height - 48.0).min(330.0))
    } else {
        Rect::new(12.0, plot_height + 6.0, width - 24.0, height - plot_height - 14.0)
    };
    if has_ladder {
        breakdown(frame, &ladder, asks, picture);
    }
    let below = ladder.y + ladder.h + 12.0;
    if let Some(now) = times_of(frame.plan).filter(|_| is_beside && !asks && below + TIMES <= height) {
        let place = Rect { y: below, h: TIMES, ..ladder };
        times(&place, now, frame.before.and_then(times_of), picture);
    }
}

/// Returns the times of the launch, of memory, of arithmetic and of the whole matmul in seconds.
fn times_of(plan: &studio::Plan) -> Option<[f64; 4]> {
    let time = plan.on_chip().ok()?.time;
    Some([time.parts.launch, time.parts.memory, time.parts.math, time.total].map(|part| part.0))
}

/// Draws the times of a matmul on one scale. The bars of the run before are hollow.
fn times(place: &Rect, now: [f64; 4], before: Option<[f64; 4]>, picture: &mut Picture) {
    let longest = now.into_iter().chain(before.into_iter().flatten()).fold(0.0, f64::max);
    picture.bold((place.x, place.y + 8.0), drawing::TIMES, TEXT, Anchor::Start, Tone::Ink);
    let (name_width, text_width) = (78.0, 126.0);
    let track = (place.w - name_width - text_width).max(20.0);
    for (nth, (name, seconds)) in drawing::TIME_PARTS.into_iter().zip(now).enumerate() {
        let was = before.map(|before| before[nth]);
        let bar = Rect::new(place.x + name_width, place.y + 22.0 + px(nth as u64) * TIME, track, TIME * 0.6);
        let (middle, is_total) = (bar.center().1, nth + 1 == now.len());
        picture.text((place.x, middle), name, TEXT, Anchor::Start, if is_total { Tone::Ink } else { Tone::Quiet });
        let full = Rect { w: length(seconds / longest, track), ..bar };
        picture.shape(full, Outline::Box(0), Tone::Fill, Stroke::solid(Tone::Useful, 1.0));
        if let Some(was) = was {
            let hollow = Rect { w: length(was / longest, track), ..bar };
            picture.shape(hollow, Outline::Box(0), Tone::Clear, Stroke::solid(Tone::Quiet, 1.5));
        }
        let at = (place.x + place.w, middle);
        picture.write(at, drawing::time(seconds, was), TEXT, Anchor::End, (Tone::Ink, is_total));
    }
}

/// Draws the dot of a matmul with a fill and an outline.
fn dot((x, y): (f32, f32), (fill, edge): (Tone, Tone), picture: &mut Picture) {
    picture.shape(Rect::new(x - 7.0, y - 7.0, 14.0, 14.0), Outline::Pill, fill, Stroke::solid(edge, 2.0));
}

/// Draws the band at the matmul's intensity. The lower part is the rate of the matmul, and the upper part is the loss
/// up to the roof.
fn band(plot: &Plot, intensity: f64, rate: f64, roof: f64, picture: &mut Picture) {
    let ((x, y), (_, top)) = (plot.at(intensity, rate), plot.at(intensity, roof));
    let bottom = plot.place.y + plot.place.h;
    let left = between(x - BAND / 2.0, plot.place.x, plot.place.x + plot.place.w - BAND);
    let lost = Rect::new(left, top, BAND, (y - top).max(0.0));
    picture.shape(lost, Outline::Box(0), Tone::Ground, Stroke::solid(Tone::Faint, 1.0));
    picture.marks.push(Mark::Hatch { rect: lost, tone: Tone::Faint, rising: true });
    let done = Rect::new(left, y, BAND, (bottom - y).max(0.0));
    picture.shape(done, Outline::Box(0), Tone::Fill, Stroke::solid(Tone::Useful, 1.0));
}

/// Returns the start, the corner and the end of a roof.
fn roof(plot: &Plot, peak: f64, bandwidth: f64) -> [(f32, f32); 3] {
    // The line of memory begins where it enters the plot.
    let start = 10f64.powf(plot.x.start).max(10f64.powf(plot.y.start) / bandwidth);
    [(start, start * bandwidth), (peak / bandwidth, peak), (10f64.powf(plot.x.end), peak)]
        .map(|(intensity, rate)| plot.at(intensity, rate))
}

/// Draws the roof of the run before, on another chip or in another format.
fn roof_before(plot: &Plot, peak: f64, bandwidth: f64, picture: &mut Picture) {
    let [start, corner, end] = roof(plot, peak, bandwidth);
    let dashed = Stroke { dash: Dash::Dashed, ..Stroke::solid(Tone::Quiet, 1.5) };
    picture.line(start, corner, dashed);
    picture.line(corner, end, dashed);
    // The number ends a little to the left of the end of the roof, because the dot of a large matmul is near that end.
    let number = display::number::readable(peak / 1e12, 3);
    picture.text((end.0 - 4.0, end.1 - 9.0), number, SMALL, Anchor::End, Tone::Quiet);
}

/// Draws the lines of memory and peak. While a card asks, the lines and the point at which they meet have no names.
fn roof_lines(plot: &Plot, peak: f64, bandwidth: f64, asks: bool, picture: &mut Picture) {
    let [start, corner, end] = roof(plot, peak, bandwidth);
    let ink = Stroke::solid(Tone::Ink, 2.0);
    picture.line(start, corner, ink);
    picture.line(corner, end, ink);
    if asks {
        return;
    }
    let flat = drawing::peak(peak);
    picture.text((end.0 - 4.0, corner.1 - 11.0), flat, TEXT, Anchor::End, Tone::Ink);
    let sloped = drawing::memory(bandwidth);
    let middle = (start.0 + (corner.0 - start.0) * 0.45, start.1 + (corner.1 - start.1) * 0.45);
    let wide = text_width(&sloped, TEXT);
    picture.text(
        ((middle.0 - 10.0).max(plot.place.x + wide + 4.0), middle.1 - 14.0),
        sloped,
        TEXT,
        Anchor::End,
        Tone::Ink,
    );
}

/// Draws a line down from the point at which memory and peak meet, and its name. The name is below the numbers of the
/// axis and left of the name of the axis.
fn ridge_line(plot: &Plot, peak: f64, ridge: f64, picture: &mut Picture) {
    let (corner, place) = (plot.at(ridge, peak), plot.place);
    let bottom = place.y + place.h;
    picture.line(corner, (corner.0, bottom), Stroke { dash: Dash::Dotted, ..Stroke::solid(Tone::Quiet, 1.0) });
    let name = drawing::ridge(ridge);
    let most = place.x + place.w - text_width(drawing::INTENSITY_AXIS, SMALL) - 10.0;
    let end = (corner.0 + text_width(&name, SMALL) / 2.0).min(most);
    picture.text((end, bottom + 26.0), name, SMALL, Anchor::End, Tone::Quiet);
}

/// Draws a bar for each step from the peak to the MFU: the share of the peak that is left, and the share that the step
/// loses. The number next to the bar is the share that is left, and the last number is the factor of the step.
fn breakdown(frame: &Frame<'_>, place: &Rect, asks: bool, picture: &mut Picture) {
    let Ok(on) = frame.plan.on_chip() else { return };
    // The bars of the run before, which the card has shown, have the same axis.
    let least = frame.before.map_or(1.0, studio::Plan::ladder_least).min(frame.plan.ladder_least());
    let bars = frame.plan.ladder_with(least);
    let steps: Vec<_> = on.steps.iter().zip(&bars).filter(|(step, _)| ladder::applies(&on, step.rung)).collect();
    let n = px(steps.len() as u64) + 2.0;
    let step = ((place.h - 22.0) / n).min(34.0);
    if step < 13.0 {
        return;
    }
    // While a card asks, the bars are empty, so they have no scale.
    let title = if !asks && studio::is_logarithmic(least) { drawing::LOGARITHMIC_LADDER } else { drawing::LADDER };
    picture.bold((place.x, place.y + 8.0), title, TEXT, Anchor::Start, Tone::Ink);
    let right = place.x + place.w;
    // A narrow breakdown has no factors.
    let factor_width = if place.w >= WITH_FACTORS { 66.0 } else { 0.0 };
    let (name_width, share_width) = (126.0, 54.0);
    let track_width = (place.w - name_width - share_width - factor_width).max(20.0);
    let track = Rect::new(place.x + name_width, 0.0, track_width, step * 0.62);
    if !asks {
        let headings = [(right - factor_width, drawing::LEFT), (right, drawing::STEP)];
        for (x, heading) in headings.into_iter().take(if factor_width > 0.0 { 2 } else { 1 }) {
            picture.text((x, place.y + 8.0), heading, SMALL, Anchor::End, Tone::Quiet);
        }
    }
    let mut row = |nth: f32, name: &str, (left, lost): (f64, f64), share: f64, factor: Option<f64>| {
        let is_total = factor.is_none();
        let y = place.y + 22.0 + nth * step;
        let middle = y + track.h / 2.0;
        let tone = if is_total { Tone::Ink } else { Tone::Quiet };
        picture.text((place.x, middle), name, TEXT, Anchor::Start, tone);
        let rect = Rect { y, ..track };
        picture.shape(rect, Outline::Box(0), Tone::Ground, Stroke::solid(Tone::Ghost, 1.0));
        if asks && nth > 0.0 {
            return;
        }
        let (left, lost) = (length(left, rect.w), length(lost, rect.w));
        picture.shape(Rect { w: left, ..rect }, Outline::Box(0), Tone::Useful, Stroke::solid(Tone::Useful, 0.0));
        if lost > 0.0 {
            let rect = Rect { x: rect.x + left, w: lost, ..rect };
            picture.shape(rect, Outline::Box(0), Tone::Ground, Stroke::solid(Tone::Quiet, 1.0));
            picture.marks.push(Mark::Hatch { rect, tone: Tone::Faint, rising: true });
        }
        let at = (right - factor_width, middle);
        picture.write(at, drawing::share(share), TEXT, Anchor::End, (Tone::Ink, is_total));
        if let Some(factor) = factor.filter(|_| factor_width > 0.0) {
            picture.text((right, middle), drawing::factor(factor), SMALL, Anchor::End, Tone::Quiet);
        }
    };
    row(0.0, drawing::PEAK, (1.0, 0.0), 1.0, None);
    for (nth, (step, bar)) in steps.into_iter().enumerate() {
        let name = ladder::name(step.rung, on.numbers.is_gpu);
        row(px(nth as u64) + 1.0, name, *bar, step.left, Some(step.factor));
    }
    let left = bars.last().map_or(0.0, |(left, _)| *left);
    row(n - 1.0, drawing::MFU, (left, 0.0), on.mfu.ratio, None);
}

#[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
fn length(share: f64, width: f32) -> f32 {
    share.clamp(0.0, 1.0) as f32 * width
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::{Link, Plan};
    use systolic::Cycle;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn drawn(query: &str, asks: bool) -> Picture {
        let plan = Plan::new(&Link::parse(query, "").scenario).expect("a run");
        let mut picture = Picture::default();
        let frame = Frame::new(&plan, Cycle(0));
        let filter = frame.filter.with_verdicts(!asks);
        draw(&Frame { filter, ..frame }, 900.0, 560.0, &mut picture);
        picture
    }

    /// Returns the center of the dot.
    fn center(picture: &Picture) -> Option<(f32, f32)> {
        picture.marks.iter().find_map(|mark| match mark {
            Mark::Shape { rect, outline: Outline::Pill, .. } => Some(rect.center()),
            _ => None,
        })
    }

    const ONE_ROW: &str = "rows=128&cols=128&k=4096&n=4096&dt=bf16&overlap=double-buffered&chip=tpu-v5e";

    #[test]
    fn the_dot_follows_m_along_the_line_of_memory_and_then_below_the_peak() {
        let at = |m: u64| center(&drawn(&format!("{ONE_ROW}&m={m}"), false)).expect("a dot");
        let (one, two, many, more) = (at(1), at(2), at(2048), at(4096));
        // Twice as many rows need nearly twice the operations for equal bytes. The dot moves along a diagonal.
        let (right, up) = (two.0 - one.0, one.1 - two.1);
        assert!(right > 5.0 && up > 5.0, "{one:?} {two:?}");
        assert!(more.0 > many.0 && (more.1 - many.1).abs() < up / 4.0, "{many:?} {more:?}");
    }

    #[test]
    fn a_card_that_asks_shows_the_roof_without_the_matmul_and_its_shares() {
        let query = format!("{ONE_ROW}&m=64");
        let (asked, told) = (drawn(&query, true), drawn(&query, false));
        assert!(center(&asked).is_none() && center(&told).is_some());
        let percents = |picture: &Picture| picture.texts().filter(|text| text.ends_with('%')).count();
        // If the axes have no numbers, the roof and the ridge have none either.
        let numbers = |picture: &Picture| picture.texts().filter(|text| text.parse::<f64>().is_ok()).count();
        assert!(numbers(&asked) == 0 && numbers(&told) >= 8, "{} {}", numbers(&asked), numbers(&told));
        // Before the answer, only the peak has a percentage. After the answer, each of nine steps has two: the share
        // that is left, and the factor. The MFU also has one.
        assert_eq!((percents(&asked), percents(&told)), (1, 1 + 2 * 9 + 1));
        let plan = Plan::new(&Link::parse(&query, "").scenario).expect("a run");
        let mfu = drawing::share(plan.on_chip().expect("known").mfu.ratio);
        assert!(told.texts().any(|text| text == mfu), "{mfu}");
        assert!(
            told.texts().any(|text| text.starts_with("ridge")) && !asked.texts().any(|text| text.contains("ridge"))
        );
    }

    #[test]
    fn the_name_of_the_ridge_is_below_the_plot_and_next_to_the_name_of_the_axis() {
        let plan = |m: u64| Plan::new(&Link::parse(&format!("{ONE_ROW}&m={m}"), "").scenario).expect("a run");
        for (width, height) in [(900.0, 560.0), (860.0, 577.0), (640.0, 400.0), (344.0, 500.0), (300.0, 300.0)] {
            for m in [1, 64, 200, 4096] {
                let mut picture = Picture::default();
                draw(&Frame::new(&plan(m), Cycle(0)), width, height, &mut picture);
                let text_at = |start: &str| {
                    picture.marks.iter().find_map(|mark| match mark {
                        Mark::Text { at, text, anchor: Anchor::End, .. } if text.starts_with(start) => {
                            Some((at.0 - text_width(text, SMALL), at.0, at.1))
                        }
                        _ => None,
                    })
                };
                let (ridge, axis) = (text_at("ridge").expect("a name"), text_at("FLOP").expect("an axis"));
                assert!(ridge.0 > 0.0 && ridge.1 + 8.0 < axis.0 && ridge.2 == axis.2, "{width}: {ridge:?} {axis:?}");
                // The texts of the matmul have a ground, which hides the line of the ridge.
                let named = picture.marks.iter().find_map(|mark| match mark {
                    Mark::Text { at, text, .. } if text.contains(" in ") => Some(*at),
                    _ => None,
                });
                let at = named.expect("the rate");
                let is_ground = |mark: &Mark| match mark {
                    Mark::Shape { rect, fill: Tone::Ground, stroke, .. } if stroke.tone == Tone::Clear => {
                        at.1 > rect.y && at.1 < rect.y + rect.h && at.0 >= rect.x && at.0 <= rect.x + rect.w
                    }
                    _ => false,
                };
                assert!(picture.marks.iter().any(is_ground), "{width} {m}");
            }
        }
    }

    #[test]
    fn the_dot_of_the_run_before_stays_hollow_at_its_place() {
        let plan = |m: u64| Plan::new(&Link::parse(&format!("{ONE_ROW}&m={m}"), "").scenario).expect("a run");
        let (one, many) = (plan(1), plan(32));
        let mut picture = Picture::default();
        draw(&Frame { before: Some(&one), ..Frame::new(&many, Cycle(0)) }, 900.0, 560.0, &mut picture);
        let dots = picture.marks.iter().filter_map(|mark| match mark {
            Mark::Shape { rect, outline: Outline::Pill, fill, .. } => Some((rect.center(), *fill)),
            _ => None,
        });
        let [(was, hollow), (is, full)] = dots.collect::<Vec<_>>()[..] else { panic!("two dots") };
        assert_eq!((hollow, full), (Tone::Ground, Tone::Useful));
        // With 32 rows, a matmul has nearly 32 times the operations for nearly equal bytes. The axis is logarithmic.
        assert!(is.0 > was.0 && is.1 < was.1);
        let alone = center(&drawn(&format!("{ONE_ROW}&m=1"), false)).expect("a dot");
        assert!((was.0 - alone.0).abs() < 0.01 && (was.1 - alone.1).abs() < 0.01, "{was:?} {alone:?}");
    }

    #[test]
    fn each_bar_of_the_breakdown_is_as_long_as_its_number() {
        let picture = drawn(&format!("{ONE_ROW}&m=64"), false);
        // In each line of the breakdown, a share without a percent sign is to the right of a bar, at the same height.
        let shares: Vec<(f32, f32)> = picture
            .marks
            .iter()
            .filter_map(|mark| match mark {
                Mark::Text { at, text, .. } => Some((at.1, text.strip_suffix(" %")?.parse().ok()?)),
                _ => None,
            })
            .collect();
        let bars: Vec<Rect> = picture
            .marks
            .iter()
            .filter_map(|mark| match mark {
                Mark::Shape { rect, fill: Tone::Useful, outline: Outline::Box(0), .. } => Some(*rect),
                _ => None,
            })
            .collect();
        assert_eq!((bars.len(), shares.len()), (11, 11));
        for (bar, (y, percent)) in bars.iter().zip(&shares) {
            assert!((bar.center().1 - y).abs() < 0.01 && (bar.w / bars[0].w * 100.0 - percent).abs() < 0.06);
        }
        assert!(shares[10].1 < 50.0);
    }

    #[test]
    fn the_times_of_a_run_and_of_the_run_before_have_one_scale() {
        let plan = |m: u64| Plan::new(&Link::parse(&format!("{ONE_ROW}&m={m}"), "").scenario).expect("a run");
        let (one, many) = (plan(1), plan(4096));
        let mut picture = Picture::default();
        draw(&Frame { before: Some(&one), ..Frame::new(&many, Cycle(0)) }, 900.0, 560.0, &mut picture);
        // The heading and four bars with a hollow one each; the last texts are the times.
        let texts: Vec<_> = picture.texts().collect();
        let at = texts.iter().position(|text| *text == drawing::TIMES).expect("the times");
        let [launch, matmul] = [2, 8].map(|nth| texts[at + nth].split_once(" → ").expect("two times"));
        assert_eq!(launch.0, launch.1);
        assert_eq!(matmul, ("48.6 µs", "788 µs"));
        let widths: Vec<f32> = picture
            .marks
            .iter()
            .rev()
            .filter_map(|mark| match mark {
                Mark::Shape { rect, outline: Outline::Box(0), .. } => Some(rect.w),
                _ => None,
            })
            .take(2)
            .collect();
        assert!((widths[0] / widths[1] - 48.56 / 788.0).abs() < 0.001, "{widths:?}");
        let low = {
            let mut low = Picture::default();
            draw(&Frame::new(&many, Cycle(0)), 900.0, 400.0, &mut low);
            low
        };
        assert!(low.texts().all(|text| text != drawing::TIMES));
    }

    #[test]
    fn the_breakdowns_of_a_run_and_of_the_run_before_have_one_axis() {
        let plan = |m: u64, side: u64| {
            let query = ONE_ROW.replace("4096", &side.to_string());
            Plan::new(&Link::parse(&format!("{query}&m={m}"), "").scenario).expect("a run")
        };
        let (least, one, many) = (plan(1, 64), plan(1, 4096), plan(4096, 4096));
        let is_logarithmic = |before: Option<&Plan>, now: &Plan| {
            let mut picture = Picture::default();
            draw(&Frame { before, ..Frame::new(now, Cycle(0)) }, 900.0, 560.0, &mut picture);
            picture.texts().any(|text| text == drawing::LOGARITHMIC_LADDER)
        };
        // One row with 64×64 weights reaches less than a thousandth of the peak.
        assert!(is_logarithmic(None, &least) && !is_logarithmic(None, &one) && !is_logarithmic(Some(&one), &many));
        assert!(is_logarithmic(Some(&least), &many) && is_logarithmic(Some(&many), &least));
    }

    #[test]
    fn the_roof_of_another_chip_before_is_dashed_and_both_roofs_fit() {
        let plan = |chip: &str| {
            let query = format!("{ONE_ROW}&m=4096").replace("tpu-v5e", chip);
            Plan::new(&Link::parse(&query, "").scenario).expect("a run")
        };
        let roofs = |before: &str, now: &str| {
            let (before, now) = (plan(before), plan(now));
            let mut picture = Picture::default();
            draw(&Frame { before: Some(&before), ..Frame::new(&now, Cycle(0)) }, 900.0, 560.0, &mut picture);
            let flat = |tone: Tone| {
                picture.marks.iter().rev().find_map(|mark| match mark {
                    Mark::Line { from, to, stroke, .. }
                        if from.1 == to.1 && stroke.tone == tone && stroke.width > 1.0 =>
                    {
                        Some(from.1)
                    }
                    _ => None,
                })
            };
            (flat(Tone::Quiet), flat(Tone::Ink).expect("a roof"), picture.texts().any(|text| text == "197"))
        };
        // A TPU v6e has 918 TFLOPS and a v5e has 197, so the roof of the run before is lower.
        let (before, now, is_named) = roofs("tpu-v5e", "tpu-v6e");
        assert!(before.is_some_and(|before| before > now && now > 30.0) && is_named, "{before:?} {now}");
        let (before, now, _) = roofs("tpu-v6e", "tpu-v5e");
        assert!(before.is_some_and(|before| before < now && before > 30.0), "{before:?} {now}");
        let (_, _, is_named) = roofs("tpu-v5e", "tpu-v5e");
        assert!(!is_named);
    }
}
