import type { K6Load } from '../k6-plan.ts';

/**
 * Lines that both forms have. Rates of k6 are whole numbers. VUs by Little's law: arrivals per second × seconds of an answer are under
 * way at once; twice as many are allocated beforehand, and up to five seconds' worth while the application is slow, since k6 drops
 * arrivals for which no VU is free (grafana.com/docs/k6, dropped iterations).
 */
const arrivalsCode = `
// Little's law: so many arrivals are under way at once. Twice as many VUs are ready, and more are made while answers are slow.
function arrivalsAt(rateStages) {
  const peak = Math.max(1, ...rateStages.map(({ target }) => target));
  const preAllocatedVUs = Math.max(10, 2 * Math.ceil((peak * expectedMs) / 1000));
  const maxVUs = numberOf('MAX_VUS', Math.max(preAllocatedVUs, Math.min(2000, 5 * peak)));
  return { executor: 'ramping-arrival-rate', startRate: rateStages[0].target, timeUnit: '1s', preAllocatedVUs: Math.min(preAllocatedVUs, maxVUs), maxVUs, stages: rateStages, gracefulStop: '10s', exec: 'ask' };
}
`;

const usersCode = `${arrivalsCode}
// Users wait for their answers, so that a slow application slows them down too; LOAD=arrivals asks as often, whatever the answers take.
const form = __ENV.LOAD === 'arrivals' ? 'arrivals' : 'users';
const duration = (seconds) => Math.round(seconds * 1000) + 'ms';
const targetOf = ({ users }) => (form === 'users' ? users : Math.round((users * 1000) / Math.max(1, thinkMs + expectedMs)));
const scenario =
  form === 'users'
    ? { executor: 'ramping-vus', startVUs: 0, stages: stages.map((stage) => ({ duration: duration(stage.seconds), target: stage.users })), gracefulRampDown: '10s', gracefulStop: '10s', exec: 'askAndPause' }
    : { ...arrivalsAt(stages.map((stage) => ({ duration: duration(stage.seconds), target: targetOf(stage) }))), startRate: 0 };

export function askAndPause() {
  ask();
  sleep(thinkMs / 1000);
}
`;

const stepsCode = `${arrivalsCode}
const form = 'arrivals';
const thinkMs = null;
const duration = (seconds) => Math.round(seconds * 1000) + 'ms';
const targetOf = ({ rate }) => Math.max(1, Math.round(rate * pools));
// k6 changes a rate evenly over its stage: a stage of no length jumps to each rate, which then stays.
const scenario = arrivalsAt(stages.flatMap((stage, index) => [
  ...(index === 0 ? [] : [{ duration: '0s', target: targetOf(stage) }]),
  { duration: duration(stage.seconds), target: targetOf(stage) },
]));
`;

/** What makes the scenario of each kind of load. */
export const loadCode: Readonly<Record<K6Load['kind'], string>> = {
  users: usersCode,
  arrivals: stepsCode,
};
