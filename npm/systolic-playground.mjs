// <systolic-playground>: the playground in its own frame, steered by promises and events.
// Protocol: docs/sap.md. No dependency; types in index.d.ts.

const METHODS = ['getState', 'setState', 'step', 'seek', 'play', 'pause', 'measure', 'registers', 'result', 'describe', 'ping', 'export'];
// Parameters of a link. The frame takes a changed setting or view as an edit. For the others it loads again.
const SETTINGS = ['rows', 'cols', 'm', 'k', 'n', 'df', 'dt', 'pad', 'padm', 'fill', 'seed', 'overlap', 'load', 'drain', 'ktiles', 'feed', 'chip',
  'passes', 'adder', 'out', 'arrays', 'mhz', 'cents', 'a', 'b', 'c'];
const VIEW = ['pe', 'speed', 'theme', 'tool', 'cmp', 'break', 'show', 'picture', 'follow', 'loop', 'class', 'flow'];
const OTHERS = ['t', 'ui', 'lock', 'hide', 'learn', 'ask', 'lengths', 'failures', 'slides', 'slide', 'kiosk'];
const PARAMETERS = [...SETTINGS, ...VIEW, ...OTHERS];
// Attributes for which the frame loads again.
const LOADS = ['link', 'src', ...OTHERS.filter((name) => name !== 't')];
// The attribute of a parameter has its name, but for one: `class` is taken.
const attributeOf = (name) => (name === 'class' ? 'highlight' : name);
const IN_FRAGMENT = ['a', 'b', 'c', 'slides'];
const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-downloads';
// Names that other elements use, too: a handler of a form above the element must not hear them.
const STAYS = ['change', 'resize', 'end', 'error'];
// Many slides still read the numbers of keys.
const KEY_CODES = { Backspace: 8, Tab: 9, Enter: 13, Escape: 27, PageUp: 33, PageDown: 34, End: 35, Home: 36, ArrowLeft: 37, ArrowUp: 38,
  ArrowRight: 39, ArrowDown: 40, Delete: 46, F5: 116 };
const GREET_MS = 250;
// Time between two `input` events: the frame keeps the same time between two of its events of one kind.
const PACE_MS = 50;
// After so many greetings without an answer, the frame is blocked, or its address is wrong.
const GREETINGS = 40;
// A frame that leaves so many of its turns without an answer hangs; one that was asked for something may take longer. The
// longest task of the page is a quarter of these turns on a processor four times as slow.
const PING_MS = 100;
const PINGS = 5;
const PINGS_AT_WORK = 100;
const PINGS_WHILE_IT_LOADS = 100;
// How long the process of a frame that hangs lives on without it: a new frame that came sooner would hang there, too.
// Chromium waits half a second more for a page that listens for its end (`pagehide`, `visibilitychange`); ours does not.
const GONE_MS = 50;
// How long a frame stays once nobody sees it.
const REST_MS = 2000;
// With loading="visible": how much of the element is in sight before it may play, how long it rests there, and how long
// a page that nobody has scrolled yet has for its own first paint.
const IN_SIGHT = 0.6;
const SETTLE_MS = 300;
const FIRST_MS = 1000;
const PLAYING_MAX = 2;
// On a phone, the numbers of the array need more height than 5/8 of the width.
const CSS = `:host{display:block;position:relative;aspect-ratio:8/5}:host([hidden]){display:none}
@media(max-width:704px){:host{aspect-ratio:auto;height:440px}}
iframe,button,a{position:absolute;inset:0;width:100%;height:100%;border:0}
a{box-sizing:border-box;display:grid;place-content:center;padding:8px;border:1px solid;font:16px sans-serif;text-align:center;color:inherit}
iframe.waits{opacity:0;pointer-events:none}iframe:not(.waits)~slot{visibility:hidden}
button{padding:0;background:none;cursor:pointer}button:focus-visible{outline:3px solid #104cfd;outline-offset:-3px}
button::after{content:"▶";position:absolute;right:12px;bottom:12px;width:44px;border-radius:50%;font:20px/44px sans-serif;color:#fff;background:#104cfd}
@media print{button{display:none}}`;
// A server that renders pages has no elements.
const Base = globalThis.HTMLElement ?? class {};
const failure = (code, message) => Object.assign(new Error(message), { code });
let sheet;
let settle_ms = FIRST_MS;
globalThis.addEventListener?.('scroll', () => { settle_ms = SETTLE_MS; }, { once: true, passive: true, capture: true });
// Elements that play because they are in sight, the oldest first.
let playing = [];

/** The folder of this script. A module made of text has no folder, and neither has a script of another kind. */
function folder() {
  const { url } = import.meta;
  // A bundler would look for the file '.' of `new URL('.', url)`.
  return url && !url.startsWith('blob:') ? url.replace(/[^/]*([?#].*)?$/, '') : document.baseURI;
}

class SystolicPlayground extends Base {
  static observedAttributes = ['link', 'src', ...PARAMETERS.map(attributeOf)];
  #frame; #button; #port; #calls = new Map(); #last = 0; #greeting; #greetings = 0; #near; #welcome; #refuse; #kept; #pulse; #missed = 0;
  #leaving; #wait = 0; #revival; #changed = new Set(); #theme; #host; #system; #isNear = true; #value; #input; #lastInput = 0;
  // Link to the playground, for an element without content and without a frame.
  #link = globalThis.document?.createElement('a');

  constructor() {
    super();
    this.#renew();
    // The content of the element is the still picture: it shows until the frame answers. A style sheet that is made by
    // a script, and elements that are made one by one, are allowed under every policy of the host.
    const root = this.attachShadow({ mode: 'open' });
    if (!sheet) (sheet = new CSSStyleSheet()).replaceSync(CSS);
    root.adoptedStyleSheets = [sheet];
    const slot = document.createElement('slot');
    slot.append(this.#link);
    root.append(slot);
  }

  // With loading="visible".
  #settling; #plays = false; #isUsed = false;

  /** Resolves once the playground answers. */
  ready;

  /** The page in one file, as text: the frame then asks nobody for it. */
  page;

  /** Latest data about the run; undefined until the frame answers. */
  get value() { return this.#value; }

  connectedCallback() {
    this.#name();
    const way = this.getAttribute('loading') ?? 'lazy';
    if (way === 'eager') this.start();
    else if (way === 'click') this.#offer();
    else if (way === 'visible') {
      this.#offer();
      this.#near = new IntersectionObserver((seen) => this.#sighted(seen.at(-1)), { threshold: [0, IN_SIGHT] });
      this.#near.observe(this);
    } else {
      this.#near = new IntersectionObserver((seen) => this.#seen(seen.at(-1).isIntersecting), { rootMargin: '200px' });
      this.#near.observe(this);
    }
    addEventListener('beforeprint', this.#print);
  }

  disconnectedCallback() {
    clearTimeout(this.#settling);
    removeEventListener('beforeprint', this.#print);
    this.#near?.disconnect();
    this.stop();
  }

  attributeChangedCallback(name, before, now) {
    if (before === now) return;
    this.#kept = undefined;
    if (!this.#frame) return this.#name();
    if (LOADS.includes(name) || (name === 't' && now === null)) {
      this.stop();
      this.#changed.clear();
      // The new frame reads all attributes that change now.
      queueMicrotask(() => this.isConnected && this.start());
      return;
    }
    if (!this.#changed.size) queueMicrotask(() => this.#apply());
    this.#changed.add(name);
  }

  /** Applies the attributes that changed as one edit. */
  async #apply() {
    const names = [...this.#changed];
    this.#changed.clear();
    // A frame that starts has read all attributes.
    if (!names.length) return;
    const of = (list) => Object.fromEntries(list.filter((name) => names.includes(attributeOf(name))).map((name) => [name, this.#attribute(name)]));
    if (names.includes('theme')) this.#theme = undefined;
    const [settings, view] = [of(SETTINGS), of(VIEW)];
    // Without a theme, the frame follows the page.
    if (view.theme === null) view.theme = this.#scheme() ?? null;
    const cycle = names.includes('t') && this.getAttribute('t');
    try {
      // Both are sent now, so a later call comes after them.
      const edits = [
        ...(Object.keys({ ...settings, ...view }).length ? [this.setState({ settings, view })] : []),
        ...(cycle ? [this.seek({ cycle: Number(cycle) })] : []),
      ];
      await Promise.all(edits);
    } catch (error) {
      this.#tell('error', error);
    }
  }

  /** Gives the link its address and its text. */
  #name() {
    Object.assign(this.#link, { href: this.address, target: '_blank', rel: 'noopener', textContent: this.#label });
  }

  /** Loads the frame before the page is printed. Pictures that play print as they stand still. */
  #print = () => {
    const way = this.getAttribute('loading');
    if (way === 'visible') this.#leave();
    if (way === 'click' || way === 'visible') return;
    this.start();
    // A frame that has not answered yet prints nothing: the content of the element, or its link, prints instead.
    if (!this.#port) this.#frame?.classList.add('waits');
  };

  /** Shows the button that starts the frame. */
  #offer() {
    this.#button?.remove();
    const button = this.#button = document.createElement('button');
    button.type = 'button';
    button.setAttribute('aria-label', `Start: ${this.#label}`);
    button.addEventListener('click', () => {
      if (this.#near) this.#begin();
      else this.start();
      // The page in the frame hears keys only if the focus comes after it.
      this.ready.then(() => this.#frame?.focus(), () => {});
    });
    this.shadowRoot.append(button);
  }

  #attribute(name) { return this.getAttribute(attributeOf(name)); }

  get #label() { return this.getAttribute('label') ?? 'Systolic array'; }

  /** Comes to sight, or leaves it: a frame that nobody sees rests, and goes on from where it was. */
  #seen(isNear) {
    this.#isNear = isNear;
    clearTimeout(this.#leaving);
    this.#leaving = 0;
    if (isNear) this.start();
    else if (this.#frame) this.#leaving = setTimeout(() => this.#rest(), REST_MS);
  }

  async #rest() {
    // What was answered on a card lives as long as its frame; a frame with the focus is in use.
    const stays = /[?&]learn=/.test(this.address) || document.activeElement === this || !this.#port || this.#calls.size;
    const waits = this.#leaving;
    if (!stays) await this.getState().catch(() => {});
    if (waits !== this.#leaving) return;
    if (stays || this.#calls.size || this.#changed.size) this.#seen(false);
    else this.stop();
  }

  /** Comes to sight, where it plays once it rests, or leaves it, where it stops. */
  #sighted({ isIntersecting, intersectionRatio }) {
    clearTimeout(this.#settling);
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (!isIntersecting) this.#leave();
    else if (intersectionRatio >= IN_SIGHT && !this.#frame && !isCalm) this.#settle();
  }

  /** A frame that comes while the page scrolls would make it stutter. */
  #settle(before) {
    const { top } = this.getBoundingClientRect();
    if (top === before) this.#begin();
    else this.#settling = setTimeout(() => this.#settle(top), settle_ms);
  }

  /** Plays the run from its start. */
  #begin() {
    clearTimeout(this.#settling);
    playing = playing.filter((one) => one.#plays && one !== this);
    if (playing.length >= PLAYING_MAX) playing.shift().#leave();
    playing.push(this);
    this.#plays = true;
    this.start();
  }

  /** Takes the frame away. A run that a reader touched goes on from where it was, others begin again. */
  #leave() {
    this.#plays = false;
    this.#isUsed ||= document.activeElement === this;
    if (this.#frame) this.stop();
    if (!this.#isUsed) this.#kept = undefined;
  }

  #renew() {
    this.ready = new Promise((welcome, refuse) => { this.#welcome = welcome; this.#refuse = refuse; });
    this.ready.catch(() => {});
  }

  /** The address of the frame. */
  get address() {
    const address = new URL(this.getAttribute('src') ?? folder(), document.baseURI);
    if (/\/[^/.]+$/.test(address.pathname)) address.pathname += '/';
    const [query, fragment = ''] = (this.#kept ?? this.getAttribute('link') ?? '').replace(/^\?/, '').split('#');
    address.search = query;
    const own = new URLSearchParams(fragment);
    if (!this.#kept) {
      for (const name of PARAMETERS.filter((name) => this.#attribute(name) !== null)) {
        (IN_FRAGMENT.includes(name) ? own : address.searchParams).set(name, this.#attribute(name));
      }
    }
    const theme = this.#scheme();
    if (theme && (this.#kept || !address.searchParams.has('theme'))) address.searchParams.set('theme', theme);
    if (!address.searchParams.has('ui')) address.searchParams.set('ui', 'embed');
    // Digits, commas and semicolons are legal in a fragment, and most matrices have nothing else.
    address.hash = String(own) ? String(own).replaceAll('%2C', ',').replaceAll('%3B', ';') : fragment;
    return address.href;
  }

  /** The theme of the host page at this element, if the host page says one and the element does not. */
  #scheme() {
    if (this.hasAttribute('theme') || /(^|[?&])theme=/.test(this.getAttribute('link') ?? '')) return undefined;
    return /^(?:only )?(light|dark)(?: only)?$/.exec(getComputedStyle(this).colorScheme)?.[1];
  }

  #follow = () => {
    const theme = this.#scheme();
    if (theme === this.#theme || !this.#port) return;
    this.#theme = theme;
    this.setState({ view: { theme: theme ?? null } }).catch(() => {});
  };

  /** Loads the playground, if it is not there yet. */
  start() {
    if (this.#frame || this.#revival) return;
    this.#button?.remove();
    this.#changed.clear();
    const frame = this.#frame = document.createElement('iframe');
    frame.setAttribute('sandbox', SANDBOX);
    frame.allow = 'fullscreen';
    frame.title = this.#label;
    // Without a still picture, what the frame paints first is better than nothing.
    frame.className = this.childElementCount || this.textContent.trim() ? 'waits' : '';
    this.#theme = this.#scheme();
    // A host that unsets all styles leaves no room for the frame.
    if (getComputedStyle(this).position === 'static') {
      for (const [name, value] of [['position', 'relative'], ['aspect-ratio', '8/5']]) this.style.setProperty(name, value, 'important');
    }
    if (this.page) {
      // It has no address there, and takes its link from the frame's name.
      const { search, hash } = new URL(this.address);
      frame.name = search + hash;
      frame.srcdoc = this.page;
    } else frame.src = this.address;
    // A frame that failed loads itself again, where it was.
    let loads = 0;
    frame.addEventListener('load', () => loads++ && this.#lose());
    this.shadowRoot.prepend(frame);
    this.setAttribute('started', '');
    // A lazy frame that starts out of sight, for example before a print, rests again.
    if (!this.#isNear) this.#seen(false);
    this.#hail();
    this.#pulse = setInterval(() => this.#feel(), PING_MS);
    this.#host = new MutationObserver(this.#follow);
    for (const element of [document.documentElement, document.body]) if (element) this.#host.observe(element, { attributes: true });
    this.#system = matchMedia('(prefers-color-scheme: dark)');
    this.#system.addEventListener('change', this.#follow);
  }

  /** Takes the frame away; the still picture is back. Started again, it goes on from where it was. */
  stop() {
    clearInterval(this.#pulse);
    clearTimeout(this.#leaving);
    clearTimeout(this.#revival);
    this.#revival = 0;
    this.#host?.disconnect();
    this.#system?.removeEventListener('change', this.#follow);
    this.#frame?.remove();
    this.#frame = undefined;
    if (this.#button) this.shadowRoot.append(this.#button);
    this.removeAttribute('started');
    this.#lose();
    clearInterval(this.#greeting);
  }

  /** The page in the frame is gone: what was asked of it has no answer, and whoever is there next is greeted. */
  #lose() {
    this.#port?.close();
    this.#port = undefined;
    this.#missed = 0;
    const gone = failure('E_GONE', 'The playground was taken away. Call the method again.');
    for (const { fail } of this.#calls.values()) fail(gone);
    this.#calls.clear();
    this.#refuse(gone);
    this.#renew();
    this.#hail();
  }

  #hail() {
    clearInterval(this.#greeting);
    this.#greetings = 0;
    this.#greeting = setInterval(() => this.#greet(), GREET_MS);
  }

  /** Counts the turns without a sign of life, not the time: where this page stands still, the frame is not to blame. */
  #feel() {
    if (document.hidden) return;
    const least = this.#port ? (this.#calls.size ? PINGS_AT_WORK : PINGS) : this.#wait ? PINGS_WHILE_IT_LOADS : Infinity;
    if (this.#missed++ < least) {
      this.#port?.postMessage({ sap: 1, id: 0, method: 'ping' });
      return;
    }
    this.stop();
    this.#wait = this.#wait * 2 || GONE_MS;
    this.#revival = setTimeout(() => {
      this.#revival = 0;
      this.start();
    }, this.#wait);
  }

  #greet() {
    const frame = this.#frame;
    // The frame may still come on a slow line, so the greetings go on.
    if (++this.#greetings % GREETINGS === 0) {
      const silent = failure('E_NO_ANSWER', `The playground at ${this.address} does not answer. Check the attribute src, and frame-src in the policy of this page.`);
      this.#refuse(silent);
      this.#renew();
      if (this.#greetings === GREETINGS) {
        // A browser draws an error there. The content of the element says more.
        this.#frame?.classList.add('waits');
        this.#name();
        this.#tell('error', silent);
      }
    }
    const { port1, port2 } = new MessageChannel();
    // A frame that was replaced may still answer.
    port1.onmessage = ({ data }) => frame === this.#frame && this.#hear(data, port1);
    // An opaque origin has no name, so the first message, which says nothing, goes to whoever is in the frame.
    const keys = this.getAttribute('keys')?.split(' ');
    frame?.contentWindow?.postMessage({ sap: 1, type: 'hello', nonce: ++this.#last, keys }, '*', [port2]);
  }

  #hear(data, port) {
    if (data?.sap !== 1) return;
    this.#missed = 0;
    const state = data.event === 'change' ? data.data : data.result;
    if (state?.settings) {
      const { link, settings, cycle, last, array_mfu_pct, array_usd_per_1e18 } = state;
      this.#kept = link;
      this.#learn({ link, settings, cycle, last, array_mfu_pct, array_usd_per_1e18 });
    } else if (data.event === 'step') {
      const at = (link) => link?.replace(/([?&]t=)\d+/, `$1${data.data.cycle}`);
      this.#kept = at(this.#kept);
      this.#learn({ ...data.data, link: at(this.#value?.link) });
    } else if (data.event === 'answer') this.#learn({ answer: data.data });
    if (data.type === 'welcome') {
      // It may have heard two greetings: events come on the way that it heard of last.
      const isFirst = !this.#port;
      clearInterval(this.#greeting);
      this.#port = port;
      this.#wait = 0;
      if (!isFirst) return;
      this.#frame?.classList.remove('waits');
      this.#follow();
      this.getState().then((state) => state?.notices?.length && this.#tell('error', failure('E_LINK', state.notices.join(' '))), () => {});
      if (this.#plays) this.seek({ to: 'start' }).then(() => this.play()).catch(() => {});
      this.#welcome(data);
      this.#tell('ready', data);
    } else if (data.event) {
      if (data.event === 'resize' && this.getAttribute('height') === 'auto') {
        this.style.aspectRatio = 'auto';
        this.style.height = `${data.data.height}px`;
      }
      const goesOn = this.#tell(data.event, data.data);
      // Slides listen for keys on their document.
      if (data.event === 'key' && goesOn) this.#press(data.data.key);
    } else if (this.#calls.has(data.id)) {
      const { done, fail } = this.#calls.get(data.id);
      this.#calls.delete(data.id);
      if (data.ok) done(data.result);
      else fail(Object.assign(new Error(data.error.message), data.error));
    }
  }

  /** Changes the value. An `input` event follows, unless the value was the same before. */
  #learn(news) {
    const before = this.#value;
    // A value always has a link and settings, which come with the first answer.
    if (!before && !news.settings) return;
    this.#value = { ...before, ...news };
    if (JSON.stringify(before) === JSON.stringify(this.#value)) return;
    this.#input ??= setTimeout(() => {
      this.#input = undefined;
      this.#lastInput = performance.now();
      this.dispatchEvent(new Event('input', { bubbles: true }));
    }, Math.max(0, this.#lastInput + PACE_MS - performance.now()));
  }

  #press(key) {
    this.dispatchEvent(new KeyboardEvent('keydown', { key, code: key, keyCode: KEY_CODES[key], bubbles: true, composed: true, cancelable: true }));
  }

  #tell(name, detail) {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: !STAYS.includes(name), cancelable: name === 'key' }));
  }

  /** Asks the playground; the methods below are the names that it knows. */
  async ask(method, params = {}) {
    // Attributes that were set before this call count before it.
    if (this.#changed.size) this.#apply();
    this.start();
    if (!this.#port) await this.ready;
    return new Promise((done, fail) => {
      const id = ++this.#last;
      this.#calls.set(id, { done, fail });
      this.#port.postMessage({ sap: 1, id, method, params });
    });
  }
}

for (const method of METHODS) {
  SystolicPlayground.prototype[method] = function (params) { return this.ask(method, params); };
}
if (globalThis.customElements && !customElements.get('systolic-playground')) customElements.define('systolic-playground', SystolicPlayground);
export { SystolicPlayground };
