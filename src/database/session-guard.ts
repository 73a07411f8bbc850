import type { ClientBase } from 'pg';
import * as v from 'valibot';
import { number } from '../schema/fields.ts';
import { readRows } from './row-shape.ts';
import type { SessionLimits } from './session-limits.ts';
import { codeOf, isOfStatement, lostGuardsError } from './failure-words.ts';
import {
  essentialSettings,
  newerSettings,
  sessionSettings,
  watchClient,
  type Settings,
} from './session-settings.ts';
import { backendPidSql, readBackSql, setKnownSql, setSql } from './sql/session-guard.sql.ts';

/**
 * Whether the client talks to its own backend, or to a pooler that lends it one for each transaction.
 * A pooler hands out process ids of its own as cancel keys, so the two ids differ (PgBouncer client.c, cancel_key).
 */
export async function isPooled(client: ClientBase): Promise<boolean> {
  const pid = backendPid(client);
  // Known without a statement, which would have to wait for a backend where none is free.
  if (pid !== null && (pid <= 0 || pid > highestPid)) return true;
  const result = await client.query(backendPidSql);
  return readRows(result, PidRow, backendPidSql)[0]?.pid !== pid;
}

const PidRow = v.object({ pid: number });

/** Of Linux (PID_MAX_LIMIT, 2^22). A pooler takes its ids at random from 32 bits, so that nearly all are none of a process. */
const highestPid = 4_194_304;

/** From the server's BackendKeyData message; null before it. `processID` is public in pg (lib/client.js), its types lag. */
export function backendPid(client: ClientBase): number | null {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : null;
}

/**
 * Sets everything again that the startup message set, in case nobody took it or a login trigger changed it, for the life of a session
 * that has a backend of its own. Rejects when an essential setting did not take.
 */
export async function guardSession(client: ClientBase, limits: SessionLimits): Promise<void> {
  const settings = sessionSettings(limits);
  const lost = lostSettings(settings, await setAndRead(client, settings, newerSettings(limits)));
  if (lost.length > 0) throw lostGuardsError(lost);
  if (limits.runs === 'workload') await unlessRefused(client.query(setKnownSql(watchClient)));
}

/** The essential settings as the server has them. */
const Kept = v.record(v.string(), v.nullable(v.string()));
type Kept = v.InferOutput<typeof Kept>;

/** One message. PostgreSQL's kin, which refuses some of it, is asked for one thing after the other. */
async function setAndRead(
  client: ClientBase,
  settings: Settings,
  newer: Settings,
): Promise<Kept | undefined> {
  const statements = [
    ...Object.entries(settings).map(([name, value]) => setSql(name, value)),
    setKnownSql(newer),
  ];
  const read = readBackSql(essentialSettings);
  const all = await unlessRefused(client.query([...statements, read].join(';\n')));
  if (all === null)
    for (const statement of statements) await unlessRefused(client.query(statement));
  // The driver answers several statements with a list of results, of which its types know nothing.
  const last = [all ?? (await client.query(read))].flat().at(-1);
  return readRows(last ?? { rows: [] }, Kept, read)[0];
}

function lostSettings(settings: Settings, kept: Kept = {}): readonly string[] {
  const lost = essentialSettings.filter(
    (name) => settings[name] !== undefined && plain(kept[name]) !== plain(settings[name]),
  );
  return kept['acts_as'] === kept['logged_in_as'] ? lost : [...lost, 'role'];
}

function plain(value: string | null | undefined): string | undefined {
  return value?.replaceAll(/["\s]/g, '');
}

/** Null when the server refused the statement; rejects when something else went wrong. */
async function unlessRefused<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    if (isOfStatement(codeOf(error))) return null;
    throw error;
  }
}
