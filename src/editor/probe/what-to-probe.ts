/** All that asks what a probe runs: a bundle of its own, loaded by the first probe. Always imported with `import()`. */
export { chooseWorkload, onlyWorkload } from './choose-workload.ts';
export { chooseQuery } from './probe-query.ts';
