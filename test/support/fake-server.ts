import type { ActivityAnswer, ActivitySource } from '../../src/activity/poller.ts';
import type { ActivityReport } from '../../src/activity/snapshot.ts';
import type { EndingOutcome } from '../../src/activity/ending-words.ts';
import type { DatabaseFailure } from '../../src/database/failure-row.ts';
import type { DatabaseSession } from '../../src/database/session.ts';
import type { OpenConnection } from '../../src/editor/activity/live-connection.ts';

const died: DatabaseFailure = { kind: 'lost', sentence: 'The server died.', code: null };

/** Knows who is connected to it. Each step of a talk happens when `pace` lets it. */
export class FakeServer<Report = ActivityReport> {
  readonly #pace: (step: string) => Promise<unknown>;
  readonly #report: Report;
  readonly #sessions = new Map<object, () => void>();
  /** Steps of those who look that are on their way. */
  steps = 0;
  /** Sessions that are being ended. */
  endings = 0;
  /** How many have looked at a time. */
  mostLookers = 0;
  #lookers = 0;

  constructor(pace: (step: string) => Promise<unknown>, report: Report) {
    this.#pace = pace;
    this.#report = report;
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  /** Every session is lost. */
  die(): void {
    for (const lose of [...this.#sessions.values()]) lose();
  }

  /** Ends a session of somebody else's, over one of its own. */
  async terminate(signal: AbortSignal): Promise<EndingOutcome> {
    this.endings += 1;
    await this.#pace('dial');
    const session = {};
    if (!signal.aborted) this.#sessions.set(session, () => this.#sessions.delete(session));
    await this.#pace('terminate');
    this.#sessions.delete(session);
    this.endings -= 1;
    return { kind: 'ended' };
  }

  source(
    { target }: Pick<OpenConnection, 'target'>,
    onOpen: (session: DatabaseSession) => void = () => undefined,
  ): ActivitySource<Report> {
    return {
      open: async (signal) => {
        await this.#step('dial');
        if (signal.aborted) return { kind: 'failed', failure: died };
        const [session, listeners] = [{}, new Set<() => void>()];
        this.#sessions.set(session, () => {
          this.#sessions.delete(session);
          for (const listener of listeners) listener();
        });
        this.#lookers += 1;
        this.mostLookers = Math.max(this.mostLookers, this.#lookers);
        onOpen({ target, isPooled: false } as DatabaseSession);
        return {
          kind: 'opened',
          reader: {
            read: () => this.#look(session),
            onLost: (listener) => {
              listeners.add(listener);
              return () => void listeners.delete(listener);
            },
            close: async () => {
              await this.#step('hang up');
              this.#sessions.delete(session);
              this.#lookers -= 1;
            },
          },
        };
      },
    };
  }

  async #look(session: object): Promise<ActivityAnswer<Report>> {
    await this.#step('look');
    return this.#sessions.has(session)
      ? { kind: 'report', report: this.#report }
      : { kind: 'failed', failure: died };
  }

  async #step(name: string): Promise<void> {
    this.steps += 1;
    await this.#pace(name);
    this.steps -= 1;
  }
}
