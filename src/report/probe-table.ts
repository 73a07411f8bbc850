import Table from 'cli-table3';
import pc from 'picocolors';
import { toPlainText } from '../activity/plain-text.ts';
import type { PoolValidation, SizeResult, SizeMeasurement } from '../probe/result.ts';

export interface ProbeTextOptions {
  readonly isColored: boolean;
}

/** A probe's answer for a terminal: the curve, the verdict, and the line to paste. Ends with a line break. */
export function formatProbe(result: SizeResult, { isColored }: ProbeTextOptions): string {
  const colors = pc.createColors(isColored);
  const { verdict, recommendation, notes, server } = result;
  const lines = [
    `${toPlainText(server.database)} on ${toPlainText(server.host)}:${server.port}, PostgreSQL ${toPlainText(server.version)}: ${result.rounds} rounds in ${(result.elapsedMs / 1000).toFixed(1)} s`,
    ...result.workload.statements.map(({ text }) => colors.dim(toPlainText(text))),
    '',
    ...(result.sizes.length === 0 ? [] : [formatCurve(result), '']),
    `${colors.bold(verdictTitles[verdict.kind])}  ${toPlainText(verdict.because)}`,
    ...(recommendation === null ? [] : ['', ...formatRecommendation(result).map((line, index) => (index === 0 ? colors.green(line) : line))]),
    ...formatValidation(result.validation).flatMap((line) => ['', line]),
    ...(Object.keys(result.errors).length === 0 ? [] : ['', `Failed statements: ${formatErrors(result)}.`]),
    ...notes.map((note) => colors.dim(`\nNote: ${toPlainText(note)}`)),
  ];
  return `${lines.join('\n')}\n`;
}

/** The same as Markdown, for a pull request or a report. */
export function formatProbeAsMarkdown(result: SizeResult): string {
  const { verdict, recommendation } = result;
  const rows = result.sizes.map((size) => `| ${markOf(size, result) === '' ? size.size : `**${size.size}** (${markOf(size, result)})`} | ${formatRate(size.throughput)} | ${formatRange(size)} | ${formatMs(size.meanMs)} | ${size.acceptedSlices} of ${size.slices} |`);
  const lines = [
    `**${verdictTitles[verdict.kind]}** ${escapeMarkdown(verdict.because)}`,
    '',
    ...(recommendation === null ? [] : ['```js', ...formatRecommendation(result).slice(0, 1), '```', '', ...formatRecommendation(result).slice(1).map(escapeMarkdown), '']),
    ...(rows.length === 0 ? [] : ['| pool size | statements/s | 5 % to 95 % | mean | slices |', '|---:|---:|---:|---:|---:|', ...rows, '']),
    ...formatValidation(result.validation).flatMap((line) => [line, '']),
    ...result.notes.map((note) => `- ${escapeMarkdown(note)}`),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Throughput by size as one character each, for a line that changes in place. */
export function formatSparkline(sizes: readonly SizeMeasurement[]): string {
  const best = Math.max(...sizes.map(({ throughput }) => throughput));
  const blocks = '▁▂▃▄▅▆▇█';
  return sizes.map(({ throughput }) => blocks.charAt(Math.min(7, Math.floor((throughput / best) * 8)))).join('');
}

const verdictTitles: Readonly<Record<SizeResult['verdict']['kind'], string>> = {
  found: 'Found.',
  'not-saturated': 'Not saturated.',
  'client-bound': 'Bound by the client.',
  'host-bound': 'Bound by this machine.',
  'lock-bound': 'Bound by a lock.',
  'pooler-bound': 'Bound by the pooler.',
  'too-noisy': 'Too noisy to say.',
};

const noBorders = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right', 'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'].map((edge) => [edge, '']),
);

function formatCurve(result: SizeResult): string {
  const table = new Table({
    head: ['size', 'statements/s', '5 % to 95 %', 'mean', 'curve'],
    colAligns: ['right', 'right', 'right', 'right', 'left'],
    chars: { ...noBorders, middle: ' ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 1 },
  });
  const best = Math.max(...result.sizes.map(({ high }) => high));
  for (const size of result.sizes) {
    table.push([String(size.size), formatRate(size.throughput), formatRange(size), formatMs(size.meanMs), `${drawBar(size, best)} ${markOf(size, result)}`.trimEnd()]);
  }
  return table.toString().split('\n').map((line) => line.trimEnd()).join('\n');
}

const barWidth = 30;

/** Solid up to the lower bound, shaded up to the upper one. */
function drawBar({ low, high }: SizeMeasurement, best: number): string {
  const [solid, end] = [low, high].map((value) => Math.round((value / best) * barWidth));
  return '█'.repeat(solid ?? 0) + '▒'.repeat(Math.max(0, (end ?? 0) - (solid ?? 0)));
}

function markOf({ size }: SizeMeasurement, { recommendation, knee }: SizeResult): string {
  return [recommendation?.max === size ? 'recommended' : '', knee === size ? 'knee' : ''].filter((mark) => mark !== '').join(', ');
}

function formatRecommendation({ recommendation, limits }: SizeResult): readonly string[] {
  if (recommendation === null) return [];
  const { max, interval: [low, high], confidence, limitedBy } = recommendation;
  const share = limits.pools === 1 ? '' : ` in each of ${limits.pools} pools (${max * limits.pools} connections together)`;
  return [
    `new Pool({ max: ${max} })`,
    `Use it${share === '' ? ' in one process' : share}. Bounded by ${limitedBy}.`,
    `Drawing the rounds anew gave ${low === high ? `${low}` : `${low} to ${high}`}, and this size in ${Math.round(confidence * 100)} % of the draws.`,
  ];
}

function formatValidation(validation: PoolValidation | null): readonly string[] {
  if (validation === null || validation.closed === null) return [];
  const { max, closed: { callers, load: { throughput, latency, wait, database, peakWaiting } } } = validation;
  if (latency === null || wait === null || database === null) return [];
  const tail = ([['p95', latency.p95Ms], ['p99', latency.p99Ms]] as const).flatMap(([name, ms]) => (ms === null ? [] : [`, ${name} ${formatMs(ms)}`])).join('');
  return [`Checked with a real pool of ${max} and ${callers} callers: ${formatRate(throughput)} statements/s; average ${formatMs(latency.averageMs)} (${formatMs(wait.averageMs)} waiting for a client + ${formatMs(database.averageMs)} in the database), p50 ${formatMs(latency.p50Ms)}${tail}; at most ${peakWaiting} waiting.`];
}

function formatErrors({ errors }: SizeResult): string {
  return Object.entries(errors).map(([code, count]) => `${count} × ${toPlainText(code)}`).join(', ');
}

function formatRange({ low, high }: SizeMeasurement): string {
  return `${formatRate(low)} – ${formatRate(high)}`;
}

function formatRate(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond).toLocaleString('en-US');
}

function formatMs(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

function escapeMarkdown(text: string): string {
  return toPlainText(text).replace(/[\\`*_<>|[\]]/g, '\\$&');
}
