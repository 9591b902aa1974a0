// Made from the table of the parameters of a link; a test holds it.

/** What a link can say. */
export interface LinkParameters {
  /** The version of links. A link of another version is read as far as it is understood. Usual: 1. */
  v?: '1';
  /** Rows of PEs. Usual: 4. */
  rows?: number;
  /** Columns of PEs. Usual: 4. */
  cols?: number;
  /** Rows of A and C. Usual: 6. */
  m?: number;
  /** Columns of A and rows of B: how many products each result adds. Usual: 4. */
  k?: number;
  /** Columns of B and C. Usual: 3. */
  n?: number;
  /** What stays in the PEs: weights (ws), results (os) or inputs (is). Usual: ws. */
  df?: 'ws' | 'os' | 'is';
  /** The number format of A and B. Usual: int8. */
  dt?: 'f32' | 'bf16' | 'f16' | 'e4m3fn' | 'e5m2' | 'e4m3b11fnuz' | 'int8' | 'int4';
  /** What happens where the product does not fill the array: nothing, zeros, or M to a multiple. Usual: ragged. */
  pad?: 'ragged' | 'zero' | 'm';
  /** The multiple of M that pad=m pads to. Usual: 8. */
  padm?: number;
  /** Where the numbers of A and B come from. Usual: small. */
  fill?: 'small' | 'uniform' | 'counting' | 'identity' | 'custom';
  /** The seed of random numbers. Usual: 7. */
  seed?: number;
  /** Whether the next fold is loaded while one runs. Usual: none. */
  overlap?: 'none' | 'double-buffered';
  /** How the stationary operand is shifted in. Usual: usual. */
  load?: 'usual' | 'rows' | 'diagonal';
  /** How the results of an output-stationary fold leave. Usual: in-place. */
  drain?: 'in-place' | 'south';
  /** Whether B is on the chip or waits for the chip's memory. Usual: on-chip. */
  feed?: 'on-chip' | 'memory';
  /** The chip whose rates and price are used. Usual: tpu-v4. */
  chip?: 'tpu-v1' | 'tpu-v2' | 'tpu-v3' | 'tpu-v4i' | 'tpu-v4' | 'tpu-v5e' | 'tpu-v5p' | 'tpu-v6e' | 'tpu-7x' | 'tpu-8t' | 'tpu-8i' | 'v100' | 'a100-40' | 'a100-80' | 'h100-sxm' | 'h200-sxm' | 'b200-sxm' | 'trainium1' | 'trainium2' | 'gaudi2' | 'gaudi3';
  /** The bf16 passes in which a TPU multiplies f32. Usual: 1. */
  passes?: '1' | '3' | '6';
  /** A, its rows between semicolons. It sets m and k. */
  a?: string;
  /** B, its rows between semicolons. It sets k and n. */
  b?: string;
  /** The cycle that is shown; another run than the first screen's opens at 0. Usual: 7. */
  t?: number;
  /** The PE that the caption is about, by row and column from 0. */
  pe?: string;
  /** Cycles per second once it plays; run shows the whole run in 20 seconds, max in 10 at most. Usual: 2. */
  speed?: '0.5' | '1' | '2' | '4' | '10' | '30' | '60' | 'run' | 'max';
  /** The colors. Usual: auto. */
  theme?: 'auto' | 'light' | 'dark' | 'projector';
  /** How much of the page is shown: all of it; in another page a frame, a still picture that plays when it is pressed, the array alone, or questions about models; full screen for a projector; all with the tool that the link uses; or questions about models. Usual: full. */
  ui?: 'full' | 'embed' | 'poster' | 'bare' | 'answer' | 'present' | 'workbench' | 'desk';
  /** The tool that is open beside the array. Usual: none. */
  tool?: 'pe' | 'compare' | 'break' | 'heat' | 'folds' | 'transcript' | 'none';
  /** The settings that stay as they are. In a frame, the others are then shown. */
  lock?: string;
  /** The parts of the page that are left out. Usual: none. */
  hide?: string;
  /** A second run beside the first: the settings in which it differs, escaped. */
  cmp?: string;
  /** A defect in the machine. */
  break?: string;
  /** One number per PE, as a heat map. Usual: activity. */
  show?: 'activity' | 'sum' | 'useful' | 'wasted' | 'error';
  /** A number that is followed from the cycle in which it enters. */
  follow?: string;
  /** Playing stays within a fold. */
  loop?: 'fold';
  /** A class of PE-cycles that is lit up. */
  class?: 'useful' | 'padding' | 'load' | 'fill' | 'drain' | 'stall';
  /** A card of a lesson beside the array. */
  learn?: string;
  /** A question about a model on chips, escaped; it shows with ui=desk or ui=answer. */
  ask?: string;
  /** A question about sequences of many lengths, escaped; it shows with ui=desk or ui=answer. */
  lengths?: string;
  /** A question about failures of a long run, escaped; it shows with ui=desk or ui=answer. */
  failures?: string;
  /** Slides: the link of a view on each line, and behind a tab its notes. */
  slides?: string;
  /** The slide that is shown, counted from 1. */
  slide?: number;
  /** Kiosk mode: the page plays by itself, and begins again after so many seconds without a touch. */
  kiosk?: number;
}
