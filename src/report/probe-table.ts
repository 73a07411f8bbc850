import Table from 'cli-table3';
import pc from 'picocolors';
import { toPlainText } from '../activity/plain-text.ts';
import type { PoolValidation, ProbeResult, SizeMeasurement } from '../probe/result.ts';

export interface ProbeTextOptions {
  readonly isColored: boolean;
  /** Worker processes that share the server. */
  readonly workers: number;
}

/** A probe's answer for a terminal: the curve, the verdict, and the line to paste. Ends with a line break. */
export function formatProbe(result: ProbeResult, { isColored, workers }: ProbeTextOptions): string {
  const colors = pc.createColors(isColored);
  const { verdict, recommendation, notes, server } = result;
  const lines = [
    `${toPlainText(server.database)} on ${toPlainText(server.host)}:${server.port}, PostgreSQL ${toPlainText(server.version)}: ${result.rounds} rounds in ${(result.elapsedMs / 1000).toFixed(1)} s`,
    colors.dim(toPlainText(result.statement)),
    '',
    ...(result.sizes.length === 0 ? [] : [formatCurve(result), '']),
    `${colors.bold(verdictTitles[verdict.kind])}  ${toPlainText(verdict.because)}`,
    ...(recommendation === null ? [] : ['', ...formatRecommendation(result, workers).map((line, index) => (index === 0 ? colors.green(line) : line))]),
    ...(result.validation === null ? [] : ['', formatValidation(result.validation)]),
    ...(Object.keys(result.errors).length === 0 ? [] : ['', `Failed statements: ${formatErrors(result)}.`]),
    ...notes.map((note) => colors.dim(`\nNote: ${toPlainText(note)}`)),
  ];
  return `${lines.join('\n')}\n`;
}

/** The same as Markdown, for a pull request or a report. */
export function formatProbeAsMarkdown(result: ProbeResult, workers: number): string {
  const { verdict, recommendation } = result;
  const rows = result.sizes.map((size) => `| ${markOf(size, result) === '' ? size.size : `**${size.size}** (${markOf(size, result)})`} | ${formatRate(size.throughput)} | ${formatRange(size)} | ${formatMs(size.meanMs)} | ${size.acceptedSlices} of ${size.slices} |`);
  const lines = [
    `**${verdictTitles[verdict.kind]}** ${escapeMarkdown(verdict.because)}`,
    '',
    ...(recommendation === null ? [] : ['```js', ...formatRecommendation(result, workers).slice(0, 1), '```', '', ...formatRecommendation(result, workers).slice(1).map(escapeMarkdown), '']),
    ...(rows.length === 0 ? [] : ['| pool size | statements/s | 5 % to 95 % | mean | slices |', '|---:|---:|---:|---:|---:|', ...rows, '']),
    ...(result.validation === null ? [] : [formatValidation(result.validation), '']),
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

const verdictTitles: Readonly<Record<ProbeResult['verdict']['kind'], string>> = {
  found: 'Found.',
  'not-saturated': 'Not saturated.',
  'client-bound': 'Bound by the client.',
  'host-bound': 'Bound by this machine.',
  'lock-bound': 'Bound by a lock.',
  'too-noisy': 'Too noisy to say.',
};

const noBorders = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right', 'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'].map((edge) => [edge, '']),
);

function formatCurve(result: ProbeResult): string {
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

function markOf({ size }: SizeMeasurement, { recommendation, knee }: ProbeResult): string {
  return [recommendation?.max === size ? 'recommended' : '', knee === size ? 'knee' : ''].filter((mark) => mark !== '').join(', ');
}

function formatRecommendation({ recommendation }: ProbeResult, workers: number): readonly string[] {
  if (recommendation === null) return [];
  const { max, interval: [low, high], confidence, limitedBy } = recommendation;
  const share = workers === 1 ? '' : ` in each of ${workers} workers (${max * workers} connections together)`;
  return [
    `new Pool({ max: ${max} })`,
    `Use it${share === '' ? ' in one process' : share}. Bounded by ${limitedBy}.`,
    `Drawing the rounds anew gave ${low === high ? `${low}` : `${low} to ${high}`}, and this size in ${Math.round(confidence * 100)} % of the draws.`,
  ];
}

function formatValidation({ max, callers, throughput, averageMs, averageWaitMs, averageDatabaseMs, p50Ms, p95Ms, p99Ms, peakWaiting }: PoolValidation): string {
  const p99 = p99Ms === null ? '' : `, p99 ${formatMs(p99Ms)}`;
  return `Checked with a real pool of ${max} and ${callers} callers: ${formatRate(throughput)} statements/s; average ${formatMs(averageMs)} (${formatMs(averageWaitMs)} waiting for a client + ${formatMs(averageDatabaseMs)} in the database), p50 ${formatMs(p50Ms)}, p95 ${formatMs(p95Ms)}${p99}; at most ${peakWaiting} waiting.`;
}

function formatErrors({ errors }: ProbeResult): string {
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
