//! Kiosk mode: the page plays by itself, a visitor can take over, and the page restarts after a period of inactivity.
//!
//! `kiosk=45`: 45 seconds after the last touch, the page returns to the state of the link. This module reads no clock,
//! because the page reports each second to [`Kiosk`].

/// Time without a touch after which the page restarts, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Idle(u32);

impl Idle {
    /// Minimum number of seconds.
    pub const MIN: u32 = 10;
    /// Maximum number of seconds.
    pub const MAX: u32 = 3600;

    /// Reads seconds from a link. Returns `None` if the text is not a whole number from [`MIN`](Self::MIN) to
    /// [`MAX`](Self::MAX).
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok().filter(|seconds| (Self::MIN..=Self::MAX).contains(seconds)).map(Self)
    }

    /// Returns the number of seconds.
    #[must_use]
    pub const fn seconds(self) -> u32 {
        self.0
    }
}

/// The effect of one second on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat {
    /// No effect.
    Nothing,
    /// Countdown: the seconds that are left until the page restarts.
    Left(u32),
    /// Restart: the page returns to the state of the link and plays.
    Again,
    /// End of a run: the next slide follows, or the same run starts again.
    Next,
}

/// The clock of a page in kiosk mode. The page reports each second to this clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kiosk {
    /// Seconds without a touch until the page restarts.
    after: u32,
    /// Seconds since the last touch.
    idle: u32,
    /// Seconds for which the run has not played.
    still: u32,
    /// True if the page plays by itself, without a visitor.
    attracts: bool,
}

impl Kiosk {
    /// Length, in seconds, of the visible countdown before a restart.
    const COUNTED: u32 = 10;
    /// Seconds for which an ended run stays on the screen.
    const REST: u32 = 2;

    /// Creates the clock of a page that starts playback at once.
    #[must_use]
    pub const fn new(after: Idle) -> Self {
        Self { after: after.0, idle: 0, still: Self::REST, attracts: true }
    }

    /// True if the page plays by itself, without a visitor.
    #[must_use]
    pub const fn attracts(&self) -> bool {
        self.attracts
    }

    /// Records a touch by a visitor.
    pub fn touched(&mut self) {
        (self.idle, self.still, self.attracts) = (0, 0, false);
    }

    /// Advances the clock by one second, and returns the effect on the page.
    pub fn second(&mut self, is_playing: bool) -> Beat {
        if self.attracts {
            self.still = if is_playing { 0 } else { self.still + 1 };
            if self.still < Self::REST {
                return Beat::Nothing;
            }
            self.still = 0;
            return Beat::Next;
        }
        self.idle += 1;
        match self.after.saturating_sub(self.idle) {
            0 => {
                (self.attracts, self.still) = (true, 0);
                Beat::Again
            }
            left if left <= Self::COUNTED.min(self.after / 2) => Beat::Left(left),
            _ => Beat::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn after_45() -> Kiosk {
        Kiosk::new(Idle::parse("45").expect("seconds"))
    }

    #[test]
    fn a_link_says_seconds() {
        for text in ["10", "45", "3600"] {
            assert_eq!(Idle::parse(text).map(|idle| idle.seconds().to_string()).as_deref(), Some(text));
        }
        for text in ["", "9", "3601", "-45", "soon", "99999999999999999999"] {
            assert_eq!(Idle::parse(text), None, "{text}");
        }
    }

    #[test]
    fn it_plays_for_nobody_waits_for_somebody_and_begins_again() {
        let mut kiosk = after_45();
        assert_eq!(kiosk.second(false), Beat::Next, "at once");
        assert!((0..1000).all(|_| kiosk.second(true) == Beat::Nothing), "a run may be long");
        let rest: Vec<Beat> = (0..2).map(|_| kiosk.second(false)).collect();
        assert_eq!(rest.last(), Some(&Beat::Next));
        assert!(rest[..1].iter().all(|beat| *beat == Beat::Nothing));
        kiosk.touched();
        // A person who only watches counts as idle.
        let idle: Vec<Beat> = (0..45).map(|_| kiosk.second(true)).collect();
        assert!(idle[..34].iter().all(|beat| *beat == Beat::Nothing));
        let counted: Vec<Beat> = (1..=10).rev().map(Beat::Left).collect();
        assert_eq!(idle[34..44], counted[..]);
        assert_eq!(idle[44], Beat::Again);
        kiosk.touched();
        assert!((0..30).all(|_| kiosk.second(false) == Beat::Nothing));
        kiosk.touched();
        assert!((0..34).all(|_| kiosk.second(false) == Beat::Nothing), "a touch begins the count anew");
    }

    #[test]
    fn a_day_of_visitors_ends_as_it_began() {
        let mut kiosk = after_45();
        let mut n_again = 0;
        for second in 0..86_400u32 {
            // A person comes every five minutes and stays for one minute.
            if second % 300 < 60 && second % 7 == 0 {
                kiosk.touched();
            }
            n_again += u32::from(kiosk.second(second % 20 < 16) == Beat::Again);
        }
        assert_eq!(n_again, 288, "once after each visit");
    }
}
