import type { Comparison, ComparisonKind, Picked } from '../../probe/baseline/comparison.ts';
import type { SizeResult } from '../../probe/result.ts';
import { field, type Field, type Section, tableOf, type Tone } from '../report.ts';
import { formatFigure } from '../units.ts';

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
  field('run', 'run', 'text', ({ name }) => name),
  field('started_at', 'measured', 'text', ({ startedAt }) =>
    startedAt.slice(0, 16).replace('T', ' '),
  ),
  field('size', 'pick', 'count', ({ size }) => size),
  field('max', 'max', 'count', ({ max }) => max),
  field('interval', 'interval', 'count', ({ interval }) => interval),
  field('confidence', 'confidence', 'share', ({ confidence }) => confidence),
];

const scalingFields: readonly Field<Comparison['scaling'][number]>[] = [
  field('size', 'size', 'count', ({ size }) => size),
  field('then_times', 'then', 'times', ({ then }) => then),
  field('now_times', 'now', 'times', ({ now }) => now),
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

interface Share {
  readonly what: string;
  readonly backends: number;
}

/** What the backends take on the server, multiplied out; nothing where it was not measured. */
export function memorySection({ memory, recommendation, limits }: SizeResult): readonly Section[] {
  if (memory === null) return [];
  const max = recommendation?.max ?? 1;
  const shares: readonly Share[] = [
    { what: 'one backend', backends: 1 },
    ...(max === 1 ? [] : [{ what: `one pool of ${max}`, backends: max }]),
    ...(limits.pools === 1
      ? []
      : [{ what: `${limits.pools} pools of ${max}`, backends: max * limits.pools }]),
  ];
  const { bytes, workMemBytes } = memory;
  const fields: readonly Field<Share>[] = [
    field('what', 'what', 'text', ({ what }) => what),
    field('backends', 'backends', 'count', ({ backends }) => backends),
    field('memory_bytes', 'memory', 'bytes', ({ backends }) => backends * bytes),
    field('with_work_mem_bytes', 'with one sort each', 'bytes', ({ backends }) =>
      workMemBytes === null ? null : backends * (bytes + workMemBytes),
    ),
  ];
  const work =
    workMemBytes === null
      ? ''
      : ` Each sort or hash of a running statement may take work_mem (${formatFigure(workMemBytes, 'bytes')}) on top.`;
  return [
    {
      title: 'Memory on the server',
      tables: [tableOf('Memory of the backends', fields, shares)],
      sentences: [`Counted after the workload: ${memory.method}.${work}`],
    },
  ];
}
