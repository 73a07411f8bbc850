import { emptyActivity, nextActivity, type ActivityModel } from '../activity/activity-model.ts';
import {
  describeEnding,
  type EndingOutcome,
  type EndingRequest,
} from '../activity/ending-words.ts';
import type { ActivitySource, Poller, PollerState } from '../activity/poller.ts';
import type { Session } from '../activity/snapshot.ts';
import type { Thresholds } from '../activity/thresholds.ts';
import { isPrivateHost } from '../database/private-host.ts';
import { aborted } from '../ownership/aborted.ts';
import { drawScreen } from './activity-screen.ts';
import { describeActivity, type ActivityView } from './activity-text.ts';
import type { CliIo } from './cli-io.ts';
import { createLiveScreen, type LiveScreen } from './live-screen.ts';
import { listedSessions } from './session-table.ts';
import { followSelected, pressKey, type Question, type WatchChoice } from './watch-choice.ts';
import { pollUntil, watch } from './watch.ts';

export interface WatchActivityOptions {
  readonly source: ActivitySource;
  /** Ends a session of the server. */
  readonly end: (request: EndingRequest, signal: AbortSignal) => Promise<EndingOutcome>;
  readonly seconds: number;
  readonly thresholds: Thresholds;
  readonly view: ActivityView;
  readonly printsJson: boolean;
  readonly io: CliIo;
}

/** Samples until the signal aborts or a key ends it, and leaves the terminal as it was. Without keys, or for a program, it only shows. */
export async function watchActivity(options: WatchActivityOptions): Promise<void> {
  const { source, seconds, thresholds, view, printsJson, io } = options;
  if (io.onKey !== undefined && io.stdout.isTTY === true && !printsJson)
    return new ActivityWatch(options, io.onKey).run();
  let model = emptyActivity;
  const describe = (report: NonNullable<ActivityModel['report']>) => {
    if (report !== model.report) model = nextActivity(model, report, { thresholds });
    const { isTTY, columns, rows } = io.stdout;
    const size = isTTY === true ? { columns: columns ?? null, rows: rows ?? null } : {};
    return describeActivity(model, { ...view, ...size });
  };
  await watch({ source, seconds, describe: printsJson ? null : describe }, io);
}

/** The interactive screen: keys change the choice, samples the model, and both are drawn. */
class ActivityWatch {
  readonly #options: WatchActivityOptions;
  readonly #onKey: NonNullable<CliIo['onKey']>;
  readonly #stopper = new AbortController();
  readonly #signal: AbortSignal;
  readonly #screen: LiveScreen;
  #choice: WatchChoice;
  #model: ActivityModel = emptyActivity;
  #state: PollerState = { kind: 'connecting' };
  /** As they are shown. */
  #sessions: readonly Session[] = [];
  #top = 0;
  #page = 1;
  #ending: Promise<void> | null = null;

  constructor(options: WatchActivityOptions, onKey: NonNullable<CliIo['onKey']>) {
    const { io, seconds, view } = options;
    this.#options = options;
    this.#onKey = onKey;
    this.#signal = AbortSignal.any([io.signal, this.#stopper.signal]);
    this.#screen = createLiveScreen(io.stdout, io.onExit);
    this.#choice = {
      intervalSeconds: seconds,
      isPaused: false,
      listsAll: view.listsAll,
      order: view.order ?? null,
      selected: null,
      question: null,
      notice: '',
      showsHelp: false,
    };
  }

  async run(): Promise<void> {
    const { source, seconds, io } = this.#options;
    let stopKeys: (() => void) | undefined;
    const stopResize = io.onResize?.(() => this.#draw());
    try {
      await pollUntil(this.#signal, {
        source,
        seconds,
        onState: (state) => this.#receive(state),
        onStart: (poller) => (stopKeys = this.#onKey((key) => this.#press(key, poller))),
      });
    } finally {
      stopResize?.();
      stopKeys?.();
      this.#screen.end();
      await this.#ending;
    }
  }

  #receive(state: PollerState): void {
    this.#state = state;
    if (state.kind === 'live') {
      const { thresholds } = this.#options;
      this.#model = nextActivity(this.#model, state.report, { thresholds });
    }
    this.#draw();
  }

  #press(key: string, poller: Poller): void {
    const takenAt = this.#model.report?.takenAt ?? null;
    const answer = pressKey(key, this.#choice, {
      sessions: this.#sessions,
      takenAt,
      page: this.#page,
    });
    if (answer.kind === 'quit') this.#stopper.abort();
    if (answer.kind === 'look') poller.refresh();
    if (answer.kind !== 'choice' && answer.kind !== 'end') return;
    follow(poller, this.#choice, answer.choice);
    this.#choice = answer.choice;
    if (answer.kind === 'end') this.#end(answer.question, poller);
    this.#draw();
  }

  /** One after the other, in the order of the answers. */
  #end({ action, session, seenAt }: Question, poller: Poller): void {
    const request = { action, pid: session.pid, backendStart: session.backendStart, seenAt };
    const before = this.#ending ?? Promise.resolve();
    this.#ending = before
      .then(() => Promise.race([this.#options.end(request, this.#signal), aborted(this.#signal)]))
      .then((outcome) => {
        if (outcome === undefined || this.#signal.aborted) return;
        this.#choice = {
          ...this.#choice,
          notice: describeEnding(outcome, action, session).sentence,
        };
        poller.refresh();
        this.#draw();
      });
  }

  #draw(): void {
    if (this.#signal.aborted) return;
    const { view, io } = this.#options;
    const { listsAll, order } = this.#choice;
    const listed = { ...view, listsAll, order };
    this.#sessions = listedSessions(this.#model, listed);
    this.#choice = {
      ...this.#choice,
      selected: followSelected(this.#sessions, this.#choice.selected),
    };
    const server = this.#model.report?.server;
    const { lines, top, page } = drawScreen(this.#model, {
      ...listed,
      columns: io.stdout.columns ?? 80,
      rows: io.stdout.rows ?? 24,
      choice: this.#choice,
      sessions: this.#sessions,
      state: this.#state,
      place: {
        isPrivate: server === undefined || isPrivateHost(server.host),
        isPooled: server?.isPooled === true,
      },
      top: this.#top,
    });
    this.#top = top;
    this.#page = page;
    this.#screen.show(lines.join('\n'));
  }
}

function follow(
  poller: Poller,
  before: WatchChoice,
  { isPaused, intervalSeconds }: WatchChoice,
): void {
  if (intervalSeconds !== before.intervalSeconds) poller.setIntervalMs(intervalSeconds * 1_000);
  if (isPaused && !before.isPaused) poller.pause();
  if (!isPaused && before.isPaused) poller.resume();
}
