//! MFU by number of chips in one convention: the prediction, and published runs.

use crate::{Answered, Convention, Estimate, Question};
use perfmodel::{Attention, Chip, PublishedMfu, TransformerFlops};

/// MFU by number of chips of a training run. All values have the same convention.
#[derive(Clone, Debug)]
pub struct MfuByChips {
    /// Estimate of the run, with attention counted as in the convention.
    pub estimate: Estimate,
    /// The convention.
    pub convention: Convention,
    /// Predicted MFU at powers of two, at the run's number of chips, and at the end of the axis. Empty if the convention
    /// allows no prediction.
    pub predicted: Vec<PredictedMfu>,
    /// Predicted MFU of the run in percent, if the run fits in memory.
    pub own: Option<f64>,
    /// Published runs on the chip, or on the maker's chips if no run on the chip is published.
    pub published: Vec<ConvertedMfu>,
    /// Number of published runs on the same chips that are known only in other conventions.
    pub n_elsewhere: usize,
    /// Largest number of chips of the run and of the published runs; at least 64.
    pub most: u64,
}

/// A predicted MFU.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PredictedMfu {
    /// Number of chips.
    pub chips: u64,
    /// MFU in percent.
    pub percent: f64,
    /// True if the prediction includes communication between chips, or if the chips need no communication.
    pub is_counted: bool,
}

/// A published MFU in the convention of the plot.
#[derive(Clone, Copy, Debug)]
pub struct ConvertedMfu {
    /// The run.
    pub row: &'static PublishedMfu,
    /// MFU in percent.
    pub percent: f64,
    /// Convention and percentage as published; `None` if both are those of the plot.
    pub printed: Option<(Attention, f64)>,
}

impl Answered {
    /// Returns the MFU of the first run by number of chips, in the convention of the page. `None` except in training.
    #[must_use]
    pub fn mfu_by_chips(&self) -> Option<MfuByChips> {
        let estimate = &self.model().ok()?.estimate;
        estimate.share.as_ref()?;
        let convention = self.model_query()?.page.axis.unwrap_or(Convention::Mfu(estimate.question.attention));
        Some(MfuByChips::new(estimate, convention, |question| self.again(question)))
    }
}

impl MfuByChips {
    fn new(estimate: &Estimate, convention: Convention, again: impl FnOnce(&Question) -> Option<Estimate>) -> Self {
        let attention = match convention {
            Convention::Mfu(attention) => attention,
            Convention::Hfu | Convention::Unstated => Attention::Full,
        };
        let is_counted = attention == estimate.question.attention;
        let recounted = || again(&Question { attention, ..estimate.question.clone() });
        let recounted = if is_counted { None } else { recounted() };
        let estimate = recounted.unwrap_or_else(|| estimate.clone());
        let (published, n_elsewhere) = published(convention, &estimate.question.chip);
        let counts = published.iter().filter_map(|one| one.row.chips).map(u64::from);
        let most = counts.fold(estimate.question.chips.max(64), u64::max);
        let (predicted, own) = if convention == Convention::Unstated {
            (Vec::new(), None)
        } else {
            let own = percent(&estimate, convention).filter(|_| estimate.misfit().is_none());
            (predicted(&estimate, convention, most), own)
        };
        Self { estimate, convention, predicted, own, published, n_elsewhere, most }
    }
}

fn percent(estimate: &Estimate, convention: Convention) -> Option<f64> {
    let mfu = if convention == Convention::Hfu { estimate.hfu } else { estimate.mfu };
    mfu.ok().map(|mfu| mfu.ratio * 100.0)
}

/// Returns the predicted points. The axis ends at the smallest power of ten, from 10 on, that is at least `most`.
fn predicted(estimate: &Estimate, convention: Convention, most: u64) -> Vec<PredictedMfu> {
    let end = core::iter::successors(Some(10u64), |end| end.checked_mul(10)).find(|end| *end >= most).unwrap_or(most);
    let powers = core::iter::successors(Some(1u64), |chips| chips.checked_mul(2)).take_while(|chips| *chips < end);
    let mut counts: Vec<u64> = powers.chain([end, estimate.question.chips]).collect();
    counts.sort_unstable();
    counts.dedup();
    let of = |chips: u64| {
        let other = estimate.on_chips(chips).ok().filter(|other| other.misfit().is_none())?;
        let is_counted = chips == 1 || other.exchange.is_some() || !other.needs_exchange();
        Some(PredictedMfu { chips, percent: percent(&other, convention)?, is_counted })
    };
    counts.into_iter().filter_map(of).collect()
}

/// Returns the verified runs on a chip that use a convention or can be converted to it, and the number of the chip's
/// other runs. If the chip has no run, the runs on other chips of the maker count instead.
fn published(convention: Convention, chip: &Chip) -> (Vec<ConvertedMfu>, usize) {
    let has_own = PublishedMfu::verified_on(chip.id).next().is_some();
    let is_shown = |one: &&'static Chip| if has_own { one.id == chip.id } else { one.vendor == chip.vendor };
    let rows = || Chip::all().iter().filter(is_shown).flat_map(|chip| PublishedMfu::verified_on(chip.id));
    let as_printed = |row, percent: Option<f64>| Some(ConvertedMfu { row, percent: percent?, printed: None });
    let converted = rows().filter_map(|row| match convention {
        Convention::Hfu => as_printed(row, row.hfu_percent),
        Convention::Unstated => as_printed(row, row.mfu_percent.value.filter(|_| row.attention.is_none())),
        Convention::Mfu(attention) => counted(row, attention),
    });
    let converted: Vec<ConvertedMfu> = converted.collect();
    let n_elsewhere = rows().count() - converted.len();
    (converted, n_elsewhere)
}

/// Returns a published MFU in a convention: as printed, or converted if the model's dimensions are known.
fn counted(row: &'static PublishedMfu, attention: Attention) -> Option<ConvertedMfu> {
    let (from, percent) = (row.attention?, row.mfu_percent.value?);
    if from == attention {
        return Some(ConvertedMfu { row, percent, printed: None });
    }
    let model =
        TransformerFlops { matmul_parameters: row.parameters?, layers: row.layers?, heads: row.width?, head_size: 1 };
    let recounted = model.recount(percent, row.sequence?.into(), from, attention);
    Some(ConvertedMfu { row, percent: recounted, printed: Some((from, percent)) })
}
