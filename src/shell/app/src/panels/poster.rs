//! The only button of a poster, which turns the poster into an embed that plays.

use core::time::Duration;

use leptos::prelude::*;
use studio::{Action, Chrome, Edit, Transport};
use words::label;

use crate::browser::focus;
use crate::browser::timer::later;
use crate::ctx::{text_from, use_ctx};
use crate::ui::{IconButton, icons};

/// The button over the still picture of a poster.
#[component]
pub(crate) fn PosterPlay() -> impl IntoView {
    let ctx = use_ctx();
    let is_poster = ctx.holds(|session| session.view.chrome == Chrome::Poster);
    let play = move || {
        ctx.dispatch(&Action::Edit(Edit::Room(Chrome::Embed)));
        if !ctx.playing.get_untracked() {
            ctx.dispatch(&Action::Move(Transport::Toggle));
        }
        // The pressed button is gone, so the focus moves to the pause button, once this button is shown.
        later(|| focus::focus("play"), Duration::ZERO);
    };
    move || {
        is_poster.get().then(|| {
            view! {
                <IconButton
                    id="poster-play"
                    label=text_from(|| label::PLAY_HERE.to_owned())
                    icon=text_from(|| icons::PLAY.to_owned())
                    on_press=Box::new(play)
                />
            }
        })
    }
}
