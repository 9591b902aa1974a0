//! `systolic help`.

use std::io::Write;

use crate::problem::Problems;

const TEXT: &str = "systolic: one systolic array, counted, traced and looked into, without a screen

  systolic count < cases.csv
      columns M,N,K,R,C,dataflow[,overlap] in any order and case; adds cycles, folds, mapping_efficiency_pct,
      utilization_pct, a_reads, b_reads, c_writes and the six accounts; other columns pass through
  systolic trace --gemm MxKxN --array RxC --dataflow ws|os|is
      every element at a port: cycle,operand,edge,port,i,j; operand O is a sum that leaves
  systolic run --a A.csv --b B.csv --array RxC --dataflow D --dtype T [--acc f32|bf16|f16] [--pad P]
               [--format decimal|hex] [--json]
      the product in the array's order, exactly
  systolic state --a A.csv --b B.csv --array RxC --dataflow D --dtype T [--at CYCLE|all] [--format csv|json]
      every PE's registers just after a clock edge: cycle,row,col,a,b,psum,phase,fold; empty where nothing is held
  systolic cast --from T --to T [--saturate] [--flush] [--format decimal|hex]
      numbers on standard input; value,code out
  systolic svg [LINK] [--at CYCLE] [--gemm MxKxN] [--array RxC] [--dataflow D] [--dtype T] [--size WxH]
      the array as the page draws it
  systolic report [LINK] [the options of svg] [--chip ID]
      the accounts and figures of the page

  T  f32 bf16 f16 e4m3fn e5m2 e4m3b11fnuz int8 int4     D  ws os is     P  ragged, zero, or m8 for M to a multiple of 8
  --saturate  beyond the largest number becomes the largest number     --flush  subnormal numbers become zero
  LINK is what the page has in its address bar, or the part from the question mark on.

Cycles are counted from 0: the clock edge that latches the first stationary row (ws, is) or the first operands (os).
k ascends from zero within a fold, fold results are added in fold order; os runs over all of K.
What cannot be used is one sentence each on the error stream; the exit code is then 2.
";

pub(crate) fn command(out: &mut impl Write) -> Result<(), Problems> {
    out.write_all(TEXT.as_bytes())?;
    Ok(())
}
