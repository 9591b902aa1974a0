//! The skew at an edge: lane i has i registers between its port and the array.

use std::collections::VecDeque;

/// One delay line per lane.
#[derive(Clone, Debug)]
pub(super) struct Feeder<T> {
    lanes: Vec<VecDeque<Option<T>>>,
}

impl<T: Copy> Feeder<T> {
    /// Lanes with these numbers of registers.
    pub(super) fn new(delays: impl Iterator<Item = usize>) -> Self {
        Self { lanes: delays.map(|delay| core::iter::repeat_n(None, delay).collect()).collect() }
    }

    /// Clocks one lane: takes what is at the port, gives what leaves the last register.
    pub(super) fn push(&mut self, lane: usize, port: Option<T>) -> Option<T> {
        let line = &mut self.lanes[lane];
        line.push_back(port);
        line.pop_front().flatten()
    }
}
