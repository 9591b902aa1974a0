// Starts the module and watches it from outside: a module that has trapped cannot say so itself.

const root = document.getElementById('app');
const supervisor = document.getElementById('supervisor');
let ready = false;
let lastLink = location.href;
let stopped = false;

const words = {
  stoppedTitle: 'The simulation stopped.',
  stopped: 'Your settings are safe: Restart here keeps them. Nothing was sent anywhere.',
  loadTitle: 'The page could not start.',
  restart: 'Restart here',
  fresh: 'Start from the first screen',
  report: 'What happened',
  oldBrowser: 'This browser does not run WebAssembly with SIMD. Any Chrome or Edge from 91, Firefox from 89 or Safari from 16.4 does.',
  noFiles: 'The page does not name its own parts: it was not built completely.',
  fetch: 'A part of the page could not be loaded. Check the connection, then restart.',
  mime: 'The server sent the module as something other than application/wasm.',
  policy: 'A security policy of this server or of the page around it forbids WebAssembly. It must allow wasm-unsafe-eval.',
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
function show(title, text, detail) {
  if (stopped) return;
  stopped = true;
  root.inert = true;
  supervisor.textContent = '';
  element('h2', title, supervisor).id = 'supervisor-title';
  element('p', text, supervisor);
  const actions = element('p', '', supervisor);
  actions.className = 'actions';
  const here = button(words.restart, () => {
    const target = new URL(lastLink, location.href);
    target.searchParams.delete('chaos');
    if (target.href === location.href) location.reload();
    else location.replace(target.href);
    // A link that differs in its fragment alone does not load the page anew.
    if (target.pathname + target.search === location.pathname + location.search) location.reload();
  }, actions);
  button(words.fresh, () => {
    location.replace(location.pathname + (room() === 'embed' ? '?ui=embed' : ''));
  }, actions);
  const more = element('details', '', supervisor);
  element('summary', words.report, more);
  element('pre', `${detail}\n${lastLink}\n${navigator.userAgent}`, more);
  supervisor.hidden = false;
  // Inside somebody else's page the focus stays where the reader has it.
  if (window.parent === window) here.focus();
}

// What of the page the link shows, by the rule of the module: the last value that it knows.
function room() {
  const known = ['full', 'embed', 'workbench', 'desk'];
  return new URL(location.href).searchParams.getAll('ui').filter((one) => known.includes(one)).pop();
}

const crash = (detail) => show(words.stoppedTitle, words.stopped, detail);

document.addEventListener('playground:ready', () => { ready = true; });
document.addEventListener('playground:link', (event) => { lastLink = event.detail; });
// A part brings its own style sheet, which the first screen does not wait for.
document.addEventListener('playground:style', (event) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(event.detail);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
});
document.addEventListener('playground:panic', (event) => crash(event.detail));

const isTrap = (error) =>
  error instanceof WebAssembly.RuntimeError || (error instanceof RangeError && /stack|memory/i.test(error.message));

addEventListener('error', (event) => {
  if (isTrap(event.error)) crash(`${event.error.name}: ${event.error.message}`);
});
addEventListener('unhandledrejection', (event) => {
  if (isTrap(event.reason)) crash(`${event.reason.name}: ${event.reason.message}`);
});

// A module of one function that uses a SIMD instruction: the cheapest question to a browser.
const simd = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

function reason(error) {
  const text = String(error && error.message ? error.message : error);
  if (/unsafe-eval|Content Security|blocked by CSP/i.test(text)) return words.policy;
  if (/MIME|application\/wasm/i.test(text)) return words.mime;
  return words.fetch;
}

// A server that calls the module something else cannot have it compiled as a stream.
async function compile(href) {
  const response = await fetch(href);
  if (!response.ok) throw new Error(`${response.status} ${href}`);
  return response.headers.get('content-type')?.startsWith('application/wasm')
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

async function start() {
  if (typeof WebAssembly !== 'object') {
    show(words.loadTitle, words.oldBrowser, 'no WebAssembly');
    return;
  }
  const glue = document.querySelector('link[rel=modulepreload]');
  const module = document.querySelector('link[rel=preload][as=fetch]');
  if (!glue || !module) {
    show(words.loadTitle, words.noFiles, 'no preload links');
    return;
  }
  try {
    if (!WebAssembly.validate(simd)) {
      show(words.loadTitle, words.oldBrowser, 'no simd128');
      return;
    }
    // Compiled while it arrives, not after its glue.
    const [page, compiled] = await Promise.all([import(glue.href), compile(module.href)]);
    await page.default({ module_or_path: compiled });
  } catch (error) {
    if (ready && isTrap(error)) crash(`${error.name}: ${error.message}`);
    else show(words.loadTitle, reason(error), String(error));
  }
}

start();
