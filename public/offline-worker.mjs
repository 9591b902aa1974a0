// Answers in place of the network if there is none, with the files of one build. The build puts `BUILD` and `FILES`, the
// hash of each file by its name, in front. A browser refuses a file with another hash. For the page itself the
// network is asked first. No page depends on this worker.

const PREFIX = 'systolic-playground ';
const KEPT = PREFIX + BUILD;
// How long the network may take to say something of the page, before the kept one is shown.
const PATIENCE_MS = 4000;

const address = (name) => new URL(name === 'index.html' ? './' : name, location.href).href;
const byAddress = new Map(Object.keys(FILES).map((name) => [address(name), name]));

// A browser refuses these files with another type.
const TYPES = { js: 'javascript', css: 'css', svg: 'svg', html: 'html' };

// A store can lose a part of a file, and an older build can have kept another file by this name.
async function isWhole(response, name) {
  const type = TYPES[name.split('.').pop()] ?? '';
  if (!response.ok || !(response.headers.get('content-type') ?? '').includes(type)) return false;
  const digest = await crypto.subtle.digest('SHA-256', await response.arrayBuffer());
  return FILES[name] === `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

async function keepOne(cache, name) {
  const href = address(name);
  const kept = await caches.match(href, { ignoreVary: true });
  if (kept && await isWhole(kept.clone(), name)) return cache.put(href, kept);
  const isPage = /\.(html|webmanifest)$/.test(name);
  const response = await fetch(href, { integrity: FILES[name], cache: isPage ? 'no-cache' : 'default' });
  if (!response.ok) throw new Error(`${response.status} ${href}`);
  return cache.put(href, response);
}

async function keep() {
  const cache = await caches.open(KEPT);
  for (const name of Object.keys(FILES)) await keepOne(cache, name);
}

// Pages of the build before go on with its files: a new worker waits until they are closed.
async function forgetOthers() {
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== KEPT) await caches.delete(name);
  }
  await registration.navigationPreload?.enable();
  await clients.claim();
}

// A damaged file is thrown away: an answer with it would keep the page from starting at every visit.
async function sound(cache, href) {
  const kept = await cache.match(href, { ignoreVary: true });
  if (!kept || await isWhole(kept.clone(), byAddress.get(href))) return kept;
  await cache.delete(href, { ignoreVary: true });
  return undefined;
}

async function page({ request, preloadResponse }, kept) {
  const late = new Promise((_, refuse) => setTimeout(refuse, PATIENCE_MS, new Error('late')));
  const asked = Promise.resolve(preloadResponse).then((preloaded) => preloaded ?? fetch(request));
  const answer = await Promise.race([asked, late]).catch(() => undefined);
  if (answer && answer.status < 500) return answer;
  return (await kept) ?? answer ?? asked;
}

addEventListener('install', (event) => event.waitUntil(keep()));
addEventListener('activate', (event) => event.waitUntil(forgetOthers()));
addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const href = request.url.split(/[?#]/)[0].replace(/index\.html$/, '');
  // A page inside another one is left to the network.
  if (!byAddress.has(href) || (request.mode === 'navigate' && request.destination !== 'document')) return;
  const opened = caches.open(KEPT);
  const kept = opened.then((cache) => sound(cache, href));
  event.respondWith(request.mode === 'navigate' ? page(event, kept) : kept.then((found) => found ?? fetch(request)));
  // The next visit finds the file again. Without a network, a later visit asks for it.
  const mended = kept.then(async (found) => found ?? keepOne(await opened, byAddress.get(href)));
  event.waitUntil(mended.catch(() => {}));
});
