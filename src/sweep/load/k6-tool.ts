import { availableParallelism } from 'node:os';
import { toPlainText } from '../../activity/plain-text.ts';
import { redact } from '../../database/secret.ts';
import type { Environment } from '../../database/target.ts';
import type { K6Result } from '../../k6/k6-result.ts';
import { planUsers } from '../../k6/plan-k6.ts';
import { toScriptRequest, toVariables } from '../../k6/script-request.ts';
import { writeScript } from '../../k6/write-script.ts';
import { systemClock, type Clock } from '../../probe/clock.ts';
import { readResult } from '../../probe/saved/read-result.ts';
import { totalSeconds, usersAt } from '../../probe/users/users-at.ts';
import { createUseMeter } from '../app/use-meter.ts';
import {
  busiestQuarter,
  type HttpLoad,
  type LoadAnswer,
  type LoadOrder,
  type LoadTool,
} from './load-tool.ts';
import { checkK6, findK6, type K6End, startK6 } from './k6-process.ts';

const tellMs = 500;
/** For the requests that are under way when the load is ended early, and for summing up. */
const graceMs = 2000;

/** Load by the k6 of this machine, which is found in the PATH of `environment`. */
export function createK6Tool(environment: Environment, clock: Clock = systemClock): LoadTool {
  return {
    name: 'k6',
    check: () => checkK6(environment),
    run: (order) => runK6(order, environment, clock),
  };
}

async function runK6(
  order: LoadOrder,
  environment: Environment,
  clock: Clock,
): Promise<LoadAnswer> {
  const { request, stages, thinkMs, signal } = order;
  const program = findK6(environment);
  const read = toScriptRequest(request);
  if (signal.aborted) return problem('The load was cancelled before it started.');
  if (program === null) return problem('k6 was not found in PATH.');
  if (read.kind === 'problem') return problem(read.sentence);
  const plan = planUsers(
    { request: read.request, sharing: { workers: 1, instances: 1, deployOverlap: 0 }, madeBy: '' },
    { origin: 'sweep', stages, thinkMs, sizes: [] },
  );
  if (plan === null) return problem('The stages have no users.');
  const run = startK6(program, writeScript(plan), {
    ...whatK6Needs(environment),
    ...toVariables(request),
    SUMMARY: 'stdout',
  });
  const stop = () => run.stop(graceMs);
  signal.addEventListener('abort', stop, { once: true });
  const over = new AbortController();
  const watching = watch(order, run.pid, clock, over.signal);
  const end = await run.ended;
  over.abort();
  signal.removeEventListener('abort', stop);
  return toAnswer(end, { wasEnded: signal.aborted, busy: await watching });
}

/** Not the rest: K6_VUS, K6_DURATION and their like would change the load, and so would the variables of our scripts. */
function whatK6Needs(environment: Environment): Environment {
  const kept = [
    'PATH',
    'HOME',
    'USERPROFILE',
    'SystemRoot',
    'TEMP',
    'TMP',
    'TMPDIR',
    'SSL_CERT_FILE',
    'SSL_CERT_DIR',
  ];
  return Object.fromEntries(Object.entries(environment).filter(([name]) => kept.includes(name)));
}

/** k6 tells nothing before its end: the users are those that it was asked for. Gives how busy it was: what it used of all cores, any of which it may use. */
async function watch(
  { stages, onProgress }: LoadOrder,
  pid: number | null,
  clock: Clock,
  over: AbortSignal,
): Promise<number | null> {
  const startedMs = clock.now();
  const durationMs = totalSeconds(stages) * 1000;
  const read = createUseMeter(pid ?? 0);
  const busy: number[] = [];
  for (;;) {
    const cores = pid === null ? null : ((await read())?.appCores ?? null);
    if (cores !== null) busy.push(Math.min(1, cores / availableParallelism()));
    await clock.wait(tellMs, over);
    if (over.aborted) return busiestQuarter(busy);
    const ms = clock.now() - startedMs;
    onProgress({
      fraction: Math.min(1, ms / durationMs),
      users: usersAt(stages, ms),
      requests: null,
    });
  }
}

interface Seen {
  readonly wasEnded: boolean;
  readonly busy: number | null;
}

function toAnswer({ stdout, lastWords, failure }: K6End, seen: Seen): LoadAnswer {
  if (failure !== null) return problem(`k6 could not be started (${failure}).`);
  const line = stdout.split('\n').find((each) => each.startsWith('{"schemaVersion"'));
  const saved = line === undefined ? null : readResult(line, 'The summary of k6');
  if (saved?.kind === 'result' && saved.result.experiment === 'k6')
    return { kind: 'load', load: toLoad(saved.result, seen) };
  if (saved?.kind === 'refused') return problem(saved.sentence);
  return problem(
    `k6 ended without a summary.${lastWords.length === 0 ? '' : ` Its last lines:\n${lastWords.map((words) => `  ${toPlainText(redact(words, null))}`).join('\n')}`}`,
  );
}

function toLoad(
  { elapsedMs, requests, latency, errors: { unanswered, ...errors }, dropped }: K6Result,
  { wasEnded, busy }: Seen,
): HttpLoad {
  return {
    seconds: elapsedMs / 1000,
    requests,
    latency,
    times: null,
    // Who ends a load early has cut them off.
    errors: { ...errors, ...(unanswered !== undefined && !wasEnded && { unanswered }) },
    generator: { busy, lagP99Ms: null, dropped },
  };
}

function problem(sentence: string): LoadAnswer {
  return { kind: 'problem', sentence };
}
