import {
  type ProbeServerFacts,
  readDatabaseBytes,
  readHarm,
  readProbeServerFacts,
} from '../../database/probe-server.ts';
import type { DatabaseSession } from '../../database/session.ts';
import type { Environment } from '../../database/target.ts';
import { type Cap, findCap, findPoolerCap } from './cap.ts';
import type { PoolerWatch } from '../pooler/pooler-watch.ts';
import { refuse, type Refusal } from '../refusal.ts';
import type { ProbeRequest } from '../request.ts';
import type { ProbePlan } from '../result.ts';
import { checkWorkload } from '../workload/prepare-workload.ts';
import { describeRefusal, findProductionSigns } from './target-guard.ts';

/** What can be refused without a connection: the statements, and a target that looks like production. Null when nothing can. */
export async function checkRequest(
  request: ProbeRequest,
  environment: Environment,
): Promise<Refusal | null> {
  const refused = await checkWorkload(request);
  if (refused !== null) return refused;
  const signs = findProductionSigns({ ...request.target, environment, server: null });
  return signs.length > 0 && !request.allowProduction ? refuse(describeRefusal(signs)) : null;
}

/** What one look around showed. */
export interface Surroundings {
  readonly kind: 'clear';
  readonly facts: ProbeServerFacts;
  readonly cap: Cap;
  /** Of what the cap is a part. */
  readonly free: number;
  readonly notes: readonly string[];
}

/** What is known before the sample. */
export interface AlreadyKnown {
  readonly environment: Environment;
  /** Null when connected directly. */
  readonly pooler: Pick<PoolerWatch, 'before' | 'problem'> | null;
}

/** Looks at the server through one session: is there room, and does anybody depend on it? */
export async function lookAround(
  session: DatabaseSession,
  request: ProbeRequest,
  { environment, pooler }: AlreadyKnown,
): Promise<Refusal | Surroundings> {
  const answer = await readProbeServerFacts(session);
  if (answer.kind === 'failed') return refuse(answer.failure.sentence);
  const [facts] = answer.rows;
  if (facts === undefined)
    return refuse(
      'The server does not say how many connections it takes, so a probe could not keep clear of its limit.',
    );
  const signs = findProductionSigns({
    ...request.target,
    environment,
    server: { ...facts, databaseBytes: await readDatabaseBytes(session) },
  });
  if (signs.length > 0 && !request.allowProduction) return refuse(describeRefusal(signs));
  const cap =
    pooler === null
      ? findCap(request.max, facts)
      : findPoolerCap(request.max, facts, pooler.before, request.target);
  if (cap.kind === 'refused') return cap;
  const notes = [
    ...signs.map((sign) => `${sign} Allowed by --allow-production.`),
    ...(pooler?.problem ? [pooler.problem] : []),
    ...listNotes(facts),
  ];
  return { kind: 'clear', facts, cap: cap.cap, free: cap.free, notes };
}

/** Whether there is still room for a plan, which somebody may have looked at for long. Null when there is. */
export async function checkPlan(
  session: DatabaseSession,
  { cap }: Pick<ProbePlan, 'cap'>,
): Promise<Refusal | null> {
  if (session.isPooled) return null;
  const answer = await readHarm(session);
  if (answer.kind === 'failed') return refuse(answer.failure.sentence);
  const [room] = answer.rows;
  const now = room === undefined ? null : findCap(cap.size, room);
  if (now === null || now.kind === 'refused') return now;
  return now.cap.size >= cap.size
    ? null
    : refuse(
        `Others opened connections since the plan was made, and ${cap.size} no longer fit: ${now.cap.because}. Start again for a plan that fits.`,
      );
}

function* listNotes({ activeOthers, hiddenOthers }: ProbeServerFacts): Generator<string> {
  if (activeOthers > 0)
    yield `${activeOthers} other session${activeOthers === 1 ? ' was' : 's were'} active at the start: this load is part of the measurement.`;
  if (hiddenOthers > 0)
    yield `This role may not see what ${hiddenOthers} session${hiddenOthers === 1 ? '' : 's'} of other roles do; one in pg_monitor may.`;
}
