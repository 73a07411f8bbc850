import type { Comparison, ComparisonKind, Picked } from '../../probe/baseline/comparison.ts';
import type { Section, Tone } from '../sheet.ts';
import { tableOf, type Field } from './table-of.ts';

export const comparisonVerdicts: Readonly<
  Record<ComparisonKind, readonly [title: string, tone: Tone]>
> = {
  unchanged: ['Still right.', 'good'],
  'smaller-is-enough': ['Changed: smaller is enough.', 'warn'],
  'larger-needed': ['Changed: larger is needed.', 'warn'],
  worse: ['Worse.', 'bad'],
  'too-noisy': ['Too noisy to judge.', 'bad'],
};

type Run = Picked & { readonly name: string };

const runFields: readonly Field<Run>[] = [
  { key: 'run', label: 'run', unit: 'text', of: ({ name }) => name },
  {
    key: 'started_at',
    label: 'measured',
    unit: 'text',
    of: ({ startedAt }) => startedAt.slice(0, 16).replace('T', ' '),
  },
  { key: 'size', label: 'pick', unit: 'count', of: ({ size }) => size },
  { key: 'max', label: 'max', unit: 'count', of: ({ max }) => max },
  { key: 'interval', label: 'interval', unit: 'count', of: ({ interval }) => interval },
  { key: 'confidence', label: 'confidence', unit: 'share', of: ({ confidence }) => confidence },
];

const scalingFields: readonly Field<Comparison['scaling'][number]>[] = [
  { key: 'size', label: 'size', unit: 'count', of: ({ size }) => size },
  { key: 'then_times', label: 'then', unit: 'times', of: ({ then }) => then },
  { key: 'now_times', label: 'now', unit: 'times', of: ({ now }) => now },
];

/** How an earlier answer stands up; nothing without one. */
export function comparisonSection(comparison: Comparison | undefined): readonly Section[] {
  if (comparison === undefined) return [];
  const { baseline, now, scaling, differences } = comparison;
  return [
    {
      title: 'Against the baseline',
      sentences: [
        ...differences,
        'Statements per second of different days are not compared: only what was measured in the same rounds, and how the curve rises.',
      ],
      tables: [
        tableOf('What was picked then and now', runFields, [
          { ...baseline, name: 'baseline' },
          { ...now, name: 'now' },
        ]),
        ...(scaling.length < 2
          ? []
          : [
              tableOf(
                'Throughput as a multiple of that of the smallest size',
                scalingFields,
                scaling,
                ({ size }) => (size === baseline.size ? { mark: 'baseline' } : {}),
              ),
            ]),
      ],
    },
  ];
}
