import type { LinkParameters } from './link.js';
import type { EventName, Methods, SapError, State } from './protocol.js';

export * from './link.js';
export * from './protocol.js';

/** What the playground says when it answers first. */
export interface Welcome {
  apiVersion: number;
  appVersion: string;
  features: string[];
}

/** A cycle, and the last cycle of the run. */
export interface Moment {
  cycle: number;
  last: number;
}

/** An error of the element: a refused call, a frame that does not answer, or a link with parts that cannot be used. */
export interface ElementError extends Error, Partial<Pick<SapError, 'path' | 'given' | 'allowed'>> {
  code: SapError['code'] | 'E_GONE' | 'E_NO_ANSWER' | 'E_LINK';
}

/** Data of the events, in `event.detail`. */
export interface SystolicPlaygroundDetails extends Record<EventName, unknown> {
  ready: Welcome;
  step: Moment;
  end: Moment;
  change: State;
  resize: { height: number };
  answer: { card: string; right: boolean };
  key: { key: string };
  error: ElementError;
}

/** Events of the element, and those of every element. */
export type SystolicPlaygroundEventMap = Omit<HTMLElementEventMap, keyof SystolicPlaygroundDetails> & {
  [Name in keyof SystolicPlaygroundDetails]: CustomEvent<SystolicPlaygroundDetails[Name]>;
};

/** Latest data about the run, from the answers and events of the playground. */
export interface SystolicPlaygroundValue
  extends Pick<State, 'link' | 'settings' | 'cycle' | 'last' | 'array_mfu_pct' | 'array_usd_per_1e18'> {
  /** The last answer of a reader to a card. */
  answer?: SystolicPlaygroundDetails['answer'];
}

/** Attributes of the element: the parameters of a link, and its own. */
export interface SystolicPlaygroundAttributes extends Omit<LinkParameters, 'v' | 'class'> {
  /** The class of PE-cycles whose PEs and cycles are highlighted: the parameter `class`. */
  highlight?: LinkParameters['class'];
  link?: string;
  label?: string;
  loading?: 'lazy' | 'eager' | 'click' | 'visible';
  height?: 'auto';
  keys?: string;
  src?: string;
}

/** The playground in its own frame. */
export declare class SystolicPlayground extends HTMLElement implements Methods {
  /** Resolves once the playground answers. */
  readonly ready: Promise<Welcome>;
  /** The page in one file, as text or as `TrustedHTML`: the frame then asks nobody for it. */
  page?: string | object;
  /** The address of the frame. */
  readonly address: string;
  /** Latest data about the run; undefined until the playground answers. An `input` event follows each change. */
  readonly value: SystolicPlaygroundValue | undefined;
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
  registers: Methods['registers'];
  result: Methods['result'];
  describe: Methods['describe'];
  ping: Methods['ping'];
  export: Methods['export'];
  addEventListener<Name extends keyof SystolicPlaygroundEventMap>(
    type: Name,
    listener: (this: SystolicPlayground, event: SystolicPlaygroundEventMap[Name]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
  removeEventListener<Name extends keyof SystolicPlaygroundEventMap>(
    type: Name,
    listener: (this: SystolicPlayground, event: SystolicPlaygroundEventMap[Name]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void;
}

declare global {
  // For React 18, Preact and others with a global JSX. React 19: systolic-playground/react.
  namespace JSX {
    interface IntrinsicElements {
      'systolic-playground': SystolicPlaygroundAttributes & { [name: string]: unknown };
    }
  }
  interface HTMLElementTagNameMap {
    'systolic-playground': SystolicPlayground;
  }
}
