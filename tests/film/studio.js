// Before the page's own scripts: a clock that the camera moves, and a pointer that a screenshot shows.
(() => {
  const clock = performance.now.bind(performance);
  const frame = window.requestAnimationFrame.bind(window);
  const cancel = window.cancelAnimationFrame.bind(window);
  let now = null;
  let last = 0;
  const due = new Map();

  performance.now = () => now ?? clock();
  window.requestAnimationFrame = (work) => {
    if (now === null) return frame(work);
    last -= 1;
    due.set(last, work);
    return last;
  };
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
    stop() {
      now = clock();
      document.documentElement.append(pointer);
    },
    // Work that asks for a frame gets a frame of 20 ms. Then the browser paints.
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += 20) {
        now += 20;
        const works = [...due.values()];
        due.clear();
        for (const work of works) work(now);
        await new Promise((done) => setTimeout(done));
      }
      await new Promise((done) => frame(() => frame(done)));
    },
    point(x, y, isPressed) {
      pointer.style.setProperty('transform', `translate(${x - 2}px, ${y - 2}px)`);
      arrow.setAttribute('fill', isPressed ? 'dodgerblue' : 'black');
    },
  };
})();
