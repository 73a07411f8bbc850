import { toPlainText, toShortText } from '../../activity/plain-text.ts';
import { describeRole, nameRole } from '../../activity/role-power.ts';
import type { RefusedRole } from '../../probe/refusal.ts';
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

export interface RoleQuestion {
  readonly title: string;
  readonly detail: string;
  /** The button that agrees. It names the role. */
  readonly run: string;
}

/** Whether to probe as a role that has more rights than a probe needs. */
export function roleQuestion(role: RefusedRole): RoleQuestion {
  const run = `Run as ${nameRole(role)}`;
  const detail = [
    'Functions that the statement calls run with the privileges of this role, and a read-only transaction does not prevent them from running programs or writing files.',
    '',
    'An ordinary role is sufficient:',
    ...role.sql.map((line) => toPlainText(line)),
  ];
  return { title: `${run}?`, detail: detail.join('\n'), run };
}
