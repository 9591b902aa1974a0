//! Plot of the cost of a useful PFLOP-hour on each compared chip. Dots show the cost at the selected price with its
//! interval, at the other listed prices, and at the highest published MFU.

use super::super::{interval, model};
use super::point::Point;
use super::{self as words, Against};
use display::figure::{cents, cite, dollars, price_words};
use display::plot::{Axis, Line, Plot, Shape, Stroke};
use estimate::{Estimate, price};
use perfmodel::{FlopsPerSec, PublishedMfu, Sourced, usd_per_pflop_hour};
use workload::PassKind;

/// All dots of one run.
struct Found {
    /// Dot at the selected price.
    asked: Point,
    /// Ends of the interval at the selected price, in dollars.
    ends: Option<(f64, f64)>,
    /// Dots at other listed prices, and at the highest published MFU.
    others: Vec<Point>,
}

/// Returns the plot, with a row for each run and its name. `None` if no run has both a price and an MFU.
pub(crate) fn useful_pflop_hours(runs: &[(&Estimate, &str)]) -> Option<Against> {
    let all: Vec<Option<Found>> =
        runs.iter().enumerate().map(|(row, (estimate, name))| found(row, estimate, name)).collect();
    let nowhere = runs.iter().zip(&all).filter(|(_, found)| found.is_none());
    let nowhere: Vec<String> = nowhere.map(|((estimate, name), _)| words::no_place(name, why(estimate))).collect();
    let all: Vec<Found> = all.into_iter().flatten().collect();
    let asked: Vec<words::AtPrice<'_>> =
        all.iter().filter_map(|one| Some((runs.get(one.asked.row)?.1, one.asked.x, one.ends))).collect();
    if asked.is_empty() {
        return None;
    }
    let most = all.iter().flat_map(|one| {
        let dots = one.others.iter().chain([&one.asked]).map(|point| point.x);
        dots.chain(one.ends.map(|(_, high)| high))
    });
    let x = Axis::round(words::USD, most.fold(0.0, f64::max));
    let y = Axis::rows(runs.iter().map(|(_, name)| (*name).to_owned()).collect());
    let title = words::USD_TITLE.to_owned();
    let words = words::usd_summary(&asked);
    let line = |one: &Found| {
        let (low, high) = one.ends?;
        let height = Axis::row(one.asked.row);
        Some(Line { kind: Stroke::Own, points: vec![(low, height), (high, height)], label: String::new() })
    };
    let lines = all.iter().filter_map(line).collect();
    let (asked, others): (Vec<Point>, Vec<Vec<Point>>) = all.into_iter().map(|one| (one.asked, one.others)).unzip();
    let n_asked = asked.len();
    let points: Vec<Point> = asked.into_iter().chain(others.into_iter().flatten()).collect();
    let dots = points.iter().enumerate().map(|(index, point)| point.dot(index, index < n_asked)).collect();
    let plot = Plot { id: "plot-usd", title, words, x, y, lines, dots, has_legend: false };
    let dots = points.into_iter().map(|point| (point.line, point.citation)).collect();
    let notes = core::iter::once(words::USD_MARKS.to_owned()).chain(nowhere).collect();
    Some(Against { plot, dots, notes })
}

/// Returns the reason why the plot leaves out a run.
fn why(estimate: &Estimate) -> &'static str {
    match estimate.interval() {
        _ if estimate.mfu.is_err() => words::WITHOUT_MFU,
        _ if !estimate.has_room() => words::WITHOUT_ROOM,
        Some(found) if found.is_wide() => words::WITHOUT_NUMBER,
        _ => words::WITHOUT_PRICE,
    }
}

fn found(row: usize, estimate: &Estimate, name: &str) -> Option<Found> {
    let is_shown = estimate.has_room() && !estimate.is_wide();
    let (question, mfu) = (&estimate.question, estimate.mfu.ok().filter(|_| is_shown)?);
    let hour = question.usd_per_chip_hour()?;
    let usd = usd_per_pflop_hour(hour, mfu.peak, mfu.ratio)?;
    let ends = estimate.interval().map(|found| found.time(usd));
    let shown = ends.map_or_else(String::new, |ends| format!(" ({})", interval::dollars(ends).words));
    let shape = Shape::Subject;
    let line =
        words::usd_dot(name, &cents(hour), &model::at_price(question), &format!("{}{shown}", dollars(usd)), shape);
    let citation = match (question.usd, question.price()) {
        (None, Some(price)) => cite(price_words(price), &price.usd_per_chip_hour),
        _ => cite(words::an_hour(&cents(hour)), &Sourced::yours(Some(hour))),
    };
    let asked = Point { row, x: usd, shape, radius: 6.0, name: dollars(usd), line, citation };
    let listed = price::listed(&question.chip).filter_map(|one| {
        // The dot at the selected price would hide the dot of an equal price.
        let hour = one.usd_per_chip_hour.value.filter(|other| (other - hour).abs() > 1e-9)?;
        let usd = usd_per_pflop_hour(hour, mfu.peak, mfu.ratio)?;
        let line = words::usd_dot(name, &cents(hour), &model::price(one), &dollars(usd), Shape::Circle);
        let citation = cite(price_words(one), &one.usd_per_chip_hour);
        Some(Point { row, x: usd, shape: Shape::Circle, radius: 4.0, name: String::new(), line, citation })
    });
    let others = published(row, estimate, name, mfu.peak, hour).into_iter().chain(listed).collect();
    Some(Found { asked, ends, others })
}

/// Returns the dot at the selected price and the highest MFU that was published on the chip. `None` if the pass is not
/// training, or if no MFU was published.
fn published(row: usize, estimate: &Estimate, name: &str, peak: FlopsPerSec, hour: f64) -> Option<Point> {
    let chip = &estimate.question.chip;
    let run = PublishedMfu::highest_on(chip.id)
        .filter(|_| !chip.is_custom && estimate.question.pass == PassKind::Training)?;
    let percent = run.mfu_percent.value?;
    let usd = usd_per_pflop_hour(hour, peak, percent / 100.0)?;
    let line = words::usd_at_published(name, &cents(hour), percent, run.model, &dollars(usd));
    let citation = cite(String::new(), &run.mfu_percent);
    Some(Point { row, x: usd, shape: Shape::Cross, radius: 5.0, name: String::new(), line, citation })
}

#[cfg(test)]
mod tests {
    use super::super::super::answer::Drawing;
    use super::super::super::query::drawings;
    use display::plot::Shape;
    use estimate::{Answered, ModelQuery, Topic};
    use perfmodel::Chip;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    const FOUR: &str = "model=llama2-7b&chip=tpu-v5e&chips=8&seq=4096&versus=a100-40&third=h100-sxm&fourth=tpu-v6e";

    fn drawn(text: &str) -> Option<Drawing> {
        drawings(&Answered::parse(Topic::Model, text)).into_iter().find(|one| one.plot.id == "plot-usd")
    }

    #[test]
    fn each_chip_has_a_row_and_each_of_its_prices_a_dot() {
        let drawing = drawn(FOUR).expect("four chips");
        assert_eq!(drawing.plot.y.rows, ["TPU v5e", "A100 40GB SXM", "H100 80GB SXM5", "TPU v6e Trillium"]);
        let others = |id: &str| {
            let chip = Chip::by_id(id).expect("listed");
            let counts = chip.default_price().and_then(|price| price.usd_per_chip_hour.value);
            let all = chip.prices.iter().map(|price| price.usd_per_chip_hour.value);
            all.filter(|usd| usd.is_some() && *usd != counts).count()
        };
        let prices = ["tpu-v5e", "a100-40", "h100-sxm", "tpu-v6e"].map(others);
        let of = |shape: Shape| drawing.plot.dots.iter().filter(|dot| dot.shape == shape).count();
        assert_eq!((of(Shape::Circle), of(Shape::Cross)), (prices.iter().sum::<usize>(), 4));
        assert_eq!((of(Shape::Subject), drawing.plot.lines.len()), (4, 4));
        assert_eq!(drawing.dots.len(), drawing.plot.dots.len());
        assert!(drawing.dots.iter().all(|(line, citation)| line.contains('$') && !citation.source.is_empty()));
    }

    #[test]
    fn a_dot_stands_at_price_over_useful_rate() {
        let answer = ModelQuery::parse(FOUR).answer(None).expect("an answer");
        let (_, h100) = answer
            .others
            .iter()
            .find(|(_, one)| one.as_ref().is_ok_and(|one| one.question.chip.id == "h100-sxm"))
            .expect("beside");
        let mfu = h100.as_ref().expect("an answer").mfu.expect("possible").ratio;
        let drawing = drawn(FOUR).expect("four chips");
        let at = |text: &str| {
            let dot = drawing.plot.dots.iter().find(|dot| dot.words.starts_with(text));
            dot.unwrap_or_else(|| panic!("{text} in {:?}", drawing.dots)).at.0
        };
        // 989.4 TFLOPS, at AWS and at Lambda. The highest published MFU is that of the table.
        let most =
            perfmodel::PublishedMfu::highest_on("h100-sxm").and_then(|row| row.mfu_percent.value).expect("listed");
        assert!((at("H100 80GB SXM5 at $6.88") - 6.88 / (0.9894 * mfu)).abs() < 1e-9);
        assert!((at("H100 80GB SXM5 at $3.99") - 3.99 / (0.9894 * mfu)).abs() < 1e-9);
        assert!((at("H100 80GB SXM5 at $6.88 and the highest") - 6.88 / (0.9894 * most / 100.0)).abs() < 0.02);
    }

    #[test]
    fn one_chip_alone_has_no_such_plot_and_one_without_a_price_is_named() {
        assert!(drawn("chip=tpu-v5e").is_none() && drawn("chip=gaudi2&versus=gaudi3").is_none());
        let drawing = drawn("chip=tpu-v5e&versus=gaudi3").expect("one has a price");
        assert!(drawing.notes.iter().any(|note| note.contains("Intel Gaudi 3")), "{:?}", drawing.notes);
        assert_eq!(drawing.plot.lines.len(), 1);
        let own = drawn("chip=tpu-v5e&usd=0.8&versus=tpu-v5e").expect("the same chip at its list price");
        assert!(own.dots[0].0.contains("$0.80, at your price"), "{:?}", own.dots[0]);
    }
}
