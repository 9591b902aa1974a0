// Reports a set of challenges or a test to a course system by SCORM 1.2. The system's object named API is in this window or in one
// around it; the answers come from the frame as events of sap/1.
(() => {
  // Cards with a question, by set.
  const sets = SETS;
  const wanted = new URLSearchParams(location.search).get('set');
  const set = Object.hasOwn(sets, wanted) ? wanted : Object.keys(sets)[0];
  const asking = sets[set];
  const n_cards = asking.length;
  const said = document.getElementById('said');

  function find() {
    // A window of another origin has none that can be reached, and nothing behind it has.
    try {
      for (let at = window, n = 0; n < 20; at = at.parent, n += 1) {
        if (at.API) return at.API;
        if (at === at.parent) return at.opener && at.opener !== at ? at.opener.API : undefined;
      }
    } catch { /* nobody to report to */ }
    return undefined;
  }

  const api = find();
  const call = (name, ...values) => {
    const answer = api?.[name](...values);
    const code = api ? Number(api.LMSGetLastError()) : 0;
    if (code) said.textContent = `The course system answers ${name} with ${code}: ${api.LMSGetErrorString(String(code))}`;
    return answer;
  };

  // Cards by their number: 1 right, 0 wrong. What was answered at an earlier visit counts on.
  const answers = new Map();
  const isTest = set.startsWith('form-');
  // A course system need not keep the result of each item.
  let keepsItems = false;
  function report() {
    const n_right = [...answers.values()].filter(Boolean).length;
    // A test does not say how many answers are right.
    const done = isTest ? `${answers.size} of ${n_cards} answered` : `${n_right} of ${n_cards} solved`;
    said.textContent = `${done}${api ? '' : '. No course system is there to note it'}`;
    if (!api) return;
    call('LMSSetValue', 'cmi.core.score.raw', String(Math.round((100 * n_right) / n_cards)));
    const isDone = (isTest ? answers.size : n_right) === n_cards;
    call('LMSSetValue', 'cmi.core.lesson_status', isDone ? (isTest ? 'completed' : 'passed') : 'incomplete');
    if (keepsItems) {
      [...answers].forEach(([card, right], nth) => {
        call('LMSSetValue', `cmi.interactions.${nth}.id`, `${set}.${card}`);
        call('LMSSetValue', `cmi.interactions.${nth}.type`, isTest ? 'choice' : 'performance');
        call('LMSSetValue', `cmi.interactions.${nth}.result`, right ? 'correct' : 'wrong');
      });
    }
    call('LMSSetValue', 'cmi.suspend_data', [...answers].map(([card, right]) => `${card}:${right}`).join(' '));
    call('LMSCommit', '');
  }

  // A time as SCORM 1.2 writes it: hours, minutes and seconds.
  function timespan(seconds) {
    const two = (number) => String(Math.floor(number)).padStart(2, '0');
    return `${two(seconds / 3600).padStart(4, '0')}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`;
  }

  // The card that is open. A learner who comes back goes on there.
  let place = 1;
  if (api && call('LMSInitialize', '') === 'true') {
    for (const pair of (call('LMSGetValue', 'cmi.suspend_data') || '').split(' ').filter(Boolean)) {
      const [card, right] = pair.split(':').map(Number);
      answers.set(card, right);
    }
    place = Number(call('LMSGetValue', 'cmi.core.lesson_location')) || 1;
    api.LMSGetValue('cmi.interactions._count');
    keepsItems = Number(api.LMSGetLastError()) === 0;
    call('LMSSetValue', 'cmi.core.score.min', '0');
    call('LMSSetValue', 'cmi.core.score.max', '100');
    // Once, however the page is left.
    let isOver = false;
    addEventListener('pagehide', () => {
      if (isOver) return;
      isOver = true;
      call('LMSSetValue', 'cmi.core.session_time', timespan(performance.now() / 1000));
      // Without it, a course system may forget the answers.
      call('LMSSetValue', 'cmi.core.exit', 'suspend');
      call('LMSFinish', '');
    });
  }
  report();

  const frame = document.createElement('iframe');
  frame.title = 'Challenges on a systolic array';
  frame.setAttribute('sandbox', 'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-downloads');
  // The page in one file asks nobody for anything, and its link is the name of its frame where it has no address.
  frame.src = `playground.html?ui=embed&learn=${set}.${place}`;
  let port;
  function greet() {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => {
      if (data.type === 'welcome') port = port1;
      const [, open] = new RegExp(`[?&]learn=${set}\\.(\\d+)`).exec(data.result?.link ?? '') ?? [];
      if (open && Number(open) !== place) {
        place = Number(open);
        if (api) call('LMSSetValue', 'cmi.core.lesson_location', String(place));
      }
      if (data.event !== 'answer' || !data.data.card.startsWith(`${set}.`)) return;
      const card = Number(data.data.card.split('.')[1]);
      // The first answer of a test counts. A solved challenge stays solved; a card that is opened again says it again.
      const before = answers.get(card) ?? 0;
      answers.set(card, isTest && answers.has(card) ? before : Math.max(before, Number(data.data.right)));
      report();
    };
    frame.contentWindow.postMessage({ sap: 1, type: 'hello', nonce: 1 }, '*', [port2]);
  }
  document.body.append(frame);
  setInterval(() => port || greet(), 250);
  setInterval(() => port?.postMessage({ sap: 1, id: 1, method: 'getState' }), 1000);
  // A frame that failed loads itself again, and is greeted again.
  frame.addEventListener('load', () => { port = undefined; });
})();
