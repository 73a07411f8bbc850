import pg from 'pg';
import { expect } from 'vitest';
import { parseTarget } from '../../src/database/target.ts';
import { sizeDefaults, type SizeRequest } from '../../src/probe/request.ts';
import type { ProbeEvent, SizeResult } from '../../src/probe/result.ts';
import { runProbe, type RunProbeOptions } from '../../src/probe/run-probe.ts';
import { createFreshDatabase } from './fresh-database.ts';
import { buildProbe, type BuiltProbe } from './probe-process.ts';

type Options = Partial<RunProbeOptions<SizeResult>>;

/** A database of its own that is probed by today's sources, and somebody who looks on. */
export interface ProbedDatabase {
  readonly url: string;
  readonly built: BuiltProbe;
  readonly admin: pg.Client;
  /** A short probe without a check on a real pool, of this database or of another address. */
  readonly probe: (
    change?: Partial<SizeRequest>,
    options?: Options,
    url?: string,
  ) => Promise<ProbeEvent<SizeResult>>;
  /** Process ids of the probes' sessions in this database, the youngest first. */
  readonly probePids: (condition?: string) => Promise<readonly number[]>;
  /** The server may take a moment to notice a closed socket. */
  readonly expectNoSessionLeft: (withinMs?: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function startProbedDatabase(): Promise<ProbedDatabase> {
  const [database, built] = await Promise.all([createFreshDatabase(), buildProbe()]);
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  const probePids = async (condition = 'true') => {
    const { rows } = await admin.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'poolguard-probe/%' AND datname = current_database() AND ${condition} ORDER BY backend_start DESC`,
    );
    return rows.map(({ pid }) => pid);
  };
  return {
    url: database.url,
    built,
    admin,
    probe: (change = {}, options = {}, url = database.url) =>
      runProbe<'size'>(toRequest(change, url), {
        signal: new AbortController().signal,
        onEvent: () => undefined,
        processPath: built.processPath,
        ...options,
      }),
    probePids,
    expectNoSessionLeft: async (withinMs = 5000) => {
      await expect.poll(() => probePids(), { timeout: withinMs, interval: 50 }).toEqual([]);
    },
    stop: async () => {
      await admin.end();
      await Promise.all([database.drop(), built.remove()]);
    },
  };
}

function toRequest(change: Partial<SizeRequest>, url: string): SizeRequest {
  const parsed = parseTarget(url);
  if (parsed.kind === 'problem') throw new Error(parsed.sentence);
  return {
    ...sizeDefaults,
    target: parsed.target,
    secret: parsed.secret,
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
