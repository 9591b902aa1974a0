//! Number formats by their usual names.

use super::tokens::Tokens;

/// A number format: its name in a run, and its name in an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Named {
    /// Value of the parameter `dt`; `None` if the array does not have the format.
    pub(super) in_run: Option<&'static str>,
    /// Value of the entry `dtype`.
    pub(super) in_estimate: &'static str,
}

const fn both(name: &'static str) -> Named {
    Named { in_run: Some(name), in_estimate: name }
}

const fn fp8(name: &'static str) -> Named {
    Named { in_run: Some(name), in_estimate: "fp8" }
}

/// bf16, the format of a chip's peak if a text names no format.
pub(super) const BF16: Named = both("bf16");
const FP4: Named = Named { in_run: None, in_estimate: "fp4" };

/// Returns the format with this name in lower case.
fn named(word: &str) -> Option<Named> {
    Some(match word {
        "bf16" | "bfloat16" => both("bf16"),
        "f16" | "fp16" | "float16" | "half" => both("f16"),
        "f32" | "fp32" | "float32" => both("f32"),
        "tf32" | "tensorfloat32" => both("tf32"),
        "int8" | "i8" | "s8" | "u8" | "uint8" | "w8a8" => both("int8"),
        "int4" | "i4" | "s4" => both("int4"),
        "fp8" | "float8" | "f8" | "e4m3" | "e4m3fn" | "f8e4m3fn" | "float8_e4m3fn" => fp8("e4m3fn"),
        "e5m2" | "f8e5m2" | "float8_e5m2" => fp8("e5m2"),
        "e4m3b11fnuz" | "f8e4m3b11fnuz" | "float8_e4m3b11fnuz" => fp8("e4m3b11fnuz"),
        "e4m3fnuz" | "f8e4m3fnuz" | "float8_e4m3fnuz" => fp8("e4m3fnuz"),
        "e5m2fnuz" | "f8e5m2fnuz" | "float8_e5m2fnuz" => fp8("e5m2fnuz"),
        "fp4" | "nvfp4" | "mxfp4" | "e2m1" => FP4,
        _ => return None,
    })
}

/// Returns the bytes per element of a format, from its name in a compiler's text. `None` for a name that is not a
/// format.
pub(super) fn bytes(word: &str) -> Option<f64> {
    Some(match word {
        "f64" | "s64" | "u64" | "c64" => 8.0,
        "f32" | "s32" | "u32" | "i32" | "tf32" => 4.0,
        "bf16" | "f16" | "s16" | "u16" => 2.0,
        "s4" | "u4" | "i4" => 0.5,
        "pred" | "s8" | "u8" | "i8" => 1.0,
        word if word.starts_with("f8") => 1.0,
        _ => return None,
    })
}

/// Finds all formats, and marks them as used. A mixed matmul has more than one format.
pub(super) fn take(tokens: &mut Tokens) -> Vec<Named> {
    let mut found = Vec::new();
    for at in 0..tokens.0.len() {
        if let Some(format) = named(tokens.word(at)) {
            tokens.mark(at..at + 1);
            if !found.contains(&format) {
                found.push(format);
            }
        }
    }
    found
}
