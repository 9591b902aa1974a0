//! The manual of `systolic`: help, manual pages, completions and the page of the book are made of these texts.

use crate::command::Command;

/// The purpose of the program.
pub(crate) const ABOUT: &str = "Count, trace and inspect a systolic array from the command line";

/// The conventions of all commands.
pub(crate) const DESCRIPTION: &str = "Every command works on the run of C = A·B, A being M×K and B K×N, on R×C processing elements. Cycles are \
     counted from 0: the clock edge that latches the first stationary row (ws, is) or the first operands (os). k \
     ascends from zero within a fold, fold results are added in fold order; os runs over all of K. Arithmetic is \
     an IEEE f32 round-to-nearest-even model, not a claim about the adders of a chip.";

/// The exit status and examples.
pub(crate) const AFTER: &str = concat!(
    "Exit status:\n",
    "  0 when everything could be used; 2 otherwise, with one sentence per problem on the error stream that names \
     the row, the field, the value and what to use. Good rows are written all the same.",
    "\n\nExamples:\n",
    "  Cycles and accounts of one product on 128×128, with and without overlap:\n",
    "      printf 'M,N,K,R,C,dataflow,overlap\\n512,1024,1024,128,128,ws,none\\n512,1024,1024,128,128,ws,double-buffered\\n' |\n",
    "          systolic count\n",
    "  Every register of the first screen at cycle 7:\n",
    "      systolic state --a A.csv --b B.csv --array 4x4 --dataflow ws --dtype int8 --at 7\n",
    "  The largest f32 and what e4m3fn makes of it:\n",
    "      echo 3.4028234663852886e38 | systolic cast --from f32 --to e4m3fn --saturate\n"
);

/// The rest of a command line after the command.
pub(crate) const fn usage(command: Command) -> &'static str {
    match command {
        Command::Count => "[OPTIONS] < cases.csv",
        Command::Trace => "--gemm MxKxN --array RxC --dataflow D [OPTIONS]",
        Command::Run | Command::State => "--a A.csv --b B.csv --array RxC --dataflow D --dtype T [OPTIONS]",
        Command::Cast => "--from T --to T [OPTIONS] < numbers",
        Command::Svg | Command::Export | Command::Report => "[LINK] [OPTIONS]",
        Command::Rtl => "[LINK] --out DIR [OPTIONS]",
        Command::Time => "--chip ID --dtype T [OPTIONS] < gemms.csv",
        Command::Model => "[--model ID | --config FILE] [OPTIONS]",
        Command::Ask => "LINK [OPTIONS]",
        Command::Check => "[OPTIONS]",
        Command::Define => "[MEASURE]",
        Command::Worksheet => "[ID] [OPTIONS]",
        Command::Completions => "SHELL",
        Command::Help => "[COMMAND]",
        Command::Version => "",
    }
}

/// A command in a line.
pub(crate) const fn summary(command: Command) -> &'static str {
    match command {
        Command::Count => "Counts the cycles of a table of runs",
        Command::Trace => "Lists every element that crosses a port",
        Command::Run => "Computes a product exactly, in the array's order of accumulation",
        Command::State => "Writes the registers of every PE",
        Command::Cast => "Converts numbers to another format",
        Command::Svg => "Draws the array at a cycle",
        Command::Export => "Writes a run as a drawing, table, trace, waveforms, ZIP or hardware",
        Command::Rtl => "Writes the array as SystemVerilog with a testbench",
        Command::Report => "Writes the accounts and figures of a run",
        Command::Time => "Predicts the times of a table of matmuls on a chip",
        Command::Model => "Estimates time, MFU and cost of a model on chips",
        Command::Ask => "Answers the questions of a link about models on chips",
        Command::Check => "Judges the predicted MFU against published runs",
        Command::Define => "Defines a measure: formula, exclusions, source",
        Command::Worksheet => "Prints a lesson, claims or challenges as a page",
        Command::Completions => "Writes a script that completes commands and options in a shell",
        Command::Help => "Lists the commands, or describes one",
        Command::Version => "Writes the version",
    }
}

/// The purpose of a command.
#[expect(clippy::too_many_lines, reason = "a text for each command")]
pub(crate) const fn about(command: Command) -> &'static str {
    match command {
        Command::Count => {
            "Reads a table with the columns M,N,K,R,C,dataflow and optionally overlap; order and case do not \
             matter. Adds cycles, folds, mapping_efficiency_pct, utilization_pct, a_reads, b_reads, c_writes and \
             the PE-cycles that are useful, padding, load, fill, drain and stall, which add up to R·C·cycles. \
             Other columns pass through."
        }
        Command::Trace => {
            "Writes every element at a port: cycle,operand,edge,port,i,j. The operand is A, B or O, a sum that \
             leaves. Output-stationary sums read in place cross no port, so they are not listed."
        }
        Command::Run => {
            "Writes the product, of at most 16777216 results, exactly, in the array's order of accumulation. With \
             --ulp, how far each result is from the exact sum, in units in the last place. With --json, the run \
             in figures: cycles, accounts, and the elements moved at the edge, on the chip and off it."
        }
        Command::State => {
            "Writes every PE's registers just after a clock edge: cycle,row,col,a,b,psum,phase,fold, empty where \
             a register holds nothing. Designs with more registers have more columns: shadow, product, passing, \
             set_aside."
        }
        Command::Cast => "Reads numbers, writes value,code in another format.",
        Command::Svg => {
            "Writes the array as the page draws it: one run without a fault. Only the page shows a second run, a \
             fault or the estimate; a link to one of them is refused."
        }
        Command::Export => {
            "Writes the run of a link as a file of --as: svg, the drawing; tikz, the same for LaTeX; csv or json, \
             every register of every PE at every cycle, as state writes them; perfetto, folds and phases as a \
             trace for viewers, a cycle being a microsecond there; vcd, every register as waveforms, of int8 and \
             int4; zip, a drawing for each of at most 1000 cycles."
        }
        Command::Rtl => {
            "Writes the array as SystemVerilog into a folder: PE, array, skew, feeders and sequencers, the \
             matrices of the run, and a testbench that checks C and every register at every clock edge in \
             Verilator or Icarus; model.vcd has the same registers as waveforms. Says how many registers and bits \
             a PE has. int8 and int4 alone. With --gemm the matrices are those of the page: small numbers of seed \
             7."
        }
        Command::Report => "Writes the accounts and figures of the page, for the same links as svg.",
        Command::Time => {
            "Reads a table with the columns M, N and K. Adds time_us, mfu_pct, bound and eta_tile: the time of \
             each product on a chip; model FLOPs over peak and time; bound: what limits it: compute, memory, \
             reload (operands loaded into the arrays again and converted) or launch; the share of the array's \
             width and depth that is not padding. Unpublished values are left empty. A format without its own \
             rate runs as another format: f32 on a TPU in --passes of bf16, narrow formats widened. With \
             --ladder, also how the format runs and the factors from the chip's peak to the rate, which multiply \
             to mfu_pct: format, arrays, tiles, pipeline, reload, memory, launch. With --against, a column of \
             measured microseconds, it writes the errors instead: rows, mean absolute, median, 90th percentile, \
             bias and worst, in percent, and with --by for each value of another column. The constants and where \
             they were measured: perfmodel, gemm_time. With --bounds, also low_us and high_us, the 80 % interval \
             of the time where products of the kind were measured; with --left-out, the errors of products whose \
             whole group of shapes (the same largest side) was left out of the fit, and the interval that \
             follows."
        }
        Command::Model => {
            "Estimates a model's cost on a number of chips: MFU, time of a step, tokens per second and dollars, \
             each with its formula, its numbers, its sources and what it leaves out; the bill, whose lines add \
             up; the products by time; how far such times are off; and every assumption. What follows from the \
             time of a training step has an 80 % interval, as check judges it. With --json, as one object, the \
             same as the page's: a figure with an interval has low and high beside value, numbers in the unit \
             that value is written in (MFU in percent), and range, both in words; intervals has value, low and \
             high of each measure in the unit of its name, and whose constant they rest on. --config takes a \
             config.json of Hugging Face, a SCALE-Sim table, lines of M,K,N[,count][,name], StableHLO text, an \
             ONNX model or a safetensors file. Above 100 % MFU is refused. With --measured, also the MFU and HFU \
             of your run, its ratio to the prediction, and the factors from the peak to the run. A run above 100 \
             % is refused, and the refusal says what cannot be true. With --claim, the MFU, price or number of \
             chips that the claim would take, and what was published. A run beside it, on another chip or with \
             other settings, is taken apart into changes whose factors multiply to the difference."
        }
        Command::Ask => {
            "Answers the questions of a link as the page does: a model on chips, what padding and compiling cost \
             for sequences of many lengths, what failures cost; plots as words. With --json, as one object, plots \
             as numbers."
        }
        Command::Check => {
            "Judges the MFU that model predicts. It leaves out one whole publication of training runs at a time \
             and fits every constant to the rest. It then predicts the runs left out, each with an 80 % interval \
             made without them. Writes for each publication the runs, the mean absolute error in points of MFU, \
             how many are within 2.5 and 5 points and inside the interval, and its mean width; the last row is of \
             all verified runs. With --by class, how wide the interval is by whose constant a prediction rests \
             on; with --by run, every run."
        }
        Command::Define => {
            "Writes what a measure is: its formula, what it leaves out, its source. Without a name, all of them."
        }
        Command::Worksheet => {
            "Writes a lesson, a set of claims or of challenges as a page to print, its pictures as vectors; with \
             --answers, also the right answers, what wrong ones rest on, and hints. Without an ID, the list of \
             all."
        }
        Command::Completions => "Writes a script that completes commands and options in a shell.",
        Command::Help => "Lists the commands, or describes one.",
        Command::Version => "Writes the version.",
    }
}
