//! The digits that chips printed, next to the digits of the array.

use leptos::prelude::*;
use lesson::printed::{ALL, Print};
use lesson::words;

use crate::browser::details;

/// The list of all prints. The array computes its digits when a person opens a print.
#[component]
pub(super) fn Prints() -> impl IntoView {
    let prints = ALL.iter().map(|print| view! { <PrintView print /> }).collect_view();
    view! {
        <section class="prints" aria-labelledby="prints">
            <div class="set-head">
                <h3 id="prints">{words::PRINTS}</h3>
                <p>{words::PRINTS_LEAD}</p>
            </div>
            {prints}
        </section>
    }
}

/// A print: its source, its digits, and what they prove.
#[component]
fn PrintView(print: &'static Print) -> impl IntoView {
    let is_open = RwSignal::new(false);
    let digits = move || {
        is_open.get().then(|| {
            let ours = print.ours();
            let row = |(text, ours): (&&'static str, f64)| {
                let is_same = print.is_same(ours, text);
                view! { <tr><td>{*text}</td><td>{words::digits(ours)}</td><td>{words::is_equal(is_same)}</td></tr> }
            };
            let rows = print.printed.iter().zip(ours).map(row).collect_view();
            view! {
                <table>
                    <thead><tr>{words::PRINT_HEADS.map(|head| view! { <th scope="col">{head}</th> }).into_iter().collect_view()}</tr></thead>
                    <tbody>{rows}</tbody>
                </table>
            }
        })
    };
    let all = print.all.map(|all| view! { <p>{words::whole_table(all)}</p> });
    let why = print.why.map(|why| view! { <p>{why}</p> });
    view! {
        <details class="more print" id=print.id on:toggle=move |event| is_open.set(details::is_open(&event))>
            <summary>{print.title} " " <span>{words::chip_and_date(print)}</span></summary>
            <p>{print.proves}</p>
            {why}
            {digits}
            {all}
            <p>
                <a href=print.run>{words::SHOW_PRINT}</a>
                " "
                <a href=print.source target="_blank" rel="noopener noreferrer">{words::SOURCE_OF_PRINT}</a>
            </p>
        </details>
    }
}
