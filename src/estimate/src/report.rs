//! An answer as JSON: the same from the desk and from the command line.

use crate::answer::Bill;
use crate::json::Json;
use crate::{Cost, CostInputs, Estimate, ModelAnswer, accuracy, assumptions, bill, figures, rows};
use display::figure::Figure;
use perfmodel::{CostLine, Mfu, MfuRefusal, usd_per_million_tokens};

/// The answer to a case with all that it rests on.
#[must_use]
pub fn report(answer: &ModelAnswer, inputs: &CostInputs) -> Json {
    let estimate = &answer.estimate;
    let mut all = measures(estimate);
    all.push(("figures", Json::list(figures(estimate).into_iter().map(figure))));
    all.push(("bill", cost(&answer.cost, bill(answer, inputs))));
    if let Some((other, others)) = answer.beside() {
        let mut beside = vec![("chip", Json::from(other.question.chip.id))];
        beside.extend(measures(other));
        beside.push(("bill", cost(others, None)));
        all.push(("versus", Json::Object(beside)));
    }
    let products = rows(estimate).into_iter().map(|row| {
        let [m, k, n] = row.sizes;
        Json::Object(vec![
            ("product", row.name.into()),
            ("m", m.into()),
            ("k", k.into()),
            ("n", n.into()),
            ("count", row.count.into()),
            ("seconds", row.seconds.into()),
            ("share", row.share.into()),
            ("bound", row.bound.into()),
            ("eta_tile", row.eta_tile.into()),
        ])
    });
    all.push(("products", Json::list(products)));
    all.push(("errors_of_times", accuracy(estimate).map_or(Json::Number(None), |found| found.json())));
    all.push(("assumptions", Json::list(assumptions(estimate).into_iter().map(pair))));
    all.push(("data_as_of", perfmodel::AS_OF.into()));
    Json::Object(all)
}

fn measures(estimate: &Estimate) -> Vec<(&'static str, Json)> {
    let percent = |mfu: Result<Mfu, MfuRefusal>| Json::Number(mfu.ok().map(|mfu| mfu.ratio * 100.0));
    let question = &estimate.question;
    let chips = question.chips as f64;
    let usd = question.usd_per_chip_hour();
    let per_million =
        usd.zip(estimate.tokens_per_sec()).and_then(|(usd, all)| usd_per_million_tokens(usd, all / chips));
    vec![
        ("model", estimate.work.name.as_str().into()),
        ("mfu_pct", percent(estimate.mfu)),
        ("hfu_pct", percent(estimate.hfu)),
        ("step_time_s", estimate.step.0.into()),
        ("tokens_per_s", estimate.tokens_per_sec().into()),
        ("tokens_per_step", estimate.tokens.into()),
        ("model_flops_per_chip_and_step", estimate.model_flops.into()),
        ("executed_flops_per_chip_and_step", estimate.work.executed_flops().into()),
        ("weights", estimate.parameters.into()),
        ("usd_per_chip_hour", usd.into()),
        ("usd_per_step", usd.map(|usd| usd * chips * estimate.step.hours()).into()),
        ("usd_per_million_tokens", per_million.into()),
    ]
}

fn figure(figure: Figure) -> Json {
    let citations = figure.citations.into_iter().map(|one| {
        Json::Object(vec![
            ("what", one.what.into()),
            ("source", one.source.into()),
            ("confidence", one.confidence.into()),
            ("note", one.note.into()),
        ])
    });
    Json::Object(vec![
        ("id", figure.id.into()),
        ("name", figure.name.into()),
        ("value", figure.value.into()),
        ("note", figure.note.into()),
        ("formula", figure.formula.into()),
        ("worked", figure.worked.into()),
        ("says", figure.says.into()),
        ("leaves_out", figure.leaves_out.into()),
        ("citations", Json::list(citations)),
    ])
}

/// The amounts as they are, and the bill as it is shown.
fn cost(cost: &Cost, bill: Option<Bill>) -> Json {
    let lines = CostLine::ALL.map(|line| (line.word(), Json::Number(cost.bill.line(line).map(|usd| usd.0))));
    let mut all = vec![
        ("tokens", cost.tokens.into()),
        ("is_a_day", cost.is_day.into()),
        ("hours_of_useful_work", cost.time.hours().into()),
        ("useful_pflop_hours", cost.pflop_hours.into()),
        ("lines_usd", Json::Object(lines.into())),
        ("known_usd", cost.bill.known().0.into()),
        ("total_usd", cost.bill.total().map(|usd| usd.0).into()),
        ("kwh", cost.energy.map(perfmodel::Joules::kwh).into()),
        ("kg_co2", cost.kg_co2.into()),
    ];
    if let Some(bill) = bill {
        all.push(("shown", Json::list(bill.table.rows.into_iter().map(|(_, cells)| Json::list(cells)))));
        all.push(("figures", Json::list(bill.lines.into_iter().map(figure))));
    }
    Json::Object(all)
}

fn pair((what, value): (String, String)) -> Json {
    Json::Object(vec![("what", what.into()), ("value", value.into())])
}
