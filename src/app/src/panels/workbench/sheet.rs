//! One PE written out.

use leptos::prelude::*;
use studio::words::{caption, label, sheet};

use super::table;
use crate::browser::paint;
use crate::ctx::use_ctx;

/// The registers of the PE that the caption tells about, its sum term by term, and its numbers in bits.
#[component]
pub(crate) fn Sheet() -> impl IntoView {
    let ctx = use_ctx();
    // A table that changes with every frame cannot be read.
    let told = Memo::new(move |_| {
        let (cycle, chosen) = (ctx.cycle.get(), ctx.told.get());
        // What is written out is the sound machine.
        if ctx.playing.get() || ctx.plan.with(|plan| paint::broken(ctx, plan)).is_some() {
            return None;
        }
        ctx.plan.with(|plan| chosen.or_else(|| caption::telling_pe(plan, cycle))).map(|pe| (cycle, pe))
    });
    let content = move || {
        let Some((cycle, pe)) = told.get() else {
            return view! { <p class="hint">{label::SHEET_EMPTY}</p> }.into_any();
        };
        ctx.plan.with(|plan| {
            let registers = sheet::registers(plan, cycle, pe)
                .into_iter()
                .map(|line| (false, vec![line.register.to_owned(), line.holds, line.from, line.next]))
                .collect();
            let terms: Vec<_> = sheet::terms(plan, cycle, pe).into_iter().map(|term| (false, term.to_vec())).collect();
            let bits: Vec<_> = sheet::bits(plan, cycle, pe)
                .into_iter()
                .map(|bits| {
                    let [sign, exponent, fraction] = bits.parts;
                    (false, vec![bits.name.to_owned(), bits.value, sign, exponent, fraction, bits.code])
                })
                .collect();
            view! {
                <h3>{caption::pe_name(pe)}</h3>
                {table(&label::SHEET_REGISTERS, registers)}
                {(!terms.is_empty()).then(|| table(&label::SHEET_TERMS, terms))}
                {(!bits.is_empty()).then(|| table(&label::SHEET_BITS, bits))}
            }
            .into_any()
        })
    };
    view! {
        <section class="bench" id="sheet" aria-label=label::SHEET>
            <h2>{label::SHEET}</h2>
            {content}
        </section>
    }
}
