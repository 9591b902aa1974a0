// The parts of the module: fetched when they are opened or a moment before, each file once, and put into the running
// module. A part that does not arrive is an error of its opener alone, and the next opening tries again.
const sidesList = SIDES_LIST;
const [listName, listDigest] = LIST_FILE;
const partFetches = new Map();
const partInstances = new Map();
const partPatienceMs = new Map();

// Each further try waits twice as long: a slow line is given its time, a dead one does not keep a person waiting.
function fetchPart(name, integrity) {
  if (!partFetches.has(name)) {
    const patience = partPatienceMs.get(name) || 10000;
    partPatienceMs.set(name, 2 * patience);
    const cut = new AbortController();
    const timer = setTimeout(() => cut.abort(), patience);
    const arrival = playground.fetch(name, { integrity, signal: cut.signal })
      .then((answer) => {
        if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
        return answer.arrayBuffer();
      })
      .finally(() => clearTimeout(timer));
    arrival.catch(() => partFetches.delete(name));
    partFetches.set(name, arrival);
  }
  return partFetches.get(name);
}

function instantiatePart(name, bytes) {
  if (!partInstances.has(name)) {
    const { SHARED_NAMES } = wasm;
    const imports = { __wasm_split: { SHARED_NAMES } };
    const instance = WebAssembly.instantiate(bytes, imports).then(async ({ module }) => {
      // The file of the sides carries several modules.
      for (const one of WebAssembly.Module.customSections(module, PACKED)) await WebAssembly.instantiate(one, imports);
    });
    instance.catch(() => partInstances.delete(name));
    partInstances.set(name, instance);
  }
  return partInstances.get(name);
}

// A file by its digest, of which its name has the first eight bytes.
const named = (list, ending = 'wasm') => list.map((entry) => {
  const [digest, stem = 'shared'] = entry.split(' ');
  const hash = Array.from(atob(digest).slice(0, 8), (byte) => byte.charCodeAt().toString(16).padStart(2, '0'));
  return [`${stem}-${hash.join('')}.${ending}`, `sha256-${digest}`];
});
// The sides come with the page; the files of what is opened later are in a list that follows them.
const partList = async () => JSON.parse(new TextDecoder().decode(await fetchPart(listName, listDigest)));
const filesOf = async (part) => named(part === 'sides' ? sidesList : (await partList())[part] || []);

// The text face comes last, one file for each weight. Without it the page keeps fonts of the system. In the array its
// figures are as wide as those of a monospaced font.
let faceOpens;
const openFace = async () => Promise.all(named((await partList()).face, 'woff2').map(async ([name, integrity], nth) => {
  const bytes = await fetchPart(name, integrity);
  for (const [family, sizeAdjust] of [['Inter', '100%'], ['Array', ['93%', '90%'][nth]]]) {
    const face = new FontFace(family, bytes, { weight: ['1 599', '600 1000'][nth], sizeAdjust });
    document.fonts.add(await face.load());
  }
  document.dispatchEvent(new CustomEvent('playground:face', { detail: '' }));
}));

// What several parts share stands before the part itself, which is put in when the shared files are there.
const partOpener = (part) => async (callback, data) => {
  let arrived = true;
  try {
    const files = await filesOf(part);
    const contents = await Promise.all(files.map(([name, integrity]) => fetchPart(name, integrity)));
    for (let nth = 0; nth < files.length; nth += 1) await instantiatePart(files[nth][0], contents[nth]);
  } catch (error) {
    console.warn(`${part}: ${error}`);
    arrived = false;
  }
  wasm.__indirect_function_table.get(callback)(data, arrived);
  faceOpens ??= openFace().catch(() => {});
};
document.addEventListener('playground:nears', async (event) => {
  try {
    for (const [name, integrity] of await filesOf(event.detail)) fetchPart(name, integrity);
  } catch {
    // Whoever opens the part is told.
  }
});

// The texts of the lessons come one by one, when somebody opens them. A text with another digest has not arrived.
document.addEventListener('playground:wants', async (event) => {
  const id = event.detail;
  let text = '';
  try {
    const entries = (await partList()).cards.filter((entry) => entry.endsWith(` ${id}`));
    const [[name, integrity]] = named(entries, 'txt');
    text = new TextDecoder().decode(await fetchPart(name, integrity));
  } catch (error) {
    console.warn(`${id}: ${error}`);
  }
  document.dispatchEvent(new CustomEvent('playground:text', { detail: `${id}\n${text}` }));
});
const partOpeners = { PART_OPENERS };
playground.bound(__wbg_init);
