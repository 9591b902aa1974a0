//! Drawings of a run: pictures that the page can show in place of the array.

systolic::named! {
    /// The drawing in the view of the array.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    exact pub enum Drawing {
        /// The array with its registers.
        #[default]
        Array => "array",
        /// One square per PE-cycle: a row for each PE, a column for each cycle.
        PeCycles => "pe-cycles",
        /// The multiplications as a cube, next to the array.
        Cube => "cube",
        /// The cube once for each dataflow.
        Cubes => "cubes",
        /// The matmul on the roofline of the chip, and the efficiency breakdown from peak to MFU.
        Roofline => "roofline",
        /// The bits of the numbers in one PE, and the bits that rounding drops.
        Bits => "bits",
        /// The numbers that cross the edge of the array, next to the number of products.
        Traffic => "traffic",
        /// A convolution: the picture with a filter on it, and the matrix A whose rows are the places of the filter.
        Im2col => "im2col",
    }
}
