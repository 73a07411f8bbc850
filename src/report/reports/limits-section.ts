import type { Limit, LimitsApplied } from '../../probe/result-head.ts';
import { field, type Field, type Section, tableOf } from '../report.ts';

const fields: readonly Field<Limit>[] = [
  field('limit', 'limit', 'text', ({ name }) => name),
  field('value', 'allows', 'count', ({ value }) => value),
  field('per_pool', 'per pool', 'count', ({ perPool }) => perPool),
  field('arithmetic', 'how', 'text', ({ arithmetic }) => arithmetic),
];

/** What the server, the role, the database and the pooler allow; nothing where no limit is known. */
export function limitsSection(applied: LimitsApplied, isMeasured: boolean): readonly Section[] {
  const { limits, binding } = applied;
  const [tightest] = limits;
  if (tightest === undefined) return [];
  const sentence = isMeasured
    ? describeBinding(applied)
    : `More than ${tightest.perPool} in each pool is not possible.`;
  const isBinding = (limit: Limit) =>
    binding !== null && limit.name === binding.name && limit.kind === binding.kind;
  return [
    {
      title: 'What limits it',
      sentences: [sentence],
      tables: [
        tableOf('Limits on the number of connections, tightest first', fields, limits, (limit) =>
          isBinding(limit) ? { mark: 'binds', tone: 'warn' } : {},
        ),
      ],
    },
  ];
}

function describeBinding({ binding, pools }: LimitsApplied): string {
  return binding === null
    ? `Each of them leaves at least what was measured, for ${pools} pool${pools === 1 ? '' : 's'}.`
    : `${binding.name} binds: ${binding.arithmetic}.`;
}
