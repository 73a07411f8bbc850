import { emptyActivity, nextActivity, type ActivityModel } from '../activity/activity-model.ts';
import type { ActivitySource, Poller, PollerState } from '../activity/poller.ts';
import type { Thresholds } from '../activity/thresholds.ts';
import { describeActivity, type ActivityView } from './activity-text.ts';
import type { CliIo } from './cli-io.ts';
import { createLiveScreen } from './live-screen.ts';
import { timeOfDay } from './time-of-day.ts';
import { lostSentence, pollUntil, showLine } from './watch.ts';
import { keysHelp, pressKey, type WatchChoice } from './watch-choice.ts';

export interface WatchActivityOptions {
  readonly source: ActivitySource;
  readonly seconds: number;
  readonly thresholds: Thresholds;
  readonly view: ActivityView;
  readonly printsJson: boolean;
  readonly io: CliIo;
}

/** Looks until the signal aborts or a key ends it, and leaves the terminal as it was. */
export async function watchActivity({
  source,
  seconds,
  thresholds,
  view,
  printsJson,
  io,
}: WatchActivityOptions): Promise<void> {
  const stopper = new AbortController();
  const signal = AbortSignal.any([io.signal, stopper.signal]);
  const screen = createLiveScreen(io.stdout);
  const readsKeys = io.onKey !== undefined && io.stdout.isTTY === true && !printsJson;
  let choice: WatchChoice = {
    intervalSeconds: seconds,
    isPaused: false,
    listsAll: view.listsAll,
    order: view.order ?? null,
  };
  let model: ActivityModel = emptyActivity;
  let last: PollerState = { kind: 'connecting' };
  const draw = () =>
    screen.show(frame(last, model, { ...view, ...choice, ...sizeOf(io.stdout) }, readsKeys));
  const onState = (state: PollerState) => {
    last = state;
    if (state.kind === 'live') model = nextActivity(model, state.report, { thresholds });
    if (printsJson) showLine(state, io);
    else draw();
  };
  const receive = (poller: Poller, key: string) => {
    const answer = pressKey(key, choice);
    if (answer.kind === 'quit') stopper.abort();
    if (answer.kind === 'look') poller.refresh();
    if (answer.kind !== 'choice') return;
    tell(poller, choice, answer.choice);
    choice = answer.choice;
    draw();
  };
  let stopKeys: (() => void) | undefined;
  const onStart = (poller: Poller) => {
    if (readsKeys) stopKeys = io.onKey?.((key) => receive(poller, key));
  };
  try {
    await pollUntil(signal, { source, seconds, onState, onStart });
  } finally {
    stopKeys?.();
    screen.end();
  }
}

/** How much fits on the terminal; null where there is none. */
function sizeOf({ isTTY, columns, rows }: CliIo['stdout']): Pick<ActivityView, 'columns' | 'rows'> {
  return isTTY === true
    ? { columns: columns ?? null, rows: rows ?? null }
    : { columns: null, rows: null };
}

function tell(
  poller: Poller,
  before: WatchChoice,
  { isPaused, intervalSeconds }: WatchChoice,
): void {
  if (intervalSeconds !== before.intervalSeconds) poller.setIntervalMs(intervalSeconds * 1_000);
  if (isPaused && !before.isPaused) poller.pause();
  if (!isPaused && before.isPaused) poller.resume();
}

type FrameView = ActivityView & Pick<WatchChoice, 'intervalSeconds' | 'order'>;

function frame(
  state: PollerState,
  model: ActivityModel,
  view: FrameView,
  readsKeys: boolean,
): string {
  const how = readsKeys
    ? `\n${keysHelp}${view.order === null ? '' : `; sorted by ${view.order.column} ${view.order.isDescending ? '▼' : '▲'}`}`
    : '';
  const ends = readsKeys ? '' : ' Ctrl-C ends.';
  const body = model.report === null ? '' : `\n\n${describeActivity(model, view)}`;
  const seen =
    model.report === null ? '' : `\nBelow is what was seen at ${timeOfDay(model.report.takenAt)}.`;
  switch (state.kind) {
    case 'connecting':
      return `Connecting …${how}${body}`;
    case 'paused':
      return `Paused: the connection is closed.${ends}${seen}${how}${body}`;
    case 'live':
      return `Live at ${timeOfDay(state.report.takenAt)}, again in ${(state.nextInMs / 1_000).toFixed(1)} s.${ends}${how}${body}`;
    case 'lost':
      return `${lostSentence(state)}${ends}${seen}${how}${body}`;
  }
}
