//! Table of matmuls on a chip, with the numbers of `systolic time` and all their digits.

use estimate::{Entry, Question};
use perfmodel::gemm_time::accuracy::interval;
use perfmodel::gemm_time::{GemmTime, Limit};
use perfmodel::{GemmSizes, MfuRefusal, Per};
use systolic::Gemm;

use crate::columns::{Whole, made};
use crate::problem::{Problem, Usable};

/// Estimates the times of matmuls, in six columns of 8 bytes a number: microseconds, MFU in percent, the code of the
/// limit, the useful share of the arrays, and both ends of the 80% interval. A number is NaN if its inputs are not
/// published.
pub(crate) fn time([m, n, k]: [&[u8]; 3], settings: &[(String, String)], per: &str) -> Result<[Vec<u8>; 6], Problem> {
    let question = question(settings)?;
    let per = match per {
        "chip" => Per::Chip,
        "core" => Per::Core,
        given => return Err(Problem::value("per", given, Usable::OneOf(vec!["chip", "core"]))),
    };
    let whole = [("M", m), ("N", n), ("K", k)].map(|(name, bytes)| Whole::new(name, bytes));
    let timed = |row: usize| {
        let [m, n, k] = whole;
        let side = |column: Whole<'_>| column.at(row, Gemm::DIM_MAX);
        times(&question, GemmSizes { m: side(m)?, n: side(n)?, k: side(k)? }, per)
    };
    made(whole[0].len(), timed)
}

/// Names the format in which the chip multiplies.
pub(crate) fn runs_as(settings: &[(String, String)]) -> Result<String, Problem> {
    Ok(report::model::runs_as(&question(settings)?))
}

fn question(settings: &[(String, String)]) -> Result<Question, Problem> {
    let entry = |(name, text): &(String, String)| {
        let entry = [Entry::Chip, Entry::Dtype, Entry::Own, Entry::Passes].into_iter().find(|one| one.id() == name);
        entry.map(|entry| (entry, text.clone())).ok_or_else(|| Problem::NoSuchEntry { given: name.clone() })
    };
    let entries: Vec<(Entry, String)> = settings.iter().map(entry).collect::<Result<_, _>>()?;
    let (question, invalid) = Question::from_entries(entries.iter().map(|(entry, text)| (*entry, text.as_str())));
    if invalid.is_empty() { Ok(question) } else { Err(Problem::Entries(invalid)) }
}

/// Limits of a time, in the order of their codes.
pub(crate) const WORDS: [&str; 6] = [
    Limit::Launch.word(),
    Limit::Compute.word(),
    Limit::Reload.word(),
    Limit::Memory.word(),
    Limit::InTurn.word(),
    "unknown",
];

fn times(question: &Question, product: GemmSizes, per: Per) -> Result<[[u8; 8]; 6], Problem> {
    let (chip, format) = (question.chip.as_ref(), question.format());
    let time = match GemmTime::new(chip, format, product, per) {
        Ok(time) => Some(time),
        Err(MfuRefusal::Unknown { .. }) => None,
        Err(refusal) => return Err(Problem::Time(refusal)),
    };
    let word = time.map_or("unknown", |time| time.limit().word());
    let code = (0i64..).zip(WORDS).find(|(_, one)| *one == word).map_or(5, |(code, _)| code);
    let us = time.map(|time| time.total.0 * 1e6);
    let ends = us.and_then(|us| interval(chip, format.dtype, per, product, us));
    let number = |value: Option<f64>| value.unwrap_or(f64::NAN).to_ne_bytes();
    Ok([
        number(us),
        number(time.and_then(|time| time.mfu.ok()).map(|mfu| mfu.ratio * 100.0)),
        code.to_ne_bytes(),
        number(time.and_then(|time| time.eta_tile)),
        number(ends.map(|(low, _)| low)),
        number(ends.map(|(_, high)| high)),
    ])
}
