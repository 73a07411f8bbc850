import { toPlainText } from '../../activity/plain-text.ts';
import type { SweepEvent, SweepPlan } from '../../sweep/sweep-request.ts';
import { wrapWords } from '../../text/terminal-width.ts';
import { columnsOf, type Terminal } from '../cli-io.ts';
import { clearLine, formatBar, liveLine } from '../probe/probe-progress.ts';

/** Says what a sweep does: one line that changes in place on a terminal, a line for each new step elsewhere. */
export function createSweepProgress(terminal: Terminal): (event: SweepEvent) => void {
  const isLive = terminal.isTTY === true;
  let lastStep = '';
  return (event) => {
    if (event.kind === 'plan') terminal.write(formatPlan(event.plan, columnsOf(terminal)));
    else if (event.kind !== 'progress') terminal.write(isLive ? clearLine : '');
    else if (isLive) terminal.write(liveLine(formatStep(event), terminal));
    else if (stepOf(event) !== lastStep) terminal.write(`${formatStep(event)}\n`);
    lastStep = event.kind === 'progress' ? stepOf(event) : lastStep;
  };
}

/** Seconds that pass would fill the log of a build server. */
function stepOf({ doing }: Extract<SweepEvent, { kind: 'progress' }>): string {
  return doing.replace(/ \(\d+ s\)$/, '');
}

function formatStep({ fraction, doing, load }: Extract<SweepEvent, { kind: 'progress' }>): string {
  const facts =
    load === null
      ? ''
      : `, ${load.users} users${load.requests === null ? '' : `, ${load.requests} requests`}${load.waiting === null ? '' : `, ${load.waiting} waiting`}`;
  return `${formatBar(fraction)}  ${toPlainText(doing)}${facts}`;
}

/** What the sweep is about to do, before it does it. */
export function formatPlan(
  { command, url, method, sizes, steps, expectedMs, notes }: SweepPlan,
  columns: number | null,
): string {
  return [
    `Application: ${toPlainText(command)}`,
    `Request: ${method} ${toPlainText(url)}`,
    `Pool sizes: ${sizes.join(', ')}`,
    ...steps.map((step) => `- ${toPlainText(step)}`),
    `Takes at least ${describeTime(expectedMs)}, longer where the application starts or answers slowly. Ctrl-C stops it and the application.`,
    ...notes.map((note) => `Note: ${toPlainText(note)}`),
    '',
    '',
  ]
    .map((line) => wrapWords(line, columns, 2))
    .join('\n');
}

function describeTime(ms: number): string {
  return ms < 120_000
    ? `${Math.max(1, Math.round(ms / 1000))} s`
    : `${Math.round(ms / 60_000)} minutes`;
}
