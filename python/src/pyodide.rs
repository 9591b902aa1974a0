//! Script and module for Pyodide, whose Python calls JavaScript: `package/systolic_playground/_native.py` of the pure
//! wheel is the other side.
//!
//! A call passes texts, numbers and bytes. Pairs of a name and a value are two texts after each other.

use wasm_bindgen::prelude::*;

use crate::problem::Problem;

impl From<Problem> for JsError {
    fn from(problem: Problem) -> Self {
        Self::new(&crate::sentence(&problem))
    }
}

/// Array that can run matmuls.
#[wasm_bindgen]
#[derive(Debug)]
pub struct CoreArray(crate::array::Array);

/// Matmul on an array.
#[wasm_bindgen]
#[derive(Debug)]
pub struct CoreRun(crate::run::Run);

/// Columns of bytes, and their names if they have names.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Columns(Vec<Vec<u8>>, Vec<String>);

/// Texts in pairs.
fn pairs<T: FromIterator<(String, String)>>(texts: Vec<String>) -> T {
    let mut texts = texts.into_iter();
    core::iter::from_fn(|| Some((texts.next()?, texts.next()?))).collect()
}

#[wasm_bindgen]
impl CoreArray {
    /// Creates an array from its settings.
    ///
    /// # Errors
    /// Fails if a setting is not allowed.
    #[wasm_bindgen(constructor)]
    pub fn new(settings: Vec<String>) -> Result<Self, JsError> {
        Ok(Self(crate::array::Array::new(pairs(settings))?))
    }

    /// Returns the format of the accumulator.
    #[must_use]
    pub fn accumulator(&self) -> String {
        self.0.accumulator().to_owned()
    }

    /// Returns the format of the results.
    #[must_use]
    pub fn results(&self) -> String {
        self.0.results().to_owned()
    }

    /// Multiplies two matrices, each as bytes, their format, and their numbers of rows and columns. The sums
    /// start from a matrix c of the same form, or from zeros if c has no format.
    ///
    /// # Errors
    /// Fails if the matrices cannot be multiplied on the array.
    #[expect(clippy::too_many_arguments, reason = "three matrices of a script")]
    pub fn run(
        &self,
        a: &[u8],
        a_format: &str,
        a_rows: u32,
        a_cols: u32,
        b: &[u8],
        b_format: &str,
        b_rows: u32,
        b_cols: u32,
        c: &[u8],
        c_format: &str,
        c_rows: u32,
        c_cols: u32,
    ) -> Result<CoreRun, JsError> {
        let shape = |rows: u32, cols: u32| (u64::from(rows), u64::from(cols));
        let c = (!c_format.is_empty()).then(|| (c, c_format, shape(c_rows, c_cols)));
        Ok(CoreRun(self.0.run((a, a_format, shape(a_rows, a_cols)), (b, b_format, shape(b_rows, b_cols)), c)?))
    }
}

#[wasm_bindgen]
impl Columns {
    /// Returns a column.
    #[must_use]
    pub fn column(&self, index: usize) -> Vec<u8> {
        self.0.get(index).cloned().unwrap_or_default()
    }

    /// Returns the names of the columns.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.1.clone()
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn length(&self) -> usize {
        self.0.len()
    }
}

#[wasm_bindgen]
impl CoreRun {
    /// Returns the result, 4 bytes a number.
    #[must_use]
    pub fn product(&self) -> Vec<u8> {
        self.0.product()
    }

    /// Returns two columns for each register: its values, and a byte per PE that is 1 if the register is empty. The names
    /// are those of the registers.
    ///
    /// # Errors
    /// Fails if the run has no such cycle.
    pub fn state(&self, cycle: &str) -> Result<Columns, JsError> {
        let planes = self.0.state(cycle)?;
        let names = planes.iter().map(|(name, ..)| (*name).to_owned()).collect();
        Ok(Columns(planes.into_iter().flat_map(|(_, values, empty)| [values, empty]).collect(), names))
    }

    /// Returns the elements at all ports, in six columns.
    ///
    /// # Errors
    /// Fails if the run has no such cycles.
    pub fn trace(&self, first: &str, last: &str) -> Result<Columns, JsError> {
        Ok(Columns(self.0.trace(first, last)?.into(), Vec::new()))
    }

    /// Returns the query and the fragment of the link that shows the run.
    ///
    /// # Errors
    /// Fails if the page cannot show the run.
    pub fn link(&self, cycle: &str) -> Result<Vec<String>, JsError> {
        let (query, fragment) = self.0.link(cycle)?;
        Ok(vec![query, fragment])
    }

    /// Returns a drawing of the array as an SVG document.
    ///
    /// # Errors
    /// Fails if a size or the theme is not allowed, or the page cannot show the run.
    pub fn svg(&self, cycle: &str, width: &str, height: &str, theme: &str) -> Result<String, JsError> {
        Ok(self.0.svg(cycle, width, height, theme)?)
    }

    /// Returns MFU and cost of the array.
    ///
    /// # Errors
    /// Fails if the run has no such cycle, or if the chip or the number of passes is unknown.
    pub fn cost(&self, chip: &str, passes: &str, cycle: &str) -> Result<Vec<f64>, JsError> {
        Ok(self.0.cost(chip, passes, cycle)?.to_vec())
    }

    /// Returns the share of PEs with work.
    ///
    /// # Errors
    /// Fails if the run has no such cycle.
    pub fn occupancy(&self, cycle: &str) -> Result<f64, JsError> {
        Ok(self.0.occupancy(cycle)?)
    }

    /// Returns rows and columns of the result, rows and columns of the array, cycles and folds.
    #[must_use]
    pub fn sizes(&self) -> Vec<u64> {
        let ((m, n), (rows, cols)) = (self.0.shape(), self.0.sides());
        vec![m, n, rows.into(), cols.into(), self.0.cycles(), self.0.folds()]
    }

    /// Returns the utilization and the mapping efficiency.
    #[must_use]
    pub fn shares(&self) -> Vec<f64> {
        vec![self.0.utilization(), self.0.mapping_efficiency()]
    }

    /// Returns the names of the classes of PE-cycles, and then of the elements at the edges.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.0.pe_cycles().into_iter().chain(self.0.elements()).map(|(name, _)| name.to_owned()).collect()
    }

    /// Returns the numbers of [`Self::names`].
    #[must_use]
    pub fn counts(&self) -> Vec<u64> {
        self.0.pe_cycles().into_iter().chain(self.0.elements()).map(|(_, number)| number).collect()
    }
}

/// Returns the script of the element that shows the page in a frame.
#[wasm_bindgen]
#[must_use]
pub fn element() -> String {
    crate::ELEMENT.to_owned()
}

/// Returns the code of a name in a column.
///
/// # Errors
/// Fails if the column has no such name.
#[wasm_bindgen]
pub fn code(column: &str, index: usize, name: &str) -> Result<u8, JsError> {
    Ok(crate::count::code(column, index, name)?)
}

/// Counts a table of runs.
///
/// # Errors
/// Fails if a value of the table or a setting is not allowed.
#[wasm_bindgen]
#[expect(clippy::too_many_arguments, reason = "the columns of a table, each by its name")]
#[expect(clippy::needless_pass_by_value, reason = "a script passes optional bytes as a copy")]
pub fn count(
    m: &[u8],
    n: &[u8],
    k: &[u8],
    rows: &[u8],
    cols: &[u8],
    dataflow: &[u8],
    overlap: Option<Vec<u8>>,
    settings: Vec<String>,
) -> Result<Columns, JsError> {
    let table = crate::count::Table { sizes: [m, n, k, rows, cols], dataflow, overlap: overlap.as_deref() };
    Ok(Columns(crate::count::count(table, pairs(settings))?.into(), Vec::new()))
}

/// Estimates times of matmuls on a chip.
///
/// # Errors
/// Fails if a value of the table or a setting is not allowed.
#[wasm_bindgen]
pub fn time(m: &[u8], n: &[u8], k: &[u8], settings: Vec<String>, per: &str) -> Result<Columns, JsError> {
    Ok(Columns(crate::time::time([m, n, k], &pairs::<Vec<_>>(settings), per)?.into(), Vec::new()))
}

/// Returns the name of the format in which a chip multiplies.
///
/// # Errors
/// Fails if a setting is not allowed.
#[wasm_bindgen]
pub fn runs_as(settings: Vec<String>) -> Result<String, JsError> {
    let settings: Vec<_> = pairs(settings);
    Ok(crate::time::runs_as(&settings)?)
}

/// Returns the words for the codes of limits.
#[wasm_bindgen]
#[must_use]
pub fn limits() -> Vec<String> {
    crate::time::WORDS.map(str::to_owned).to_vec()
}

/// Returns the report of a model as JSON, and then the sentences about its measurements.
///
/// # Errors
/// Fails if the model or an entry is not allowed.
#[wasm_bindgen]
#[expect(clippy::needless_pass_by_value, reason = "a script passes optional bytes as a copy")]
pub fn model(entries: Vec<String>, config: Option<Vec<u8>>) -> Result<Vec<String>, JsError> {
    let (report, sentences) = crate::model::model(pairs(entries), None, config.as_deref())?;
    Ok([vec![report], sentences].concat())
}
