// Starts the module and watches it from outside, because a module that has trapped cannot report it.
//
// - It notices panics (reported by the panic hook) and traps (seen as errors, because a trap runs no hook). Then it
//   shows a message with the last link that worked and a button that restarts there. If the page failed before it was
//   ready, the button is missing, because the same link would fail again.
// - In a frame the page restarts by itself, once. Only the name of a frame outlives its page, so the name records the
//   restart.
// - A hang is ended by the element around a frame (npm/systolic-playground.mjs) or, in a tab, by the browser.
//   src/shell/app/src/browser/crash.rs injects faults.
// - Its words are in this file, because they must appear without the module. If this file does not arrive, the style
//   sheet shows a sentence of index.html after ten seconds (`#late`).

// Everything that the page takes from the place where it stands. The single file has its own: src/tools/publish/src/single.js.
const playground = globalThis.playground ??= {
  // The address, which the module reads too.
  place: location,
  fetch: (file, options) => fetch(file, options),
  go: (target) => location.replace(target),
  hasRestarted: () => Boolean(name),
  markRestart: () => { name ||= 1; },
  // The files can be kept for a time without a network.
  keepsFiles: 'serviceWorker' in navigator,
};

const root = document.getElementById('app');
const supervisor = document.getElementById('supervisor');
let ready = false;
let lastLink = playground.place.href;
let stopped = false;

const words = {
  stoppedTitle: 'The simulation stopped.',
  stopped: 'Your settings are safe: the button “Restart here” keeps them. The page sent no data.',
  loadTitle: 'The page could not start.',
  restart: 'Restart here',
  fresh: 'Start from the first screen',
  report: 'What happened',
  oldBrowser: 'This browser does not support WebAssembly with SIMD. Use Chrome or Edge 91, Firefox 89, Safari 16.4 or newer.',
  fetch: 'A part of the page could not be loaded. Check the connection, then restart.',
  damaged: 'Part of the page arrived corrupted. Reload; if it happens again, a proxy or browser extension may be changing the files.',
  trap: 'The page failed to start, perhaps because memory ran out. Reloading this link will probably fail again.',
  policy: 'A security policy of this server or of the host page blocks WebAssembly. Allow wasm-unsafe-eval in that policy.',
};

function element(name, text, parent) {
  const made = document.createElement(name);
  made.textContent = text;
  parent.append(made);
  return made;
}

function button(text, action, parent) {
  const made = element('button', text, parent);
  made.type = 'button';
  made.addEventListener('click', action);
  return made;
}

// Replaces nothing of the dead page: what it last showed stays readable behind the message.
function show(title, text, detail, isWorthTrying = true) {
  if (stopped) return;
  stopped = true;
  // A dialog or popover would cover the message.
  for (const open of document.querySelectorAll('dialog[open]')) open.close();
  for (const open of document.querySelectorAll('[popover]')) open.hidePopover?.();
  root.inert = true;
  supervisor.textContent = '';
  element('h2', title, supervisor).id = 'supervisor-title';
  element('p', text, supervisor);
  const actions = element('p', '', supervisor);
  actions.className = 'actions';
  const here = button(words.restart, () => {
    const target = new URL(lastLink, playground.place.href);
    target.searchParams.delete('chaos');
    playground.go(target);
    // A link that differs only in its fragment does not load the page again.
    if (target.search === playground.place.search) location.reload();
  }, actions);
  here.hidden = !isWorthTrying;
  const first = button(words.fresh, () => {
    const shown = room();
    const target = new URL(playground.place.href);
    target.search = /^(embed|poster|bare|answer)$/.test(shown) ? `?ui=${shown}` : '';
    target.hash = '';
    playground.go(target);
  }, actions);
  const more = element('details', '', supervisor);
  element('summary', words.report, more);
  element('pre', `${detail}\n${lastLink}\n${navigator.userAgent}`, more);
  supervisor.hidden = false;
  if (window.parent === window) (isWorthTrying ? here : first).focus();
  // Inside somebody else's page the focus stays where the reader has it, and the run goes on by itself. If it stops again
  // soon, a person decides.
  else if (ready && (!playground.hasRestarted() || performance.now() > 1e4)) {
    playground.markRestart();
    here.click();
  }
}

// What of the page the link shows, by the rule of the module: the last value that it knows.
function room() {
  const known = ['full', 'embed', 'poster', 'bare', 'answer', 'present', 'workbench', 'desk'];
  return new URLSearchParams(playground.place.search).getAll('ui').filter((one) => known.includes(one)).pop();
}

// What fails before it is there fails again at the same link.
function crash(detail) {
  if (ready) show(words.stoppedTitle, words.stopped, detail);
  else show(words.loadTitle, words.trap, detail, false);
}

document.addEventListener('playground:ready', () => { ready = true; });
document.addEventListener('playground:link', (event) => { lastLink = event.detail; });
// A part brings its own style sheet, which the first screen does not wait for.
document.addEventListener('playground:style', (event) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(event.detail);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
});
document.addEventListener('playground:panic', (event) => crash(event.detail));

// A stack that overflows is an error of each browser's own.
const isTrap = (error) =>
  error instanceof WebAssembly.RuntimeError || /^(Range|Internal)Error.*(stack|memory|recursion)/i.test(error);

addEventListener('error', (event) => {
  if (isTrap(event.error)) crash(String(event.error));
});
addEventListener('unhandledrejection', (event) => {
  if (isTrap(event.reason)) crash(String(event.reason));
});

// A module of one function that uses a SIMD instruction: the cheapest question to a browser.
const simd = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

async function reason(error, parts) {
  const text = String(error);
  if (/unsafe-eval|Content Security|blocked by CSP/i.test(text)) return words.policy;
  // A browser says nothing of a file with a wrong digest but that it did not come. A browser that keeps it must ask again.
  const isThere = (part) => playground.fetch(part, { cache: 'reload' }).then(({ ok }) => ok, () => false);
  const isDamaged = /WebAssembly|wasm |Syntax/.test(text)
    || (/fetch|import|script/.test(text) && (await Promise.all(parts.map(isThere))).every(Boolean));
  return isDamaged ? words.damaged : words.fetch;
}

// The script that binds the module is next in the page and tells its way to start. Trunk, which serves the page while it is
// worked on, has it imported.
const glue = document.getElementById('glue');
const trunk = document.querySelector('link[rel=modulepreload]');
const bound = trunk ? import(trunk.href).then((page) => page.default) : new Promise((done, fail) => {
  playground.bound = done;
  const stopped = ({ target, error }) => {
    if (target === glue) fail(new Error('the script did not load'));
    else if (error) fail(error);
  };
  addEventListener('error', stopped, true);
});

// A server that calls the module something else cannot have it compiled as a stream.
async function compile(file, options) {
  const response = await playground.fetch(file, options);
  if (!response.ok) throw new Error(`${response.status} ${file}`);
  return response.headers.get('content-type')?.startsWith('application/wasm')
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

async function start() {
  if (!globalThis.WebAssembly?.validate(simd)) {
    show(words.loadTitle, words.oldBrowser, 'no simd128');
    return;
  }
  const link = document.querySelector('link[as=fetch]');
  const [file, script] = [link.getAttribute('href'), glue?.getAttribute('src')];
  // The picture of the first screen is seen before the module begins, which keeps the thread for longer than a frame; where
  // nothing is drawn, nobody looks.
  const seen = document.documentElement.classList.contains('plain') && !document.hidden && new Promise((done) => {
    new PerformanceObserver(done).observe({ type: 'paint', buffered: true });
    setTimeout(done, 300);
  });
  try {
    // Compiled as soon as it is there, not after its script.
    const [init, compiled] = await Promise.all([bound, compile(file, link.dataset), seen]);
    await init({ module_or_path: compiled });
  } catch (error) {
    if (isTrap(error)) crash(String(error));
    else show(words.loadTitle, await reason(error, [script, file].filter(Boolean)), String(error));
  }
}

// The module writes its templates and pictures as markup. The browser reads this markup if nothing in it could run, and
// refuses every other way from a string to HTML.
const active = /<(?:script|object|embed|link|meta|base|style)\b|<\w(?:[^">]|"[^"]*")*\s(?:on\w+|srcdoc)\s*=|javascript:/i;
globalThis.trustedTypes?.createPolicy('default', {
  createHTML: (markup, type, sink) => (sink === 'Element innerHTML' && !active.test(markup) ? markup : null),
});

start();
