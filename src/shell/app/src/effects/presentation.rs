//! Presentation mode: the full screen, a screen that stays awake, the keys that clickers send, and the controls of the
//! speaker.
//!
//! This module handles a clicker's keys before the array view does.

use core::time::Duration;

use leptos::prelude::*;
use studio::{Action, Chrome, Deck, Edit, Field, Link, Scenario, Transport};
use systolic::{Cycle, PeId};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::KeyboardEvent;
use words::present::{self, Control, Unit};

use crate::browser::by_name::{call, property};
use crate::browser::timer::later;
use crate::ctx::Ctx;
use crate::navigation;
use crate::part_state::Goal;

/// Id of the sentence with the answer of the model estimates. The sentence gets the focus if a pressed button leads to
/// a new answer.
pub(crate) const ANSWER_ID: &str = "answer-sentence";

/// Requests full screen. If a browser or a frame refuses, the page fills the space that it has.
pub(crate) fn fill_screen() {
    if let Some(root) = crate::browser::document().and_then(|document| document.document_element()) {
        ignore_rejection(call(&root, "requestFullscreen", []));
    }
}

/// Ignores the failure of a promise, so that the console shows no error.
fn ignore_rejection(promise: Option<JsValue>) {
    if let Some(promise) = promise {
        call(&promise, "catch", [Closure::once_into_js(|_: JsValue| {})]);
    }
}

/// Leaves the full screen. Returns false if the page does not fill the screen.
fn leave_screen() -> bool {
    let document = crate::browser::document().filter(|document| property(document, "fullscreenElement").is_some());
    document.inspect(|document| ignore_rejection(call(document, "exitFullscreen", []))).is_some()
}

/// Starts the presentation. Without slides, the model estimates have no presentation mode: they fill the screen in
/// their own layout, and the next call leaves the full screen.
pub(crate) fn present(ctx: Ctx) {
    let at_estimate = ctx.session().with_untracked(|session| session.view.chrome.is_estimate());
    if at_estimate && untrack(|| deck(ctx)).is_empty() {
        if !leave_screen() {
            fill_screen();
            // The answers get the focus, so that keys scroll them.
            crate::browser::focus::focus(ANSWER_ID);
        }
        return;
    }
    ctx.dispatch(&Action::Edit(Edit::Room(Chrome::Present)));
    fill_screen();
}

/// Ends the presentation, and returns to the full page.
pub(crate) fn end_presentation(ctx: Ctx) {
    leave_screen();
    ctx.dispatch(&Action::Edit(Edit::Room(Chrome::Full)));
    later(|| crate::browser::focus::focus("to-present"), Duration::ZERO);
}

/// Wake lock of the screen, if the page has a wake lock.
type Awake = StoredValue<Option<JsValue>, LocalStorage>;

/// Requests a wake lock for the screen. Returns `None` if the browser has no wake locks.
fn keep_awake(awake: Awake) -> Option<()> {
    // `web-sys` has the wake lock behind a flag of the compiler.
    let lock = property(&property(&crate::browser::window()?.into(), "navigator")?, "wakeLock")?;
    let promise = call(&lock, "request", ["screen".into()])?;
    let got = Closure::once_into_js(move |lock: JsValue| {
        awake.try_set_value(Some(lock));
    });
    // A refusal is not an error: the screen then turns off according to its settings.
    let refused = Closure::once_into_js(|_: JsValue| {});
    call(&promise, "then", [got, refused]).map(drop)
}

/// Releases the wake lock, so that the screen can sleep.
fn let_sleep(awake: Awake) {
    if let Some(lock) = awake.try_update_value(Option::take).flatten() {
        call(&lock, "release", []);
    }
}

/// Returns the slides of the session.
pub(crate) fn deck(ctx: Ctx) -> Deck {
    ctx.session().with(|session| Deck::of(&session.texts))
}

/// Returns the link of a slide, if the deck has a slide at this index.
pub(crate) fn link_of(ctx: Ctx, deck: &Deck, index: usize) -> Option<Link> {
    ctx.session().with_untracked(|session| deck.shown(index, &session.texts))
}

/// Shows a slide, and plays its run if the slide says so.
pub(crate) fn show_slide(ctx: Ctx, deck: &Deck, index: usize) {
    let Some(link) = link_of(ctx, deck, index) else { return };
    ctx.dispatch(&Action::Edit(Edit::Preset(Box::new(link))));
    // A tool or lesson on the slide may be in a part that is not loaded yet.
    navigation::restore(ctx, Chrome::Present);
    if deck.said(index).is_some_and(|said| said.plays) {
        play(ctx);
    }
}

/// True if the wall shows MFU and cost. A slide can hide them until the talk has explained them.
pub(crate) fn shows_mfu(ctx: Ctx) -> bool {
    let deck = deck(ctx);
    !deck.at().and_then(|at| deck.said(at)).is_some_and(|said| said.has_no_mfu)
}

/// Plays the run.
pub(crate) fn play(ctx: Ctx) {
    if !ctx.playing.get_untracked() {
        ctx.dispatch(&Action::Move(Transport::Toggle));
    }
}

/// Moves `by` slides forward, or backward if `by` is negative.
pub(crate) fn step(ctx: Ctx, by: isize) {
    let deck = untrack(|| deck(ctx));
    if let Some(index) = deck.next(by).filter(|index| deck.at() != Some(*index)) {
        show_slide(ctx, &deck, index);
    }
}

/// Shows the next slide; after the last slide, the first slide.
pub(crate) fn step_around(ctx: Ctx) {
    let deck = untrack(|| deck(ctx));
    show_slide(ctx, &deck, deck.at().map_or(0, |at| (at + 1) % deck.len().max(1)));
}

/// Adds the view as a slide after the shown slide, and shows the new slide. Returns the number of the slide, or `None`
/// if the link has no room for it.
fn add(ctx: Ctx) -> Option<usize> {
    let view = ctx.session().with_untracked(|session| session.link(&ctx.playhead().get_untracked()));
    let mut deck = untrack(|| deck(ctx));
    let index = deck.at().map_or(deck.len(), |at| at + 1);
    deck.push(&view).then(|| {
        show_slide(ctx, &deck, index);
        index + 1
    })
}

/// A color that covers the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cover {
    Black,
    White,
    /// Black, after the last slide.
    End,
}

/// State of a presentation that no link contains.
#[derive(Clone, Copy)]
pub(crate) struct Hall {
    ctx: Ctx,
    /// Color that covers the screen.
    pub(crate) cover: RwSignal<Option<Cover>>,
    /// True if the pointer is large.
    pub(crate) points: RwSignal<bool>,
    /// True if the controls of the speaker replace the numbers.
    pub(crate) controls: RwSignal<bool>,
    /// True if the settings are next to the array.
    pub(crate) settings: RwSignal<bool>,
    /// True if a PE is shown from inside.
    pub(crate) inside: RwSignal<bool>,
    /// Message to the speaker, in place of the number of the slide.
    pub(crate) message: RwSignal<String>,
    /// True while the window with the notes opens. Browsers leave the full screen for a new window.
    opens_notes: StoredValue<bool>,
    /// Opens the window with the notes. Returns `None` if the browser blocks the window.
    notes: fn(Ctx) -> Option<()>,
    /// Unit of a clicker's steps.
    pub(crate) unit: RwSignal<Unit>,
    /// Number of the slide that was added last, until it is taken back.
    added: StoredValue<Option<usize>>,
    /// Digit that was typed last, and its time in milliseconds.
    typed: StoredValue<(usize, f64)>,
}

/// Time for which a message replaces the number of the slide.
const MESSAGE: Duration = Duration::from_secs(4);
/// Time in milliseconds within which two digits are one number.
const DIGITS_MS: f64 = 1000.0;

impl Hall {
    /// Creates the state, and starts its effects.
    pub(crate) fn new(ctx: Ctx, notes: fn(Ctx) -> Option<()>) -> Self {
        let hall = Self {
            ctx,
            opens_notes: StoredValue::new(false),
            notes,
            cover: RwSignal::new(None),
            points: RwSignal::new(false),
            controls: RwSignal::new(false),
            settings: RwSignal::new(false),
            inside: RwSignal::new(false),
            message: RwSignal::new(String::new()),
            unit: RwSignal::new(Unit::default()),
            added: StoredValue::new(None),
            typed: StoredValue::new((0, f64::MIN)),
        };
        hall.follow_slides();
        hall.follow();
        hall
    }

    pub(crate) fn tell(self, message: String) {
        self.tell_for(MESSAGE, message);
    }

    /// Shows a message for some time.
    pub(crate) fn tell_for(self, time: Duration, message: String) {
        self.message.set(message);
        later(move || _ = self.message.try_set(String::new()), time);
    }

    /// Covers the screen, or uncovers it if it has this color.
    fn cover(self, color: Cover) {
        self.cover.update(|cover| *cover = if *cover == Some(color) { None } else { Some(color) });
        // A covered run must not go on.
        if self.ctx.playing.get_untracked() {
            self.ctx.dispatch(&Action::Move(Transport::Toggle));
        }
    }

    /// Does what a control of the speaker says.
    pub(crate) fn act(self, control: Control) {
        let ctx = self.ctx;
        match control {
            Control::End if self.close_last() => {}
            Control::Slides => navigation::open(ctx, Goal::Share),
            Control::Add => {
                let number = add(ctx);
                self.added.set_value(number);
                self.tell(present::added(number));
            }
            // The changed run stays on the whole wall, until Escape shows the slide again.
            Control::Settings if self.settings.get_untracked() => self.hide_settings(),
            Control::Settings => {
                // The side panel has room for only one of them.
                self.inside.set(false);
                self.settings.set(true);
            }
            Control::Inside => {
                let is_inside = !self.inside.get_untracked();
                let chosen = ctx.session().with_untracked(|session| session.view.selected);
                let pe = || untrack(|| crate::telling::default_caption_pe(ctx)).unwrap_or(PeId::new(0, 0));
                let pe = is_inside.then(|| chosen.unwrap_or_else(pe));
                ctx.dispatch(&Action::Edit(Edit::Select(pe)));
                self.inside.set(is_inside);
            }
            Control::Unit => {
                let unit = self.unit.get_untracked().next();
                self.unit.set(unit);
                self.tell(unit.message().to_owned());
            }
            Control::Undo => {
                if self.remove_added().is_none() {
                    // A slide itself is not a change.
                    let deck = untrack(|| deck(ctx));
                    let is_slide = ctx.plan.with_untracked(|plan| present::title(&deck, plan)).is_some();
                    if is_slide { self.tell(present::NO_CHANGE.to_owned()) } else { super::address::undo(ctx) }
                }
            }
            Control::Notes => {
                self.opens_notes.set_value(true);
                later(move || _ = self.opens_notes.try_set_value(false), MESSAGE);
                if (self.notes)(ctx).is_none() {
                    self.tell(present::NO_NOTES.to_owned());
                }
            }
            Control::Pointer => self.points.update(|points| *points = !*points),
            Control::Black => self.cover(Cover::Black),
            Control::White => self.cover(Cover::White),
            // If a speaker presses Escape once too often, the talk must not end.
            Control::End if !untrack(|| deck(ctx)).is_empty() && self.message.get_untracked() != present::AGAIN => {
                self.tell(present::AGAIN.to_owned());
            }
            Control::End => end_presentation(ctx),
        }
    }

    /// Removes the slide that was added last, and shows the slide before it. Returns `None` if another slide is shown,
    /// or if a setting has changed since then. The caller then undoes the change first.
    fn remove_added(self) -> Option<()> {
        let (ctx, mut deck) = (self.ctx, untrack(|| deck(self.ctx)));
        let at = self.added.get_value()?.checked_sub(1).filter(|at| deck.at() == Some(*at))?;
        let slide = link_of(ctx, &deck, at)?;
        ctx.plan.with_untracked(|plan| *plan.scenario() == slide.scenario).then_some(())?;
        self.added.set_value(None);
        deck.remove(at);
        show_slide(ctx, &deck, at.saturating_sub(1));
        Some(())
    }

    /// Shows the PE above or below the PE that is shown from inside. Always returns true, because the key has no other
    /// use while a PE is shown from inside.
    fn choose_pe(self, rows: i32) -> bool {
        let ctx = self.ctx;
        let (chosen, array) =
            ctx.session().with_untracked(|session| (session.view.selected, session.plan.schedule().array()));
        let next = chosen.and_then(|pe| pe.row.checked_add_signed(rows).map(|row| PeId::new(row, pe.col)));
        if let Some(next) = next.filter(|next| array.contains(*next)) {
            ctx.dispatch(&Action::Edit(Edit::Select(Some(next))));
        }
        true
    }

    /// Closes all that is open over the slide or next to it.
    pub(crate) fn clear(self) {
        for opened in [self.controls, self.settings, self.inside] {
            opened.set(false);
        }
        self.cover.set(None);
    }

    /// Closes the topmost open part. If nothing is open, clears the chosen PE, or returns to the slide. Returns false
    /// if nothing changed.
    fn close_last(self) -> bool {
        let is_open = |part: RwSignal<bool>| part.get_untracked();
        if is_open(self.ctx.parts.shares) {
            self.ctx.parts.shares.set(false);
        } else if self.cover.get_untracked().is_some() {
            self.cover.set(None);
        } else if is_open(self.controls) {
            self.controls.set(false);
        } else if is_open(self.settings) {
            self.close_settings();
        } else if is_open(self.inside) {
            self.act(Control::Inside);
        } else if self.ctx.session().with_untracked(|session| session.view.selected.is_some()) {
            self.ctx.dispatch(&Action::Edit(Edit::Select(None)));
        } else {
            // A view that has moved from its slide goes back to it.
            let (ctx, deck) = (self.ctx, untrack(|| deck(self.ctx)));
            let has_moved = ctx.plan.with_untracked(|plan| present::has_moved(&deck, plan, ctx.cycle.get_untracked()));
            let Some(at) = deck.at().filter(|_| has_moved) else { return false };
            show_slide(ctx, &deck, at);
        }
        true
    }

    /// Hides the settings. A text that cannot be used is replaced by the value of the run.
    fn hide_settings(self) {
        self.settings.set(false);
        let bad = self.ctx.session().with_untracked(|session| {
            let fields = session.problems.iter().map(|problem| problem.field);
            fields.map(|field| (field, session.plan.scenario().get(field))).collect::<Vec<_>>()
        });
        if !bad.is_empty() {
            self.ctx.set_all(&bad);
        }
    }

    /// Closes the settings. If a person changed the slide's run, shows the original slide again. Otherwise, the run
    /// stays at its cycle.
    pub(crate) fn close_settings(self) {
        self.hide_settings();
        let deck = untrack(|| deck(self.ctx));
        let slide = deck.at().and_then(|at| link_of(self.ctx, &deck, at).map(|link| (at, link)));
        if let Some((at, link)) = slide
            && self.ctx.plan.with_untracked(|plan| *plan.scenario() != link.scenario)
        {
            show_slide(self.ctx, &deck, at);
        }
    }

    /// Returns the index of the slide to which a digit leads. Two digits within a second form one number.
    fn led_to(self, digit: usize, n_slides: usize) -> Option<usize> {
        let now = crate::browser::window()?.performance()?.now();
        let (before, then) = self.typed.get_value();
        let both = before * 10 + digit;
        let number = if now - then <= DIGITS_MS && (1..=n_slides).contains(&both) { both } else { digit };
        self.typed.set_value((number, now));
        number.checked_sub(1).filter(|index| *index < n_slides)
    }

    /// Moves by a step of the clicker. Returns false if a step is a slide and there are no slides.
    fn click(self, by: isize) -> bool {
        let (ctx, deck) = (self.ctx, untrack(|| deck(self.ctx)));
        // A step first uncovers a covered screen, so that a person sees each action. After the end, only a step back
        // uncovers it.
        let cover = self.cover.get_untracked();
        if cover.is_some() {
            self.cover.set(cover.filter(|cover| *cover == Cover::End && by > 0));
            return true;
        }
        let last = ctx.plan.with_untracked(|plan| plan.last());
        let cycle = ctx.cycle.get_untracked();
        let is_at_end = if by > 0 { cycle == last } else { cycle == Cycle(0) };
        let within = match (self.unit.get_untracked(), by > 0) {
            (Unit::Slide, _) if !deck.is_empty() => None,
            (Unit::Slide, _) => return false,
            (Unit::Event, true) => Some(Transport::NextEvent),
            (Unit::Event, false) => Some(Transport::PreviousEvent),
            (Unit::Cycle, true) => Some(Transport::Forward(1)),
            (Unit::Cycle, false) => Some(Transport::Back(1)),
        };
        match within.filter(|_| !is_at_end) {
            Some(request) => ctx.dispatch(&Action::Move(request)),
            None if by > 0 && deck.next(by).is_none_or(|next| deck.at() == Some(next)) => {
                // An audience sees that the slides have ended.
                self.cover(Cover::End);
            }
            None => step(ctx, by),
        }
        true
    }

    /// Moves between slides with the keys of a clicker, before the page uses these keys to move between cycles. If the
    /// array view has already moved to another cycle, the shown slide then sets its own cycle.
    fn follow_slides(self) {
        let ctx = self.ctx;
        let pressed = Closure::<dyn FnMut(KeyboardEvent)>::new(move |event: KeyboardEvent| {
            if event.ctrl_key() || event.alt_key() || event.meta_key() || !ctx.presents_untracked() || is_typed(&event)
            {
                return;
            }
            let is_handled = match event.key().as_str() {
                "PageDown" => self.click(1),
                "PageUp" => self.click(-1),
                "ArrowRight" if self.cover.get_untracked().is_some() => self.click(1),
                "ArrowLeft" if self.cover.get_untracked().is_some() => self.click(-1),
                "ArrowUp" if self.inside.get_untracked() => self.choose_pe(-1),
                "ArrowDown" if self.inside.get_untracked() => self.choose_pe(1),
                digit => {
                    let deck = untrack(|| deck(ctx));
                    let index = digit.parse().ok().and_then(|digit| self.led_to(digit, deck.len()));
                    if index.is_some() {
                        self.cover.set(None);
                    }
                    index.inspect(|index| show_slide(ctx, &deck, *index)).is_some()
                }
            };
            if is_handled {
                self.controls.set(false);
                event.prevent_default();
            }
        });
        let Some(document) = crate::browser::document() else { return };
        let function = pressed.as_ref().unchecked_ref::<js_sys::Function>().clone();
        // Fails only if the callback is not a function.
        let _ = document.add_event_listener_with_callback("keydown", &function);
        let pressed = StoredValue::new_local(Some(pressed));
        on_cleanup(move || {
            let _ = document.remove_event_listener_with_callback("keydown", &function);
            drop(pressed.try_update_value(Option::take));
        });
        // A new slide closes the PE and the settings that were open on the previous slide.
        let at = crate::ctx::memo(move || deck(ctx).at());
        crate::browser::effect(move || {
            // Only a read computes a memo.
            at.get();
            self.inside.set(false);
            self.settings.set(false);
        });
        self.follow_stop();
        // A deck without a current slide begins with its first slide. A link that names a slide and sets nothing else shows
        // this slide.
        let presents = crate::ctx::memo(move || ctx.presents());
        crate::browser::effect(move || {
            if presents.get() {
                let deck = untrack(|| deck(ctx));
                let sets_nothing = ctx.plan.with_untracked(|plan| *plan.scenario() == Scenario::default())
                    && ctx.cycle.get_untracked() == Cycle(0);
                match deck.at() {
                    None => show_slide(ctx, &deck, 0),
                    Some(at) if sets_nothing => show_slide(ctx, &deck, at),
                    Some(_) => {}
                }
            }
        });
    }

    /// Stops a playing run at the cycle that its slide names. The speaker continues from there.
    fn follow_stop(self) {
        let ctx = self.ctx;
        let stop = crate::ctx::memo(move || {
            let deck = deck(ctx);
            deck.at().and_then(|at| deck.said(at)).and_then(|said| said.stop)
        });
        let before = StoredValue::new(0);
        crate::browser::effect(move || {
            let cycle = ctx.cycle.get().get();
            let passed = before.get_value()..cycle;
            before.set_value(cycle);
            if let Some(stop) = stop.get_untracked().filter(|stop| passed.contains(&stop.saturating_sub(1)))
                && ctx.presents_untracked()
                && ctx.playing.get_untracked()
            {
                ctx.dispatch(&Action::Move(Transport::Seek(stop)));
            }
        });
    }

    /// Handles the keys of the speaker's controls. Keeps the screen awake during a presentation.
    fn follow(self) {
        let ctx = self.ctx;
        let awake: Awake = StoredValue::new_local(None);
        let presents = crate::ctx::memo(move || ctx.presents());
        crate::browser::effect(move || {
            if presents.get() {
                // Without a wake lock, the screen follows its own settings.
                let _ = keep_awake(awake);
            } else {
                let_sleep(awake);
                self.clear();
            }
        });
        let pressed = window_event_listener(leptos::ev::keydown, move |event| {
            // Enter takes over a typed number. The next keys then move the run. In a matrix, Enter begins a row.
            if self.settings.get_untracked()
                && event.key() == "Enter"
                && crate::browser::focus::is_within("input.number")
            {
                crate::browser::focus::leave();
                return;
            }
            let is_other = event.default_prevented() || event.ctrl_key() || event.meta_key() || event.alt_key();
            if is_other || !ctx.presents_untracked() || (is_typed(&event) && event.key() != "Escape") {
                return;
            }
            match event.key().as_str() {
                // A clicker sends F5 to start the show. The browser would reload the page.
                "F5" => fill_screen(),
                "k" | "K" | "?" => self.controls.update(|controls| *controls = !*controls),
                key => {
                    let control = Control::of_key(key);
                    // Another key shows the numbers again.
                    if control != Some(Control::End) {
                        self.controls.set(false);
                    }
                    let Some(control) = control else { return };
                    self.act(control);
                    // After a key, the focus moves to the settings, which are drawn after this task. After a touch, the
                    // focus would open the keyboard on the screen.
                    if control == Control::Settings && self.settings.get_untracked() {
                        later(|| crate::browser::focus::focus(Field::M.id()), Duration::ZERO);
                    }
                }
            }
            event.prevent_default();
        });
        let left = window_event_listener_untyped("fullscreenchange", move |_| {
            let document = crate::browser::document();
            let is_full = document.is_some_and(|document| property(&document, "fullscreenElement").is_some());
            // At Escape, a browser leaves the full screen and does not send the key to the page. So the end of the full
            // screen counts as Escape.
            let opens_notes = self.opens_notes.try_get_value() == Some(true);
            if !is_full && !opens_notes && ctx.presents_untracked() {
                self.act(Control::End);
            }
        });
        on_cleanup(move || {
            pressed.remove();
            left.remove();
        });
    }
}

/// True if a key goes to a field or to a dialog. A field for a number takes neither letters nor the keys of a clicker.
fn is_typed(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    let key = event.key();
    let is_of_speaker = key.starts_with("Page") || Control::ALL.iter().any(|one| one.key().eq_ignore_ascii_case(&key));
    let is_in = |around: &&str| target.as_ref().is_some_and(|target| target.closest(around).ok().flatten().is_some());
    ["dialog", "textarea", "select", "input:not([type=range],[type=radio],[type=checkbox],.number)"].iter().any(is_in)
        || (!is_of_speaker && is_in(&"input.number"))
}
