import { toActivityReport, type ReportFrame } from '../activity/report.ts';
import { ActivityRow } from '../activity/server-rows.ts';
import type { ActivityAnswer, ActivityReader, ActivitySource } from '../activity/poller.ts';
import {
  readCapabilities,
  readStanding,
  type RoleStanding,
  type ServerCapabilities,
} from './capabilities.ts';
import { connectSession, type ConnectOptions } from './connect.ts';
import type { DatabaseFailure } from './failure-row.ts';
import type { Secret } from './secret.ts';
import type { DatabaseSession } from './session.ts';
import type { Startup } from './startup.ts';
import { activitySql } from './sql/activity.sql.ts';
import type { ConnectionTarget } from './target.ts';

export type OpenedReader =
  | { readonly kind: 'opened'; readonly reader: ActivityReader }
  | { readonly kind: 'failed'; readonly failure: DatabaseFailure };

/** How long rights and limits are believed before they are asked for again, by the server's clock, in seconds. */
const standingLastsSeconds = 15;
/** A session of which nothing is heard any more ends itself (PostgreSQL 14 and newer). Far longer than any rest between two samples. */
const idleSessionTimeoutMs = 60_000;

export interface ActivitySourceOptions extends Omit<ConnectOptions, 'signal'> {
  /** Told of each connection that the poller opens, which stays the poller's. */
  readonly onOpen?: (session: DatabaseSession) => void;
}

/** What the poller reads from: one connection to the target at a time. */
export function createActivitySource(
  target: ConnectionTarget,
  secret: Secret | null,
  { onOpen, ...options }: ActivitySourceOptions = {},
): ActivitySource {
  let startup: Startup | undefined;
  return {
    async open(signal) {
      const answer = await connectSession(target, secret, {
        idleSessionTimeoutMs,
        ...options,
        signal,
        ...(startup !== undefined && { startup }),
      });
      if (answer.kind === 'failed') return answer;
      startup = answer.session.startup;
      let opened: OpenedReader | undefined;
      try {
        // Told before the first question: behind a pooler whose backends are all lent, its answer may take minutes.
        onOpen?.(answer.session);
        opened = await openReader(answer.session);
        return opened;
      } finally {
        if (opened?.kind !== 'opened') await answer.session.close();
      }
    },
  };
}

/** Asks once what the server and the role can do; each sample is then one statement that cannot fail for want of it. */
async function openReader(session: DatabaseSession): Promise<OpenedReader> {
  const answer = await readCapabilities(session);
  if (answer.kind === 'failed') return answer;
  const [capabilities] = answer.rows;
  if (capabilities === undefined) return { kind: 'failed', failure: silentServer };
  const read = createLook(session, capabilities);
  return { kind: 'opened', reader: { read, onLost: session.onLost, close: session.close } };
}

/** One sample over a session that is used for other things too. */
export async function readActivity(session: DatabaseSession): Promise<ActivityAnswer> {
  const opened = await openReader(session);
  return opened.kind === 'failed' ? opened : opened.reader.read();
}

function createLook(session: DatabaseSession, probed: ServerCapabilities): ActivityReader['read'] {
  let capabilities = probed;
  let askedAt = -Infinity;
  return async () => {
    const statement = sampleStatement(session, capabilities);
    const answer = await session.query(statement, ActivityRow);
    if (answer.kind === 'failed') return answer;
    const { taken_at: takenAt, took_ms: serverMs } = answer.rows.at(-1) ?? {
      taken_at: null,
      took_ms: null,
    };
    if (askedAt === -Infinity) askedAt = takenAt ?? 0;
    if (takenAt !== null && Math.abs(takenAt - askedAt) > standingLastsSeconds) {
      askedAt = takenAt;
      capabilities = { ...capabilities, ...(await askStanding(session)) };
    }
    const report = toActivityReport(answer.rows, toFrame(session, capabilities));
    return report === null
      ? { kind: 'failed', failure: silentServer }
      : ({ kind: 'report', report, serverMs: serverMs ?? 0 } satisfies ActivityAnswer);
  };
}

/** Parsed and planned once for a session with a backend of its own; a pooler may lend us another backend each time. */
function sampleStatement({ isPooled }: DatabaseSession, capabilities: ServerCapabilities) {
  const text = activitySql(capabilities);
  return isPooled ? { text } : { text, name: 'poolguard_look' };
}

/** Nothing new when the server refuses: what was known goes on. */
async function askStanding(session: DatabaseSession): Promise<Partial<RoleStanding>> {
  const answer = await readStanding(session);
  return answer.kind === 'rows' ? (answer.rows[0] ?? {}) : {};
}

function toFrame(
  { target, isPooled }: DatabaseSession,
  capabilities: ServerCapabilities,
): ReportFrame {
  const {
    version,
    versionNumber,
    database,
    role,
    inRecovery,
    isSuperuser,
    signalsOthers,
    queryTextLimit,
    tracksActivities,
    readsAllStats,
  } = capabilities;
  const { host, port } = target;
  return {
    server: {
      version,
      versionNumber,
      host,
      port,
      database,
      user: role,
      seesAllSessions: readsAllStats,
      inRecovery,
      isSuperuser,
      signalsOthers,
      queryTextLimit,
      tracksActivities,
      isPooled,
    },
    limits: capabilities,
  };
}

const silentServer: DatabaseFailure = {
  kind: 'statement',
  sentence: 'The server returned no sessions, not even this one.',
  code: null,
};
