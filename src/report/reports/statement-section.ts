import type { SizeResult } from '../../probe/result.ts';
import { field, type Field, type Section, tableOf } from '../report.ts';
import { toShortText } from '../../activity/plain-text.ts';

interface Row {
  readonly text: string;
  readonly share: number;
  readonly aloneMs: number | null;
  readonly meanMs: number | null;
  readonly timeShare: number;
  readonly queueShare: number;
}

/** What each statement of a workload took; nothing for a single one. */
export function statementSection({ statementLoads, workload }: SizeResult): readonly Section[] {
  if (statementLoads === null || statementLoads === undefined) return [];
  const { alone, from, binding, statements } = statementLoads;
  const rows = workload.statements.flatMap(({ text, share }, at): readonly Row[] => {
    const load = statements[at];
    return load === undefined ? [] : [{ text, share, ...load }];
  });
  const fields: readonly Field<Row>[] = [
    field('statement', 'statement', 'text', ({ text }) => toShortText(text, 60)),
    field('share', 'runs', 'share', ({ share }) => share),
    field('alone_ms', `with ${alone}`, 'ms', ({ aloneMs }) => aloneMs),
    field('mean_ms', `with ${from} and more`, 'ms', ({ meanMs }) => meanMs),
    field('time_share', 'of the time', 'share', ({ timeShare }) => timeShare),
    field('queue_share', 'of the queueing', 'share', ({ queueShare }) => queueShare),
  ];
  return [
    {
      title: 'Which statement limits it',
      sentences: [binding?.because ?? 'No single statement does.'],
      tables: [
        tableOf('Mean time of each statement by pool size', fields, rows, ({ text }) =>
          binding !== null && workload.statements[binding.at]?.text === text
            ? { mark: 'limits', tone: 'warn' }
            : {},
        ),
      ],
    },
  ];
}
