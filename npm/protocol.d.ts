// Generated from the table of the protocol; a test compares them.

/** Settings by their names in a link. */
export interface Settings {
  rows?: number;
  cols?: number;
  m?: number;
  k?: number;
  n?: number;
  df?: 'ws' | 'os' | 'is';
  dt?: 'f32' | 'bf16' | 'f16' | 'e4m3fn' | 'e5m2' | 'e4m3b11fnuz' | 'int8' | 'int4';
  pad?: 'ragged' | 'zero' | 'm';
  padm?: number;
  fill?: 'small' | 'uniform' | 'counting' | 'identity' | 'custom';
  seed?: number;
  overlap?: 'none' | 'double-buffered';
  load?: 'usual' | 'rows' | 'diagonal';
  drain?: 'in-place' | 'south';
  feed?: 'on-chip' | 'memory';
  chip?: 'tpu-v1' | 'tpu-v2' | 'tpu-v3' | 'tpu-v4i' | 'tpu-v4' | 'tpu-v5e' | 'tpu-v5p' | 'tpu-v6e' | 'tpu-7x' | 'tpu-8t' | 'tpu-8i' | 'v100' | 'a100-40' | 'a100-80' | 'h100-sxm' | 'h200-sxm' | 'b200-sxm' | 'trainium1' | 'trainium2' | 'gaudi2' | 'gaudi3';
  passes?: '1' | '3' | '6';
  arrays?: number;
  mhz?: number;
  cents?: number;
  a?: string;
  b?: string;
}

/** Current state of the page. */
export interface State {
  settings: Settings;
  cycle: number;
  last: number;
  playing: boolean;
  link: string;
}

/** PE-cycles of a run by class, and its utilization. */
export type Measures = Record<string, number>;

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
  /** Returns the current state: settings by their names in a link, the cycle, and the link. */
  getState(): Promise<State>;
  /** Changes all of the given settings, or none if one is refused. Returns the new state. */
  setState(params: { settings: Settings }): Promise<State>;
  /** Advances by `by` cycles; a negative number goes back. */
  step(params: { by?: number }): Promise<State>;
  /** Goes to a cycle, or to a named moment. */
  seek(params: { cycle?: number; to?: 'start' | 'end' | 'next-event' | 'previous-event' }): Promise<State>;
  /** Starts playback. */
  play(): Promise<State>;
  /** Pauses playback. */
  pause(): Promise<State>;
  /** Returns the PE-cycles of the whole run by class, and the utilization. */
  measure(): Promise<Measures>;
  /** Returns the screen-reader description of the current cycle. */
  describe(): Promise<string>;
  /** Answers at once. No answer means that the frame has stopped responding. */
  ping(): Promise<null>;
  /** Returns a file of the run, as text. */
  export(params: { as: 'svg' | 'tikz' | 'csv' | 'json' | 'perfetto' | 'vcd' }): Promise<string>;
}
