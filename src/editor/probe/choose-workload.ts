import { QuickPickItemKind, window, type QuickPickItem } from 'vscode';
import { type CodeFacts, labelOf } from '../../linking/linked-code.ts';
import type { StatementRequest, WorkloadRequest } from '../../probe/request.ts';
import { plainLabel } from '../connections/plain-labels.ts';
import { askForStatement, askForValues, withKnownValues } from './ask-for-statement.ts';
import { codeQueries, isSentQuery, type CodeQuery } from './code-queries.ts';
import type { ProbeMemory } from './probe-memory.ts';

interface WorkloadItem extends QuickPickItem {
  readonly choose?: () => Promise<WorkloadRequest | undefined>;
}

/** Statements of `pg_stat_statements` that are run. */
const topStatements = 5;

export interface WorkloadChoiceParts {
  readonly memory: ProbeMemory;
  /** What the last probe of the database ran. */
  readonly last: WorkloadRequest | undefined;
  /** Undefined while the code has not been read. */
  readonly facts: CodeFacts | undefined;
}

/** Asks what the probe runs: the user's own statement before anything else. Undefined when the user gave up. */
export async function chooseWorkload(
  parts: WorkloadChoiceParts,
): Promise<WorkloadRequest | undefined> {
  const chosen = await window.showQuickPick(workloadItems(parts), {
    title: 'Probe pool size: which statement?',
    placeHolder: 'The recommendation applies to the measured statement',
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return chosen?.choose?.();
}

/** The only query that the code sends, or else what is chosen: whoever wants a probe of a pool names no statement. */
export async function onlyWorkload(
  parts: WorkloadChoiceParts,
): Promise<WorkloadRequest | undefined> {
  const [only, ...more] = codeQueries(parts.facts?.statements.filter(isSentQuery) ?? []);
  return only === undefined || more.length > 0
    ? chooseWorkload(parts)
    : toWorkload(await withKnownValues(only.text, parts.memory));
}

function workloadItems({ memory, last, facts }: WorkloadChoiceParts): readonly WorkloadItem[] {
  const queries = facts === undefined ? [] : codeQueries(facts.statements);
  return [
    ...(last === undefined || last.kind === 'stand-in'
      ? []
      : [
          {
            label: `$(history) ${plainLabel(describeWorkload(last))}`,
            description: 'as in the last probe',
            choose: () => Promise.resolve(last),
          },
        ]),
    {
      label: '$(edit) Type a statement…',
      description: 'one that the application sends often',
      choose: async () => toWorkload(await askForStatement(memory)),
    },
    {
      label: `$(graph) The ${topStatements} most time-consuming statements of this server`,
      description: 'requires the extension pg_stat_statements',
      choose: () => Promise.resolve({ kind: 'top', count: topStatements }),
    },
    ...(queries.length === 0 ? [] : [separator('in the code')]),
    ...queries.map((query) => toItem(query, memory)),
    separator('no statement at hand'),
    {
      label: '$(beaker) A stand-in statement',
      description:
        'only uses the CPU of the server, so the result says little about an application',
      choose: () => Promise.resolve({ kind: 'stand-in' }),
    },
  ];
}

function toItem({ text, parameters, place, others }: CodeQuery, memory: ProbeMemory): WorkloadItem {
  const values =
    parameters === 0 ? '' : `, asks for ${parameters} value${parameters === 1 ? '' : 's'}`;
  return {
    label: plainLabel(text),
    description: plainLabel(
      `${labelOf(place)}${others === 0 ? '' : ` and ${others} more`}${values}`,
    ),
    choose: async () => toWorkload(await askForValues(text, memory)),
  };
}

function separator(label: string): WorkloadItem {
  return { label, kind: QuickPickItemKind.Separator };
}

function toWorkload(statement: StatementRequest | undefined): WorkloadRequest | undefined {
  return statement && { kind: 'statements', statements: [statement] };
}

/** What is run, in a line. A statement may be hostile: whoever shows it makes it plain. */
function describeWorkload(workload: WorkloadRequest): string {
  switch (workload.kind) {
    case 'stand-in':
      return 'A stand-in statement';
    case 'top':
      return `The ${workload.count} most time-consuming statements of this server`;
    case 'code':
      return workload.from;
    case 'statements':
      return workload.statements.map(({ text }) => text.trim().replaceAll(/\s+/gu, ' ')).join('; ');
  }
}
