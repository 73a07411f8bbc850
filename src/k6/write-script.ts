import { toJson } from '../text/to-json.ts';
import { describeConnections, poolsBehind } from './connection-arithmetic.ts';
import type { K6Load, K6Origin, K6Plan } from './k6-plan.ts';
import { summaryCode } from './script/summary-code.ts';

export const scriptName = 'poolguard-k6.js';
/** What a script writes when nobody says. */
export const summaryName = 'k6-summary.json';

/**
 * A script for k6 1.0 and newer. Whatever comes from users stands in it as a string of JSON in ASCII, which is a string of JavaScript
 * too; comments and code hold none of it.
 */
export function writeScript(plan: K6Plan): string {
  return `${headOf(plan)}

import http from 'k6/http';
import exec from 'k6/execution';
import { sleep } from 'k6';
import { Counter } from 'k6/metrics';

function numberOf(name, usual) {
  const value = __ENV[name] === undefined || __ENV[name] === '' ? usual : Number(__ENV[name]);
  if (!(value >= 0)) throw new Error(name + ' must be a number of at least 0.');
  return value;
}

${settingsOf(plan)}${loadCode[plan.load.kind]}${requestCode}${summaryCode}`;
}

function headOf(plan: K6Plan): string {
  const lines = [
    `Written by poolguard ${plan.madeBy.replace(/[^\w.+-]/g, '')}: ${commandOf[plan.origin]} --export k6.`,
    ...whyHttp(plan),
    ...(plan.source === null ? [] : [plan.source]),
    '',
    ...describeConnections(plan),
    '',
    ...(plan.sizes.length === 0
      ? ['Run it:  k6 run poolguard-k6.js']
      : [
          'Start the application with each size in turn, and run, with that size:',
          ...plan.sizes.map(
            (size) => `  k6 run -e POOL=${size} -e SUMMARY=k6-summary-${size}.json ${scriptName}`,
          ),
        ]),
    `Read it: poolguard report ${plan.sizes[0] === undefined ? summaryName : `k6-summary-${plan.sizes[0]}.json`}`,
    'k6 exits with 99 when a threshold was crossed; the summary is still written.',
  ];
  return lines.map((line) => `// ${line}`.trimEnd()).join('\n');
}

const commandOf: Readonly<Record<K6Origin, string>> = {
  probe: 'poolguard probe',
  'probe ramp': 'poolguard probe ramp',
  'probe sweep': 'poolguard probe sweep',
  sweep: 'poolguard sweep',
};

/** Source: xk6-sql, sql/module.go, whose `open()` runs in each VU. */
function whyHttp({ origin, load }: K6Plan): readonly string[] {
  if (origin === 'sweep') return [];
  return [
    `The probe runs SQL in its own pool, which k6 cannot. This script sends HTTP requests to your application, ${load.kind === 'users' ? 'with the same users' : 'at the same rates'}.`,
    'The extension xk6-sql runs SQL, but opens a database/sql pool for each VU, so VUs never wait for the same pool, which is what this script measures.',
  ];
}

function settingsOf({ request, load, sizes, sharing, expectedMs, origin }: K6Plan): string {
  const headers = request.headers
    .map(
      (source) =>
        `  [${literal(source.name)}, ${source.kind === 'literal' ? literal(source.value) : `__ENV[${literal(source.variable)}]`}],\n`,
    )
    .join('');
  return `// Change them here, or set them as variables: k6 run -e NAME=value, or in the environment, where secrets belong.
const url = __ENV.URL || ${literal(request.url)};
const method = ${literal(request.method)};
const headers = [${headers === '' ? '' : `\n${headers}`}];
const body = ${request.hasBody ? '__ENV.BODY' : 'null'};
const required = [${request.required.map(literal).join(', ')}];
// max of each pool: a label of this run, which changes nothing in the application.
const pool = __ENV.POOL || ${sizes[0] === undefined ? 'null' : literal(String(sizes[0]))};
// Pools that serve the URL: workers × instances.
const pools = numberOf('POOLS', ${poolsBehind(sharing)});
// Expected response time in milliseconds, and its limit for the 99th percentile.
const expectedMs = numberOf('EXPECTED_MS', ${Math.max(1, Math.round(expectedMs))});
const limitMs = numberOf('LIMIT_MS', 500);
const origin = ${literal(origin)};
${stagesOf(load)}
`;
}

function stagesOf(load: K6Load): string {
  const list = (lines: readonly string[]) => `[\n${lines.map((line) => `  ${line},\n`).join('')}]`;
  const seconds = (value: number) => Number(value.toFixed(3));
  if (load.kind === 'users') {
    const stages = load.stages.map(
      (stage) => `{ seconds: ${seconds(stage.seconds)}, users: ${stage.users} }`,
    );
    return `// Length of each stage and number of users at its end; each user pauses after a response.\nconst stages = ${list(stages)};\nconst thinkMs = numberOf('THINK_MS', ${Math.round(load.thinkMs)});`;
  }
  return `// Length of each stage and arrivals per second at each pool.\nconst stages = ${list(load.stages.map((stage) => `{ seconds: ${seconds(stage.seconds)}, rate: ${stage.rate} }`))};`;
}

/** A string of JavaScript, in ASCII, whatever the text holds. */
function literal(text: string): string {
  return toJson(text).replace(
    /[^\x20-\x7E]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Lines that both forms have. Rates of k6 are whole numbers. VUs by Little's law: arrivals per second × seconds of an answer are under
 * way at once; twice as many are allocated beforehand, and up to five seconds' worth while the application is slow, since k6 drops
 * arrivals for which no VU is free (grafana.com/docs/k6, dropped iterations).
 */
const arrivalsCode = `
// Little's law gives the arrivals in flight at once. Twice as many VUs are allocated, and more are added while responses are slow.
function arrivalsAt(rateStages) {
  const peak = Math.max(1, ...rateStages.map(({ target }) => target));
  const preAllocatedVUs = Math.max(10, 2 * Math.ceil((peak * expectedMs) / 1000));
  const maxVUs = numberOf('MAX_VUS', Math.max(preAllocatedVUs, Math.min(2000, 5 * peak)));
  return { executor: 'ramping-arrival-rate', startRate: rateStages[0].target, timeUnit: '1s', preAllocatedVUs: Math.min(preAllocatedVUs, maxVUs), maxVUs, stages: rateStages, gracefulStop: '10s', exec: 'ask' };
}
`;

const usersCode = `${arrivalsCode}
// Users wait for their responses, so a slow application slows them down too; LOAD=arrivals keeps the rate constant.
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
// k6 ramps a rate over its stage: a stage of zero length jumps to each rate, which then stays constant.
const scenario = arrivalsAt(stages.flatMap((stage, index) => [
  ...(index === 0 ? [] : [{ duration: '0s', target: targetOf(stage) }]),
  { duration: duration(stage.seconds), target: targetOf(stage) },
]));
`;

/** What makes the scenario of each kind of load. */
const loadCode: Readonly<Record<K6Load['kind'], string>> = {
  users: usersCode,
  arrivals: stepsCode,
};

/**
 * Options and the request itself. Redirects are answers of their own, since a user of a pool is one request; bodies are read and
 * thrown away. Error codes: grafana.com/docs/k6, javascript-api/error-codes; named as Node names them.
 */
const requestCode = `
export const options = {
  scenarios: { [form]: scenario },
  thresholds: {
    http_req_failed: ['rate<0.01'],
    'http_req_duration{expected_response:true}': ['p(99)<' + limitMs],
    ...(form === 'arrivals' && { dropped_iterations: ['count<10'] }),
  },
  ...(pool !== null && { tags: { pool } }),
  discardResponseBodies: true,
  summaryTrendStats: ['avg', 'min', 'med', 'max', 'p(95)', 'p(99)', 'count'],
};

const missing = required.filter((name) => !__ENV[name]);

export function setup() {
  if (missing.length > 0) exec.test.abort('This script holds no secrets. Set ' + missing.join(', ') + ' in the environment first.');
}

// One counter each, because a summary has no tags.
const statuses = [400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 422, 429, 500, 501, 502, 503, 504];
const broken = { 1050: 'timeout', 1101: 'ENOTFOUND', 1201: 'EPIPE', 1210: 'ECONNREFUSED', 1211: 'ETIMEDOUT', 1212: 'ECONNREFUSED', 1220: 'ECONNRESET' };
const counters = {};
for (const cause of [...statuses, ...Object.values(broken), 'closed', 'other']) counters[cause] = counters[cause] || new Counter('poolguard_' + cause);

function count({ status, error_code: code, error }) {
  const cause = status >= 400 ? status : broken[code] || (/EOF$/.test(error) && 'closed');
  (counters[cause] || counters.other).add(1);
}

const parameters = {
  headers: Object.fromEntries(headers),
  redirects: 0,
  timeout: '30s',
  tags: { name: 'request' },
};

const begun = new Counter('poolguard_begun');

export function ask() {
  begun.add(1);
  const answer = http.request(method, url, body, parameters);
  if (answer.error_code) count(answer);
}
`;
