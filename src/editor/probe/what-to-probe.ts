/** All that asks what a probe runs, and whether it may: a bundle of its own, loaded by the first probe. Always imported with `import()`. */
export { chooseWorkload, onlyWorkload } from './choose-workload.ts';
export { confirmOwners, confirmPlan, confirmRole } from './confirm-probe.ts';
export { chooseQuery } from './probe-query.ts';
