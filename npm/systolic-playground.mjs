// <systolic-playground>: the playground in a frame of its own, steered by promises and events.
// Protocol: docs/sap.md. No dependency; types in index.d.ts.

const METHODS = ['getState', 'setState', 'step', 'seek', 'play', 'pause', 'measure', 'describe', 'export'];
const SETTINGS = ['rows', 'cols', 'm', 'k', 'n', 'df', 'dt', 'pad', 'padm', 'fill', 'seed', 'overlap', 'load', 'drain', 'feed', 'chip',
  'passes', 't', 'pe', 'speed', 'theme', 'ui', 'tool', 'cmp', 'break', 'show', 'follow', 'loop', 'class', 'learn', 'lock', 'hide'];
const SANDBOX = 'allow-scripts allow-downloads allow-popups';
const GREET_MS = 250;
const HERE = new URL('.', import.meta.url).href;

class SystolicPlayground extends HTMLElement {
  static observedAttributes = ['link', ...SETTINGS];
  #frame; #port; #calls = new Map(); #last = 0; #greeting; #near; #welcome; #refuse;

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

  connectedCallback() {
    const way = this.getAttribute('loading') ?? 'lazy';
    if (way === 'eager') this.start();
    else if (way === 'click') this.addEventListener('click', this.#click);
    else {
      this.#near = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && this.start(), { rootMargin: '200px' });
      this.#near.observe(this);
    }
  }

  disconnectedCallback() { this.stop(); }

  attributeChangedCallback() { if (this.#frame) { this.stop(); this.start(); } }

  #click = (event) => { event.preventDefault(); this.start(); };

  #renew() {
    this.ready = new Promise((welcome, refuse) => { this.#welcome = welcome; this.#refuse = refuse; });
    this.ready.catch(() => {});
  }

  /** The address of the frame. */
  get address() {
    const address = new URL(this.getAttribute('src') ?? HERE, document.baseURI);
    const [query, fragment = ''] = (this.getAttribute('link') ?? '').replace(/^\?/, '').split('#');
    address.search = query;
    address.hash = fragment;
    for (const name of SETTINGS) if (this.hasAttribute(name)) address.searchParams.set(name, this.getAttribute(name));
    if (!address.searchParams.has('ui')) address.searchParams.set('ui', 'embed');
    return address.href;
  }

  /** Loads the playground, if it is not there yet. */
  start() {
    if (this.#frame) return;
    this.#near?.disconnect();
    this.removeEventListener('click', this.#click);
    const frame = this.#frame = document.createElement('iframe');
    frame.setAttribute('sandbox', SANDBOX);
    frame.allow = 'fullscreen';
    frame.title = this.getAttribute('label') ?? 'Systolic array';
    frame.src = this.address;
    this.shadowRoot.append(frame);
    this.setAttribute('started', '');
    this.#greeting = setInterval(() => this.#greet(), GREET_MS);
  }

  /** Takes the frame away; the still picture is back. */
  stop() {
    clearInterval(this.#greeting);
    this.#near?.disconnect();
    this.#port?.close();
    this.#frame?.remove();
    this.#frame = this.#port = undefined;
    this.removeAttribute('started');
    const gone = Object.assign(new Error('The playground was taken away.'), { code: 'E_GONE' });
    for (const { fail } of this.#calls.values()) fail(gone);
    this.#calls.clear();
    this.#refuse(gone);
    this.#renew();
  }

  #greet() {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => this.#hear(data, port1);
    // An opaque origin has no name, so the first message, which says nothing, goes to whoever is in the frame.
    this.#frame?.contentWindow?.postMessage({ sap: 1, type: 'hello', nonce: ++this.#last }, '*', [port2]);
  }

  #hear(data, port) {
    if (data?.sap !== 1) return;
    if (data.type === 'welcome') {
      // It may have heard two greetings: events come on the way that it heard of last.
      const isFirst = !this.#port;
      clearInterval(this.#greeting);
      this.#port = port;
      if (!isFirst) return;
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
