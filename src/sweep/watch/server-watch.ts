import { connectSession } from '../../database/connect.ts';
import {
  readApplicationSessions,
  readServerTime,
  type ApplicationSessions,
} from '../../database/read-application-sessions.ts';
import { readProbeServerFacts, type ProbeServerFacts } from '../../database/probe-server.ts';
import type { DatabaseSession } from '../../database/session.ts';
import { applyLimits, type Sharing } from '../../probe/limits/apply-limits.ts';
import { noteOnLooking } from '../../probe/preflight/role-guard.ts';
import { describeRefusal, findProductionSigns } from '../../probe/preflight/target-guard.ts';
import { refuse, type Refusal } from '../../probe/refusal.ts';
import type { LimitsApplied } from '../../probe/result-head.ts';
import type { SweepRequest, SweepEnvironment } from '../sweep-request.ts';

/** The server beside the load, seen through one connection. */
export interface ServerWatch {
  readonly kind: 'server';
  /** Null when it is not looked at. */
  readonly limits: LimitsApplied | null;
  readonly notes: readonly string[];
  /** The sessions that began after this; null when nobody looks. */
  now(): Promise<string | null>;
  read(names: readonly string[], since: string): Promise<ApplicationSessions | null>;
  /** What the server said that PostgreSQL does not say; null as long as it keeps to the protocol. */
  breach(): string | null;
  close(): Promise<void>;
}

type Asked = Pick<SweepRequest, 'database' | 'databaseHint' | 'allowProduction'> & Sharing;

/** Looks at the application's database before anything is started; refuses one that looks like production. */
export async function openServerWatch(
  asked: Asked,
  { environment, signal }: Pick<SweepEnvironment, 'environment' | 'signal'>,
): Promise<ServerWatch | Refusal> {
  const { database, allowProduction } = asked;
  if (database === null)
    return blind([
      `The server was not monitored. To see its sessions and limits, set the database of the application with --database or DATABASE_URL.${asked.databaseHint === null ? '' : ` ${asked.databaseHint}`}`,
    ]);
  const signs = findProductionSigns({ ...database.target, environment, server: null });
  if (signs.length > 0 && !allowProduction) return refuse(describeRefusal(signs));
  let breach: string | null = null;
  const onBreach = (sentence: string) => void (breach ??= sentence);
  const answer = await connectSession(database.target, database.secret, { signal, onBreach });
  if (answer.kind === 'failed')
    return database.isAsked || answer.failure.kind === 'breach'
      ? refuse(answer.failure.sentence)
      : blind([`The server was not monitored: ${answer.failure.sentence}`]);
  const { session } = answer;
  const watch = await lookAround(session, asked, { environment, breach: () => breach });
  if (watch.kind === 'refused') await session.close();
  return watch;
}

async function lookAround(
  session: DatabaseSession,
  asked: Asked,
  { environment, breach }: Pick<SweepEnvironment, 'environment'> & Pick<ServerWatch, 'breach'>,
): Promise<ServerWatch | Refusal> {
  const read = await readProbeServerFacts(session);
  const facts = read.kind === 'rows' ? read.rows[0] : undefined;
  if (facts === undefined)
    return refuse(
      read.kind === 'failed'
        ? read.failure.sentence
        : 'The server does not report its max_connections.',
    );
  const signs = findProductionSigns({
    ...session.target,
    environment,
    server: { ...facts, databaseBytes: null },
  });
  if (signs.length > 0 && !asked.allowProduction) return refuse(describeRefusal(signs));
  const looking = await noteOnLooking(session);
  const broken = breach();
  if (broken !== null) return refuse(broken);
  return {
    kind: 'server',
    limits: applyLimits(asked, { ...facts, othersNow: Math.max(0, facts.used - 1) }),
    notes: [
      ...signs.map((sign) => `${sign} Allowed by --allow-production.`),
      ...looking,
      ...listNotes(session, facts),
    ],
    now: () => readServerTime(session),
    read: (names, since) => readApplicationSessions(session, names, since),
    breach,
    close: () => session.close(),
  };
}

function listNotes(
  { isPooled }: DatabaseSession,
  { hiddenOthers }: ProbeServerFacts,
): readonly string[] {
  return [
    ...(isPooled
      ? [
          'The database was monitored through a pooler, which shares server connections: its sessions are not only those of the application.',
        ]
      : []),
    ...(hiddenOthers > 0
      ? ['The role cannot see the activity of other roles. GRANT pg_monitor to it.']
      : []),
  ];
}

function blind(notes: readonly string[]): ServerWatch {
  return {
    kind: 'server',
    limits: null,
    notes,
    now: () => Promise.resolve(null),
    read: () => Promise.resolve(null),
    breach: () => null,
    close: () => Promise.resolve(),
  };
}
