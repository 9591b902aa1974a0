// The parts of the module: fetched when they are opened or a moment before, each file once, and put into the running
// module. A part that does not arrive is an error of its opener alone, and the next opening tries again.
const partFiles = PART_FILES;
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
    const arrival = fetch(new URL(name, import.meta.url), { integrity, signal: cut.signal })
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
    const instance = WebAssembly.instantiate(bytes, { __wasm_split: { SHARED_NAMES } });
    instance.catch(() => partInstances.delete(name));
    partInstances.set(name, instance);
  }
  return partInstances.get(name);
}

// What several parts share stands before the part itself, which is put in when the shared files are there.
const partOpener = (part) => async (callback, data) => {
  let arrived = true;
  try {
    const files = partFiles[part];
    const contents = await Promise.all(files.map(([name, integrity]) => fetchPart(name, integrity)));
    for (let nth = 0; nth < files.length; nth += 1) await instantiatePart(files[nth][0], contents[nth]);
  } catch (error) {
    console.warn(`${part}: ${error}`);
    arrived = false;
  }
  wasm.__indirect_function_table.get(callback)(data, arrived);
};
document.addEventListener('playground:nears', (event) => {
  for (const [name, integrity] of partFiles[event.detail] || []) fetchPart(name, integrity);
});
const partOpeners = { PART_OPENERS };
