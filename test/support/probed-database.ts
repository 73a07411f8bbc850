import pg from 'pg';
import { expect } from 'vitest';
import { accessTo } from './access-to.ts';
import { sizeDefaults, workloadOf, type SizeRequest } from '../../src/probe/request.ts';
import type { ProbeEvent, SizeResult } from '../../src/probe/result.ts';
import { runProbe, type RunProbeOptions } from '../../src/probe/run-probe.ts';
import { createFreshDatabase } from './fresh-database.ts';
import { buildProbe, type BuiltProbe } from './probe-process.ts';

type Options = Partial<RunProbeOptions<SizeResult>>;

/** A database of its own that is probed by today's sources, and somebody who looks on. */
export interface ProbedDatabase {
  /** The connection string of the owner, an ordinary role; `admin` is the superuser. */
  readonly url: string;
  readonly superUrl: string;
  readonly built: BuiltProbe;
  readonly admin: pg.Client;
  /** A short probe of a statement that only waits, by a quick clock, without a check on a real pool, of this database or of another address. */
  readonly probe: (
    change?: Partial<SizeRequest>,
    options?: Options,
    url?: string,
  ) => Promise<ProbeEvent<SizeResult>>;
  /** Process ids of the probes' sessions in this database, the youngest first. */
  readonly probePids: (condition?: string) => Promise<readonly number[]>;
  /** Calls `braked()`, which returns at once. */
  readonly brakedStatement: string;
  /** Makes every call of it last until it is let go, while the probes have more sessions than that: beyond two a probe measures. */
  readonly brake: (beyond?: number) => Promise<void>;
  readonly letGo: () => Promise<void>;
  /** The server may take a moment to notice a closed socket. */
  readonly expectNoSessionLeft: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function startProbedDatabase(): Promise<ProbedDatabase> {
  const [database, built] = await Promise.all([createFreshDatabase(), buildProbe()]);
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  await admin.query(`${brakeTables}; GRANT SELECT ON brakes TO ${database.name}`);
  const probePids = async (condition = 'true') => {
    const { rows } = await admin.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'poolguard-probe/%' AND datname = current_database() AND ${condition} ORDER BY backend_start DESC`,
    );
    return rows.map(({ pid }) => pid);
  };
  return {
    url: database.ownerUrl,
    superUrl: database.url,
    built,
    admin,
    probe: (change = {}, options = {}, url = database.ownerUrl) =>
      runProbe<'size'>(toRequest(change, url), {
        signal: new AbortController().signal,
        onEvent: () => undefined,
        processPath: built.quickPath,
        ...options,
      }),
    probePids,
    brakedStatement: 'SELECT braked()',
    brake: async (beyond = 0) =>
      void (await admin.query('INSERT INTO brakes VALUES ($1)', [beyond])),
    letGo: async () => void (await admin.query('DELETE FROM brakes')),
    expectNoSessionLeft: async () => {
      await expect.poll(() => probePids(), { interval: 20 }).toEqual([]);
    },
    stop: async () => {
      await admin.end();
      await Promise.all([database.drop(), built.remove()]);
    },
  };
}

const brakeTables = `CREATE TABLE brakes (beyond int);
  CREATE FUNCTION braked() RETURNS int LANGUAGE plpgsql AS $$ BEGIN WHILE EXISTS (SELECT FROM brakes WHERE beyond < (SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'poolguard-probe/%' AND datname = current_database())) LOOP PERFORM pg_sleep(0.01); END LOOP; PERFORM pg_sleep(0.002); RETURN 1; END $$`;

function toRequest(change: Partial<SizeRequest>, url: string): SizeRequest {
  return {
    ...sizeDefaults,
    ...accessTo(url),
    workload: workloadOf('SELECT pg_sleep(0.005)'),
    max: 8,
    seconds: 5,
    validate: false,
    ...change,
  };
}

/** Acts once, when something of a probe has been measured. */
export function onFirstProgress(action: () => unknown): NonNullable<Options['onEvent']> {
  let isFirst = true;
  return ({ kind }) => {
    if (kind !== 'progress' || !isFirst) return;
    isFirst = false;
    action();
  };
}
