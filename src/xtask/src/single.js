// All files of the page are in this one: what it would fetch is taken from here.
const files = JSON.parse(document.getElementById('files').textContent);
async function fetch(name) {
  const packed = files[name];
  if (!packed) throw new TypeError(`${name} is not in this file`);
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(unpacked, { headers: { 'content-type': name.endsWith('.wasm') ? 'application/wasm' : 'text/plain' } });
}
// The text of a frame has no address: its link is the name of the frame, as in <iframe name="?rows=8">.
const isText = location.protocol === 'about:';
const place = isText ? new URL(/^(?:again )?(\?.*)/s.exec(name)?.[1] ?? '', 'http://frame/') : location;
function go(target) {
  if (!isText) return location.replace(target);
  name = `again ${target.search || '?'}${target.hash}`;
  location.reload();
}
const bound = (() => {
GLUE
})();
