// A function of some actions of a walk on the page, by what whoever walks has thrown for each. It answers with what took long
// and what grew, and, where something is wrong, with what led there: an answer that a driver keeps is memory of the page.
(choices) => {
  let [one, two, text] = [];

  if (!window.walking) {
    window.walking = { longest: 0, told: 50, mib: 0, log: [] };
    // What leaves the page, or waits for a person, has no place in a walk.
    window.print = () => {};
    window.open = () => null;
    window.confirm = () => true;
    addEventListener('click', (event) => {
      if (event.target.closest?.('a[href]:not([href^="#"])')) event.preventDefault();
    }, true);
    if (PerformanceObserver.supportedEntryTypes.includes('longtask')) {
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) window.walking.longest = Math.max(window.walking.longest, duration);
      }).observe({ type: 'longtask' });
    }
  }

  const name = (element) => `${element.localName}${element.id && `#${element.id}`}${element.className && `.${element.className}`}`;
  const seen = (css) => [...document.querySelectorAll(css)].filter((element) =>
    element.getClientRects().length && !element.disabled && !element.closest('[inert]'));
  const pick = (css) => { const all = seen(css); return all[one % all.length]; };
  const tell = (element, ...events) => events.forEach((event) => element.dispatchEvent(new Event(event, { bubbles: true })));

  const actions = {
    click() {
      const element = pick('button, summary, a[href], input[type=checkbox], input[type=radio], [role=tab], [role=option], dfn, td, path');
      if (!element) return 'nothing to click';
      const said = `click ${name(element)}`;
      element.focus?.();
      element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, view: window }));
      return said;
    },
    choose() {
      const element = pick('select');
      if (!element) return 'nothing to choose';
      element.selectedIndex = two % element.options.length;
      tell(element, 'input', 'change');
      return `choose ${two % element.options.length} of ${name(element)}`;
    },
    type() {
      const element = pick('input:not([type=checkbox]):not([type=radio]):not([type=file]), textarea, [contenteditable]');
      if (!element) return 'nothing to type into';
      element.focus();
      element.value = element.type === 'range' ? two % (Number(element.max || 100) + 1) : text;
      tell(element, 'input', 'change');
      return `type ${JSON.stringify(element.value)} into ${name(element)}`;
    },
    point() {
      const [x, y] = [(one % innerWidth), (two % innerHeight)];
      const element = document.elementFromPoint(x, y);
      if (!element) return 'nothing there';
      const at = (type, buttons, dx = 0) => element.dispatchEvent(new PointerEvent(type, {
        bubbles: true, cancelable: true, clientX: x + dx, clientY: y, buttons, pointerId: 1, isPrimary: true, pointerType: 'mouse', view: window,
      }));
      at('pointermove', 0);
      at('pointerdown', 1);
      for (const dx of [3, 40, -25]) at('pointermove', 1, dx);
      at('pointerup', 0, -25);
      element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, clientX: x, clientY: y, view: window }));
      if (two % 3 === 0) element.dispatchEvent(new MouseEvent('dblclick', { bubbles: true, cancelable: true, clientX: x, clientY: y }));
      return `point at ${x}, ${y}: ${name(element)}`;
    },
    wheel() {
      const element = document.elementFromPoint(one % innerWidth, two % innerHeight) ?? document.body;
      element.dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, deltaY: (two % 400) - 200, ctrlKey: one % 2 === 0 }));
      return `wheel over ${name(element)}`;
    },
    key() {
      const target = document.activeElement ?? document.body;
      for (const type of ['keydown', 'keyup']) {
        target.dispatchEvent(new KeyboardEvent(type, { bubbles: true, cancelable: true, key: text, shiftKey: two % 8 === 0 }));
      }
      return `key ${text}`;
    },
    link() {
      history.pushState(null, '', text);
      dispatchEvent(new PopStateEvent('popstate'));
      return `open ${text.slice(0, 200)}`;
    },
    file() {
      const element = document.querySelector('input[type=file]');
      if (!element) return 'nothing that takes a file';
      const files = new DataTransfer();
      files.items.add(new File([text], ['config.json', 'gemms.csv', 'model.csv', 'x.mlir'][one % 4]));
      element.files = files.files;
      tell(element, 'input', 'change');
      return `a file of ${text.length} signs for ${name(element)}`;
    },
    paste() {
      const data = new DataTransfer();
      data.setData('text/plain', text);
      (document.activeElement ?? document.body).dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }));
      return `paste ${JSON.stringify(text.slice(0, 60))}`;
    },
  };

  async function walk() {
    const { walking } = window;
    const told = [];
    for (const [kind, ...thrown] of choices) {
      [one, two, text] = thrown;
      const done = `${actions[kind]()} → ${location.href}`;
      walking.log = [...walking.log.slice(-60), done];
      // What follows from it comes with the next frame at the latest.
      await new Promise((next) => requestAnimationFrame(() => setTimeout(next)));
      const mib = (window.modules ?? []).reduce((all, { exports }) => all + (exports.memory?.buffer.byteLength ?? 0), 0) >> 20;
      // A memory of a module never shrinks.
      if (mib >= walking.mib + 8) told.push(`[${walking.mib} → ${mib} MiB] ${done}`);
      walking.mib = Math.max(walking.mib, mib);
      if (walking.longest > walking.told) told.push(`(${walking.told = walking.longest} ms) ${done}`);
      // The array or what is shown in its place: never nothing.
      const stopped = document.querySelector('#supervisor')?.textContent ?? 'there is no supervisor';
      const wrong = stopped || (document.querySelector('#app')?.innerText.trim() ? '' : 'nothing is shown');
      if (wrong) return { told, wrong: `${wrong}\nwhat led there:\n${walking.log.join('\n')}` };
    }
    return told.length ? { told } : null;
  }
  return walk().catch((error) => ({ wrong: `the walk itself fails: ${error.stack}` }));
}
