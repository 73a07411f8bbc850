import pg from 'pg';
import { systemClock } from '../../../src/activity/clock.ts';
import { startPoller, type Poller } from '../../../src/activity/poller.ts';
import type { ActivityReport } from '../../../src/activity/snapshot.ts';
import { createActivitySource } from '../../../src/database/read-activity.ts';
import { parseTarget } from '../../../src/database/target.ts';
import { startEmbeddedServer, type EmbeddedServer } from '../../embedded-server.ts';
import type { Bench } from '../bench.ts';
import { spreadOf, type Row } from '../figures.ts';
import { threadTimeMs } from '../editor/cpu-time.ts';
import { startByteCounter } from './byte-counter.ts';

const sessions = 500;
/** Of these, sessions that wait for one lock: the sample asks who holds it. */
const waiters = 5;
const secondsPerRound = 30;

/** What looking costs the server that is looked at, beside a poller that asks for everything. */
export async function benchObserver(bench: Bench): Promise<readonly Row[]> {
  bench.progress(`observer: ${sessions} sessions connect`);
  const server = await startEmbeddedServer({ maxConnections: sessions + 50 });
  const crowd = await connectCrowd(server.url());
  try {
    const ours = await startOurs(server);
    const naive = await startNaive(server);
    const rounds: Round[] = [];
    for (let round = 0; round < bench.rounds; round++) {
      bench.progress(
        `observer: a look a second at ${sessions} sessions, round ${round + 1} of ${bench.rounds}`,
      );
      rounds.push(await measureRound(ours, naive, Math.ceil(secondsPerRound * bench.scale)));
    }
    await Promise.all([ours.stop(), naive.stop()]);
    return toRows(rounds);
  } finally {
    await Promise.all(crowd.map((client) => client.end().catch(() => undefined)));
    await server.stop();
  }
}

interface Observer {
  /** Of its backend. */
  readonly pid: number;
  readonly looks: () => number;
  readonly bytes: () => number;
  readonly stop: () => Promise<unknown>;
}

interface Round {
  readonly ours: Share;
  readonly naive: Share;
}

interface Share {
  /** Per cent of one core that its backend used. */
  readonly core: number;
  readonly msPerLook: number;
  readonly kilobytesPerLook: number;
}

/** Idle ones that have run a statement, one that holds a lock, and those that wait for it. */
async function connectCrowd(url: string): Promise<readonly pg.Client[]> {
  const clients: pg.Client[] = [];
  while (clients.length < sessions)
    clients.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(20, sessions - clients.length) }, () =>
          connect(url, `api-${clients.length % 5}`),
        ),
      )),
    );
  const statement = `SELECT id, name, email, created_at FROM (VALUES (1, 'Ada', 'ada@example.com', now())) AS users (id, name, email, created_at) WHERE id = 1 AND name IS NOT NULL ORDER BY created_at DESC LIMIT 100`;
  for (const client of clients) await client.query(statement);
  await clients[0]?.query('BEGIN; SELECT pg_advisory_xact_lock(1)');
  for (const client of clients.slice(1, waiters + 1))
    client.query('SELECT pg_advisory_xact_lock(1)').catch(() => undefined);
  return clients;
}

async function connect(url: string, application: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: application });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function startOurs(server: EmbeddedServer): Promise<Observer> {
  const counter = await startByteCounter(server.port);
  const parsed = parseTarget(through(server, counter.port));
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  let looks = 0;
  const { poller, report } = await new Promise<{
    readonly poller: Poller;
    readonly report: ActivityReport;
  }>((resolve, reject) => {
    const started = startPoller({
      source: createActivitySource(parsed.target, parsed.secret),
      clock: systemClock,
      intervalMs: 1_000,
      onState: (state) => {
        if (state.kind === 'lost') reject(new Error(state.failure.sentence));
        if (state.kind !== 'live') return;
        looks += 1;
        resolve({ poller: started, report: state.report });
      },
    });
  });
  const pid = report.sessions.find(({ isOwn }) => isOwn)?.pid ?? 0;
  return {
    pid,
    looks: () => looks,
    bytes: counter.bytes,
    stop: () => poller.stop().then(counter.stop),
  };
}

/** What a dashboard would ask in an afternoon's work: all columns, and blockers of every session. */
async function startNaive(server: EmbeddedServer): Promise<Observer> {
  const counter = await startByteCounter(server.port);
  const client = await connect(through(server, counter.port), 'naive');
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  let looks = 0;
  const timer = setInterval(() => {
    looks += 1;
    client
      .query(
        'SELECT *, pg_blocking_pids(pid) AS blocked_by FROM pg_stat_activity ORDER BY query_start',
      )
      .catch(() => undefined);
  }, 1_000);
  const stop = () => {
    clearInterval(timer);
    return client.end().then(counter.stop);
  };
  return { pid: rows[0]?.pid ?? 0, looks: () => looks, bytes: counter.bytes, stop };
}

function through(server: EmbeddedServer, port: number): string {
  const url = new URL(server.url());
  url.port = String(port);
  return url.href;
}

/** Both at the same time, so that whatever else the machine does weighs on both. */
async function measureRound(ours: Observer, naive: Observer, seconds: number): Promise<Round> {
  const begin = await Promise.all([ours, naive].map(note));
  await systemClock.sleep(seconds * 1_000, new AbortController().signal);
  const end = await Promise.all([ours, naive].map(note));
  const [mine, theirs] = end.map((after, index) => toShare(begin[index] ?? after, after));
  return { ours: mine ?? nothing, naive: theirs ?? nothing };
}

const nothing: Share = { core: Number.NaN, msPerLook: Number.NaN, kilobytesPerLook: Number.NaN };

interface Note {
  readonly cpuMs: number;
  readonly looks: number;
  readonly bytes: number;
  readonly at: number;
}

async function note({ pid, looks, bytes }: Observer): Promise<Note> {
  return { cpuMs: await threadTimeMs(pid), looks: looks(), bytes: bytes(), at: performance.now() };
}

function toShare(begin: Note, end: Note): Share {
  const looks = end.looks - begin.looks;
  const cpuMs = end.cpuMs - begin.cpuMs;
  return {
    core: (100 * cpuMs) / (end.at - begin.at),
    msPerLook: cpuMs / looks,
    kilobytesPerLook: (end.bytes - begin.bytes) / looks / 1024,
  };
}

const method =
  'Both sample one server over a connection of their own for the same seconds; the processor time is what the system has noted for their two backends. One session of the crowd holds a lock, and five wait for it.';

function toRows(rounds: readonly Round[]): readonly Row[] {
  const group = 'observer';
  const spread = (who: keyof Round, figure: keyof Share) =>
    spreadOf(rounds.map((round) => round[who][figure]));
  const times = (figure: keyof Share) =>
    `${spreadOf(rounds.map(({ ours, naive }) => naive[figure] / ours[figure])).median.toFixed(1)} times as much`;
  return [
    {
      group,
      name: `our backend, ${sessions} sessions, a sample a second`,
      unit: '%',
      value: spread('ours', 'core'),
      goal: 1,
      note: 'of one core of the server',
      method,
    },
    {
      group,
      name: 'the backend of a poller that asks for all',
      unit: '%',
      value: spread('naive', 'core'),
      goal: null,
      note: times('core'),
    },
    {
      group,
      name: 'processor time of a sample',
      unit: 'ms',
      value: spread('ours', 'msPerLook'),
      goal: null,
      note: `the other one: ${spread('naive', 'msPerLook').median.toFixed(1)} ms`,
    },
    {
      group,
      name: 'answer to a sample',
      unit: 'kB',
      value: spread('ours', 'kilobytesPerLook'),
      goal: null,
      note: `the other one: ${spread('naive', 'kilobytesPerLook').median.toFixed(0)} kB, ${times('kilobytesPerLook')}`,
    },
  ];
}
