//! The GEMMs of a model as links. Each link opens the array view with the sizes of the GEMM, and with an array of the
//! chip's size.

use std::sync::Arc;

use ::report::layers as words;
use estimate::{Answered, Layer};
use leptos::prelude::*;
use perfmodel::PeakDtype;
use studio::{Field, Scenario};

use super::comparison::{FULL, bar, units};
use crate::ctx::use_ctx;
use crate::effects::address;

/// Returns the id of the number format that the array view uses for a format of the chip.
const fn format(dtype: PeakDtype) -> &'static str {
    match dtype {
        PeakDtype::F32 | PeakDtype::Tf32 => "f32",
        PeakDtype::F16 => "f16",
        PeakDtype::Fp8 => "e4m3fn",
        PeakDtype::Int8 => "int8",
        PeakDtype::Int4 | PeakDtype::Fp4 => "int4",
        PeakDtype::Bf16 | PeakDtype::Int16 => "bf16",
    }
}

/// Returns the run of a GEMM, or `None` if the array view does not accept its sizes.
fn run(sizes: [u64; 3], sides: (u32, u32), dtype: PeakDtype, chip: Option<&'static str>) -> Option<Scenario> {
    let mut scenario = Scenario::default();
    let [m, k, n] = sizes.map(|side| side.to_string());
    let (rows, cols) = (sides.0.to_string(), sides.1.to_string());
    let all = [
        (Field::Rows, rows.as_str()),
        (Field::Cols, &cols),
        (Field::M, &m),
        (Field::K, &k),
        (Field::N, &n),
        (Field::Dtype, format(dtype)),
        (Field::Overlap, "double-buffered"),
        (Field::Chip, chip.unwrap_or(scenario.chip)),
    ];
    all.into_iter().try_for_each(|(field, text)| scenario.set(field, text)).ok()?;
    Some(scenario)
}

/// The GEMMs of a model by time, each with a link. The links contain the entries of the model estimates, so that a person can return
/// to these entries.
#[component]
pub(super) fn Layers(rested: ReadSignal<Arc<Answered>>) -> impl IntoView {
    let ctx = use_ctx();
    let most = Field::M.most();
    let all = Memo::new(move |_| rested.with(|answered| answered.layers(most)));
    let links = move || {
        let layers = all.get()?;
        let sides = layers.sides?;
        let row = |layer: Layer| {
            let scenario = run(layer.sizes, sides, layers.dtype, layers.chip)?;
            let href = address::link_to_run(ctx, scenario);
            // In a frame, the link opens the array view as a separate page.
            let target = ctx.embedded().then_some("_blank");
            let [name, sizes, time, share] = words::cells(&layer);
            let opens = format!("{}: {name}", words::OPEN);
            Some(view! {
                <tr>
                    <th scope="row">{name}</th>
                    <td>{sizes}</td>
                    <td>{time}</td>
                    <td>{bar([("track", 0, FULL), ("used", 0, units(layer.share))])}{share}</td>
                    <td><a href=href target=target rel="noopener" aria-label=opens>{words::OPEN}</a></td>
                </tr>
            })
        };
        let items = layers.products.clone().into_iter().filter_map(row).collect_view();
        let heads = words::HEADS.map(|head| view! { <th scope="col">{head}</th> }).collect_view();
        Some(view! {
            <h3>{words::on_array(sides)}</h3>
            <div class="scroll">
                <table class="layers" id="layers">
                    <thead><tr>{heads}<td></td></tr></thead>
                    <tbody>{items}</tbody>
                </table>
            </div>
        })
    };
    view! { <div>{links}</div> }
}
