// Generated from the table of the protocol; a test compares them.

/** Settings by their names in a link. In a request, null sets a default. */
export interface Settings {
  rows?: number | null;
  cols?: number | null;
  m?: number | null;
  k?: number | null;
  n?: number | null;
  df?: 'ws' | 'os' | 'is' | null;
  dt?: 'f32' | 'bf16' | 'f16' | 'e4m3fn' | 'e5m2' | 'e4m3b11fnuz' | 'e4m3fnuz' | 'e5m2fnuz' | 'int8' | 'int4' | 'tf32' | null;
  pad?: 'ragged' | 'zero' | 'm' | null;
  padm?: number | null;
  fill?: 'small' | 'uniform' | 'counting' | 'identity' | 'ramp' | 'custom' | null;
  seed?: number | null;
  overlap?: 'none' | 'double-buffered' | null;
  load?: 'usual' | 'rows' | 'diagonal' | null;
  drain?: 'in-place' | 'south' | null;
  ktiles?: string | null;
  feed?: 'on-chip' | 'memory' | null;
  chip?: 'tpu-v1' | 'tpu-v2' | 'tpu-v3' | 'tpu-v4i' | 'tpu-v4' | 'tpu-v5e' | 'tpu-v5p' | 'tpu-v6e' | 'tpu-7x' | 'tpu-8t' | 'tpu-8i' | 'v100' | 'a100-40' | 'a100-80' | 'h100-sxm' | 'h800-sxm' | 'h200-sxm' | 'b200-sxm' | 'b300-sxm' | 'gb200' | 'gb300' | 'l40s' | 'rtx-4090' | 'rtx-5090' | 'rtx-a6000' | 'l4' | 't4' | 'trainium1' | 'trainium2' | 'trainium3' | 'gaudi2' | 'gaudi3' | 'mi250x' | 'mi300x' | 'mi325x' | 'mi355x' | null;
  passes?: '1' | '3' | '6' | null;
  adder?: 'f32' | 'tpu' | 'v100' | 'a100' | 'h100' | 'b200' | null;
  out?: 'sum' | 'bf16' | 'f16' | null;
  arrays?: number | null;
  mhz?: number | null;
  cents?: number | null;
  a?: string | null;
  b?: string | null;
  c?: string | null;
}

/** Parts of the view by their names in a link. In a request, null sets a default. */
export interface View {
  pe?: string | null;
  speed?: '0.5' | '1' | '2' | '4' | '10' | '30' | '60' | 'run' | 'max' | null;
  theme?: 'auto' | 'light' | 'dark' | 'projector' | null;
  tool?: 'pe' | 'compare' | 'break' | 'heat' | 'folds' | 'transcript' | 'pictures' | 'build' | 'none' | null;
  cmp?: string | null;
  break?: string | null;
  show?: 'activity' | 'sum' | 'useful' | 'wasted' | 'error' | null;
  picture?: 'array' | 'pe-cycles' | 'cube' | 'cubes' | 'roofline' | 'bits' | 'traffic' | 'im2col' | null;
  follow?: string | null;
  loop?: 'fold' | null;
  class?: 'useful' | 'padding' | 'load' | 'fill' | 'drain' | 'stall' | null;
  flow?: string | null;
}

/** A value of a register. JSON has no numbers for the last three. */
export type Scalar = number | 'nan' | 'inf' | '-inf';

/** Current state of the page. */
export interface State {
  /** Settings of the run. A and B are there if they are custom. */
  settings: Settings;
  /** The view. A part that is not in use is null. */
  view: View;
  /** The cycle that the page shows. */
  cycle: number;
  /** The last cycle of the run. */
  last: number;
  /** True during playback. */
  playing: boolean;
  /** MFU of the array on screen for the whole run. Null if the chip lacks the format. */
  array_mfu_pct: number | null;
  /** US dollars for 10¹⁸ useful multiplications, at the price of the chip. */
  array_usd_per_1e18: number | null;
  /** MFU of the array from the start of the run to the shown cycle. */
  array_mfu_so_far_pct: number | null;
  /** Cost up to the shown cycle. Null before the first useful PE-cycle. */
  array_usd_so_far_per_1e18: number | null;
  /** The link of this state, from the question mark on. */
  link: string;
  /** Sentences about parts of the link that could not be used. */
  notices: string[];
}

/** PE-cycles of a run by class, and its utilization. */
export interface Measures {
  /** Cycles of the whole run. */
  cycles: number;
  /** Folds of the run. */
  folds: number;
  /** PEs times cycles. */
  pe_cycles: number;
  /** Useful PE-cycles, in percent of all PE-cycles. */
  utilization_pct: number;
  /** MFU of the array on screen. Null if the chip lacks the format. */
  array_mfu_pct: number | null;
  /** US dollars for 10¹⁸ useful multiplications, at the price of the chip. */
  array_usd_per_1e18: number | null;
  /** PE-cycles with a useful product. */
  useful: number;
  /** PE-cycles of PEs without a useful product because of padding. */
  padding: number;
  /** PE-cycles while the stationary operand is loaded. */
  load: number;
  /** PE-cycles of PEs that wait for their first operand. */
  fill: number;
  /** PE-cycles of PEs that have finished their fold. */
  drain: number;
  /** PE-cycles while the array waits for memory. */
  stall: number;
}

/** Registers of a PE at a cycle. */
export interface Registers {
  /** The cycle. */
  cycle: number;
  /** Row of the PE, from 0. */
  row: number;
  /** Column of the PE, from 0. */
  col: number;
  /** Element of A in the PE. */
  a: Scalar | null;
  /** Element of B in the PE. */
  b: Scalar | null;
  /** Partial sum. */
  psum: Scalar | null;
  /** Phase of the PE. */
  phase: 'padding' | 'load' | 'fill' | 'steady' | 'drain' | 'stall';
  /** The fold, from 0. */
  fold: number;
  /** Stationary element of the next fold, with double buffering. */
  shadow?: Scalar | null;
  /** Product register, if the design has one. */
  product?: Scalar | null;
  /** Second register on the way south, if the design has one. */
  passing?: Scalar | null;
  /** Finished sum that is leaving the array. */
  drained?: Scalar | null;
}

export type ErrorCode = 'E_VERSION' | 'E_METHOD' | 'E_PARAMS' | 'E_RANGE' | 'E_LOCKED' | 'E_SIZE';
export type EventName = 'step' | 'change' | 'end' | 'resize' | 'answer' | 'key';

/** Fields of an error. */
export interface SapError extends Error {
  code: ErrorCode;
  path: string;
  given: string;
  allowed: string;
}

/** The methods, as promises. */
export interface Methods {
  /** Returns the current state. `setState` accepts its `settings` and its `view`. */
  getState(): Promise<State>;
  /** Changes all of the given values, or none if one is refused. `null` sets a default. Returns the new state. */
  setState(params: { settings: Settings; view?: View } | { settings?: Settings; view: View }): Promise<State>;
  /** Advances by `by` cycles; a negative number goes back. */
  step(params?: { by?: number }): Promise<State>;
  /** Goes to a cycle, or to a named moment. */
  seek(params: { cycle: number; to?: undefined } | { cycle?: undefined; to: 'start' | 'end' | 'next-event' | 'previous-event' }): Promise<State>;
  /** Starts playback. */
  play(): Promise<State>;
  /** Pauses playback. */
  pause(): Promise<State>;
  /** Returns the PE-cycles of the whole run by class, the utilization, and the MFU and the cost of the array. */
  measure(): Promise<Measures>;
  /** Returns the registers of every PE at a cycle: the objects of the JSON file, as in docs/export.md. */
  registers(params?: { cycle?: number }): Promise<Registers[]>;
  /** Returns C, as rows of numbers. */
  result(): Promise<Scalar[][]>;
  /** Returns the screen-reader description of the current cycle. */
  describe(): Promise<string>;
  /** Answers at once. No answer means that the frame has stopped responding. */
  ping(): Promise<null>;
  /** Returns a file of the run, as text. A PNG and a GIF are `data:` addresses. */
  export(params: { as: 'svg' | 'tikz' | 'csv' | 'json' | 'perfetto' | 'vcd' | 'png' | 'gif' }): Promise<string>;
}
