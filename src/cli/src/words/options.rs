//! Texts of the options of `systolic`.

/// The text of an option.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OptionText {
    pub(crate) id: &'static str,
    /// The kind of its value; none for an option without a value.
    pub(crate) value: Option<&'static str>,
    pub(crate) help: &'static str,
    pub(crate) group: Group,
}

/// Groups of options in the manual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// Options of one command or of several.
    Own,
    /// The design of the array. Its defaults follow SCALE-Sim.
    Design,
    /// The estimate of a model.
    Model,
    /// Terms of a bill. A term without a value is unknown, and so is the total.
    Bill,
}

impl Group {
    /// The heading; none for the first options.
    pub(crate) const fn heading(self) -> Option<&'static str> {
        match self {
            Self::Own | Self::Model => None,
            Self::Design => Some("Design, by default as in SCALE-Sim"),
            Self::Bill => Some("Terms of the bill; without a value a term is unknown, and so is the total"),
        }
    }
}

const fn option(id: &'static str, value: Option<&'static str>, group: Group, help: &'static str) -> OptionText {
    OptionText { id, value, help, group }
}

/// Every option.
pub(crate) const OPTIONS: [OptionText; 68] = [
    option(
        "gemm",
        Some("MxKxN"),
        Group::Own,
        "The sizes of the product, each from 1 to 2147483648; for svg, export and report, as on the page, to \
         65536.",
    ),
    option("array", Some("RxC"), Group::Own, "The array, each side from 1 to 1024."),
    option("dataflow", Some("D"), Group::Own, "ws, os or is: what stays in the PEs, weights, outputs or inputs."),
    option(
        "dtype",
        Some("T"),
        Group::Own,
        "f32, bf16, f16, e4m3fn, e5m2, e4m3b11fnuz, int8 or int4; for time and model a chip's formats: bf16, f16, \
         f32, tf32, fp8, fp4, int16, int8 or int4.",
    ),
    option(
        "from",
        Some("T"),
        Group::Own,
        "The format of the input: f32, bf16, f16, e4m3fn, e5m2, e4m3b11fnuz, int8 or int4.",
    ),
    option("to", Some("T"), Group::Own, "The format of the output, one of those of --from."),
    option("acc", Some("S"), Group::Own, "The format of the sums: f32, bf16 or f16 with floats, int32 with integers."),
    option(
        "passes",
        Some("N"),
        Group::Own,
        "f32 products on a bf16 array, as 1, 3 or 6 bf16 products; cycles and elements are those of all. For time \
         and model, on a TPU; 1 by default, as in JAX.",
    ),
    option("pad", Some("P"), Group::Own, "ragged, zero (to multiples of the array), or m8 for M to a multiple of 8."),
    option(
        "saturate",
        None,
        Group::Own,
        "A value beyond the largest number becomes the largest number. Default: infinity or NaN, as in XLA.",
    ),
    option("flush", None, Group::Own, "Subnormal numbers become zero."),
    option("a", Some("FILE"), Group::Own, "Matrix A, a row per line."),
    option("b", Some("FILE"), Group::Own, "Matrix B, a row per line."),
    option("at", Some("CYCLE"), Group::Own, "One clock edge, or all."),
    option(
        "format",
        Some("F"),
        Group::Own,
        "decimal or hex (as 0x1.8p+1) for numbers; csv or json, an object per line, for state.",
    ),
    option("ulp", None, Group::Own, "Errors in place of results, or beside them with --json."),
    option("json", None, Group::Own, "The whole report as one object."),
    option("as", Some("F"), Group::Own, "svg, tikz, csv, json, perfetto, vcd, zip or rtl."),
    option("out", Some("DIR"), Group::Own, "The folder for the files of rtl. Files of the same names are replaced."),
    option("size", Some("WxH"), Group::Own, "The size of the picture in pixels, each side from 40 to 8000."),
    option("chip", Some("ID"), Group::Own, "The chip of the report or of the times, as in a link: tpu-v4."),
    option(
        "own",
        Some("VALUES"),
        Group::Own,
        "Your values of a chip. They replace those of --chip; with --chip own all others are unknown. An example: \
         peak-bf16.200_hbm.1200_price.0.8. Names: peak-DTYPE in TFLOPS, hbm in GB/s, capacity in GB; rows, cols \
         and arrays of the chip; clock in MHz, power in W, price in dollars per chip and hour. A value is a \
         number or unknown. Values left out stay as published. Nothing unknown is guessed.",
    ),
    option(
        "model",
        Some("ID"),
        Group::Own,
        "bert-large, gpt2-xl, gpt3-175b, llama2-7b, llama2-70b, llama3-8b, llama3-70b, gemma-2b and others; any \
         unknown name prints the list.",
    ),
    option("config", Some("FILE"), Group::Own, "Your own model, read from a file."),
    option(
        "chips",
        Some("N"),
        Group::Own,
        "Chips that run one program together, or a slice of the chip by its name, e.g. v5p-128. Default: 64.",
    ),
    option("pass", Some("P"), Group::Own, "train, prefill or decode."),
    option(
        "seq",
        Some("N"),
        Group::Own,
        "Sequence length in tokens; for decode, the tokens already cached. Default: 2048.",
    ),
    option("batch", Some("N"), Group::Own, "Sequences on each chip. Default: 4."),
    option(
        "remat",
        Some("R"),
        Group::Own,
        "none, or full where the backward pass computes the forward pass again. Default: auto, what the published \
         runs did that the chip's constant is taken from.",
    ),
    option("attention", Some("C"), Group::Own, "How model FLOPs count attention: full, or causal for half of it."),
    option("split", Some("S"), Group::Own, "data, fsdp or tensor."),
    option(
        "overlap",
        Some("PERCENT"),
        Group::Model,
        "How much of the shorter of arithmetic and exchange hides behind the longer. Default: 100.",
    ),
    option(
        "price",
        Some("NAME"),
        Group::Own,
        "One of the listed prices of the chip: its kind, and where needed its region and date, e.g. spot or \
         on-demand.europe-west4; any unknown name prints the list.",
    ),
    option(
        "usd",
        Some("PRICE"),
        Group::Own,
        "Dollars for an hour of one chip instead of a listed price (1.2); of a core (0.6/core); or of several \
         chips together (9.6/8).",
    ),
    option("tokens", Some("N"), Group::Own, "Tokens of a whole run, e.g. 15e12. Default: the cost of one day."),
    option(
        "versus",
        Some("ID"),
        Group::Own,
        "Another chip next to this one: two bills, and after how much work porting from one to the other is paid.",
    ),
    option(
        "than",
        Some("SETTINGS"),
        Group::Own,
        "Settings of the other run: chips.8_batch.1_dtype.f32, of chips, dtype, passes, seq, batch, remat, split, \
         overlap, price and usd.",
    ),
    option(
        "measured",
        Some("M"),
        Group::Own,
        "Your own run: a step (5.67 s), all chips (250000 tokens/s), a chip (4000 tokens/s/chip), or the whole \
         run (76 min/run) of --tokens.",
    ),
    option(
        "claim",
        Some("C"),
        Group::Own,
        "Claims how much better the run is than the other run: 2.7 faster, or 3x cheaper.",
    ),
    option("per", Some("P"), Group::Own, "chip, or core where a chip's cores are listed."),
    option("against", Some("COLUMN"), Group::Own, "Measured microseconds to compare with."),
    option(
        "left-out",
        None,
        Group::Own,
        "Fits the constants without each group of shapes in turn, and judges that group by them.",
    ),
    option("bounds", None, Group::Own, "Adds the 80 % interval of each time."),
    option(
        "by",
        Some("COLUMN"),
        Group::Own,
        "What the errors are grouped by; for check: publication, class or run. Default: publication.",
    ),
    option("answers", None, Group::Own, "Adds the right answers and why the others are wrong."),
    option("ladder", None, Group::Own, "Adds the factors from the peak of the chip to the rate of each product."),
    option(
        "overlap",
        Some("O"),
        Group::Design,
        "none or double-buffered: the next fold's operand goes into shadow registers while this fold runs (ws, \
         is), or this fold's sums leave while the next one runs (os).",
    ),
    option(
        "load",
        Some("L"),
        Group::Design,
        "rows (all columns at once) or diagonal (column j begins j cycles later); diagonal is the default when \
         double-buffered. Only with ws and is, which load an operand.",
    ),
    option("drain", Some("D"), Group::Design, "in-place or south: how the sums of os leave. Only with os."),
    option("order", Some("O"), Group::Design, "rows or cols: which axis of the array the folds traverse first."),
    option(
        "product-register",
        None,
        Group::Design,
        "The product is latched before it is added: sums are complete one cycle later.",
    ),
    option(
        "two-registers-south",
        None,
        Group::Design,
        "Values that flow south pass two registers per row: the skew is two cycles per row.",
    ),
    option(
        "west",
        Some("N"),
        Group::Design,
        "Elements that an edge passes per cycle (64), or per number of cycles (340/7). Default: as many as the \
         array takes.",
    ),
    option(
        "north",
        Some("N"),
        Group::Design,
        "Elements that an edge passes per cycle (64), or per number of cycles (340/7). Default: as many as the \
         array takes.",
    ),
    option(
        "south",
        Some("N"),
        Group::Design,
        "Elements that an edge passes per cycle (64), or per number of cycles (340/7). Default: as many as the \
         array takes.",
    ),
    option(
        "mtbf",
        Some("HOURS"),
        Group::Bill,
        "Hours between failures of one chip. Default: 50677, measured in the training of Llama 3.",
    ),
    option("save", Some("S"), Group::Bill, "Seconds to save a checkpoint. Default: 60, assumed."),
    option("restart", Some("S"), Group::Bill, "Seconds from a failure to the next new step. Default: 600, assumed."),
    option("interval", Some("MIN"), Group::Bill, "Minutes between saves. Default: 0, which means Young's optimum."),
    option("shapes", Some("N"), Group::Bill, "Shapes that are compiled. Default: 1."),
    option("compile", Some("S"), Group::Bill, "Seconds to compile a shape. Default: 39.23, from a log of MaxText."),
    option("egress", Some("GB"), Group::Bill, "Data that leave a provider. Default: none."),
    option(
        "egress-usd",
        Some("USD"),
        Group::Bill,
        "Dollars for a GB that leaves. Default: the price of AWS, $0.09 after 100 GB.",
    ),
    option("weeks", Some("N"), Group::Bill, "Weeks of engineers to bring the program to the chip."),
    option("week-usd", Some("USD"), Group::Bill, "Dollars for a week of an engineer."),
    option(
        "kwh-usd",
        Some("USD"),
        Group::Bill,
        "Dollars for a kWh that is paid apart. Without it the rent of a chip includes its electricity.",
    ),
    option("pue", Some("RATIO"), Group::Bill, "Energy of the building over that of its machines. Default: 1."),
    option("grid", Some("KG"), Group::Bill, "kg of carbon dioxide for a kWh. Without it carbon is unknown."),
];
