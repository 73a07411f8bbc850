import { judgeK6, type K6Judgement } from '../../k6/judge-k6.ts';
import type { K6Result, K6Threshold } from '../../k6/k6-result.ts';
import { describeErrors, formatFigure } from '../units.ts';
import { field, type Field, type LineChart, type Report, tableOf, type Tone } from '../report.ts';

const verdicts: Readonly<Record<K6Judgement['kind'], readonly [title: string, tone: Tone]>> = {
  'no-answers': ['No answer.', 'bad'],
  dropped: ['Not the load that was asked for.', 'bad'],
  failed: ['Requests failed.', 'bad'],
  crossed: ['A threshold was crossed.', 'warn'],
  'kept-up': ['Kept up.', 'good'],
};

const fields: readonly Field<K6Result>[] = [
  field('max', 'max', 'count', ({ pool }) => pool),
  field('requests', 'requests', 'count', ({ requests }) => requests),
  field('throughput_per_second', 'requests/s', 'rate', ({ throughput }) => throughput),
  field('average_ms', 'average', 'ms', ({ latency }) => latency?.averageMs ?? null),
  field('p50_ms', 'p50', 'ms', ({ latency }) => latency?.p50Ms ?? null),
  field('p95_ms', 'p95', 'ms', ({ latency }) => latency?.p95Ms ?? null),
  field('p99_ms', 'p99', 'ms', ({ latency }) => latency?.p99Ms ?? null),
  field('dropped', 'dropped', 'count', ({ dropped }) => dropped),
  field('errors', 'errors', 'text', ({ errors }) => describeErrors(errors)),
];

const thresholdFields: readonly Field<K6Threshold>[] = [
  field('metric', 'metric', 'text', ({ metric }) => metric),
  field('condition', 'condition', 'text', ({ condition }) => condition),
  field('judgement', 'judgement', 'text', ({ passed }) => (passed ? 'passed' : 'crossed')),
];

/** A run of k6 with a script of ours. */
export function k6Report(result: K6Result): Report {
  const { from, url, method, pools, segment, load, thresholds, elapsedMs, allocatedVUs } = result;
  const judgement = judgeK6(result);
  const [title, tone] = verdicts[judgement.kind];
  const most = Math.max(0, ...load.stages.map(({ target }) => target));
  return {
    title: 'Load by k6',
    place: [
      `${method} ${url}`,
      `${(elapsedMs / 1000).toFixed(1)} s`,
      `the load of poolguard ${from}`,
      ...(pools === 1 ? [] : [`${formatFigure(pools, 'count')} pools`]),
    ],
    statements: [],
    verdict: { tone, title, sentences: judgement.sentences },
    facts: [
      {
        label: load.form === 'users' ? 'users' : 'arrivals/s',
        value: formatFigure(most, 'count'),
        detail:
          load.form === 'users'
            ? `at most, each pausing ${formatFigure(load.thinkMs, 'ms')} after an answer`
            : 'at most, whether earlier ones are answered or not',
      },
      {
        label: 'VUs',
        value: formatFigure(allocatedVUs, 'count'),
        detail:
          load.maxVUs === null
            ? 'one for each user'
            : `of at most ${formatFigure(load.maxVUs, 'count')}`,
      },
    ],
    snippets: [],
    sections: [
      {
        title: 'What the callers saw',
        charts: load.stages.length > 1 ? [loadChart(result)] : [],
        tables: [tableOf('Load by k6', fields, [result])],
      },
      ...(thresholds.length === 0
        ? []
        : [
            {
              title: 'Thresholds',
              tables: [
                tableOf('What k6 judged the run by', thresholdFields, thresholds, ({ passed }) => ({
                  tone: passed ? 'good' : 'bad',
                })),
              ],
            },
          ]),
    ],
    // The table has them; this place is that of failed statements.
    errors: {},
    notes: notesOf(result, segment),
  };
}

function notesOf(
  { latency, load, thresholds }: K6Result,
  segment: string | null,
): readonly string[] {
  return [
    ...(segment === null
      ? []
      : [
          `This is the part ${segment} of a load that several runs of k6 shared: requests, failures and dropped arrivals of all parts add up, percentiles do not.`,
        ]),
    ...(latency === null &&
    thresholds.some(({ metric, passed }) => passed && metric.startsWith('http_req_duration'))
      ? ['A threshold on the time of answers counts as passed where there is no answer.']
      : []),
    ...(load.form === 'users'
      ? [
          'Users wait for their answers: a slow application is asked less, so compare requests before times.',
        ]
      : []),
  ];
}

/** What was asked for; k6's summary holds no course over time of what came of it. */
function loadChart({ load: { form, stages } }: K6Result): LineChart {
  let at = 0;
  const ends = stages.map(({ seconds, target }) => ({ from: at, to: (at += seconds), y: target }));
  const points =
    form === 'users'
      ? [{ x: 0, y: 0 }, ...ends.map(({ to, y }) => ({ x: to, y }))]
      : ends.flatMap(({ from, to, y }) => [
          { x: from, y },
          { x: to, y },
        ]);
  return {
    kind: 'lines',
    title: form === 'users' ? 'Users, as asked for' : 'Arrivals, as asked for',
    x: { label: 'seconds since the load began', unit: 'count', scale: 'linear' },
    y: { label: form === 'users' ? 'users' : 'arrivals/s', unit: 'count', scale: 'linear' },
    lines: [{ name: form, points }],
  };
}
