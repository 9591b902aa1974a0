// Generated from the table of link parameters; a test compares them.

/** Link parameters. */
export interface LinkParameters {
  /** Version of the link format. If the version differs, the page reads only the parts that it understands. Default: 1. */
  v?: '1';
  /** Rows of PEs. Default: 4. */
  rows?: number;
  /** Columns of PEs. Default: 4. */
  cols?: number;
  /** Rows of A and C. Default: 6. */
  m?: number;
  /** Columns of A and rows of B: the number of products in each sum. Default: 4. */
  k?: number;
  /** Columns of B and C. Default: 3. */
  n?: number;
  /** Dataflow, by its stationary operand: weights (ws), outputs (os) or inputs (is). Default: ws. */
  df?: 'ws' | 'os' | 'is';
  /** Number format (dtype) of A and B. Default: int8. */
  dt?: 'f32' | 'bf16' | 'f16' | 'e4m3fn' | 'e5m2' | 'e4m3b11fnuz' | 'e4m3fnuz' | 'e5m2fnuz' | 'int8' | 'int4' | 'tf32';
  /** Padding if the matrices do not fill the array: none, zeros, or M rounded up to a multiple. Default: ragged. */
  pad?: 'ragged' | 'zero' | 'm';
  /** With pad=m, M is padded to a multiple of this number. Default: 8. */
  padm?: number;
  /** Values of A and B. Default: small. */
  fill?: 'small' | 'uniform' | 'counting' | 'identity' | 'ramp' | 'custom';
  /** Seed of the random values. Default: 7. */
  seed?: number;
  /** Overlap of folds: the next fold can load while the current fold runs. Default: none. */
  overlap?: 'none' | 'double-buffered';
  /** Order in which the stationary operand is shifted in. Default: usual. */
  load?: 'usual' | 'rows' | 'diagonal';
  /** Path on which the results of an output-stationary fold leave the array. Default: in-place. */
  drain?: 'in-place' | 'south';
  /** Order of the tiles of k in a weight- or input-stationary run, by name or as a list such as 2,3,0,1. K must be a multiple of the rows. Default: up. */
  ktiles?: string;
  /** Source of B: on-chip memory, or main memory (HBM), which can stall the array. Default: on-chip. */
  feed?: 'on-chip' | 'memory';
  /** Chip whose peak rate and price the figures use. Default: tpu-v4. */
  chip?: 'tpu-v1' | 'tpu-v2' | 'tpu-v3' | 'tpu-v4i' | 'tpu-v4' | 'tpu-v5e' | 'tpu-v5p' | 'tpu-v6e' | 'tpu-7x' | 'tpu-8t' | 'tpu-8i' | 'v100' | 'a100-40' | 'a100-80' | 'h100-sxm' | 'h800-sxm' | 'h200-sxm' | 'b200-sxm' | 'b300-sxm' | 'gb200' | 'gb300' | 'l40s' | 'rtx-4090' | 'rtx-5090' | 'rtx-a6000' | 'l4' | 't4' | 'trainium1' | 'trainium2' | 'trainium3' | 'gaudi2' | 'gaudi3' | 'mi250x' | 'mi300x' | 'mi325x' | 'mi355x';
  /** Number of bf16 passes in which a TPU computes f32. Default: 1. */
  passes?: '1' | '3' | '6';
  /** Adder of a PE: one product at a time in f32, or blocks of products as in a chip. Default: f32. */
  adder?: 'f32' | 'tpu' | 'v100' | 'a100' | 'h100' | 'b200';
  /** Format to which complete results are rounded: the format of the sums, bf16 or f16. Default: sum. */
  out?: 'sum' | 'bf16' | 'f16';
  /** Number of arrays like this array in a custom chip with the memory of `chip`; 0 for the chip as published. Default: 0. */
  arrays?: number;
  /** With arrays, the clock of the custom chip in MHz. Default: 1000. */
  mhz?: number;
  /** With arrays, the price of the custom chip in US cents per hour. Default: 100. */
  cents?: number;
  /** Matrix A, with semicolons between rows. Sets m and k. */
  a?: string;
  /** Matrix B, with semicolons between rows. Sets k and n. */
  b?: string;
  /** Matrix from which the sums start, of M rows and N columns, with semicolons between rows. */
  c?: string;
  /** Cycle that the page shows. Without this parameter, a run opens at cycle 0; only the first screen opens at a later cycle. Default: 7. */
  t?: number;
  /** Row and column of the PE that the caption describes, counted from 0. */
  pe?: string;
  /** Cycles per second during playback. With speed=run, the whole run takes 20 seconds; with speed=max, the whole run takes at most 10 seconds. Default: 2. */
  speed?: '0.5' | '1' | '2' | '4' | '10' | '30' | '60' | 'run' | 'max';
  /** Colors of the page. Default: auto. */
  theme?: 'auto' | 'light' | 'dark' | 'projector';
  /** Layout. full: whole page; embed, poster, bare, answer: for embedding; present: for a projector; workbench: whole page with the first tool of the link open; desk: model estimates. Default: full. */
  ui?: 'full' | 'embed' | 'poster' | 'bare' | 'answer' | 'present' | 'workbench' | 'desk';
  /** Tool that is open next to the array. Default: none. */
  tool?: 'pe' | 'compare' | 'break' | 'heat' | 'folds' | 'transcript' | 'pictures' | 'build' | 'none';
  /** Settings that readers cannot change. An embedded frame with this parameter shows all other settings. */
  lock?: string;
  /** Parts of the page that are hidden. Default: none. */
  hide?: string;
  /** Second run, next to the first run. The percent-encoded value has only the settings that differ from the first run. */
  cmp?: string;
  /** Fault in the array. */
  break?: string;
  /** Heat map: one number per PE. Default: activity. */
  show?: 'activity' | 'sum' | 'useful' | 'wasted' | 'error';
  /** Drawing of the run in place of the array. Default: array. */
  picture?: 'array' | 'pe-cycles' | 'cube' | 'cubes' | 'roofline' | 'bits' | 'traffic' | 'im2col';
  /** Value that the page follows through the array. The link names a register of the selected PE, and a cycle in which the register held the value. */
  follow?: string;
  /** Playback repeats one fold. */
  loop?: 'fold';
  /** Class of PE-cycles that the page highlights. */
  class?: 'useful' | 'padding' | 'load' | 'fill' | 'drain' | 'stall';
  /** Dataflow that a person builds: the moves of A, B and the sums, and the delays of rows and columns. The cycle that the page shows can follow. */
  flow?: string;
  /** Lesson card next to the array, or the list of all lessons. */
  learn?: string;
  /** Percent-encoded question about a model on chips; visible with ui=desk or ui=answer. */
  ask?: string;
  /** Percent-encoded question about sequences of different lengths; visible with ui=desk or ui=answer. */
  lengths?: string;
  /** Percent-encoded question about failures of a long run; visible with ui=desk or ui=answer. */
  failures?: string;
  /** Slides, one per line: the link of the slide and, after tabs, its sentence, its time and its notes. */
  slides?: string;
  /** Slide that the page shows, counted from 1. */
  slide?: number;
  /** Kiosk mode: the page plays the run, and restarts after this many seconds without input. */
  kiosk?: number;
}
