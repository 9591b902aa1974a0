//! Macros that run an expression with the lane of a MAC unit.

/// Runs a generic expression with the lane of a [`MacUnit`](crate::MacUnit) for closed forms: operands as f32 or i32.
///
/// A macro is necessary: the expression is compiled once for each lane type, and a closure cannot be generic over a
/// type.
#[macro_export]
macro_rules! dispatch_lane {
    ($unit:expr, $lane:ident => $body:expr) => {{
        let unit: $crate::MacUnit = $unit;
        match $crate::lane::Grouped::new(unit) {
            Some($lane) => $body,
            None => $crate::dispatch_plain_lane!(unit, $lane => $body),
        }
    }};
}

/// Runs a generic expression with the lane for closed forms of a [`MacUnit`](crate::MacUnit), with one lane for all
/// floats that are added one at a time. This lane is slower than the lanes of [`dispatch_lane!`](crate::dispatch_lane),
/// but needs less code.
#[doc(hidden)]
#[macro_export]
macro_rules! dispatch_small_lane {
    ($unit:expr, $lane:ident => $body:expr) => {{
        let unit: $crate::MacUnit = $unit;
        match $crate::lane::Grouped::new(unit) {
            Some($lane) => $body,
            None if unit.accumulator() == $crate::Accumulator::Int32 => {
                let $lane = $crate::lane::Whole(unit);
                $body
            }
            None => {
                let $lane = $crate::lane::Narrow(unit);
                $body
            }
        }
    }};
}

/// Runs a generic expression with the lane for closed forms of a [`MacUnit`](crate::MacUnit) that adds one product at a time.
#[doc(hidden)]
#[macro_export]
macro_rules! dispatch_plain_lane {
    ($unit:expr, $lane:ident => $body:expr) => {{
        let unit: $crate::MacUnit = $unit;
        match unit.accumulator() {
            $crate::Accumulator::Int32 => {
                let $lane = $crate::lane::Whole(unit);
                $body
            }
            $crate::Accumulator::F32 if !unit.flush_subnormals => {
                let $lane = $crate::lane::Float(unit);
                $body
            }
            _ => {
                let $lane = $crate::lane::Narrow(unit);
                $body
            }
        }
    }};
}

/// Runs a generic expression with the lane of a [`MacUnit`](crate::MacUnit) for the register machine: operands in their true width.
///
/// [`dispatch_lane!`](crate::dispatch_lane) selects the lanes for closed forms.
#[macro_export]
macro_rules! dispatch_machine_lane {
    ($unit:expr, $lane:ident => $body:expr) => {{
        let unit: $crate::MacUnit = $unit;
        let usual = unit.rule().is_none()
            && unit.accumulator() != $crate::Accumulator::Bf16
            && unit.accumulator() != $crate::Accumulator::F16;
        match unit.dtype() {
            $crate::Dtype::Int8 | $crate::Dtype::Int4 => {
                let $lane = $crate::lane::Int8(unit.dtype());
                $body
            }
            $crate::Dtype::F32 if usual && !unit.flush_subnormals && !unit.saturate => {
                let $lane = $crate::lane::F32;
                $body
            }
            $crate::Dtype::Bf16 if usual && !unit.flush_subnormals && !unit.saturate => {
                let $lane = $crate::lane::Bf16;
                $body
            }
            $crate::Dtype::F16 if usual && !unit.flush_subnormals && !unit.saturate => {
                let $lane = $crate::lane::F16;
                $body
            }
            _ => match ($crate::lane::Aligned::new(unit), $crate::lane::Fp8::new(unit)) {
                (Some($lane), _) => $body,
                (None, Some($lane)) if usual && !unit.flush_subnormals => $body,
                _ => {
                    let $lane = $crate::lane::Narrow(unit);
                    $body
                }
            },
        }
    }};
}
