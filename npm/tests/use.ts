// Compiled by `cargo xtask packages` against the packed package, under strict settings.
import { SystolicPlayground, type State, type ErrorCode } from 'systolic-playground';
const array = document.querySelector('systolic-playground')!;
const same = document.querySelector<SystolicPlayground>('systolic-playground');
const made = document.createElement('systolic-playground');
await array.setState({ settings: { m: 64 } });
await array.setState({ view: { pe: '2.1', theme: 'dark' } });
const { utilization_pct } = await array.measure();
array.addEventListener('step', (event) => console.log(event.detail.cycle.toFixed(), utilization_pct));
array.addEventListener('change', (event) => { const state: State = event.detail; state.settings.rows?.toString(); }, { once: true });
array.addEventListener('error', (event) => event.detail.code === 'E_GONE');
array.addEventListener('input', () => array.value?.cycle.toFixed(array.value.answer?.right ? 1 : 0));
array.addEventListener('click', (event) => event.clientX);
array.addEventListener('whatever', () => {});
await array.step(); await array.step({ by: -2 });
await array.seek({ cycle: 3 }); await array.seek({ to: 'end' });
const code: ErrorCode = 'E_RANGE';
const rows = await array.result(); rows[0]?.[0];
const registers = await array.registers({ cycle: 7 }); registers[0]?.psum;
made.start(); same?.stop(); void code;
// @ts-expect-error the value is read only
array.value = undefined;
// @ts-expect-error neither
await array.seek({});
// @ts-expect-error both
await array.seek({ cycle: 1, to: 'end' });
// @ts-expect-error a typo
(await array.measure()).utilisation_pct;
// @ts-expect-error no such setting
await array.setState({ settings: { zebra: 1 } });
