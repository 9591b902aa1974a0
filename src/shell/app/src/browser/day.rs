//! The day on the clock of the device.

/// Milliseconds of a day, and of a minute.
const DAY_MS: f64 = 86_400_000.0;
const MINUTE_MS: f64 = 60_000.0;

/// Returns the number of days since 1970, in the time zone of the device.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a clock before 1970 is day 0")]
pub(crate) fn today() -> u32 {
    let now = js_sys::Date::new_0();
    ((now.get_time() - now.get_timezone_offset() * MINUTE_MS) / DAY_MS) as u32
}

/// Returns a number that differs from call to call.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the low digits matter")]
pub(crate) fn seed() -> u64 {
    js_sys::Date::now() as u64
}
