
// The element above as a widget: what the frame shows and what the notebook holds follow each other.

function render({ model, el }) {
  const element = document.createElement('systolic-playground');
  const shown = { cycle: undefined, settings: {} };
  const hold = (more) => {
    Object.assign(shown, more);
    for (const [name, value] of Object.entries(more)) model.set(name, value);
    model.save_changes();
  };
  // A refusal is a sentence, and the frame shows what it showed before.
  const ask = (method, params) => element.ask(method, params).then(
    (state) => hold({ cycle: state.cycle, last: state.last, settings: state.settings, error: '' }),
    (refusal) => { if (refusal.code !== 'E_GONE') hold({ error: refusal.message }); },
  );
  const resize = () => { element.style.height = `${model.get('height')}px`; };
  const follow = {
    'change:height': resize,
    'change:cycle': () => { if (model.get('cycle') !== shown.cycle) ask('seek', { cycle: model.get('cycle') }); },
    'change:settings': () => {
      const wanted = Object.entries(model.get('settings'));
      const settings = Object.fromEntries(wanted.filter(([name, value]) => String(value) !== String(shown.settings[name])));
      if (Object.keys(settings).length > 0) ask('setState', { settings });
    },
  };
  element.setAttribute('loading', 'eager');
  element.setAttribute('link', model.get('_link'));
  if (model.get('_src')) element.setAttribute('src', model.get('_src'));
  element.page = model.get('_page');
  element.style.aspectRatio = 'auto';
  resize();
  element.addEventListener('ready', () => ask('getState', {}));
  element.addEventListener('step', ({ detail }) => hold(detail));
  element.addEventListener('change', ({ detail }) => hold({ cycle: detail.cycle, last: detail.last, settings: detail.settings }));
  for (const [name, one] of Object.entries(follow)) model.on(name, one);
  el.append(element);
  return () => {
    for (const [name, one] of Object.entries(follow)) model.off(name, one);
    element.remove();
  };
}

export default { render };
