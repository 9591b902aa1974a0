// Answers in place of the network if there is none, with the files of one build. The build puts `BUILD` and `FILES`, the
// hash of each file by its name, in front. A browser refuses a file with another hash. For the page itself the
// network is asked first. No page depends on this worker.

const PREFIX = 'systolic-playground ';
const KEPT = PREFIX + BUILD;
// How long the network may take to say something of the page, before the kept one is shown.
const PATIENCE_MS = 4000;

const address = (name) => new URL(name === 'index.html' ? './' : name, location.href).href;
const byAddress = new Map(Object.keys(FILES).map((name) => [address(name), name]));

// Names have digests, but for pages and the manifest: a file that another build has kept is the same.
async function keepOne(cache, name) {
  const href = address(name);
  const isPage = /\.(html|webmanifest)$/.test(name);
  const kept = isPage ? undefined : await caches.match(href, { ignoreVary: true });
  if (kept) return cache.put(href, kept);
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

const kept = async (href) => (await caches.open(KEPT)).match(href, { ignoreVary: true });

async function page({ request, preloadResponse }, href) {
  const late = new Promise((_, refuse) => setTimeout(refuse, PATIENCE_MS, new Error('late')));
  const asked = Promise.resolve(preloadResponse).then((preloaded) => preloaded ?? fetch(request));
  const answer = await Promise.race([asked, late]).catch(() => undefined);
  if (answer && answer.status < 500) return answer;
  return (await kept(href)) ?? answer ?? asked;
}

async function file(request, href) {
  return (await kept(href)) ?? fetch(request);
}

addEventListener('install', (event) => event.waitUntil(keep()));
addEventListener('activate', (event) => event.waitUntil(forgetOthers()));
addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const href = request.url.split(/[?#]/)[0].replace(/index\.html$/, '');
  if (!byAddress.has(href)) return;
  if (request.mode === 'navigate') {
    // A page inside another one is left to the network.
    if (request.destination === 'document') event.respondWith(page(event, href));
  } else {
    event.respondWith(file(request, href));
  }
});
