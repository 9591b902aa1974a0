//! The page's side of the protocol with the host page: replies to requests, requested files, and events.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use export::{File, SIZE, View, png};
use leptos::leptos_dom::helpers::window_event_listener_untyped;
use leptos::prelude::*;
use protocol::{Answer, Failure, Message};

use super::{address, height};
use crate::browser::gif::Gif;
use crate::browser::port::{self, Greeting, Line};
use crate::browser::timing::Debounce;
use crate::browser::{location, pieces, snapshot};
use crate::ctx::{Answered, Ctx, memo};

thread_local! {
    // A host greets until it gets an answer, so several connections may be open. Events go to the newest connection.
    static LINES: RefCell<VecDeque<Line>> = const { RefCell::new(VecDeque::new()) };
    // The keys that the host wants for itself.
    static KEYS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Number of pixels of a PNG for each CSS pixel, as in the share dialog.
const SCALE: f64 = 2.0;

/// Maximum number of open connections to the host.
const LINES_MAX: usize = 8;

/// Minimum time between two events of one kind, so that a host gets at most twenty such events per second.
const PACE: core::time::Duration = core::time::Duration::from_millis(50);

/// Answers a greeting, and all requests that follow.
pub(crate) fn answer(ctx: Ctx, greeting: Greeting) {
    let text = greeting.text();
    let welcome = protocol::welcome(&text);
    let waiting = Waiting::default();
    let line = greeting.open(move |text, line| queue_message(ctx, &waiting, text, line));
    match welcome {
        Ok(welcome) => line.say(&welcome),
        Err(refusal) => {
            line.say(&refusal);
            line.close();
            return;
        }
    }
    KEYS.set(protocol::wanted_keys(&text));
    let is_first = LINES.with_borrow_mut(|lines| {
        let is_first = lines.is_empty();
        lines.push_back(line);
        if lines.len() > LINES_MAX
            && let Some(oldest) = lines.pop_front()
        {
            oldest.close();
        }
        is_first
    });
    if is_first {
        start_events(ctx);
    }
    send(&protocol::resized(height::wished(ctx)));
}

/// Requests of a connection that are not answered yet, in their order.
type Waiting = Rc<RefCell<VecDeque<String>>>;

/// Answers a message after the earlier messages of its connection. If messages arrive faster than the page draws,
/// several messages are answered before the page draws.
fn queue_message(ctx: Ctx, waiting: &Waiting, text: String, line: &Line) {
    waiting.borrow_mut().push_back(text);
    if waiting.borrow().len() > 1 {
        return;
    }
    let (waiting, line) = (Rc::clone(waiting), line.clone());
    pieces::run_soon(Box::new(move || {
        let text = waiting.borrow_mut().pop_front();
        if let Some(text) = text {
            handle_message(ctx, &text, &line);
        }
        !waiting.borrow().is_empty()
    }));
}

/// Answers a message if the message is a request: at once, or as soon as the requested file has been made.
fn handle_message(ctx: Ctx, text: &str, line: &Line) {
    let Some(message) = Message::read(text) else { return };
    let ask = || -> Result<Answer, Failure> {
        let request = message.request()?;
        for action in ctx.session().with_untracked(|session| request.actions(session))? {
            ctx.dispatch(&action);
        }
        request.answer(&ctx.session().get_untracked(), &ctx.playhead().get_untracked())
    };
    match ask() {
        Ok(Answer::Now(value)) => line.say(&message.reply(Ok(value))),
        Err(failure) => line.say(&message.reply(Err(failure))),
        Ok(Answer::Pixels(file)) => draw(ctx, file, message, line.clone()),
        Ok(Answer::File(mut file)) => {
            let line = line.clone();
            pieces::run(Box::new(move || match file.step() {
                Some(value) => {
                    line.say(&message.reply(Ok(value)));
                    false
                }
                None => true,
            }));
        }
    }
}

/// Draws a file in pixels, and answers with the file as a `data:` address.
fn draw(ctx: Ctx, file: File, message: Message, line: Line) {
    let plan = ctx.plan.get_untracked();
    let link = ctx.session().with_untracked(|session| session.link(&ctx.playhead().get_untracked()));
    let reply = move |bytes: Option<Vec<u8>>| {
        let address = |bytes: Vec<u8>| format!("data:{};base64,{}", file.media_type(), STANDARD.encode(bytes));
        let result = bytes.map(|bytes| address(bytes).into());
        line.say(&message.reply(result.ok_or_else(|| Failure::not_made(file))));
    };
    let view = View { plan: &plan, link: &link, size: SIZE };
    if file == File::Png {
        let link = location::absolute_link(&address::text_of(&link));
        let with_link = move |bytes: Option<Vec<u8>>| reply(bytes.map(|bytes| png::with_link(&bytes, &link)));
        return snapshot::png(&view.picture(), SCALE, Box::new(with_link));
    }
    let Some(gif) = Gif::new(&view, false) else { return reply(None) };
    let (mut gif, mut reply) = (Some(gif), Some(reply));
    pieces::run(Box::new(move || {
        let view = View { plan: &plan, link: &link, size: SIZE };
        let more = gif.as_mut().and_then(|gif| gif.step(&view));
        if more == Some(false) {
            return true;
        }
        let bytes = more.and_then(|_| gif.take()?.finish());
        if let Some(reply) = reply.take() {
            reply(bytes);
        }
        false
    }));
}

fn send(text: &str) {
    LINES.with_borrow(|lines| {
        if let Some(line) = lines.back() {
            line.say(text);
        }
    });
}

/// Starts the effects that send events to the host.
fn start_events(ctx: Ctx) {
    let moment = memo(move || (ctx.cycle.get(), ctx.plan.with(|plan| plan.last())));
    let (stepped, changed) = (Debounce::new(PACE), Debounce::new(PACE));
    let mut first = true;
    crate::browser::effect(move || {
        let (cycle, last) = moment.get();
        if !core::mem::take(&mut first) {
            stepped.throttle(move || protocol::stepped(cycle, last).iter().for_each(|event| send(event)));
        }
    });
    crate::browser::effect(move || {
        if let Some(Answered { card, is_right }) = ctx.lesson.answered.get() {
            send(&protocol::answered(&card, is_right));
        }
    });
    port::follow_keys(|key| {
        let is_wanted = KEYS.with_borrow(|keys| keys.iter().any(|wanted| wanted == key));
        if is_wanted {
            send(&protocol::pressed(key));
        }
        is_wanted
    });
    let width = RwSignal::new(0.0);
    let widened = window_event_listener_untyped("resize", move |_| _ = width.try_set(port::sizes().frame.0));
    on_cleanup(move || widened.remove());
    let mut told = None;
    let resized = Debounce::new(PACE);
    crate::browser::effect(move || {
        // Another array or another width needs another height.
        let now = (ctx.plan.get(), width.get());
        if told.replace(now.clone()).is_some_and(|before| before != now) {
            resized.throttle(move || send(&protocol::resized(height::wished(ctx))));
        }
    });
    let mut plan = None;
    crate::browser::effect(move || {
        let now = ctx.plan.get();
        if plan.replace(Arc::clone(&now)).is_none_or(|before| before == now) {
            return;
        }
        changed.throttle(move || {
            let session = ctx.session().try_get_untracked();
            if let Some((session, playhead)) = session.zip(ctx.playhead().try_get_untracked()) {
                send(&protocol::changed(&session, &playhead));
            }
        });
    });
}
