//! The GEMMs of a model as links. Each link opens the array view with the sizes of the GEMM, and with an array of the
//! chip's size.

use std::sync::Arc;

use ::report::layers as words;
use estimate::{Answered, Layer};
use leptos::prelude::*;
use perfmodel::PeakDtype;
use studio::{Field, FieldValue, Scenario};
use systolic::{Dtype, Overlap};

use super::comparison::{FULL, bar, units};
use crate::ctx::use_ctx;
use crate::effects::address;

/// Returns the number format that the array view uses for a format of the chip.
const fn format(dtype: PeakDtype) -> Dtype {
    match dtype {
        PeakDtype::F32 | PeakDtype::Tf32 => Dtype::F32,
        PeakDtype::F16 => Dtype::F16,
        PeakDtype::Fp8 => Dtype::E4m3fn,
        PeakDtype::Int8 => Dtype::Int8,
        PeakDtype::Int4 | PeakDtype::Fp4 => Dtype::Int4,
        PeakDtype::Bf16 | PeakDtype::Int16 => Dtype::Bf16,
    }
}

/// Returns the run of a GEMM, or `None` if the array view does not accept its sizes.
fn run(
    [m, k, n]: [u64; 3],
    (rows, cols): (u32, u32),
    dtype: PeakDtype,
    chip: Option<&'static str>,
) -> Option<Scenario> {
    let mut run = Scenario { dtype: format(dtype), overlap: Overlap::DoubleBuffered, ..Scenario::default() };
    run.chip = chip.unwrap_or(run.chip);
    let sides = [(Field::Rows, rows.into()), (Field::Cols, cols.into()), (Field::M, m), (Field::K, k), (Field::N, n)];
    sides.into_iter().try_for_each(|(field, side)| run.set(field, FieldValue::Count(side))).ok()?;
    Some(run)
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
