import { toSnippets } from '../../probe/limits/snippet.ts';
import type {
  PoolValidation,
  SizeMeasurement,
  SizeResult,
  VerdictKind,
} from '../../probe/result.ts';
import { correctionOf, trustIn } from '../../probe/size/contention.ts';
import {
  type Fact,
  field,
  type Field,
  type LineChart,
  type Mark,
  minor,
  type Section,
  type Report,
  type ReportVerdict,
  tableOf,
  type Tone,
} from '../report.ts';
import { formatFigure } from '../units.ts';
import { adviceSection } from './advise-report.ts';
import { headOf, sentencesOf } from './head.ts';
import { limitsSection } from './limits-section.ts';
import { explainDashes, fieldsOfLoad } from './load-fields.ts';
import { processSection } from './process-section.ts';
import { statementSection } from './statement-section.ts';
import { comparisonSection, comparisonVerdicts, memorySection } from './size-sections.ts';

const verdicts: Readonly<Record<VerdictKind, readonly [title: string, tone: Tone]>> = {
  found: ['Found.', 'good'],
  'not-saturated': ['Not saturated.', 'neutral'],
  'client-bound': ['Bound by the client.', 'warn'],
  'host-bound': ['Bound by this machine.', 'warn'],
  'lock-bound': ['Bound by a lock.', 'warn'],
  'pooler-bound': ['Bound by the pooler.', 'warn'],
  'too-noisy': ['Too noisy to say.', 'bad'],
};

/** Which pool size does it, why, and how sure that is. */
export function sizeReport(result: SizeResult): Report {
  return {
    ...headOf(result, `${result.rounds} round${result.rounds === 1 ? '' : 's'}`),
    title: 'Pool size',
    verdict: toVerdict(result),
    facts: listFacts(result),
    snippets: toSnippets(result),
    sections: [
      ...(result.sizes.length === 0 ? [] : [curveSection(result)]),
      ...statementSection(result),
      ...comparisonSection(result.comparison),
      ...validationSection(result.validation),
      ...limitsSection(result.limits, result.recommendation !== null),
      ...processSection(result.processes),
      ...memorySection(result),
      ...adviceSection(result.advice),
    ],
  };
}

/** Against a baseline the question is another one: whether the earlier answer still holds. */
function toVerdict(result: SizeResult): ReportVerdict {
  const { verdict, partial, recommendation, comparison } = result;
  if (comparison !== undefined) {
    const [title, tone] = comparisonVerdicts[comparison.verdict.kind];
    return {
      tone,
      title,
      sentences: [
        ...sentencesOf({ partial, verdict: comparison.verdict }),
        `This run: ${verdict.because}`,
      ],
    };
  }
  const [title, tone] = verdicts[verdict.kind];
  const bound = recommendation === null ? [] : [`Limited by ${recommendation.limitedBy}.`];
  return {
    tone: partial === null ? tone : 'warn',
    title,
    sentences: [...sentencesOf({ partial, verdict }), ...bound],
  };
}

function listFacts({ recommendation, limits, memory, validation }: SizeResult): readonly Fact[] {
  if (recommendation === null) return [];
  const {
    max,
    interval: [low, high],
    confidence,
    defaultPoolSize,
  } = recommendation;
  const all = max * limits.pools;
  const real = validation?.closed?.load.throughput;
  return [
    {
      label: 'max',
      value: String(max),
      detail:
        limits.pools === 1
          ? 'in one process'
          : `in each of ${limits.pools} pools (${all} connections together)`,
    },
    {
      label: 'interval',
      value: low === high ? `${low}` : `${low} to ${high}`,
      detail: 'when the rounds are drawn anew',
    },
    {
      label: 'confidence',
      value: formatFigure(confidence, 'share'),
      detail: 'of the draws gave this size',
    },
    ...(real === undefined
      ? []
      : [
          {
            label: 'statements/s',
            value: formatFigure(real, 'rate'),
            detail: `of a real pool of ${validation?.max} in one Node process`,
          },
        ]),
    ...(defaultPoolSize === null
      ? []
      : [{ label: 'default_pool_size', value: String(defaultPoolSize), detail: 'of the pooler' }]),
    ...(memory === null
      ? []
      : [
          {
            label: 'memory',
            value: formatFigure(memory.bytes * all, 'bytes'),
            detail: `of ${all} backends on the server`,
          },
        ]),
  ];
}

const curveFields: readonly Field<SizeMeasurement>[] = [
  field('size', 'size', 'count', ({ size }) => size),
  field('throughput_per_second', 'modelled/s', 'rate', ({ throughput }) => throughput),
  field('throughput', '5 % to 95 %', 'rate', ({ low, high }) => [low, high]),
  field('mean_ms', 'mean', 'ms', ({ meanMs }) => meanMs),
  minor('slices', 'slices', 'count', ({ slices }) => slices),
];

function curveSection(result: SizeResult): Section {
  const pick = pickedSize(result);
  const table = tableOf('Throughput by pool size', curveFields, result.sizes, ({ size }) => {
    const marks = [
      ...(size === pick ? ['recommended'] : []),
      ...(size === result.knee ? ['levels off'] : []),
    ];
    return {
      ...(marks.length > 0 && { mark: marks.join(', ') }),
      ...(size === pick && { tone: 'good' as const }),
    };
  });
  return {
    title: 'Throughput by pool size, modelled',
    charts: [throughputChart(result), meanChart(result)],
    tables: [{ ...table, bars: { key: 'throughput', label: 'curve' } }],
  };
}

/** The point of the curve that the recommendation rests on; the `max` of one pool is less where pools share it. */
function pickedSize({ recommendation, goodSize }: SizeResult): number | null {
  return recommendation === null ? null : (goodSize ?? recommendation.max);
}

function throughputChart(result: SizeResult): LineChart {
  const { sizes, slices } = result;
  const best = Math.max(...sizes.map(({ high }) => high));
  const first = sizes[0];
  return {
    kind: 'lines',
    title: 'Statements per second by pool size',
    x: sizeAxis(sizes),
    y: { label: 'statements per second', unit: 'rate', scale: 'linear' },
    lines: [
      {
        name: 'modelled',
        points: sizes.map(({ size, throughput }) => ({ x: size, y: throughput })),
        band: sizes.map(({ size, low, high }) => ({ x: size, low, high })),
      },
      ...(first === undefined || sizes.length < 2
        ? []
        : [
            {
              name: 'ideal',
              isGuide: true,
              points: idealLine(first, best, sizes.at(-1)?.size ?? 1),
            },
          ]),
    ],
    dots: slices.map((slice) => ({
      x: slice.size,
      y: slice.throughput * Math.exp(correctionOf(slice)),
      isFaint: trustIn(correctionOf(slice)) < 1 / 2,
    })),
    marks: [...markLimits(result), ...markKnee(result), ...markPick(result)],
  };
}

/** What each connection would bring if it brought as much as the first, up to the best that was measured. */
function idealLine(
  { size, throughput }: SizeMeasurement,
  best: number,
  largest: number,
): readonly { x: number; y: number }[] {
  const each = throughput / size;
  const end = Math.min(largest, best / each);
  const between = Array.from({ length: 24 }, (_, index) => size * (end / size) ** (index / 23));
  return end <= size ? [] : between.map((x) => ({ x, y: x * each }));
}

function meanChart(result: SizeResult): LineChart {
  const { sizes } = result;
  return {
    kind: 'lines',
    title: 'Mean time of a statement by pool size',
    x: sizeAxis(sizes),
    y: { label: 'mean time', unit: 'ms', scale: 'linear' },
    lines: [{ name: 'mean', points: sizes.map(({ size, meanMs }) => ({ x: size, y: meanMs })) }],
    marks: markPick(result),
  };
}

function sizeAxis(sizes: readonly SizeMeasurement[]): LineChart['x'] {
  return { label: 'pool size', unit: 'count', scale: 'log', ticks: sizes.map(({ size }) => size) };
}

function markPick(result: SizeResult): readonly Mark[] {
  const pick = pickedSize(result);
  const { recommendation } = result;
  if (pick === null || recommendation === null) return [];
  const [low, high] = recommendation.interval;
  const isOnAxis = poolsOnAxis(result) === 1 && high > low;
  return [
    {
      kind: 'pick',
      at: pick,
      ...(isOnAxis && { stretch: [low, high] as const }),
      label: `pick ${pick}`,
    },
  ];
}

function markKnee({ knee, goodSize }: SizeResult): readonly Mark[] {
  return knee === null || knee === goodSize
    ? []
    : [{ kind: 'knee', at: knee, label: `levels off at ${knee}` }];
}

/** Limits within the chart; those beyond it did not matter. */
function markLimits(result: SizeResult): readonly Mark[] {
  const largest = result.sizes.at(-1)?.size ?? 1;
  const marks = result.limits.limits.map(({ name, perPool }): Mark => ({
    kind: 'limit',
    at: perPool * poolsOnAxis(result),
    label: name,
  }));
  return marks.filter(({ at }) => at >= 1 && at <= largest);
}

/** The database is shared by all pools, so that a size of the curve stands for all of them together; what one process can do is each pool's own. */
function poolsOnAxis({ verdict: { kind }, limits: { pools } }: SizeResult): number {
  return kind === 'client-bound' || kind === 'not-saturated' ? 1 : pools;
}

type CheckedLoad = NonNullable<PoolValidation['closed']>['load'];

function validationSection(validation: PoolValidation | null): readonly Section[] {
  if (validation === null) return [];
  const { max, closed, open } = validation;
  const loads: readonly { readonly name: string; readonly load: CheckedLoad }[] = [
    ...(closed === null
      ? []
      : [{ name: `${closed.callers} callers, each sends again on response`, load: closed.load }]),
    ...(open === null
      ? []
      : [
          {
            name: `${formatFigure(open.rate, 'rate')} arrivals/s at random moments`,
            load: open.load,
          },
        ]),
  ];
  if (loads.length === 0) return [];
  const fields = [
    field('load', 'load', 'text', ({ name }: { name: string }) => name),
    ...fieldsOfLoad(({ load }: { load: CheckedLoad }) => load),
  ];
  return [
    {
      title: `Checked with a real pool of ${max}`,
      tables: [tableOf(`Load on a real pg.Pool({ max: ${max} })`, fields, loads)],
      sentences: [
        'A request is one statement. Times are counted from the moment a request was meant to begin; failed requests are in none of them.',
        ...explainDashes(loads.map(({ load }) => load)),
      ],
    },
  ];
}
