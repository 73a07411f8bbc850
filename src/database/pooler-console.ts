import * as v from 'valibot';
import type { ActivityAnswer, ActivityReader, ActivitySource } from '../activity/poller.ts';
import { shorten, toPlainText } from '../activity/plain-text.ts';
import type { PoolerReport } from '../pooler/pooler-report.ts';
import {
  consoleDatabase,
  toPoolerReport,
  type ConsoleRow,
  type ConsoleRows,
  type EarlierStats,
} from '../pooler/to-pooler-report.ts';
import { number } from '../schema/fields.ts';
import { connectPrepared, type ConnectOptions } from './connect.ts';
import type { DatabaseFailure } from './failure-row.ts';
import { readRows } from './row-shape.ts';
import type { Secret } from './secret.ts';
import type { DatabaseSession } from './session.ts';
import { showSql } from './sql/pooler-console.sql.ts';
import { describePlace, type ConnectionTarget } from './target.ts';

export type PoolerSource = ActivitySource<PoolerReport>;

export interface PoolerSourceOptions extends Omit<ConnectOptions, 'signal'> {
  /** Whether clients and servers are asked for too: they may be thousands. */
  readonly wantsSockets: () => boolean;
  readonly now: () => Date;
  /** Milliseconds on a clock that does not go back. */
  readonly elapsed: () => number;
}

/** Where the console of the pooler that a target leads through is, and who looks: the target's own role, if no other is named. */
export function consoleOf(target: ConnectionTarget, user = target.user): ConnectionTarget {
  return { ...target, database: consoleDatabase, user };
}

/**
 * What the poller reads from: one connection to a pooler's console at a time.
 * The console is no database: it speaks the simple protocol only, and knows neither settings nor transactions, so the startup message is bare and nothing but SHOW is ever sent.
 */
export function createPoolerSource(
  console: ConnectionTarget,
  secret: Secret | null,
  { wantsSockets, now, elapsed, ...options }: PoolerSourceOptions,
): PoolerSource {
  return {
    async open(signal) {
      let product: Product | null = null;
      const answer = await connectPrepared(
        console,
        secret,
        { ...options, signal, startup: 'bare' },
        async (client) => {
          product = await askProduct(client);
          return false;
        },
      );
      if (answer.kind === 'failed')
        return { kind: 'failed', failure: inConsoleWords(answer.failure, console) };
      return {
        kind: 'opened',
        reader: toReader(answer.session, product ?? { product: 'A pooler', version: '' }, {
          wantsSockets,
          now,
          elapsed,
        }),
      };
    },
  };
}

interface Product {
  readonly product: string;
  readonly version: string;
}

interface VersionAsker {
  on(
    event: 'notice',
    listener: (notice: { readonly message?: string | undefined }) => void,
  ): unknown;
  query(text: string): Promise<{ readonly rows: readonly ConsoleRow[] }>;
}

/** "PgBouncer 1.18.0" as a row, or before 1.12 "PgBouncer version 1.7.2" as a notice (admin.c, admin_show_version). */
async function askProduct(client: VersionAsker): Promise<Product> {
  let noticed: unknown = '';
  client.on('notice', ({ message }) => {
    noticed = message;
  });
  const question = showSql('version');
  const [row] = readRows(await client.query(question), SaidRow, question);
  const said = row?.['version'] ?? noticed;
  const text = toPlainText(typeof said === 'string' ? said : '').trim();
  const found = /^([A-Za-z][\w-]{0,30}) (?:version )?v?(\d[\w.+-]{0,30})/.exec(text);
  return { product: found?.[1] ?? (shorten(text, 40) || 'A pooler'), version: found?.[2] ?? '' };
}

function toReader(
  session: DatabaseSession,
  { product, version }: Product,
  { wantsSockets, now, elapsed }: Pick<PoolerSourceOptions, 'wantsSockets' | 'now' | 'elapsed'>,
): ActivityReader<PoolerReport> {
  const { host, port, user } = session.target;
  // Read once a connection: a RELOAD shows after the next.
  let settings: Pick<ConsoleRows, Setting> | null = null;
  const compare = createComparison();
  const read = async (): Promise<ActivityAnswer<PoolerReport>> => {
    const answer = await readConsole(session, settings, wantsSockets());
    if (answer.kind === 'failed') return answer;
    const { rows } = answer;
    settings = rows;
    return {
      kind: 'report',
      report: toPoolerReport(
        rows,
        { product, version, host, port, user },
        now(),
        compare(rows.stats, elapsed()),
      ),
    };
  };
  return { read, onLost: session.onLost, close: session.close };
}

/** Rates are taken over so long: long enough to be steady, short enough to be of now. */
const comparedMs = 10_000;

/** Gives each sample the oldest one before it within that time, or else the last one. */
function createComparison(): (rows: readonly ConsoleRow[], atMs: number) => EarlierStats | null {
  let kept: readonly { readonly rows: readonly ConsoleRow[]; readonly atMs: number }[] = [];
  return (rows, atMs) => {
    const recent = kept.filter((each) => atMs - each.atMs <= comparedMs);
    kept = recent.length > 0 ? recent : kept.slice(-1);
    const [earlier] = kept;
    kept = [...kept, { rows, atMs }];
    return earlier === undefined ? null : { rows: earlier.rows, agoMs: atMs - earlier.atMs };
  };
}

/** Which columns there are depends on the version. */
const SaidRow = v.record(v.string(), v.nullable(v.union([v.string(), number, v.boolean()])));

/** What hardly ever changes. */
const rarely = ['config', 'users'] as const;
type Setting = (typeof rarely)[number];

type ConsoleAnswer =
  | { readonly kind: 'rows'; readonly rows: ConsoleRows }
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure };

/** One question after the other, statistics last; the first that fails ends the sample. */
async function readConsole(
  session: DatabaseSession,
  settings: Pick<ConsoleRows, Setting> | null,
  wantsSockets: boolean,
): Promise<ConsoleAnswer> {
  const questions: readonly (keyof ConsoleRows)[] = [
    'pools',
    'databases',
    'lists',
    ...(settings === null ? rarely : []),
    ...(wantsSockets ? (['clients', 'servers'] as const) : []),
    'stats',
  ];
  const rows: { -readonly [Key in keyof ConsoleRows]: ConsoleRows[Key] } = {
    pools: [],
    stats: [],
    databases: [],
    lists: [],
    config: settings?.config ?? [],
    users: settings?.users ?? [],
    clients: null,
    servers: null,
  };
  for (const question of questions) {
    const answer = await session.query(showSql(question), SaidRow);
    if (answer.kind === 'failed')
      return { kind: 'failed', failure: inConsoleWords(answer.failure, session.target) };
    rows[question] = answer.rows;
  }
  return { kind: 'rows', rows };
}

/** What the same failure means when it is the console that was asked. */
function inConsoleWords(failure: DatabaseFailure, console: ConnectionTarget): DatabaseFailure {
  const place = toPlainText(describePlace(console));
  const user = `"${toPlainText(console.user)}"`;
  if (/not allowed/.test(failure.sentence)) {
    return {
      ...failure,
      kind: 'permission',
      sentence: `The pooler at ${place} denied ${user} access to its console. Add the role to stats_users in pgbouncer.ini, which grants read-only access, and run RELOAD; or use another role.`,
    };
  }
  if (
    failure.kind === 'wrong-password' ||
    failure.kind === 'no-such-role' ||
    /no such user|authentication failed/.test(failure.sentence)
  ) {
    return {
      ...failure,
      kind: 'wrong-password',
      sentence: `The pooler at ${place} rejected the password of ${user} for its console. Use another role, or check the password.`,
    };
  }
  if (
    failure.kind === 'no-such-database' ||
    failure.code === '42704' ||
    /no such database/.test(failure.sentence)
  ) {
    return {
      ...failure,
      kind: 'no-such-database',
      sentence: `There is no pooler console at ${place}. PgBouncer has one, as a database named ${consoleDatabase}; PostgreSQL itself and other poolers have none.`,
    };
  }
  return failure;
}
