import { toJson } from '../text/to-json.ts';
import { describeConnections, poolsBehind } from './connection-arithmetic.ts';
import type { K6Load, K6Origin, K6Plan } from './k6-plan.ts';
import { loadCode } from './script/load-code.ts';
import { requestCode } from './script/request-code.ts';
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
    'k6 exits with 99 when a threshold was crossed; the summary is written all the same.',
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
    `The probe runs SQL in a pool of its own, which k6 as released cannot: this script asks your application over HTTP, ${load.kind === 'users' ? 'with the same users' : 'at the same rates'}.`,
    'The extension xk6-sql runs SQL, but opens a database/sql pool for each VU, so that no two VUs ever wait for the same pool, which is what is to be seen.',
  ];
}

function settingsOf({ request, load, sizes, sharing, expectedMs, origin }: K6Plan): string {
  const headers = request.headers
    .map(
      (source) =>
        `  [${literal(source.name)}, ${source.kind === 'literal' ? literal(source.value) : `__ENV[${literal(source.variable)}]`}],\n`,
    )
    .join('');
  return `// Each may be changed here, or given as a variable: k6 run -e NAME=value, or in the environment, where secrets belong.
const url = __ENV.URL || ${literal(request.url)};
const method = ${literal(request.method)};
const headers = [${headers === '' ? '' : `\n${headers}`}];
const body = ${request.hasBody ? '__ENV.BODY' : 'null'};
const required = [${request.required.map(literal).join(', ')}];
// max of each pool: a label of this run, which changes nothing in the application.
const pool = __ENV.POOL || ${sizes[0] === undefined ? 'null' : literal(String(sizes[0]))};
// Pools that answer behind the URL: workers × instances.
const pools = numberOf('POOLS', ${poolsBehind(sharing)});
// How long an answer takes, in milliseconds, and how long the slowest hundredth may.
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
    return `// Length, and users at its end, of each stage; each user pauses after an answer.\nconst stages = ${list(stages)};\nconst thinkMs = numberOf('THINK_MS', ${Math.round(load.thinkMs)});`;
  }
  return `// Length, and arrivals per second at each pool, of each stage.\nconst stages = ${list(load.stages.map((stage) => `{ seconds: ${seconds(stage.seconds)}, rate: ${stage.rate} }`))};`;
}

/** A string of JavaScript, in ASCII, whatever the text holds. */
function literal(text: string): string {
  return toJson(text).replace(
    /[^\x20-\x7E]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
