// Compiled by `cargo xtask packages` against the packed package, under strict settings.
import 'systolic-playground/react';
export const Array = ({ n }: { n: number }) => <systolic-playground rows={n} df="os" highlight="fill" label="x" className="c" onClick={(event) => event.currentTarget.start()} onInput={(event) => event.currentTarget.value?.link} />;
// @ts-expect-error no such dataflow
export const Wrong = () => <systolic-playground df="xs" />;
