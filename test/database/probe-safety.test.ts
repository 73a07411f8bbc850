import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { workloadOf, type SizeRequest } from '../../src/probe/request.ts';
import type { ProbeEvent } from '../../src/probe/result.ts';
import { asSuperuser } from '../support/fresh-database.ts';
import { isRunning } from '../support/is-running.ts';
import { createOwnedDatabase } from '../support/owned-database.ts';
import { runOn } from '../support/run-on.ts';
import {
  onFirstProgress,
  startProbedDatabase,
  type ProbedDatabase,
} from '../support/probed-database.ts';
import { startRelay } from '../support/relay.ts';

let probed: ProbedDatabase;
const probe: ProbedDatabase['probe'] = (...given) => probed.probe(...given);
const expectNoSessionLeft: ProbedDatabase['expectNoSessionLeft'] = () =>
  probed.expectNoSessionLeft();

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

describe('a cancel is answered, and nothing goes on, whatever the probe does', () => {
  const braked = workloadOf('SELECT braked()');
  const isCalled = "state = 'active' AND query LIKE '%braked()%'";

  afterEach(() => probed.letGo());

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
      { workload: braked },
      async () => (await countSessions(isCalled)) > 0,
    ],
    [
      'waiting for its plan to be agreed to',
      {},
      (events) => events.some(({ kind }) => kind === 'plan'),
    ],
    ['connecting', { max: 32 }, async () => (await countSessions()) > 3],
    [
      'measuring',
      { workload: workloadOf('SELECT pg_sleep(0.02)'), seconds: 60 },
      (events) => events.some(({ kind }) => kind === 'progress'),
    ],
  ])('%s', async (phase, change, hasCome) => {
    const ending = new AbortController();
    const events: ProbeEvent[] = [];
    let pid = 0;
    const isHeldUp = phase.startsWith('waiting');
    if (phase.startsWith('timing')) await probed.brake();
    const running = probe(change, {
      signal: ending.signal,
      onStart: (started) => (pid = started),
      onEvent: (event) => events.push(event),
      ...(isHeldUp && { confirm: () => new Promise<boolean>(() => undefined) }),
    });
    await until(() => hasCome(events));
    ending.abort();
    expect(await running).toEqual({ kind: 'cancelled' });
    await until(() => !isRunning(pid));
  });

  test('standing still, as under a debugger: the answer waits for nothing, and the process is killed', async () => {
    const ending = new AbortController();
    let pid = 0;
    // So long that it is not over before this process, which may be blocked, hears of its beginning.
    const last = await probe(
      { seconds: 60 },
      {
        signal: ending.signal,
        onStart: (started) => (pid = started),
        onEvent: onFirstProgress(() => {
          process.kill(pid, 'SIGSTOP');
          ending.abort();
        }),
      },
    );
    expect(last).toEqual({ kind: 'cancelled' });
    await until(() => !isRunning(pid));
  });
});

describe('a killed probe leaves nothing on the server', () => {
  const looksAround = async () => (await countSessions()) > 0;
  const connects = async () => (await countSessions()) > 3;
  const measures = async () =>
    (await countSessions("state = 'active' AND query LIKE '%pg_sleep%'")) > 3;

  test.each<readonly [string, string, () => Promise<boolean> | boolean]>([
    ['the measuring process', 'as it starts', () => true],
    ['the one who started it', 'as it looks around', looksAround],
    ['both', 'as it connects', connects],
    ['the measuring process', 'as it measures', measures],
    ['the one who started it', 'as it measures', measures],
  ])('%s, %s', async (victim, _, hasCome) => {
    const parent = spawn(process.execPath, [probed.built.parentPath], {
      env: {
        ...process.env,
        PROBE_URL: probed.url,
        PROBE_PROCESS: probed.built.processPath,
        PROBE_SQL: 'SELECT pg_sleep(0.1)',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(String(line));
    await until(hasCome);
    if (victim !== 'the measuring process') parent.kill('SIGKILL');
    if (victim !== 'the one who started it' && isRunning(pid)) process.kill(pid, 'SIGKILL');
    await expectNoSessionLeft();
    await until(() => !isRunning(pid));
  });
});

describe('two probes of one database', () => {
  interface Started {
    readonly events: ProbeEvent[];
    readonly cancel: () => void;
    readonly ended: Promise<ProbeEvent>;
  }

  /** A probe by the usual clock that would wait indefinitely for its plan to be agreed to, or one that runs and is at its statement for as long as the brake holds. */
  function start(url = probed.url, isAgreed = false): Started {
    const events: ProbeEvent[] = [];
    const ending = new AbortController();
    const confirm = () =>
      isAgreed ? Promise.resolve(true) : new Promise<boolean>(() => undefined);
    const ended = probe(
      {
        max: 2,
        seconds: 60,
        workload: workloadOf(isAgreed ? 'SELECT braked()' : 'SELECT pg_sleep(0.02)'),
      },
      {
        signal: ending.signal,
        onEvent: (event) => events.push(event),
        confirm,
        processPath: probed.built.processPath,
      },
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
    await probed.brake(2);
    const first = start(probed.url, true);
    await until(
      async () =>
        (await countSessions()) > 2 &&
        (await countSessions("state = 'active' AND query LIKE '%braked()%'")) > 0,
    );
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
    await probed.letGo();
  });
});

describe('connections that run short', () => {
  test('a role that may open three is told its limit, and what to do', async () => {
    await using owned = await createOwnedDatabase();
    await asSuperuser(`ALTER ROLE ${new URL(owned.url).username} CONNECTION LIMIT 3`);
    expect(await probe({}, {}, owned.url)).toMatchObject({
      kind: 'failed',
      sentence: expect.stringMatching(
        /^This role \(CONNECTION LIMIT 3\) had 3 free connections.*ALTER ROLE/,
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
        /^Others opened connections since the plan was made, and 8 no longer fit: this role \(CONNECTION LIMIT 12\) had 12 free/,
      ) as string,
    });
  });

  test('a server that turns connections away while they are opened gets them all closed, and the reason is told', async () => {
    await using owned = await createOwnedDatabase();
    const { username: role, pathname } = new URL(owned.url);
    // As if others had taken the rest of the role's connections since the plan was made.
    await runOn(
      Object.assign(new URL(probed.superUrl), { pathname }).href,
      `CREATE FUNCTION public.turn_away() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
         IF (SELECT count(*) FROM pg_stat_activity WHERE usename = '${role}' AND pid <> pg_backend_pid()) > 3 THEN
           RAISE EXCEPTION 'too many connections for role "${role}"' USING ERRCODE = '53300'; END IF; END $$;
       CREATE EVENT TRIGGER turning_away ON login EXECUTE FUNCTION public.turn_away(); ALTER EVENT TRIGGER turning_away ENABLE ALWAYS`,
    );
    const last = await probe(
      { max: 32, workload: workloadOf('SELECT pg_sleep(0.005)') },
      {},
      owned.url,
    );
    expect(last).toMatchObject({
      kind: 'failed',
      sentence: expect.stringMatching(
        /has no free connections for this role \(too many connections for role/,
      ) as string,
    });
  });
});

test('a server that falls silent ends the probe with a sentence', async () => {
  const url = new URL(probed.url);
  const relay = await startRelay(Number(url.port));
  url.port = String(relay.port);
  const events: ProbeEvent[] = [];
  const onEvent = (event: ProbeEvent) => {
    if (event.kind === 'progress' && events.every(({ kind }) => kind !== 'progress'))
      relay.freeze();
    events.push(event);
  };
  const last = await probe(
    { workload: workloadOf('SELECT pg_sleep(0.01)'), seconds: 12 },
    { onEvent, processPath: probed.built.processPath },
    url.href,
  );
  expect(last).toMatchObject({
    kind: 'failed',
    sentence: expect.stringMatching(
      /^A connection ended in the middle of the probe.*(?:did not answer|timed out|was lost)/,
    ) as string,
  });
  relay.thaw();
  await relay.stop();
});
