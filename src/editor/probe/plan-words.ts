import { toPlainText, toShortText } from '../../activity/plain-text.ts';
import { describeRole, nameRole } from '../../activity/role-power.ts';
import type { RefusedOwner, RefusedRole } from '../../probe/refusal.ts';
import type { WorkloadRequest } from '../../probe/request.ts';
import type { ProbePlan } from '../../probe/result.ts';

const longestStatement = 300;
const mostStatements = 5;
const mostCalls = 8;

/** What a probe is about to do, a line each, for a dialog. Statements may come from a hostile server. */
export function planLines(
  { role, statements, calls, sizes, connections, free, expectedMs, cap, notes }: ProbePlan,
  workload: WorkloadRequest,
): readonly string[] {
  const shown = statements
    .slice(0, mostStatements)
    .map((text) => toShortText(text, longestStatement));
  return [
    ...shown,
    ...(statements.length > shown.length
      ? [`… and ${statements.length - shown.length} more statements`]
      : []),
    ...valueLines(workload),
    ...callLines(calls),
    '',
    `As ${describeRole(role)}.`,
    `Opens up to ${connections} of ${free} free connections for about ${Math.max(1, Math.round(expectedMs / 1000))} seconds.`,
    ...(sizes.length === 0
      ? []
      : [
          `Pool sizes ${sizes.join(', ')}; the largest is ${cap.size}: ${toPlainText(cap.because)}.`,
        ]),
    ...notes.map((note) => toPlainText(note)),
  ];
}

/** "With $1 = 1..1000." */
function valueLines(workload: WorkloadRequest): readonly string[] {
  if (workload.kind !== 'statements') return [];
  return workload.statements
    .filter(({ parameters }) => parameters.length > 0)
    .slice(0, mostStatements)
    .map(({ parameters }) =>
      toShortText(
        `With ${parameters.map((value, at) => `$${at + 1} = ${value}`).join(', ')}.`,
        longestStatement,
      ),
    );
}

function callLines(calls: readonly string[]): readonly string[] {
  if (calls.length === 0) return [];
  const shown = calls.slice(0, mostCalls).map((call) => toShortText(call, longestStatement));
  return [
    '',
    'Called functions:',
    ...shown,
    ...(calls.length > shown.length ? [`… and ${calls.length - shown.length} more`] : []),
  ];
}

export interface ConsentQuestion {
  readonly title: string;
  readonly detail: string;
  /** The button that agrees. It names the roles. */
  readonly run: string;
}

/** Whether to probe as a role that has more rights than a probe needs. */
export function roleQuestion(role: RefusedRole): ConsentQuestion {
  const run = `Run as ${nameRole(role)}`;
  const detail = [
    'Functions that the statement calls run with the privileges of this role, and a read-only transaction does not prevent them from running programs or writing files.',
    '',
    'An ordinary role is sufficient:',
    ...role.sql.map((line) => toPlainText(line)),
  ];
  return { title: `${run}?`, detail: detail.join('\n'), run };
}

/** Whether statements may run code of these owners. */
export function ownersQuestion(owners: readonly RefusedOwner[]): ConsentQuestion {
  const shown = owners.slice(0, mostOwners);
  const [first] = owners;
  const who =
    owners.length === 1 && first !== undefined
      ? toShortText(first.name, 63)
      : `these ${owners.length} owners`;
  const detail = [
    'Statements may run code that other roles own, here or on a foreign server. It runs with the privileges of your role, and a rollback does not undo everything that it may do.',
    '',
    ...shown.map(({ name, owns }) => `${toShortText(name, 63)}: ${toPlainText(owns)}`),
    ...(owners.length > shown.length ? [`… and ${owners.length - shown.length} more`] : []),
    '',
    'Poolguard remembers this for the connection.',
  ];
  return { title: `Trust ${who}?`, detail: detail.join('\n'), run: `Trust ${who}` };
}

const mostOwners = 12;
