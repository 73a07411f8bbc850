import * as v from 'valibot';
import type { EndingOutcome, EndingRequest } from '../activity/ending-words.ts';
import type { Asker } from './session.ts';
import { cancelSql, rightsSql, stillThereSql, terminateSql } from './sql/end-session.sql.ts';

/** Resolves after the time, in milliseconds. */
export type Sleep = (milliseconds: number) => Promise<unknown>;

const AskRow = v.object({
  outcome: v.picklist([
    'hidden',
    'replaced',
    'background',
    'own',
    'runs-nothing',
    'moved-on',
    'asked',
    'gone',
  ]),
  query_start: v.nullable(v.string()),
});
const LookRow = v.object({ state: v.nullable(v.string()), query_start: v.nullable(v.string()) });
const RightsRow = v.object({
  own_role: v.string(),
  owner_role: v.string(),
  is_superuser: v.boolean(),
});

/** A backend sees a signal when it next looks for one: some 3 s are enough for all but a stuck one. */
const looks = 30;
const sampleEveryMs = 100;

/**
 * Cancels what a backend runs, or terminates it, and looks whether it did stop.
 * Refuses, without a signal, whatever is not exactly the client backend that was seen.
 */
export async function endSession(
  asker: Asker,
  request: EndingRequest,
  sleep: Sleep,
): Promise<EndingOutcome> {
  const { action, pid, backendStart, seenAt } = request;
  if (backendStart === '') return { kind: 'hidden' };
  const statement =
    action === 'cancel'
      ? { text: cancelSql, values: [pid, backendStart, seenAt] }
      : { text: terminateSql, values: [pid, backendStart] };
  const answer = await asker.query(statement, AskRow);
  if (answer.kind === 'failed')
    return answer.failure.code === '42501' ? whyNotAllowed(asker, pid, answer.failure) : answer;
  const row = answer.rows[0];
  if (row === undefined) return { kind: 'gone' };
  if (row.outcome === 'own' || row.outcome === 'background')
    return { kind: 'refused', because: row.outcome };
  return row.outcome === 'asked'
    ? untilEnded(asker, request, row.query_start, sleep)
    : { kind: row.outcome };
}

async function untilEnded(
  asker: Asker,
  { action, pid, backendStart }: EndingRequest,
  askedDuring: string | null,
  sleep: Sleep,
): Promise<EndingOutcome> {
  for (let look = 0; look < looks; look += 1) {
    const answer = await asker.query({ text: stillThereSql, values: [pid, backendStart] }, LookRow);
    if (answer.kind === 'failed') return answer;
    const row = answer.rows[0];
    if (
      row === undefined ||
      (action === 'cancel' && (row.state !== 'active' || row.query_start !== askedDuring))
    )
      return { kind: 'ended' };
    await sleep(sampleEveryMs);
  }
  return { kind: 'still-there' };
}

async function whyNotAllowed(
  asker: Asker,
  pid: number,
  failure: Extract<EndingOutcome, { kind: 'failed' }>['failure'],
): Promise<EndingOutcome> {
  const answer = await asker.query({ text: rightsSql, values: [pid] }, RightsRow);
  const row = answer.kind === 'rows' ? answer.rows[0] : undefined;
  if (row === undefined) return { kind: 'failed', failure };
  return {
    kind: 'not-allowed',
    ownRole: row.own_role,
    ownerRole: row.owner_role,
    ownerIsSuperuser: row.is_superuser,
  };
}
