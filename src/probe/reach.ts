import * as v from 'valibot';
import { connectSession } from '../database/connect.ts';
import type { DatabaseSession } from '../database/session.ts';
import { nothingSql, serverIdentitySql } from '../database/sql/server.sql.ts';
import { watchPooler, type PoolerWatch } from './pooler/pooler-watch.ts';
import { refuse, type Refusal } from './refusal.ts';
import type { ProbeRequest } from './request.ts';
import { commonLimits, type ProbeEnvironment } from './probe-environment.ts';

/** What a probe reaches beside the session to its target. */
export interface Reach {
  readonly kind: 'reach';
  /** Null when the target is PostgreSQL itself. */
  readonly pooler: PoolerWatch | null;
  /** A session to PostgreSQL itself, where the request names its address (`--server`). */
  readonly server: DatabaseSession | null;
  /** Never rejects. */
  close(): Promise<void>;
}

/** Opens it all or nothing. */
export async function openReach(
  observer: DatabaseSession,
  request: ProbeRequest,
  around: ProbeEnvironment,
): Promise<Reach | Refusal> {
  if (observer.isPooled && request.allowWrites) {
    return refuse(
      'Statements that write need a transaction of their own, which a probe begins on a connection of its own only: name the address of PostgreSQL itself rather than that of the pooler.',
    );
  }
  const server = await openServer(observer, request, around);
  if (server !== null && 'sentence' in server) return server;
  // In session mode this is when the observer gets its backend, which the console then counts.
  if (observer.isPooled) await observer.query(nothingSql, v.unknown());
  const pooler = observer.isPooled
    ? await watchPooler(request, {
        ...commonLimits(around),
        clock: around.clock,
        signal: around.signal,
      })
    : null;
  const close = async () => {
    await Promise.all([
      server?.close(),
      pooler !== null && 'close' in pooler ? pooler.close() : undefined,
    ]);
  };
  if (pooler !== null && 'sentence' in pooler) {
    await close();
    return pooler;
  }
  return { kind: 'reach', pooler, server, close };
}

async function openServer(
  observer: DatabaseSession,
  { server }: ProbeRequest,
  around: ProbeEnvironment,
): Promise<DatabaseSession | Refusal | null> {
  if (server === null) return null;
  const answer = await connectSession(server.target, server.secret, {
    ...commonLimits(around),
    signal: around.signal,
  });
  if (answer.kind === 'failed') return refuse(answer.failure.sentence);
  const problem = answer.session.isPooled
    ? 'The address that --server gives is that of a pooler too: it must be that of PostgreSQL itself.'
    : await compareServers(observer, answer.session);
  if (problem === null) return answer.session;
  await answer.session.close();
  return refuse(problem);
}

const ServerIdentity = v.object({ startedAt: v.string(), database: v.string() });

/** What is wrong with the address of PostgreSQL itself; null for the very server and database that the target leads to. */
async function compareServers(
  observer: DatabaseSession,
  server: DatabaseSession,
): Promise<string | null> {
  const answers = await Promise.all(
    [observer, server].map((session) => session.query(serverIdentitySql, ServerIdentity)),
  );
  const rows = answers.flatMap((answer) => (answer.kind === 'rows' ? answer.rows : []));
  const failure = answers.find((answer) => answer.kind === 'failed');
  if (failure?.kind === 'failed') return failure.failure.sentence;
  const [target, named] = rows;
  return target?.startedAt === named?.startedAt && target?.database === named?.database
    ? null
    : 'The address that --server gives leads to another server, or another database, than the one the probe measures.';
}
