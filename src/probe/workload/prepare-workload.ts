import type { DatabaseSession } from '../../database/session.ts';
import type { Clock } from '../clock.ts';
import type { Refusal } from '../refusal.ts';
import type { CommonRequest } from '../request.ts';
import { checkStatement, standInNote, standInStatement } from './statement.ts';
import type { Workload } from './workload.ts';

export type WorkloadAnswer = Refusal | { readonly kind: 'workload'; readonly workload: Workload };

/** What a dry run assumes of a statement that it does not run. */
const assumedMs = 1;
const baselineMs = 300;

/** What can be refused without a connection; null when nothing can. */
export function checkWorkload({ workload }: Pick<CommonRequest, 'workload' | 'allowWrites'>): Refusal | null {
  const answer = checkStatement(textOf(workload));
  return answer.kind === 'refused' ? answer : null;
}

/** Checks the statements of a request and times each on one session, after one run to plan it and to fill the caches; a dry run times nothing. */
export async function prepareWorkload(session: DatabaseSession, request: Pick<CommonRequest, 'workload' | 'allowWrites' | 'dryRun'>, clock: Clock): Promise<WorkloadAnswer> {
  const answer = checkStatement(textOf(request.workload));
  if (answer.kind === 'refused') return answer;
  const timed = request.dryRun ? { kind: 'timed' as const, meanMs: assumedMs } : await timeStatement(session, answer.text, clock);
  if (timed.kind === 'refused') return timed;
  const statement = { name: 'poolguard_probe', text: answer.text };
  const isStandIn = request.workload.kind === 'stand-in';
  return {
    kind: 'workload',
    workload: {
      summary: { origin: isStandIn ? 'stand-in' : 'given', inTransaction: false, statements: [{ text: answer.text, share: 1, parameters: [], meanMs: request.dryRun ? null : timed.meanMs }] },
      meanMs: timed.meanMs,
      next: () => statement,
      notes: isStandIn ? [standInNote] : [],
    },
  };
}

function textOf(workload: CommonRequest['workload']): string {
  return workload.kind === 'statements' ? (workload.statements[0]?.text ?? '') : standInStatement;
}

type Timed = Refusal | { readonly kind: 'timed'; /** Mean on one connection. */ readonly meanMs: number };

async function timeStatement(session: DatabaseSession, statement: string, clock: Clock): Promise<Timed> {
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
