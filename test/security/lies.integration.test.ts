import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectSession } from '../../src/database/connect.ts';
import { endThrough } from '../../src/database/end-through.ts';
import { measureConnection } from '../../src/database/measure-connection.ts';
import { conductProbe } from '../../src/probe/conduct-probe.ts';
import { createRandom } from '../../src/probe/random.ts';
import {
  commonDefaults,
  sizeDefaults,
  workloadOf,
  type ProbeRequest,
} from '../../src/probe/request.ts';
import { accessTo } from '../support/access-to.ts';
import { type CliRun, runInProcess } from '../support/cli-run.ts';
import { createFreshDatabase, type FreshDatabase } from '../support/fresh-database.ts';
import { breaches, duringLoad, wrongRows } from '../support/lies.ts';
import { startLyingRelay, type Lie } from '../support/lying-relay.ts';
import { startPgBouncer, type PgBouncer } from '../support/pgbouncer.ts';
import { createQuickTime } from '../support/quick-clock.ts';

let database: FreshDatabase;
let pooler: PgBouncer;

beforeAll(async () => {
  database = await createFreshDatabase();
  const { username, password } = new URL(database.ownerUrl);
  pooler = await startPgBouncer(database.ownerUrl, 5, {
    users: { [username]: password },
    settings: { stats_users: username },
  });
});

afterAll(async () => {
  await pooler[Symbol.asyncDispose]();
  await database.drop();
});

interface Told extends CliRun {
  /** How many messages were lies. */
  readonly lies: number;
}

/** Runs something over a line on which somebody lies, and waits until no connection is left on it. */
async function over(
  url: string,
  tell: () => Lie,
  run: (url: string) => Promise<CliRun>,
): Promise<Told> {
  const through = new URL(url);
  const relay = await startLyingRelay(Number(through.port), tell());
  through.port = String(relay.port);
  try {
    const ran = await run(through.href);
    await expect.poll(relay.open, { interval: 10 }).toBe(0);
    return { ...ran, lies: relay.lies() };
  } finally {
    await relay.stop();
  }
}

/** What a command prints of its end. */
function print(sentence: string | null, result: unknown): CliRun {
  return sentence === null
    ? { code: 0, stdout: JSON.stringify(result), stderr: '' }
    : { code: 2, stdout: '', stderr: `${sentence}\n` };
}

/** An experiment in this process. */
async function conduct(request: ProbeRequest): Promise<CliRun> {
  const end = await conductProbe(request, {
    ...createQuickTime(5),
    signal: new AbortController().signal,
    enough: new AbortController().signal,
    confirm: () => Promise.resolve(true),
    emit: () => undefined,
    random: createRandom(7),
    environment: {},
    probeId: 'abcdef',
    startedAt: '2026-01-01T00:00:00.000Z',
  });
  return print(end.kind === 'failed' ? end.sentence : null, end);
}

const size = { ...sizeDefaults, workload: workloadOf('SELECT 1'), max: 2, seconds: 5 };
const connects = { ...commonDefaults, experiment: 'connect', times: 2, concurrent: 2 } as const;

async function terminate(url: string): Promise<CliRun> {
  const at = '2026-01-01T00:00:00.000000Z';
  const request = { action: 'terminate', pid: 1, backendStart: at, seenAt: at } as const;
  const end = await endThrough(undefined, accessTo(url), request, new AbortController().signal);
  return print(end.kind === 'failed' ? end.failure.sentence : null, end);
}

async function tryConnection(url: string): Promise<CliRun> {
  const { target, secret } = accessTo(url);
  const answer = await connectSession(target, secret);
  if (answer.kind === 'failed') return print(answer.failure.sentence, answer);
  const measured = await measureConnection(answer.session, () => performance.now());
  await answer.session.close();
  return print(measured.kind === 'failed' ? measured.failure.sentence : null, measured);
}

const command =
  (...args: readonly string[]) =>
  (url: string) =>
    runInProcess([...args, url]);
const activity = command('activity', '--json');
// Nothing listens on port 1, which only the superuser may open.
const sweep = ['sweep', '--start', 'true', '--url', 'http://localhost:1', '--dry-run'];

interface Command {
  readonly name: string;
  readonly run: (url: string) => Promise<CliRun>;
  readonly isPooled?: boolean;
}

/** All that connects. */
const commands: readonly Command[] = [
  { name: 'activity --json', run: activity },
  { name: 'activity --json, through a pooler', run: activity, isPooled: true },
  { name: 'pooler --json', run: command('pooler', '--json'), isPooled: true },
  { name: 'probe', run: (url) => conduct({ ...size, ...accessTo(url) }) },
  { name: 'probe --dry-run', run: (url) => conduct({ ...size, ...accessTo(url), dryRun: true }) },
  {
    name: 'probe connect',
    run: (url) => conduct({ ...connects, ...accessTo(url), pooler: null }),
  },
  { name: 'probe advise', run: command('probe', 'advise', '--json') },
  { name: 'probe sweep --dry-run', run: command(...sweep, '--database') },
  { name: 'a session terminated in the sidebar', run: terminate },
  { name: 'a connection tried in the sidebar', run: tryConnection },
];

/** In one sentence what came, and in answer to what; or, of a login, what it lacks. */
const saysWhat =
  /^The server at 127\.0\.0\.1:\d+ (?:sent .+ (?:in answer to|before its|after|without being asked)|wants user ).*\n$/;
const isOurMistake = /unexpectedly|mistake in Poolguard|Cannot read|not a function|undefined|NaN/;

/** Longer than any time limit of a connection, in milliseconds. */
const longestMs = 20_000;

describe.each(commands)('$name', ({ run, isPooled = false }) => {
  const tellTo = (tell: () => Lie) => over(isPooled ? pooler.url : database.ownerUrl, tell, run);
  // Not every command gets to what is lied about.
  const missed: string[] = [];

  test.each(breaches)(
    'ends with a sentence where the server tells $name',
    async ({ name, tell }) => {
      const began = performance.now();
      const { lies, code, stdout, stderr } = await tellTo(tell);
      expect(performance.now() - began).toBeLessThan(longestMs);
      if (lies === 0) {
        missed.push(name);
        return expect(stdout).not.toBe('');
      }
      expect(stderr).toMatch(saysWhat);
      expect(stderr).not.toMatch(isOurMistake);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    },
  );

  test('most of these were told', () => {
    expect(missed.length, missed.join(', ')).toBeLessThan(breaches.length / 3);
  });

  test.each(wrongRows)('takes or refuses $name', async ({ tell }) => {
    const { code, stdout, stderr } = await tellTo(tell);
    expect(`${stdout}${stderr}`).not.toMatch(isOurMistake);
    expect(code === 0 ? stderr : stdout).toBe('');
    if (code !== 0) expect(stderr).toMatch(/^[A-Z].*\.\n$/s);
  });
});

describe('a probe', () => {
  test.each(duringLoad)('ends with a sentence where $name under load', async ({ tell }) => {
    const told = await over(database.ownerUrl, tell, (url) =>
      conduct({ ...size, ...accessTo(url) }),
    );
    expect(told.lies).toBeGreaterThan(0);
    expect(told.stderr).toMatch(saysWhat);
    expect(told.code).toBe(2);
  });
});

test('all of them together are more than sixty', () => {
  const names = [...breaches, ...wrongRows, ...duringLoad].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(breaches.length).toBeGreaterThan(100);
});
