//! Plot of the cost of a useful PFLOP-hour on each compared chip. Dots show the cost at the selected price with its
//! interval, at the other listed prices, and at the highest published MFU.

use super::super::answer::Drawing;
use super::super::{interval, model};
use super::point::Point;
use super::{Named, rows};
use display::figure::{cents, cite, dollars, price_words};
use display::number::readable;
use display::plot::{Axis, Line, Plot, Shape, Stroke};
use estimate::{Estimate, NoUsefulHour, UsefulHour};
use perfmodel::Sourced;

/// Title of the plot.
const TITLE: &str = "Cost of a useful PFLOP-hour by chip";

/// Returns the plot, with a row for each run and its name. `None` if no run has both a price and an MFU.
pub(crate) fn useful_pflop_hours(runs: &[Named<'_>]) -> Option<Drawing> {
    let (mut asked, mut others, mut lines, mut said) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut most, mut notes) = (0.0_f64, vec!["A useful PFLOP-hour is 1000 effective TFLOPS for an hour. Diamonds show the cost at the selected price; lines show the 80 % intervals. Circles show the cost at other listed prices of the same chip. Crosses show the cost if the chip reached its highest published MFU, not the predicted MFU.".to_owned()]);
    for (row, (estimate, name)) in runs.iter().enumerate() {
        let found = match estimate.useful_hour() {
            Ok(found) => found,
            Err(why) => {
                notes.push(format!("{name} is not plotted: {}.", reason(why)));
                continue;
            }
        };
        let range = found.ends.map_or_else(String::new, |ends| format!(" ({})", interval::dollars(ends).words));
        said.push(format!("{name} {}{range}", dollars(found.usd)));
        if let Some((low, high)) = found.ends {
            let height = Axis::row(row);
            lines.push(Line { kind: Stroke::Own, points: vec![(low, height), (high, height)], label: String::new() });
            most = most.max(high);
        }
        asked.push(at_price(row, estimate, name, &found, &range));
        others.extend(at_others(row, name, &found));
    }
    let n_asked = asked.len();
    if n_asked == 0 {
        return None;
    }
    let points: Vec<Point> = asked.into_iter().chain(others).collect();
    let x = Axis::round("$ per useful PFLOP-hour", points.iter().map(|point| point.x).fold(most, f64::max));
    let dots = points.iter().enumerate().map(|(index, point)| point.dot(index, index < n_asked)).collect();
    let words =
        format!("{TITLE}: {}. The list next to the plot gives the price and source of each dot.", said.join("; "));
    let title = TITLE.to_owned();
    let plot = Plot { id: "plot-usd", title, words, x, y: rows(runs), lines, dots, has_legend: false };
    let dots = points.into_iter().map(|point| (point.line, point.citation)).collect();
    Some(Drawing { dots, notes, ..Drawing::of(plot) })
}

/// Returns the reason why the plot leaves out a run.
const fn reason(why: NoUsefulHour) -> &'static str {
    match why {
        NoUsefulHour::Mfu => "its MFU is not known",
        NoUsefulHour::Room => "it does not fit in memory",
        NoUsefulHour::Number => "its 80 % interval is too wide for one number",
        NoUsefulHour::Price => "its price is not published",
    }
}

/// Returns the dot at the selected price.
fn at_price(row: usize, estimate: &Estimate, name: &str, found: &UsefulHour<'_>, range: &str) -> Point {
    let (question, shape) = (&estimate.question, Shape::Subject);
    let (hour, usd) = (cents(found.hour), dollars(found.usd));
    let line = format!("{name} at {hour}, {}: {usd}{range}, {}", model::at_price(question), shape.word());
    let citation = match (question.usd, question.price()) {
        (None, Some(price)) => cite(price_words(price), &price.usd_per_chip_hour),
        _ => cite(format!("{hour} per chip-hour"), &Sourced::yours(Some(found.hour))),
    };
    Point { row, x: found.usd, shape, radius: 6.0, name: usd, line, citation }
}

/// Returns the dot at the highest published MFU, and the dots at other listed prices.
fn at_others(row: usize, name: &str, found: &UsefulHour<'_>) -> Vec<Point> {
    let highest = found.highest.map(|(run, percent, usd)| {
        let (shape, hour, mfu) = (Shape::Cross, cents(found.hour), readable(percent, 4));
        let line = format!(
            "{name} at {hour} and the highest published MFU, {mfu} % ({}): {}, {}",
            run.model,
            dollars(usd),
            shape.word()
        );
        let citation = cite(String::new(), &run.mfu_percent);
        Point { row, x: usd, shape, radius: 5.0, name: String::new(), line, citation }
    });
    let listed = found.listed.iter().map(|(price, hour, usd)| {
        let shape = Shape::Circle;
        let line = format!("{name} at {}, {}: {}, {}", cents(*hour), model::price(price), dollars(*usd), shape.word());
        let citation = cite(price_words(price), &price.usd_per_chip_hour);
        Point { row, x: *usd, shape, radius: 4.0, name: String::new(), line, citation }
    });
    highest.into_iter().chain(listed).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::answer::Drawing;
    use super::super::drawings;
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
        // The peak is 989.4 TFLOPS, at the prices of AWS and Lambda. The highest published MFU is from the table.
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
