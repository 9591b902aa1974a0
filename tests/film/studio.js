// Before the page's own scripts: a clock that the camera moves, and a pointer that a screenshot shows.
(() => {
  const clock = performance.now.bind(performance);
  const { setTimeout: later, clearTimeout: never, requestAnimationFrame: frame, cancelAnimationFrame: cancel } = window;
  // The time of the page, once the camera has stopped the clock.
  let now = null;
  // Work that waits for this clock, by negative numbers: when it is due, and what it is.
  const due = new Map();
  let last = 0;
  const wait = (at, work) => { last -= 1; due.set(last, { at, work }); return last; };

  performance.now = () => now ?? clock();
  window.setTimeout = (work, ms = 0, ...rest) =>
    (now === null ? later(work, ms, ...rest) : wait(now + ms, () => work(...rest)));
  window.clearTimeout = (id) => (id < 0 ? due.delete(id) : never(id));
  window.requestAnimationFrame = (work) => (now === null ? frame(work) : wait(now, work));
  window.cancelAnimationFrame = (id) => (id < 0 ? due.delete(id) : cancel(id));

  const pointer = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const arrow = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  arrow.setAttribute('d', 'M2 2 V24 L8 19 L12 28 L16 26 L12 18 L20 18 Z');
  arrow.setAttribute('stroke', 'white');
  arrow.setAttribute('stroke-width', '2');
  pointer.append(arrow);
  for (const [name, value] of Object.entries({ position: 'fixed', left: 0, top: 0, width: '24px', height: '32px',
    'z-index': 2147483647, 'pointer-events': 'none' })) pointer.style.setProperty(name, value);

  window.studio = {
    // A whole number of seconds, so that each film has the same sums of times.
    stop() {
      now = Math.ceil(clock() / 1000) * 1000;
      document.documentElement.append(pointer);
    },
    // The page has a frame each 20 ms. Then the browser paints.
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += 20) {
        now += 20;
        for (const [id, { at, work }] of [...due]) {
          if (at < now && due.delete(id)) work(now);
        }
        await new Promise((done) => later(done));
      }
      await new Promise((done) => frame(() => frame(done)));
    },
    point(x, y, isPressed) {
      pointer.style.setProperty('transform', `translate(${x - 2}px, ${y - 2}px)`);
      arrow.setAttribute('fill', isPressed ? 'dodgerblue' : 'black');
    },
  };
})();
