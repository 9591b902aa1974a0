//! The digits that chips printed, next to the digits of the array.

use leptos::prelude::*;
use lesson::printed::{ALL, OnAdder, Opened, Print};
use lesson::words;

use crate::browser::details;

/// The list of all prints. The array computes its digits when a person opens a print.
#[component]
pub(super) fn Prints() -> impl IntoView {
    let prints = ALL.iter().map(|print| view! { <PrintView print /> }).collect_view();
    view! {
        <section class="prints" aria-labelledby="prints">
            <div class="set-head">
                <h3 id="prints" tabindex="-1">{words::PRINTS}</h3>
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
    let computed = move || is_open.get().then(|| print.opened()).flatten().map(|opened| computed(print, &opened));
    let all = print.all.map(|all| view! { <p>{words::whole_table(all)}</p> });
    let why = print.why.map(|why| view! { <p>{why}</p> });
    view! {
        <details class="more print" id=print.id on:toggle=move |event| is_open.set(details::is_open(&event))>
            <summary>{print.title} " " <span>{words::chip_and_date(print)}</span></summary>
            <p>{print.proves}</p>
            {why}
            {all}
            {computed}
            <p>
                <a href=print.source target="_blank" rel="noopener noreferrer">{words::SOURCE_OF_PRINT}</a>
            </p>
        </details>
    }
}

/// A text, and the address to which it leads.
type Cell = (String, Option<String>);

/// The digits of a print next to those of the array, with the link of the run. Also shows the digits of other adders
/// with their rules.
fn computed(print: &Print, opened: &Opened) -> AnyView {
    let text = |text: &str| (text.to_owned(), None);
    let row = |(nth, (printed, ours)): (usize, (&&'static str, &f64))| {
        let exact = opened.exact.get(nth).map(|value| (words::exact(*value), None));
        let is_same = words::is_equal(print.is_same(*ours, printed));
        exact.into_iter().chain([text(printed), (words::digits(*ours), None), text(is_same)]).collect()
    };
    let rows = print.printed.iter().zip(&opened.ours).enumerate().map(row).collect();
    let has_exact = !opened.exact.is_empty();
    let heads = if has_exact { words::PRINT_HEADS } else { words::PRINT_HEADS.get(1..).unwrap_or_default() };
    let on_adder = |one: &OnAdder| {
        vec![
            (words::adder(one.adder), Some(one.link.clone())),
            (words::exact(one.value), None),
            (words::rule_of(one), None),
        ]
    };
    let adders = (!opened.adders.is_empty()).then(|| {
        let exact = vec![
            text(words::EXACT),
            (words::exact(opened.exact_of_operands), None),
            (words::exact_of(opened.dtype), None),
        ];
        let rows = opened.adders.iter().map(on_adder).chain([exact]).collect();
        view! {
            <h4>{words::on_adders(opened.place)}</h4>
            <p>{words::why_adders_differ(opened)}</p>
            {table(&words::ADDER_HEADS, rows)}
        }
    });
    view! {
        {table(heads, rows)}
        <p><a href=opened.link.clone()>{words::SHOW_PRINT}</a></p>
        {adders}
    }
    .into_any()
}

/// A table of texts, some of which are links.
fn table(heads: &'static [&'static str], rows: Vec<Vec<Cell>>) -> AnyView {
    let heads = heads.iter().map(|head| view! { <th scope="col">{*head}</th> }).collect_view();
    let cell = |(text, link): Cell| match link {
        Some(link) => view! { <td><a href=link>{text}</a></td> }.into_any(),
        None => view! { <td>{text}</td> }.into_any(),
    };
    let row = |cells: Vec<Cell>| view! { <tr>{cells.into_iter().map(cell).collect_view()}</tr> };
    let rows = rows.into_iter().map(row).collect_view();
    view! { <table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table> }.into_any()
}
