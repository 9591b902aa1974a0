//! The day on the clock of the device.

use super::by_name::{call, make};

/// Milliseconds of a day, and of a minute.
const DAY_MS: f64 = 86_400_000.0;
const MINUTE_MS: f64 = 60_000.0;

/// Returns the milliseconds since 1970, and the number of minutes that must be added to the local time to get UTC.
/// Zeros if the browser has no clock.
fn now() -> (f64, f64) {
    let date = super::window().and_then(|window| make(&window.into(), "Date", []));
    let number = |name: &str| call(date.as_ref()?, name, []).and_then(|value| value.as_f64());
    (number("getTime").unwrap_or(0.0), number("getTimezoneOffset").unwrap_or(0.0))
}

/// Returns the number of days since 1970, in the time zone of the device.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a clock before 1970 is day 0")]
pub(crate) fn today() -> u32 {
    let (ms, minutes) = now();
    ((ms - minutes * MINUTE_MS) / DAY_MS) as u32
}

/// Returns a number that differs from call to call.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the low digits matter")]
pub(crate) fn seed() -> u64 {
    now().0 as u64
}
