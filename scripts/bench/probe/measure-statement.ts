import pg from 'pg';
import type { DatabaseSession, QueryAnswer, Statement } from '../../../src/database/session.ts';
import { readBackendStates } from '../../../src/database/probe-server.ts';
import { systemClock } from '../../../src/probe/clock.ts';
import { createRandom } from '../../../src/probe/random.ts';
import { createLanes } from '../../../src/probe/size/lanes.ts';
import { createLoadMeter } from '../../../src/probe/size/load-meter.ts';
import { measure, type MeasuringEnd } from '../../../src/probe/size/measure.ts';
import { planSlices } from '../../../src/probe/size/plan.ts';
import { startWaitSampler } from '../../../src/probe/size/wait-sampler.ts';

export interface MeasureStatementOptions {
  /** Where the load goes: to the server, or to a pooler before it. */
  readonly url: string;
  /** The server itself, where the backends are watched. */
  readonly serverUrl: string;
  readonly sql: string;
  readonly max: number;
  readonly seconds: number;
  readonly seed?: number;
}

export interface MeasuredStatement {
  readonly end: MeasuringEnd;
  /** Connections, timing and rounds. */
  readonly elapsedMs: number;
}

/** Runs the probe's own measuring, from plan to decision, over connections that are all open from the start. */
export async function measureStatement({ url, serverUrl, sql, max, seconds, seed = 1 }: MeasureStatementOptions): Promise<MeasuredStatement> {
  const started = performance.now();
  const application = `poolguard-measured-${process.pid}`;
  const clients: pg.Client[] = [];
  const open = async (connectionString: string, name: string) => {
    const client = new pg.Client({ connectionString, application_name: name });
    client.on('error', () => undefined);
    clients.push(client);
    await client.connect();
    return toSession(client);
  };
  try {
    const observer = await open(serverUrl, 'poolguard-observer');
    const sessions: DatabaseSession[] = [];
    while (sessions.length < max) sessions.push(await open(url, application));
    const meanMs = await timeStatement(sessions[0] ?? observer, sql);
    const planned = planSlices(max, meanMs, { totalMs: seconds * 1000, validationMs: 0 });
    if (planned.kind === 'refused') throw new Error(planned.sentence);
    const pids = async () => (await rowsOf<{ pid: number }>(observer, { text: 'SELECT pid FROM pg_stat_activity WHERE application_name = $1', values: [application] })).map(({ pid }) => pid);
    const meter = createLoadMeter(url === serverUrl ? await pids() : [], url === serverUrl);
    const sampler = startWaitSampler(async () => {
      const seen = await readBackendStates(observer, await pids());
      return seen.kind === 'rows' ? seen.rows : null;
    }, systemClock);
    const random = createRandom(seed);
    const lanes = createLanes({ sessions, workload: { next: () => ({ text: sql }), summary: { origin: 'given', inTransaction: false, statements: [] } }, random, clock: systemClock });
    const end = await measure({ plan: planned.plan, lanes, meter, sampler, clock: systemClock, random, signal: new AbortController().signal, onSlice: () => undefined });
    await sampler.stop();
    meter.stop();
    return { end, elapsedMs: performance.now() - started };
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

async function timeStatement(session: DatabaseSession, sql: string): Promise<number> {
  await session.query(sql);
  const started = performance.now();
  for (let run = 0; run < 10; run += 1) await session.query(sql);
  return (performance.now() - started) / 10;
}

async function rowsOf<Row>(session: DatabaseSession, statement: Statement): Promise<readonly Row[]> {
  const answer = await session.query<Row>(statement);
  return answer.kind === 'rows' ? answer.rows : [];
}

/** Only what measuring asks of a session. Without the guards, which behind a pooler would add round trips to each statement. */
function toSession(client: pg.Client): DatabaseSession {
  const query = async <Row>(statement: string | Statement): Promise<QueryAnswer<Row>> => {
    const { text, values } = typeof statement === 'string' ? { text: statement, values: undefined } : statement;
    try {
      const { rows } = await client.query(text, values === undefined ? undefined : [...values]);
      return { kind: 'rows', rows: rows as Row[] };
    } catch (error) {
      return { kind: 'failed', failure: { kind: 'statement', sentence: String(error), code: null } };
    }
  };
  return { query } as DatabaseSession;
}
