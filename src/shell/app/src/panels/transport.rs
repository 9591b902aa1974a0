//! The controls of time: buttons, the scrubber on the timeline, and the speed.

use leptos::html::Canvas;
use leptos::prelude::*;
use studio::{Action, Speed, Transport as Request};
use words::{caption, label};

use crate::ctx::{Ctx, Text, memo, text_from, use_ctx};
use crate::effects::pointer::Pointer;
use crate::effects::{address, paint};
use crate::ui::{Choice, IconButton, icons};

/// The buttons that zoom the array view.
#[component]
fn ZoomButtons(
    /// Handler that zooms the array view.
    pointer: Pointer,
) -> impl IntoView {
    let buttons = [
        ("zoom-out", icons::MINUS, label::ZOOM_OUT, 0.8),
        ("zoom-in", icons::PLUS, label::ZOOM_IN, 1.25),
        ("zoom-whole", icons::FIT, label::ZOOM_WHOLE, 0.0),
    ];
    let button = |(id, icon, label, factor): (&'static str, &'static str, &'static str, f32)| {
        let fixed = |text: &'static str| -> Text { text_from(move || text.to_owned()) };
        let press = move || pointer.zoom(factor);
        view! { <IconButton id label=fixed(label) icon=fixed(icon) on_press=Box::new(press) /> }
    };
    view! { <div class="zoom">{buttons.map(button).into_iter().collect_view()}</div> }
}

/// Returns the width of the timeline. If the card's run before an answer was longer, the timeline is shorter, so that
/// both timelines have one scale.
fn width(ctx: Ctx) -> String {
    let cycles = ctx.plan.with(|plan| plan.schedule().cycles().get());
    let before = ctx.lesson.before.with(|before| before.as_ref().map(|before| before.schedule().cycles().get()));
    before
        .filter(|before| *before > cycles)
        .map_or_else(|| "auto".to_owned(), |before| format!("calc(100% * {cycles} / {before})"))
}

/// The controls of time, with the clock and the zoom buttons.
#[component]
pub(crate) fn Transport(
    /// Handler that zooms the array view.
    pointer: Pointer,
) -> impl IntoView {
    let ctx = use_ctx();
    let canvas: NodeRef<Canvas> = NodeRef::new();
    paint::timeline(canvas, ctx);
    let press = move |request: Request| -> Box<dyn Fn()> { Box::new(move || ctx.dispatch(&Action::Move(request))) };
    let playing = ctx.playing;
    let fixed = |text: &'static str| -> Text { text_from(move || text.to_owned()) };
    let play_label = text_from(move || if playing.get() { label::PAUSE } else { label::PLAY }.to_owned());
    let play_icon = text_from(move || {
        let is_over = ctx.plan.with(|plan| plan.last()) == ctx.cycle.get();
        match (playing.get(), is_over) {
            (true, _) => icons::PAUSE,
            (false, true) => icons::REPLAY,
            (false, false) => icons::PLAY,
        }
        .to_owned()
    });
    let speeds = Speed::ALL.map(|speed| (speed.id(), label::speed(speed).to_owned())).to_vec();
    let speed = text_from(move || ctx.playhead().with(|playhead| playhead.speed.id().to_owned()));
    let clock = |part: usize| ctx.text_of_moment(move |plan, cycle| caption::clock_parts(plan, cycle)[part].clone());
    let is_long = memo(move || ctx.plan.with(|plan| caption::is_long_clock(plan)));
    let seek = move |text: String| {
        if let Ok(cycle) = text.parse() {
            ctx.dispatch(&Action::Move(Request::Seek(cycle)));
        }
    };
    view! {
        <div class="transport">
            // The Tab key reaches Play first; the layout shows Play in the middle.
            <div class="buttons">
                <IconButton id="play" label=play_label icon=play_icon on_press=press(Request::Toggle) />
                <IconButton id="home" label=fixed(label::HOME) icon=fixed(icons::HOME) on_press=press(Request::Home) />
                <IconButton id="previous-event" label=fixed(label::PREVIOUS_EVENT) icon=fixed(icons::PREVIOUS_EVENT) on_press=press(Request::PreviousEvent) />
                <IconButton id="back" label=fixed(label::BACK) icon=fixed(icons::BACK) on_press=press(Request::Back(1)) />
                <IconButton id="forward" label=fixed(label::FORWARD) icon=fixed(icons::FORWARD) on_press=press(Request::Forward(1)) />
                <IconButton id="next-event" label=fixed(label::NEXT_EVENT) icon=fixed(icons::NEXT_EVENT) on_press=press(Request::NextEvent) />
                <IconButton id="end" label=fixed(label::END) icon=fixed(icons::END) on_press=press(Request::End) />
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
            <span class="clock-name" aria-hidden="true">{label::CYCLE}</span>
            <output class="clock" class:long=move || is_long.get() id="clock" for="scrub">
                <span>{clock(0)}</span> " " <span>{clock(1)}</span>
                // At the highest speed, an animation frame skips cycles. The text shows how many.
                <span>
                    {text_from(move || {
                        let speed = ctx.playhead().with(|playhead| playhead.speed);
                        ctx.plan.with(|plan| label::cycles_per_frame(speed, plan))
                    })}
                </span>
            </output>
            <ZoomButtons pointer />
        </div>
        <div class="timeline" class:playing=move || playing.get() style=("--n", ctx.text_of_plan(|plan| (plan.last().get() + 1).to_string())) style=("--width", text_from(move || width(ctx)))>
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
        <p class="drag" aria-hidden="true">{label::DRAG}</p>
        {ctx
            .embedded()
            .then(|| {
                view! {
                    <p class="open-full">
                        <a target="_blank" rel="noopener" href=text_from(move || address::link_in(ctx, studio::Chrome::Full))>{label::OPEN_FULL_PARTS[0]}<span>{label::OPEN_FULL_PARTS[1]}</span>{label::OPEN_FULL_PARTS[2]}</a>
                    </p>
                }
            })}
    }
}
