//! Moving in time: buttons, the scrubber on the timeline, the speed.

use display::number::grouped;
use leptos::html::Canvas;
use leptos::prelude::*;
use studio::words::{caption, label};
use studio::{Action, Speed, Transport as Request};

use crate::browser::{address, paint};
use crate::ctx::{Text, text_from, use_ctx};
use crate::ui::{Choice, IconButton};

/// The transport.
#[component]
pub(crate) fn Transport() -> impl IntoView {
    let ctx = use_ctx();
    let canvas: NodeRef<Canvas> = NodeRef::new();
    paint::timeline(canvas, ctx);
    let press = move |request: Request| -> Box<dyn Fn()> { Box::new(move || ctx.dispatch(&Action::Move(request))) };
    let playing = ctx.playing;
    let fixed = |text: &'static str| -> Text { text_from(move || text.to_owned()) };
    let play_label = text_from(move || if playing.get() { label::PAUSE } else { label::PLAY }.to_owned());
    let play_sign = text_from(move || if playing.get() { "❚❚" } else { "▶" }.to_owned());
    let speeds = Speed::ALL.map(|speed| (speed.id(), label::speed(speed).to_owned())).to_vec();
    let speed = text_from(move || ctx.playhead().with(|playhead| playhead.speed.id().to_owned()));
    let seek = move |text: String| {
        if let Ok(cycle) = text.parse() {
            ctx.dispatch(&Action::Move(Request::Seek(cycle)));
        }
    };
    view! {
        <div class="transport">
            <div class="buttons">
                <IconButton id="home" label=fixed(label::HOME) sign=fixed("❙◀") on_press=press(Request::Home) />
                <IconButton id="back" label=fixed(label::BACK) sign=fixed("\u{2212}1") on_press=press(Request::Back(1)) />
                <IconButton id="play" label=play_label sign=play_sign on_press=press(Request::Toggle) />
                <IconButton id="forward" label=fixed(label::FORWARD) sign=fixed("+1") on_press=press(Request::Forward(1)) />
                <IconButton id="end" label=fixed(label::END) sign=fixed("▶❙") on_press=press(Request::End) />
                <IconButton id="previous-event" label=fixed(label::PREVIOUS_EVENT) sign=fixed("[") on_press=press(Request::PreviousEvent) />
                <IconButton id="next-event" label=fixed(label::NEXT_EVENT) sign=fixed("]") on_press=press(Request::NextEvent) />
            </div>
            <Choice
                id="speed"
                label=label::SPEED
                options=speeds
                value=speed
                on_change=Box::new(move |id| {
                    if let Some(speed) = Speed::from_id(&id) {
                        ctx.dispatch(&Action::Move(Request::Speed(speed)));
                    }
                })
            />
            <div class="timeline">
                <canvas node_ref=canvas aria-hidden="true"></canvas>
                <input
                    id="scrub"
                    type="range"
                    min="0"
                    step="1"
                    aria-label=label::SCRUBBER
                    prop:max=ctx.text_of_plan(|plan| plan.last().to_string())
                    prop:value=ctx.text_at_rest(|_, cycle| cycle.to_string())
                    aria-valuetext=ctx.text_at_rest(caption::scrubber)
                    on:input=move |event| seek(event_target_value(&event))
                />
            </div>
            <output class="clock" id="clock" for="scrub">
                {ctx.text_of_moment(|plan, cycle| {
                    format!("{} / {}", grouped(cycle.get()), grouped(plan.schedule().cycles().get()))
                })}
                // At the highest speed a frame of the screen passes over cycles, and says how many.
                {text_from(move || {
                    let speed = ctx.playhead().with(|playhead| playhead.speed);
                    ctx.plan.with(|plan| label::cycles_per_frame(speed, plan))
                })}
            </output>
        </div>
        {ctx
            .embedded()
            .then(|| {
                view! {
                    <p class="open-full">
                        <a target="_blank" rel="noopener" href=text_from(move || address::link_in(ctx, studio::Chrome::Full))>{label::OPEN_FULL}</a>
                    </p>
                }
            })}
    }
}
