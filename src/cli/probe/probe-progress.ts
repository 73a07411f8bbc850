import { toPlainText } from '../../activity/plain-text.ts';
import { describeRole } from '../../activity/role-power.ts';
import { describePlace } from '../../database/target.ts';
import type { ProbeEvent, ProbePlan } from '../../probe/result.ts';
import { formatSparkline } from '../../report/sparkline.ts';
import { cutToWidth, wrapWords } from '../../text/terminal-width.ts';
import { columnsOf, type Terminal } from '../cli-io.ts';

/** Of a terminal. */
export const clearLine = '\r\u001B[2K';

/** Replaces the line that changes in place. One that is wider than the terminal could not be cleared. */
export function liveLine(text: string, terminal: Terminal): string {
  return `${clearLine}${cutToWidth(text, columnsOf(terminal) ?? Infinity)}`;
}

/** Says what a probe does: one line that changes in place on a terminal, a line for each new step elsewhere. */
export function createProbeProgress(terminal: Terminal): (event: ProbeEvent) => void {
  const isLive = terminal.isTTY === true;
  let lastStep = '';
  return (event) => {
    if (event.kind === 'plan')
      terminal.write(
        `${isLive && lastStep !== '' ? clearLine : ''}${formatPlan(event.plan, columnsOf(terminal))}`,
      );
    else if (event.kind !== 'progress') terminal.write(isLive ? clearLine : '');
    else if (isLive) terminal.write(liveLine(formatStep(event), terminal));
    else if (stepOf(event) !== lastStep) terminal.write(`${formatStep(event)}\n`);
    lastStep = event.kind === 'progress' ? stepOf(event) : lastStep;
  };
}

/** Who leads within a round changes with each slice, which would fill the log of a build server. */
function stepOf({ doing }: Extract<ProbeEvent, { kind: 'progress' }>): string {
  return doing.split(':')[0] ?? '';
}

/** What the probe is about to do, before it does it. */
export function formatPlan(
  {
    experiment,
    place,
    role,
    free,
    sizes,
    statements,
    calls,
    steps,
    connections,
    expectedMs,
    cap,
    notes,
  }: ProbePlan,
  columns: number | null,
): string {
  return [
    `Database: ${toPlainText(place.database)} on ${toPlainText(describePlace(place))}, as ${describeRole(role)}`,
    ...statements.map((statement) => `Statement: ${toPlainText(statement)}`),
    ...calls.map((call) => `Calls: ${toPlainText(call)}`),
    ...(sizes.length === 0
      ? []
      : [`Pool sizes: ${sizes.join(', ')} (at most ${cap.size}: ${toPlainText(cap.because)})`]),
    ...steps.map((step) => `- ${toPlainText(step)}`),
    `Opens up to ${connections} connections, of ${free} that were free, for about ${Math.max(1, Math.round(expectedMs / 1000))} s. ${experiment === 'size' ? 'Ctrl-C ends the probe with what is known by then; a second one cancels it.' : 'Ctrl-C stops and closes them.'}`,
    ...notes.map((note) => `Note: ${toPlainText(note)}`),
    '',
    '',
  ]
    .map((line) => wrapWords(line, columns, 2))
    .join('\n');
}

const barWidth = 20;

/** For example "██████░░░░  60 %". */
export function formatBar(fraction: number): string {
  const full = Math.round(fraction * barWidth);
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${String(Math.round(fraction * 100)).padStart(3)} %`;
}

function formatStep({ fraction, doing, sizes }: Extract<ProbeEvent, { kind: 'progress' }>): string {
  return `${formatBar(fraction)}  ${formatSparkline(sizes)}  ${toPlainText(doing)}`;
}
