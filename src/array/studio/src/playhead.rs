//! The playhead: the current cycle of a run, and the passing of time.

use crate::{Plan, Scenario};
use systolic::Cycle;

/// Playing time, in seconds, above which a run is too long for the default speed.
const LONG_SEC: f64 = 120.0;
/// Seconds that a run takes at [`Speed::Run`].
const RUN_SEC: f64 = 20.0;

/// Playback speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speed {
    /// Steady speed in half cycles per second, so that 0.5 cycles per second is a whole number.
    HalfCycles(u32),
    /// The whole run in twenty seconds.
    Run,
    /// The whole run in about ten seconds, but never slower than 60 cycles per second.
    Max,
}

impl Speed {
    /// All speeds: steady speeds, slowest first, then speeds that depend on the run.
    pub const ALL: [Self; 9] = [
        Self::HalfCycles(1),
        Self::HalfCycles(2),
        Self::HalfCycles(4),
        Self::HalfCycles(8),
        Self::HalfCycles(20),
        Self::HalfCycles(60),
        Self::HalfCycles(120),
        Self::Run,
        Self::Max,
    ];

    /// Returns the name in a link: cycles per second, `run` or `max`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::HalfCycles(1) => "0.5",
            Self::HalfCycles(2) => "1",
            Self::HalfCycles(4) => "2",
            Self::HalfCycles(8) => "4",
            Self::HalfCycles(20) => "10",
            Self::HalfCycles(60) => "30",
            Self::HalfCycles(_) => "60",
            Self::Run => "run",
            Self::Max => "max",
        }
    }

    /// Returns the speed with this name.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|speed| speed.id() == id)
    }

    /// Returns the speed in cycles per second, for a run.
    #[must_use]
    pub fn cycles_per_sec(self, plan: &Plan) -> f64 {
        match self {
            Self::HalfCycles(half) => f64::from(half) / 2.0,
            Self::Run => plan.schedule().cycles().as_f64() / RUN_SEC,
            Self::Max => (plan.schedule().cycles().as_f64() / 10.0).max(60.0),
        }
    }

    /// Returns the speed for the first look at a run: the default speed, or [`Speed::Run`] if the run would take more
    /// than twenty seconds.
    #[must_use]
    pub fn suiting(plan: &Plan) -> Self {
        let usual = Playhead::default().speed;
        let seconds = plan.schedule().cycles().as_f64() / usual.cycles_per_sec(plan);
        if seconds > RUN_SEC { Self::Run } else { usual }
    }
}

/// The current cycle and the motion of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playhead {
    /// The clock edge whose registers are shown.
    pub cycle: Cycle,
    /// True if time passes.
    pub playing: bool,
    /// Playback speed.
    pub speed: Speed,
    /// Part of the next cycle that has passed, from 0 to below 1.
    part: f64,
    /// True on the first screen until the clock moves. Playback then begins at cycle 0, so that a newcomer sees the
    /// weights load.
    is_first_look: bool,
}

/// A request to move in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// Starts playback; from the end, starts the run again.
    Play,
    /// Stops playback.
    Pause,
    /// Plays if stopped, and pauses if playing.
    Toggle,
    /// Goes forward by this many cycles and stops.
    Forward(u64),
    /// Goes back by this many cycles and stops.
    Back(u64),
    /// Goes to a cycle and stops; a cycle beyond the end means the end.
    Seek(u64),
    /// Goes to the first cycle and stops.
    Home,
    /// Goes to the last cycle and stops.
    End,
    /// Goes to the next event and stops.
    NextEvent,
    /// Goes to the previous event and stops.
    PreviousEvent,
    /// Sets the speed.
    Speed(Speed),
}

impl Default for Playhead {
    fn default() -> Self {
        Self { cycle: Cycle(7), playing: false, speed: Speed::HalfCycles(4), part: 0.0, is_first_look: false }
    }
}

impl Playhead {
    /// True if a person sees a difference: another cycle, another speed, or a start or stop of playback. A difference
    /// only in the part of a cycle is not visible.
    #[must_use]
    pub fn differs_visibly(&self, other: &Self) -> bool {
        (self.cycle, self.playing, self.speed) != (other.cycle, other.playing, other.speed)
    }

    /// Longest real time, in seconds, that one step of playback makes up. Because of this limit, playback does not race
    /// when a hidden tab becomes visible again.
    pub const CATCH_UP_MAX_SEC: f64 = 0.1;

    /// Creates a stopped playhead at a cycle.
    #[must_use]
    pub fn at(cycle: Cycle) -> Self {
        Self { cycle, ..Self::default() }
    }

    /// Returns the playhead of the first screen: its first playback begins at cycle 0.
    #[must_use]
    pub(crate) const fn of_first_look(self) -> Self {
        Self { is_first_look: true, ..self }
    }

    /// Returns the playhead with a faster speed if the run would take more than two minutes at the default speed. Keeps
    /// any other speed, because a person chose that speed.
    pub(crate) fn suited(self, plan: &Plan) -> Self {
        let is_default = self.speed == Self::default().speed;
        let is_long = plan.schedule().cycles().as_f64() / self.speed.cycles_per_sec(plan) > LONG_SEC;
        if is_default && is_long { self.with_speed(Speed::Run) } else { self }
    }

    /// Returns the playhead with another speed.
    #[must_use]
    pub const fn with_speed(self, speed: Speed) -> Self {
        Self { speed, ..self }
    }

    /// Applies a request. Never fails: every request has a meaning in every state.
    #[must_use]
    pub fn moved(self, request: Transport, plan: &Plan) -> Self {
        let last = plan.last();
        let moved = Self { part: 0.0, is_first_look: false, ..self };
        let stopped_at = |cycle: Cycle| Self { cycle: cycle.min(last), playing: false, ..moved };
        let begins = self.cycle >= last || (self.is_first_look && *plan.scenario() == Scenario::default());
        match request {
            Transport::Play if begins => Self { cycle: Cycle(0), playing: true, ..moved },
            Transport::Play => Self { playing: true, ..moved },
            Transport::Pause => Self { playing: false, part: 0.0, ..self },
            Transport::Toggle if self.playing => self.moved(Transport::Pause, plan),
            Transport::Toggle => self.moved(Transport::Play, plan),
            Transport::Forward(n) => stopped_at(Cycle(self.cycle.get().saturating_add(n))),
            Transport::Back(n) => stopped_at(Cycle(self.cycle.get().saturating_sub(n))),
            Transport::Seek(cycle) => stopped_at(Cycle(cycle)),
            Transport::Home => stopped_at(Cycle(0)),
            Transport::End => stopped_at(last),
            Transport::NextEvent => {
                stopped_at(plan.schedule().event_after(self.cycle).map_or(last, |event| event.cycle))
            }
            Transport::PreviousEvent => {
                stopped_at(plan.schedule().event_before(self.cycle).map_or(Cycle(0), |event| event.cycle))
            }
            Transport::Speed(speed) => Self { speed, part: 0.0, ..self },
        }
    }

    /// Advances the playhead by the elapsed real time. Stops at the end of the run or, if `repeats_fold` is true,
    /// repeats the current fold.
    #[must_use]
    pub fn elapsed(self, seconds: f64, plan: &Plan, repeats_fold: bool) -> Self {
        let later = self.advanced(seconds, plan);
        if repeats_fold { later.looped(self, plan) } else { later }
    }

    /// Advances the playhead by the elapsed real time. Stops at the end of the run.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, not negative, and clamped")]
    pub fn advanced(self, seconds: f64, plan: &Plan) -> Self {
        if !self.playing {
            return self;
        }
        let seconds = if seconds.is_finite() { seconds.clamp(0.0, Self::CATCH_UP_MAX_SEC) } else { 0.0 };
        let due = self.part + seconds * self.speed.cycles_per_sec(plan);
        let whole = due.floor();
        let cycle = Cycle(self.cycle.get().saturating_add(whole as u64));
        if cycle >= plan.last() {
            return Self { cycle: plan.last(), playing: false, part: 0.0, ..self };
        }
        Self { cycle, part: due - whole, ..self }
    }

    /// Repeats the fold at the playhead `before`: after the end of this fold, playback returns to the start of the
    /// fold.
    #[must_use]
    pub fn looped(self, before: Self, plan: &Plan) -> Self {
        if !before.playing {
            return self;
        }
        let schedule = plan.schedule();
        let fold = schedule.locate(before.cycle).fold.index;
        let is_over = !self.playing || schedule.locate(self.cycle).fold.index != fold;
        if is_over { Self { cycle: schedule.fold_start(fold), playing: true, part: 0.0, ..self } } else { self }
    }

    /// Returns the playhead for another run: at the same cycle, or at the last cycle if the run ends earlier.
    #[must_use]
    pub fn within(self, plan: &Plan) -> Self {
        if self.cycle <= plan.last() { self } else { Self { cycle: plan.last(), part: 0.0, ..self } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan() -> Plan {
        Plan::default()
    }

    #[test]
    fn a_typed_size_that_makes_a_run_long_makes_it_play_faster() {
        let plan = |query: &str| Plan::new(&crate::Link::parse(query, "").scenario).expect("a run");
        let (short, long) = (plan("m=64"), plan("rows=256&cols=256&m=512&k=256&n=256"));
        let head = Playhead::default();
        assert_eq!((head.suited(&short).speed, head.suited(&long).speed), (head.speed, Speed::Run));
        // A chosen speed stays.
        let chosen = head.with_speed(Speed::HalfCycles(20));
        assert_eq!(chosen.suited(&long), chosen);
    }

    #[test]
    fn playing_moves_time_by_seconds_times_speed() {
        let plan = plan();
        let mut head = Playhead::at(Cycle(0)).moved(Transport::Speed(Speed::HalfCycles(20)), &plan);
        head = head.moved(Transport::Play, &plan);
        for _ in 0..10 {
            head = head.advanced(0.05, &plan);
        }
        assert_eq!(head.cycle, Cycle(5));
        assert!(head.playing);
    }

    #[test]
    fn an_example_plays_in_a_time_that_somebody_watches() {
        for preset in crate::Preset::ALL {
            let plan = Plan::new(&preset.link().scenario).expect("an example runs");
            let speed = Speed::suiting(&plan);
            let mut head = Playhead::at(Cycle(0)).with_speed(speed).moved(Transport::Play, &plan);
            let mut frames = 0u32;
            while head.playing {
                head = head.advanced(1.0 / 16.0, &plan);
                frames += 1;
            }
            let seconds = f64::from(frames) / 16.0;
            assert!((2.0..=20.5).contains(&seconds), "{}: {seconds} s at {}", preset.id(), speed.id());
            assert!(speed == Speed::HalfCycles(4) || seconds > 19.0, "{}: {seconds} s", preset.id());
        }
    }

    #[test]
    fn playing_stops_at_the_end_and_starts_again_from_the_beginning() {
        let plan = plan();
        let head = Playhead::at(Cycle(15)).moved(Transport::Speed(Speed::Max), &plan).moved(Transport::Play, &plan);
        assert_eq!((head.cycle, head.playing), (Cycle(0), true));
        let mut head = head;
        for _ in 0..100 {
            head = head.advanced(0.1, &plan);
        }
        assert_eq!((head.cycle, head.playing), (plan.last(), false));
    }

    #[test]
    fn the_first_playback_of_the_first_screen_begins_at_cycle_0() {
        let open = |query: &str| {
            let (session, head) = crate::Session::open(&crate::Link::parse(query, ""));
            (session.plan, head)
        };
        let (plan, head) = open("");
        assert_eq!((head.cycle, head.moved(Transport::Toggle, &plan).cycle), (Cycle(7), Cycle(0)));
        // After a pause, a step or a new setting, the page keeps the cycle, because a person has chosen it.
        let paused = head.moved(Transport::Toggle, &plan).moved(Transport::Seek(7), &plan);
        assert_eq!(paused.moved(Transport::Play, &plan).cycle, Cycle(7));
        let taller = open("rows=8");
        assert_eq!(head.moved(Transport::Play, &taller.0).cycle, Cycle(7));
        for query in ["rows=8", "t=5"] {
            let (plan, head) = open(query);
            assert_eq!(head.moved(Transport::Play, &plan).cycle, head.cycle, "{query}");
        }
    }

    #[test]
    fn a_fold_is_played_again_and_again() {
        let plan = Plan::new(&crate::Link::parse("rows=4&cols=4&m=3&k=12&n=4", "").scenario).expect("three folds");
        let period = plan.schedule().period().get();
        for fold in 0..plan.schedule().folds() {
            let start = plan.schedule().fold_start(fold);
            let mut head = Playhead::at(start).with_speed(Speed::HalfCycles(20)).moved(Transport::Play, &plan);
            let mut seen = std::collections::BTreeSet::new();
            for _ in 0..3 * period {
                head = head.advanced(0.1, &plan).looped(head, &plan);
                assert!(head.playing);
                seen.insert(head.cycle.get() - start.get());
            }
            // The last clock edge of the run is also where playing would stop.
            assert!(seen.contains(&0) && seen.len() as u64 >= period - 1, "fold {fold}: {seen:?}");
            assert!(seen.iter().all(|&since| since < period), "fold {fold}: {seen:?}");
        }
    }

    #[test]
    fn stepping_n_times_is_stepping_by_n_is_seeking() {
        let plan = plan();
        let start = Playhead::at(Cycle(3));
        let by_ones = (0..6).fold(start, |head, _| head.moved(Transport::Forward(1), &plan));
        assert_eq!(by_ones, start.moved(Transport::Forward(6), &plan));
        assert_eq!(by_ones, start.moved(Transport::Seek(9), &plan));
        assert_eq!(by_ones.moved(Transport::Back(6), &plan), start);
    }

    #[test]
    fn no_request_leaves_the_run() {
        let plan = plan();
        for request in [Transport::Seek(u64::MAX), Transport::Forward(u64::MAX), Transport::End] {
            assert_eq!(Playhead::at(Cycle(9)).moved(request, &plan).cycle, plan.last());
        }
        assert_eq!(Playhead::at(Cycle(9)).moved(Transport::Back(u64::MAX), &plan).cycle, Cycle(0));
        let head = Playhead::at(Cycle(9)).moved(Transport::Play, &plan);
        for seconds in [f64::NAN, f64::INFINITY, -5.0, 1e300] {
            assert!(head.advanced(seconds, &plan).cycle <= plan.last());
        }
    }

    #[test]
    fn a_hidden_tab_does_not_race_when_it_comes_back() {
        let plan = plan();
        let head = Playhead::at(Cycle(0)).moved(Transport::Play, &plan).advanced(3600.0, &plan);
        assert_eq!(head.cycle, Cycle(0));
    }
}
