//! Cross-validation of [`super::tpu_v4`]: times of f16 matmuls, predicted with constants that were fitted to other
//! matmuls. Each fit leaves out one whole group of shapes.
//!
//! A group consists of all matmuls with the same largest side, which is M, K or N. The constants and the borders of
//! [`super::tpu_v4`] are fitted to the other groups by least squares of the relative error. The fitted values then
//! predict the times of the group that was left out. The score of a matmul is `|ln(measured ÷ predicted)|`. The formula
//! for each case was chosen from the times of all matmuls. This choice is not repeated when a group is left out. The
//! interval is computed as in [`crate::left_out`]: each group counts once.

use super::tpu_v4::{Borders, Constants, Linear, N_LINEAR, SHIPPED, counting, parts};
use crate::GemmSizes;
use crate::left_out::{LEVEL, pooled_quantile};

/// A measured matmul.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Sizes of the matmul.
    pub product: GemmSizes,
    /// Measured time in µs.
    pub us: f64,
}

/// A matmul, and the time that a fit without the matmul's group predicts.
#[derive(Clone, Copy, Debug)]
pub struct LeftOut {
    /// The matmul with its measured time.
    pub measured: Measured,
    /// Predicted time in µs, from constants that were fitted to the other groups.
    pub predicted_us: f64,
}

impl LeftOut {
    /// Relative error of the prediction: `predicted ÷ measured − 1`.
    pub fn error(&self) -> f64 {
        self.predicted_us / self.measured.us - 1.0
    }

    fn score(&self) -> f64 {
        (self.measured.us / self.predicted_us).ln().abs()
    }
}

/// The group of a matmul: the largest of M, K and N.
pub fn group(GemmSizes { m, k, n }: GemmSizes) -> u64 {
    m.max(k).max(n)
}

/// Predicts the time of every matmul. For each matmul, the constants are fitted to the other groups.
pub fn left_out(rows: &[Measured]) -> Vec<LeftOut> {
    let mut groups: Vec<u64> = rows.iter().map(|row| group(row.product)).collect();
    groups.sort_unstable();
    groups.dedup();
    let without = |left_out: u64| {
        let rest: Vec<Measured> = rows.iter().filter(|row| group(row.product) != left_out).copied().collect();
        fitted(&rest)
    };
    let fits: Vec<Constants> = groups.iter().map(|left_out| without(*left_out)).collect();
    let predict = |row: &Measured| {
        let constants = groups.binary_search(&group(row.product)).ok().and_then(|at| fits.get(at))?;
        Some(LeftOut { measured: *row, predicted_us: time(row.product, constants) })
    };
    rows.iter().filter_map(predict).collect()
}

/// Interval around the predicted times of matmuls in a range of sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangeInterval {
    /// `ln` of a factor that is computed from all groups. The interval is from prediction ÷ factor to prediction ·
    /// factor.
    pub log: f64,
    /// Number of matmuls with a measured time inside their interval. The interval of a matmul is computed without the
    /// matmul's group.
    pub held: usize,
}

/// Computes the interval from matmuls that were left out of a fit; `None` with fewer than two groups.
pub fn interval(products: &[LeftOut]) -> Option<RangeInterval> {
    let mut groups: Vec<(u64, Vec<f64>)> = Vec::new();
    for one in products {
        let name = group(one.measured.product);
        match groups.iter_mut().find(|(other, _)| *other == name) {
            Some((_, scores)) => scores.push(one.score()),
            None => groups.push((name, vec![one.score()])),
        }
    }
    let quantile = |without: Option<u64>| {
        let rest: Vec<Vec<f64>> =
            groups.iter().filter(|(name, _)| Some(*name) != without).map(|(_, scores)| scores.clone()).collect();
        // The level also counts one future group, whose times are all outside the interval.
        let level = LEVEL * (rest.len() + 1) as f64 / rest.len().max(1) as f64;
        pooled_quantile(&rest, level.min(1.0))
    };
    let held = |(name, scores): &(u64, Vec<f64>)| {
        let log = quantile(Some(*name))?;
        Some(scores.iter().filter(|score| **score <= log).count())
    };
    let held = groups.iter().map(held).sum::<Option<usize>>()?;
    Some(RangeInterval { log: quantile(None)?, held })
}

fn time(product: GemmSizes, with: &Constants) -> f64 {
    parts(product, with, &with.linear).iter().sum()
}

/// Factors that the fit tries for each border. The border's value in [`SHIPPED`] is multiplied by the factor.
const FACTORS: [f64; 6] = [0.7, 0.85, 0.93, 1.08, 1.17, 1.4];

/// Fits constants and borders by least squares of the relative error. For each border in turn, the fit tries several
/// values, and fits all constants again for each value.
fn fitted(rows: &[Measured]) -> Constants {
    let mut best = linear(rows, SHIPPED);
    let mut least = squares(rows, &best);
    for border in BORDERS {
        let from = best;
        for factor in FACTORS {
            let mut other = from;
            *border(&mut other.borders) *= factor;
            let other = linear(rows, other);
            let error = squares(rows, &other);
            if error < least {
                (best, least) = (other, error);
            }
        }
    }
    best
}

/// Function that gives the fit access to one border.
type Border = fn(&mut Borders) -> &mut f64;

const BORDERS: [Border; 8] = [
    |of| &mut of.resident,
    |of| &mut of.one_step,
    |of| &mut of.two_blocks,
    |of| &mut of.block_rows,
    |of| &mut of.small_block_rows,
    |of| &mut of.whole_k,
    |of| &mut of.whole_k_odd,
    |of| &mut of.held_b,
];

fn squares(rows: &[Measured], with: &Constants) -> f64 {
    rows.iter().map(|row| (time(row.product, with) / row.us - 1.0).powi(2)).sum()
}

/// Fits the linear constants. The fit runs twice, because the faster of two tilings depends on the constants.
fn linear(rows: &[Measured], start: Constants) -> Constants {
    let mut of = start;
    for _ in 0..2 {
        of.linear = solved(rows, &of);
    }
    of
}

fn solved(rows: &[Measured], by: &Constants) -> Linear {
    let units: [Linear; N_LINEAR] = core::array::from_fn(|nth| {
        let mut one = [0.0; N_LINEAR];
        one[nth] = 1.0;
        Linear::from_array(one)
    });
    let nothing = Linear::from_array([0.0; N_LINEAR]);
    let mut normal = [[0.0; N_LINEAR + 1]; N_LINEAR];
    for row in rows {
        let of = |with: &Linear| parts(row.product, by, with).iter().sum::<f64>();
        let offset = of(&nothing);
        let counts = counting(row.product, &by.borders);
        let feature = |nth: usize| if counts.contains(&nth) { (of(&units[nth]) - offset) / row.us } else { 0.0 };
        let features: [f64; N_LINEAR] = core::array::from_fn(feature);
        let target = 1.0 - offset / row.us;
        for (one, line) in features.iter().zip(&mut normal) {
            if *one != 0.0 {
                for (sum, other) in line.iter_mut().zip(features.iter().chain([&target])) {
                    *sum += one * other;
                }
            }
        }
    }
    // A constant that no row depends on keeps its value.
    let known = by.linear.to_array();
    for (nth, line) in normal.iter_mut().enumerate() {
        if line[nth] == 0.0 {
            line[nth] = 1.0;
            line[N_LINEAR] = known[nth];
        }
    }
    Linear::from_array(eliminated(normal))
}

/// Solves the normal equations by Gauss-Jordan elimination with partial pivoting.
fn eliminated(mut lines: [[f64; N_LINEAR + 1]; N_LINEAR]) -> [f64; N_LINEAR] {
    for at in 0..N_LINEAR {
        let largest = (at..N_LINEAR).max_by(|a, b| lines[*a][at].abs().total_cmp(&lines[*b][at].abs())).unwrap_or(at);
        lines.swap(at, largest);
        let pivot = lines[at];
        for (nth, line) in lines.iter_mut().enumerate() {
            if nth != at && line[at] != 0.0 {
                let factor = line[at] / pivot[at];
                for (one, other) in line.iter_mut().zip(pivot) {
                    *one -= factor * other;
                }
            }
        }
    }
    core::array::from_fn(|nth| lines[nth][N_LINEAR] / lines[nth][nth])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns matmuls of each kind with the times that these constants predict.
    fn rows(with: &Constants) -> Vec<Measured> {
        const SIDES: [u64; 13] = [32, 64, 112, 128, 256, 640, 1024, 1536, 2048, 3072, 4096, 1675, 3319];
        let all = (0..13usize.pow(3)).map(|nth| [nth, nth / 13, nth / 169].map(|at| SIDES[at % 13]));
        let product = |[m, k, n]: [u64; 3]| GemmSizes { m, k, n };
        all.map(product).map(|product| Measured { product, us: time(product, with) }).collect()
    }

    #[test]
    fn constants_that_made_the_times_are_found_again() {
        let mut made = SHIPPED;
        let other = core::array::from_fn(|nth| made.linear.to_array()[nth] * (1.0 + 0.01 * (nth as f64 - 8.0)));
        made.linear = Linear::from_array(other);
        let rows = rows(&made);
        let mut start = SHIPPED;
        start.borders = made.borders;
        let found = linear(&rows, linear(&rows, start)).linear.to_array();
        for (found, made) in found.iter().zip(other) {
            assert!((found / made - 1.0).abs() < 1e-6, "{found} {made}");
        }
    }

    #[test]
    fn no_product_is_predicted_by_a_fit_that_saw_its_group() {
        // One group takes twice as long as all constants predict. If the group is left out, its prediction does not
        // know this.
        let mut rows = rows(&SHIPPED);
        rows.retain(|row| group(row.product) <= 1024);
        let odd = |row: &Measured| group(row.product) == 640;
        rows.iter_mut().filter(|row| odd(row)).for_each(|row| row.us *= 2.0);
        let found = left_out(&rows);
        assert_eq!(found.len(), rows.len());
        for one in found.iter().filter(|one| odd(&one.measured)) {
            assert!((one.error() + 0.5).abs() < 0.01, "{one:?}");
        }
    }

    #[test]
    fn an_interval_is_made_of_the_other_groups() {
        let one = |side: u64, factor: f64| LeftOut {
            measured: Measured { product: GemmSizes { m: side, k: 1, n: 1 }, us: factor },
            predicted_us: 1.0,
        };
        // Each score 0.1, 0.2, 0.3, 0.4 and 0.5 is in its own group. With one future group outside, 80% of six groups
        // are all five.
        let all: Vec<LeftOut> = (1..=5).map(|nth| one(nth, (0.1 * nth as f64).exp())).collect();
        let found = interval(&all).expect("five groups");
        assert!((found.log - 0.5).abs() < 1e-9 && found.held == 4, "{found:?}");
        assert_eq!(interval(&all[..1]), None);
    }
}
