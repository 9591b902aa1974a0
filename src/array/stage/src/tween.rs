//! Motion between two cycles: every token moves from its place in one picture to its place in the next picture.
//!
//! This module does not use the rules by which values move in the array. Both pictures are drawn from the registers of
//! the array, and tokens with the same identity form a pair. So each token moves as its value moves between the
//! registers. A test checks that each token moves at most one PE, in a direction that the design allows.

use std::collections::HashSet;

use display::Tone;
use display::picture::{Dash, Mark, Outline, Picture, Rect, Stroke, Token};

use crate::cells::text_width;

/// Duration of the motion, in milliseconds. After the motion, tokens rest until the next cycle.
pub const TRAVEL_MS: u32 = 240;
/// Size, in PEs, of the largest array in which tokens move.
pub const PES_MAX: u64 = 256;
/// Maximum playback speed at which tokens move, in cycles per second.
pub const RATE_MAX: f64 = 4.0;

/// Converts a share of the duration to a share of the path, so that the motion is slow at the start and at the end.
#[must_use]
pub fn eased(share: f32) -> f32 {
    let share = share.clamp(0.0, 1.0);
    if share < 0.5 { 4.0 * share * share * share } else { 1.0 - (2.0 - 2.0 * share).powi(3) / 2.0 }
}

/// The path of a token from its place in one picture to its place in the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// Center of the token in the first picture.
    pub from: (f32, f32),
    /// Center of the token in the second picture.
    pub to: (f32, f32),
}

/// A search that finds the token of a picture with a given identity.
///
/// Two pictures of a run list their tokens in nearly the same order. So each search continues after the previous match.
struct Finder<'a> {
    tokens: &'a [Token],
    next: usize,
}

impl<'a> Finder<'a> {
    const fn new(picture: &'a Picture) -> Self {
        Self { tokens: picture.tokens.as_slice(), next: 0 }
    }

    fn next_same(&mut self, token: &Token) -> Option<&'a Token> {
        let (before, after) = self.tokens.split_at(self.next);
        let same = |(_, other): &(usize, &Token)| other.id == token.id;
        let (index, found) = (self.next..).zip(after).chain(before.iter().enumerate()).find(same)?;
        self.next = index + 1;
        Some(found)
    }
}

/// Returns the path of each token of the first picture; `None` if the second picture does not have the token and the
/// token has no destination.
#[must_use]
pub fn ways(before: &Picture, after: &Picture) -> Vec<Option<Way>> {
    let mut later = Finder::new(after);
    let way = |token: &Token| {
        let from = token.rect.center();
        if let Some(same) = later.next_same(token) {
            return Some(Way { from, to: same.rect.center() });
        }
        let id = token.id;
        let is_sink = |port: &&display::picture::Port| {
            port.is_sink && (port.id.kind, port.id.row, port.id.col) == (id.kind, id.row, id.col)
        };
        if let Some(port) = before.ports.iter().find(is_sink) {
            return Some(Way { from, to: port.rect.center() });
        }
        (token.leaves_by != (0.0, 0.0))
            .then_some(Way { from, to: (from.0 + token.leaves_by.0, from.1 + token.leaves_by.1) })
    };
    before.tokens.iter().map(way).collect()
}

/// The motion between two pictures, split into parts that are painted once and then moved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Travel {
    /// The first picture without the tokens that move.
    pub still: Picture,
    /// Moving tokens at their starting points, grouped by displacement.
    pub groups: Vec<Group>,
    /// Texts, and tokens without a destination, that the second picture does not have. They disappear when the motion
    /// starts.
    pub gone: Group,
}

/// Returns a text with its place.
fn text_at(mark: &Mark) -> Option<(&str, [u32; 2])> {
    match mark {
        Mark::Text { at, text, .. } => Some((text, [at.0.to_bits(), at.1.to_bits()])),
        _ => None,
    }
}

/// Tokens with the same displacement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Marks of the tokens, at their starting points.
    pub marks: Vec<Mark>,
    /// Displacement to the right and down, in CSS pixels.
    pub by: (f32, f32),
    /// True if the first picture does not have these tokens. They appear when the motion starts.
    pub enters: bool,
}

impl Travel {
    /// Splits the motion between two pictures into parts.
    #[must_use]
    pub fn new(before: &Picture, after: &Picture) -> Self {
        let mut travel = Self::default();
        travel.still.clear(before.width, before.height);
        travel.still.pixels.extend_from_slice(&before.pixels);
        let mut is_token = vec![false; before.marks.len()];
        for token in &before.tokens {
            is_token[token.marks.clone()].fill(true);
        }
        // Some texts are not in the next picture, such as the product of operands that leave. Such a text would be
        // wrong as soon as the motion starts.
        let stays: HashSet<(&str, [u32; 2])> = after.marks.iter().filter_map(text_at).collect();
        for (mark, _) in before.marks.iter().zip(&is_token).filter(|(_, is_token)| !**is_token) {
            let is_gone = text_at(mark).is_some_and(|text| !stays.contains(&text));
            let marks = if is_gone { &mut travel.gone.marks } else { &mut travel.still.marks };
            marks.push(mark.clone());
        }
        for (token, way) in before.tokens.iter().zip(ways(before, after)) {
            let marks = before.marks[token.marks.clone()].iter().cloned();
            let Some(way) = way else {
                travel.gone.marks.extend(marks);
                continue;
            };
            let by = (way.to.0 - way.from.0, way.to.1 - way.from.1);
            travel.part(by, false).extend(marks);
        }
        // Tokens that are new in the second picture come from their matrix.
        let mut earlier = Finder::new(before);
        for token in after.tokens.iter().filter(|token| earlier.next_same(token).is_none()) {
            let id = token.id;
            let source = before
                .ports
                .iter()
                .find(|port| !port.is_sink && (port.id.kind, port.id.row, port.id.col) == (id.kind, id.row, id.col));
            let Some(source) = source else { continue };
            let (to, from) = (token.rect.center(), source.rect.center());
            let by = (to.0 - from.0, to.1 - from.1);
            let marks = after.marks[token.marks.clone()].iter().map(|mark| mark.clone().placed((-by.0, -by.1), 1.0));
            travel.part(by, true).extend(marks);
        }
        travel
    }

    /// Returns the marks with this displacement: the marks of a group, or of the still picture if the displacement is
    /// 0.
    fn part(&mut self, by: (f32, f32), enters: bool) -> &mut Vec<Mark> {
        if !enters && by.0.abs().max(by.1.abs()) < 0.05 {
            return &mut self.still.marks;
        }
        let is_near = |group: &Group| (group.by.0 - by.0).abs() < 0.05 && (group.by.1 - by.1).abs() < 0.05;
        let is_same = |group: &Group| group.enters == enters && is_near(group);
        let index = self.groups.iter().position(is_same).unwrap_or_else(|| {
            self.groups.push(Group { marks: Vec::new(), by, enters });
            self.groups.len() - 1
        });
        &mut self.groups[index].marks
    }

    /// Returns the whole picture at this share of the duration.
    #[must_use]
    pub fn at(&self, share: f32) -> Picture {
        let mut picture = self.still.clone();
        for group in &self.groups {
            let by = group.by_at(share);
            picture.marks.extend(group.marks.iter().map(|mark| mark.clone().placed(by, 1.0)));
        }
        picture
    }
}

impl Group {
    /// Returns the rectangle around the marks at their starting points, in whole CSS pixels.
    #[must_use]
    pub fn bounds(&self) -> Rect {
        let (mut from, mut to) = ((f32::MAX, f32::MAX), (f32::MIN, f32::MIN));
        let mut reach = |x: f32, y: f32, off: f32| {
            from = (from.0.min(x - off), from.1.min(y - off));
            to = (to.0.max(x + off), to.1.max(y + off));
        };
        for mark in &self.marks {
            match mark {
                Mark::Shape { rect, stroke, .. } => {
                    reach(rect.x, rect.y, stroke.width);
                    reach(rect.x + rect.w, rect.y + rect.h, stroke.width);
                }
                Mark::Hatch { rect, .. } | Mark::Bitmap { rect, .. } => {
                    reach(rect.x, rect.y, 1.0);
                    reach(rect.x + rect.w, rect.y + rect.h, 1.0);
                }
                Mark::Line { from, to, stroke, .. } => {
                    // The head of an arrow needs extra space.
                    reach(from.0, from.1, 8.0 + stroke.width);
                    reach(to.0, to.1, 8.0 + stroke.width);
                }
                Mark::Area { points, .. } => points.iter().for_each(|point| reach(point.0, point.1, 1.0)),
                // This box is large enough for any alignment.
                Mark::Text { at, text, size, .. } => {
                    reach(at.0, at.1, text_width(text, *size) + size);
                }
            }
        }
        let (x, y) = (from.0.floor(), from.1.floor());
        Rect::new(x, y, (to.0 - x).ceil().max(1.0), (to.1 - y).ceil().max(1.0))
    }

    /// Returns the part of [`bounds`](Self::bounds) that a view of this size shows at some time of the motion; `None`
    /// if no part is visible.
    #[must_use]
    pub fn seen_on(&self, width: f32, height: f32) -> Option<Rect> {
        let all = self.bounds();
        let reach = (self.by.0.abs(), self.by.1.abs());
        let (x, y) = (all.x.max(-reach.0), all.y.max(-reach.1));
        let (right, bottom) = ((all.x + all.w).min(width + reach.0), (all.y + all.h).min(height + reach.1));
        (right > x && bottom > y).then(|| Rect::new(x, y, right - x, bottom - y))
    }

    /// Returns the displacement at the corner of the path, if the tokens move both horizontally and vertically. Results
    /// move along the lane below the array before they rise to their elements of C. Operands leave their matrix along
    /// its side. So no token crosses the array.
    #[must_use]
    pub fn corner(&self) -> Option<(f32, f32)> {
        let is_straight = self.by.0.abs() < 1.0 || self.by.1.abs() < 1.0;
        let corner = if self.enters { (0.0, self.by.1) } else { (self.by.0, 0.0) };
        (!is_straight).then_some(corner)
    }

    /// Returns the displacement at this share of the duration.
    #[must_use]
    pub fn by_at(&self, share: f32) -> (f32, f32) {
        let share = eased(share);
        let (begin, end) = ((2.0 * share).min(1.0), (2.0 * share - 1.0).max(0.0));
        match self.corner() {
            None => (self.by.0 * share, self.by.1 * share),
            Some(_) if self.enters => (self.by.0 * end, self.by.1 * begin),
            Some(_) => (self.by.0 * begin, self.by.1 * end),
        }
    }
}

/// Draws a faint outline at the earlier place of each moved token. Users who turn off motion see these outlines instead
/// of motion.
pub fn draw_ghosts(before: &Picture, after: &mut Picture) {
    let mut later = Finder::new(after);
    let has_moved = |token: &&Token| later.next_same(token).is_some_and(|same| same.rect != token.rect);
    let moved: Vec<Rect> = before.tokens.iter().filter(has_moved).map(|token| token.rect).collect();
    for rect in moved {
        let stroke = Stroke { tone: Tone::Faint, width: 1.0, dash: Dash::Dotted };
        after.shape(rect, Outline::Box(6), Tone::Clear, stroke);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{self as stage, Detail, Frame, Layout, Scene};
    use studio::{Link, Plan};
    use systolic::{Cycle, Hold, Operand, PeId};

    const SIZE: (f32, f32) = (900.0, 640.0);

    fn drawn(plan: &Plan, cycle: u64) -> Picture {
        let mut picture = Picture::default();
        stage::draw(&Frame::new(plan, Cycle(cycle)), SIZE.0, SIZE.1, &mut picture);
        picture
    }

    fn plan(query: &str) -> Plan {
        Plan::new(&Link::parse(query, "").scenario).expect("a run")
    }

    const RUNS: [&str; 8] = [
        "",
        "df=os",
        "df=is",
        "rows=3&cols=5&m=7&k=8&n=6&df=ws",
        "rows=3&cols=5&m=7&k=8&n=6&df=os&drain=south",
        "m=6&k=10&n=7&overlap=double",
        "df=os&m=9&k=5&n=9&overlap=double&drain=south",
        "rows=1&cols=1&m=2&k=3&n=2",
    ];

    /// Returns the PE at a point. Returns `None` in a gap or at an edge.
    fn pe_at(layout: &Layout, (x, y): (f32, f32)) -> Option<PeId> {
        let pe = layout.hit(x, y)?;
        let rect = layout.cell_of(pe);
        (x <= rect.x + rect.w && y <= rect.y + rect.h).then_some(pe)
    }

    #[test]
    fn a_token_goes_one_hop_of_the_design_and_no_other() {
        let mut n_hops = 0;
        for query in RUNS {
            let plan = plan(query);
            let layout = Scene::new(&plan, SIZE.0, SIZE.1).layout;
            assert!(layout.detail >= Detail::Compact, "{query}");
            for cycle in 0..plan.last().get() {
                let (before, after) = (drawn(&plan, cycle), drawn(&plan, cycle + 1));
                for (token, way) in before.tokens.iter().zip(ways(&before, &after)) {
                    let Some(way) = way else { continue };
                    if token.leaves_by != (0.0, 0.0) && !after.tokens.iter().any(|other| other.id == token.id) {
                        assert!(way.to.0 > way.from.0 && way.to.1 == way.from.1, "{query} cycle {cycle}: leaves east");
                        continue;
                    }
                    let (from, to) = (pe_at(&layout, way.from), pe_at(&layout, way.to));
                    let (Some(from), Some(to)) = (from, to) else { continue };
                    let hop = (to.row.wrapping_sub(from.row), to.col.wrapping_sub(from.col));
                    let is_sum = token.id.kind > Operand::C as u8;
                    let flows = plan.schedule().dataflow().hold() == Hold::Operand;
                    let goes_east = !is_sum && token.id.kind == plan.schedule().dataflow().from_west() as u8;
                    let allowed: &[(u32, u32)] = if goes_east {
                        &[(0, 1)]
                    } else if is_sum == flows {
                        // Moving sums go south, and so does B if the sums are stationary.
                        &[(1, 0)]
                    } else {
                        // A stationary element rests, is loaded from the north, or drains to the south.
                        &[(0, 0), (1, 0)]
                    };
                    assert!(allowed.contains(&hop), "{query} cycle {cycle}: {:?} by {hop:?}", token.id);
                    n_hops += u32::from(hop != (0, 0));
                }
            }
        }
        assert!(n_hops > 1000, "{n_hops} hops");
    }

    #[test]
    fn a_result_flies_from_the_south_edge_into_its_element_of_c() {
        let plan = plan("");
        let scene = Scene::new(&plan, SIZE.0, SIZE.1);
        let mut n = 0;
        for cycle in 0..plan.last().get() {
            let (before, after) = (drawn(&plan, cycle), drawn(&plan, cycle + 1));
            for (token, way) in before.tokens.iter().zip(ways(&before, &after)) {
                if token.id.kind != crate::cells::RESULT {
                    continue;
                }
                let place = scene.place(Operand::C).expect("C").element(token.id.row, token.id.col);
                let way = way.expect("a way");
                assert!((way.to.0 - place.center().0).abs() < 1.0 && (way.to.1 - place.center().1).abs() < 1.0);
                n += 1;
            }
        }
        assert_eq!(n, 18, "each element of C once");
    }

    #[test]
    fn the_ends_of_a_tween_are_its_pictures() {
        for query in RUNS {
            let plan = plan(query);
            for cycle in 0..plan.last().get() {
                let (before, after) = (drawn(&plan, cycle), drawn(&plan, cycle + 1));
                let picture = Travel::new(&before, &after).at(0.0);
                // At the start, only two things disappear: tokens without a destination, and texts that the next
                // picture does not have.
                let tokens: Vec<usize> = before.tokens.iter().flat_map(|token| token.marks.clone()).collect();
                let lost = before.tokens.iter().zip(ways(&before, &after)).filter(|(_, way)| way.is_none());
                let gone: usize = lost.map(|(token, _)| token.marks.len()).sum();
                let is_kept = |text: &str| after.texts().any(|other| other == text);
                let words = before.marks.iter().enumerate().filter(|(nth, mark)| {
                    !tokens.contains(nth) && matches!(mark, Mark::Text { .. }) && !after.marks.contains(mark)
                });
                assert!(picture.marks.len() + gone + words.count() >= before.marks.len(), "{query} {cycle}");
                let stays = |text: &str| picture.texts().any(|other| other == text);
                let named = before.texts().filter(|text| text.starts_with("k=") || text.starts_with("n="));
                assert!(named.filter(|text| is_kept(text)).all(stays), "{query} {cycle}: names stay");
                let product = |text: &&str| text.starts_with("= ");
                assert!(picture.texts().filter(product).all(is_kept), "{query} {cycle}: an old product");
                for share in [0.0, 0.3, 0.5, 0.8, 1.0] {
                    let picture = Travel::new(&before, &after).at(share);
                    assert!(picture.marks.iter().all(|mark| match mark {
                        Mark::Text { at, .. } => at.0.is_finite() && at.1.is_finite(),
                        Mark::Shape { rect, .. } => rect.x.is_finite() && rect.y.is_finite(),
                        _ => true,
                    }));
                }
            }
        }
    }

    #[test]
    fn half_way_a_token_is_in_the_middle_of_its_way() {
        let plan = plan("");
        let (before, after) = (drawn(&plan, 7), drawn(&plan, 8));
        let picture = Travel::new(&before, &after).at(0.5);
        let moving = before.tokens.iter().zip(ways(&before, &after)).filter_map(|(token, way)| Some((token, way?)));
        for (token, way) in moving.filter(|(_, way)| way.from != way.to) {
            let Mark::Shape { rect, .. } = &before.marks[token.marks.start] else { panic!("a shape") };
            let (dx, dy) = (way.to.0 - way.from.0, way.to.1 - way.from.1);
            // A path in both directions has its corner in the middle.
            let is_straight = dx.abs() < 1.0 || dy.abs() < 1.0;
            let middle =
                if is_straight { (way.from.0 + dx / 2.0, way.from.1 + dy / 2.0) } else { (way.to.0, way.from.1) };
            let there = picture.marks.iter().any(|mark| match mark {
                Mark::Shape { rect: other, .. } => {
                    (other.w, other.h) == (rect.w, rect.h)
                        && (other.center().0 - middle.0).abs() < 0.01
                        && (other.center().1 - middle.1).abs() < 0.01
                }
                _ => false,
            });
            assert!(there, "{:?}", token.id);
        }
    }
}
