//! Tests of the tokens while the first screen plays to its end and steps back. In every frame, each token is between
//! its registers before and after the clock edge. All tokens have moved by an equal share of their way.

use display::Picture;
use display::picture::Mark;
use serde_json::{Value, json};
use stage::{Frame, tween};
use studio::{Link, Plan};
use systolic::{Cycle, Operand};
use whole::browser::Page;

use crate::shown;

const RUN: &str = "rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8";

/// Script that records the texts on the canvases of the array view, and their positions in each frame. The positions
/// come from the browser, because the browser moves a canvas with moving tokens.
const WATCH: &str = "\
    const stage = document.querySelector('#stage canvas'), context = CanvasRenderingContext2D.prototype; \
    const { clearRect, fillText } = context, written = new Map(); \
    window.frames_seen = []; \
    context.clearRect = function (...box) { written.set(this.canvas, []); return clearRect.apply(this, box); }; \
    context.fillText = function (text, x, y) { \
        const at = this.getTransform().transformPoint({ x, y }); written.get(this.canvas)?.push([text, at.x, at.y]); \
        return fillText.call(this, text, x, y); }; \
    const box = stage.getBoundingClientRect(); \
    const look = () => { \
        const seen = []; \
        for (const canvas of document.querySelectorAll('#stage canvas')) { \
            const { left, top, width } = canvas.getBoundingClientRect(), scale = width / canvas.width; \
            if (width === 0 || getComputedStyle(canvas).opacity === '0') continue; \
            for (const [text, x, y] of written.get(canvas) ?? []) \
                seen.push([text, left - box.left + x * scale, top - box.top + y * scale]); \
        } \
        if (seen.length > 0) window.frames_seen.push(seen); \
        requestAnimationFrame(look); }; \
    requestAnimationFrame(look); \
    return [box.width, box.height];";

/// Largest distance of a text from its correct position, in px.
const OFF_MAX: f32 = 0.75;

/// Text of a token, with the positions of its middle before and after the step.
struct Moving {
    text: String,
    from: (f32, f32),
    to: (f32, f32),
}

impl Moving {
    fn by(&self) -> (f32, f32) {
        (self.to.0 - self.from.0, self.to.1 - self.from.1)
    }

    fn is_straight(&self) -> bool {
        self.by().0.abs() < 1.0 || self.by().1.abs() < 1.0
    }
}

/// Texts on the tokens of a picture, and their ways to the next picture. Without a next picture the tokens rest.
fn moving(before: &Picture, after: Option<&Picture>) -> Vec<Moving> {
    let ways: Vec<Option<tween::Way>> = match after {
        Some(after) => tween::ways(before, after),
        None => before
            .tokens
            .iter()
            .map(|token| token.rect.center())
            .map(|at| Some(tween::Way { from: at, to: at }))
            .collect(),
    };
    let texts = before.tokens.iter().zip(ways).flat_map(|(token, way)| {
        let marks = before.marks[token.marks.clone()].iter();
        marks.filter_map(move |mark| match (mark, way) {
            (Mark::Text { at, text, .. }, Some(way)) => {
                let to = (at.0 + way.to.0 - way.from.0, at.1 + way.to.1 - way.from.1);
                Some(Moving { text: text.clone(), from: *at, to })
            }
            _ => None,
        })
    });
    texts.collect()
}

/// Share of the way that the tokens have moved in a frame; `None` if no share fits all tokens.
fn share(frame: &[(String, f32, f32)], tokens: &[Moving]) -> Option<f32> {
    // A token that goes in both directions goes sideways first.
    let at = |token: &Moving, share: f32| {
        let (dx, dy) = token.by();
        let (begin, end) =
            if token.is_straight() { (share, share) } else { ((2.0 * share).min(1.0), (2.0 * share - 1.0).max(0.0)) };
        (token.from.0 + dx * begin, token.from.1 + dy * end)
    };
    let is_seen = |token: &Moving, share: f32| {
        let (x, y) = at(token, share);
        frame.iter().any(|(text, left, top)| *text == token.text && (left - x).hypot(top - y) < OFF_MAX)
    };
    // The token with the longest way gives the most exact share.
    let length = |token: &&Moving| token.by().0.abs() + token.by().1.abs();
    let pilot = tokens.iter().max_by(|a, b| length(a).total_cmp(&length(b)))?;
    let (dx, dy) = pilot.by();
    let candidates = frame.iter().filter(|(text, ..)| *text == pilot.text).map(|(_, x, y)| {
        let (along, down) = (
            (x - pilot.from.0) / dx.abs().max(0.01) * dx.signum(),
            (y - pilot.from.1) / dy.abs().max(0.01) * dy.signum(),
        );
        match (pilot.is_straight(), dx.abs() > dy.abs()) {
            (true, true) => along,
            (true, false) => down,
            (false, _) => (along.clamp(0.0, 1.0) + down.clamp(0.0, 1.0)) / 2.0,
        }
    });
    candidates.map(|share| share.clamp(0.0, 1.0)).find(|&share| tokens.iter().all(|token| is_seen(token, share)))
}

/// Frames painted since the last call.
fn frames(page: &Page) -> Vec<Vec<(String, f32, f32)>> {
    let seen = page.js("const seen = window.frames_seen; window.frames_seen = []; return seen");
    #[expect(clippy::cast_possible_truncation, reason = "a place on a screen")]
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN) as f32;
    let text = |text: &Value| (text[0].as_str().unwrap_or_default().to_owned(), number(&text[1]), number(&text[2]));
    let frame = |frame: &Value| frame.as_array().into_iter().flatten().map(text).collect();
    seen.as_array().into_iter().flatten().map(frame).collect()
}

/// Pictures of all cycles of the run in an array view of this size.
fn pictures(width: f32, height: f32) -> Vec<Picture> {
    let plan = Plan::new(&Link::parse(RUN, "").scenario).expect("a run");
    let drawn = |cycle: u64| {
        let mut picture = Picture::default();
        stage::draw(&Frame::new(&plan, Cycle(cycle)), width, height, &mut picture);
        picture
    };
    (0..=plan.last().get()).map(drawn).collect()
}

/// Follows frames through time. Returns the number of steps in which the tokens were seen moving.
fn follow(frames: &[Vec<(String, f32, f32)>], pictures: &[Picture], is_backward: bool) -> usize {
    let mut now = if is_backward { pictures.len() - 1 } else { 0 };
    let (mut n_on_the_way, mut seen) = (0, None);
    for (nth, frame) in frames.iter().enumerate() {
        if share(frame, &moving(&pictures[now], None)).is_some() {
            continue;
        }
        let next = if is_backward { now.checked_sub(1) } else { Some(now + 1).filter(|next| *next < pictures.len()) };
        let next = next.unwrap_or_else(|| panic!("frame {nth} shows more than the last cycle: {frame:?}"));
        if share(frame, &moving(&pictures[next], None)).is_some() {
            now = next;
            continue;
        }
        let (before, after) = (now.min(next), now.max(next));
        let way = share(frame, &moving(&pictures[before], Some(&pictures[after])));
        assert!(way.is_some(), "frame {nth} between cycles {before} and {after}: a token is not on its way: {frame:?}");
        if seen != Some(before) {
            (seen, n_on_the_way) = (Some(before), n_on_the_way + 1);
        }
    }
    let end = if is_backward { 0 } else { pictures.len() - 1 };
    assert_eq!(now, end, "the frames end at the end");
    n_on_the_way
}

#[test]
fn every_token_goes_from_register_to_register_to_the_last_cycle_and_back() {
    let page = Page::open(&format!("?{RUN}&t=0"));
    shown(&page);
    let size = page.js(WATCH);
    #[expect(clippy::cast_possible_truncation, reason = "a size on a screen")]
    let side = |nth: usize| size[nth].as_f64().expect("a number") as f32;
    let pictures = pictures(side(0), side(1));
    let last = pictures.len() - 1;
    let shows = |cycle: usize| page.text("#clock").starts_with(&format!("{cycle} "));
    page.press(' ', false);
    page.wait_until("it has played to its end", || shows(last));
    page.js_async("await new Promise(done => setTimeout(done, 600))");
    let forward = follow(&frames(&page), &pictures, false);
    for cycle in (0..last).rev() {
        page.press('\u{e012}', false);
        page.wait_until("it is a cycle earlier", || shows(cycle));
        page.js_async("await new Promise(done => setTimeout(done, 400))");
    }
    let backward = follow(&frames(&page), &pictures, true);
    // A busy machine may miss one or two steps, but not more.
    assert!(forward + 2 >= last && backward + 2 >= last, "{forward} and {backward} of {last} steps were seen moving");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

/// Script that counts the canvases with tokens over the array view.
const OVER: &str = "const [, ...over] = document.querySelectorAll('#stage canvas'); \
    return over.filter(one => getComputedStyle(one).display !== 'none').length";

#[test]
fn nothing_lies_over_the_way_of_a_value() {
    let page = Page::open(&format!("?{RUN}&t=7"));
    shown(&page);
    let n_over = || page.js(OVER).as_u64().unwrap_or_default();
    page.wait_until("the next step lies ready", || n_over() > 0);
    let at = page.js("const box = document.querySelector('#stage canvas').getBoundingClientRect(); \
        return [box.x, box.y, box.width, box.height]");
    #[expect(clippy::cast_possible_truncation, reason = "a place on a screen")]
    let side = |nth: usize| at[nth].as_f64().expect("a number") as f32;
    let plan = Plan::new(&Link::parse(RUN, "").scenario).expect("a run");
    let scene = stage::Scene::new(&plan, side(2), side(3));
    let (x, y) = scene.place(Operand::C).expect("it is drawn").element(0, 0).center();
    let event = json!({ "type": "mouseMoved", "x": side(0) + x, "y": side(1) + y });
    page.cdp("Input.dispatchMouseEvent", event);
    page.wait_until("its terms are listed", || page.text("#caption").starts_with("c[0,0] = −26"));
    // This is longer than the page needs to prepare the next step.
    page.js_async("await new Promise(done => setTimeout(done, 900))");
    assert_eq!(n_over(), 0, "tokens cover what the PEs made");
}

#[test]
fn a_token_off_its_way_or_ahead_of_the_others_is_noticed() {
    let pictures = pictures(700.0, 552.0);
    let (before, after) = (&pictures[7], &pictures[8]);
    let between = tween::Travel::new(before, after).at(0.4);
    let texts = between.marks.iter().filter_map(|mark| match mark {
        Mark::Text { at, text, .. } => Some((text.clone(), at.0, at.1)),
        _ => None,
    });
    let frame: Vec<(String, f32, f32)> = texts.collect();
    let tokens = moving(before, Some(after));
    let found = share(&frame, &tokens).expect("all are equally far");
    assert!((found - tween::eased(0.4)).abs() < 0.02, "{found}");
    for token in tokens.iter().filter(|token| token.from != token.to) {
        let mut wrong = frame.clone();
        wrong.retain(|(text, ..)| *text != token.text);
        assert_eq!(share(&wrong, &tokens), None, "{} is missing", token.text);
    }
    assert_eq!(share(&frame, &moving(&pictures[3], Some(&pictures[4]))), None, "a frame of another cycle");
}
