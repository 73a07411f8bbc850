import { readProbeServerFacts, readRailsEnvironment, type ProbeServerFacts } from '../../database/probe-server.ts';
import type { DatabaseSession } from '../../database/session.ts';
import type { Clock } from '../clock.ts';
import { findCap, type Cap } from '../size/plan.ts';
import type { ProbeRequest } from '../request.ts';
import { checkStatement, standInNote, standInStatement } from '../workload/statement.ts';
import { describeRefusal, findProductionSigns } from './target-guard.ts';

/** Why a probe does not begin, or cannot. */
export interface Refusal {
  readonly kind: 'refused';
  readonly sentence: string;
}

export type StatementChoice = Refusal | { readonly kind: 'chosen'; readonly statement: string };

/** What can be refused without a connection: the statement, and a target that looks like production. */
export function checkRequest(request: ProbeRequest, nodeEnvironment: string | undefined): StatementChoice {
  const answer = checkStatement(request.statement ?? standInStatement);
  if (answer.kind === 'refused') return answer;
  const signs = findProductionSigns({ ...request.target, nodeEnvironment, server: null });
  if (signs.length > 0 && !request.iKnow) return { kind: 'refused', sentence: describeRefusal(signs) };
  return { kind: 'chosen', statement: answer.text };
}

export interface Surroundings {
  readonly kind: 'clear';
  readonly facts: ProbeServerFacts;
  readonly cap: Cap;
  readonly notes: readonly string[];
}

/** Looks at the server through one session: is there room, and does anybody depend on it? */
export async function lookAround(session: DatabaseSession, request: ProbeRequest): Promise<Refusal | Surroundings> {
  if (session.isPooled) return { kind: 'refused', sentence: 'A pooler stands between the probe and the server, and its pool would be measured instead of yours. Name the address of PostgreSQL itself.' };
  const answer = await readProbeServerFacts(session);
  if (answer.kind === 'failed') return { kind: 'refused', sentence: answer.failure.sentence };
  const [facts] = answer.rows;
  if (facts === undefined) return { kind: 'refused', sentence: 'The server does not say how many connections it takes, so a probe could not keep clear of its limit.' };
  const railsEnvironment = facts.hasRailsMetadata ? await readRailsEnvironment(session) : null;
  const signs = findProductionSigns({ ...request.target, nodeEnvironment: undefined, server: { ...facts, railsEnvironment } });
  if (signs.length > 0 && !request.iKnow) return { kind: 'refused', sentence: describeRefusal(signs) };
  const cap = findCap(request.max, facts);
  return cap.kind === 'refused' ? cap : { kind: 'clear', facts, cap: cap.cap, notes: [...listNotes(request, facts)] };
}

function* listNotes({ statement }: ProbeRequest, { isSuperuser, activeOthers }: ProbeServerFacts): Generator<string> {
  if (statement === null) yield standInNote;
  if (isSuperuser && statement !== null) yield 'The role is a superuser, whom a read-only session does not bind in everything: prefer a role that may only read.';
  if (activeOthers > 0) yield `${activeOthers} other session${activeOthers === 1 ? ' was' : 's were'} active at the start; their work is part of what was measured.`;
}

export type Baseline = Refusal | { readonly kind: 'timed'; /** Mean on one connection. */ readonly meanMs: number };

const baselineMs = 300;

/** Times the statement on one session, after one run to plan it and to fill the caches. */
export async function timeStatement(session: DatabaseSession, statement: string, clock: Clock): Promise<Baseline> {
  const run = () => session.query({ name: 'poolguard_probe', text: statement });
  const first = await run();
  if (first.kind === 'failed') return { kind: 'refused', sentence: `The statement does not run. ${first.failure.sentence}` };
  const started = clock.now();
  let runs = 0;
  while (runs === 0 || clock.now() - started < baselineMs) {
    const answer = await run();
    if (answer.kind === 'failed') return { kind: 'refused', sentence: answer.failure.sentence };
    runs += 1;
  }
  return { kind: 'timed', meanMs: (clock.now() - started) / runs };
}
