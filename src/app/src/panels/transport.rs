//! Moving in time: buttons, the scrubber on the timeline, the speed.

use leptos::html::Canvas;
use leptos::prelude::*;
use studio::number::grouped;
use studio::words::{caption, label};
use studio::{Action, Speed, Transport as Request};

use crate::browser::{address, paint};
use crate::ctx::use_ctx;
use crate::ui::{Choice, IconButton};

/// The transport.
#[component]
pub(crate) fn Transport() -> impl IntoView {
    let ctx = use_ctx();
    let canvas: NodeRef<Canvas> = NodeRef::new();
    paint::timeline(canvas, ctx);
    let ask = move |request: Request| move || ctx.dispatch(&Action::Move(request));
    let playing = ctx.playing;
    let play_label = Signal::derive(move || if playing.get() { label::PAUSE } else { label::PLAY });
    let play_sign = Signal::derive(move || if playing.get() { "❚❚" } else { "▶" });
    let speeds = Speed::ALL.map(|speed| (speed.id(), label::speed(speed).to_owned())).to_vec();
    let speed = Memo::new(move |_| ctx.playhead().with(|playhead| playhead.speed.id().to_owned()));
    let last = Memo::new(move |_| ctx.plan.with(|plan| plan.last().get()));
    let seek = move |text: String| {
        if let Ok(cycle) = text.parse() {
            ctx.dispatch(&Action::Move(Request::Seek(cycle)));
        }
    };
    view! {
        <div class="transport">
            <div class="buttons">
                <IconButton id="home" label=label::HOME sign="⏮" on_press=ask(Request::Home) />
                <IconButton id="back" label=label::BACK sign="◀" on_press=ask(Request::Back(1)) />
                <IconButton id="play" label=play_label sign=play_sign on_press=ask(Request::Toggle) />
                <IconButton id="forward" label=label::FORWARD sign="▶❙" on_press=ask(Request::Forward(1)) />
                <IconButton id="end" label=label::END sign="⏭" on_press=ask(Request::End) />
                <IconButton id="previous-event" label=label::PREVIOUS_EVENT sign="[" on_press=ask(Request::PreviousEvent) />
                <IconButton id="next-event" label=label::NEXT_EVENT sign="]" on_press=ask(Request::NextEvent) />
            </div>
            <Choice
                id="speed"
                label=label::SPEED
                options=speeds
                value=speed
                on_change=move |id| {
                    if let Some(speed) = Speed::from_id(&id) {
                        ctx.dispatch(&Action::Move(Request::Speed(speed)));
                    }
                }
            />
            <div class="timeline">
                <canvas node_ref=canvas aria-hidden="true"></canvas>
                <input
                    id="scrub"
                    type="range"
                    min="0"
                    step="1"
                    aria-label=label::SCRUBBER
                    prop:max=move || last.get().to_string()
                    prop:value=move || ctx.cycle.get().get().to_string()
                    aria-valuetext=move || ctx.plan.with(|plan| caption::scrubber(plan, ctx.cycle.get()))
                    on:input=move |event| seek(event_target_value(&event))
                />
            </div>
            <output class="clock" id="clock" for="scrub">
                {move || grouped(ctx.cycle.get().get())} " / " {move || grouped(last.get() + 1)}
            </output>
        </div>
        {ctx
            .embedded()
            .then(|| {
                view! {
                    <p class="open-full">
                        <a target="_blank" rel="noopener" href=move || address::full_link(ctx)>{label::OPEN_FULL}</a>
                    </p>
                }
            })}
    }
}
