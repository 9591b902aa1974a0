//! The details of one PE.

use leptos::html::Canvas;
use leptos::prelude::*;
use studio::follow::{Follow, Place, What};
use studio::{Action, Edit, Tool};
use words::{bench, caption, hardware, sheet};

use crate::browser::timing;
use crate::ctx::{Ctx, text_from, use_ctx};
use crate::effects::paint;
use crate::ui::{Choice, fixed_table};

/// The registers of the PE that the caption describes, the terms of its partial sum, and the bits of its numbers.
#[component]
pub(crate) fn Sheet() -> impl IntoView {
    let ctx = use_ctx();
    // A table that changes with every frame cannot be read.
    let written_out = Memo::new(move |_| {
        let (cycle, chosen) = (ctx.cycle.get(), ctx.focused_pe.get());
        // The sheet shows only a fault-free array.
        if ctx.playing.get() || ctx.tools.broken.with(Option::is_some) {
            return None;
        }
        ctx.plan.with(|plan| chosen.or_else(|| caption::telling_pe(plan, cycle))).map(|pe| (cycle, pe))
    });
    // While a person drags the scrubber, the sheet is not updated, because a sum can have 65 536 terms.
    let written_out_at_rest = timing::debounced(written_out);
    let content = move || {
        let Some((cycle, pe)) = written_out_at_rest.get() else {
            return view! { <p class="hint">{awaited(ctx)}</p> }.into_any();
        };
        ctx.plan.with(|plan| {
            let around = sheet::around(plan, cycle, pe);
            let Some((_, probe)) = around.iter().find(|(at, _)| *at == cycle) else { return ().into_any() };
            let registers = sheet::registers(plan, cycle, probe)
                .into_iter()
                .map(|line| (false, vec![line.register.to_owned(), line.holds, line.from, line.next]))
                .collect();
            let terms: Vec<_> = sheet::terms(plan, cycle, pe).into_iter().map(|term| (false, term.to_vec())).collect();
            let bits: Vec<_> = sheet::bits(plan, probe)
                .into_iter()
                .map(|bits| {
                    let [sign, exponent, fraction] = bits.parts;
                    let (name, code) = (bits.name.to_owned(), bits.code);
                    let whole = plan.dtype().is_integer();
                    let parts = if whole { vec![fraction] } else { vec![sign, exponent, fraction] };
                    (false, [vec![name, bits.value], parts, vec![code]].concat())
                })
                .collect();
            let block: Vec<_> =
                words::block::table(plan, cycle, pe).into_iter().map(|line| (false, line.to_vec())).collect();
            let steps: Vec<_> = sheet::steps(plan, probe).into_iter().map(|step| (false, step.to_vec())).collect();
            let history = sheet::history(cycle, &around).into_iter().map(|(now, line)| (now, line.to_vec())).collect();
            view! {
                {fixed_table(&bench::SHEET_REGISTERS, registers)}
                {(!steps.is_empty()).then(|| fixed_table(&bench::SHEET_STEPS, steps))}
                {(!terms.is_empty()).then(|| fixed_table(&bench::SHEET_TERMS, terms))}
                {(!bits.is_empty()).then(|| fixed_table(if plan.dtype().is_integer() { &bench::SHEET_BITS_WHOLE } else { &bench::SHEET_BITS[..] }, bits))}
                {(!block.is_empty()).then(|| fixed_table(&bench::SHEET_BLOCK, block))}
                {fixed_table(&bench::SHEET_HISTORY, history)}
            }
            .into_any()
        })
    };
    let followed = Memo::new(move |_| ctx.session().with(|session| session.tools.follow));
    let choices = core::iter::once(("", bench::FOLLOW_NOTHING.to_owned()))
        .chain(What::ALL.map(|what| (what.id(), bench::follow(what).to_owned())))
        .collect();
    let follow = move |id: String| {
        let cycle = ctx.cycle.get_untracked();
        // The tool follows the value that is now in the described PE, and selects this PE.
        if let Some((_, pe)) = written_out.get_untracked() {
            ctx.dispatch(&Action::Edit(Edit::Select(Some(pe))));
        }
        let what = What::ALL.into_iter().find(|what| what.id() == id);
        let text = what.map_or_else(String::new, |what| Follow { what, since: cycle }.to_text());
        ctx.dispatch(&Action::Edit(Edit::Tool(Tool::Follow, text)));
    };
    // The followed value, and the PE that contains the value now.
    let whereabouts = move || {
        let (follow, cycle) = (followed.get()?, ctx.cycle.get());
        let from = ctx.session().with(|session| session.view.selected)?;
        ctx.plan.with(|plan| {
            let Some(followed) = follow.followed(plan, from) else {
                return Some(view! { <p class="hint" id="followed">{bench::FOLLOW_EMPTY.to_owned()}</p> });
            };
            let name = caption::place(&followed);
            let words = match follow.place(plan, from, cycle)? {
                Place::In(pe) => format!("{name}: {}", caption::pe_name(pe)),
                Place::Outside => format!("{name} {}", bench::FOLLOW_OUTSIDE),
            };
            Some(view! { <p class="hint" id="followed">{words}</p> })
        })
    };
    view! {
        <div class="bench" id="sheet">
            <DrawnPe />
            <Choice
                id="follow"
                label=bench::FOLLOW
                options=choices
                value=text_from(move || followed.get().map_or("", |follow| follow.what.id()).to_owned())
                on_change=Box::new(follow)
            />
            {whereabouts}
            {content}
            <p class="hint" id="storage">{move || ctx.plan.with(|plan| hardware::storage(plan.schedule(), plan.unit()).join(" "))}</p>
        </div>
    }
}

/// A drawing of the PE that the caption describes, which also follows the run while it plays.
#[component]
fn DrawnPe() -> impl IntoView {
    let ctx = use_ctx();
    let pe = Memo::new(move |_| {
        if ctx.tools.broken.with(Option::is_some) {
            return None;
        }
        let (cycle, chosen) = (ctx.cycle.get(), ctx.focused_pe.get());
        ctx.plan.with(|plan| chosen.or_else(|| caption::telling_pe(plan, cycle)))
    });
    let canvas: NodeRef<Canvas> = NodeRef::new();
    paint::inside_pe(canvas, ctx, pe);
    let name = text_from(move || pe.get().map_or_else(String::new, caption::pe_name));
    view! {
        <h3>{name}</h3>
        // The tables below have the same content.
        <canvas class="inside-pe" node_ref=canvas aria-hidden="true" hidden=move || pe.get().is_none()></canvas>
    }
}

/// Returns the reason why the sheet is empty.
fn awaited(ctx: Ctx) -> &'static str {
    if ctx.tools.broken.with(Option::is_some) {
        bench::SHEET_BROKEN
    } else if ctx.playing.get() {
        bench::SHEET_PLAYING
    } else {
        bench::SHEET_EMPTY
    }
}
