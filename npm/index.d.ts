import type { EventName, Methods } from './protocol.js';

export * from './link.js';
export * from './protocol.js';

/** What the playground says when it answers first. */
export interface Welcome {
  apiVersion: number;
  appVersion: string;
  features: string[];
}

/** The playground in a frame of its own. */
export declare class SystolicPlayground extends HTMLElement implements Methods {
  /** Resolves once the playground answers. */
  readonly ready: Promise<Welcome>;
  /** The page in one file, as text: the frame then asks nobody for it. */
  page?: string;
  /** The address of the frame. */
  readonly address: string;
  /** Loads the playground, if it is not there yet. */
  start(): void;
  /** Takes the frame away; started again, it goes on from where it was. */
  stop(): void;
  /** Asks by the name of a method. */
  ask(method: string, params?: object): Promise<unknown>;
  getState: Methods['getState'];
  setState: Methods['setState'];
  step: Methods['step'];
  seek: Methods['seek'];
  play: Methods['play'];
  pause: Methods['pause'];
  measure: Methods['measure'];
  describe: Methods['describe'];
  ping: Methods['ping'];
  export: Methods['export'];
  addEventListener(type: EventName | 'ready', listener: (event: CustomEvent) => void): void;
}
