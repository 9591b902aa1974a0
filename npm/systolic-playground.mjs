// <systolic-playground>: the playground in a frame of its own, steered by promises and events.
// Protocol: docs/sap.md. No dependency; types in index.d.ts.

const METHODS = ['getState', 'setState', 'step', 'seek', 'play', 'pause', 'measure', 'describe', 'ping', 'export'];
const SETTINGS = ['rows', 'cols', 'm', 'k', 'n', 'df', 'dt', 'pad', 'padm', 'fill', 'seed', 'overlap', 'load', 'drain', 'feed', 'chip',
  'passes', 'arrays', 'mhz', 'cents', 't', 'pe', 'speed', 'theme', 'ui', 'tool', 'lock', 'hide', 'cmp', 'break', 'show', 'picture', 'follow', 'loop', 'class', 'learn', 'ask',
  'lengths', 'failures', 'slide', 'kiosk'];
const SANDBOX = 'allow-scripts allow-downloads allow-popups';
const GREET_MS = 250;
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
// A module that was made of text stands in no folder.
const HERE = import.meta.url.startsWith('blob:') ? document.baseURI : new URL('.', import.meta.url).href;

class SystolicPlayground extends HTMLElement {
  static observedAttributes = ['link', ...SETTINGS];
  #frame; #port; #calls = new Map(); #last = 0; #greeting; #near; #welcome; #refuse; #kept; #pulse; #missed = 0; #leaving; #wait = 0; #revival;

  constructor() {
    super();
    this.#renew();
    // What stands inside is the still picture: it shows until the frame takes its place.
    this.attachShadow({ mode: 'open' }).innerHTML =
      '<style>:host{display:block;position:relative;aspect-ratio:8/5}iframe{position:absolute;inset:0;width:100%;height:100%;border:0}'
      + ':host([started]) slot{visibility:hidden}</style><slot></slot>';
  }

  /** Resolves once the playground answers. */
  ready;

  /** The page in one file, as text: the frame then asks nobody for it. */
  page;

  connectedCallback() {
    const way = this.getAttribute('loading') ?? 'lazy';
    if (way === 'eager') this.start();
    else if (way === 'click') this.addEventListener('click', this.#click);
    else {
      this.#near = new IntersectionObserver((seen) => this.#seen(seen.at(-1).isIntersecting), { rootMargin: '200px' });
      this.#near.observe(this);
    }
  }

  disconnectedCallback() {
    this.#near?.disconnect();
    this.stop();
  }

  attributeChangedCallback() {
    this.#kept = undefined;
    if (this.#frame) this.#again();
  }

  #click = (event) => { event.preventDefault(); this.start(); };

  #again() {
    this.stop();
    this.start();
  }

  /** Comes to sight, or leaves it: a frame that nobody sees rests, and goes on from where it was. */
  #seen(isNear) {
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
    if (stays) this.#seen(false);
    else this.stop();
  }

  #renew() {
    this.ready = new Promise((welcome, refuse) => { this.#welcome = welcome; this.#refuse = refuse; });
    this.ready.catch(() => {});
  }

  /** The address of the frame. */
  get address() {
    const address = new URL(this.getAttribute('src') ?? HERE, document.baseURI);
    const [query, fragment = ''] = (this.#kept ?? this.getAttribute('link') ?? '').replace(/^\?/, '').split('#');
    address.search = query;
    address.hash = fragment;
    if (!this.#kept) for (const name of SETTINGS) if (this.hasAttribute(name)) address.searchParams.set(name, this.getAttribute(name));
    if (!address.searchParams.has('ui')) address.searchParams.set('ui', 'embed');
    return address.href;
  }

  /** Loads the playground, if it is not there yet. */
  start() {
    if (this.#frame || this.#revival) return;
    this.removeEventListener('click', this.#click);
    const frame = this.#frame = document.createElement('iframe');
    frame.setAttribute('sandbox', SANDBOX);
    frame.allow = 'fullscreen';
    frame.title = this.getAttribute('label') ?? 'Systolic array';
    if (this.page) {
      // It has no address there, and takes its link from the frame's name.
      const { search, hash } = new URL(this.address);
      frame.name = search + hash;
      frame.srcdoc = this.page;
    } else frame.src = this.address;
    // A frame that failed loads itself again, where it was.
    let loads = 0;
    frame.addEventListener('load', () => loads++ && this.#lose());
    this.shadowRoot.append(frame);
    this.setAttribute('started', '');
    this.#greeting = setInterval(() => this.#greet(), GREET_MS);
    this.#pulse = setInterval(() => this.#feel(), PING_MS);
  }

  /** Takes the frame away; the still picture is back. Started again, it goes on from where it was. */
  stop() {
    clearInterval(this.#pulse);
    clearTimeout(this.#leaving);
    clearTimeout(this.#revival);
    this.#revival = 0;
    this.#frame?.remove();
    this.#frame = undefined;
    this.removeAttribute('started');
    this.#lose();
    clearInterval(this.#greeting);
  }

  /** The page in the frame is gone: what was asked of it has no answer, and whoever is there next is greeted. */
  #lose() {
    this.#port?.close();
    this.#port = undefined;
    this.#missed = 0;
    const gone = Object.assign(new Error('The playground was taken away.'), { code: 'E_GONE' });
    for (const { fail } of this.#calls.values()) fail(gone);
    this.#calls.clear();
    this.#refuse(gone);
    this.#renew();
    clearInterval(this.#greeting);
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
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => this.#hear(data, port1);
    // An opaque origin has no name, so the first message, which says nothing, goes to whoever is in the frame.
    const keys = this.getAttribute('keys')?.split(' ');
    this.#frame?.contentWindow?.postMessage({ sap: 1, type: 'hello', nonce: ++this.#last, keys }, '*', [port2]);
  }

  #hear(data, port) {
    if (data?.sap !== 1) return;
    this.#missed = 0;
    const state = data.event === 'change' ? data.data : data.result;
    if (state?.settings) this.#kept = state.link;
    else if (data.event === 'step') this.#kept = this.#kept?.replace(/([?&]t=)\d+/, `$1${data.data.cycle}`);
    if (data.type === 'welcome') {
      // It may have heard two greetings: events come on the way that it heard of last.
      const isFirst = !this.#port;
      clearInterval(this.#greeting);
      this.#port = port;
      this.#wait = 0;
      if (!isFirst) return;
      port.postMessage({ sap: 1, id: 0, method: 'getState' });
      this.#welcome(data);
      this.#tell('ready', data);
    } else if (data.event) {
      if (data.event === 'resize' && this.getAttribute('height') === 'auto') {
        this.style.aspectRatio = 'auto';
        this.style.height = `${data.data.height}px`;
      }
      this.#tell(data.event, data.data);
    } else if (this.#calls.has(data.id)) {
      const { done, fail } = this.#calls.get(data.id);
      this.#calls.delete(data.id);
      if (data.ok) done(data.result);
      else fail(Object.assign(new Error(data.error.message), data.error));
    }
  }

  #tell(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true })); }

  /** Asks the playground; the methods below are the names that it knows. */
  async ask(method, params = {}) {
    this.start();
    await this.ready;
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
if (!customElements.get('systolic-playground')) customElements.define('systolic-playground', SystolicPlayground);
export { SystolicPlayground };
