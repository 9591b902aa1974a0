// `react.d.ts` has the types of JSX. A script has nothing to import here.
export {};
