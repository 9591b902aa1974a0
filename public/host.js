// Host check: tries what the playground needs, and picks what the page has to say of it.

const isAlone = window.parent === window;
const isDisk = location.protocol === 'file:';
// A module of one function that uses a SIMD instruction.
const simd = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);
const wait = (ms) => new Promise((done) => { setTimeout(done, ms); });
const heard = { hello: false };

const checks = {
  async module() {
    if (!globalThis.WebAssembly?.validate(simd)) return 'old';
    return WebAssembly.compile(simd).then(() => 'yes', () => 'policy');
  },
  async files() {
    if (isDisk) return 'disk';
    const { ok } = await fetch('./systolic-playground.mjs', { cache: 'no-store' });
    return ok ? 'yes' : 'no';
  },
  async size() {
    if (innerWidth < 320) return 'narrow';
    return innerHeight < 400 ? 'low' : 'yes';
  },
  async height() {
    if (isAlone) return 'alone';
    const before = innerHeight;
    tell(before + 40);
    // A change to another height is none that was asked for: the page around may still be laying itself out.
    const follows = () => Math.abs(innerHeight - before - 40) < 20;
    for (let turn = 0; turn < 15 && !follows(); turn += 1) await wait(100);
    if (!follows()) return 'no';
    tell(before);
    return 'yes';
  },
  async steering() {
    if (isAlone) return 'alone';
    for (let turn = 0; turn < 20 && !heard.hello; turn += 1) await wait(100);
    return heard.hello ? 'yes' : 'no';
  },
  async screen() {
    return document.fullscreenEnabled || document.webkitFullscreenEnabled ? 'yes' : 'no';
  },
  async storage() {
    localStorage.setItem('host', '1');
    localStorage.removeItem('host');
    return 'yes';
  },
  async offline() {
    if (!isAlone) return 'frame';
    return isSecureContext && 'serviceWorker' in navigator ? 'yes' : 'no';
  },
};

// Tells the page around a height, in each way that it may listen to.
let port;
let height = innerHeight;
function tell(wished) {
  height = wished;
  parent.postMessage({ subject: 'lti.frameResize', height }, '*');
  parent.postMessage({ type: 'iframe-resized', width: innerWidth, height }, '*');
  port?.postMessage({ sap: 1, event: 'resize', data: { height } });
}

// Answers as the playground does, so that what is around this page goes on as it would.
addEventListener('message', ({ source, data, ports }) => {
  if (isAlone || source !== parent) return;
  if (data?.sap === 1 && data.type === 'hello') {
    heard.hello = true;
    [port] = ports;
    if (!port) return;
    port.onmessage = (asked) => port.postMessage({ sap: 1, id: asked.data?.id, ok: true, result: null });
    port.postMessage({ sap: 1, type: 'welcome', nonce: data.nonce });
    port.postMessage({ sap: 1, event: 'resize', data: { height } });
  } else if (data?.type === 'iframe-child-init' || data?.type === 'iframe-get-child-dimensions') {
    parent.postMessage({ type: 'iframe-resized', width: innerWidth, height }, '*');
  }
});

const said = (place) => place.querySelector('[data-if]:not([hidden])');
function pick(place, found) {
  for (const one of place.querySelectorAll('[data-if]')) one.hidden = one.dataset.if !== found;
}

// The whole is as bad as its worst part.
function conclude() {
  const rows = Object.keys(checks).map((id) => document.getElementById(id));
  const effects = rows.map((row) => said(row).dataset.effect);
  const verdict = document.getElementById('verdict');
  pick(verdict, ['open', 'stops', 'less'].find((effect) => effects.includes(effect)) ?? 'works');
  const lines = rows.map((row) => `${row.cells[0].textContent}: ${said(row).textContent}`);
  document.getElementById('report').value =
    [said(verdict).textContent, ...lines, location.href, navigator.userAgent, `${innerWidth} × ${innerHeight}`].join('\n');
}

if (isAlone) {
  document.getElementById('code').value = `<iframe src="${location.href}" width="800" height="500" `
    + 'sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox allow-downloads" allow="fullscreen"></iframe>';
  document.getElementById('alone').hidden = false;
}
for (const [id, check] of Object.entries(checks)) {
  // What throws is forbidden.
  check().catch(() => 'no').then((found) => {
    pick(document.getElementById(id), found);
    conclude();
  });
}
conclude();

const press = (id, work) => document.getElementById(id).addEventListener('click', work);
press('file', () => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([document.getElementById('report').value], { type: 'text/plain' }));
  link.download = 'host.txt';
  link.click();
});
press('tab', () => window.open('./', '_blank', 'noopener'));
press('print', () => window.print());
press('copy', () => {
  document.getElementById('report').select();
  document.execCommand('copy');
});
