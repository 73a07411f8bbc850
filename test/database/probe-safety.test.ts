import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { workloadOf, type SizeRequest } from '../../src/probe/request.ts';
import type { ProbeEvent } from '../../src/probe/result.ts';
import { createRandom } from '../../src/probe/random.ts';
import { asSuperuser } from '../support/fresh-database.ts';
import { isRunning } from '../support/is-running.ts';
import { createOwnedDatabase } from '../support/owned-database.ts';
import { startProbedDatabase, type ProbedDatabase } from '../support/probed-database.ts';
import { startRelay } from '../support/relay.ts';

let probed: ProbedDatabase;
const probe: ProbedDatabase['probe'] = (...given) => probed.probe(...given);
const expectNoSessionLeft: ProbedDatabase['expectNoSessionLeft'] = (withinMs) =>
  probed.expectNoSessionLeft(withinMs);

beforeAll(async () => {
  probed = await startProbedDatabase();
});

afterAll(() => probed.stop());

async function countSessions(condition?: string): Promise<number> {
  return (await probed.probePids(condition)).length;
}

/** Waits for a moment of a probe, as the server or its events show it. */
async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  await expect.poll(condition, { interval: 10 }).toBe(true);
}

afterEach(() => expectNoSessionLeft());

describe('a cancel is answered within 300 ms, whatever the probe does', () => {
  const slow = workloadOf('SELECT pg_sleep(0.4)');
  const quick = workloadOf('SELECT pg_sleep(0.005)');

  test.each<
    readonly [
      string,
      Partial<SizeRequest>,
      (events: readonly ProbeEvent[]) => Promise<boolean> | boolean,
    ]
  >([
    ['starting', {}, () => true],
    [
      'timing a slow statement',
      { workload: slow },
      async () => (await countSessions("state = 'active' AND query LIKE '%pg_sleep%'")) > 0,
    ],
    [
      'waiting for its plan to be agreed to',
      {},
      (events) => events.some(({ kind }) => kind === 'plan'),
    ],
    ['connecting', { workload: quick, max: 32 }, async () => (await countSessions()) > 3],
    ['measuring', { workload: slow }, (events) => events.some(({ kind }) => kind === 'progress')],
  ])('%s', async (phase, change, hasCome) => {
    const ending = new AbortController();
    const events: ProbeEvent[] = [];
    let pid = 0;
    const isHeldUp = phase.startsWith('waiting');
    const running = probe(change, {
      signal: ending.signal,
      onStart: (started) => (pid = started),
      onEvent: (event) => events.push(event),
      ...(isHeldUp && { confirm: () => new Promise<boolean>(() => undefined) }),
    });
    await until(() => hasCome(events));
    const asked = performance.now();
    ending.abort();
    expect(await running).toEqual({ kind: 'cancelled' });
    expect(performance.now() - asked).toBeLessThan(300);
    await expect.poll(() => isRunning(pid), { timeout: 3500 }).toBe(false);
  });
});

describe('a killed probe leaves nothing on the server within five seconds', () => {
  const random = createRandom(4);
  const moments = (
    ['the measuring process', 'the one who started it', 'both', 'the measuring process'] as const
  ).map((victim) => [victim, Math.round(2200 * random())] as const);

  test.each(moments)('%s, after %i ms', async (victim, afterMs) => {
    const parent = spawn(process.execPath, [probed.built.parentPath], {
      env: {
        ...process.env,
        PROBE_URL: probed.url,
        PROBE_PROCESS: probed.built.processPath,
        PROBE_SQL: 'SELECT pg_sleep(0.4)',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(String(line));
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    if (victim !== 'the measuring process') parent.kill('SIGKILL');
    if (victim !== 'the one who started it' && isRunning(pid)) process.kill(pid, 'SIGKILL');
    await expectNoSessionLeft(5000);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

describe('two probes of one database', () => {
  interface Started {
    readonly events: ProbeEvent[];
    readonly cancel: () => void;
    readonly ended: Promise<ProbeEvent>;
  }

  /** A probe that would wait for ever for its plan to be agreed to, or one that runs. */
  function start(url = probed.url, isAgreed = false): Started {
    const events: ProbeEvent[] = [];
    const ending = new AbortController();
    const confirm = () =>
      isAgreed ? Promise.resolve(true) : new Promise<boolean>(() => undefined);
    const ended = probe(
      { max: 2, workload: workloadOf('SELECT pg_sleep(0.02)') },
      { signal: ending.signal, onEvent: (event) => events.push(event), confirm },
      url,
    );
    return { events, cancel: () => ending.abort(), ended };
  }
  const hasPlan = ({ events }: Started) => events.some(({ kind }) => kind === 'plan');
  const saysThatItWaits = ({ events }: Started) =>
    events.some(
      (event) =>
        event.kind === 'progress' &&
        /^Another probe \(poolguard-probe\/\w{6}\) runs in this database; waiting for it to end$/.test(
          event.doing,
        ),
    );

  test('started at once, one waits and says so; it goes on when the other has ended, and can be cancelled before', async () => {
    const probes = [start(), start(), start()];
    await until(
      () => probes.filter(hasPlan).length === 1 && probes.filter(saysThatItWaits).length === 2,
    );
    const [first] = probes.filter(hasPlan);
    const [second, third] = probes.filter((each) => !hasPlan(each));
    third?.cancel();
    expect(await third?.ended).toEqual({ kind: 'cancelled' });
    expect([second].filter((each) => each !== undefined && hasPlan(each))).toEqual([]);
    first?.cancel();
    await until(() => second !== undefined && hasPlan(second));
    second?.cancel();
    await Promise.all(probes.map(({ ended }) => ended));
  });

  test('in another database of the server, the plan tells of the other that is at work', async () => {
    await using other = await createOwnedDatabase();
    const first = start(probed.url, true);
    await until(() => first.events.some(({ kind }) => kind === 'progress'));
    const second = start(other.url);
    await until(() => hasPlan(second));
    const [plan] = second.events.flatMap((event) => (event.kind === 'plan' ? [event.plan] : []));
    expect(plan?.notes).toContainEqual(
      expect.stringMatching(
        new RegExp(
          `^Another probe \\(poolguard-probe/\\w{6}\\) runs in database ${new URL(probed.url).pathname.slice(1)} of the same server`,
        ),
      ),
    );
    first.cancel();
    second.cancel();
    await Promise.all([first.ended, second.ended]);
  });
});

describe('connections that run short', () => {
  test('a role that may open three is told its limit, and what to do', async () => {
    await using owned = await createOwnedDatabase();
    await asSuperuser(`ALTER ROLE ${new URL(owned.url).username} CONNECTION LIMIT 3`);
    expect(await probe({}, {}, owned.url)).toMatchObject({
      kind: 'failed',
      sentence: expect.stringMatching(
        /^This role \(CONNECTION LIMIT 3\) has 2 free connections.*ALTER ROLE/,
      ) as string,
    });
  });

  test('a plan that was looked at for too long fits no more', async () => {
    await using owned = await createOwnedDatabase();
    const role = new URL(owned.url).username;
    const confirm = async () => {
      await asSuperuser(`ALTER ROLE ${role} CONNECTION LIMIT 12`);
      return true;
    };
    expect(await probe({}, { confirm }, owned.url)).toMatchObject({
      kind: 'failed',
      sentence: expect.stringMatching(
        /^Others opened connections since the plan was made, so that 8 are too many by now: this role \(CONNECTION LIMIT 12\) has 11 free/,
      ) as string,
    });
  });

  test('a server that turns connections away while they are opened gets them all closed, and the reason is told', async () => {
    await using owned = await createOwnedDatabase();
    const role = new URL(owned.url).username;
    const watcher = until(async () => {
      const { rowCount } = await probed.admin.query(
        'SELECT FROM pg_stat_activity WHERE usename = $1 HAVING count(*) > 2',
        [role],
      );
      return rowCount === 1;
    }).then(() => asSuperuser(`ALTER ROLE ${role} CONNECTION LIMIT 3`));
    const last = await probe(
      { max: 32, workload: workloadOf('SELECT pg_sleep(0.005)') },
      {},
      owned.url,
    );
    await watcher;
    expect(last).toMatchObject({
      kind: 'failed',
      sentence: expect.stringMatching(
        /has no connection left for this role \(too many connections for role/,
      ) as string,
    });
  });
});

test('a server that falls silent ends the probe with a sentence', async () => {
  const url = new URL(probed.url);
  const relay = await startRelay(Number(url.port));
  url.port = String(relay.port);
  const began = performance.now();
  const events: ProbeEvent[] = [];
  const onEvent = (event: ProbeEvent) => {
    if (event.kind === 'progress' && events.every(({ kind }) => kind !== 'progress'))
      relay.freeze();
    events.push(event);
  };
  const last = await probe(
    { workload: workloadOf('SELECT pg_sleep(0.01)') },
    { onEvent },
    url.href,
  );
  expect(last).toMatchObject({
    kind: 'failed',
    sentence: expect.stringMatching(
      /^A connection ended in the middle of the probe.*(?:did not answer|was lost)/,
    ) as string,
  });
  expect(performance.now() - began).toBeLessThan(15_000);
  relay.thaw();
  await relay.stop();
});
