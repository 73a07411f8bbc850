import { InvalidArgumentError } from 'commander';
import { systemClock } from '../activity/clock.ts';
import {
  startPoller,
  type ActivitySource,
  type Poller,
  type PollerOptions,
  type PollerState,
} from '../activity/poller.ts';
import { aborted } from '../ownership/aborted.ts';
import { toJson } from '../text/to-json.ts';
import type { DatabaseFailure } from '../database/failure-row.ts';
import type { CliIo } from './cli-io.ts';
import { CouldNotRun } from './exit-code.ts';
import { createLiveScreen } from './live-screen.ts';
import { OptionalValue } from './optional-value.ts';
import { timeOfDay } from './time-of-day.ts';

export interface WatchOptions<Report> {
  readonly source: ActivitySource<Report>;
  readonly seconds: number;
  /** Null prints a line of JSON for each sample. */
  readonly describe: ((report: Report) => string) | null;
}

/** Looks again and again. Ends, with the terminal as it was, when the signal does. */
export async function watch<Report extends { readonly takenAt: string }>(
  { source, seconds, describe }: WatchOptions<Report>,
  io: CliIo,
): Promise<void> {
  const screen = createLiveScreen(io.stdout, io.onExit);
  const onState =
    describe === null
      ? (state: PollerState<Report>) => showLine(state, io)
      : (state: PollerState<Report>) => screen.show(describeState(state, describe));
  try {
    await pollUntil(io.signal, { source, seconds, onState });
  } finally {
    screen.end();
  }
}

interface PollUntilOptions<Report> extends Pick<PollerOptions<Report>, 'source' | 'onState'> {
  readonly seconds: number;
  readonly onStart?: (poller: Poller) => void;
}

/** Looks until the signal aborts, and resolves when the connection is closed. Rejects with an error of our own. */
export async function pollUntil<Report>(
  signal: AbortSignal,
  { source, seconds, onState, onStart }: PollUntilOptions<Report>,
): Promise<void> {
  let breakDown: (error: unknown) => void = () => undefined;
  const broken = new Promise<never>((_, reject) => (breakDown = reject));
  const poller = startPoller<Report>({
    source,
    clock: systemClock,
    onState: (state) => {
      if (state.kind === 'lost' && state.retryInMs === null) breakDown(errorOf(state.failure));
      else onState(state);
    },
    intervalMs: seconds * 1_000,
    signal,
  });
  try {
    onStart?.(poller);
    await Promise.race([aborted(signal), broken]);
  } finally {
    await poller.stop();
  }
}

/** What a failure ends the command with that nothing is tried again after. */
function errorOf(failure: DatabaseFailure): unknown {
  return failure.kind === 'unexpected' ? failure.error : new CouldNotRun(failure.sentence);
}

/** A line of JSON for each sample. */
function showLine(state: PollerState<unknown>, { stdout, stderr }: CliIo): void {
  if (state.kind === 'live') stdout.write(`${toJson(state.report)}\n`);
  if (state.kind === 'lost') stderr.write(`${lostSentence(state)}\n`);
}

function describeState<Report extends { readonly takenAt: string }>(
  state: PollerState<Report>,
  describe: (report: Report) => string,
): string {
  if (state.kind === 'connecting' || state.kind === 'paused') return 'Connecting …';
  if (state.kind === 'live')
    return `Live at ${timeOfDay(state.report.takenAt)}, again in ${(state.nextInMs / 1_000).toFixed(1)} s. Ctrl-C ends.\n\n${describe(state.report)}`;
  const { report } = state;
  return `${lostSentence(state)} Ctrl-C ends.${report === null ? '' : `\nLast sample: ${timeOfDay(report.takenAt)}.\n\n${describe(report)}`}`;
}

export function lostSentence({
  failure,
  retryInMs,
}: Extract<PollerState<unknown>, { kind: 'lost' }>): string {
  return retryInMs === null
    ? failure.sentence
    : `${failure.sentence} Trying again in ${(retryInMs / 1_000).toFixed(1)} s.`;
}

/** `--watch [seconds]`; what begins with no digit names the database. */
export function watchOption(description: string): OptionalValue {
  return new OptionalValue('--watch [seconds]', description, (word) =>
    /^[+.]?\d/u.test(word),
  ).argParser(readSeconds);
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds >= 0.5 && seconds <= 3_600))
    throw new InvalidArgumentError('It must be a number of seconds between 0.5 and 3600.');
  return seconds;
}
