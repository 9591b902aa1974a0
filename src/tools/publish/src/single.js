// Everything that the page takes from the place where it stands, for a page in one file: public/boot.js has that of a
// server.

// All files of the page are in this one.
const files = JSON.parse(document.getElementById('files').textContent);
// The text of a frame has no address: its link is the name of the frame, as in <iframe name="?rows=8">.
const isText = location.protocol === 'about:';

globalThis.playground = {
  place: isText ? new URL(/^(?:again )?(\?.*)/s.exec(name)?.[1] ?? '', 'http://frame/') : location,
  async fetch(file) {
    const packed = files[file.replace('./', '')];
    if (!packed) throw new TypeError(`${file} is not in this file`);
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(unpacked, { headers: { 'content-type': file.endsWith('.wasm') ? 'application/wasm' : 'text/plain' } });
  },
  go(target) {
    if (!isText) return location.replace(target);
    name = `again ${target.search || '?'}${target.hash}`;
    location.reload();
  },
  hasRestarted: () => (isText ? /^again/.test(name) : Boolean(name)),
  markRestart() {
    if (!isText) name ||= 1;
  },
  keepsFiles: false,
};
